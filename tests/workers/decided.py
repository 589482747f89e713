"""Print what bots decide: ``python -m tests.workers.decided COUNT [--bot NAME] [--game RULESET]``.

Everybody plays at random, and the bot is asked wherever there is a choice: a line for each, of
``COUNT`` in each game. It needs the product's packages alone, so that any Python can run it
(``test_recomputed``).
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Chanced, Finished, Moved, Ruleset
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from workers import bots
from workers.bots.bot import BotRandom


def decided(ruleset: Ruleset[Any], name: str, settings: Mapping[str, object]) -> Iterator[bytes]:
    """Yield the game, the decision, and what the bot answers there, without an end."""
    bot = bots.find(name, BOTS[name].version)
    info = ruleset.info
    for game in count():
        seats = info.min_seats + game % (info.max_seats - info.min_seats + 1)
        rng = random.Random(f"decided {game}")
        state, nature = ruleset.initial(seats, ruleset.parse_options(seats, {})), uniform(rng)
        for number in count():
            if isinstance(turn := ruleset.turn(state), Finished):
                break
            if isinstance(turn, Chance):
                ruleset.reduce(state, Chanced(turn.label, turn.n, nature(turn)))
                continue
            seat = turn.seats[0]
            legal = ruleset.legal_moves(state, seat)
            if len(legal) > 1:
                known = ruleset.information(state, seat)
                choice = bot(ruleset, known, seat, legal, BotRandom(number), settings)
                yield encode(
                    [info.id, name, game, number, choice.move.to_json(), choice.nodes,
                     choice.thoughts]
                )  # fmt: skip
            ruleset.reduce(state, Moved(seat, legal[rng.randrange(len(legal))]))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.workers.decided")
    parser.add_argument("count", type=int)
    parser.add_argument("--bot", choices=sorted(BOTS), help="all of them, if left out")
    parser.add_argument("--game", help="all of them, if left out")
    parser.add_argument("--nodes", type=int, help="a smaller budget")
    arguments = parser.parse_args()
    registry = Registry(PACKAGES)
    games = [registry.find(arguments.game)] if arguments.game else list(registry)
    for ruleset in games:
        for name in [arguments.bot] if arguments.bot else sorted(BOTS):
            settings = dict(BOTS[name].settings)
            if arguments.nodes and "nodes" in settings:
                settings["nodes"] = arguments.nodes
            for line in islice(decided(ruleset, name, settings), arguments.count):
                print(line.decode())  # noqa: T201 - a command


if __name__ == "__main__":
    main()
