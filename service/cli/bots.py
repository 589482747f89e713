"""``lonja bots``: the bots on offer."""

from typing import Any

import click
import orjson

from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BotOffer, installed
from service.cli import common, completing, console, parameters
from service.cli.console import Column

COLUMNS = (
    Column("Bot", text=True),
    Column("Called", text=True, left_out=3),
    Column("Version", left_out=2),
    Column("Level"),
    Column("Milliseconds"),
    Column("Queue", left_out=1),
    Column("Settings", text=True),
)


@click.command("bots", short_help="List the bots, with their level, time and settings.")
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="Show the settings of the bots in this game; some games have special settings.",
)
@parameters.json_option
def command(ruleset: str | None, *, as_json: bool) -> None:
    """List the bots of this installation, from the weakest level to the strongest.

    The milliseconds are the median time of a decision between several legal moves, on one core, in
    the game in which the bot is slowest. LONJA_EXTRA_BOTS adds bots of your own; their level and
    time are optional. LONJA_ENGINES adds engines of strangers (`lonja engines`).
    """
    game = None if ruleset is None else common.find_ruleset(common.load_registry(), ruleset)
    offers = sorted(
        installed(common.load_settings()).values(), key=lambda offer: (offer.level or 6, offer.name)
    )
    if game is not None:
        offers = [offer for offer in offers if offer.plays(game.info.id)]
    if as_json:
        click.echo(orjson.dumps({"bots": [offer.to_json(game) for offer in offers]}).decode())
        return
    console.show(console.TextTable(COLUMNS, [_cells(offer, game) for offer in offers]))


def _cells(offer: BotOffer, game: Ruleset[Any] | None) -> list[str]:
    told = offer.to_json(game)["settings"]
    settings = ", ".join(f"{name} {value}" for name, value in told.items())
    numbers = ["" if n is None else f"{n:,}" for n in (offer.level, offer.decision_ms)]
    return [offer.name, offer.called, offer.version, *numbers, offer.queue, settings]
