"""The rows of the judge's table, with their games and figures; this module needs no OpenSpiel."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from service.catalogue.bots import BOTS
from tools import levels
from tools.levels import REGISTRY
from workers import bots

FOLDER = levels.FOLDER.parent / "judge"
REQUIREMENTS = Path(__file__).with_name("requirements.lock")
JUDGE = "openspiel-ismcts"
SETTINGS = {"uct_c": 2.0, "rollouts": 1}
"""The judge's settings: those of OpenSpiel's own examples, which are for values from -1 to 1, with
random playouts to the end of the game.
"""
SEATS, BLOCKS, ASKED = 3, 60, 0.65


class Row(levels.Row):
    """A row: our bot on one seat, which rotates, and the judge on all others."""

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.ndjson"

    def head(self) -> JsonObject:
        """The first line of the row's file: the players and their code."""
        offer, ruleset = BOTS[self.first], self.ruleset.info
        judge = (Path(__file__).with_name("adapter.py"), REQUIREMENTS)
        code = hashlib.sha256(b"".join(file.read_bytes() for file in judge)).hexdigest()
        own = bots.code_digest(REGISTRY, ruleset.id, offer.name, offer.version)
        return {
            "ruleset": ruleset.id,
            "rules_version": ruleset.version,
            "seats": self.seats,
            "first": {**offer.holder(self.ruleset), "code": own},
            "others": {"bot": self.others, "settings": SETTINGS, "code": code},
        }


class JudgedGame(NamedTuple):
    """A game of a block: our bot's points, and figures on the decisions of both bots.

    For each bot these are the number of decisions between two or more moves, their mean processor
    time in ms, and the mean number of nodes or simulations.
    """

    points: float
    decisions: int
    ms: float
    nodes: int
    judged: int
    judge_ms: float
    simulations: int


def rows() -> Iterator[Row]:
    for ruleset in REGISTRY:
        yield Row(ruleset, SEATS, "search", JUDGE, BLOCKS, ASKED)


def read(row: Row) -> list[list[JudgedGame]]:
    """Return the played games of a row, even if other code played them."""
    lines = row.file.read_bytes().splitlines() if row.file.exists() else []
    return [[JudgedGame(*game) for game in orjson.loads(line)] for line in lines[1:]]


HEAD = (
    "game", "seats", "bot", "blocks", "points", "95 %", "test at 1 %", "ms", "nodes",
    "judge's ms", "simulations",
)  # fmt: skip


def cells(row: Row, played: Sequence[Sequence[JudgedGame]]) -> tuple[str, ...]:
    """Return a row of the table, with the columns of ``HEAD``."""
    games = [game for block in played for game in block]

    def mean(of: str, by: str) -> str:
        """Return the mean of a figure over all decisions, not over games."""
        weights = [getattr(game, by) for game in games]
        return f"{fmean([getattr(game, of) for game in games], weights):.0f}"

    return (
        row.ruleset.info.id, str(row.seats), row.first, str(len(played)),
        f"{fmean(game.points for game in games):.3f}", levels.band_of(row, played),
        levels.verdict(row, played),
        mean("ms", "decisions"), mean("nodes", "decisions"),
        mean("judge_ms", "judged"), mean("simulations", "judged"),
    )  # fmt: skip


def table() -> list[tuple[str, ...]]:
    """Return the rows that were played."""
    return [cells(row, played) for row in rows() if (played := read(row))]


def chosen(names: Sequence[str]) -> list[Row]:
    """Return the rows whose name contains one of ``names``, or all rows."""
    return [row for row in rows() if not names or any(name in row.name for name in names)]
