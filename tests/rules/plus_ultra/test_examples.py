"""The worked examples of the rules, by their numbers."""

from collections.abc import Sequence

import pytest

from rules.kernel.contract.seats import Seat, all_seats, by_seat
from rules.plus_ultra import RULESET
from rules.plus_ultra.scoring import categories, sea_trade
from tests.rules.plus_ultra.table import (
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
)


def bidding(level: int, bids: list[int], seats: int = 3) -> Table:
    table = Table(seats, phase="tercio_bids", war_level=level)
    for seat, bid in by_seat(bids):
        table.play(seat, "bid_tercios", count=bid)
    return table


def last_activation(seats: int = 2, character: str = "pirate", **given: object) -> Table:
    """The last player of the second round has forfeited and may end the turn."""
    last = all_seats(seats)[-1]
    hands = {last: (character, "viceroy"), **dict(given.pop("characters", {}))}  # type: ignore[call-overload]
    table = Table(seats, active=last, round=2, characters=hands, **given)  # type: ignore[arg-type]
    return table.play(last, "forfeit_character", character=character)


def test_example_01_bids_are_placed_in_turn() -> None:
    table = bidding(3, [2, 1, 2])
    assert table["war"] == [A, C, B]
    assert table.of("tired") == [1, 0, 1]
    assert table.of("active") == [0, 1, 0]


def test_example_02_until_the_war_is_matched() -> None:
    table = bidding(4, [2, 1, 2])
    assert table["war"] == [A, C, B, A]
    assert table.of("tired") == [0, 0, 1]


def test_example_03_confiscation_empties_the_market_of_a_good() -> None:
    table = last_activation(
        set_aside="merchant", market=[GOLD, SPICES, SILVER, SILVER], surplus=[SILVER], crown=2
    ).end(B)
    assert table["market"] == [GOLD, SPICES]
    assert table["crown"] == 4
    assert table["surplus"] == [SILVER]


def test_example_04_the_crown_passes_on_what_is_over_six() -> None:
    table = Table(
        3, active=B, round=2, peer_order=[C, A, B],
        characters={B: ("pirate", "viceroy")}, set_aside="constable", crown=5,
        market=[SILVER, SILVER, SILVER, GEMS],
    )  # fmt: skip
    before = table.of("ducats")
    table.play(B, "forfeit_character", character="pirate").end(B)
    gained = [now - was for now, was in zip(table.of("ducats"), before, strict=True)]
    assert gained == [1, 0, 1]
    assert table["crown"] == 6
    assert table["market"] == [GEMS]


def test_example_05_an_estate_is_kept_or_used() -> None:
    table = Table(players={A: {"estates": ["barracks"]}})
    assert categories(table.state, A)["estates"] == 1
    tired = Table(players={A: {"estates": ["barracks"]}}).play(
        A, "use_estate", estate="barracks", state="tired"
    )
    table.play(A, "use_estate", estate="barracks", state="active")
    assert (table.player(A)["active"], tired.player(A)["tired"]) == (3, 1)
    assert categories(table.state, A)["estates"] == 0
    assert table["estates_used"] == ["barracks"]


@pytest.mark.parametrize(("captured", "pg"), [(0, 0), (1, 1), (2, 4), (3, 9)])
def test_example_06_natives_score_their_square(captured: int, pg: int) -> None:
    table = Table(players={A: {"natives": captured}})
    assert categories(table.state, A)["natives"] == pg


@pytest.mark.parametrize(("crown", "pg"), [(6, 3), (5, 2), (4, 2), (3, 1), (2, 1), (1, 0), (0, 0)])
def test_example_07_royal_favour(crown: int, pg: int) -> None:
    table = Table(characters={A: ("king", "pirate")}, crown=crown).play(A, "king_favor")
    assert table.player(A)["pg"] == pg
    assert table["crown"] == crown


def test_example_08_a_new_good_in_the_market() -> None:
    table = Table(characters={A: ("admiral", "king")}, market=[GOLD, SPICES], rows={3: GEMS})
    assert table.refused(A, "admiral_ship", row=3, destination="slot_1") == "bad_destination"
    table.play(A, "admiral_ship", row=3, destination="market")
    assert table["market"] == [GOLD, SPICES, GEMS]
    assert (table.player(A)["pg"], table.player(A)["trade"]) == (2, 1)
    assert table.row(3) is None


def test_example_09_a_good_displaces_another() -> None:
    table = Table(
        characters={A: ("admiral", "king")}, market=[GOLD, SPICES, SILVER, SILVER],
        rows={2: SILVER},
    ).play(A, "admiral_ship", row=2, destination="slot_3")  # fmt: skip
    assert table["market"] == [GOLD, SPICES, SILVER, SILVER]
    assert table["surplus"] == [SILVER]
    assert (table.player(A)["pg"], table.player(A)["trade"]) == (0, 1)


def test_example_11_prices_fall_with_goods_alike() -> None:
    merchant = {A: ("merchant", "king")}
    table = Table(characters=merchant, market=[SILVER, SPICES, SILVER, SILVER])
    table.play(A, "merchant_sell", source="market")
    assert (table.player(A)["ducats"], table["market"]) == (4, [SPICES, SILVER, SILVER])
    table = Table(characters=merchant, market=[SILVER] * 4, surplus=[SILVER])
    table.play(A, "merchant_sell", source="surplus")
    assert table.player(A)["ducats"] == 2
    table = Table(characters=merchant, market=[GOLD, SPICES, SILVER, SILVER], surplus=[SILVER])
    table.play(A, "merchant_sell", source="surplus")
    assert table.player(A)["ducats"] == 4


def test_example_12_donations() -> None:
    table = Table(
        characters={A: ("cardinal", "king")}, players={A: {"bulls": 1}},
        market=[GOLD, SPICES, SILVER, SILVER],
    )  # fmt: skip
    donate = {"source": "market", "church_slot": 2, "use_rosette": True}
    table.play(A, "cardinal_donate", **donate)
    assert table["church"] == [None, SPICES, None]
    assert table.player(A)["pg"] == 2
    assert table["market"] == [GOLD, SILVER, SILVER]
    again = {"source": "market", "church_slot": 1, "use_rosette": False, "with_bull": True}
    spent = Table(
        characters={A: ("cardinal", "king")}, market=[GOLD, SILVER], church=[GOLD, None, None]
    )
    table.play(A, "cardinal_donate", **again)
    assert (table["church"], table["market"]) == ([GOLD, SPICES, None], [SILVER, SILVER])
    assert table.player(A)["pg"] == 3
    empty = {**donate, "church_slot": 3, "use_rosette": False}
    assert spent.refused(A, "cardinal_donate", **empty) == "market_slot_empty"
    assert spent.refused(A, "cardinal_donate", **{**empty, "church_slot": 1}) == (
        "church_slot_taken"
    )


def test_example_14_the_crowns_share() -> None:
    secretary = {A: ("secretary", "pirate")}

    def patronage(crown: int, ducats: int) -> Table:
        return Table(characters=secretary, crown=crown, players={A: {"ducats": ducats}})

    table = patronage(0, 2).play(A, "secretary_patronage", reward="house")
    assert (table.player(A)["ducats"], table["crown"]) == (0, 0)
    assert patronage(0, 1).refused(A, "secretary_patronage", reward="house") == (
        "insufficient_ducats"
    )
    table = patronage(3, 1).play(A, "secretary_patronage", reward="house")
    assert (table.player(A)["ducats"], table["crown"]) == (0, 2)


def test_example_15_magellan_is_completed() -> None:
    table = Table(
        characters={A: ("secretary", "pirate")},
        players={A: {"magellan": 3}, B: {"magellan": 2}},
    )
    points = [categories(table.state, seat)["magellan"] for seat in (A, B)]
    assert points == [3, 2]
    table.play(A, "secretary_patronage", reward="magellan")
    assert table["magellan_completed"]
    assert table.of("pg") == [12, 6, 0, 0]
    assert [categories(table.state, seat)["magellan"] for seat in (A, B)] == [0, 0]


def test_example_16_natives_are_captured_with_a_bull() -> None:
    table = Table(
        characters={A: ("conquistador", "king")}, rows=down_from(4),
        players={A: {"bulls": 1, "estates": ["abbey"]}},
    )  # fmt: skip
    table.play(A, "conquistador_explore").turn_up(NATIVES)
    assert table.asked() == ("conquistador_natives", A)
    table.play(A, "capture_natives", payment="bull")
    assert (table.player(A)["bulls"], table.player(A)["natives"]) == (0, 1)
    assert (table["bull_supply"], table.row(4)) == (5, None)
    table.play(A, "use_estate", estate="abbey")
    assert table.player(A)["bulls"] == 1
    assert table.refused(A, "conquistador_explore", with_bull=True) == (
        "bull_already_used_this_turn"
    )


def test_example_17_a_settlement_is_found() -> None:
    table = Table(
        characters={A: ("conquistador", "king")}, rows=down_from(2),
        settlements={1: (2, []), 2: (2, [])},
        players={A: {"ducats": 3, "reserve": 1}},
    )  # fmt: skip
    table.play(A, "conquistador_explore").turn_up("settlement_4")
    assert table.asked() == ("conquistador_settlement", A)
    assert (table.settlement(3), table.row(2)) == ((4, []), None)
    table.play(A, "build_in_new_settlement")
    assert (table.player(A)["ducats"], table.player(A)["reserve"]) == (1, 0)
    assert table.settlement(3) == (4, [A])


def test_example_18_a_matched_war_is_swapped_into() -> None:
    table = Table(
        3, active=C, round=2, characters={C: ("constable", "king")}, war_level=2, war=[A, B],
        players={A: {"active": 1}, B: {"active": 1}, C: {"active": 1}}, set_aside="viceroy",
    )  # fmt: skip
    assert table.refused(C, "constable_place") == "war_already_matched"
    table.play(C, "constable_swap", war_space=1)
    assert table["war"] == [C, B]
    assert (table.player(A)["tired"], table.player(C)["active"]) == (1, 0)
    table.end(C)
    assert table.of("pg") == [0, 1, 2]


def test_example_20_a_pirate_with_nothing_to_raid() -> None:
    pirate = {A: ("pirate", "king")}
    table = Table(characters=pirate, rows={1: GOLD}).play(A, "pirate_idle")
    assert table.player(A)["ducats"] == 4
    table = Table(characters=pirate, players={A: {"trade": 1}})
    assert table.refused(A, "pirate_idle") == "raid_possible"
    table.play(A, "pirate_raid_trade", target=A)
    assert (table.player(A)["trade"], table.player(A)["ducats"]) == (0, 4)


def test_example_21_the_royal_levy() -> None:
    table = Table(
        active=B, characters={B: ("king", "pirate")}, crown=5,
        players={A: {"ducats": 3}, C: {"ducats": 0}, D: {"ducats": 1}},
    ).play(B, "king_levy")  # fmt: skip
    assert table.asked() == ("king_levy", A)
    table.play(A, "levy_pay_ducat")
    assert table.asked() == ("king_levy", D)
    table.play(D, "levy_lose_pg")
    assert table.of("ducats") == [3, 2, 0, 1]
    assert table.of("pg") == [0, 0, -1, -1]
    assert table["crown"] == 6
    assert table["pending_order"] == [B, A, C, D]
    assert table["peer_order"] == [A, B, C, D]


@pytest.mark.parametrize(
    ("turn", "pg"), [(1, [0, 0, 0, 0]), (5, [1, 0, 0, 0]), (6, [2, 1, 0, 0]), (7, [2, 1, 0, 0])]
)
def test_example_23_income_by_peer_order(turn: int, pg: list[int]) -> None:
    table = drafting(4, turn=turn, hands=[("king",), ("pirate",), ("admiral",), ("merchant",)])
    finish_draft(table, ["cardinal", "constable", "conquistador", "secretary"])
    assert table.of("pg") == pg  # the Secretary earns nothing, because another player has the King
    assert table.of("ducats") == [2, 2, 3, 4]


@pytest.mark.parametrize(("seats", "ducats"), [(3, [2, 2, 3]), (2, [2, 2])])
def test_example_23_income_with_fewer_players(seats: int, ducats: list[int]) -> None:
    table = drafting(seats, hands=[("king",), ("pirate",), ("admiral",)][:seats])
    finish_draft(table, ["cardinal", "constable", "conquistador"][:seats])
    assert table.of("ducats") == ducats


def drafting(
    seats: int,
    hands: Sequence[tuple[str, ...]],
    turn: int = 1,
    set_aside: str = "viceroy",
    order: Sequence[Seat] | None = None,
) -> Table:
    """The second pass of the draft begins; ``hands`` and ``order`` are by seat and by place."""
    table = Table(seats, peer_order=order, active=order[0] if order else A)
    data = table.json
    held = {c for hand in hands for c in hand}
    pack = [c["id"] for c in RULESET.data.tables["characters"] if c["id"] not in held]
    pack.remove(set_aside)
    data.update(
        phase="draft", round=0, place=seats, decider=table["peer_order"][0], turn=turn,
        picks=seats, pack=pack, set_aside=set_aside, characters=[list(hand) for hand in hands],
        used=[[] for _ in range(seats)],
    )  # fmt: skip
    blue = sum(turn > due for due in (2, 5))
    data["box"][KIND_3] += blue
    table.state = RULESET.from_json(data)
    return table


KIND_3 = [kind["id"] for kind in RULESET.data.tables["tile_kinds"]].index("settlement_3")


def finish_draft(table: Table, picks: list[str]) -> Table:
    for seat, character in zip(table["peer_order"], picks, strict=True):
        table.play(seat, "draft_character", character=character)
    return table


@pytest.mark.parametrize(("king", "pg"), [(None, [2, 0, 0]), (A, [2, 0, 0]), (B, [0, 0, 0])])
def test_example_24_the_secretary_has_the_royal_ear(king: Seat | None, pg: list[int]) -> None:
    others = ["pirate", "admiral", "merchant"]
    if king is not None:
        others[king] = "king"
    table = drafting(3, hands=[("secretary",), ("cardinal",), ("conquistador",)])
    assert finish_draft(table, others).of("pg") == pg


def test_example_25_the_cardinals_toll() -> None:
    table = Table(
        3, phase="buy_bulls", round=0, active=A,
        characters={B: ("cardinal", "king")},
        players={A: {"ducats": 3}, B: {"ducats": 2}, C: {"ducats": 3}},
    )  # fmt: skip
    assert table.asked() == ("buy_bulls", A)
    table.play(A, "buy_bull")
    assert table.asked() == ("buy_bulls", B)
    assert table.player(B)["ducats"] == 3
    table.play(B, "buy_bull")
    assert table.player(B)["ducats"] == 0
    table.play(C, "buy_bull")
    assert table.player(B)["ducats"] == 1


def test_example_26_a_settlement_leaves_its_row_empty() -> None:
    table = last_activation(
        rows={2: GOLD, 3: GOLD, 5: GOLD, 6: GEMS, 7: GEMS}, settlements={1: (2, []), 2: (4, [])},
        players={A: {"tired": 0}},
    ).end(B)  # fmt: skip
    assert table.asked() == ("new_world/tile", 33 - sum(table["unseen"]) + 1)


def test_example_26_and_the_next_row_is_filled() -> None:
    table = Table(2, phase="activation", settlements={1: (4, []), 2: (4, [])})
    data = table.json
    data.update(
        phase="refill_new_world", decider=-1, round=0, row=0, place=0, used=[[], []],
        characters=[[], []], set_aside=None, pack=[], picks=0, war_level=0,
        rows=[None, "gold", "gold", None, "gems", "gems", "gems"],
    )  # fmt: skip
    data["unseen"] = _unseen(data)
    data["pile"] = sum(data["unseen"])
    table.state = RULESET.from_json(data)
    table.turn_up("settlement_2")
    assert table.settlement(3) == (2, [])
    table.turn_up(GOLD)
    assert (table.row(1), table.row(4)) == (None, GOLD)
    assert table.asked() == ("war/dice", 1)


def _unseen(data: dict[str, object]) -> list[int]:
    kinds = [kind["id"] for kind in RULESET.data.tables["tile_kinds"]]
    total = RULESET.data.tables["new_world_tile_counts"]["total"]
    rows: list[str] = data["rows"]  # type: ignore[assignment]
    left = [total[kind] - rows.count(kind) for kind in kinds]
    left[kinds.index("settlement_4")] -= 2
    left[kinds.index("settlement_3")] = 0
    return left


def test_example_27_natives_drive_out_the_last_house() -> None:
    table = last_activation(
        rows={1: NATIVES}, settlements={1: (3, [A, B])}, turn=3, set_aside="king"
    )
    before = table.of("reserve")
    table.end(B)
    assert table.settlement(1) == (3, [A])
    assert table.of("reserve") == [before[0], before[1] + 1]
    assert table.row(1) == NATIVES


def test_example_29_majorities() -> None:
    settlements = {1: (3, [A, B, A]), 2: (2, [A, B]), 3: (4, [B]), 4: (4, [A, B, A, B])}
    table = Table(
        2, turn=3, settlements=settlements,
        players={A: {"reserve": 0}, B: {"reserve": 0}},
    )  # fmt: skip
    assert [categories(table.state, seat)["majorities"] for seat in (A, B)] == [2, 3]
    assert [categories(table.state, seat)["houses"] for seat in (A, B)] == [5, 5]


def test_example_31_ties_go_by_the_order_that_the_last_turn_left() -> None:
    table = Table(
        3, active=C, round=2, turn=7, pending_order=[C, B, A], set_aside="king",
        players={A: {"pg": 30}, B: {"pg": 30}}, characters={C: ("pirate", "viceroy")},
    )  # fmt: skip
    table.play(C, "forfeit_character", character="pirate").end(C)
    assert table.asked() is None
    standings = RULESET.result(table.state).standings
    assert [row.rank for row in standings] == [2, 1, 3]
    assert standings[A].score == standings[B].score


@pytest.mark.parametrize(
    ("positions", "pg"),
    [
        ([6, 6, 4, 0], [5, 5, 3, 0]),
        ([6, 4, 4, 1], [5, 3, 3, 1]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([3, 0], [5, 0]),
    ],
)
def test_example_32_sea_trade(positions: list[int], pg: list[int]) -> None:
    table = Table(len(positions), players={seat: {"trade": at} for seat, at in by_seat(positions)})
    assert [sea_trade(table.state, seat) for seat in all_seats(len(positions))] == pg


def test_example_33_who_may_reactivate() -> None:
    tired = {"active": 0, "tired": 2}
    table = last_activation(
        3, "pirate", players={A: {**tired, "tired": 3, "ducats": 1}, B: {"active": 1, "tired": 2},
                              C: {**tired, "ducats": 0}},
        rows=dict.fromkeys(range(1, 8), SILVER),
    ).end(C)  # fmt: skip
    assert table.asked() == ("reactivate_tercios", A)
    table.play(A, "reactivate_tercios")
    assert [table.player(A)[name] for name in ("active", "tired", "ducats")] == [3, 0, 0]
    assert table.asked() == ("war/dice", 2)


def test_example_34_a_character_without_a_legal_action() -> None:
    table = Table(
        round=2, characters={A: ("viceroy", "king")}, used={A: ["king"]},
        players={A: {"reserve": 0, "bulls": 1, "ducats": 4}},
    )  # fmt: skip
    assert {move["character"] for move in table.legal("forfeit_character")} == {"viceroy"}
    assert not {t for t in table.types() if t.startswith("viceroy")}
    table.play(A, "forfeit_character", character="viceroy")
    refused = table.refused(A, "viceroy_settle", settlement_space=1, with_bull=True)
    assert refused == "not_current_character"
    assert {"with_bull": True} in table.legal("common_painter")


def test_example_35_common_spaces_are_taken_once() -> None:
    table = Table(2, players={A: {"ducats": 4, "bulls": 1}})
    table.play(A, "common_loan").play(A, "common_painter", with_bull=True)
    assert table["common_taken"][:2] == [1, 1]
    assert table.refused(A, "common_estate") == "common_already_used"
    assert table.refused(A, "common_estate", with_bull=True) == "no_bull"
    richer = Table(2, players={A: {"ducats": 4, "bulls": 2}})
    richer.play(A, "common_loan").play(A, "common_painter", with_bull=True)
    assert richer.refused(A, "common_estate", with_bull=True) == "bull_already_used_this_turn"
    character = table["characters"][A][0]
    table.play(A, "forfeit_character", character=character).end(A)
    assert table.refused(B, "common_loan") == "common_space_taken"


def test_example_36_the_end_of_sea_trade() -> None:
    table = Table(characters={A: ("admiral", "king")}, players={A: {"trade": 14}})
    table.play(A, "admiral_trade")
    assert (table.player(A)["trade"], table.player(A)["ducats"]) == (15, 3)
    assert table.refused(A, "common_trade_route") == "sea_trade_full"


def test_example_37_a_loan_below_zero() -> None:
    table = Table().play(A, "common_loan")
    assert (table.player(A)["pg"], table.player(A)["ducats"]) == (-1, 5)


def test_example_38_an_empty_bank() -> None:
    table = Table(players={A: {"ducats": 0}, B: {"ducats": 33}, C: {"ducats": 0}, D: {"ducats": 0}})
    assert table["bank"] == 1
    table.play(A, "common_loan")
    assert (table.player(A)["ducats"], table.player(A)["pg"]) == (1, -1)
    table = Table(
        characters={A: ("king", "pirate")},
        players={A: {"ducats": 0}, B: {"ducats": 34}, C: {"ducats": 0}, D: {"ducats": 0}},
    ).play(A, "king_levy")
    assert table["bank"] == 0
    table.play(B, "levy_lose_pg")
    assert table["crown"] == 4


def test_example_39_a_full_first_turn() -> None:
    table = Table(2)
    table.state = RULESET.initial(2, RULESET.parse_options(2, {}))
    table.draw(1).turn_up(SPICES)  # order A, B
    assert (table["peer_order"], table.row(1)) == ([A, B], SPICES)
    assert (table["bank"], table["crown"], table.of("ducats")) == (30, 4, [2, 2])
    table.draw(1, 5, 2)  # 2, 6, 3
    assert table["war_level"] == 3
    table.draw(2)  # the Merchant is set aside
    for seat, character in ((A, "conquistador"), (B, "admiral"), (A, "king"), (B, "cardinal")):
        table.play(seat, "draft_character", character=character)
    assert table.asked() == ("tercio_bids", [A, B])
    table.play(A, "bid_tercios", count=2).play(B, "bid_tercios", count=1)
    assert table["war"] == [A, B, A]
    # Round 1, A
    table.play(A, "common_loan")
    assert (table.player(A)["pg"], table.player(A)["ducats"], table["bank"]) == (-1, 5, 27)
    table.play(A, "conquistador_explore").turn_up("settlement_4")
    assert (table.settlement(1), table.row(2)) == ((4, []), None)
    table.play(A, "build_in_new_settlement")
    assert (table.player(A)["ducats"], table["bank"]) == (3, 29)
    assert table.settlement(1) == (4, [A])
    table.end(A)
    # Round 1, B
    table.play(B, "admiral_ship", row=1, destination="slot_3")
    assert table["market"] == [GOLD, SPICES, SPICES, SILVER]
    assert table["surplus"] == [SILVER, SILVER]
    assert (table.player(B)["pg"], table.player(B)["trade"]) == (0, 1)
    table.play(B, "common_trade_route")
    assert (table.player(B)["ducats"], table.player(B)["trade"], table["bank"]) == (0, 2, 31)
    table.end(B)
    # Round 2
    table.play(A, "king_favor")
    assert (table.player(A)["pg"], table["pending_order"]) == (1, [A, B])
    table.end(A)
    table.play(B, "cardinal_donate", source="market", church_slot=1, use_rosette=True)
    assert (table.player(B)["pg"], table["market"]) == (3, [SPICES, SPICES, SILVER])
    table.end(B)
    # The end of the turn
    assert table.of("pg") == [3, 4]
    assert [table.of("active"), table.of("tired")] == [[0, 1], [2, 1]]
    assert (table["market"], table["crown"], table["bank"]) == ([SPICES, SPICES], 5, 30)
    # Turn 2
    assert table["turn"] == 2
    table.turn_up(SILVER).turn_up("settlement_2")
    assert (table.row(1), table.row(2), table.settlement(2)) == (SILVER, None, (2, []))
    assert table.asked() == ("reactivate_tercios", A)
    table.play(A, "reactivate_tercios")
    assert (table.player(A)["active"], table.player(A)["ducats"], table["bank"]) == (2, 2, 31)
    assert table.asked() == ("war/dice", 2)


def test_example_40_a_tercio_relieves_ones_own() -> None:
    table = Table(
        2, round=2, war_level=2, war=[A, B], characters={A: ("constable", "king"),
                                                        B: ("pirate", "merchant")},
        used={A: ["king"]}, set_aside="admiral",
        players={A: {"active": 1, "tired": 1}, B: {"active": 1}},
    )  # fmt: skip
    table.play(A, "constable_swap", war_space=1)
    assert table["war"] == [A, B]
    assert [table.player(A)[name] for name in ("active", "tired")] == [0, 2]
    table.end(A)
    table.play(B, "forfeit_character", character=unused(table, B)).end(B)
    assert table.player(A)["pg"] == 2
    assert table.player(A)["tired"] == 3


def unused(table: Table, seat: Seat) -> str:
    (left,) = set(table["characters"][seat]) - set(table["used"][seat])
    return str(left)


def test_example_41_bids_cannot_be_changed() -> None:
    table = Table(3, phase="tercio_bids", players={C: {"active": 0, "tired": 2}})
    assert table.asked() == ("tercio_bids", [A, B])
    table.play(A, "bid_tercios", count=1)
    assert table.refused(A, "bid_tercios", count=2) == "bid_already_committed"
    assert table.refused(B, "bid_tercios", count=3) == "bid_too_high"
    assert table.refused(B, "bid_tercios", count=6) == "invalid_parameter"
    assert table.refused(C, "bid_tercios", count=0) == "not_your_decision"
    table.play(B, "bid_tercios", count=0)
    assert table.asked() == ("activation", A)
