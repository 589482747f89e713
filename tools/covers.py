"""Draws a picture of each game's board with its own renderer: ``rules/<game>/aids/picture.svg``.

    python -m tools.covers          # all, as `make pictures` does
    python -m tools.covers macao    # only of these games

A picture shows a fixed game of the bot ``greedy``. A test draws the pictures again, so they always
show the board that people play on.
"""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import board
from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from tests.running import ROOT
from tools.pictures import choose, play

CLIENT = ROOT / "service/web/client"
NODE = Path(sys.executable).with_name("node")


class Moment(NamedTuple):
    """The number of seats of the shown game, and the version that is shown."""

    seats: int
    version: int


MOMENTS = {
    "macao": Moment(4, 120),
    "manila": Moment(4, 40),
    "plus_ultra": Moment(4, 200),
    "ragusa": Moment(4, 150),
    "santiago_de_cuba": Moment(4, 140),
}


def path(game: str) -> Path:
    return ROOT / f"rules/{game}/aids/picture.svg"


def drawn(registry: Registry, game: str) -> str:
    """Return the picture of a game. Raises ``subprocess.CalledProcessError``."""
    position = orjson.dumps(_position(registry, game))
    program = [str(NODE), str(CLIENT / "picture.mjs"), str(path(game).with_name("board.tsx"))]
    done = subprocess.run(program, input=position, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def _position(registry: Registry, game: str) -> JsonObject:
    rules, (seats, version) = registry.find(game), MOMENTS[game]
    bots = [BOTS["greedy"].holder(rules)] * seats
    table = local.start(registry, game, bots, rules.parse_options(seats, {}), "picture")
    while table.game.version < version:
        seat = min(table.game.asked)
        table.change(partial(play, seat=seat, move=choose(table.game, seat)))
    return {
        "board": board(rules),
        "tables": rules.data.tables,
        "words": rules.labels.tables["en"],
        "view": rules.view(table.game.state, None),
    }


if __name__ == "__main__":
    games = Registry(PACKAGES)
    for name in sys.argv[1:] or MOMENTS:
        path(name).write_text(drawn(games, name), encoding="utf-8")
        print(path(name).relative_to(ROOT))
