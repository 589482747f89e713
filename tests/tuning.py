"""Tunes the numbers by which a game's states are judged: ``python -m tests.tuning RULESET``.

One seat of ``greedy`` with other weights plays against ``greedy`` with the untuned ones. A *block*
is a game with each seat in turn, in the same luck; blocks have all numbers of seats in turn.

The search is SPSA (Spall, "Multivariate stochastic approximation using a simultaneous perturbation
gradient approximation", IEEE TAC 37 (1992)): each step raises some weights and lowers the others,
at random, plays a block so and a block the other way round, and goes towards the better one. Two
blocks a step do for as many weights as there are; NTBEA, which games with few settings are tuned
by, would have to try out combinations of thirty. It climbs by the lead in points, which tells more
of a game than who won it.

What it found then plays blocks of fresh luck until the sequential test at 1 % decides whether its
*share of opponents beaten* is above one half (docs/tournaments.md). If so, the game takes it over.

What was played lies in ``tests/campaigns/weights``, a line for each step or block, and is never
played again: stop the command whenever you like. All are integers, and all follows from the lines.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple, cast

import click
import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.chance import Chance, chance_key, seeded
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Chanced, Finished, Moved, Result, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.secrets import bot_seed
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.tournaments.bands import FEWEST, SAMPLES, band, drawings, groups
from service.tournaments.sequential import BETTER, SequentialTest
from workers.bots import greedy
from workers.bots.bot import BotRandom

FOLDER = Path(__file__).parent / "campaigns" / "weights"
REGISTRY = Registry(PACKAGES)
MILLI, MICRO = 1000, 1_000_000
NUDGE = 200
"""How much weights are raised and lowered to see what comes of it, in thousandths."""
RATE = 100
"""How far a step goes at first, in thousandths of the difference between its two blocks."""
EARLY = 76
"""After so many steps they go half as far, after twice as many a third."""
LEAST, MOST = MICRO // 4, 4 * MICRO
"""How far a weight may go from where it began."""
FAIR, MARGIN, RISK = 0.5, 0.05, 0.01
BLOCKS = 2000
"""How many blocks a check has at most."""

Weights = Mapping[str, Any]
"""By name, an integer, or a list of integers that are tuned as one."""


class Step(NamedTuple):
    """The leads of both blocks of a step, in thousandths of what a seat scores on average."""

    plus: int
    minus: int


class Search:
    """The search of one game, as far as it was played."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.ruleset = ruleset
        self.file = FOLDER / f"{ruleset.info.id}.ndjson"
        lines = self.file.read_bytes().splitlines() if self.file.exists() else []
        head, *rest = map(orjson.loads, lines or [b"{}"])
        self.head: JsonObject = head
        self.steps = [Step(*line["step"]) for line in rest if "step" in line]
        self.found: Weights | None = next((line["found"] for line in rest if "found" in line), None)
        """What the search came to; None while it goes on."""
        self.blocks: list[list[float]] = [line["block"] for line in rest if "block" in line]

    def begin(self, at: Mapping[str, Any], names: Sequence[str]) -> None:
        """Begin at the present weights but for those ``at``; tune these, or all that are not 0.

        Raises:
            click.ClickException: the game has no weight of such a name, or none at all.

        """
        untuned, game = asdict(present(self.ruleset)), self.ruleset.info.id
        for name in {*at, *names} - {*untuned}:
            raise click.ClickException(f"{game} has no weight {name!r}")
        at_first = {**untuned, **at}
        self.head = {
            "ruleset": game,
            "rules_version": self.ruleset.info.version,
            "bot": BOTS["greedy"].holder(),
            "tuned": list(names) or [name for name in untuned if at_first[name] != 0],
            "begin": at_first,
            "untuned": untuned,
        }
        self._note(self.head)

    def _note(self, line: JsonObject) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            file.write(orjson.dumps(line) + b"\n")

    def end(self) -> None:
        """Keep what the search came to, and play no more steps."""
        self.found = self.mean()
        self._note({"found": self.found})

    def mean(self) -> Weights:
        """Return the mean of the second half of the path, in which luck evens out."""
        path = [*self.path()][len(self.steps) // 2 :]
        return self._weights([sum(at) // len(path) for at in zip(*path, strict=True)])

    def path(self) -> Iterator[list[int]]:
        """Yield where each step began and the last one ended, in millionths of the beginning."""
        at = [MICRO] * len(self.head["tuned"])
        yield at
        for number, step in enumerate(self.steps):
            far = RATE * (step.plus - step.minus) * EARLY // (EARLY + number)
            signs = self._signs(number)
            moved = [a + a * sign * far // MICRO for a, sign in zip(at, signs, strict=True)]
            at = [min(max(a, LEAST), MOST) for a in moved]
            yield at

    def _signs(self, step: int) -> list[int]:
        coins = int.from_bytes(digest(encode([self.ruleset.info.id, "signs", step])))
        return [1 if coins >> place & 1 else -1 for place in range(len(self.head["tuned"]))]

    def _weights(self, at: Iterable[int]) -> Weights:
        """Return the weights that are so many millionths of those at the beginning."""
        begin = self.head["begin"]
        moved = dict(zip(self.head["tuned"], at, strict=True))
        return {**begin, **{name: _times(begin[name], by) for name, by in moved.items()}}

    def play_step(self) -> None:
        """Play the two blocks of the next step."""
        number = len(self.steps)
        *_, at = self.path()
        leads = []
        for direction in (NUDGE, -NUDGE):
            signs = self._signs(number)
            nudged = [a + a * s * direction // MILLI for a, s in zip(at, signs, strict=True)]
            games = self._play("step", number, self._weights(nudged))
            leads.append(sum(_lead(result, seat) for seat, result in games) // len(games))
        self.steps.append(Step(*leads))
        self._note({"step": leads})

    def play_block(self) -> None:
        """Play the next block of the check."""
        assert self.found is not None
        games = self._play("check", len(self.blocks), self.found)
        self.blocks.append([_points(result, seat) for seat, result in games])
        self._note({"block": self.blocks[-1]})

    def _play(self, what: str, number: int, weights: Weights) -> list[tuple[Seat, Result]]:
        """Play a block with one seat of these weights; equal arguments give equal results."""
        info = self.ruleset.info
        numbers = seats_of(self.ruleset)
        seats = numbers[number % len(numbers)]
        own, others = (judging(self.ruleset, these) for these in (weights, self.head["untuned"]))
        name = f"{info.id} {what} {number}"
        return [
            (seat, play(name, [own if other == seat else others for other in all_seats(seats)]))
            for seat in all_seats(seats)
        ]

    @property
    def test(self) -> SequentialTest:
        """The sequential test after the blocks of the check, up to the one that decided."""
        test = SequentialTest(FAIR, MARGIN, RISK, RISK)
        for number, block in enumerate(self.blocks, 1):
            test.observe(number, mean(block))
            if test.verdict:
                break
        return test

    def play_on(self, steps: int, seconds: float) -> None:
        """Search so many steps and check what was found, or as far as the time lasts."""
        until = time.monotonic() + seconds
        while self.found is None and time.monotonic() < until:
            if len(self.steps) < steps:
                self.play_step()
            else:
                self.end()
        while not self.is_over and time.monotonic() < until:
            self.play_block()

    @property
    def is_over(self) -> bool:
        return len(self.blocks) >= BLOCKS or self.test.verdict is not None


def seats_of(ruleset: Ruleset[Any]) -> Sequence[int]:
    """Return all numbers of seats with an opponent."""
    return range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1)


def present(ruleset: Ruleset[Any]) -> Any:
    """Return the weights of a game. Raises click.ClickException if it has none."""
    weights = vars(ruleset.aids).get("WEIGHTS")
    if weights is None:
        raise click.ClickException(f"{ruleset.info.id} has no weights that could be tuned")
    return weights


def judging(ruleset: Ruleset[Any], weights: Weights) -> Ruleset[Any]:
    """Return a ruleset that judges states by other weights."""
    tuples = {name: tuple(w) if isinstance(w, list) else w for name, w in weights.items()}
    other = replace(present(ruleset), **tuples)
    judge: Any = ruleset.aids.heuristic
    kind = type(ruleset)
    judges = type(kind.__name__, (kind,), {"heuristic": lambda _, state: judge(state, other)})
    return cast("Ruleset[Any]", judges())


def play(name: str, rulesets: Sequence[Ruleset[Any]]) -> Result:
    """Let ``greedy`` play for each seat with a ruleset of its own, in the luck of this name."""
    rules, settings = rulesets[0], BOTS["greedy"].settings
    nature = seeded(chance_key(digest(encode([name])), name, ()))
    salt = digest(encode([name, "bots"]))
    state = rules.initial(len(rulesets), rules.parse_options(len(rulesets), {}))
    number = 0
    while not isinstance(turn := rules.turn(state), Finished):
        if isinstance(turn, Chance):
            rules.reduce(state, Chanced(turn.label, turn.n, nature(turn)))
            continue
        seat, number = turn.seats[0], number + 1
        legal, rng = rules.legal_moves(state, seat), BotRandom(bot_seed(salt, seat, number))
        information = rules.information(state, seat) if len(legal) > 1 else {}
        choice = greedy.choose(rulesets[seat], information, seat, legal, rng, settings)
        rules.reduce(state, Moved(seat, choice.move))
    return rules.result(state)


def _lead(result: Result, seat: Seat) -> int:
    """How far a seat is ahead of the mean of the others, in thousandths of the mean of all."""
    scores = [side.score for side in result.standings if side.side.startswith("seat:")]
    seats, total = len(scores), sum(scores)
    return MILLI * seats * (seats * scores[seat] - total) // ((seats - 1) * max(total, seats))


def _points(result: Result, seat: Seat) -> float:
    """The share of its opponents that a seat is ahead of."""
    ranks = [side.rank for side in result.standings if side.side.startswith("seat:")]
    own = ranks.pop(seat)
    return sum((own < rank) + (own == rank) / 2 for rank in ranks) / len(ranks)


def _times(weight: Any, millionths: int) -> Any:
    if isinstance(weight, int):
        return (weight * millionths + MICRO // 2) // MICRO
    return [_times(each, millionths) for each in weight]


HEAD = ("game", "weights", "evaluations", "blocks of the check", "points", "95 %", "test at 1 %")


def cells(search: Search) -> tuple[str, ...]:
    """Return a row of the table, as ``HEAD`` names its columns."""
    test = search.test
    told = {None: "open", BETTER: "better: taken over"}.get(test.verdict, "not better by 0.05")
    points = f"{mean(map(mean, search.blocks)):.3f}" if search.blocks else ""
    return (
        search.ruleset.info.id, str(len(search.head["tuned"])), f"{2 * len(search.steps):,}",
        f"{len(search.blocks):,}", points, _band(search), told,
    )  # fmt: skip


def _band(search: Search) -> str:
    """Return what holds the true points in 95 of 100 tables, as a tournament's report has it."""
    if len(search.blocks) < FEWEST:
        return ""
    means = [mean(map(mean, group)) for group in groups(search.blocks)]
    drawn = [
        (won + sum(w * of for w, of in zip(weights, means, strict=True)))
        / (won + lost + sum(weights))
        for won, lost, *weights in drawings(len(means) + 2, SAMPLES, search.ruleset.info.id)
    ]
    low, high = band(mean(means), drawn, len(means) + 2)
    return f"{low:.2f} to {high:.2f}"


def table() -> list[tuple[str, ...]]:
    """Return a row for every game that was tuned."""
    return [cells(search) for search in map(Search, REGISTRY) if search.head]


def _told(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, orjson.loads(value)


@click.command()
@click.argument("ruleset", type=click.Choice([ruleset.info.id for ruleset in REGISTRY]))
@click.option("--steps", default=200, help="After how many steps to check.")
@click.option("--begin", multiple=True, metavar="NAME=JSON", help="Where a new search begins.")
@click.option("--weight", multiple=True, metavar="NAME", help="What alone is tuned.")
@click.option("--seconds", default=float("inf"), help="How long to play this time.")
def main(
    ruleset: str, steps: int, begin: Sequence[str], weight: Sequence[str], seconds: float
) -> None:
    """Tune the weights of RULESET, check what was found, and print it."""
    search = Search(REGISTRY.find(ruleset))
    if not search.head:
        search.begin(dict(map(_told, begin)), weight)
    search.play_on(steps, seconds)
    click.echo(orjson.dumps(search.mean(), option=orjson.OPT_INDENT_2).decode())
    click.echo(" | ".join(cells(search)))


if __name__ == "__main__":
    main()
