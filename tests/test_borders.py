"""The allowed imports of `rules`; import-linter checks those between the project's packages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import PARTS
from rules.registry import PACKAGES
from workers import bots

RULES = Path(__file__).parents[1] / "rules"

# None of these modules uses the time, chance, the machine or the network. Data files are read as
# package resources. Everything else belongs to the service.
ALLOWED = {
    "__future__",
    "abc",
    "base64",
    "array",
    "bisect",
    "collections",
    "contextlib",
    "dataclasses",
    "datetime",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "importlib",
    "itertools",
    "keyword",
    "math",
    "operator",
    "orjson",
    "pkgutil",
    "re",
    "reprlib",
    "rules",
    "string",
    "struct",
    "types",
    "typing",
    "unicodedata",
}
# These functions read, write, or run text; only code that tests see may run.
FORBIDDEN_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}
ASK_THE_TIME = {"now", "today", "utcnow"}
"""Methods of ``datetime`` that rules may not call: they may only read and write instants."""
HELPING = {"heuristic", "look", "violations", "draw"}
"""Methods of a ruleset that use its aids; no rule may call them, because they decide nothing."""


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names of all imports, and of their modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


@pytest.mark.parametrize(
    "path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES))
)
def test_rules_are_pure(path: Path) -> None:
    tree = parsed(path)
    assert {name.partition(".")[0] for name in imported(tree)} <= ALLOWED
    assert not set(called(tree)) & FORBIDDEN_CALLS
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not attributes & ASK_THE_TIME


def test_only_the_api_knows_the_web_framework() -> None:
    """Workers and commands start without it."""
    for package in ("service", "workers"):
        for path in sorted((RULES.parent / package).rglob("*.py")):
            if "api" not in path.relative_to(RULES.parent).parts:
                first = {name.partition(".")[0] for name in imported(parsed(path))}
                assert not first & {"flask", "werkzeug"}, path


def test_a_log_is_checked_with_nothing_else_of_ours() -> None:
    """Strangers check a log without a store, a service and the rules."""
    own = "service.tlog"
    for path in sorted((RULES.parent / "service" / "tlog").glob("*.py")):
        others = {name for name in imported(parsed(path)) if not f"{name}.".startswith(f"{own}.")}
        first = {name.partition(".")[0] for name in others}
        assert first <= {*sys.stdlib_module_names, "cryptography"}, path


@pytest.mark.parametrize("package", ["laws", "service", "workers"])
def test_no_ruleset_is_named_outside_the_rules(package: str) -> None:
    """Except past bots' evaluations of states, which are found by the ruleset's name."""
    ids = [ruleset.info.id for ruleset in Registry(PACKAGES)]
    named = [
        f"{path}: {ruleset_id}"
        for path in (RULES.parent / package).rglob("*.py")
        for ruleset_id in ids
        if ruleset_id in path.read_text() and not path.match("bots/archive/*/evaluations/*.py")
    ]
    assert named == []


def test_who_writes_a_game_reads_nothing_of_past_bots() -> None:
    """Neither the contract nor a game has a function or a module for one version of a bot."""
    versions = {f"_{version}" for _name, version in bots.FUNCTIONS}
    for path in sorted(RULES.rglob("*.py")):
        functions = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef)]
        named = [path.stem, *(function.name for function in functions)]
        past = [name for name in named if name.endswith(tuple(versions))]
        assert not past, f"{path.relative_to(RULES)}: {past}"


@pytest.mark.parametrize("package", ["laws", "rules", "service", "workers"])
def test_only_rulesets_know_their_aids(package: str) -> None:
    for path in sorted((RULES.parent / package).rglob("*.py")):
        if not (path.match("rules/*/ruleset.py") or path.match("rules/*/aids/*.py")):
            aids = [name for name in imported(parsed(path)) if "aids" in name.split(".")]
            assert not aids, f"{path.relative_to(RULES.parent)} imports {aids}"


@pytest.mark.parametrize("path", sorted(RULES.glob("*/ruleset.py")), ids=lambda p: p.parent.name)
def test_aids_decide_nothing(path: Path) -> None:
    """A ruleset may name its aids only to pass them on, or in the methods of HELPING."""
    tree = parsed(path)
    aids = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if "aids" in [*(node.module or "").split("."), alias.name]
    }
    helping = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in HELPING
        for inner in ast.walk(node)
    }
    handed_on = {
        name
        for ruleset in ast.walk(tree)
        if isinstance(ruleset, ast.ClassDef)
        for node in ruleset.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node) == "aids: ClassVar = aids"
        for name in (node.target, node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in aids:
            assert node in helping | handed_on, f"line {node.lineno} asks {node.id}"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_ruleset_writes_nothing_that_its_package_says(package: str) -> None:
    """Its parts are found by name, and its tables have the designer and the numbers of seats."""
    (ruleset,) = Registry((package,))
    info, tables = ruleset.info, ruleset.data.tables
    assert (info.title, info.designer, info.year) == tuple(
        tables[name] for name in ("name", "designer", "year")
    )
    assert {"min": info.min_seats, "max": info.max_seats} == tables["players"]
    tree = parsed(RULES.parent / package.replace(".", "/") / "ruleset.py")
    written = {ast.unparse(n.target) for n in ast.walk(tree) if isinstance(n, ast.AnnAssign)}
    assert not written & (PARTS.keys() - {"phases"})
    assert not [name for name in imported(tree) if "aids" in name.split(".")]


def test_no_rule_asks_how_good_or_sane_a_state_is() -> None:
    for path in sorted(RULES.rglob("*.py")):
        if path.name == "ruleset.py":  # these methods pass the query on
            continue
        tree = parsed(path)
        asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not asked & (HELPING - {"draw"}), path.relative_to(RULES.parent)
        drawn = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _draws(node)]
        assert not drawn, path.relative_to(RULES.parent)


def _draws(call: ast.Call) -> bool:
    """Whether a function draws a view; one that draws a card has other arguments."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "draw" and len(call.args) > 1


def test_web_processes_load_no_client_before_it_waits_for_greenlets() -> None:
    """The settings are read first; a Redis client imported before that would block all requests."""
    loaded = "print('redis' in sys.modules, 'rq' in sys.modules)"
    told = f"import sys, service.api.gunicorn.config; {loaded}"
    found = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, check=True, text=True, cwd=RULES.parent
    )
    assert found.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("too_many", [0, 1])
def test_the_lint_tells_which_game_is_too_long(tmp_path: Path, too_many: int) -> None:
    long, drawing = tmp_path / "long", "from rules.kernel.toolbox.drawing import line"
    (long / "aids").mkdir(parents=True)
    (long / "ruleset.py").write_text("pass\n" * (2_900 + too_many))
    (long / "aids" / "board.py").write_text(drawing + "\npass" * 99)
    (long / "aids" / "heuristic_weights.py").write_text("pass\n" * 99)
    tool = [sys.executable, "-m", "tools.game_lines", str(tmp_path)]
    done = subprocess.run(tool, capture_output=True, text=True, check=False, cwd=RULES.parent)
    (told,) = [line for line in done.stdout.splitlines() if line.startswith("long ")]
    assert f"{2_900 + too_many:,}" in told
    assert (done.returncode, told.endswith("too long")) == (too_many, bool(too_many))


def test_the_client_needs_httpcore_and_nothing_of_ours() -> None:
    """Only the command line of the project uses it, never the server."""
    root = RULES.parent
    needed = {
        name.partition(".")[0]
        for path in (root / "clients/python/lonja_client").glob("*.py")
        for name in imported(parsed(path))
    }
    extra = {"cryptography"}
    assert needed - sys.stdlib_module_names == {"httpcore", "lonja_client"} | extra
    users = {
        path.relative_to(root).parts[:2]
        for package in ("laws", "learning/lonja_learning", "rules", "service", "workers")
        for path in (root / package).rglob("*.py")
        if "lonja_client" in {name.partition(".")[0] for name in imported(parsed(path))}
    }
    assert users == {("service", "cli")}


# Folders and names


def test_few_modules_are_in_no_room_of_the_service() -> None:
    assert len([*(RULES.parent / "service").glob("[!_]*.py")]) <= 10


def test_a_public_class_name_stands_once() -> None:
    """One word means one thing, so that a search for a class finds it."""
    found: dict[str, list[str]] = {}
    for room in ("service", "workers"):
        for path in sorted((RULES.parent / room).rglob("*.py")):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(str(path.relative_to(RULES.parent)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


# Irregular participles, adjectives and adverbs with which class names once ended.
NO_NOUNS = {
    "Behind", "Brought", "Built", "Chosen", "Done", "Drawn", "Found", "Given", "Gone", "Held",
    "Kept", "Known", "Lately", "Legal", "Lost", "Made", "Once", "Past", "Raw", "Seen", "Sent",
    "Shown", "Sold", "Stale", "Taken", "Told",
}  # fmt: skip
# Nouns of the field that have the form of a participle.
NOUNS = {
    "Building", "Drawing", "Feed", "Finding", "Listing", "Rating", "Recording", "Scoring", "Seed",
    "Standing",
}  # fmt: skip


@pytest.mark.parametrize("package", ["laws", "rules", "service", "tools", "workers"])
def test_a_public_class_is_named_by_a_noun(package: str) -> None:
    """``Made`` or ``Watched`` does not say what a class is; moves have the names of their types."""
    riddles = []
    for path in sorted((RULES.parent / package).rglob("*.py")):
        for node in parsed(path).body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            if any(keyword.arg == "type" for keyword in node.keywords):
                continue
            *_, last = words = re.findall("[A-Z][a-z0-9]*", node.name)
            is_form = last.endswith("ed") or (last.endswith("ing") and len(words) == 1)
            if last in NO_NOUNS or (is_form and last not in NOUNS):
                riddles.append(f"{path.relative_to(RULES.parent)}: {node.name}")
    assert riddles == []


@pytest.mark.parametrize(
    "package", ["laws", "learning/lonja_learning", "rules", "service", "workers"]
)
def test_the_product_needs_neither_tests_nor_tools(package: str) -> None:
    for path in sorted((RULES.parent / package).rglob("*.py")):
        roots = {name.partition(".")[0] for name in imported(parsed(path))}
        assert not roots & {"tests", "tools"}, path.relative_to(RULES.parent)
