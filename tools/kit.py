"""The package ``@lonja/kit`` (``clients/js``), with the boards of this project's games.

    python -m tools.kit          # builds clients/js/dist, as `make kit` does
    python -m tools.kit FOLDER   # builds it elsewhere

The command writes the documents that a service publishes for each ruleset, and bundles the scripts
with esbuild.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.catalogue.documents import BOARD, LABELS, published
from tests.running import ROOT

CLIENT = ROOT / "service/web/client"
PACKAGE = ROOT / "clients/js"
NODE = Path(sys.executable).with_name("node")


def write_games(folder: Path, packages: Sequence[str]) -> None:
    """Write the files from which each game is drawn: geometry with its digest, labels, tables."""
    registry = Registry(packages)
    documents = published(registry)
    for ruleset in registry:
        game = ruleset.info.id
        board, labels = documents[game][BOARD], documents[game][LABELS]
        drawn_of = {
            "digest": board.digest,
            "board": orjson.loads(board.body),
            "words": orjson.loads(labels.body),
            "tables": ruleset.data.tables,
        }
        (folder / f"{game}.json").write_bytes(orjson.dumps(drawn_of))


def build(out: Path, packages: Sequence[str] = PACKAGES) -> None:
    """Build the package's scripts into ``out``, with the boards of these games."""
    with TemporaryDirectory() as games:
        write_games(Path(games), packages)
        subprocess.run([NODE, CLIENT / "kit.mjs", games, out], cwd=CLIENT, check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "dist")
