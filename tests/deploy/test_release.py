"""The wheel has all that Lonja needs, and runs in an environment of its own, in any folder."""

import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy import installed
from tests.faults.people import answers
from tests.faults.processes import free_port, kill_tree
from tests.running import ROOT, forget_metrics, wait_for

PACKAGES = ("rules", "service", "workers")
TRAP = 'raise SystemExit("a stranger\'s code runs")\n'


@pytest.fixture(scope="module")
def lonja(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed.install(wheel, tmp_path_factory.mktemp("installed"))


def test_the_wheel_has_every_file_and_needs_no_compiler(wheel: Path) -> None:
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if name.partition("/")[0] in PACKAGES}
    assert names == set(kept.stdout.splitlines())
    assert wheel.name.endswith("-py3-none-any.whl")


@pytest.fixture
def folder_of_a_stranger(tmp_path: Path) -> Path:
    """A working folder whose packages have the names of Lonja's, or configure gunicorn."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(TRAP)
    (tmp_path / "gunicorn.conf.py").write_text(TRAP)
    return tmp_path


@pytest.fixture
def port() -> Iterator[int]:
    port = free_port()
    yield port
    forget_metrics(port)


def test_it_runs_where_others_have_packages_of_the_same_names(
    lonja: Path, folder_of_a_stranger: Path, port: int
) -> None:
    log = folder_of_a_stranger / "serve.log"
    env = {
        **installed.bare(),
        "LONJA_DATA_DIR": str(folder_of_a_stranger / "var"),
        "LONJA_WEB_WORKERS": "1",
        "LONJA_TOURNAMENT_WORKERS": "0",
    }
    with log.open("wb") as said:
        serving = subprocess.Popen(
            [lonja, "serve", "--port", str(port)],
            cwd=folder_of_a_stranger, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        # An exhibition is announced when the web processes answer and a worker has begun it.
        wait_for(lambda: serving.poll() is not None or "/games/" in log.read_text(), 60)
        assert serving.poll() is None, log.read_text()
        assert answers(port, "/readyz")
    finally:
        kill_tree(serving)
    assert "process_ended" not in log.read_text()
