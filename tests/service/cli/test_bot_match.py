"""``lonja bot match``: bots of folders against each other, whatever they do."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from service.cli.bot.entrants import prepare
from tests.faults.processes import LONJA
from tests.running import ROOT, environment
from tests.service.cli.conftest import Lonja

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH"),
    pytest.mark.timeout(600),
]

FAULTS = {"dies": "sys.exit(5)", "hangs": "__import__('time').sleep(1000)"}


@pytest.fixture(autouse=True)
def place(lonja: Lonja, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with the bot of the kit, ``mine``, and with bots that fail."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.chdir(folder)
        for name in ("mine", *FAULTS):
            assert lonja("bot", "new", name).exit_code == 0
            program = Path(name, "bot.py")
            begins = "    chance = random"
            failing = f"    {FAULTS.get(name, 'pass')}\n{begins}"
            program.write_text(program.read_text().replace(begins, failing))
        yield Path(folder)


def played(*arguments: object) -> str:
    found = environment(
        "", LONJA_EXTRA_RULESETS="tests.sealed", LONJA_DATA_DIR=str(Path("var").absolute())
    )
    del found["REDIS_URL"]
    command = [sys.executable, *LONJA, "bot", "match", *map(str, arguments)]
    done = subprocess.run(
        command, env=found, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_bots_are_compared(place: Path) -> None:
    said = played(
        place / "mine", "greedy:nodes=50", "--ruleset", "sealed", "--seats", "2", "--games", "4",
        "--seed", "7", "--workers", "1", "-o", place / "match.json",
    )  # fmt: skip
    assert "4 games, ended." in said
    report = orjson.loads((place / "match.json").read_bytes())
    assert {row["entry"]: row["failures"] for row in report["table"]} == {"mine": 0, "greedy": 0}
    assert report["plan"]["format"]["type"] == "compare"
    assert report["plan"]["entries"][1]["settings"] == {"nodes": 50}
    assert not (place / "var").exists(), "the store of the match was its own"


def test_bots_that_fail_end_no_match(place: Path) -> None:
    bots = [place / name for name in (*FAULTS, "mine")]
    said = played(
        *bots, "random", "--ruleset", "sealed", "--seats", "2", "--games", "12", "--clock", "1",
        "--workers", "1", "-o", place / "match.json",
    )  # fmt: skip
    assert "ended." in said
    report = orjson.loads((place / "match.json").read_bytes())
    out = {row["entry"] for row in report["table"] if row["disqualified"]}
    assert out == {*FAULTS}


def test_a_command_line_plays_outside_the_sandbox_with_luck_of_each_games_own(place: Path) -> None:
    """It keeps a list of its starts, which a bot in a sandbox could not."""
    program = place / "mine" / "bot.py"
    begins = f"open({str(place / 'starts')!r}, 'a').write('.')\n"
    program.write_text(begins + program.read_text())
    said = played(
        f"{sys.executable} {program}", place / "dies", "--ruleset", "sealed", "--seats", "2",
        "--games", "2", "--workers", "1", "-o", place / "match.json",
    )  # fmt: skip
    assert "Each game had luck of its own" in " ".join(said.split())
    report = orjson.loads((place / "match.json").read_bytes())
    assert report["plan"]["luck"] == "game"
    assert {row["entry"]: row["failures"] > 0 for row in report["table"]} == {
        "mine": False, "dies": True,
    }  # fmt: skip
    assert (place / "starts").read_text() == "...", "for its hello, and once for each game"


def test_bots_of_one_name_are_told_apart(place: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        entries = prepare(Path(folder), ["mine", str(place / "mine"), "greedy"]).entries
    assert [entry["bot"] for entry in entries] == ["mine", "mine-2", "greedy"]


def test_wrong_use_is_refused(lonja: Lonja) -> None:
    for arguments, sentence in (
        (["mine"], "needs two bots"),
        (["mine", "gredy"], "Did you mean 'greedy'?"),
        (["mine", "python3 no_bot.py"], "python3 no_bot.py does not say hello"),
        (["mine", "no-such-program bot.py"], "cannot be started: No such file"),
        (["mine", "random", "--ruleset", "seald"], "Did you mean 'sealed'?"),
        (["mine", "random", "--ruleset", "sealed", "--seats", "9"], "seats"),
    ):
        done = lonja("bot", "match", *arguments)
        assert done.exit_code == 2, arguments
        assert sentence in " ".join(done.stderr.split())
