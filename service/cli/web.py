"""``lonja web``: the web processes of one machine."""

import click

from service.cli import common, parameters

WEB = (*common.PYTHON, "service.api.gunicorn", "--config", "python:service.api.gunicorn.config")
"""The command line of the web processes."""


@click.command("web", short_help="Run the web processes.")
@parameters.port_option
def command(port: int) -> None:
    """Run only the web processes; the workers and the Redis run elsewhere.

    Run it on as many machines as you like, behind a proxy. After SIGTERM it finishes open requests,
    then ends.
    """
    common.run_on_redis(*WEB, PORT=str(port))
