"""A value of a wrong JSON type is refused before any other check of a move."""

from collections.abc import Iterator
from typing import Any

import pytest

from laws.games import random_game
from laws.tables import Table
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.fields import BadValue, WrongType
from rules.kernel.contract.move import Move, Parameter
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.seats import Seat
from tests.contract.tables import DEFAULT_TABLES

TYPES: tuple[object, ...] = (None, True, 7, 1.5, "\ud800", [], {})
NAMELESS = (10**9, "none of these")
"""Values of a right JSON type that name nothing."""

Asked = tuple[Any, Seat, Move[Any]]
"""A state, a deciding seat, and a legal move of this seat."""


def first_of_each_type(table: Table) -> Iterator[Asked]:
    """Yield the first legal move of each type in a random game."""
    seen: set[str] = set()
    for spot in random_game(table, 1).positions():
        turn = spot.ruleset.turn(spot.state)
        for seat in turn.seats[:1] if isinstance(turn, Decision) else ():
            for move in spot.ruleset.legal_moves(spot.state, seat):
                if move.type not in seen:
                    seen.add(move.type)
                    yield spot.state, seat, move


def wrong_values(parameter: Parameter, *, of_type: bool) -> Iterator[object]:
    """Yield invalid values of a parameter: of other JSON types, or naming nothing."""
    for value in NAMELESS if of_type else TYPES:
        try:
            parameter.kind.read(value)
        except WrongType:
            if not of_type:
                yield value
        except BadValue:
            if of_type:
                yield value


def cases(move: Move[Any]) -> Iterator[tuple[JsonObject, Parameter]]:
    """Yield moves with one wrong field, each also with a second field that names nothing."""
    data = move.to_json()
    given = [parameter for parameter in move.parameters() if parameter.name in data]
    for wrong in given:
        for value in wrong_values(wrong, of_type=False):
            yield {**data, wrong.name: value}, wrong
            for other in given:
                for nameless in () if other is wrong else wrong_values(other, of_type=True):
                    yield {**data, wrong.name: value, other.name: nameless}, wrong


def test_another_json_type_is_refused_first(ruleset: Ruleset[Any]) -> None:
    table = [table for table in DEFAULT_TABLES if table.ruleset is ruleset][-1]
    malformed, types = ruleset.general_checks.malformed, ruleset.general_checks.types
    looked = 0
    for state, seat, move in first_of_each_type(table):
        for data, wrong in cases(move):
            with pytest.raises(IllegalMove) as error:
                ruleset.read_move(state, seat, data)
            code = malformed if types or not wrong.refused else wrong.refused
            assert error.value.code == code, data
            looked += 1
    assert looked or not any(type_.parameters() for type_ in ruleset.move_types)
