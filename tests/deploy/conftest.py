"""The wheel of this checkout, built once."""

from pathlib import Path

import pytest

from tests.deploy import installed


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed.build(tmp_path_factory.mktemp("wheel"))
