"""A version of a bot always decides as it did when it was recorded (see ``record``)."""

from typing import Any

import pytest

from rules.kernel.contract.ruleset import Ruleset
from tests.contract import decisions
from workers import bots


@pytest.mark.parametrize(("name", "version"), sorted(bots.FUNCTIONS))
def test_bots_decide_as_they_did(ruleset: Ruleset[Any], name: str, version: str) -> None:
    file = decisions.path(ruleset, name, version)
    where = f"{name}@{version} in {ruleset.info.id}"
    record = f"python -m tests.contract.record {ruleset.info.id}"
    assert file.exists(), f"{where}: record its decisions: {record}"
    rules_version, offer, recorded = decisions.load(file)
    cause = "a changed decision is a new version of the bot"
    if rules_version != ruleset.info.version:
        cause += f", unless the new version of the rules changed it: {record} --again"
    assert len(recorded) == decisions.count(offer)
    for now, then in zip(decisions.made(ruleset, offer), recorded, strict=True):
        assert now == then, f"{where}, game {then.game}, decision {then.decision}: {cause}"
