"""The drawing of a game that has none of its own: ids by their words, whatever member has them."""

from typing import Any

import pytest

from rules.kernel.contract import generic
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.labels import Labels

WORDS = {
    "good.wine": "vino",
    "good.salt": "sal",
    "load.wine": "cuba|cubas",
    "where.salt": "La sal",
    "help.wine": "Vende vino.",
    "decision.bid": "pujar",
    "seat.0": "Rojo",
    "seat.1": "Azul",
}
GOOD = {"$ref": "#/$defs/good"}
SCHEMA = {
    "properties": {
        "phase": {"type": "string"},
        "own_hand": {"type": "array", "items": GOOD},
        "prices": {"propertyNames": GOOD, "additionalProperties": {"type": "integer"}},
        "demand": {"anyOf": [GOOD, {"type": "null"}]},
    },
    "$defs": {"good": {"x-table": "goods"}},
}


def drawn(**view: Any) -> str:
    labels = Labels({"es": WORDS})
    return plain(generic.draw(view, labels, SCHEMA, "es", 78))


@pytest.mark.parametrize(
    ("view", "told"),
    [
        ({"own_hand": ["wine", "salt"]}, "Own hand (vino, sal)"),
        ({"prices": {"wine": 3, "salt": 0}}, "Prices (vino 3, sal 0)"),
        ({"demand": "salt"}, "Demand sal"),
        ({"of_no_kind": "wine"}, "Of no kind vino"),
        ({"loads": ["wine"]}, "Loads (cuba)"),
    ],
)
def test_ids_go_by_their_words(view: dict[str, Any], told: str) -> None:
    assert told in drawn(phase="bid", **view)


def test_a_phase_without_words_is_no_heading() -> None:
    assert drawn(phase="bid").startswith("pujar")
    assert drawn(phase="over").startswith("Nadie tiene que decidir")


def test_the_id_of_the_ruleset_is_left_to_whoever_shows_the_drawing() -> None:
    assert "matute" not in drawn(phase="bid", ruleset="matute", demand="wine")
