"""The test files of each module: ``python -m tools.coverage_map PATH…`` prints them.

The map is ``tests/map.json``. For each module with functions, it lists test files that together run
all covered lines of these functions; the file that runs the most lines for its time comes first.
Before these are the test files that once noticed a mutant which the others did not: ``noticed_by``
in ``tests/mutants.json``.
``make campaign NAME=map`` measures the map again with coverage.py, which notes the test file for
each covered line. It runs one folder of tests after the other, and writes the map after each.
Processes that tests start are measured, too, but the coverage of a killed process is lost. If
several test files share a server, its lines count for the first of them.
"""

import ast
import os
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import coverage
import orjson
import pytest
from coverage.exceptions import CoverageWarning

ROOT = Path(__file__).parents[1]
MAP, MUTANTS = ROOT / "tests" / "map.json", ROOT / "tests" / "mutants.json"
MEASURED = ROOT / ".campaigns" / "map"
"""Folder with the coverage by each folder of tests, which is kept until that folder is measured
again.
"""
PRODUCT = ("clients", "laws", "learning", "rules", "service", "workers")
CONTEXT = "COVERAGE_MAP_CONTEXT"
"""The environment variable that holds the test file for which a process runs."""
SLOW = 10.0
"""Seconds at which a test file counts half as much as a test file that takes no time."""
MOST = 6
"""Maximum number of test files for a module."""
CONFIG = """
[run]
parallel = true
data_file = {folder}/data
source = {source}
concurrency = gevent, thread
context = ${{{context}-}}
disable_warnings = no-data-collected, module-not-imported, module-not-measured, already-imported
"""


class Run(NamedTuple):
    """The coverage by a folder's tests: ``lines`` by module and test file, ``seconds`` by file."""

    lines: Mapping[str, Mapping[str, Sequence[int]]]
    seconds: Mapping[str, float]


@cache
def modules() -> dict[str, frozenset[int]]:
    """Return the product's modules that have functions, with the functions' line numbers."""
    found = {}
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            if lines := frozenset(_of_functions(ast.parse(path.read_text(encoding="utf-8")))):
                found[str(path.relative_to(ROOT))] = lines
    return found


def _of_functions(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that run only when a function is called, not when the module is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                if not isinstance(statement, ast.Expr | ast.Pass) or _runs(statement):
                    yield from range(statement.lineno, (statement.end_lineno or 0) + 1)


def _runs(statement: ast.stmt) -> bool:
    """Whether a statement is more than a docstring, an ellipsis or ``pass``."""
    return isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant)


def folders() -> list[str]:
    """Return the folders that contain test files."""
    tests = (ROOT / "tests").rglob("test_*.py")
    return sorted({str(path.parent.relative_to(ROOT)) for path in tests})


def test_files(folder: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("test_*.py"))


test_files.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test


def measure(folder: str, place: Path) -> Run:
    """Run the tests of a folder; the coverage of tests that fail because of slowness counts.

    Raises:
        RuntimeError: pytest could not run them.
    """
    config = place / "coveragerc"
    source = ", ".join(str(ROOT / package) for package in PRODUCT)
    config.write_text(CONFIG.format(folder=place, source=source, context=CONTEXT))
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
            "-p", "tools.coverage_map", "-o", "timeout=900", "--coverage-map", place / "seconds",
            *test_files(folder),
        ],
        cwd=ROOT, env={**os.environ, "COVERAGE_PROCESS_START": str(config), CONTEXT: ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise RuntimeError(done.stdout + done.stderr)
    found = coverage.Coverage(config_file=str(config))
    with warnings.catch_warnings():
        # A process that was killed may leave a file that has no data, and one that goes on may
        # move its file: coverage.py warns of both.
        warnings.simplefilter("ignore", CoverageWarning)
        found.combine([str(place)])
    return Run(_lines(found.get_data()), orjson.loads((place / "seconds").read_bytes()))


def _lines(data: coverage.CoverageData) -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for module, own in modules().items():
        by_line = data.contexts_by_lineno(str(ROOT / module))
        ran: dict[str, list[int]] = defaultdict(list)
        for line in sorted(own & by_line.keys()):
            for context in by_line[line]:
                if context:
                    ran[context.rpartition("|")[2]].append(line)
        if ran:
            found[module] = ran
    return found


def keep(folder: str, run: Run) -> None:
    """Store the coverage of a folder's tests."""
    MEASURED.mkdir(parents=True, exist_ok=True)
    _kept(folder).write_bytes(orjson.dumps(run._asdict()))


def _kept(folder: str) -> Path:
    return MEASURED / f"{folder.replace('/', '.')}.json"


def unmeasured() -> list[str]:
    """Return the folders whose tests have not been measured."""
    return [folder for folder in folders() if not _kept(folder).exists()]


def write() -> None:
    """Write the map from the measurements.

    The test files of a folder that has not been measured stay where the map has them.
    """
    known, missing, noticed = read(), set(unmeasured()), mutants_file()["noticed_by"]
    lines: dict[str, dict[str, frozenset[int]]] = defaultdict(dict)
    seconds: dict[str, float] = {}
    for folder in folders():
        if folder not in missing:
            run = Run(**orjson.loads(_kept(folder).read_bytes()))
            seconds |= run.seconds
            for module, by_test in run.lines.items():
                for test, ran in by_test.items():
                    lines[module][test] = frozenset(ran)
    found = {
        module: [
            *chosen(lines[module], seconds, noticed.get(module, [])),
            *(test for test in known.get(module, []) if str(Path(test).parent) in missing),
        ][:MOST]
        for module in modules()
    }
    MAP.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def chosen(
    ran: Mapping[str, frozenset[int]], seconds: Mapping[str, float], first: Sequence[str] = ()
) -> list[str]:
    """Choose test files that together cover all covered lines, the most useful first.

    The files ``first`` are always chosen.
    """
    found = [*first]
    left = frozenset[int]().union(*ran.values()).difference(*(ran.get(test, ()) for test in first))
    while left and len(found) < MOST:
        worth = {
            test: len(lines & left) / (1 + seconds.get(test, 0.0) / SLOW)
            for test, lines in ran.items()
        }
        best = max(sorted(worth), key=worth.__getitem__)
        found.append(best)
        left -= ran[best]
    return found


def mutants_file() -> dict[str, dict[str, Any]]:
    """Return ``tests/mutants.json``: ``survivors`` and ``noticed_by``, by module."""
    found: dict[str, dict[str, Any]] = orjson.loads(MUTANTS.read_bytes())
    return found


def read() -> dict[str, list[str]]:
    """Return the map: test files by module, as paths from the top of the checkout."""
    found: dict[str, list[str]] = orjson.loads(MAP.read_bytes())
    return found


def tests_of(paths: Iterable[str]) -> list[str]:
    """Return the test files of all these modules, each once.

    Raises:
        KeyError: the map has no such module.
    """
    known = read()
    return list(dict.fromkeys(test for path in paths for test in known[path]))


# The pytest plugin that tells coverage.py the current test file


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--coverage-map", metavar="FILE", type=Path, help="where seconds are written")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Contexts(config.getoption("coverage_map")))


class _Contexts:
    def __init__(self, seconds: Path) -> None:
        self._file = seconds
        self._seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        file = str(item.path.relative_to(ROOT))
        if os.environ[CONTEXT] != file:
            os.environ[CONTEXT] = file
            if measuring := coverage.Coverage.current():
                measuring.switch_context(file)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        self._file.write_bytes(orjson.dumps(self._seconds))


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
def main(paths: tuple[str, ...]) -> None:
    """Print the test files that run these modules, for pytest."""
    try:
        click.echo("\n".join(tests_of(paths)))
    except KeyError as error:
        raise click.BadParameter(f"{MAP.name} has no module {error}") from error


if __name__ == "__main__":
    main()
