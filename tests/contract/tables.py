"""The rulesets that the suite checks: those of the project, ``sealed`` and ``pig``."""

from typing import Any

from laws import tables
from laws.tables import Table
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.registry import PACKAGES

REGISTRY = Registry((*PACKAGES, "tests.sealed", "tests.pig"))
RULESETS: list[Ruleset[Any]] = list(REGISTRY)
TABLES: list[Table] = [table for ruleset in RULESETS for table in tables.tables_of(ruleset)]
DEFAULT_TABLES = [table for table in TABLES if table.default]
