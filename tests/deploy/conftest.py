"""The wheel of this checkout, built once, and the wheels that it needs."""

import shutil
from pathlib import Path

import pytest

from tests.deploy import installed
from tests.running import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed.build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def client_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the client only."""
    return installed.build(tmp_path_factory.mktemp("client"), ROOT / "clients/python")


@pytest.fixture(scope="session")
def learning_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the environments for learners."""
    return installed.build(tmp_path_factory.mktemp("learning"), ROOT / "learning")


@pytest.fixture(scope="session")
def wheels(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All wheels that the lock file names for this platform, and Lonja's own wheel."""
    folder = tmp_path_factory.mktemp("wheels")
    # Python 3.11.2 of Debian 12 needs packages that newer versions do not need.
    of_debian = folder / "debian.lock"
    text = (ROOT / "requirements.lock").read_text()
    of_debian.write_text(text.replace(" ; python_full_version < '3.11.3'", ""))
    locked = ("--no-deps", "--require-hashes", "--requirement", of_debian)
    installed.pip("download", "--only-binary", ":all:", "--dest", folder, *locked)
    for one in (wheel, installed.PIP):  # pipx makes environments with a pip in them
        shutil.copy(one, folder)
    return folder
