"""``lonja check``: checks packages by the laws."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from laws.book import LAWS
from laws.mutants import MUTANTS
from service.cli import mutating
from tests.running import ROOT, wait_for
from tests.service.cli.conftest import Lonja

Write = Callable[..., None]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a copy of a ruleset of the tests into the working folder, with one line changed."""
    monkeypatch.chdir(tmp_path)

    def write(source: str, name: str, old: str = "", new: str = "") -> None:
        shutil.copytree(ROOT / "tests" / source, tmp_path / name)
        module = tmp_path / name / "__init__.py"
        text = module.read_text()
        assert old in text
        module.write_text(text.replace(old, new))

    return write


def test_a_package_in_the_working_folder_keeps_the_laws(lonja: Lonja, package: Write) -> None:
    package("pig", "farm")
    result = lonja("check", "farm", "--games", "1", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["ruleset"], told["package"], told["broken"]) == ("pig", "farm", [])
    assert [law["name"] for law in told["laws"]] == [*LAWS]
    assert all(law["kept"] for law in told["laws"])


def test_a_broken_law_is_told_with_its_smallest_position(lonja: Lonja, package: Write) -> None:
    package("sealed", "leaky", "own = [opened or v is None", "own = [True or v is None")
    law = LAWS["what_is_sealed_shows_nowhere"]
    result = lonja("check", "leaky", "--law", law.name, "--json")
    assert result.exit_code == 1
    (broken,) = json.loads(result.stdout)["broken"]
    assert (broken["law"], broken["version"], broken["advice"]) == (law.name, 1, law.advice)
    assert broken["guide"] == "docs/games.md, 6. What each viewer knows"
    position = broken["position"]
    assert position["seats"] == 2
    assert len(position["events"]) == 1  # the sunk card; then a tile is dealt
    assert [view["viewer"] for view in position["views"]] == [0, 1, None]
    told = lonja("check", "leaky", "--law", law.name)
    assert f"BROKEN {law}: {law.says}" in told.stdout
    assert "    sunk 1 is drawn: " in told.stdout
    (differing,) = {line.split(": ")[-1] for line in told.stdout.splitlines() if "can tell" in line}
    first = re.match(r"\w+", differing)
    assert first
    assert f'    a spectator sees {{"{first[0]}":' in told.stdout  # differences are never cut off
    assert f"  What to do: {law.advice}." in told.stdout
    assert "  The guide: `lonja guide 6`, 6. What each viewer knows" in told.stdout
    assert told.stdout.endswith(f"It breaks 1: {law}.\n")


def test_rules_that_raise_are_told_with_their_line(lonja: Lonja, package: Write) -> None:
    package(
        "pig", "rotten", "LOST.tell(log, seat=seat, face=face)\n", "LOST.tell(log, seat=seat)\n"
    )
    result = lonja("check", "rotten", "--law", "declared_effects_happen")
    assert result.exit_code == 1
    assert "TypeError: lost tells ['seat', 'face'], not ['seat'], in " in result.stdout


def test_what_a_game_can_do_without_is_not_asked_for(
    lonja: Lonja, package: Write, tmp_path: Path
) -> None:
    package("pig", "bare")
    for name in ("aids/board.json", "RULES.md", "RULES.es.md"):
        (tmp_path / "bare" / name).unlink()
    of_boards = [name for name, law in LAWS.items() if law.check.__module__ == "laws.book.boards"]
    assert len(of_boards) > 7
    result = lonja("check", "bare", *(word for name in of_boards for word in ("--law", name)))
    assert result.exit_code == 0, result.output


def test_installed_rulesets_go_by_their_ids(lonja: Lonja) -> None:
    assert "sealed 1.0.0 keeps 1 of 1 laws" in (
        lonja("check", "sealed", "--law", "the_catalogue_is_sound").stdout
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no_such"], "no_such is no ruleset: ModuleNotFoundError: No module named 'no_such'"),
        (["json"], "json has no RULESET, or it is no Ruleset."),
        (
            ["sealed", "--law", "murphy"],
            "There is no law 'murphy': `lonja check --list` has them all.",
        ),
        (["sealed", "--tests", "x.py"], "--tests goes with --mutate."),
    ],
)
def test_what_cannot_be_checked_is_told(lonja: Lonja, arguments: list[str], told: str) -> None:
    result = lonja("check", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr


def test_all_laws_are_listed(lonja: Lonja) -> None:
    lines = lonja("check", "sealed", "--list").stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == [str(law) for law in LAWS.values()]


@pytest.fixture
def mutable(package: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Write:
    """Write a package with tests, to try only these mutants."""

    def write(name: str, test: str, *tried: str) -> None:
        package("pig", name)
        (tmp_path / f"test_{name}.py").write_text(
            f"from {name} import RULESET\n"
            f"def test_{name}():\n"
            "    state = RULESET.initial(2, RULESET.parse_options(2, {}))\n"
            f"    {test}\n"
        )
        monkeypatch.setattr(mutating, "MUTANTS", {name: MUTANTS[name] for name in tried})

    return write


def test_mutants_are_tried_once(
    lonja: Lonja, mutable: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = ("copy_that_is_none", "secret_in_a_view")
    mutable("sty", "assert RULESET.copy(state) is not state", *tried)
    arguments = ["check", "sty", "--mutate", "--tests", "test_sty.py", "--json"]
    first = lonja(*arguments)
    assert first.exit_code == 0, first.output
    copy, secret = json.loads(first.stdout)["mutants"]
    assert copy["tests"] == ["test_sty.py::test_sty"]
    assert "copies_and_codecs_share_nothing" in copy["laws"]
    assert secret["unfit"] == "nothing is hidden in this game"
    assert (copy["verdict"], secret["verdict"]) == ("noticed", "unfit")
    monkeypatch.setattr(mutating, "_try", None)  # saved findings are not computed again
    assert lonja(*arguments).stdout == first.stdout
    told = lonja(*arguments[:-1]).stdout
    what = MUTANTS["copy_that_is_none"].says
    assert f"copy_that_is_none: {what}\n  your tests: test_sty.py::" in told
    assert "1 mutants were tried: laws notice 1 of them.\n" in told


def test_a_mutant_that_runs_out_of_time_is_not_noticed(
    lonja: Lonja, mutable: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With this mutant, the test never ends, and the only law does not notice it."""
    waits = "while RULESET.copy(state) is state: pass"
    mutable("pen", waits, "copy_that_is_none")
    monkeypatch.setattr(mutating, "TESTS", 0.5)
    monkeypatch.setattr(mutating, "TIMES", 1.0)
    law = "the_catalogue_is_sound"
    arguments = ["check", "pen", "--mutate", "--tests", "test_pen.py", "--law", law]
    for _ in "again":
        result = lonja(*arguments, "--json")
        assert result.exit_code == 1, result.output
        told = json.loads(result.stdout)
        (copy,) = told["mutants"]
        assert (copy["verdict"], copy["laws"], copy["tests"]) == ("out_of_time", {}, [])
        assert copy["out_of_time"] == ["tests"]
        assert (told["unnoticed"], told["out_of_time"]) == ([], ["copy_that_is_none"])
        monkeypatch.setattr(mutating, "_try", None)  # a continued run keeps the verdict
    assert lonja(*arguments).stdout.endswith(
        "Your tests notice 0 of them.\nTime ran out before anybody noticed copy_that_is_none.\n"
    )


def test_tests_that_fail_anyway_notice_nothing(lonja: Lonja, mutable: Write) -> None:
    mutable("shed", "assert not state", "copy_that_is_none")
    result = lonja("check", "shed", "--mutate", "--tests", "test_shed.py")
    assert result.exit_code == 2
    assert "Your tests fail on shed as it is" in result.stderr
    assert "test_shed.py::test_shed. Mend that first." in result.stderr
    none = lonja("check", "shed", "--mutate", "--tests", "shed/data.json")
    assert none.exit_code == 2
    assert "shed/data.json " in none.stderr


def test_a_stopped_run_leaves_no_process(mutable: Write, tmp_path: Path) -> None:
    waits = "import os, pathlib, time; pathlib.Path('new').write_text(str(os.getpid())); "
    mutable("byre", waits + "os.rename('new', 'pid'); time.sleep(600)")
    program = "from service.cli import main; main()"
    command = [sys.executable, "-c", program, "check", "byre", "--mutate", "--tests"]
    run = subprocess.Popen(
        [*command, "test_byre.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    wait_for((tmp_path / "pid").exists)
    run.terminate()
    _out, told = run.communicate()
    assert run.returncode == 130
    assert b"You stopped it; the same command goes on" in told
    child = int((tmp_path / "pid").read_text())
    wait_for(lambda: not Path(f"/proc/{child}").exists())


OVER = "state.phase = OVER if won or state.turns == TURNS else CHOOSE"
FAULTS = {
    "endless": ("games_can_be_played", OVER, "state.phase = CHOOSE", "nearer to the end"),
    "undrawn": (
        "games_can_be_played",
        "    state.total += face\n",
        "    state.total += (0, 1, 2, 3, 4)[face]\n",
        "the sizes of the draw",
    ),
    "outside": (
        "replay_equals_play",
        "    state.total += face\n",
        "    state.total += len(FOUND)\n",
        "module or class",
    ),
}
"""For each fault: the law that finds it, a line without and with it, and a part of the advice."""


@pytest.mark.parametrize("fault", FAULTS)
def test_what_no_game_can_do_without_is_judged_first(
    lonja: Lonja, package: Write, tmp_path: Path, fault: str
) -> None:
    law, old, new, advice = FAULTS[fault]
    name = f"without_{fault}"
    package("pig", name, old, new)
    if fault == "outside":
        module = tmp_path / name / "__init__.py"
        found = "FOUND: list[int] = []\n\n\ndef show("
        counts = "    seat = state.seat\n    FOUND.append(face)\n    if face"
        text = module.read_text().replace("def show(", found, 1)
        module.write_text(text.replace("    seat = state.seat\n    if face", counts, 1))
    result = lonja("check", name, "--json")
    assert result.exit_code == 1, result.output
    told = json.loads(result.stdout)
    (broken,) = told["broken"]
    assert (broken["law"], broken["also"]) == (law, [])
    assert advice in broken["advice"]  # the advice fits this fault
    assert {row["kept"] for row in told["laws"] if row["name"] != law} == {None}


def test_laws_that_fail_by_one_error_are_told_once(lonja: Lonja, package: Write) -> None:
    package(
        "pig", "raising", "LOST.tell(log, seat=seat, face=face)\n", "LOST.tell(log, seat=seat)\n"
    )
    names = ["effects_are_what_they_are_declared", "declared_effects_happen"]
    result = lonja(
        "check", "raising", *(word for name in names for word in ("--law", name)), "--json"
    )
    (broken,) = json.loads(result.stdout)["broken"]
    assert (broken["law"], broken["advice"], broken["also"]) == (names[0], None, names[1:])


def test_it_is_told_how_much_was_looked_at(lonja: Lonja) -> None:
    law = "nothing_but_legal_moves_is_accepted"
    told = json.loads(lonja("check", "sealed", "--law", law, "--games", "2", "--json").stdout)
    assert told["positions"] > told["games"] > 0
    assert told["laws"][0]["looked_at"]["positions"] > 100
    assert "moves" in told["never_seen"]


def test_a_guess_that_is_never_the_truth_is_found(lonja: Lonja, package: Write) -> None:
    package("sealed", "sure", "left.pop(rng.randrange(len(left)))", "left.pop()")
    result = lonja("check", "sure", "--law", "a_guess_can_be_the_truth")
    assert "times all guesses were sure of something wrong" in result.stdout


def test_a_field_that_the_json_lacks_is_named(lonja: Lonja, package: Write, tmp_path: Path) -> None:
    package("pig", "rare")
    module = tmp_path / "rare" / "__init__.py"
    forgets = (
        "class Forgetful(Pig):\n"
        "    def to_json(self, state, *piece):\n"
        "        return super().to_json(state, *piece)\n"
        "    def from_json(self, data):\n"
        "        return super().from_json({**data, 'total': 0})\n"
    )
    text = module.read_text()
    start = text.index("RULESET")
    module.write_text(text[:start] + forgets + text[start:].replace("Pig()", "Forgetful()"))
    law = "replay_equals_play"
    (broken,) = json.loads(lonja("check", "rare", "--law", law, "--json").stdout)["broken"]
    assert broken["law"] == law
    assert re.match(r"read back, total was \d+, and is 0$", broken["told"])
    assert "from_json reads it as another" in broken["advice"]


def test_another_copy_than_the_folders_is_refused(
    lonja: Lonja, package: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package("pig", "twin")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "twin", elsewhere / "twin")
    monkeypatch.syspath_prepend(elsewhere)
    arguments = ("check", "twin", "--law", "the_catalogue_is_sound", "--json")
    assert json.loads(lonja(*arguments).stdout)["folder"] == str(elsewhere / "twin")
    (tmp_path / "twin" / "data.json").write_text("{}")
    refused = lonja(*arguments)
    assert refused.exit_code == 2
    assert "they differ in data.json." in refused.stderr
