"""The options of a clock, which several commands have."""

import click
import pytest

from service.cli.parameters import clock_of
from tests.service.cli.conftest import Lonja


def test_a_clock_has_what_was_given() -> None:
    assert clock_of(None, None, None) == {}
    assert clock_of(30, None, None) == {"decision_seconds": 30}
    budget = {"budget_seconds": 600, "increment_seconds": 0}
    assert clock_of(None, 600, 0) == budget
    assert clock_of(30, 600, 0) == {"decision_seconds": 30, **budget}
    with pytest.raises(click.UsageError, match="--budget"):
        clock_of(30, None, 5)


def test_a_clock_is_for_a_table_of_a_service(lonja: Lonja) -> None:
    refused = lonja("play", "sealed", "--budget", "60")
    assert refused.exit_code == 2
    assert "name it with --url" in refused.output
