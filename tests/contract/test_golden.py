"""Golden replays: recorded games always give the same bytes and the same answers.

A different result needs a new version of the rules (see ``record``).
"""

from pathlib import Path
from typing import Any

import pytest

from rules.kernel.contract.chance import Chance, fits
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from tests.contract import golden


def test_every_end_reason_has_a_golden_replay(ruleset: Ruleset[Any]) -> None:
    missing = [r for r in ruleset.end_reasons if not golden.path(ruleset, r).exists()]
    assert not missing, f"record them: python -m tests.contract.record {ruleset.info.id}"


@pytest.mark.parametrize("file", golden.FILES, ids=golden.named)
def test_golden_replay(file: Path) -> None:
    recorded = golden.load(file)
    ruleset, answers = recorded.game.ruleset, golden.Answers()
    for spot in recorded.game.positions():
        event = spot.next
        turn = ruleset.turn(spot.state)
        answers.ask(spot)
        if event is None:
            assert isinstance(turn, GameOver), spot.where
            assert golden.state_digest(ruleset, spot.state) == recorded.state, spot.where
            assert ruleset.result(spot.state).to_json() == recorded.result, spot.where
            if file.stem in ruleset.end_reasons:
                assert recorded.result["reason"] == file.stem
        elif isinstance(event, ChanceEvent):
            assert isinstance(turn, Chance), spot.where
            assert (turn.label, turn.n) == (event.label, event.n), spot.where
            assert fits(event.picks, turn.sizes), spot.where
        elif isinstance(event, MoveEvent):
            assert isinstance(turn, Decision), spot.where
            ruleset.check(spot.state, event.seat, event.move)
    found = answers.digests()
    changed = [
        question for question in golden.QUESTIONS if found[question] != recorded.answers[question]
    ]
    assert not changed, f"{recorded.game}: other answers to {', '.join(changed)} need a new version"
