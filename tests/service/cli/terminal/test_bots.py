"""Bots that fail in a local game: the rules answer for them, and the game goes on."""

import os
import re
import subprocess
from pathlib import Path

import tests
from rules.kernel.contract.registry import Registry
from rules.kernel.record.batch import CRASHED, TOO_SLOW
from rules.registry import PACKAGES
from tests.service.cli.terminal.screens import CTRL_C, ESC, LONJA, Record, lonja

REGISTRY = Registry(PACKAGES)
ROOT = Path(tests.__file__).parents[1]


def failures(folder: Path) -> list[str]:
    """The saved failures of bots."""
    events = Record(folder / "manila-1.lonja", REGISTRY).events
    return [e.body["failure"].value["cause"] for e in events if e.kind == "bot_failed"]


def asked(bot: str, *more: str) -> tuple[str, ...]:
    return ("play", "manila", "--seed", "1", "--pace", "0", "--bot", bot, *more)


def with_bot(bot: str) -> dict[str, str]:
    return {"LONJA_EXTRA_BOTS": f"tests.bots.{bot}", "PYTHONPATH": str(ROOT)}


def test_a_bot_that_hangs_has_failed_after_its_time_and_keys_are_answered(tmp_path: Path) -> None:
    with lonja(*asked("hanging"), folder=tmp_path, env=with_bot("hanging")) as terminal:
        # The seconds of thinking; a busy machine may skip a number.
        terminal.until(lambda: bool(re.search(r"\(\d+ s\)", terminal.text)), "a time of thinking")
        terminal.press("\x0c")  # Ctrl-L
        terminal.shows("What happened")
        terminal.press(ESC)
        terminal.tells("asleep for")
        terminal.shows("Pass: bid no more")
        assert failures(tmp_path) == [TOO_SLOW]
        terminal.press("pass\r")
        terminal.shows("Blue: bid for the office of harbour master …")
        terminal.press(CTRL_C)
        assert terminal.end() == 0
        assert "lonja play --resume manila-1" in terminal.text


def test_a_bot_that_fails_is_told_of_in_lines_too(tmp_path: Path) -> None:
    env = {**os.environ, **with_bot("crashing"), "LONJA_GAMES_DIR": str(tmp_path)}
    passes = "pass\n" * 20
    command = [str(LONJA), *asked("crashing", "--plain")]
    told = subprocess.run(
        command, check=False, input=passes, env=env, capture_output=True, text=True
    )
    assert set(failures(tmp_path)) == {CRASHED}
    assert "It crashed; the rules answer for it" in told.stdout
    assert "lonja play --resume manila-1" in told.stdout
