"""What `rules` may use; import-linter guards the borders between our own packages."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.registry import Registry

RULES = Path(__file__).parents[1] / "rules"

# Nothing here knows the time, chance, the machine or the network. Data files are read as package
# resources. What a ruleset needs beyond this belongs to the shell.
ALLOWED = {
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "contextlib",
    "dataclasses",
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
# They read, write, or run text; only code that a test sees may run.
FORBIDDEN_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module


def called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


@pytest.mark.parametrize(
    "path", sorted(RULES.rglob("*.py")), ids=lambda path: str(path.relative_to(RULES))
)
def test_rules_are_pure(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert {name.partition(".")[0] for name in imported(tree)} <= ALLOWED
    assert not set(called(tree)) & FORBIDDEN_CALLS


@pytest.mark.parametrize("package", ["service", "workers"])
def test_no_ruleset_is_named_outside_the_rules(package: str) -> None:
    ids = [ruleset.info.id for ruleset in Registry()]
    named = [
        f"{path}: {ruleset_id}"
        for path in (RULES.parent / package).rglob("*.py")
        for ruleset_id in ids
        if ruleset_id in path.read_text()
    ]
    assert named == []
