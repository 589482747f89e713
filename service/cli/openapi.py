"""``lonja openapi``: the API's description, generated from the code."""

import sys
from pathlib import Path

import click

from service.api import openapi
from service.cli import common, parameters


@click.command("openapi", short_help="Print the API's description, write it, or check its file.")
@click.option("--write", is_flag=True, help="Write FILE, and asyncapi.yaml beside it.")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with 1 if FILE or asyncapi.yaml differs from what the code generates.",
)
@click.option(
    "--file",
    type=parameters.OUTPUT_FILE,
    default=openapi.FILE,
    show_default=True,
    metavar="FILE",
    help="The file of the OpenAPI document.",
)
def command(*, write: bool, check: bool, file: Path) -> None:
    """Print the OpenAPI document of the API as YAML.

    Its streams and webhooks are described by AsyncAPI, in a file beside it. With --check, the exit
    code is 1 if one of the two files differs from what the code generates.
    """
    if write and check:
        raise common.Failure("Choose one of --write and --check.")
    if check and common.is_stdout(file):
        raise common.Failure("--check compares with a file, not with -.")
    try:
        if write and not common.is_stdout(file):
            openapi.write(file)
            click.echo(f"{file} is written.")
        elif check:
            _check(file)
        else:
            click.echo(openapi.to_yaml(openapi.build()), nl=False)
    except OSError as error:
        raise common.Failure(f"{file}: {error.strerror}.") from None


def _check(file: Path) -> None:
    differences = openapi.check(file)
    if not differences:
        click.echo(f"{file} is what the code says.")
        return
    for line in differences:
        click.echo(line.rstrip("\n"))
    click.echo(f"{file} is out of date: run `lonja openapi --write`.", err=True)
    sys.exit(1)
