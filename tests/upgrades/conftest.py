"""All published releases."""

import zipfile
from pathlib import Path

import pytest

from tests.faults.conftest import whole

WHEELS = sorted(Path(__file__).parent.glob("lonja-*.whl"))


@pytest.fixture(params=WHEELS, ids=lambda wheel: wheel.name.split("-")[1])
def release(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the folder with a release's code."""
    with zipfile.ZipFile(request.param) as wheel:
        wheel.extractall(tmp_path / "release")
    return tmp_path / "release"


__all__ = ["WHEELS", "release", "whole"]
