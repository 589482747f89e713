"""Searches for better weights by SPSA, and checks the result.

SPSA is described by Spall, "Multivariate stochastic approximation using a simultaneous perturbation
gradient approximation", IEEE TAC 37 (1992). Each step raises some weights and lowers the others, at
random. It plays a block with these weights and a block with the opposite changes, and moves the
weights towards the better ones. Two blocks for each step suffice for any number of weights; NTBEA,
which is common for bots with a few settings, would have to try combinations of thirty weights. One
seat uses these weights; all others play ``greedy`` with the untuned weights. The search maximises
the lead in points, which says more than who wins.

Then the result plays blocks of fresh luck against the untuned weights, until it is decided whether
it beats more than half of its opponents. If so, the game adopts the new weights.

All values are integers. They follow from the lines of the search's file, so a search continues from
its file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple, cast

import click

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BOTS
from service.tournaments.figures.sequential import BETTER
from tools.tuning import blocks
from tools.tuning.blocks import Block, Player
from workers.bots import greedy

CLAIM = 0.5, 0.05
"""The two claims of the test: the result beats more than half of its opponents, and the result
beats less than half plus the margin.
"""
MILLI, MICRO = 1000, 1_000_000
NUDGE = 200
"""By how much weights are raised and lowered for a comparison, in thousandths."""
RATE = 100
"""The length of the first steps, in thousandths of the difference between the leads of their two
blocks.
"""
EARLY = 76
"""After so many steps, a step is half as long as the first; after twice as many, a third as
long.
"""
LEAST, MOST = MICRO // 4, 4 * MICRO
"""Least and greatest value of a weight, in millionths of its value at the beginning."""

Weights = Mapping[str, Any]
"""Weights by name. A weight is an integer, or a list of integers that are tuned with one factor."""


class Step(NamedTuple):
    """The leads in both blocks of a step, in thousandths of a seat's average score."""

    plus: int
    minus: int


class Search:
    """The search for one ruleset, as far as it was played."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.ruleset = ruleset
        self.file = blocks.FOLDER / f"{ruleset.info.id}.ndjson"
        head, *rest = blocks.read(self.file) or [{}]
        self.head: JsonObject = head
        self.steps = [Step(*line["step"]) for line in rest if "step" in line]
        self.found: Weights | None = next((line["found"] for line in rest if "found" in line), None)
        """The weights that the search found; None while the search goes on."""
        self.blocks: list[Block] = [line["block"] for line in rest if "block" in line]

    def begin(self, at: Mapping[str, Any], names: Sequence[str]) -> None:
        """Begin a search at the present weights; values in ``at`` replace some of them.

        It tunes the weights in ``names``; if there are no names, all weights that are not 0.

        Raises:
            click.ClickException: the game has no weight of that name, or no weights at all.
        """
        untuned, game = asdict(present(self.ruleset)), self.ruleset.info.id
        for name in {*at, *names} - {*untuned}:
            raise click.ClickException(f"{game} has no weight {name!r}")
        at_first = {**untuned, **at}
        self.head = {
            "ruleset": game,
            "rules_version": self.ruleset.info.version,
            "bot": BOTS["greedy"].holder(self.ruleset),
            "tuned": list(names) or [name for name in untuned if at_first[name] != 0],
            "begin": at_first,
            "untuned": untuned,
        }
        blocks.note(self.file, self.head)

    def play_step(self) -> None:
        """Play the two blocks of the next step."""
        number = len(self.steps)
        *_, at = self.path()
        leads = []
        for direction in (NUDGE, -NUDGE):
            signs = self._signs(number)
            nudged = [a + a * s * direction // MILLI for a, s in zip(at, signs, strict=True)]
            own, others = self._players(self._weights(nudged))
            games = blocks.play_block("step", number, own, others, blocks.lead)
            leads.append(sum(games) // len(games))
        self.steps.append(Step(*leads))
        blocks.note(self.file, {"step": leads})

    def path(self) -> Iterator[list[int]]:
        """Yield the weights before each step and after the last, in millionths of the first."""
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
        """Return all weights; ``at`` has the tuned ones, in millionths of their first values."""
        begin = self.head["begin"]
        moved = dict(zip(self.head["tuned"], at, strict=True))
        return {**begin, **{name: _times(begin[name], by) for name, by in moved.items()}}

    def mean(self) -> Weights:
        """Return the mean weights of the second half of the path; in a mean, luck averages out."""
        path = [*self.path()][len(self.steps) // 2 :]
        return self._weights([sum(at) // len(path) for at in zip(*path, strict=True)])

    def end(self) -> None:
        """Store the result of the search, and end the search."""
        self.found = self.mean()
        blocks.note(self.file, {"found": self.found})

    def play_block(self) -> None:
        """Play the next block of the check."""
        assert self.found is not None
        own, others = self._players(self.found)
        played = blocks.play_block("check", len(self.blocks), own, others, blocks.points)
        self.blocks.append(played)
        blocks.note(self.file, {"block": played})

    def _players(self, weights: Weights) -> tuple[Player, Player]:
        """Return a player with these weights, and a player with the untuned weights."""
        own, others = (judging(self.ruleset, each) for each in (weights, self.head["untuned"]))
        return Player(greedy.choose, own), Player(greedy.choose, others)

    @property
    def is_over(self) -> bool:
        return blocks.is_over(self.blocks, *CLAIM)

    @property
    def is_better(self) -> bool:
        """Whether the check has decided that the result plays better."""
        return blocks.test_of(self.blocks, *CLAIM).verdict == BETTER


def present(ruleset: Ruleset[Any]) -> Any:
    """Return the weights of a game.

    Raises:
        click.ClickException: the game has no weights.
    """
    weights = vars(ruleset.aids).get("WEIGHTS")
    if weights is None:
        raise click.ClickException(f"{ruleset.info.id} has no weights that could be tuned")
    return weights


def judging(ruleset: Ruleset[Any], weights: Weights) -> Ruleset[Any]:
    """Return the ruleset with these weights in its heuristic."""
    tuples = {name: tuple(w) if isinstance(w, list) else w for name, w in weights.items()}
    other = replace(present(ruleset), **tuples)
    judge: Any = ruleset.aids.heuristic
    kind = type(ruleset)
    judges = {
        "heuristic": lambda _, state: judge(state, other),
        "look": lambda _, state, seat: judge(state, other)[seat],
    }
    return cast("Ruleset[Any]", type(kind.__name__, (kind,), judges)())


def _times(weight: Any, millionths: int) -> Any:
    if isinstance(weight, int):
        return (weight * millionths + MICRO // 2) // MICRO
    return [_times(each, millionths) for each in weight]


HEAD = ("game", "weights", "evaluations", "blocks of the check", "points", "95 %", "test at 1 %")


def cells(search: Search) -> tuple[str, ...]:
    """Return a row of the table, with the columns of ``HEAD``."""
    verdict = blocks.test_of(search.blocks, *CLAIM).verdict
    told = {None: "open", BETTER: "better: adopted"}.get(verdict, "not better by 0.05")
    name, weights = search.ruleset.info.id, str(len(search.head["tuned"]))
    evaluations = f"{2 * len(search.steps):,}"
    return name, weights, evaluations, *blocks.figures(search.blocks, name), told


def table() -> list[tuple[str, ...]]:
    """Return a row for every game that was tuned."""
    return [cells(search) for search in map(Search, blocks.REGISTRY) if search.head]
