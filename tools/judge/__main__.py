"""``python -m tools.judge``: plays our bot against OpenSpiel's, row by row.

OpenSpiel has an environment of its own, ``.venv/judge``, which the first call creates.
``tools/played/judge`` has a file for each row, with a line for each played block. No block is
played again, so the command can be stopped at any time.
"""

import subprocess
import sys

import click

from tests.environments import make
from tests.running import ROOT
from tools import levels
from tools.judge.rows import HEAD, REQUIREMENTS, cells, chosen, read, rows

FOLDER = ROOT / ".venv" / "judge"


def environment() -> str:
    """Return the path of a Python that has OpenSpiel; install them first if they are missing."""
    return make(FOLDER, sys.executable, ROOT / "requirements.lock", REQUIREMENTS)


def all_names() -> list[str]:
    return [row.name for row in rows()]


@click.command()
@click.argument("names", nargs=-1, metavar="[ROW]…")
@click.option("--table", "only", is_flag=True, help="Print what was played, and play nothing.")
@click.option("--anew", is_flag=True, help="Forget what was played of these rows.")
@click.option("--seconds", default=float("inf"), help="How long to play at a row this time.")
def main(names: tuple[str, ...], *, only: bool, anew: bool, seconds: float) -> None:
    """Play the rows whose name contains ROW, such as manila, or all rows, and print the table."""
    for name in names:
        if not chosen([name]):
            raise click.BadParameter(f"no row's name contains {name!r}: {', '.join(all_names())}")
    if not only:
        options = [*names, "--seconds", str(seconds), *(["--anew"] if anew else [])]
        command = [environment(), "-m", "tools.judge.playing", *options]
        ran = subprocess.run(command, check=False)
        if ran.returncode:
            raise SystemExit(ran.returncode)
    click.echo(levels.line(HEAD))
    click.echo(levels.line(["---"] * len(HEAD)))
    for row in chosen(names):
        if played := read(row):
            click.echo(levels.line(cells(row, played)))


if __name__ == "__main__":
    main()
