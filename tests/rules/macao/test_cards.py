"""Each effect of each of the 120 cards works as its row of the table says."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from rules.kernel.contract.seats import Seat
from rules.macao import RULESET, cards
from rules.macao.scoring import COUNTS
from tests.rules.macao.table import COLOURS, A, B, Table, acting, at_the_end, choosing
from tests.rules.playing import Json

CARDS: dict[str, Json] = {row["id"]: row for row in RULESET.data.tables["cards"]}
PLAIN = {
    "office": ("mint", "customs"),
    "building": ("gate", "lighthouse"),
    "person": ("guard", "idler"),
}
"""Cards whose activation has no effect by itself, two of each kind."""


def effects(type_: str) -> list[Any]:
    """Each effect of a type, with its card."""
    return [
        pytest.param(id_, effect, id=id_)
        for id_, row in CARDS.items()
        for effect in row["effects"]
        if effect["type"] == type_
    ]


def test_all_cards_are_covered() -> None:
    types = ("gain_now", "convert", "trigger", "modify", "end_game")
    covered = {param.values[0] for type_ in types for param in effects(type_)}
    assert covered == set(CARDS)
    assert len(CARDS) == 120
    kinds = [row["kind"] for row in CARDS.values()]
    assert [kinds.count(kind) for kind in ("office", "building", "person")] == [24, 44, 52]


def gained(table: Table, before: Json, seat: Seat = A) -> Json:
    """The gains of a seat since ``before``: coins, PP, wall spaces, free steps, cubes."""
    return {
        key: value - before[key]
        for key, value in holdings(table, seat).items()
        if value != before[key]
    }


def holdings(table: Table, seat: Seat = A) -> Json:
    coins, prestige = table.money(seat)
    return {
        "coins": coins,
        "prestige": prestige,
        "wall": table.space(seat),
        "ship_steps": table["turn"]["free_steps"],
        **{colour: table.player(seat)["supply"][colour] for colour in COLOURS},
    }


def flat(gain: Json) -> Json:
    """A gain of the tables in the form of ``gained``, without cubes of chosen colours."""
    rest = {key: value for key, value in gain.items() if not key.startswith("cubes")}
    return {**rest, **gain.get("cubes", {})}


# Activation: every card costs its cubes, and some cards give something at once


@pytest.mark.parametrize("id_", CARDS)
def test_a_card_is_activated_for_its_cost(id_: str) -> None:
    row = CARDS[id_]
    table = acting(row["cost"], holds={"tableau": [id_]})
    before = holdings(table)
    table.play(A, "activate_card", card=id_)
    assert table.player(A)["activated"] == [id_]
    assert table.player(A)["tableau"] == []
    assert RULESET.view(table.state, A)["cube_bank"] == {
        colour: 50 - table.player(A)["supply"][colour] for colour in COLOURS
    }
    now = [flat(effect["gain"]) for effect in row["effects"] if effect["type"] == "gain_now"]
    wanted = {key: sum(gain.get(key, 0) for gain in now) for gain in now for key in gain}
    for colour, number in row["cost"].items():
        wanted[colour] = wanted.get(colour, 0) - number
    assert gained(table, before) == {key: value for key, value in wanted.items() if value}


@pytest.mark.parametrize(("id_", "effect"), effects("gain_now"))
def test_gains_come_once(id_: str, effect: Json) -> None:
    table = acting(CARDS[id_]["cost"], holds={"tableau": [id_]})
    table.play(A, "activate_card", card=id_)
    assert flat(effect["gain"])
    assert table.refused(A, "use_card", card=id_) == "card_has_no_use"


# Uses


@pytest.mark.parametrize(("id_", "effect"), effects("convert"))
def test_a_card_is_used(id_: str, effect: Json) -> None:
    pay, gain = effect["pay"], effect["gain"]
    fixed = pay.get("cubes", {})
    lists: Json = {}
    supply = {colour: 2 * number for colour, number in fixed.items()}
    wanted = {**flat(gain)}
    if pay.get("cubes_any"):
        lists["pay_colors"] = ["violet"] * pay["cubes_any"]
        supply["violet"] = 2 * pay["cubes_any"]
        wanted["violet"] = -pay["cubes_any"]
    if gain.get("cubes_any"):
        lists["gain_colors"] = ["gray"] * gain["cubes_any"]
        wanted["gray"] = gain["cubes_any"]
    for colour, number in fixed.items():
        wanted[colour] = wanted.get(colour, 0) - number
    wanted["coins"] = wanted.get("coins", 0) - pay.get("coins", 0)
    table = acting(supply, id_)
    before = holdings(table)
    table.play(A, "use_card", card=id_, **lists)
    assert gained(table, before) == {key: value for key, value in wanted.items() if value}
    if effect["limit"] == "unlimited":
        table.play(A, "use_card", card=id_, **lists)
        assert table["turn"]["used_cards"] == []
    else:
        assert table.refused(A, "use_card", card=id_, **lists) == "card_already_used"
        assert table["turn"]["used_cards"] == [id_]
        table.play(A, "end_turn")
        assert table["turn"]["used_cards"] == []
    if pay:
        poor = acting({}, id_, holds={"coins": 0})
        code = "not_enough_coins" if "coins" in pay else "cubes_not_available"
        assert poor.refused(A, "use_card", card=id_, **lists) == code
        assert poor.legal("use_card") == []


# Triggers


def _activate(kind: str, id_: str) -> tuple[Table, Callable[[], object]]:
    other = next(plain for plain in PLAIN[kind] if plain != id_)
    table = acting(CARDS[other]["cost"], id_, holds={"tableau": [other]})
    return table, lambda: table.play(A, "activate_card", card=other)


def _claim(id_: str) -> tuple[Table, Callable[[], object]]:
    table = acting({"black": 1}, id_)
    return table, lambda: table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})


def _deliver(id_: str) -> tuple[Table, Callable[[], object]]:
    table = acting({}, id_, holds={"ship": "lisboa", "goods": {"spices": 1}})
    return table, lambda: table.play(A, "deliver_goods", good="spices")


def _sail(id_: str) -> tuple[Table, Callable[[], object]]:
    table = acting({"red": 1}, id_)
    return table, lambda: table.play(A, "move_ship", space="s01", color="red")


def _overtake(id_: str) -> tuple[Table, Callable[[], object]]:
    table = acting({"red": 1}, id_, wall={1: [B], 0: [A]})
    return table, lambda: table.play(A, "advance_wall", color="red")


def _buy(id_: str) -> tuple[Table, Callable[[], object]]:
    table = acting({}, id_)
    return table, lambda: table.play(A, "buy_prestige")


EVENTS: dict[str, Callable[[str], tuple[Table, Callable[[], object]]]] = {
    "quarter_claimed": _claim,
    "goods_delivered": _deliver,
    "ship_step": _sail,
    "disc_overtaken": _overtake,
    "tribute_paid": _buy,
    **{f"{kind}_activated": partial(_activate, kind) for kind in PLAIN},
}


@pytest.mark.parametrize(("id_", "effect"), effects("trigger"))
def test_a_card_works_by_itself_at_its_events_alone(id_: str, effect: Json) -> None:
    wanted = {effect["event"]}
    if effect["event"] == "card_activated":
        kind = effect["filter"]["kind"]
        wanted = {f"{name}_activated" for name in PLAIN if kind in (name, "any")}
    assert wanted <= EVENTS.keys()
    for event, position in EVENTS.items():
        outcomes = []
        for card in (id_, "garden"):  # a card that has no effect at events
            table, play = position(card)
            before = holdings(table)
            play()
            outcomes.append(gained(table, before))
            told = [told["card"] for told in table.effects("card_triggered")]
            assert told == ([id_] if card == id_ and event in wanted else [])
        with_card, without = outcomes
        more = {
            key: with_card.get(key, 0) - without.get(key, 0)
            for key in with_card | without
            if with_card.get(key, 0) != without.get(key, 0)
        }
        assert more == (flat(effect["gain"]) if event in wanted else {}), event


# Changed rules


def _claims_per_round(id_: str, value: int) -> None:
    table = acting({"black": 1, "red": 1, "green": 1}, id_)
    for quarter, colour in [("q05", "black"), ("q11", "red"), ("q20", "green")][:value]:
        table.play(A, "claim_quarter", quarter=quarter, payment={colour: 1})
    assert value == 2
    code = table.refused(A, "claim_quarter", quarter="q20", payment={"green": 1})
    assert code == "claim_limit_reached"


def _claim_discount(id_: str, value: int) -> None:
    table = acting({"green": 2, "gray": 2, "violet": 1}, id_)
    offers = _offers(table, "q01")
    assert offers == [{"green": 2, "gray": 1}, {"green": 1, "gray": 2}]
    assert _offers(table, "q02") == [{"violet": 1}]  # R18
    assert value == 1


def _claim_wild(id_: str, value: int) -> None:
    table = acting({"gray": 1, "red": 1, "blue": 2}, id_)
    assert _offers(table, "q07") == [{"red": 1, "gray": 1}, {"blue": 1, "gray": 1}]
    assert _offers(table, "q02") == [{"red": 1}, {"blue": 1}, {"gray": 1}]
    assert value == 1


def _dark_quarter_any_cube(id_: str, value: int) -> None:
    table = acting({"red": 1}, id_)
    dark = ("q04", "q06", "q15", "q18", "q21", "q29")
    assert all(_offers(table, quarter) == [{"red": 1}] for quarter in dark)
    assert _offers(table, "q09") == []
    assert value == 1


def _offers(table: Table, quarter: str) -> list[Json]:
    return [m["payment"] for m in table.legal("claim_quarter") if m["quarter"] == quarter]


def _joker_multiplier(id_: str, value: int) -> None:
    table = acting({}, id_, holds={"jokers": 1, "coins": 0})
    table.play(A, "use_joker", cubes=["violet"], coins=3 * (value - 1))
    assert table.held(A) == {"violet": 1}
    assert table.money(A) == (3, 0)
    assert RULESET.view(table.state, A)["jokers_used"] == 1


def _remote_delivery(id_: str, value: int) -> None:
    holds = {"ship": "s01", "goods": {"spices": 1}}
    far, near = acting({}, id_, holds=holds), acting({}, id_, holds={**holds, "ship": "s03"})
    assert far.refused(A, "deliver_goods", good="spices") == "port_not_reachable"
    assert near.play(A, "deliver_goods", good="spices").money(A)[1] == 5
    assert value == 1


def _steps_per_cube(id_: str, value: int) -> None:
    table = acting({"red": 1}, id_).play(A, "move_ship", space="s01", color="red")
    assert table["turn"]["free_steps"] == value - 1 == 1
    table.play(A, "move_ship", space="s03")
    assert table.refused(A, "move_ship", space="s01") == "malformed_action"


def _wall_extra_cost(id_: str, value: int) -> None:
    table = acting({"red": 3}, id_).play(A, "advance_wall", color="red")
    assert table.legal("advance_wall_extra") == [{"payment": {"red": value}}]


def _stack_top(id_: str, value: int) -> None:
    table = acting(CARDS[id_]["cost"], holds={"tableau": [id_]}, wall={4: [A, B]})
    assert table.order() == [B, A]
    table.play(A, "activate_card", card=id_)
    assert table.order() == [A, B]
    assert list(table.effects("disc_lifted")) == [{"seat": A, "space": 4}]
    assert value == 1


def _optional_draft(id_: str, value: int) -> None:
    players = {A: {"activated": [id_]}}
    display = ["bank", "inn", "tavern", "market"]
    table = Table(2, players=players, phase="draft", display=display)
    table.play(A, "skip_draft")
    assert table.refused(B, "skip_draft") == "must_draft"
    assert value == 1


def _tributes_per_round(id_: str, value: int) -> None:
    table = acting({}, id_, holds={"coins": 9})
    for _ in range(value):
        table.play(A, "buy_prestige")
    assert table.money(A) == (9 - 3 * value, 6 * value)
    assert table.refused(A, "buy_prestige") == "tribute_limit_reached"


def _tribute_discount(id_: str, value: int) -> None:
    assert acting({}, id_).play(A, "buy_prestige").money(A) == (5 - 3 + value, 6)
    free = acting({}, id_, tribute={"gold": 0, "prestige": 4}, holds={"coins": 0})
    assert free.play(A, "buy_prestige").money(A) == (0, 4)  # R36


RULES: dict[str, Callable[[str, int], None]] = {
    "claims_per_round": _claims_per_round,
    "claim_discount": _claim_discount,
    "claim_wild": _claim_wild,
    "dark_quarter_any_cube": _dark_quarter_any_cube,
    "joker_multiplier": _joker_multiplier,
    "remote_delivery": _remote_delivery,
    "steps_per_cube": _steps_per_cube,
    "wall_extra_cost": _wall_extra_cost,
    "stack_top": _stack_top,
    "optional_draft": _optional_draft,
    "tributes_per_round": _tributes_per_round,
    "tribute_discount": _tribute_discount,
}


@pytest.mark.parametrize(("id_", "effect"), effects("modify"))
def test_a_card_changes_a_rule(id_: str, effect: Json) -> None:
    if effect["rule"] != "delivery_multiplier":
        RULES[effect["rule"]](id_, effect["value"])
        return
    good = effect["good"]
    port = next(row["id"] for row in RULESET.data.tables["ports"] if row["good"] == good)
    other = "tea" if good != "tea" else "silk"
    holds = {"ship": port, "goods": {good: 2, other: 1}}
    table = acting({}, id_, holds=holds)
    table.play(A, "deliver_goods", good=good).play(A, "deliver_goods", good=good)
    assert table.money(A)[1] == effect["value"] * (5 + 4) == 18
    other_port = next(row["id"] for row in RULESET.data.tables["ports"] if row["good"] == other)
    elsewhere = acting({}, id_, holds={**holds, "ship": other_port})
    assert elsewhere.play(A, "deliver_goods", good=other).money(A)[1] == 5


def test_every_rule_has_a_card_and_a_test() -> None:
    changed = {param.values[1]["rule"] for param in effects("modify")}
    assert changed == set(cards.RULES) == {*RULES, "delivery_multiplier"}


# The end of the game


Position = tuple[Json, Json]
"""The possessions of the card's owner, and the rest of the table."""
METRICS: dict[str, tuple[int, Position]] = {
    "activated_offices": (3, ({"activated": ["mint", "customs", "court", "gate"]}, {})),
    "activated_buildings": (2, ({"activated": ["gate", "lighthouse", "mint"]}, {})),
    "activated_persons": (2, ({"activated": ["guard", "idler", "gate"]}, {})),
    "activated_cards": (4, ({"activated": ["guard", "idler", "gate", "mint"]}, {})),
    "card_sets": (
        1,
        ({"activated": ["mint", "customs", "gate", "lighthouse"]}, {}),
    ),
    "quarters_owned": (3, ({}, {"owners": {"q01": A, "q05": A, "q30": A, "q29": B}})),
    "dark_quarters_owned": (2, ({}, {"owners": {"q01": A, "q04": A, "q06": A, "q29": B}})),
    "longest_chain": (3, ({}, {"owners": {"q01": A, "q02": A, "q03": A, "q30": A}})),
    "coins": (7, ({"coins": 7}, {})),
    "goods_delivered": (3, ({"delivered": {"tea": 2, "silk": 1}}, {})),
    "distinct_goods_delivered": (2, ({"delivered": {"tea": 2, "silk": 1}}, {})),
    "wall_spaces": (7, ({}, {"wall": {7: [A], 0: [B]}})),
    "punishments": (4, ({"punishments": 4}, {})),
    "tableau_cards": (4, ({"tableau": ["gate", "inn", "bank", "tavern"]}, {})),
    "jokers_held": (2, ({"jokers": 2}, {})),
}


@pytest.mark.parametrize(("id_", "effect"), effects("end_game"))
def test_a_card_scores_at_the_end(id_: str, effect: Json) -> None:
    number, (holds, more) = METRICS[effect["metric"]]
    activated = [*holds.get("activated", []), id_]
    if effect["metric"] == _own_metric(CARDS[id_]["kind"]):
        number += 1  # R41: it counts itself
    if effect["metric"] == "activated_cards":
        number += 1
    points = number // effect["divisor"] * effect["prestige"]
    if effect["max_prestige"] is not None:
        points = min(points, effect["max_prestige"])
    table = at_the_end(players={A: {**holds, "activated": activated}}, **more)
    assert points
    assert table.parts(A)["cards"] == points
    without = at_the_end(
        players={A: {**holds, "tableau": [*holds.get("tableau", []), id_]}}, **more
    )
    assert without.parts(A)["cards"] == 0  # R41


def _own_metric(kind: str) -> str:
    return f"activated_{kind}s"


def test_every_metric_has_a_card_and_a_test() -> None:
    used = {param.values[1]["metric"] for param in effects("end_game")}
    assert used == set(METRICS) == set(cards.METRICS)
    assert tuple(COUNTS) == cards.METRICS


def test_cards_never_avert_an_empty_arrow() -> None:
    table = choosing(players={A: {"activated": ["guildhall", "juggler"], "jokers": 1}})
    table.play(A, "choose_dice", colors=["red", "blue"]).play(
        B, "choose_dice", colors=["red", "blue"]
    )
    assert table.player(A)["punishments"] == 1  # R15
