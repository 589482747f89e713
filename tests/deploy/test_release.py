"""The wheel contains all that Lonja needs, and runs in its own environment, in any folder."""

import os
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.guides.arrangement import BY_PATH
from service.guides.site import assets
from tests.deploy import installed
from tests.deploy.programs import needed
from tests.faults.people import answers
from tests.faults.processes import free_port, kill_tree
from tests.running import ROOT, forget_metrics, wait_for

PACKAGES = ("laws", "rules", "service", "workers")
NOT_SOURCES = (
    ":!service/web/client",
    *(f":!rules/*/aids/*.{kind}" for kind in ("ts", "tsx", "css")),
    ":!rules/*/aids/art/*",
)
"""Paths of the sources of the pages' scripts, which the wheel does not contain."""
WHEELS = "the folder of wheels"
TRAP = 'raise SystemExit("a stranger\'s code runs")\n'


@pytest.fixture(scope="module")
def lonja(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed.install(wheel, tmp_path_factory.mktemp("installed"))


def test_the_wheel_has_every_file_and_needs_no_compiler(wheel: Path) -> None:
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES, *NOT_SOURCES],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if name.partition("/")[0] in PACKAGES}
        guides = {path: packed.read(f"lonja_docs/{path}") for path in BY_PATH}
        shown = {name for name in packed.namelist() if name.startswith("lonja_docs/docs/")}
    assert names == set(kept.stdout.splitlines())
    assert guides == {path: (ROOT / path).read_bytes() for path in BY_PATH}
    assert {f"lonja_docs/docs/{name}" for name in assets()} <= shown
    assert wheel.name.endswith("-py3-none-any.whl")


CLIENT = "import lonja_client; print(lonja_client.__file__)"


def test_both_wheels_have_the_client_and_share_no_file(
    wheel: Path, client_wheel: Path, lonja: Path
) -> None:
    """So each can be installed or uninstalled without damage to the other."""
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(client_wheel) as small:
        assert not set(whole.namelist()) & set(small.namelist())
        alone = {name: small.read(name) for name in small.namelist() if ".dist-info/" not in name}
        carried = {name: whole.read(f"lonja_carried/{name}") for name in alone}
        licences = [one.read(find_licence(one)) for one in (whole, small)]
        count = sum(name.startswith("lonja_carried/") for name in whole.namelist())
    assert carried == alone
    assert count == len(alone) > 10
    assert licences[0] == licences[1]
    assert client_wheel.name.split("-")[1] == wheel.name.split("-")[1], "released together"
    assert "lonja_carried" in run_python(lonja.parent / "python", CLIENT)


def find_licence(packed: zipfile.ZipFile) -> str:
    (name,) = [name for name in packed.namelist() if name.endswith("licenses/LICENSE")]
    return name


def run_python(python: Path, program: str) -> str:
    done = subprocess.run(
        [python, "-c", program], cwd="/", env=installed.bare(), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.campaign("image")
@pytest.mark.parametrize("first", ["lonja", "lonja-client"])
@pytest.mark.parametrize("leaves", ["lonja", "lonja-client"])
def test_either_wheel_comes_and_goes_without_the_other(
    first: str, leaves: str, wheel: Path, client_wheel: Path, tmp_path: Path
) -> None:
    both = {"lonja": wheel, "lonja-client": client_wheel}
    lonja = installed.install(both.pop(first), tmp_path / "venv")  # with the libraries of the tests
    python = lonja.parent / "python"
    installed.pip("install", "--no-index", "--no-deps", *both.values(), python=python)
    run_python(python, CLIENT)
    installed.pip("uninstall", "--yes", leaves, python=python)
    stays = run_python(python, CLIENT)
    assert ("lonja_carried" in stays) == (leaves == "lonja-client")
    (other,) = {"lonja", "lonja-client"} - {leaves}
    installed.pip("uninstall", "--yes", other, python=python)
    with pytest.raises(subprocess.CalledProcessError):
        run_python(python, CLIENT)


@pytest.fixture
def folder_of_a_stranger(tmp_path: Path) -> Path:
    """A working folder with packages named like Lonja's, and with a gunicorn configuration."""
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
    serve_in(folder_of_a_stranger, lonja, port)


@pytest.mark.campaign("image")
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("tool", "install"),
    [
        ("pipx", ("install",)),
        ("uv", ("tool", "install", "--no-index", "--find-links", WHEELS, "--no-build")),
    ],
)
def test_a_tool_installs_it_without_network(
    tool: str, install: tuple[str, ...], wheels: Path, folder_of_a_stranger: Path, port: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    """The tool itself is installed from the index, into a temporary environment."""
    home = tmp_path_factory.mktemp(tool)
    installed.pip("install", tool, python=installed.environment(home / "tool"))
    places = {
        name: str(home / name)
        for name in (
            "PIPX_HOME", "PIPX_BIN_DIR", "UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "UV_CACHE_DIR",
        )
    }  # fmt: skip
    words = [str(wheels) if word is WHEELS else word for word in install]
    program = str(home / "tool/bin" / tool)
    subprocess.run(
        [needed("unshare"), "--net", program, *words, "lonja"],
        cwd=folder_of_a_stranger,
        env={**os.environ, **places, **installed.without_network(wheels)},
        check=True,
    )
    (lonja,) = home.glob("*_BIN_DIR/lonja")
    simulate = [str(lonja), "simulate", "manila", "--games", "5"]
    subprocess.run(simulate, cwd=folder_of_a_stranger, env=installed.bare(), check=True)
    serve_in(folder_of_a_stranger, lonja, port)


def serve_in(folder: Path, lonja: Path, port: int) -> None:
    """Run ``lonja serve`` in a folder, and wait until bots play."""
    log = folder / "serve.log"
    env = {
        **installed.bare(),
        "LONJA_DATA_DIR": str(folder / "var"),
        "LONJA_WEB_WORKERS": "1",
        "LONJA_TOURNAMENT_WORKERS": "0",
    }
    with log.open("wb") as said:
        serving = subprocess.Popen(
            [lonja, "serve", "--port", str(port)],
            cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        # The exhibition is printed when web processes answer and a worker has begun the game.
        wait_for(lambda: serving.poll() is not None or "/games/" in log.read_text(), 60)
        assert serving.poll() is None, log.read_text()
        assert answers(port, "/readyz")
    finally:
        kill_tree(serving)
    assert "process_ended" not in log.read_text()
