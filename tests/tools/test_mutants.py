"""The tests that the map names for a module notice small faults in it."""

import random
from pathlib import Path

import pytest

from tests.campaigns import Figure
from tools import mutants
from tools.mutants import Checkout

SOURCE = '''
LIMIT = 3

def late(at: int = 0, *, now: float | None) -> bool:
    """Whether it is 2 late."""
    if now is None:
        raise ValueError(f"{at + 1}")
    found = [step for step in range(2) if step <= at]
    note(found)
    return bool(found) and not at < now
'''
FAULTS = [
    "late: now is None -> (now is not None)",
    'late: raise ValueError(f"{at + 1}") -> pass',
    "late: 2 -> 3",
    "late: step <= at -> (step < at)",
    "late: note(found) -> pass",
    "late: bool(found) and not at < now -> (bool(found) or not at < now)",
    "late: not at < now -> (at < now)",
    "late: at < now -> (at <= now)",
]


def test_a_module_has_a_mutant_for_each_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "late.py").write_text(SOURCE)
    found = mutants.mutants("late.py")
    assert [mutant.name for mutant in found] == FAULTS
    assert found[3].source().decode() == SOURCE.replace("step <= at", "(step < at)")
    again = SOURCE.replace("\nLIMIT", "\n# an edit elsewhere\nLIMIT")
    (drawn,) = mutants.drawn("late.py")
    (tmp_path / "late.py").write_text(again)
    assert mutants.drawn("late.py")[0].name == drawn.name


def test_each_reason_is_of_a_mutant_and_few_have_one() -> None:
    known = mutants.reasons()
    for module, reasons in known.items():
        names = {mutant.name for mutant in mutants.mutants(module)}
        assert not reasons.keys() - names, "such a mutant is no more"
    drawn = sum(map(mutants.count, mutants.modules()))
    assert sum(map(len, known.values())) <= mutants.SURVIVE * drawn


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("checkout"))


def numbered() -> list[tuple[str, int]]:
    """Each drawn mutant, as its module and number, in an order that mixes all modules."""
    found = [(name, number) for name in mutants.modules() for number in range(mutants.count(name))]
    return random.Random(1).sample(found, len(found))


@pytest.mark.campaign("mutants")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("module", "number"), numbered())
def test_tests_notice_a_mutant(
    checkout: Checkout, record_property: Figure, module: str, number: int
) -> None:
    mutant = mutants.drawn(module)[number]
    survives = checkout.notices(mutant) is None
    record_property("mutants", 1)
    record_property("survivors", int(survives))
    assert not survives or mutant.name in mutants.reasons().get(module, {}), mutant.name
