"""Runs each contract test for all rulesets or tables, by its arguments ``ruleset``, ``table``."""

import pytest

from tests.contract.tables import RULESETS, TABLES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "ruleset" in metafunc.fixturenames:
        metafunc.parametrize("ruleset", RULESETS, ids=[ruleset.info.id for ruleset in RULESETS])
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", TABLES, ids=str)
