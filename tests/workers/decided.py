"""Prints bots' decisions: ``python -m tests.workers.decided COUNT [--bot NAME] [--game RULESET]``.

All seats play at random, and the bot is asked at every seventh choice, so that few decisions cover
several games: ``COUNT`` lines for each ruleset. It needs only the product's packages, so that any
Python can run it (``test_recomputed``).
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from workers import bots
from workers.bots.bot import BotRandom

EVERY = 7


def decided(
    ruleset: Ruleset[Any], name: str, settings: Mapping[str, object], seats: int | None = None
) -> Iterator[bytes]:
    """Yield the game, the decision, and the bot's answer, endlessly.

    Without ``seats``, the number of seats changes from game to game.
    """
    bot = bots.find(name, BOTS[name].version)
    info, choices = ruleset.info, count()
    numbers = [seats] if seats else range(info.min_seats, info.max_seats + 1)
    for game in count():
        seats = numbers[game % len(numbers)]
        rng = random.Random(f"decided {game}")
        state, nature = ruleset.initial(seats, ruleset.parse_options(seats, {})), uniform(rng)
        for number in count():
            if isinstance(turn := ruleset.turn(state), GameOver):
                break
            if isinstance(turn, Chance):
                ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
                continue
            seat = turn.seats[0]
            legal = ruleset.legal_moves(state, seat)
            if len(legal) > 1 and next(choices) % EVERY == 0:
                known = ruleset.information(state, seat)
                choice = bot(ruleset, known, seat, legal, BotRandom(number), settings)
                yield encode(
                    [info.id, name, game, number, choice.move.to_json(), choice.nodes,
                     choice.thoughts]
                )  # fmt: skip
            ruleset.reduce(state, MoveEvent(seat, legal[rng.randrange(len(legal))]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.workers.decided")
    parser.add_argument("count", type=int)
    parser.add_argument("--bot", choices=sorted(BOTS), help="all of them, if left out")
    parser.add_argument("--game", help="all of them, if left out")
    parser.add_argument("--seats", type=int, help="every number of them, if left out")
    parser.add_argument("--nodes", type=int, help="a smaller budget")
    arguments = parser.parse_args()
    registry = Registry(PACKAGES)
    games = [registry.find(arguments.game)] if arguments.game else list(registry)
    for ruleset in games:
        for name in [arguments.bot] if arguments.bot else sorted(BOTS):
            settings = BOTS[name].settings_in(ruleset)
            if arguments.nodes and "nodes" in settings:
                settings["nodes"] = arguments.nodes
            found = decided(ruleset, name, settings, arguments.seats)
            for line in islice(found, arguments.count):
                print(line.decode())  # noqa: T201 - a command


if __name__ == "__main__":
    main()
