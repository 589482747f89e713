"""What renderers draw, without a browser: every place and every piece, each of them once."""

import json
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.published import board
from rules.kernel.contract.ruleset import Ruleset
from tests.contract.tables import RULESETS, SEEDS, default_tables, positions, record

ROOT = Path(__file__).parents[2]
DRAWN = Path(__file__).with_name("drawn.mjs")
NODE = Path(sys.executable).with_name("node")
POSITIONS = 20


def renderer(ruleset: Ruleset[Any]) -> Path:
    return ROOT / "rules" / ruleset.info.id / "aids" / "board.tsx"


@pytest.mark.parametrize(
    "ruleset", [r for r in RULESETS if renderer(r).exists()], ids=lambda ruleset: ruleset.info.id
)
def test_every_place_and_piece_is_drawn_once(ruleset: Ruleset[Any]) -> None:
    asked = {
        "renderer": str(renderer(ruleset)),
        "board": board(ruleset),
        "tables": ruleset.data.tables,
        "words": ruleset.labels.tables["en"],
        "scenes": scenes(ruleset),
    }
    node = subprocess.run(
        [NODE, DRAWN], input=orjson.dumps(asked), capture_output=True, check=False
    )
    assert node.returncode == 0, node.stderr.decode()
    for sheet in json.loads(node.stdout):
        for kind in ("places", "pieces"):
            assert sorted(sheet["drawn"][kind]) == sorted(sheet["there"][kind])


def scenes(ruleset: Ruleset[Any]) -> list[JsonObject]:
    """Return positions spread over a random game of the largest table, through all eyes in turn."""
    table = default_tables(ruleset)[-1]
    stride = max(1, len(record(table, SEEDS[0])) // POSITIONS)
    eyes = cycle(table.viewers)
    return [
        {"view": orjson.loads(orjson.dumps(ruleset.view(spot.state, viewer))), "viewer": viewer}
        for (spot, _event), viewer in zip(
            islice(positions(table, SEEDS[0]), 0, None, stride), eyes, strict=False
        )
    ]
