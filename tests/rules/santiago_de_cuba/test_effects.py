"""The log's lines for moves: the seat, the effect and the amounts."""

from collections.abc import Callable

import pytest

from rules.santiago_de_cuba import RULESET
from tests.rules.playing import Json
from tests.rules.santiago_de_cuba.table import (
    LAYOUT_L,
    A,
    B,
    C,
    D,
    Table,
    at_building,
    before,
    in_harbour,
)

LAST_SUGAR = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}


def _visit(citizen: str) -> Table:
    return Table(car=before(citizen)).play(A, "drive_car", steps=1)


def _pedro_with_one_left() -> Table:
    table = Table(players={A: {"goods": {}}, B: {"goods": {"tobacco": 7}}}, car=before("pedro"))
    return table.play(A, "drive_car", steps=1)


def _stay(citizen: str, **given: object) -> Table:
    others = {B: {"pawn": "bank"}, C: {"pawn": "black_market"}, D: {"pawn": "tobacco_factory"}}
    table = Table(4, players={A: {"pawn": "cafe"}, **others}, car=before(citizen), **given)
    return table.play(A, "drive_car", steps=1)


def _gifts() -> Table:
    players = {A: {"pesos": 0, "goods": {}}}
    table = Table(4, players=players, car=2, active=C, decider=C).play(C, "drive_car", steps=1)
    table.play(D, "give_tribute", kind="good", good="citrus")
    return table.play(A, "give_tribute", kind="vp").play(B, "give_tribute", kind="peso")


def _first_roll() -> Table:
    table = Table(4)
    table.state = RULESET.initial(4, RULESET.parse_options(4, LAYOUT_L | {"start_player": A}))
    return table.roll(sugar=1, rum=3)


def _later_roll() -> Table:
    table = Table(4, active=C, demand=None, phase="roll_demand", decider=None, ship_number=3)
    return table.roll(citrus=4)


CASES: list[tuple[Callable[[], Table], str, list[Json]]] = [
    (
        lambda: _visit("pedro"),
        "goods_taken",
        [{"seat": A, "good": "tobacco", "amount": 2}],
    ),
    (_pedro_with_one_left, "goods_taken", [{"seat": A, "good": "tobacco", "amount": 1}]),
    (lambda: _visit("martinez"), "pesos_taken", [{"seat": A, "amount": 3}]),
    (lambda: _visit("maria"), "vp_gained", [{"seat": A, "amount": 2}]),
    (
        lambda: Table(car=5).play(A, "drive_car", steps=3),
        "pesos_paid",
        [{"seat": A, "amount": 2}],
    ),
    (lambda: _visit("pedro"), "pesos_paid", []),
    (
        lambda: Table(car=0, inactive=["miguel", "martinez", "pablo"]).play(
            A, "drive_car", steps=3
        ),
        "citizen_reactivated",
        [{"citizen": "martinez"}, {"citizen": "miguel"}],
    ),
    (lambda: _stay("pablo", inactive=["pablo"]), "citizen_reactivated", [{"citizen": "pablo"}]),
    (
        _gifts,
        "tribute_given",
        [
            {"seat": D, "to": C, "what": "citrus"},
            {"seat": A, "to": C, "what": "vp"},
            {"seat": B, "to": C, "what": "peso"},
        ],
    ),
    (
        _first_roll,
        "demand_rolled",
        [{"seat": D, "ship": 1, "sugar": 1, "citrus": 0, "tobacco": 0, "rum": 3, "cigars": 0}],
    ),
    (
        _later_roll,
        "demand_rolled",
        [{"seat": C, "ship": 3, "sugar": 0, "citrus": 4, "tobacco": 0, "rum": 0, "cigars": 0}],
    ),
    # Ships
    (
        lambda: in_harbour(demand=LAST_SUGAR, ship_number=4).play(
            A, "load_goods", good="sugar", amount=1, die="sugar"
        ),
        "ship_departed",
        [{"ship": 4, "cause": "demand_met_loading"}],
    ),
    (
        lambda: at_building("port_office", value_index=2, ship_number=7).play(
            A, "use_building", direction="right"
        ),
        "ship_departed",
        [{"ship": 7, "cause": "flag_port_office"}],
    ),
    (
        lambda: at_building("port_office", value_index=2, ship_number=5).play(
            A, "use_building", direction="right"
        ),
        "ship_arrived",
        [{"ship": 6}],
    ),
    # Reasons why a pawn stays
    *(
        (
            position,
            "pawn_stayed",
            [{"seat": A, "building": "cafe", "cause": cause}],
        )
        for position, cause in (
            (
                lambda: Table(players={A: {"pawn": "cafe"}}, car=9).play(A, "drive_car", steps=1),
                "harbour_stop",
            ),
            (lambda: _stay("pedro", inactive=["pedro"]), "inactive_citizen"),
            (lambda: _stay("miguel"), "all_occupied"),
        )
    ),
    (
        lambda: (
            _stay("el_zorro")
            .play(B, "give_tribute", kind="peso")
            .play(C, "give_tribute", kind="peso")
            .play(D, "give_tribute", kind="peso")
        ),
        "pawn_stayed",
        [{"seat": A, "building": "cafe", "cause": "el_zorro"}],
    ),
    (lambda: Table(car=9).play(A, "drive_car", steps=1), "pawn_stayed", []),
]


@pytest.mark.parametrize(("position", "type_", "told"), CASES)
def test_the_log_says_who_what_and_how_much(
    position: Callable[[], Table], type_: str, told: list[Json]
) -> None:
    assert list(position().effects(type_)) == told
