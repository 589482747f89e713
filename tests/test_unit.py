"""`make unit` takes a small part of the processor time of `make test`."""

import resource
import subprocess

import pytest

from tests.campaigns import Figure
from tests.running import ROOT

SECONDS = 58.0
"""Maximum processor time of `make unit`: 6 % of that of `make test`."""


@pytest.mark.campaign("unit")
@pytest.mark.timeout(600)
def test_it_takes_little_of_the_processor(record_property: Figure) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["make", "unit"], cwd=ROOT, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    took = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    record_property("processor seconds at most", round(took, 1))
    assert took <= SECONDS
