"""Moves: codec, schema, label."""

import sys
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
import pytest

from rules.kernel.contract.errors import ErrorCode
from rules.kernel.contract.fields import Choice, Flag, Integer
from rules.kernel.contract.move import BadParameter, MalformedMove, Move, moves_of, param
from rules.kernel.contract.seats import Seat


class Code(ErrorCode):
    TOO_FAR = "too_far", "{steps} is too far"


@dataclass(frozen=True, slots=True)
class Drive(Move[Any], type="drive"):
    """Drive on."""

    steps: int = param(Integer(1, 3), "how far")
    loud: bool = param(Flag(), "whether to honk")


@dataclass(frozen=True, slots=True)
class Wait(Move[Any], type="wait"):
    """Wait."""


@dataclass(frozen=True, slots=True)
class Stop(Move[Any], type="stop"):
    """Stop somewhere."""

    where: str = param(Choice(("here", "there")), "where")
    loud: bool = param(Flag(), "whether to honk", default=False)


class Park(Move[Any], type="park"):
    """Park: a move without parameters, which needs no declaration."""


MOVE = Drive(2, loud=True)


def test_a_move_reads_back() -> None:
    assert MOVE.to_json() == {"type": "drive", "steps": 2, "loud": True}
    assert Drive.from_json(MOVE.to_json()) == MOVE
    assert Wait.from_json({"type": "wait"}) == Wait()
    assert hash(Drive.from_json(MOVE.to_json())) == hash(MOVE)


def test_a_move_without_parameters_is_a_value() -> None:
    assert Park.from_json({"type": "park"}) == Park()
    assert hash(Park()) == hash(Park())
    assert list(Park.pool()) == [Park()]


def test_a_type_is_said_with_the_class() -> None:
    @dataclass(frozen=True, slots=True)
    class Turn(Park, type="turn"):
        """Turn."""

        loud: bool = param(Flag(), "whether to honk")

    assert Turn(loud=True).to_json() == {"type": "turn", "loud": True}
    assert (Park.type, Turn.type) == ("park", "turn")


def test_moves_are_found_in_the_order_of_their_definition() -> None:
    here = sys.modules[__name__]
    assert moves_of(here)[:2] == (Drive, Wait)
    assert Park in moves_of(here)
    assert Move not in moves_of(here)
    assert moves_of(here, here) == moves_of(here) * 2


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"type": "drive", "steps": 2}, "needs loud"),
        ({"type": "drive"}, "needs loud, steps"),
        ({"type": "drive", "steps": 2, "loud": True, "far": 1}, "has no far"),
        ({"type": "drive", "steps": 2, "far": 1}, "needs loud"),
        ({"type": "drive", "steps": 4, "far": 1}, "needs loud"),
    ],
)
def test_other_keys_are_malformed(data: dict[str, Any], named: str) -> None:
    with pytest.raises(MalformedMove, match=named):
        Drive.from_json(data)


def test_what_has_a_default_may_be_left_out_and_is_written() -> None:
    move = Stop.from_json({"type": "stop", "where": "here"})
    assert move == Stop("here", loud=False)
    assert move.to_json() == {"type": "stop", "where": "here", "loud": False}
    schema = Stop.schema()
    assert schema["required"] == ["type", "where"]
    assert schema["properties"]["loud"]["default"] is False
    with pytest.raises(MalformedMove, match="needs where"):
        Stop.from_json({"type": "stop", "loud": False})
    with pytest.raises(MalformedMove, match="has no far"):
        Stop.from_json({"type": "stop", "where": "here", "far": 1})


def test_a_value_that_is_not_of_its_kind_is_named() -> None:
    for steps, wrong_type, said in (
        ([], True, r"drive takes no such steps: \[\] is not an integer"),
        (4, False, "4 is not from 1 to 3"),
    ):
        with pytest.raises(BadParameter, match=said) as caught:
            Drive.from_json({"type": "drive", "steps": steps, "loud": True})
        assert caught.value.wrong_type is wrong_type
        assert caught.value.given == {"steps": steps}


def test_a_type_lists_what_the_state_lets_it_look_at() -> None:
    class Short(Drive):
        @classmethod
        def candidates(cls, state: Any, seat: Seat) -> list["Short"]:
            return [Short(steps, loud=False) for steps in state]

        def refusal(self, state: Any, seat: Seat) -> ErrorCode | None:
            return Code.TOO_FAR if self.steps == 3 else None

    assert Drive.legal(None, Seat(0)) == [*Drive.pool()]
    assert Short.legal([3, 2, 1], Seat(0)) == [Short(steps, loud=False) for steps in (2, 1)]


def test_the_schema_describes_the_move() -> None:
    schema = Drive.schema()
    validator = jsonschema_rs.Draft202012Validator(schema)
    validator.validate(MOVE.to_json())
    for wrong in (
        {"type": "drive", "steps": 4, "loud": True},
        {"type": "wait", "steps": 2, "loud": True},
        {"type": "drive", "steps": 2},
        {**MOVE.to_json(), "far": 1},
    ):
        assert not validator.is_valid(wrong)
    assert schema["description"] == "Drive on."
    assert schema["properties"]["steps"]["description"] == "how far"


def test_moves_do_not_change() -> None:
    with pytest.raises(AttributeError):
        MOVE.steps = 3  # type: ignore[misc]  # that is the point


def test_a_label_names_the_fields() -> None:
    assert MOVE.label() == ("move.drive", {"steps": 2, "loud": True})
