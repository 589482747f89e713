"""Blocks: games with the same luck, in which a player has each seat in turn.

A match goes through all numbers of seats, and is over when a sequential test at 1 % decides or all
its blocks were played.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple, TypeVar

import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.chance import Chance, chance_key, seeded
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Result, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.secrets import bot_seed
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.tournaments.figures.bands import FEWEST, SAMPLES, band, drawings, groups
from service.tournaments.figures.sequential import SequentialTest
from workers.bots.bot import Bot, BotRandom

FOLDER = Path(__file__).parents[1] / "played" / "weights"
REGISTRY = Registry(PACKAGES)
SETTINGS: Mapping[str, Any] = BOTS["greedy"].settings
BLOCKS = 2000
"""Maximum number of blocks of a match."""
RISK = 0.01
MILLI = 1000

T = TypeVar("T")

Block = list[float]
"""For each game of a block, the share of its opponents that a seat has beaten."""


class Player(NamedTuple):
    """A bot, and the ruleset whose heuristic the bot uses."""

    bot: Bot
    ruleset: Ruleset[Any]


def seats_of(ruleset: Ruleset[Any]) -> Sequence[int]:
    """Return all numbers of seats with which a seat has an opponent."""
    return range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1)


def play_block(
    name: str, number: int, own: Player, others: Player, tells: Callable[[Result, Seat], T]
) -> list[T]:
    """Play a block; return for each game what ``tells`` returns for the seat of ``own``.

    Equal arguments give equal results.
    """
    info, numbers = own.ruleset.info, seats_of(own.ruleset)
    luck = f"{info.id} {name} {number}"
    seats = all_seats(numbers[number % len(numbers)])
    return [
        tells(_play(luck, [own if other == seat else others for other in seats]), seat)
        for seat in seats
    ]


def _play(luck: str, players: Sequence[Player]) -> Result:
    rules = players[0].ruleset
    nature = seeded(chance_key(digest(encode([luck])), luck, ()))
    salt = digest(encode([luck, "bots"]))
    state = rules.initial(len(players), rules.parse_options(len(players), {}))
    number = 0
    while not isinstance(turn := rules.turn(state), GameOver):
        if isinstance(turn, Chance):
            rules.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            continue
        seat, number = turn.seats[0], number + 1
        legal, rng = rules.legal_moves(state, seat), BotRandom(bot_seed(salt, seat, number))
        information = rules.information(state, seat) if len(legal) > 1 else {}
        player = players[seat]
        choice = player.bot(player.ruleset, information, seat, legal, rng, SETTINGS)
        rules.reduce(state, MoveEvent(seat, choice.move))
    return rules.result(state)


def lead(result: Result, seat: Seat) -> int:
    """Return a seat's lead over the mean of the others, in thousandths of the mean score of all."""
    scores = [side.score for side in result.standings if side.side.startswith("seat:")]
    seats, total = len(scores), sum(scores)
    return MILLI * seats * (seats * scores[seat] - total) // ((seats - 1) * max(total, seats))


def points(result: Result, seat: Seat) -> float:
    """Return the share of its opponents that a seat has beaten."""
    ranks = [side.rank for side in result.standings if side.side.startswith("seat:")]
    own = ranks.pop(seat)
    return sum((own < rank) + (own == rank) / 2 for rank in ranks) / len(ranks)


def test_of(blocks: Sequence[Block], claim: float, margin: float) -> SequentialTest:
    """Return the sequential test of a match, after the block that decided it, or after all."""
    test = SequentialTest(claim, margin, RISK, RISK)
    for number, block in enumerate(blocks, 1):
        test.observe(number, mean(block))
        if test.verdict:
            break
    return test


def is_over(blocks: Sequence[Block], claim: float, margin: float) -> bool:
    """Whether a match is decided, or all its blocks were played."""
    return len(blocks) >= BLOCKS or test_of(blocks, claim, margin).verdict is not None


def figures(blocks: Sequence[Block], seed: str) -> tuple[str, str, str]:
    """Return the number of blocks, their mean points, and the 95 % interval."""
    if not blocks:
        return "0", "", ""
    return f"{len(blocks):,}", f"{mean(map(mean, blocks)):.3f}", _band(blocks, seed)


def _band(blocks: Sequence[Block], seed: str) -> str:
    """Return the 95 % interval of the true points, as a tournament's report has it."""
    if len(blocks) < FEWEST:
        return ""
    means = [mean(map(mean, group)) for group in groups(blocks)]
    drawn = [
        (won + sum(w * of for w, of in zip(weights, means, strict=True)))
        / (won + lost + sum(weights))
        for won, lost, *weights in drawings(len(means) + 2, SAMPLES, seed)
    ]
    low, high = band(mean(means), drawn, len(means) + 2)
    return f"{low:.2f} to {high:.2f}"


def read(file: Path) -> list[JsonObject]:
    """Return the lines of a file; none if there is no such file."""
    return [*map(orjson.loads, file.read_bytes().splitlines())] if file.exists() else []


def note(file: Path, line: JsonObject) -> None:
    """Add a line to a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as lines:
        lines.write(orjson.dumps(line) + b"\n")
