"""Pig by its rules; the laws check the rest."""

from typing import Any

import pytest
from click.testing import CliRunner

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent
from rules.kernel.contract.seats import Seat
from service.cli import main
from tests.pig import RULESET, State


def start(**changes: Any) -> State:
    state = RULESET.initial(2, RULESET.parse_options(2, {}))
    for name, value in changes.items():
        setattr(state, name, value)
    return state


def play(state: State, *steps: str | int) -> list[str]:
    """Play moves by their type, and faces of the die; return the types of the effects."""
    log = EffectLog()
    for step in steps:
        if isinstance(step, str):
            seat = state.seat
            move = RULESET.read_move(state, seat, {"type": step})
            RULESET.reduce(state, MoveEvent(seat, move), log)
        else:
            turn = RULESET.turn(state)
            assert isinstance(turn, Chance)
            RULESET.reduce(state, ChanceEvent(turn.label, turn.n, (step - 1,)), log)
    return [effect.type for effect in log.effects]


def test_what_is_held_counts() -> None:
    state = start()
    assert play(state, "roll", 4, "roll", 6, "hold") == ["rolled", "rolled", "held"]
    assert (state.scores, state.seat, state.total) == ([10, 0], 1, 0)


def test_a_one_loses_the_turn_and_nothing_else() -> None:
    state = start(scores=[30, 0])
    assert play(state, "roll", 6, "roll", 1) == ["rolled", "lost"]
    assert (state.scores, state.seat, state.total) == ([30, 0], 1, 0)


def test_whoever_reaches_the_target_wins_at_once() -> None:
    state = start(scores=[96, 50])
    assert play(state, "roll", 4) == ["rolled", "held"]
    assert isinstance(RULESET.turn(state), GameOver)
    result = RULESET.result(state)
    assert result.reason == "target_reached"
    assert [(s.rank, s.score) for s in result.standings] == [(1, 100), (2, 50)]


def test_after_the_last_turn_the_most_points_win() -> None:
    state = start(scores=[12, 7], turns=299, seat=1)
    play(state, "roll", 5, "hold")
    result = RULESET.result(state)
    assert result.reason == "turns_over"
    assert [s.rank for s in result.standings] == [1, 1]


def test_the_same_roll_meets_the_same_luck_whatever_the_others_did() -> None:
    state = start()
    play(state, "roll", 1, "roll", 3, "roll", 2, "hold", "roll")
    turn = RULESET.turn(state)
    assert isinstance(turn, Chance)
    assert (turn.label, turn.n) == ("die/seat_0", 2)


@pytest.mark.parametrize(
    ("state", "seat", "move", "code"),
    [
        (start(phase="over"), 0, {"type": "roll"}, "game_over"),
        (start(), 0, {"type": "pass"}, "unknown_move"),
        (start(), 0, {"type": "roll", "dice": 2}, "malformed_move"),
        (start(phase="rolling", rolls=[1, 0]), 0, {"type": "roll"}, "wrong_phase"),
        (start(), 1, {"type": "roll"}, "not_asked"),
        (start(), 0, {"type": "hold"}, "nothing_to_hold"),
    ],
)
def test_every_refusal_has_its_code(
    state: State, seat: Seat, move: dict[str, Any], code: str
) -> None:
    with pytest.raises(IllegalMove) as refused:
        RULESET.read_move(state, seat, move)
    assert refused.value.code == code


def test_it_is_installed_and_played_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.pig")
    listed = CliRunner().invoke(main, ["play"])
    assert "pig" in listed.output
    played = CliRunner().invoke(main, ["play", "pig", "--seed", "7"], input="1\n" * 2000)
    assert "      Points  Rolls\nRed " in played.output
    assert "points" in played.output
