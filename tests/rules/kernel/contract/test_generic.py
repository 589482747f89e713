"""The generic drawing, for a game without its own: it shows the names of ids in all members."""

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
SEATS = {"x-each": "seat", "type": "array"}
SCHEMA = {
    "properties": {
        "phase": {"type": "string"},
        "own_hand": {"type": "array", "items": GOOD},
        "prices": {"propertyNames": GOOD, "additionalProperties": {"type": "integer"}},
        "demand": {"anyOf": [GOOD, {"type": "null"}]},
        "coins": {**SEATS, "items": {"type": "integer"}},
        "bribed": {**SEATS, "items": {"type": "boolean"}},
        "holds": {
            **SEATS,
            "items": {"anyOf": [{"type": "array", "items": GOOD}, {"type": "null"}]},
        },
    },
    "$defs": {"good": {"x-table": "goods"}},
}
NEWS = {"option.rounds": "Rondas", "breakdown.coins": "monedas", "where.holds": "La bodega"}


def drawn(columns: int = 78, **view: Any) -> str:
    labels = Labels({"es": WORDS | NEWS})
    return plain(generic.draw(view, labels, SCHEMA, "es", columns))


@pytest.mark.parametrize(
    ("view", "told"),
    [
        ({"own_hand": ["wine", "salt"]}, "Own hand: vino, sal"),
        ({"prices": {"wine": 3, "salt": 0}}, "Prices: vino 3, sal 0"),
        ({"demand": "salt"}, "Demand: sal"),
        ({"of_no_kind": "wine"}, "Of no kind: vino"),
        ({"loads": ["wine"]}, "Loads: cuba"),
        ({"own_hand": ["wine", "wine", "salt"]}, "Own hand: 2 × vino, sal"),
    ],
)
def test_ids_go_by_their_words(view: dict[str, Any], told: str) -> None:
    assert told in drawn(phase="bid", **view)


def test_a_phase_without_words_is_no_heading() -> None:
    assert drawn(phase="bid").startswith("pujar")
    assert drawn(phase="over").startswith("Nadie tiene que decidir")


def test_the_id_of_the_ruleset_is_left_to_whoever_shows_the_drawing() -> None:
    assert "matute" not in drawn(phase="bid", ruleset="matute", demand="wine")


def test_what_each_seat_has_stands_in_a_table_and_what_nobody_has_nowhere() -> None:
    """Lists by seat whose items are lists."""
    told = drawn(coins=[8, 12], bribed=[False, False], holds=[["wine", "salt"], None])
    assert told.splitlines()[-3:] == [
        "      Monedas  La bodega",
        "Rojo        8  vino, sal",
        "Azul       12  –",
    ]


def test_without_room_for_a_table_each_seat_has_its_lines() -> None:
    told = drawn(20, coins=[8, 12], bribed=[False, True], holds=[["wine"] * 3, []])
    assert told.splitlines()[-4:] == [
        "Rojo: Monedas 8 · La",
        "  bodega 3 × vino",
        "Azul: Monedas 12 ·",
        "  Bribed",
    ]


def test_ones_own_comes_first_options_last_and_nothing_is_said_of_nothing() -> None:
    told = drawn(rounds=4, demand="salt", bought=None, own_bid=None, gone=[], own_hand=["wine"])
    assert "Own hand: vino · Demand: sal · Rondas: 4" in told
    assert not any(word in told for word in ("Own bid", "Bought", "Gone", "–"))


def test_words_that_are_wanting_are_named() -> None:
    labels = Labels({"es": {key: word for key, word in WORDS.items() if "salt" not in key}})
    view = {"phase": "bid", "own_hand": [], "demand": "salt"}
    assert generic.unnamed(view, labels, SCHEMA, "es") == [
        "good.salt",
        "where.demand",
        "where.own_hand",
    ]
