"""The interface of formats: pure functions from the results so far to the next pairings."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

from rules.kernel.contract.ruleset import Option
from service.tournaments.figures.points import Score
from service.tournaments.figures.tally import scores
from service.tournaments.luck import Luck
from service.tournaments.plan import BadPlanError, Plan
from service.tournaments.tournament import Block, Tournament

MAX_LINEUPS = 1_000


class Round(NamedTuple):
    """The line-ups of a round, one for each block, and the entries with a bye."""

    lineups: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


class Verdict(NamedTuple):
    """The reason of a tournament's end, and the last block that was needed to decide it."""

    reason: str
    after_block: int


class Format(ABC):
    """The base class of formats."""

    type: ClassVar[str]
    doc: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    foresees: ClassVar[bool] = False
    """Whether a round can be paired before the ones before it have ended."""
    first_plays_always: ClassVar[bool] = False
    """Whether the first entry has one seat in each game, and the others share the rest."""
    takes_more: ClassVar[bool] = False
    """Whether a running tournament can be extended."""

    def check(self, plan: Plan) -> None:
        """Raise BadPlanError if these entries cannot be paired by this format."""
        if len(plan.entries) < plan.seats:
            raise BadPlanError(
                "entries",
                f"{plan.seats} seats need {plan.seats} entries or more",
                len(plan.entries),
            )

    @abstractmethod
    def total_blocks(self, tournament: Tournament) -> int:
        """Return the maximum number of blocks."""

    @abstractmethod
    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        """Return the next round to pair; None if there is none.

        When this is called, all earlier blocks are settled, unless the format can pair rounds ahead
        (``foresees``).
        """

    def can_go_on(self, tournament: Tournament) -> bool:
        """Whether enough entries remain."""
        return len(tournament.entries_left()) >= tournament.plan.seats

    def decided(self, tournament: Tournament) -> Verdict | None:
        """Return the verdict that stops a tournament before its last round; by default None."""
        return None

    def places(self, tournament: Tournament) -> list[Sequence[int]]:
        """Return the entries by place, best first; entries that share a place are grouped."""
        return by_score(tournament, range(len(tournament.plan.entries)), scores(tournament))


def by_score(
    tournament: Tournament, entries: Sequence[int], found: Sequence[Score]
) -> list[Sequence[int]]:
    """Group entries by the plan's tie-breaks; disqualified ones come last."""
    keys: dict[int, tuple[Fraction | bool, ...]] = {
        entry: (
            entry not in tournament.disqualified,
            *(found[entry].by_name(name) for name in tournament.plan.tie_breaks),
        )
        for entry in entries
    }
    places: dict[tuple[Fraction | bool, ...], list[int]] = {}
    for entry in sorted(entries, key=lambda entry: keys[entry], reverse=True):
        places.setdefault(keys[entry], []).append(entry)
    return list(places.values())


def games_in_block(plan: Plan) -> int:
    """Return the number of games in a block whose entries are all different."""
    return len(Block(0, 0, tuple(range(plan.seats))).seatings(plan.rotations))


def blocks_for(plan: Plan, games: int) -> int:
    """Return the smallest number of whole blocks that have at least ``games`` games."""
    return -(-games // games_in_block(plan))
