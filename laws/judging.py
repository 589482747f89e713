"""Checks a ruleset against the laws, piece by piece, so that processes can share the work."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from laws.games import SEEDS, SampleGame, Spot, Subject, raised, random_game, sample_game, spots
from laws.law import Breach, Law, Scope
from laws.tables import Table, tables_of


@dataclass(frozen=True, eq=False)
class Failure:
    """A broken law, with details.

    ``game`` is where it broke, after ``number`` of its events; None for a ruleset as a whole.
    """

    law: Law
    told: str
    game: SampleGame | None = None
    number: int = 0


@dataclass(frozen=True, eq=False)
class Piece:
    """Some laws to check against one game, or against the ruleset as a whole."""

    laws: tuple[Law, ...]
    table: Table | None = None
    seed: int = 0


def pieces(subject: Subject, laws: Iterable[Law], *, more: bool = True) -> Iterator[Piece]:
    """Yield all the work; without ``more``, no law gets more games than the subject's seeds."""
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


def judge(subject: Subject, piece: Piece) -> list[Failure]:
    """Check the laws of a piece; for each broken one, report the first place."""
    if piece.table is None:
        return [failure for law in piece.laws if (failure := hold(law, subject))]
    make = sample_game if piece.seed in SEEDS else random_game
    return judge_game(make(piece.table, piece.seed), piece.laws)


def judge_game(game: SampleGame, laws: Iterable[Law]) -> list[Failure]:
    """Check laws against a game and its positions."""
    by_scope: dict[Scope, list[Law]] = {scope: [] for scope in Scope}
    for law in laws:
        by_scope[law.scope].append(law)
    found = [failure for law in by_scope[Scope.GAME] if (failure := hold(law, game, game))]
    if by_scope[Scope.EVERY_POSITION]:
        found += _over(by_scope[Scope.EVERY_POSITION], game.positions())
    if by_scope[Scope.POSITION]:
        found += _over(by_scope[Scope.POSITION], spots(game))
    return found


def _over(laws: list[Law], positions: Iterable[Spot]) -> list[Failure]:
    left, found = [*laws], []
    for spot in positions:
        for law in [*left]:
            if failure := hold(law, spot, spot.game, spot.number):
                found.append(failure)
                left.remove(law)
    return found


def hold(
    law: Law, against: Any, game: SampleGame | None = None, number: int | None = None
) -> Failure | None:
    """Check one law against its object; any error of the rules breaks it too."""
    try:
        law.check(against)
    except Breach as breach:
        told, number = str(breach), breach.number if number is None else number
    except Exception as error:  # noqa: BLE001 - whatever rules raise
        told = raised(error)
    else:
        return None
    if number is None:
        number = len(game.events) if game else 0
    return Failure(law, told, game, number)
