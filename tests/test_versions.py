"""The tests of the ledger on other servers: those on the PATH and in LONJA_TEST_REDIS.

LONJA_TEST_REDIS=/opt/redis-7.2/redis-server:/opt/valkey-8/valkey-server make campaign NAME=versions
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.redis.binary import inspect
from tests.campaigns import Figure
from tests.running import ROOT

ROOMS = ("tests/service/ledger", "tests/service/redis", "tests/faults/test_failover.py")


def servers() -> list[Path]:
    named = os.environ.get("LONJA_TEST_REDIS", "")
    on_path = [shutil.which(name) for name in ("redis-server", "valkey-server")]
    return [Path(found) for found in [*named.split(os.pathsep), *on_path] if found]


@pytest.mark.campaign("versions")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("program", servers() or [None], ids=str)
def test_the_ledger_keeps_its_contract(program: Path | None, record_property: Figure) -> None:
    if program is None:
        pytest.skip("no other server: install redis-server, or name one in LONJA_TEST_REDIS")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-q", *ROOMS],
        env={**os.environ, "LONJA_REDIS_SERVER": str(program)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    record_property(
        f"tests on {inspect(program).version}", ran.stdout.split(" passed")[0].split()[-1]
    )
