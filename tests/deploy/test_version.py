"""Only a release has its version, and the commit of each release can be found."""

import re
import subprocess
import tomllib

import pytest
from packaging.version import Version

from service.version import VERSION
from tests.running import ROOT
from tests.upgrades.conftest import WHEELS

RELEASES = {wheel.name.split("-")[1]: wheel for wheel in WHEELS}
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
SECTIONS = dict(
    re.findall(r"^## \[([^]]+)\](.*?)(?=^## \[|\Z)", CHANGELOG, flags=re.MULTILINE | re.DOTALL)
)


def test_what_is_not_released_carries_the_next_version() -> None:
    version, newest = Version(VERSION), max(map(Version, RELEASES))
    if SECTIONS["Unreleased"].strip() or version.is_devrelease:
        assert version.is_devrelease
        assert version > newest
    else:
        assert version == newest


def test_every_place_names_the_same_version() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert declared == VERSION
    assert f'return "{VERSION}"' in (ROOT / "service/version.py").read_text()
    client = (ROOT / "clients/python/lonja_client/version.py").read_text()
    assert f'VERSION = "{VERSION}"' in client
    for name in ("Containerfile", "compose.yaml"):
        assert f"lonja:{VERSION}" in (ROOT / "deploy" / name).read_text()


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_names_its_commit(release: str) -> None:
    """The commit contains the kept wheel, so its sources can be found without a tag."""
    named = re.search(r"^Commit ([0-9a-f]{40})\.$", SECTIONS[release], flags=re.MULTILINE)
    assert named is not None
    history = ["git", "rev-parse", "--verify", "--quiet"]
    if subprocess.run([*history, f"{named[1]}^{{commit}}"], cwd=ROOT, check=False).returncode:
        return  # a shallow clone, or a copy without git, has only the name
    wheel = RELEASES[release].relative_to(ROOT)
    blobs = [
        subprocess.check_output([*history, f"{revision}:{wheel}"], cwd=ROOT)
        for revision in (named[1], "HEAD")
    ]
    assert blobs[0] == blobs[1]
