"""Measures how long games of bots are, and how much processor time their decisions take.

    python -m tools.costs                # all games of this folder
    python -m tools.costs ragusa macao   # only these

It writes ``aids/costs.json`` of each game, from which the service estimates what a tournament
costs (docs/tournaments.md). The lengths of games are means over GAMES games of ``greedy`` on all
seats. The times are means over all decisions of a game on the game's fewest seats, those between
several moves and those with a single one; of a slow bot only the first MOST_SECONDS count.
"""

import json
import time
from pathlib import Path
from typing import Any

import click

from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.common import deciding_module
from tests.running import ROOT

GAMES = 8
MOST_SECONDS = 45.0
"""Processor seconds after which no more decisions of a bot are measured."""
MEASURED_ON = "greedy"
REGISTRY = Registry(PACKAGES)


def fewest_seats(ruleset: Ruleset[Any]) -> int:
    """Return the fewest seats of a game in a tournament."""
    return max(2, ruleset.info.min_seats)


def lengths(
    ruleset: Ruleset[Any], games: int = GAMES, most_seats: int | None = None
) -> dict[str, dict[str, int]]:
    """Return the mean numbers of ``decisions`` and ``events`` of a game, by number of seats.

    Games with more than ``most_seats`` are left out.
    """
    found = {}
    for seats in range(fewest_seats(ruleset), (most_seats or ruleset.info.max_seats) + 1):
        played = [_play(ruleset, MEASURED_ON, seats, seed) for seed in range(games)]
        found[str(seats)] = {
            "decisions": round(sum(decisions for decisions, _, _ in played) / games),
            "events": round(sum(events for _, events, _ in played) / games),
        }
    return found


def milliseconds(ruleset: Ruleset[Any], bot: str) -> float:
    """Return the mean processor time of a decision of a bot and of what the rules make of it."""
    decisions, _events, seconds = _play(ruleset, bot, fewest_seats(ruleset), 0, MOST_SECONDS)
    return round(1000 * seconds / decisions, 2)


def _play(
    ruleset: Ruleset[Any], bot: str, seats: int, seed: int, most: float = float("inf")
) -> tuple[int, int, float]:
    """Play a game, or its first ``most`` seconds; return its decisions, events and seconds."""
    deciding, holder = deciding_module(), BOTS[bot].holder(ruleset)
    table = local.start(REGISTRY, ruleset.info.id, [holder] * seats, {}, str(seed))
    began, decisions = time.process_time(), 0
    while not table.game.over and time.process_time() - began < most:
        table.change(deciding.answer(table.game, min(table.game.asked), table.secrets.salt))
        decisions += 1
    return decisions, table.game.version, time.process_time() - began


@click.command()
@click.argument("games", nargs=-1)
def main(games: tuple[str, ...]) -> None:
    """Measure the costs of GAMES, or of all, and write them."""
    for ruleset in REGISTRY:
        if games and ruleset.info.id not in games:
            continue
        found = {
            "lengths": lengths(ruleset),
            "milliseconds": {bot: milliseconds(ruleset, bot) for bot in BOTS},
        }
        path = ROOT / Path(*package_of(ruleset).split(".")) / "aids" / "costs.json"
        path.write_text(json.dumps(found, indent=2) + "\n")
        click.echo(f"{ruleset.info.id}: {json.dumps(found)}")


if __name__ == "__main__":
    main()
