"""A policy as a bot: it sees what it saw in training, and keeps the protocol of engines."""

import random
import shlex
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from click.testing import CliRunner
from lonja_learning import ForbiddenActionError, bot, game
from lonja_learning.policies import choose

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.cli import main
from tests.running import ROOT

BOT = """
import numpy as np
from lonja_learning import bot


def policy(observation, mask):
    print("It thinks.")
    return int(np.flatnonzero(mask)[0])


bot(policy, rulesets=["ragusa"], deterministic=True).run()
"""


def question(played: Any, state: Any, seat: Seat) -> JsonObject:
    info = played.ruleset.info
    return {
        "id": 7,
        "ruleset": info.id,
        "rules_version": info.version,
        "options": played.ruleset.parse_options(len(played.seats), {}),
        "view": played.ruleset.view(state, seat),
        "legal": [move.to_json() for move in played.ruleset.legal_moves(state, seat)],
    }


def test_a_bot_sees_what_its_policy_saw_in_training() -> None:
    """The policy chooses by chance; the environment's words and the bot's are the same."""
    played, rng = game("manila", 3), random.Random(1)
    seen: list[list[Any]] = []

    def policy(observation: Any, mask: Any) -> int:
        seen.append([observation.copy(), mask.copy()])
        return rng.choice(np.flatnonzero(mask).tolist())

    robot, play = bot(policy), played.play(1)
    for _decision in range(20):
        seat = min(play.choices)
        asked = question(played, play._state, seat)
        seen.clear()
        begun = rng.getstate()
        legal = played.ruleset.legal_moves(play._state, seat)
        chosen = legal[robot.choose(orjson.loads(orjson.dumps(asked)))]
        rng.setstate(begun)
        choice = play.choices[seat]
        for observation, mask in [*seen]:
            row = played.observe(play, seat)
            assert np.array_equal(row["observation"], observation)
            assert np.array_equal(row["action_mask"], mask)
            play.say(seat, rng.choice(np.flatnonzero(mask).tolist()))
        assert choice.move == chosen


def test_what_goes_wrong_is_told() -> None:
    played = game("ragusa", 2)
    play = played.play(1)
    asked = question(played, play._state, min(play.choices))
    for robot, told in (
        (bot(lambda _observation, _mask: 0), "ForbiddenActionError: the mask forbids the action 0"),
        (bot(lambda _observation, _mask: 1 // 0), "ZeroDivisionError: "),
    ):
        lines = [{"bye": {}}, {"question": asked}, {"question": {**asked, "rules_version": "9"}}]
        answers = BytesIO()
        robot._answer(BytesIO(b"\n".join(map(orjson.dumps, lines))), answers)
        policy_failed, rules_unknown = map(orjson.loads, answers.getvalue().splitlines())
        assert policy_failed["error"].pop("message").startswith(told)
        assert policy_failed == {"error": {"id": 7, "code": "crashed", "again": False}}
        assert "ragusa 9 cannot be played here" in rules_unknown["error"]["message"]
    legal = played.ruleset.legal_moves(play._state, min(play.choices))
    with pytest.raises(ForbiddenActionError):
        choose(lambda _observation, _mask: 0, played._numbers, asked["view"], legal)


def test_a_bot_of_a_policy_passes_every_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'learning'}")
    command = shlex.join([sys.executable, str(tmp_path / "bot.py")])
    done = CliRunner().invoke(main, ["bot", "check", command, "--seats", "2", "--json"])
    report = orjson.loads(done.stdout)
    assert report["fault"] is None
    assert {*report["checks"].values()} == {True}
