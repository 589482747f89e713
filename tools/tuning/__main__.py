"""``python -m tools.tuning RULESET``: searches for better weights and checks them."""

import time
from collections.abc import Sequence
from typing import Any

import click
import orjson

from tools.tuning.blocks import REGISTRY
from tools.tuning.search import Search, cells


def play_on(search: Search, steps: int, seconds: float) -> None:
    """Search for ``steps`` steps and then check the result; stop when the time is over."""
    until = time.monotonic() + seconds
    while search.found is None and time.monotonic() < until:
        if len(search.steps) < steps:
            search.play_step()
        else:
            search.end()
    while not search.is_over and time.monotonic() < until:
        search.play_block()


def _told(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        raise click.BadParameter(f"{text!r} is no NAME=INTEGER or NAME=[INTEGER,…]") from None


@click.command()
@click.argument("ruleset", type=click.Choice([ruleset.info.id for ruleset in REGISTRY]))
@click.option("--steps", default=200, help="After how many steps to check what was found.")
@click.option("--begin", multiple=True, metavar="NAME=JSON", help="Where a new search begins.")
@click.option("--weight", multiple=True, metavar="NAME", help="What alone it tunes.")
@click.option("--seconds", default=float("inf"), help="How long to play this time.")
def main(
    ruleset: str, steps: int, begin: Sequence[str], weight: Sequence[str], seconds: float
) -> None:
    """Tune the weights of RULESET, check and print the result."""
    search = Search(REGISTRY.find(ruleset))
    if not search.head:
        search.begin(dict(map(_told, begin)), weight)
    play_on(search, steps, seconds)
    click.echo(orjson.dumps(search.found or search.mean(), option=orjson.OPT_INDENT_2).decode())
    click.echo(" | ".join(cells(search)))


if __name__ == "__main__":
    main()
