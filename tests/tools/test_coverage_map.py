"""The map of tests contains every module of the product."""

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from tools import coverage_map
from tools.coverage_map import ROOT


def test_each_module_is_on_the_map_with_test_files_that_exist() -> None:
    known = coverage_map.read()
    remade = "make campaign NAME=map measures it; one line can be written by hand"
    assert known.keys() == coverage_map.modules().keys(), remade
    for module, tests in known.items():
        assert tests, f"no test runs {module}"
        assert [test for test in tests if not (ROOT / test).is_file()] == [], module


def test_the_best_for_its_time_is_first_and_nothing_is_left_out() -> None:
    ran = {
        "slow": frozenset(range(10)), "quick": frozenset(range(8)), "half": frozenset(range(4)),
    }  # fmt: skip
    assert coverage_map.chosen(ran, {"slow": 90.0, "quick": 1.0}) == ["quick", "slow"]
    assert coverage_map.chosen({}, {}) == []
    assert coverage_map.chosen(ran, {}, ["half"]) == ["half", "slow"]


def test_what_noticed_a_mutant_is_on_the_map() -> None:
    known = coverage_map.read()
    for module, tests in coverage_map.mutants_file()["noticed_by"].items():
        assert not {*tests} - {*known[module]}, module


def test_a_folder_that_was_not_measured_keeps_its_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = coverage_map.read()
    monkeypatch.setattr(coverage_map, "MAP", tmp_path / "map.json")
    monkeypatch.setattr(coverage_map, "MEASURED", tmp_path / "measured")
    module, other = "tools/none.py", "laws/mutants.py"
    old = ["tests/tools/test_coverage_map.py", "tests/service/cli/test_play.py"]
    coverage_map.MAP.write_bytes(orjson.dumps(known | {module: old, other: old}))
    new = "tests/tools/test_lines.py"
    coverage_map.keep("tests/tools", coverage_map.Run({other: {new: [1, 2]}}, {new: 1.0}))
    coverage_map.write()
    written = coverage_map.read()
    assert written[other] == [new, "tests/service/cli/test_play.py"]
    assert module not in written


def test_the_command_prints_the_files_of_several_modules_once() -> None:
    known = coverage_map.read()
    one, two = sorted(known)[:2]
    done = CliRunner().invoke(coverage_map.main, [one, two])
    assert done.output.split() == list(dict.fromkeys([*known[one], *known[two]]))
    done = CliRunner().invoke(coverage_map.main, ["service/none.py"])
    assert (done.exit_code, "service/none.py" in done.output) == (2, True)


@pytest.mark.campaign("map")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("folder", coverage_map.folders())
def test_what_the_tests_of_a_folder_run(tmp_path: Path, folder: str) -> None:
    coverage_map.keep(folder, coverage_map.measure(folder, tmp_path))
    coverage_map.write()
