"""Runs the generators, which are pinned by lock files, on the committed description."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.running import ROOT

CLIENTS = ROOT / "tests/clients"
DOCUMENT = ROOT / "openapi.yaml"
NOT_JSON = {
    "WARNING parsing GET /v1/tournaments/{tournament_id}/ratings.svg within tournaments.",
    "WARNING parsing GET /v1/tournaments/{tournament_id}/ranks.svg within tournaments.",
    "WARNING parsing GET /v1/tournaments/{tournament_id}/record within records.",
    "WARNING parsing GET /v1/games/{game_id}/record within records.",
    "Cannot parse response (Unsupported content_type image/svg+xml)",
    "Cannot parse response (Unsupported content_type application/x-ndjson)",
}
"""Warnings about answers that openapi-python-client leaves out: images and files."""
QUOTED = re.compile(r"[ {}].*|Generating .*|Warning\(s\) encountered .*|If you believe .*|")
"""Lines of its output that quote the description, or introduce and conclude the warnings."""
UNTOLD = re.compile(r" for status code <.*>|, response will be omitted .*")
"""The part of a warning with the status, for which it prints a memory address."""


def python_client(folder: Path, document: Path = DOCUMENT) -> set[str]:
    """Make the package with openapi-python-client; return all its warnings."""
    config = folder.with_suffix(".yaml")
    config.write_text("post_hooks: []\n")
    made = run(
        [tool("openapi-python-client"), "generate", "--path", str(document), "--meta", "none",
         "--output-path", str(folder), "--config", str(config)]
    )  # fmt: skip
    return {UNTOLD.sub("", line) for line in made.splitlines() if not QUOTED.fullmatch(line)}


def pydantic_models(module: Path) -> str:
    """Make the module with datamodel-code-generator; return its warnings."""
    return run(
        [tool("datamodel-codegen"), "--preset", "standard-py311-20261027",
         "--naming-strategy", "parent-prefixed", "--output-model-type", "pydantic_v2.BaseModel",
         "--input-file-type", "openapi", "--input", str(DOCUMENT), "--output", str(module)]
    )  # fmt: skip


def typescript_clients(folder: Path) -> Path:
    """Make both clients beside the programs in TypeScript; return the folder of all of them."""
    packages = CLIENTS / "typescript/node_modules"
    assert packages.is_dir(), "the packages are installed by `make test`"
    shutil.copytree(CLIENTS / "typescript", folder / "typescript", ignore=_generated)
    here = folder / "typescript"
    (here / "node_modules").symlink_to(packages)
    shutil.copy(DOCUMENT, here)
    # What has a default may be left out of a request.
    optional = ["--default-non-nullable", "false"]
    schema = ["openapi.yaml", *optional, "--output", "generated/schema.d.ts"]
    said = run([node(), f"{packages}/.bin/openapi-typescript", *schema], here).splitlines()
    said += run([node(), f"{packages}/.bin/openapi-ts"], here).splitlines()
    usual = r".*(?:openapi-typescript|openapi-ts|Generating|openapi\.yaml|generated/hey).*|\s*"
    assert not [line for line in said if not re.fullmatch(usual, line)]
    return here


def _generated(_folder: str, names: list[str]) -> set[str]:
    return {"node_modules", "generated"} & {*names}


def node() -> str:
    return tool("node")


def tool(name: str) -> str:
    """Return a program of the virtual environment."""
    return str(Path(sys.executable).parent / name)


def run(command: list[str], folder: Path = ROOT, packages: str = "") -> str:
    """Run a program that can import ``packages``; return its output."""
    env = {**os.environ, "PYTHONPATH": packages}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
