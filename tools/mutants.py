"""Mutation testing: puts small faults into the product's code, one at a time, and runs the tests.

A mutant is a module with one fault: a bound moved by one, a condition negated, a call removed.
``make campaign NAME=mutants`` draws some mutants of each module. For each of them, it runs the
tests that ``tests/map.json`` names for the module, on a copy of the checkout.
A mutant *survives* if no test fails; ``tests/mutants.json`` has the reasons for permitted
``survivors``, and the tests that noticed a mutant that other tests of its module missed. Which
mutants are drawn depends only on their text, so an edit elsewhere in a module does not change it.

    python -m tools.mutants service/ledger/idempotency.py   # all of a module, and what notices them
"""

import ast
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from tools import coverage_map
from tools.coverage_map import ROOT

MODULES = (
    "service/ledger/[!_]*.py", "service/games/[!_]*.py", "rules/kernel/record/[!_]*.py",
    "rules/kernel/proof/[!_]*.py", "service/api/http/limits.py",
)  # fmt: skip
"""The modules from which mutants are drawn."""
LINES = 100
"""One mutant is drawn for so many lines of a module, but at least one for each module."""
SURVIVE = 0.1
"""The maximum share of mutants that may survive; each survivor needs a reason."""
SECONDS = 900.0
"""Time limit of a mutant's tests; if they take longer, the code waits for ever, and the mutant
counts as killed.
"""
SEES_ANY_EDIT = {"tests/test_digests.py", "tests/test_borders.py"}
"""Tests that fail after any edit of the code, and so say nothing about a mutant."""
LINKED = (".venv", "service/web/client/node_modules")
"""Folders to which the copy of the checkout has links, instead of copies."""

SWAPPED: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}  # fmt: skip
TEXTS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict)
"""Expressions that are texts or lists, so that adding to them is not a sum of numbers."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
SHOWN = 500
"""Number of characters of pytest's output that are shown if no test failed."""
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One fault: the replacement of the bytes from ``start`` to ``end`` of a module."""

    module: str
    name: str
    """The function, the original and the replacement; if a name occurs again, ``#2`` follows, and
    so on.
    """
    start: int
    end: int
    written: str

    def source(self) -> bytes:
        """The source of the module with the fault."""
        text = (ROOT / self.module).read_bytes()
        return text[: self.start] + self.written.encode() + text[self.end :]


def modules() -> list[str]:
    """Return the modules that mutants are drawn from."""
    return sorted(str(path.relative_to(ROOT)) for glob in MODULES for path in ROOT.glob(glob))


def drawn(module: str) -> list[Mutant]:
    """Return the drawn mutants of a module."""
    found = sorted(
        mutants(module), key=lambda mutant: hashlib.sha256(mutant.name.encode()).digest()
    )
    return found[: count(module)]


def count(module: str) -> int:
    """Return how many mutants are drawn of a module."""
    return ceil((ROOT / module).read_bytes().count(b"\n") / LINES)


def mutants(module: str) -> list[Mutant]:
    """Return all mutants of a module's functions, in the order of the source."""
    text = (ROOT / module).read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Mutant] = []
    said: Counter[str] = Counter()
    for function, (node, written) in _faults(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before = " ".join(text[start:end].decode().split())
        name = f"{function}: {before} -> {written}"
        said[name] += 1
        name += f" #{said[name]}" if said[name] > 1 else ""
        found.append(Mutant(module, name, start, end, written))
    return found


Place = ast.expr | ast.stmt
Fault = tuple[Place, str]
"""A part of a module, and its replacement."""


def _faults(tree: ast.Module) -> Iterator[tuple[str, Fault]]:
    """Yield each possible fault of the functions, after the name of its function."""
    pending: list[tuple[str, str, ast.AST]] = [("", "", tree)]
    while pending:
        scope, function, node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope = f"{scope}.{node.name}".lstrip(".")
            function = function if isinstance(node, ast.ClassDef) else scope
        if function:
            for fault in _of(node):
                yield function, fault
        pending += [(scope, function, child) for child in reversed([*_children(node)])]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that may get a fault: no types, defaults and texts."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
            yield from body
        case ast.AnnAssign(value=value):
            yield from [value] if value else []
        case ast.Call(func=ast.Name(id="cast"), args=[_, value]):
            yield value
        case ast.JoinedStr():
            pass
        case _:
            yield from ast.iter_child_nodes(node)


def _of(node: ast.AST) -> Iterator[Fault]:
    match node:
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
            yield node, "pass"
        case ast.Continue():
            yield node, "break"
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield test, f"(not {ast.unparse(test)})"
        case ast.expr():
            yield from ((node, written) for written in _of_value(node))


def _of_value(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield f"({ast.unparse(ast.Compare(left, [SWAPPED[type(op)]()], [right]))})"
        case ast.BoolOp(op=op, values=values):
            yield f"({ast.unparse(ast.BoolOp(SWAPPED[type(op)](), values))})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPPED:
            if not any(isinstance(part, TEXTS) or _is_text(part) for part in (left, right)):
                yield f"({ast.unparse(ast.BinOp(left, SWAPPED[type(op)](), right))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.Name(id=name) if name in NAMES:
            yield NAMES[name]
        case ast.IfExp(test=test, body=body, orelse=other):
            yield f"({ast.unparse(ast.IfExp(test, other, body))})"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


# Running


class Checkout:
    """A copy of the checkout, in which one module at a time has a fault."""

    def __init__(self, place: Path) -> None:
        self._place = place
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for name in filter(None, listed.stdout.split("\0")):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
        for name in LINKED:
            (place / name).symlink_to(ROOT / name)

    def notices(self, mutant: Mutant) -> str | None:
        """Return the first failing test among the tests that the map names for the module.

        Return None if all of them pass. If none of them could begin, return the end of pytest's
        output.

        Raises:
            RuntimeError: pytest found no tests.
        """
        tests = [t for t in coverage_map.tests_of([mutant.module]) if t not in SEES_ANY_EDIT]
        module = self._place / mutant.module
        module.write_bytes(mutant.source())
        try:
            code, said = self._pytest(*tests)
        finally:
            shutil.copy(ROOT / mutant.module, module)
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(said)
        failed = FAILED.search(said)
        return None if code == pytest.ExitCode.OK else failed[1] if failed else said[-SHOWN:]

    def _pytest(self, *tests: str) -> tuple[int, str]:
        """Run tests until one fails; return the exit code and the output."""
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", "-qx", "-n", "0", "-p", "no:cacheprovider", *tests],
            cwd=self._place, env={**os.environ, "PYTHONPATH": str(self._place)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as running:  # fmt: skip
            try:
                said, _ = running.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGINT)  # pytest ends the processes that it started, too
                said, _ = running.communicate()
        return running.returncode, said


def reasons() -> dict[str, dict[str, str]]:
    """Return the reasons of permitted survivors, by module and mutant."""
    found: dict[str, dict[str, str]] = coverage_map.mutants_file()["survivors"]
    return found


@click.command()
@click.argument("modules", nargs=-1, required=True, metavar="MODULE…")
@click.option("--drawn", "only", is_flag=True, help="Only those that the campaign draws.")
def main(modules: tuple[str, ...], *, only: bool) -> None:
    """Print, for each mutant of these modules, which test notices it, if any does."""
    with tempfile.TemporaryDirectory() as place:
        checkout = Checkout(Path(place))
        for module in modules:
            for mutant in drawn(module) if only else mutants(module):
                by = checkout.notices(mutant)
                why = reasons().get(module, {}).get(mutant.name, "")
                found = f"died by {by}" if by else f"SURVIVED {why}".rstrip()
                click.echo(f"{module} {mutant.name}: {found}")


if __name__ == "__main__":
    main()
