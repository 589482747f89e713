"""Runs the generators, which are pinned by lock files, on the committed description."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs import ROOT

CLIENTS = ROOT / "tests/clients"
DOCUMENT = ROOT / "openapi.yaml"
PICTURES = {
    "GET /v1/tournaments/{tournament_id}/ratings.svg",
    "GET /v1/tournaments/{tournament_id}/ranks.svg",
}
"""Answers that openapi-python-client leaves out, for it makes nothing of images."""


def python_client(folder: Path) -> set[str]:
    """Make the package with openapi-python-client; return the operations it warns of."""
    config = folder.with_suffix(".yaml")
    config.write_text("post_hooks: []\n")
    made = run(
        [tool("openapi-python-client"), "generate", "--path", str(DOCUMENT), "--meta", "none",
         "--output-path", str(folder), "--config", str(config)]
    )  # fmt: skip
    return set(re.findall(r"(?:WARNING|ERROR) parsing (\w+ \S+)", made))


def typescript_clients(folder: Path) -> Path:
    """Make both clients beside the programs in TypeScript; return the folder of all of them."""
    packages = CLIENTS / "typescript/node_modules"
    assert packages.is_dir(), "the packages are installed by `make test`"
    shutil.copytree(CLIENTS / "typescript", folder / "typescript", ignore=_generated)
    here = folder / "typescript"
    (here / "node_modules").symlink_to(packages)
    shutil.copy(DOCUMENT, here)
    schema = ["openapi.yaml", "--output", "generated/schema.d.ts"]
    run([node(), f"{packages}/.bin/openapi-typescript", *schema], here)
    run([node(), f"{packages}/.bin/openapi-ts"], here)
    return here


def _generated(_folder: str, names: list[str]) -> set[str]:
    return {"node_modules", "generated"} & {*names}


def node() -> str:
    return tool("node")


def tool(name: str) -> str:
    """Return a program of the virtual environment."""
    return str(Path(sys.executable).parent / name)


def run(command: list[str], folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
