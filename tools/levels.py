"""How strong each level of bots is: ``python -m tools.levels`` plays the rows of a table.

A row is a match of two bots in one ruleset, with one number of seats: the first bot has one seat,
and the second bot all others. A *block* has a game with the first bot on each seat, all with the
same luck. As in a tournament of the format ``compare`` (docs/tournaments.md), a row is over when a
sequential test at 1 % has decided whether the first bot scores more than its share, or when all its
blocks were played. A second table shows what more nodes gain: its rows are search with half of its
nodes, and with two and four times as many, all against lookahead.

``tools/played/strength`` has a file for each row, with a line for each played block. No block is
played again, so the command can be stopped at any time. ``--table`` plays nothing. If the code has
changed, played games remain valid if ``--confirm`` finds that today's code plays the same first
block.
"""

import json
import time
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any, NamedTuple, Protocol

import click
import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.chance import Chance, chance_key, seeded
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import bot_seed
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.tournaments.figures.bands import FEWEST, SAMPLES, band, drawings
from service.tournaments.figures.sequential import BETTER, SequentialTest
from workers import bots
from workers.bots.bot import BotRandom

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tools" / "played" / "strength"
REGISTRY = Registry(PACKAGES)
RISK = 0.01
MARGIN = 0.05
FAIR = 0.5
BUDGETS = {"half of its nodes": (1, 2), "its own": (1, 1), "twice": (2, 1), "four times": (4, 1)}
"""The budgets of search in the second table, as fractions of its usual budget."""


class Row(NamedTuple):
    """A row: its two bots, and the points that the first one should reach.

    ``nodes`` is the budget of the first bot; 0 means its usual budget.
    """

    ruleset: Ruleset[Any]
    seats: int
    first: str
    others: str
    blocks: int
    asked: float
    nodes: int = 0

    @property
    def name(self) -> str:
        budget = f"-{self.nodes}" if self.nodes else ""
        return f"{self.ruleset.info.id}-{self.seats}-{self.first}{budget}-{self.others}"

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.ndjson"

    @property
    def holder(self) -> JsonObject:
        """The first bot of the row, as events have the holder of a seat."""
        holder = BOTS[self.first].holder(self.ruleset)
        if self.nodes:
            holder["settings"]["nodes"] = self.nodes
        return holder

    def head(self) -> JsonObject:
        """The first line of the row's file: the players and their code."""
        code = {name: bots.code_digest(REGISTRY, self.ruleset.info.id, name, BOTS[name].version)
                for name in (self.first, self.others)}  # fmt: skip
        return {
            "ruleset": self.ruleset.info.id,
            "rules_version": self.ruleset.info.version,
            "seats": self.seats,
            "first": {**self.holder, "code": code[self.first]},
            "others": {**BOTS[self.others].holder(self.ruleset), "code": code[self.others]},
        }


class ScoredGame(Protocol):
    """A game of a block."""

    @property
    def points(self) -> float:
        """The share of opponents that the first bot is ahead of."""
        ...


class LevelGame(NamedTuple):
    """A game of a block: the first bot's points, and figures on its real decisions."""

    points: float
    decisions: int
    median_ms: float
    nodes: int

    @property
    def course(self) -> tuple[float, int, int]:
        """What is deterministic in the result: everything except times."""
        return self.points, self.decisions, self.nodes


def rows() -> Iterator[Row]:
    """Yield all rows of the first table, those with small budgets first."""
    for ruleset in REGISTRY:
        least = max(2, ruleset.info.min_seats)
        for seats in sorted({least, ruleset.info.max_seats}):
            yield Row(ruleset, seats, "lookahead", "greedy", 300, 0.60)
    for first, others, asked in (
        ("search", "greedy", 0.65),
        ("search", "lookahead", 0.55),
        ("search-deep", "search", 0.5),
    ):
        for ruleset in REGISTRY:
            yield Row(ruleset, 3, first, others, 60, asked)
    for ruleset in REGISTRY:
        yield from (row for row in doublings(ruleset) if row.nodes)


def doublings(ruleset: Ruleset[Any]) -> Sequence[Row]:
    """Return the rows of the second table, one for each budget of search."""
    own = BOTS["search"].settings_in(ruleset)["nodes"]
    budgets = [0 if times == of else own * times // of for times, of in BUDGETS.values()]
    return [Row(ruleset, 3, "search", "lookahead", 60, 0.55, nodes) for nodes in budgets]


def play_block(row: Row, block: int) -> list[LevelGame]:
    """Play one block; equal arguments give equal points."""
    return [_play(row, block, Seat(seat)) for seat in range(row.seats)]


def _play(row: Row, block: int, own: Seat) -> LevelGame:
    ruleset, name = row.ruleset, f"{row.ruleset.info.id} {row.seats} {block}"
    nature = seeded(chance_key(digest(encode([name])), name, ()))
    salt = digest(encode([name, own]))
    state = ruleset.initial(row.seats, ruleset.parse_options(row.seats, {}))
    holders = BOTS[row.others].holder(ruleset), row.holder
    took: list[float] = []
    nodes = number = 0
    while not isinstance(turn := ruleset.turn(state), GameOver):
        if isinstance(turn, Chance):
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        seat, number = turn.seats[0], number + 1
        legal = ruleset.legal_moves(state, seat)
        move = legal[0]
        if len(legal) > 1:
            holder = holders[seat == own]
            began = time.process_time()
            choice = bots.find(holder["bot"], holder["version"])(
                ruleset, ruleset.information(state, seat), seat, legal,
                BotRandom(bot_seed(salt, seat, number)), holder["settings"],
            )  # fmt: skip
            move = choice.move
            if seat == own:
                took.append(1000 * (time.process_time() - began))
                nodes += choice.nodes
        ruleset.reduce(state, MoveEvent(seat, move))
    ranks = [side.rank for side in ruleset.result(state).standings[: row.seats]]
    mine = ranks.pop(own)
    points = sum((mine < rank) + (mine == rank) / 2 for rank in ranks) / len(ranks)
    return LevelGame(points, len(took), round(median(took), 2), nodes // len(took))


def read(row: Row) -> list[list[LevelGame]]:
    """Return the played games of a row, with whatever code they were played."""
    lines = row.file.read_bytes().splitlines() if row.file.exists() else []
    return [[LevelGame(*game) for game in orjson.loads(line)] for line in lines[1:]]


def is_of_this_code(row: Row) -> bool:
    with row.file.open("rb") as file:
        return bool(orjson.loads(file.readline()) == row.head())


def play(row: Row, *, anew: bool, seconds: float) -> None:
    """Continue a row until its test decides, all its blocks were played, or the time is over.

    Raises:
        click.ClickException: the row was begun with other code.
    """
    if anew:
        row.file.unlink(missing_ok=True)
    played = read(row)
    if row.file.exists() and not is_of_this_code(row):
        raise click.ClickException(f"{row.file}: other code played it; --anew begins it again")
    row.file.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + seconds
    with row.file.open("ab") as file:
        if not file.tell():
            file.write(orjson.dumps(row.head()) + b"\n")
        while not is_over(row, played) and time.monotonic() < until:
            block = play_block(row, len(played) + 1)
            played.append(block)
            file.write(orjson.dumps([list(game) for game in block]) + b"\n")
            file.flush()


def confirm(row: Row) -> None:
    """Replay a row's first block; if today's code plays it alike, note the code in the file.

    Raises:
        click.ClickException: the points, decisions or nodes of the block differ, or the settings.
    """
    head, *lines = row.file.read_bytes().splitlines(keepends=True)
    if settings_of(orjson.loads(head)) != settings_of(row.head()):
        raise click.ClickException(f"{row.file}: today's settings are others")
    before = [[game.course for game in block] for block in read(row)[:1]]
    if before != [[game.course for game in play_block(row, 1)]]:
        raise click.ClickException(f"{row.file}: today's code plays otherwise")
    row.file.write_bytes(b"".join([orjson.dumps(row.head()) + b"\n", *lines]))


def settings_of(head: JsonObject) -> JsonObject:
    """Return the first line of a file, without its code."""
    players = {name: {**head[name], "code": ""} for name in ("first", "others")}
    return {**head, **players}


def is_over(row: Row, played: Sequence[Sequence[ScoredGame]]) -> bool:
    return len(played) >= row.blocks or test_of(played).verdict is not None


def test_of(played: Sequence[Sequence[ScoredGame]]) -> SequentialTest:
    """Return the sequential test of a row, after the block that decided it, or after all."""
    test = SequentialTest(FAIR, MARGIN, RISK, RISK)
    for number, block in enumerate(played, 1):
        test.observe(number, mean(game.points for game in block))
        if test.verdict:
            break
    return test


def band_of(row: Row, played: Sequence[Sequence[ScoredGame]]) -> str:
    """Return the 95 % interval of the true points, as in a tournament's report."""
    if len(played) < FEWEST:
        return ""
    sums = [sum(game.points for game in block) for block in played]
    drawn = []
    for won, lost, *weights in drawings(len(sums) + 2, SAMPLES, row.name):
        points = won + sum(w * of for w, of in zip(weights, sums, strict=True))
        drawn.append(points / (won + lost + row.seats * sum(weights)))
    low, high = band(mean(sums) / row.seats, drawn, len(sums) + 2)
    return f"{low:.2f} to {high:.2f}"


def verdict(row: Row, played: Sequence[Sequence[ScoredGame]]) -> str:
    """Return a row's verdict, with a remark if other code than today's played its games."""
    test = test_of(played)
    told = "undecided" if len(played) >= row.blocks else "open"
    if test.verdict == BETTER:
        told = "above par" if test.mean >= row.asked else f"above par, below {row.asked:.2f}"
    elif test.verdict:
        told = "not above par by 0.05"
    return told if is_of_this_code(row) else f"{told}; earlier code"


HEAD = (
    "game", "seats", "bot", "against", "blocks", "points", "95 %", "test at 1 %", "ms", "nodes",
)  # fmt: skip


def cells(row: Row, played: Sequence[Sequence[LevelGame]]) -> tuple[str, ...]:
    """Return a row of the table, with the columns of ``HEAD``."""
    games = [game for block in played for game in block]
    return (
        row.ruleset.info.id, str(row.seats), row.first, row.others, str(len(played)),
        f"{mean(game.points for game in games):.3f}", band_of(row, played),
        verdict(row, played), f"{median(game.median_ms for game in games):.0f}",
        str(round(mean(game.nodes for game in games))),
    )  # fmt: skip


def table() -> list[tuple[str, ...]]:
    """Return the played rows of the first table."""
    return [cells(row, played) for row in rows() if not row.nodes and (played := read(row))]


def measured() -> dict[Path, str]:
    """Return what a game tells of its bots' strength, by the file that publishes it.

    Of the matches of a bot, the one against the next weaker bot counts, with the fewest seats.
    """
    found: dict[Path, dict[str, JsonObject]] = {}
    for row in rows():
        played = [] if row.nodes else read(row)
        folder = ROOT / package_of(row.ruleset).replace(".", "/")
        told = found.setdefault(folder / "aids/strength.json", {})
        others = BOTS[row.others].level
        known = told.get(row.first)
        if not played or (known and (BOTS[known["against"]].level or 0) >= (others or 0)):
            continue
        games = [game for block in played for game in block]
        told[row.first] = {
            "against": row.others,
            "seats": row.seats,
            "games": len(games),
            "points": round(mean(game.points for game in games), 3),
        }
    return {path: f"{json.dumps(told, indent=2)}\n" for path, told in found.items()}


class Scores(NamedTuple):
    """The result of a row: its mean points, with their standard error if there are two blocks."""

    points: float
    error: float | None
    blocks: int

    def __str__(self) -> str:
        error = "" if self.error is None else f" ± {self.error:.2f}"
        return f"{self.points:.2f}{error} ({self.blocks})"


THINKING = "game", *BUDGETS


def thinking() -> dict[str, Sequence[Scores | None]]:
    """Return search's scores against lookahead by game, one for each of ``BUDGETS``."""
    found: dict[str, Sequence[Scores | None]] = {}
    for ruleset in REGISTRY:
        played = [read(row) for row in doublings(ruleset)]
        if any(played):
            found[ruleset.info.id] = [_scores_of(each) for each in played]
    return found


def _scores_of(played: Sequence[Sequence[LevelGame]]) -> Scores | None:
    points = [mean(game.points for game in block) for block in played]
    if not points:
        return None
    error = stdev(points) / sqrt(len(points)) if len(points) > 1 else None
    return Scores(mean(points), error, len(points))


@click.command()
@click.argument("names", nargs=-1, metavar="[ROW]…")
@click.option("--table", "only", is_flag=True, help="Print what was played, and play nothing.")
@click.option("--anew", is_flag=True, help="Forget what was played of these rows.")
@click.option("--confirm", "held", is_flag=True, help="Hold what other code played to today's.")
@click.option("--seconds", default=float("inf"), help="How long to play at a row this time.")
def main(names: tuple[str, ...], *, only: bool, anew: bool, held: bool, seconds: float) -> None:
    """Play the rows whose name contains ROW (macao-3-search), or all, and print the table."""
    click.echo(line(HEAD))
    click.echo(line(["---"] * len(HEAD)))
    for row in rows():
        if names and not any(name in row.name for name in names):
            continue
        if held:
            if row.file.exists() and not is_of_this_code(row):
                confirm(row)
        elif not only:
            play(row, anew=anew, seconds=seconds)
        if played := read(row):
            click.echo(line(cells(row, played)))


def line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
