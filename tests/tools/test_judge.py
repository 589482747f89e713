"""The judge's table, and a proof that OpenSpiel plays our rules, in an environment of its own."""

import subprocess
from pathlib import Path

import orjson
import pytest

from tests.campaigns import Figure
from tests.running import ROOT
from tools.judge import rows
from tools.judge.__main__ import environment
from tools.judge.rows import JudgedGame
from tools.levels import REGISTRY

ROW, *_ = rows.chosen(["manila"])


def test_our_bot_meets_the_judge_in_every_game() -> None:
    assert [row.ruleset for row in rows.rows()] == list(REGISTRY)
    assert {(row.seats, row.first, row.asked) for row in rows.rows()} == {(3, "search", 0.65)}


def test_a_row_tells_what_both_took_for_a_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    game = JudgedGame(1.0, 10, 100.0, 3000, 30, 90.0, 40)
    longer = JudgedGame(0.5, 30, 60.0, 2000, 90, 70.0, 20)
    lines = [ROW.head(), [[*game]] * 3, [[*longer]] * 3]
    ROW.file.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    (told,) = [dict(zip(rows.HEAD, cells, strict=True)) for cells in rows.table()]
    assert told["points"] == "0.750"
    assert (told["ms"], told["nodes"]) == ("70", "2250")
    assert (told["judge's ms"], told["simulations"]) == ("75", "25")


@pytest.mark.campaign("judge")
@pytest.mark.timeout(1200)
def test_openspiel_plays_our_rules(record_property: Figure) -> None:
    """In random games, all values that OpenSpiel gets are compared with the rules."""
    done = subprocess.run(
        [environment(), "-m", "tools.judge.proof", "10"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [orjson.loads(line) for line in done.stdout.splitlines()]
    assert [each["ruleset"] for each in found] == [ruleset.info.id for ruleset in REGISTRY]
    assert all(each["games"] and each["draws"] and each["answers"] for each in found)
    record_property("games", sum(each["games"] for each in found))
    record_property("decisions", sum(each["decisions"] for each in found))
