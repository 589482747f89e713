"""The texts of results: the score before its parts, and what broke a tie; a law checks the rest."""

from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.scores import scores_now, told_standings
from service.cli.words import result_lines
from tests.contract import golden
from tests.contract.tables import REGISTRY

RECORDED = [
    golden.path(REGISTRY.find(ruleset), reason)
    for ruleset, reason in (
        ("santiago_de_cuba", "seventh_ship"), ("macao", "rounds_played"),
        ("manila", "ware_at_the_top"), ("plus_ultra", "seven_turns"), ("ragusa", "houses_placed"),
    )
]  # fmt: skip
"""One whole game of each ruleset."""


def tied(game: str, one: JsonObject, other: JsonObject, ranks: tuple[int, int]) -> JsonObject:
    """Return a result in which two seats have the same score."""
    return {
        "reason": REGISTRY.find(game).end_reasons[0],
        "standings": [
            {"side": f"seat:{seat}", "rank": rank, "score": 9, "breakdown": breakdown}
            for seat, (breakdown, rank) in enumerate(zip((other, one), ranks[::-1], strict=True))
        ],
    }


TIES = [
    ("ragusa", {"wine": 2, "oil": 1}, {"silver": 1}, "commodities left, 3 to 1"),
    ("santiago_de_cuba", {"goods_left": 2}, {"goods_left": 0}, "goods left, 2 to 0"),
    (
        "santiago_de_cuba",
        {"goods_left": 2, "pesos": 4},
        {"goods_left": 2, "pesos": 3},
        "pesos, 4 to 3",
    ),
    ("macao", {"wall_place": 1}, {"wall_place": 3}, "place on the wall, 1 to 3"),
    ("plus_ultra", {}, {}, "the peer order of the last turn"),
]


@pytest.mark.parametrize(("game", "one", "other", "what"), TIES)
def test_what_broke_a_tie_is_told(game: str, one: JsonObject, other: JsonObject, what: str) -> None:
    rules, result = REGISTRY.find(game), tied(game, one, other, (1, 2))
    first, second = told_standings(rules, result, "en", ())
    assert (first.side, first.notes) == ("seat:1", (f"wins the tie by {what}",))
    assert second.notes == ()
    assert f"; wins the tie by {what}" in result_lines(rules, result, "en", ())[1]


def test_a_tie_that_nothing_breaks_and_one_of_who_resigned() -> None:
    shared = tied("manila", {"cash": 9}, {"cash": 9}, (1, 1))
    assert [one.notes for one in told_standings(REGISTRY.find("manila"), shared, "en", ())] == [
        (),
        (),
    ]
    left = tied("plus_ultra", {"track": 9}, {"track": 9}, (1, 2))
    told = told_standings(REGISTRY.find("plus_ultra"), left, "es", (0,))
    assert [one.notes for one in told] == [(), ("ha abandonado",)]
    unknown = told_standings(REGISTRY.find("plus_ultra"), left, "es")
    assert [one.notes for one in unknown] == [(), ()]


def test_a_score_stands_before_its_parts() -> None:
    result = tied("manila", {"cash": 12, "shares": 0, "pledges": -3, "fortune": 9}, {}, (1, 2))
    assert result_lines(REGISTRY.find("manila"), result, "es")[1:] == [
        "  1. Azul: 9 pesos (efectivo: 12, acciones pignoradas: -3)",
        "  2. Rojo: 9 pesos",
    ]


@pytest.mark.parametrize("file", RECORDED, ids=golden.named)
def test_the_scores_of_a_recorded_game_lead_to_its_result(file: Path) -> None:
    recorded = golden.load(file)
    rules, scores = recorded.game.table.ruleset, None
    for spot in recorded.game.positions():
        before = rules.to_json(spot.state)
        scores = scores_now(rules, spot.state, len(recorded.result["standings"]))
        assert rules.to_json(spot.state) == before
    assert scores == [standing["score"] for standing in recorded.result["standings"]]
