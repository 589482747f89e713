"""Rulings that could be implemented wrongly, by number; options and default moves."""

import pytest

from rules.kernel.contract.seats import Seat
from rules.plus_ultra import RULESET
from rules.plus_ultra.scoring import categories
from tests.rules.playing import Json
from tests.rules.plus_ultra.table import (
    DOWN,
    GEMS,
    GOLD,
    NATIVES,
    SILVER,
    SPICES,
    A,
    B,
    C,
    D,
    Table,
    down_from,
    start,
)
from tests.rules.plus_ultra.test_examples import (
    bidding,
    drafting,
    finish_draft,
    last_activation,
)


def test_r8_a_settlement_at_the_set_up_leaves_the_first_row_to_the_refill() -> None:
    table = Table(2)
    table.state = start(2)
    table.draw(1).turn_up("settlement_4")
    assert table.row(1) is None
    assert table.asked() == ("new_world/tile", 2)
    table.turn_up(GOLD)
    assert table.row(1) == GOLD


def test_r14_a_displaced_tile_counts_as_present() -> None:
    market = [GOLD, SPICES, SILVER, SILVER]
    admiral = {A: ("admiral", "king")}
    table = Table(characters=admiral, market=market, rows={1: GOLD})
    table.play(A, "admiral_ship", row=1, destination="slot_1")
    assert table.player(A)["pg"] == 0
    table = Table(characters=admiral, market=market, rows={1: GEMS})
    table.play(A, "admiral_ship", row=1, destination="slot_1")
    assert (table.player(A)["pg"], table["surplus"]) == (2, [GOLD])


def test_r14_the_surplus_gives_the_step_and_no_bonus() -> None:
    table = Table(characters={A: ("admiral", "king")}, market=[SILVER] * 4, rows={1: GEMS})
    table.play(A, "admiral_ship", row=1, destination="surplus")
    assert (table.player(A)["pg"], table.player(A)["trade"]) == (0, 1)


def test_r15_a_tile_of_the_surplus_goes_to_any_free_slot() -> None:
    table = Table(characters={A: ("cardinal", "king")}, surplus=[SILVER, GEMS])
    slots = {m["church_slot"] for m in table.legal("cardinal_donate") if m["source"] == "surplus"}
    assert slots == {1, 2, 3}
    donate = {"source": "surplus", "church_slot": 3, "use_rosette": True}
    table.play(A, "cardinal_donate", **donate)
    assert (table["church"], table["surplus"]) == ([None, None, GEMS], [SILVER])
    assert table.player(A)["pg"] == 3


def test_r16_the_merchant_sells_the_first_or_the_last_good() -> None:
    given = {"characters": {A: ("merchant", "king")}, "market": [GOLD, SPICES, SILVER]}
    table = Table(**given).play(A, "merchant_sell", source="market")  # type: ignore[arg-type]
    assert table["market"] == [SPICES, SILVER]
    table = Table(**given, merchant_market_slot="last_occupied")  # type: ignore[arg-type]
    table.play(A, "merchant_sell", source="market")
    assert table["market"] == [GOLD, SPICES]


def test_r17_a_good_may_be_sold_for_nothing() -> None:
    table = Table(
        characters={A: ("merchant", "king")}, market=[SILVER] * 4, surplus=[SILVER],
        players={A: {"ducats": 0}},
    ).play(A, "merchant_sell", source="surplus")  # fmt: skip
    assert table.player(A)["ducats"] == 0
    assert table["surplus"] == []


def raided(**players: Json) -> Table:
    seats = {"a": A, "b": B, "c": C, "d": D}
    return Table(
        characters={A: ("pirate", "king")}, rows={1: GOLD}, settlements={1: (4, [B, A, C])},
        players={seats[name]: has for name, has in players.items()},
    ).play(A, "pirate_raid_goods", row=1)  # fmt: skip


def test_r19_everybody_with_a_house_there_suffers_the_pirate_too() -> None:
    table = raided()
    assert table.asked() == ("pirate_raid", A)
    table.play(A, "raid_pay_ducat").play(B, "raid_tire_tercio").play(C, "raid_pay_ducat")
    assert table.of("ducats") == [3, 2, 1, 2]
    assert table.of("tired") == [0, 1, 0, 0]
    assert table.row(1) is None
    assert table.asked() == ("activation", A)


def test_r19_who_can_do_one_thing_does_it_and_who_can_do_neither_loses_nothing() -> None:
    table = raided(b={"ducats": 0}, c={"ducats": 0, "active": 0, "tired": 1})
    table.play(A, "raid_pay_ducat")
    assert table.asked() == ("activation", A)
    assert (table.player(B)["tired"], table.player(C)["tired"]) == (1, 1)
    table = raided(b={"active": 0}).play(A, "raid_pay_ducat")
    assert (table.player(B)["ducats"], table.asked()) == (1, ("pirate_raid", C))


def test_r22_a_bull_replaces_ducats_and_tercio() -> None:
    table = Table(
        characters={A: ("viceroy", "king")}, rows={1: NATIVES},
        players={A: {"bulls": 1, "active": 0, "tired": 1, "ducats": 0}},
    ).play(A, "viceroy_capture", row=1, payment="bull")  # fmt: skip
    assert [table.player(A)[n] for n in ("natives", "bulls", "tired", "ducats")] == [1, 0, 1, 0]


def test_r24_every_bull_held_at_the_end_costs() -> None:
    assert categories(Table(players={A: {"bulls": 2}}).state, A)["bulls"] == -2


def test_r26_one_bull_a_turn_covers_every_use() -> None:
    table = Table(
        characters={A: ("viceroy", "king")}, rows={1: NATIVES, 2: NATIVES}, crown=4,
        players={A: {"bulls": 3, "ducats": 6}},
    ).play(A, "viceroy_capture", row=1, payment="ducats")  # fmt: skip
    refused = table.refused(A, "viceroy_capture", row=2, payment="bull", with_bull=True)
    assert refused == "bull_already_used_this_turn"
    table.play(A, "viceroy_capture", row=2, payment="ducats", with_bull=True)
    assert table.player(A)["natives"] == 2


def test_r26_a_bull_that_was_bought_is_usable_at_once() -> None:
    table = Table(
        2, phase="buy_bulls", round=0, characters={A: ("cardinal", "king")},
        players={A: {"ducats": 3, "active": 0}, B: {"active": 0}},
    )  # fmt: skip
    table.play(A, "buy_bull").play(A, "king_favor").play(A, "king_favor", with_bull=True)
    assert (table.player(A)["bulls"], table["bull_used"][A]) == (0, 1)


def test_r26_a_bull_that_was_gained_is_usable_at_once() -> None:
    table = Table(2, characters={A: ("cardinal", "king")})
    assert table.refused(A, "common_loan", with_bull=True) == "no_bull"
    table.play(A, "cardinal_bull").play(A, "common_loan", with_bull=True)
    assert (table.player(A)["bulls"], table["bull_used"][A]) == (0, 1)


def test_r27_the_last_bull_pays_for_gaining_it_again() -> None:
    table = Table(
        2, characters={A: ("cardinal", "king")}, market=[GOLD],
        players={A: {"bulls": 1}, B: {"bulls": 2}},
    )  # fmt: skip
    assert table.refused(A, "cardinal_bull") == "bull_supply_empty"
    table.play(A, "cardinal_donate", source="market", church_slot=1, use_rosette=False)
    table.play(A, "cardinal_bull", with_bull=True)
    assert table.player(A)["bulls"] == 1


def test_r33_the_peer_order_changes_for_the_next_turn() -> None:
    table = Table(active=D, players={D: {"ducats": 2}}).play(D, "common_court", steps=2)
    assert (table["pending_order"], table["peer_order"]) == ([A, D, B, C], [A, B, C, D])
    assert table.player(D)["ducats"] == 0


def test_r35_equal_bids_go_by_peer_order() -> None:
    assert bidding(3, [1, 2, 2])["war"] == [B, C, A]


def test_r36_a_war_is_lost_when_a_space_is_left() -> None:
    table = last_activation(war_level=3, war=[A, A], players={A: {"active": 0}}).end(B)
    assert table.of("pg") == [0, 0]
    assert table.player(A)["tired"] == 2
    assert next(iter(table.effects("war_ended")))["won"] is False


def test_r37_the_constable_is_honoured_even_if_forfeited() -> None:
    table = last_activation(
        character="constable", war_level=1, war=[A], players={A: {"active": 1}}, set_aside="king"
    ).end(B)
    assert table.of("pg") == [1, 1]


def test_r43_a_settlement_without_houses_produces() -> None:
    table = last_activation(
        rows={1: GOLD, 2: GEMS, 3: GOLD}, settlements={1: (2, []), 2: (4, [])}, set_aside="king",
        market=[SILVER], turn=3,
    ).end(B)  # fmt: skip
    assert table["market"] == [SILVER, GEMS]  # the King's gold is confiscated
    assert table.row(3) == GOLD


def test_r44_what_the_market_cannot_take_goes_to_the_surplus() -> None:
    table = last_activation(
        rows={1: GOLD, 2: GEMS}, settlements={1: (2, []), 2: (4, [])}, set_aside="king",
        market=[SILVER] * 3, turn=3,
    ).end(B)  # fmt: skip
    assert table["surplus"] == [GEMS]
    assert table["market"] == [SILVER] * 3


@pytest.mark.parametrize("turn", range(1, 8))
def test_r46_blue_settlements_come_in_turns_2_and_5(turn: int) -> None:
    table = Table(2, phase="buy_bulls", round=0, turn=turn, active=B, players={B: {"ducats": 3}})
    table.play(B, "decline_bull")
    assert table.settlement(1) == (3 if turn in (2, 5) else 0, [])
    assert table.asked() == ("tercio_bids", [A, B])


def test_r49_nobody_is_asked_when_no_bull_is_left() -> None:
    table = Table(
        2, phase="buy_bulls", round=0, active=A,
        players={A: {"ducats": 3, "bulls": 2}, B: {"ducats": 3}},
    ).play(A, "buy_bull")  # fmt: skip
    assert table.asked() == ("tercio_bids", [A, B])


def test_r52_both_rounds_go_in_peer_order() -> None:
    table = Table(3, round=1, active=C, characters={C: ("pirate", "king")})
    table.play(C, "forfeit_character", character="pirate").end(C)
    assert (table["round"], table.asked()) == (2, ("activation", A))


def test_r53_everything_changes_into_money() -> None:
    has = {"ducats": 3, "active": 2, "tired": 1, "rosettes_ready": 1, "rosettes_used": 1}
    table = Table(players={A: {**has, "reserve": 2}})
    assert categories(table.state, A)["money"] == 2  # 10 / 5


def test_r56_the_third_donation_completes_the_church() -> None:
    used = {seat: {"rosettes_ready": 0, "rosettes_used": 2} for seat in (B, C, D)}
    table = Table(
        characters={A: ("cardinal", "king")}, market=[GOLD, SPICES, SILVER],
        church=[GEMS, SPICES, None], players=used,
    )  # fmt: skip
    table.play(A, "cardinal_donate", source="market", church_slot=3, use_rosette=True)
    assert table.player(A)["pg"] == 1 + 1 + 2
    assert table["church"] == [None, None, None]
    assert (table.of("rosettes_ready"), table.of("rosettes_used")) == ([1, 2, 2, 2], [0, 0, 0, 0])


def test_a_good_that_is_discovered_scores_and_stays() -> None:
    table = Table(characters={A: ("conquistador", "king")}, rows=down_from(3))
    table.play(A, "conquistador_explore").turn_up(GOLD)
    assert (table.row(3), table.row(4), table.player(A)["pg"]) == (GOLD, DOWN, 2)


def test_natives_that_are_left_stay() -> None:
    table = Table(characters={A: ("conquistador", "king")}, rows=down_from(3))
    table.play(A, "conquistador_explore").turn_up(NATIVES).play(A, "leave_natives")
    assert table.row(3) == NATIVES
    assert table.asked() == ("activation", A)


def test_the_viceroy_earns_a_ducat_for_each_settlement_with_a_house() -> None:
    table = drafting(2, hands=[("pirate",), ("viceroy",)], set_aside="king", turn=3)
    data = table.json
    data["sizes"][:2], data["houses"][:2] = [2, 4], [[B, B], [A, B]]
    data["players"][A]["reserve"] -= 1
    data["players"][B].update(reserve=0, house_supply=2)
    for kind in ("settlement_2", "settlement_4"):
        at = [k["id"] for k in RULESET.data.tables["tile_kinds"]].index(kind)
        data["unseen"][at] -= 1
    data["pile"] = sum(data["unseen"]) - data["rows"].count(DOWN)
    table.state = RULESET.from_json(data)
    finish_draft(table, ["admiral", "merchant"])
    assert table.of("ducats") == [2, 4]


# Options


def test_unlimited_ducats_never_run_out() -> None:
    players = {A: {"ducats": 0}, B: {"ducats": 34}, C: {"ducats": 0}, D: {"ducats": 0}}
    table = Table(players=players, ducat_supply="unlimited").play(A, "common_loan")
    assert table.player(A)["ducats"] == 3


@pytest.mark.parametrize(("supply", "crown"), [("limited", 4), ("unlimited", 6)])
def test_the_crown_gains_from_an_empty_bank_if_ducats_are_unlimited(
    supply: str, crown: int
) -> None:
    table = Table(
        2, characters={A: ("king", "pirate")}, ducat_supply=supply,
        players={A: {"ducats": 34}, B: {"ducats": 0}},
    )  # fmt: skip
    assert table["bank"] == 0
    assert table.play(A, "king_levy")["crown"] == crown


def test_clockwise_peers_follow_a_random_first() -> None:
    table = Table(4)
    table.state = start(4, {"start_order": "clockwise"})
    assert table.asked() == ("setup/first_player", 1)
    table.draw(2)
    assert table["peer_order"] == [C, D, A, B]


# Defaults


def found(tile: str) -> Table:
    table = Table(characters={A: ("conquistador", "king")}, rows=down_from(3))
    return table.play(A, "conquistador_explore").turn_up(tile)


def all_tired() -> Table:
    tired = {A: {"active": 0, "tired": 2}}
    return last_activation(players=tired, rows=dict.fromkeys(range(1, 8), SILVER)).end(B)


@pytest.mark.parametrize(
    ("table", "seat", "move"),
    [
        (bidding(3, []), A, {"type": "bid_tercios", "count": 0}),
        (Table(characters={A: ("pirate", "king")}), A,
         {"type": "forfeit_character", "character": "king"}),
        (Table(characters={A: ("pirate", "king")}).play(A, "forfeit_character", character="king"),
         A, {"type": "end_activation"}),
        (Table(2, phase="buy_bulls", round=0, players={A: {"ducats": 3}}), A,
         {"type": "decline_bull"}),
        (Table(characters={A: ("king", "pirate")}).play(A, "king_levy"), B,
         {"type": "levy_pay_ducat"}),
        (raided(), A, {"type": "raid_pay_ducat"}),
        (all_tired(), A, {"type": "decline_reactivation"}),
        (found(NATIVES), A, {"type": "leave_natives"}),
        (found("settlement_4"), A, {"type": "decline_settlement"}),
    ],
)  # fmt: skip
def test_defaults(table: Table, seat: Seat, move: Json) -> None:
    assert table.default(seat) == move


def test_the_default_draft_is_the_first_by_name() -> None:
    table = Table(2)
    table.state = start(2)
    table.draw(1).turn_up(GOLD).draw(1, 1, 1).draw(0)  # the Admiral is set aside
    assert table.default(A) == {"type": "draft_character", "character": "cardinal"}


def test_r22_natives_cost_a_ducat_and_a_tercio_or_a_bull_for_both() -> None:
    table = Table(characters={A: ("conquistador", "king")}, rows=down_from(4))
    table.play(A, "conquistador_explore").turn_up(NATIVES)
    before = table.player(A)
    assert table.play(A, "capture_natives", payment="ducat").player(A)["natives"] == 1
    after = table.player(A)
    assert (after["ducats"], after["bulls"]) == (before["ducats"] - 1, before["bulls"])
    assert (after["active"], after["tired"]) == (before["active"] - 1, before["tired"] + 1)
