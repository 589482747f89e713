"""One command makes a release, completely or not at all."""

import hashlib
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import click
import orjson
import pytest
from packaging.version import Version

from tests.running import ROOT
from tools import release as tool
from tools.release import Repository, release

CARRIED = "1.3.0.dev0"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A checkout with a version, from which nothing can be built."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ana")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ana@example.org")
    for name in tool.NAMED_IN:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'[project]\nversion = "{CARRIED}"\n')
    made = Repository(tmp_path)
    made.write("CHANGELOG.md", "## [Unreleased]\n\n- It flies.\n\n## [1.2.0] - 2026-11-22\n")
    made.run("git", "init", "--quiet")
    made.commit("Begin")
    made.run("git", "tag", "1.2.0")
    return made


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("1.3.0.dev1", "1.3.0.dev1 is no version of a release"),
        ("1.3.0rc1", "1.3.0rc1 is no version of a release"),
        ("1.2.0", "1.2.0 was released already"),
        ("1.1.9", "1.1.9 does not come after 1.3.0.dev0"),
    ],
)
def test_a_version_that_cannot_be_the_next_is_refused(
    repository: Repository, version: str, why: str
) -> None:
    with pytest.raises(click.ClickException, match=why):
        release(repository, Version(version))


def test_what_is_not_committed_is_named(repository: Repository) -> None:
    repository.write("mine.txt", "")
    with pytest.raises(click.ClickException, match=r"\?\? mine\.txt"):
        release(repository, Version("1.3.0"))


def test_a_release_that_fails_leaves_nothing(repository: Repository) -> None:
    """Here the kit's package is missing, when other files already have the new version."""
    began = repository.run("git", "rev-parse", "HEAD")
    with pytest.raises(FileNotFoundError):
        release(repository, Version("1.3.0"))
    assert repository.run("git", "rev-parse", "HEAD") == began
    assert repository.run("git", "status", "--porcelain") == ""
    assert repository.version == Version(CARRIED)


@pytest.mark.campaign("release")
@pytest.mark.timeout(900)
def test_one_command_makes_all_that_is_published(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    carried = Repository(checkout).version
    version = carried.base_version
    people = {
        f"GIT_{who}_{what}": "ana@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["make", "release", f"VERSION={version}"],
        cwd=checkout,
        env={**os.environ, **people},
        check=True,
    )
    dist = checkout / "dist"
    names = {path.name for path in dist.iterdir()}
    assert names == {
        f"lonja-{version}-py3-none-any.whl",
        f"lonja_client-{version}-py3-none-any.whl",
        f"lonja_learning-{version}-py3-none-any.whl",
        f"lonja-{version}.tar.gz",
        f"lonja-kit-{version}.tgz",
        f"lonja-{version}.cdx.json",
        "NOTES.md",
        "SHA256SUMS",
    }
    sums = [line.split("  ") for line in (dist / "SHA256SUMS").read_text().splitlines()]
    assert {name for _digest, name in sums} == names - {"SHA256SUMS"}
    for digest, name in sums:
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest
    parts = orjson.loads((dist / f"lonja-{version}.cdx.json").read_bytes())
    assert parts["bomFormat"] == "CycloneDX"
    locked = {part["name"]: part["version"] for part in parts["components"]}
    assert {"flask", "redis", "rq", "gunicorn", "marshmallow"} <= set(locked)
    with zipfile.ZipFile(dist / f"lonja-{version}-py3-none-any.whl") as wheel:
        assert any(name.startswith("rules/macao/") for name in wheel.namelist())
    with tarfile.open(dist / f"lonja-kit-{version}.tgz") as kit:
        assert "package/dist/lonja-kit.js" in kit.getnames()
        member = kit.extractfile("package/package.json")
        assert member is not None
        assert orjson.loads(member.read())["version"] == version
    released, after = (
        subprocess.check_output(
            ["git", "log", "-1", "--format=%s", what], cwd=checkout, text=True
        ).strip()
        for what in (version, "HEAD")
    )
    assert (released, after) == (f"Release {version}", f"Carry the version after {version}")
    tests = ["-n", "0", "tests/deploy/test_version.py", "tests/service/api/test_openapi.py"]
    subprocess.run([".venv/bin/pytest", "-q", *tests], cwd=checkout, check=True)
