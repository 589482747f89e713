"""Checks a ruleset against the laws, in pieces of work that several processes can share."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from laws.games import (
    SEEDS,
    SampleGame,
    Spot,
    Subject,
    origin,
    raised,
    random_game,
    sample_game,
    spots,
)
from laws.law import Breach, Law, Scope
from laws.tables import Table, tables_of
from rules.kernel.contract.ruleset import MoveEvent

PLAYABLE = "games_can_be_played"
FOUNDATIONS = (PLAYABLE, "replay_equals_play", "copies_are_complete")
"""The laws that are judged first: unless games can be played and replayed, no other law can be
judged."""


@dataclass
class Coverage:
    """How much each law has examined, and the moves and refusals that occurred."""

    times: Counter[str] = field(default_factory=Counter)
    games: dict[str, int] = field(default_factory=dict)
    """The number of positions of each game, by its name."""
    moves: set[str] = field(default_factory=set)
    refusals: set[str] = field(default_factory=set)

    def add(self, other: "Coverage") -> None:
        """Add another coverage's counts."""
        self.times += other.times
        self.games |= other.games
        self.moves |= other.moves
        self.refusals |= other.refusals

    def add_game(self, game: SampleGame) -> None:
        """Count a game with its positions."""
        self.games[game.name] = len(game.events) + 1
        self.moves |= {event.move.type for event in game.events if isinstance(event, MoveEvent)}
        self.refusals |= game.refusals


@dataclass(frozen=True, eq=False)
class Failure:
    """A broken law, with details.

    ``game`` is the game in which the law broke, after ``number`` events. It is None if a law of a
    whole ruleset broke.
    """

    law: Law
    told: str
    game: SampleGame | None = None
    number: int = 0
    origin: str = ""
    """The origin of the error that the rules raised, if they did; one error may break several
    laws.
    """
    special: str = ""
    """The advice for this case; empty if there is none besides the law's own."""

    @property
    def advice(self) -> str:
        """The advice for the author; empty if the failure is an error that the rules raised."""
        if self.special:
            return self.special
        return self.law.advice if not self.origin or self.law.name in FOUNDATIONS else ""


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of the work: laws to check against one game, or against the ruleset as a whole."""

    laws: tuple[Law, ...]
    table: Table | None = None
    seed: int = 0


def pieces(subject: Subject, laws: Iterable[Law], *, more: bool = True) -> Iterator[Piece]:
    """Yield all pieces of the work.

    If ``more`` is false, only the games of the subject's seeds are played. Otherwise the laws may
    require more games.
    """
    chosen = tuple(laws)
    played = tuple(law for law in chosen if law.scope is not Scope.RULESET)
    yield from (Piece((law,)) for law in chosen if law.scope is Scope.RULESET)
    most = max((law.games for law in played), default=0) if more else 0
    for table in (subject.tables or tables_of(subject.ruleset)) if played else ():
        for seed in subject.seeds:
            yield Piece(played, table, seed)
        for seed in range(1, most + 1):
            if seed not in subject.seeds:
                yield Piece(tuple(law for law in played if law.games >= seed), table, seed)


def judge(subject: Subject, piece: Piece, looked: Coverage | None = None) -> list[Failure]:
    """Check the laws of a piece, and return the first failure of each broken law."""
    if piece.table is None:
        if looked:
            looked.times.update(law.name for law in piece.laws)
        return [failure for law in piece.laws if (failure := hold(law, subject))]
    make = sample_game if piece.seed in SEEDS else random_game
    return judge_game(make(piece.table, piece.seed), piece.laws, looked)


def judge_game(
    game: SampleGame, laws: Iterable[Law], looked: Coverage | None = None
) -> list[Failure]:
    """Check laws against a game and its positions.

    If the game ended with an error, only the law ``games_can_be_played`` is checked.
    """
    looked = looked or Coverage()
    by_scope: dict[Scope, list[Law]] = {scope: [] for scope in Scope}
    for law in laws:
        if not game.broken or law.name == PLAYABLE:
            by_scope[law.scope].append(law)
    looked.times.update(law.name for law in by_scope[Scope.GAME])
    found = [failure for law in by_scope[Scope.GAME] if (failure := hold(law, game, game))]
    found += _over(by_scope[Scope.EVERY_POSITION], game, game.positions, looked)
    found += _over(by_scope[Scope.POSITION], game, lambda: spots(game), looked)
    looked.add_game(game)
    return found


def _over(
    laws: list[Law], game: SampleGame, positions: Callable[[], Iterable[Spot]], looked: Coverage
) -> list[Failure]:
    """Check laws against positions, up to the first at which replaying raises an error."""
    left, found, number = [*laws], list[Failure](), 0
    try:
        for spot in positions() if left else ():
            number = spot.number
            looked.times.update(law.name for law in left)
            for law in [*left]:
                if failure := hold(law, spot, game, number):
                    found.append(failure)
                    left.remove(law)
    except Exception as error:  # noqa: BLE001 - whatever rules raise
        if not found:
            told = f"played again, it goes another way: {raised(error)}"
            found.append(Failure(laws[0], told, game, number, origin(error)))
    return found


def hold(
    law: Law, against: Any, game: SampleGame | None = None, number: int | None = None
) -> Failure | None:
    """Check one law against its object; if the rules raise any error, the law is broken, too."""
    try:
        law.check(against)
    except Breach as breach:
        told, number = str(breach), breach.number if number is None else number
        began, special = breach.origin, breach.advice
    except Exception as error:  # noqa: BLE001 - whatever rules raise
        told, began, special = raised(error), origin(error), ""
    else:
        return None
    if number is None:
        number = len(game.events) if game else 0
    return Failure(law, told, game, number, began, special)
