"""Rulings that could be implemented wrongly, by number, and the options."""

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.seats import Seat, all_seats
from rules.manila import RULESET
from tests.rules.manila.table import (
    MOVE_1,
    MOVE_2,
    MOVE_3,
    PLACE_1,
    PLACE_2,
    PLACE_3,
    WARES,
    A,
    B,
    C,
    D,
    Table,
    at_sea,
    before_roll,
    deal_picks,
    start,
)

STARTS = {"silk": 5, "ginseng": 4, "jade": 0}
PINNED = {"silk": 3, "ginseng": 3, "jade": 3}
"""Positions of the punts from which none arrives in the last movement, if the dice are low."""


# Auction and money


def test_r1_the_first_starter_is_drawn() -> None:
    state = start(4, {})
    deal = RULESET.turn(state)
    assert isinstance(deal, Chance)
    assert (deal.label, deal.sizes, deal.audience) == (
        "setup/shares",
        (12, *range(11, 4, -1)),
        "none",
    )
    table = Table()
    table.state = state
    table.draw(*[0] * 8)
    assert table.asked() == ("setup/starter", 1)
    table.draw(2)
    assert table.asked() == ("auction", C)
    assert table["starter"] == C


def test_r2_who_keeps_the_office_for_nothing_has_all_duties() -> None:
    table = Table(voyage=3, harbour_master=B, starter=B, decider=B).passes(B, C, D, A)
    assert table.asked() == ("buy_share", B)
    assert {"ware": "jade"} in table.legal("buy_share")


def test_r3_the_last_undecided_bidder_may_pass_too() -> None:
    assert Table().passes(A, B, C).legal()[-2:] == [{"type": "pass_auction"}, {"type": "take_loan"}]


def test_r4_forced_loans_are_as_few_as_needed() -> None:
    table = Table(players={A: {"cash": 0}}, phase="buy_share", harbour_master=A)
    table.play(A, "buy_share", ware="jade")
    assert (table.cash[A], table.player(A)["pledged"]) == (7, 1)
    poor = at_sea("placement", PLACE_1, players={A: {"cash": 4}}, positions=STARTS)
    poor.place(A, "pirate")
    assert (poor.cash[A], poor.player(A)["pledged"]) == (11, 1)
    exact = at_sea("placement", PLACE_1, players={A: {"cash": 5}}, positions=STARTS)
    exact.place(A, "pirate")
    assert (exact.cash[A], exact.player(A)["pledged"]) == (0, 0)


def test_r5_a_loan_does_not_change_what_can_be_raised() -> None:
    table = Table(players={A: {"cash": 10}})
    before = table.bids()
    assert table.play(A, "take_loan").bids() == before
    assert Table(players={A: {"cash": 15, "pledged": 1}}).play(A, "redeem_share").bids()[-1] == 24
    table = Table().play(A, "take_loan")
    taken = {"seat": A, "count": 1, "amount": 12, "forced": False}
    assert list(table.effects("loan_taken")) == [taken]


def test_r5_finance_is_offered_at_every_decision_of_ones_own() -> None:
    boarding = before_roll(
        MOVE_2, positions={"silk": 10, "ginseng": 3, "jade": 3}, crews={"pirate": [A]}
    ).roll(silk=3, ginseng=1, jade=1)
    plunder = before_roll(MOVE_3, positions={**PINNED, "jade": 12}, crews={"pirate": [A]})
    arriving = before_roll(MOVE_3, positions={"silk": 12, "ginseng": 3, "jade": 12})
    tables = [
        Table(),
        Table(phase="buy_share", harbour_master=A),
        Table(phase="load_wares", harbour_master=A),
        Table(phase="place_punts", harbour_master=A, left_out="silk"),
        at_sea("placement", PLACE_1, positions=STARTS),
        at_sea("pilot_small", MOVE_3, positions=STARTS, crews={"pilot_small": [A]}),
        at_sea("pilot_big", MOVE_3, positions=STARTS, crews={"pilot_big": [A]}),
        boarding,
        plunder.roll(silk=1, ginseng=1, jade=1),
        arriving.roll(silk=6, ginseng=1, jade=6),
    ]
    for table in tables:
        asked = table.asked()
        assert table.play(A, "take_loan").asked() == asked
        assert table.cash[A] == 42


def test_r7_every_decision_starts_unlocked() -> None:
    table = Table(players={A: {"pledged": 1}}).play(A, "take_loan").bid(A, 1)
    table.passes(B, C).bid(D, 2)
    assert table["finance_direction"] == "none"
    table.play(A, "redeem_share").play(A, "redeem_share")
    assert table.cash[A] == 12


@pytest.mark.parametrize(("option", "per_ware"), [("three_per_ware", 3), ("all_shares", 5)])
def test_r10_the_opening_pool(option: str, per_ware: int) -> None:
    state = start(5, {"initial_pool": option})
    turn = RULESET.turn(state)
    assert isinstance(turn, Chance)
    assert turn.sizes[0] == 4 * per_ware
    assert len(turn.sizes) == 10
    hands = [
        ("jade", "jade"),
        ("jade", "silk"),
        ("silk", "silk"),
        ("nutmeg",) * 2,
        ("ginseng",) * 2,
    ]
    assert deal_picks(hands, per_ware)[0] == 3 * per_ware


def test_r10_all_shares_can_deal_five_of_a_ware() -> None:
    hands = (("jade", "jade"), ("jade", "jade"), ("jade", "silk"))
    table = Table(3, hands=hands, initial_pool="all_shares")
    assert table["supply"] == {"nutmeg": 5, "silk": 4, "ginseng": 5, "jade": 0}


def test_r12_lanes_follow_the_order_of_the_wares() -> None:
    table = Table(phase="place_punts", harbour_master=A, left_out="silk")
    table.play(A, "place_punts", starts={"jade": 5, "nutmeg": 4, "ginseng": 0})
    punts = RULESET.view(table.state, None)["punts"]
    assert [(punt["lane"], punt["ware"]) for punt in punts] == [
        (1, "nutmeg"),
        (2, "ginseng"),
        (3, "jade"),
    ]


def test_r13_without_supply_or_money_there_is_only_skipping() -> None:
    poor = Table(players={A: {"cash": 4, "pledged": 2}}, phase="buy_share", harbour_master=A)
    assert poor.legal() == [{"type": "skip_share"}]
    sold = Table(players={B: {"bought": {"silk": 2}}}, phase="buy_share", harbour_master=A)
    assert {"ware": "silk"} not in sold.legal("buy_share")


def test_r14_a_bought_share_is_pledged_only_afterwards() -> None:
    table = Table(
        players={A: {"cash": 9, "pledged": 2}},
        market={"jade": 10},
        phase="buy_share",
        harbour_master=A,
    )
    assert {"ware": "jade"} not in table.legal("buy_share")
    table.play(A, "buy_share", ware="silk").play(A, "take_loan")
    assert table.cash[A] == 4 + 12


def test_r16_who_cannot_bid_more_can_only_pass() -> None:
    table = Table(players={B: {"cash": 3, "pledged": 2}}).bid(A, 3)
    assert table.legal() == [{"type": "pass_auction"}]
    assert Table(players={A: {"cash": 0, "pledged": 2}}).legal() == [{"type": "pass_auction"}]


def test_r16_bids_have_no_other_limit() -> None:
    assert Table(players={A: {"cash": 5000}}).bids()[-1] == 5024


def test_r16a_any_ware_may_be_bought_and_left_out() -> None:
    table = Table(market={"jade": 20}, phase="buy_share", harbour_master=A)
    table.play(A, "buy_share", ware="jade").play(A, "load_wares", left_out="jade")
    assert (table.cash[A], table["supply"]["jade"]) == (10, 2)


def test_r16_who_spends_everything_buys_nothing_and_is_a_blind_passenger() -> None:
    table = Table().bid(A, 54).passes(B, C, D)
    assert (table.cash[A], table.player(A)["pledged"]) == (0, 2)
    assert table.legal() == [{"type": "skip_share"}]
    table.sail(A, **STARTS)
    assert table.spaces() == ["punt_silk", "punt_ginseng", "punt_jade"]
    assert table.place(A, "punt_jade").cash[A] == 0


# Placement


@pytest.mark.parametrize(("seats", "accomplices"), [(3, 4), (4, 3), (5, 3)])
def test_how_many_accomplices_everybody_has(seats: int, accomplices: int) -> None:
    players = Table(seats)["players"]
    assert [player["in_hand"] for player in players] == [accomplices] * seats


@pytest.mark.parametrize(("seats", "rounds"), [(3, "PPMPMPM"), (4, "PMPMPM"), (5, "PMPMPM")])
def test_placement_and_movement_rounds_alternate(seats: int, rounds: str) -> None:
    table = Table(seats, phase="place_punts", harbour_master=A, left_out="nutmeg")
    table.play(A, "place_punts", starts=PINNED)
    spaces = iter(("port_a", "port_b", "port_c", "shipyard_a"))
    played = ""
    while table["voyage"] == 1:
        asked = table.asked()
        assert asked is not None
        if asked[0] == "roll/dice":
            played += "M"
            table.roll(silk=1, ginseng=1, jade=1)
        elif asked == ("placement", A):
            played += "P"
            table.place(A, next(spaces))
        else:
            table.abstain(asked[1])
    assert played == rounds


@pytest.mark.parametrize(
    ("space", "costs"),
    [
        ("punt_nutmeg", [2, 3, 4]),
        ("punt_silk", [3, 4, 5]),
        ("punt_ginseng", [1, 2, 3]),
        ("punt_jade", [3, 4, 5, 5]),
        ("port_a", [4]),
        ("port_b", [3]),
        ("port_c", [2]),
        ("shipyard_a", [4]),
        ("shipyard_b", [3]),
        ("shipyard_c", [2]),
        ("pirate", [5, 5]),
        ("pilot_small", [2]),
        ("pilot_big", [5]),
        ("insurance", [0]),
    ],
)
def test_what_each_place_costs(space: str, costs: list[int]) -> None:
    left_out = "nutmeg" if space == "punt_jade" else "jade"
    starts = {ware: 3 for ware in WARES if ware != left_out}
    table = at_sea("placement", PLACE_1, seats=5, positions=starts)
    for seat in all_seats(len(costs)):
        table.place(seat, space)
    assert [effect["paid"] for effect in table.effects("accomplice_placed")] == costs
    assert space not in table.spaces()


@pytest.mark.parametrize(("cash", "dearest"), [(4, []), (5, ["punt_jade", "pirate", "pilot_big"])])
def test_without_a_free_share_every_peso_counts(cash: int, dearest: list[str]) -> None:
    table = at_sea(
        "placement",
        PLACE_2,
        players={A: {"cash": cash, "pledged": 2}},
        positions=STARTS,
        crews={"punt_jade": [B, C]},
    )
    assert [s for s in table.spaces() if s in ("punt_jade", "pirate", "pilot_big")] == dearest


def test_r17_one_player_may_hold_several_places() -> None:
    table = at_sea("placement", PLACE_3, positions=STARTS, crews={"punt_silk": [A], "pirate": [A]})
    assert {"punt_silk", "pirate"} <= set(table.spaces())


def test_r18_r19_punts_in_port_take_nobody_but_their_port_does() -> None:
    table = at_sea(
        "placement",
        PLACE_3,
        positions={"silk": 14, "ginseng": 7, "jade": 7},
        docked=["silk"],
    )
    assert "punt_silk" not in table.spaces()
    table.place(A, "port_a").abstain(B, C, D).roll(ginseng=1, jade=1)
    assert table.cash[A] == 32


def test_r20_the_insurance_costs_nothing_and_pays_at_once() -> None:
    table = at_sea("placement", PLACE_1, players={A: {"cash": 0}}, positions=STARTS)
    table.place(A, "insurance")
    assert (table.cash[A], table.player(A)["pledged"]) == (10, 0)
    assert table["box"] == 20


def test_r21_a_master_who_abstains_keeps_his_other_duties() -> None:
    table = at_sea("placement", PLACE_2, positions={"silk": 10, "ginseng": 3, "jade": 10})
    table.abstain(A, B, C, D).roll(silk=4, ginseng=1, jade=4)
    assert table.asked() == ("arrival_order", A)


def test_r21_an_abstention_is_final_though_an_accomplice_comes_back() -> None:
    table = before_roll(
        MOVE_2,
        positions={"silk": 10, "ginseng": 3, "jade": 3},
        crews={"punt_silk": [A, B, A], "pirate": [C]},
        abstained=[B],
        pirates_displace=True,
    )
    table.roll(silk=3, ginseng=1, jade=1)
    table.play(C, "board_punt", ware="silk", displace_seat=1)
    assert table.player(B)["in_hand"] == 3
    table.abstain(A)
    assert table.asked() == ("placement", C)


def test_r22_without_a_space_there_is_only_abstaining() -> None:
    table = at_sea(
        "placement",
        PLACE_3,
        players={A: {"cash": 0, "pledged": 2}},
        positions={"silk": 14, "ginseng": 14, "jade": 7},
        docked=["silk", "ginseng"],
        crews={"punt_jade": [B, C, D, B]},
    )
    assert table.legal() == [{"type": "abstain"}]


def test_r23_a_blind_passenger_takes_the_lowest_empty_seat() -> None:
    table = at_sea(
        "placement",
        PLACE_2,
        players={A: {"cash": 0, "pledged": 2}},
        positions=STARTS,
        crews={"punt_jade": [B, C]},
    )
    table.place(A, "punt_jade")
    assert table["crews"]["punt_jade"] == [B, C, A]
    assert table.cash[A] == 0


def short_player(**crews: list[Seat]) -> Table:
    """Seat 0 has one peso and no free share."""
    return at_sea(
        "placement",
        PLACE_3,
        players={A: {"cash": 1, "pledged": 2}},
        positions={"silk": 7, "ginseng": 7, "jade": 7},
        crews={"punt_ginseng": [B], **crews},
    )


def test_r25_r26_a_short_player_pays_all_for_a_cheapest_space() -> None:
    table = short_player()
    two = ["punt_ginseng", "port_c", "shipyard_c", "pilot_small"]
    assert table.spaces() == [*two, "insurance"]
    table.place(A, "port_c")
    assert table.cash[A] == 0
    assert next(table.effects("accomplice_placed"))["paid"] == 1


def test_r26_with_nothing_else_vacant_the_insurance_remains() -> None:
    table = at_sea(
        "placement",
        PLACE_3,
        players={A: {"cash": 1, "pledged": 2}},
        seats=5,
        positions={"silk": 14, "ginseng": 14, "jade": 14},
        docked=["silk", "ginseng", "jade"],
        crews={
            "port_a": [B],
            "port_b": [B],
            "port_c": [C],
            "shipyard_a": [C],
            "shipyard_b": [D],
            "shipyard_c": [D],
            "pirate": [4, 4],
            "pilot_small": [B],
            "pilot_big": [C],
        },
    )
    assert table.spaces() == ["insurance"]


def test_r26_the_short_player_may_insure() -> None:
    table = short_player().place(A, "insurance")
    assert table.cash[A] == 11


def test_r27_with_a_free_share_nobody_is_a_blind_passenger() -> None:
    table = at_sea("placement", PLACE_1, players={A: {"cash": 0, "pledged": 1}}, positions=STARTS)
    assert len(table.spaces()) == 13
    table.place(A, "pirate")
    assert (table.cash[A], table.player(A)["pledged"]) == (7, 2)


def test_r29_when_all_have_abstained_the_dice_go_on() -> None:
    table = at_sea("placement", PLACE_1, positions=STARTS).abstain(A, B, C, D)
    for number in (1, 2, 3):
        assert table.asked() == ("roll/dice", number)
        table.roll(silk=1, ginseng=1, jade=1)
    assert table.asked() == ("auction", A)


# Movement


def test_r30_with_all_punts_in_port_pilots_and_dice_are_left_out() -> None:
    docked = ["silk", "ginseng", "jade"]
    table = at_sea(
        "placement",
        PLACE_3,
        positions=dict.fromkeys(docked, 14),
        docked=docked,
        crews={"pilot_big": [B], "punt_silk": [C]},
    )
    table.place(A, "pilot_small").place(B, "port_c").abstain(C, D)
    assert list(table.effects("dice_rolled")) == [{"movement": 3, "dice": {}}]
    assert table.cash == [28, 30 - 2 + 15, 60, 30]
    assert table.asked() == ("auction", A)


def test_r30_only_punts_at_sea_are_rolled_for() -> None:
    table = before_roll(MOVE_3, positions={"silk": 14, "ginseng": 3, "jade": 3}, docked=["silk"])
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    assert turn.sizes == (1, 1, 6, 6)
    assert next(table.roll(ginseng=2, jade=3).effects("dice_rolled"))["dice"] == {
        "ginseng": 2,
        "jade": 3,
    }


def test_the_same_roll_has_the_same_name_whatever_is_at_sea() -> None:
    for left_out in WARES:
        positions = {ware: 3 for ware in WARES if ware != left_out}
        assert before_roll(MOVE_2, positions=positions, voyage=4).asked() == ("roll/dice", 11)


def test_r33_with_the_option_punts_dock_in_the_order_of_lanes() -> None:
    table = before_roll(
        MOVE_1 + 2, positions={"silk": 11, "ginseng": 3, "jade": 11}, arrival_order="automatic"
    )
    table.roll(silk=3, ginseng=1, jade=3)
    assert table["docked"] == ["silk", "jade"]
    assert table.asked() == ("placement", A)


def test_r33_a_single_arrival_asks_nobody() -> None:
    table = before_roll(MOVE_2, positions={"silk": 11, "ginseng": 3, "jade": 3})
    assert table.roll(silk=3, ginseng=1, jade=1).asked() == ("placement", A)


def test_r33_three_arrivals_dock_in_one_of_six_orders() -> None:
    table = before_roll(MOVE_2, positions={"silk": 9, "ginseng": 9, "jade": 9})
    table.roll(silk=5, ginseng=6, jade=5)
    assert table.asked() == ("arrival_order", A)
    assert [move["order"] for move in table.legal("choose_arrival_order")] == [
        ["silk", "ginseng", "jade"],
        ["silk", "jade", "ginseng"],
        ["ginseng", "silk", "jade"],
        ["ginseng", "jade", "silk"],
        ["jade", "silk", "ginseng"],
        ["jade", "ginseng", "silk"],
    ]
    table.play(A, "choose_arrival_order", order=["jade", "silk", "ginseng"])
    assert table["docked"] == ["jade", "silk", "ginseng"]


def test_r33_the_order_of_arrival_comes_before_boarding() -> None:
    positions = {"silk": 9, "ginseng": 9, "jade": 9}
    table = before_roll(MOVE_2, positions=positions, crews={"pirate": [C]})
    table.roll(silk=5, ginseng=4, jade=5)
    assert table.asked() == ("arrival_order", A)
    table.play(A, "choose_arrival_order", order=["silk", "jade"])
    assert table.asked() == ("pirate_boarding", C)
    assert table.legal("board_punt") == [{"ware": "ginseng", "displace_seat": None}]


def test_without_pirates_punts_on_the_last_space_dock_in_the_order_of_lanes() -> None:
    table = before_roll(MOVE_3, positions={"silk": 12, "ginseng": 3, "jade": 12})
    table.roll(silk=1, ginseng=1, jade=1)
    assert [(e["ware"], e["place"], e["slot"]) for e in table.effects("punt_docked")] == [
        ("silk", "port", "a"),
        ("jade", "port", "b"),
        ("ginseng", "shipyard", "a"),
    ]


def test_r36_wrecks_take_the_shipyards_in_the_order_of_lanes() -> None:
    table = before_roll(MOVE_3, positions={"silk": 9, "ginseng": 2, "jade": 5})
    table.roll(silk=1, ginseng=1, jade=1)
    assert [(e["ware"], e["place"], e["slot"]) for e in table.effects("punt_docked")] == [
        ("silk", "shipyard", "a"),
        ("ginseng", "shipyard", "b"),
        ("jade", "shipyard", "c"),
    ]


# Pirates


def two_pirates(jade: int = 3, **crews: list[Seat]) -> Table:
    """Silk stands on 13 after the second movement; captain C, second D."""
    table = before_roll(
        MOVE_2,
        positions={"silk": 10, "ginseng": 3, "jade": jade},
        crews={"pirate": [C, D], **crews},
    )
    return table.roll(silk=3, ginseng=1, jade=3)


def board(table: Table, seat: Seat, ware: str) -> Table:
    return table.play(seat, "board_punt", ware=ware, displace_seat=None)


def test_r37_after_the_captain_the_second_decides_and_nobody_again() -> None:
    table = board(two_pirates(), C, "silk")
    assert table.asked() == ("pirate_boarding", D)
    assert board(table, D, "silk").asked() == ("placement", A)
    assert table["crews"] == {"punt_silk": [C, D]}


def test_r37_a_pirate_without_a_punt_to_board_is_not_asked() -> None:
    table = two_pirates(punt_silk=[A, B])
    assert board(table, C, "silk").asked() == ("placement", A)
    assert table["crews"]["pirate"] == [D]
    assert two_pirates(punt_silk=[A, B, A]).asked() == ("placement", A)


def test_boardings_are_listed_by_ware() -> None:
    wares = [move["ware"] for move in two_pirates(jade=10).legal("board_punt")]
    assert wares == ["silk", "jade"]


def test_r38_r40_boarding_is_free_and_leaves_the_captains_place() -> None:
    table = board(two_pirates(punt_silk=[A]), C, "silk").play(D, "stay_on_pirate_boat")
    assert table.cash == [30] * 4
    table.place(A, "pirate")
    assert table["crews"]["pirate"] == [D, A]
    assert table.cash[A] == 25


def test_r39_who_has_boarded_can_be_plundered() -> None:
    table = board(two_pirates(), C, "silk").play(D, "stay_on_pirate_boat")
    table.place(A, "pilot_small").abstain(B, C, D)
    table.play(A, "pilot_move", moves=[{"ware": "silk", "delta": -1}])
    table.roll(silk=1, ginseng=1, jade=1)
    assert table.asked() == ("plunder", D)
    table.play(D, "send_plundered", ware="silk", destination="port")
    assert table.cash == [28, 30, 30, 60]


def test_r41_an_empty_boat_boards_nobody() -> None:
    table = before_roll(MOVE_2, positions={"silk": 10, "ginseng": 3, "jade": 3})
    assert table.roll(silk=3, ginseng=1, jade=1).asked() == ("placement", A)


def plundered(**crews: list[Seat]) -> Table:
    """Silk and jade end on 13, pirates are C and D; ginseng is wrecked."""
    table = before_roll(
        MOVE_3,
        positions={"silk": 12, "ginseng": 3, "jade": 12},
        crews={"pirate": [C, D], **crews},
    )
    return table.roll(silk=1, ginseng=1, jade=1)


def test_r43_plunder_sends_everybody_aboard_home_at_once() -> None:
    table = plundered(punt_silk=[A, C], punt_jade=[B])
    assert "punt_silk" not in table["crews"]
    assert [player["in_hand"] for player in table["players"]] == [3, 3, 2, 2]


def test_r44_the_captain_decides_for_each_punt_in_the_order_of_lanes() -> None:
    table = plundered()
    assert table.asked() == ("plunder", C)
    assert table.legal("send_plundered") == [
        {"ware": "silk", "destination": "port"},
        {"ware": "silk", "destination": "shipyard"},
    ]
    table.play(C, "send_plundered", ware="silk", destination="shipyard")
    assert table.asked() == ("plunder", C)
    table.play(C, "send_plundered", ware="jade", destination="port")
    assert table.cash == [30, 30, 63, 63]


@pytest.mark.parametrize(("destination", "cash"), [("port", 36), ("shipyard", 30)])
def test_r45_a_plundered_punt_fills_a_port_or_a_shipyard(destination: str, cash: int) -> None:
    table = plundered(port_a=[A], punt_silk=[B], punt_jade=[B])
    table.play(C, "send_plundered", ware="silk", destination=destination)
    table.play(C, "send_plundered", ware="jade", destination="shipyard")
    assert table.cash == [cash, 30, 63, 63]
    assert table.market == [0, 5 * (destination == "port"), 0, 0]


def test_r45_the_insurer_pays_for_a_plundered_punt_in_a_shipyard() -> None:
    table = plundered(insurance=[A], shipyard_b=[B])
    for ware in ("silk", "jade"):
        table.play(C, "send_plundered", ware=ware, destination="shipyard")
    assert table.cash[:2] == [1, 38]


def test_a_player_who_is_both_pirates_gets_both_shares() -> None:
    table = before_roll(MOVE_3, positions={**PINNED, "silk": 12}, crews={"pirate": [B, B]})
    table.roll(silk=1, ginseng=1, jade=1)
    table.play(B, "send_plundered", ware="silk", destination="port")
    assert table.cash == [30, 60, 30, 30]


# Pilots


def test_r46_one_player_may_own_both_pilots_and_skip() -> None:
    table = at_sea(
        "placement",
        PLACE_3,
        positions=STARTS,
        crews={"pilot_small": [A]},
    )
    table.place(A, "pilot_big").abstain(B, C, D)
    assert table.asked() == ("pilot_small", A)
    table.play(A, "pilot_skip")
    assert table.asked() == ("pilot_big", A)
    assert table.play(A, "pilot_skip").asked() == ("roll/dice", 3)


def test_r46_pilots_work_only_before_the_last_movement() -> None:
    table = at_sea("placement", PLACE_2, positions=STARTS, crews={"pilot_big": [A]})
    assert table.abstain(A, B, C, D).asked() == ("roll/dice", 2)


def test_r46_without_a_punt_left_at_sea_the_big_pilot_is_not_asked() -> None:
    table = at_sea(
        "pilot_small",
        MOVE_3,
        positions={"silk": 14, "ginseng": 14, "jade": 13},
        docked=["silk", "ginseng"],
        crews={"pilot_small": [A], "pilot_big": [B]},
    )
    table.play(A, "pilot_move", moves=[{"ware": "jade", "delta": 1}])
    assert table.asked() == ("auction", A)


def test_r47_no_punt_is_moved_behind_the_first_space() -> None:
    table = at_sea(
        "pilot_big",
        MOVE_3,
        positions={"silk": 0, "ginseng": 1, "jade": 14},
        docked=["jade"],
        crews={"pilot_big": [A]},
    )
    moves = [[(m["ware"], m["delta"]) for m in move["moves"]] for move in table.legal("pilot_move")]
    assert moves == [
        [("silk", 1)],
        [("silk", 2)],
        [("ginseng", -1)],
        [("ginseng", 1)],
        [("ginseng", 2)],
        [("silk", 1), ("ginseng", -1)],
        [("silk", 1), ("ginseng", 1)],
    ]


def test_r48_a_pilot_docks_a_punt_before_the_roll() -> None:
    positions = {"silk": 13, "ginseng": 13, "jade": 14}
    table = at_sea(
        "pilot_big", MOVE_3, positions=positions, docked=["jade"], crews={"pilot_big": [A]}
    )
    both = [{"ware": "silk", "delta": 1}, {"ware": "ginseng", "delta": 1}]
    table.play(A, "pilot_move", moves=both)
    assert [(e["ware"], e["slot"]) for e in table.effects("punt_docked")] == [
        ("silk", "b"),
        ("ginseng", "c"),
    ]
    assert table.asked() == ("auction", A)  # no punt is left to roll for


# Settlement


def wrecks(count: int, cash: int = 30, pledged: int = 0, **crews: list[Seat]) -> Table:
    """A number of punts are wrecked, and the others arrive; seat 0 has this much cash."""
    wares = ("silk", "ginseng", "jade")
    positions = {ware: 3 if n < count else 12 for n, ware in enumerate(wares)}
    table = before_roll(
        MOVE_3,
        players={A: {"cash": cash, "pledged": pledged}},
        positions=positions,
        crews=crews,
        arrival_order="automatic",
    )
    return table.roll(silk=2, ginseng=2, jade=2)


def test_r49_the_insurer_uses_what_he_has_just_earned() -> None:
    table = wrecks(2, 0, insurance=[A], punt_jade=[A])
    assert (table.cash[A], table.player(A)["pledged"]) == (36 - 14, 0)


def test_r50_the_insurer_owes_nothing_to_himself() -> None:
    table = wrecks(3, 0, 2, insurance=[A], shipyard_c=[A], shipyard_b=[B])
    assert table.cash[:2] == [0, 38]
    assert list(table.effects("repairs_paid")) == [{"seat": A, "amount": 0, "waived": 14}]


def test_r51_an_insolvent_insurer_pays_all_he_can_and_is_forgiven() -> None:
    table = wrecks(3, 3, insurance=[A], shipyard_a=[B], shipyard_c=[C])
    assert table.cash == [0 + 27 - 29 + 2, 36, 45, 30]
    assert table.player(A)["pledged"] == 2
    assert list(table.effects("repairs_paid")) == [{"seat": A, "amount": 27, "waived": 2}]


def test_r52_r53_repairs_are_paid_to_the_box_and_without_an_insurer_by_it() -> None:
    assert wrecks(2, insurance=[A]).cash == [16, 30, 30, 30]
    assert wrecks(2, shipyard_a=[B], shipyard_c=[C]).cash == [30, 36, 30, 30]


def test_r55_several_wares_can_reach_the_top_together() -> None:
    table = before_roll(
        MOVE_3,
        market={"silk": 20, "jade": 20},
        positions={"silk": 12, "ginseng": 3, "jade": 12},
        arrival_order="automatic",
    )
    table.roll(silk=2, ginseng=1, jade=2)
    assert table.market == [0, 30, 0, 30]
    assert table.asked() is None


def test_r56_r57_pledged_shares_keep_their_value_and_fortunes_can_be_negative() -> None:
    table = before_roll(
        MOVE_3,
        players={D: {"cash": 0, "pledged": 2}},
        market={"ginseng": 10, "silk": 20},
        positions={"silk": 12, "ginseng": 3, "jade": 3},
    )
    table.roll(silk=2, ginseng=1, jade=1)
    assert table.result()[D] == (4, 10 - 30)


def test_r57_a_fortune_has_no_lower_limit() -> None:
    poor = {"cash": 0, "pledged": 6, "bought": {"ginseng": 2, "jade": 2}}
    table = before_roll(MOVE_3, players={D: poor}, positions=PINNED, voyage_limit=1)
    table.roll(silk=1, ginseng=1, jade=1)
    assert table.result()[D] == (4, -90)


def test_r59_the_old_master_opens_the_next_auction() -> None:
    table = wrecks(3)
    assert table.asked() == ("auction", A)
    assert (table["voyage"], table["starter"], table["harbour_master"]) == (2, A, A)
    assert table["crews"] == {}


def test_r59_so_does_he_who_kept_the_office_without_a_bid() -> None:
    table = Table(voyage=2, harbour_master=C, starter=C, decider=C).passes(C, D, A, B)
    table.sail(C, **PINNED).abstain(C, D, A, B)
    for _ in range(3):
        table.roll(silk=1, ginseng=1, jade=1)
    assert table.asked() == ("auction", C)


def test_everything_of_the_last_voyage_is_paid() -> None:
    table = before_roll(
        MOVE_3,
        market={"jade": 20},
        positions={"silk": 3, "ginseng": 3, "jade": 12},
        crews={"punt_jade": [B], "port_a": [C], "shipyard_a": [D]},
    )
    table.roll(silk=1, ginseng=1, jade=2)
    assert table.cash == [30, 66, 36, 36]
    assert next(table.effects("shares_revealed"))["wares"] == ["nutmeg", "silk"]


def test_the_voyage_limit_ends_the_game() -> None:
    for limit, asked in ((1, None), (2, ("auction", A)), (0, ("auction", A))):
        table = before_roll(MOVE_3, positions=PINNED, voyage_limit=limit)
        assert table.roll(silk=1, ginseng=1, jade=1).asked() == asked
    assert RULESET.info.max_decisions < RULESET.info.max_events


def test_a_ware_at_the_top_ends_the_last_voyage_too() -> None:
    table = before_roll(
        MOVE_3, market={"jade": 20}, positions={**PINNED, "jade": 12}, voyage_limit=1
    )
    table.roll(silk=1, ginseng=1, jade=2)
    assert RULESET.result(table.state).reason == "ware_at_the_top"


# Service


def test_r61_who_does_not_answer_does_the_least() -> None:
    arriving = before_roll(MOVE_3, positions={"silk": 12, "ginseng": 3, "jade": 12})
    all_arriving = before_roll(MOVE_3, positions={"silk": 12, "ginseng": 12, "jade": 12})
    tables = {
        "pass_auction": Table(),
        "skip_share": Table(phase="buy_share", harbour_master=A),
        "load_wares jade": Table(phase="load_wares", harbour_master=A),
        "place_punts {'nutmeg': 4, 'silk': 3, 'ginseng': 2}": Table(
            phase="place_punts", harbour_master=A, left_out="jade"
        ),
        "abstain": at_sea("placement", PLACE_1, positions=STARTS),
        "pilot_skip": at_sea("pilot_big", MOVE_3, positions=STARTS, crews={"pilot_big": [A]}),
        "choose_arrival_order ['silk', 'jade']": arriving.roll(silk=6, ginseng=1, jade=6),
        "choose_arrival_order ['silk', 'ginseng', 'jade']": all_arriving.roll(
            silk=2, ginseng=2, jade=2
        ),
        "stay_on_pirate_boat": two_pirates(),
        "send_plundered silk port": plundered(),
    }
    for wanted, table in tables.items():
        asked = table.asked()
        assert asked is not None
        move = RULESET.default_move(table.state, asked[1])
        assert " ".join(map(str, move.to_json().values())) == wanted
        assert move in RULESET.legal_moves(table.state, asked[1])
        table.play(asked[1], "take_loan")
        assert RULESET.default_move(table.state, asked[1]) == move
        assert move in RULESET.legal_moves(table.state, asked[1])


# The variant


def displacing(**crews: list[Seat]) -> Table:
    table = before_roll(
        MOVE_2,
        positions={"nutmeg": 10, "silk": 10, "jade": 3},
        crews={"pirate": [C, D], **crews},
        pirates_displace=True,
    )
    return table.roll(nutmeg=3, silk=3, jade=1)


def test_displacing_is_checked_anew_for_the_second_pirate() -> None:
    table = displacing(punt_nutmeg=[A, B], punt_silk=[A, B, C])
    assert table.legal("board_punt") == [{"ware": "nutmeg", "displace_seat": None}]
    board(table, C, "nutmeg")
    assert table.legal("board_punt") == [
        {"ware": ware, "displace_seat": place}
        for ware, place in [("nutmeg", 0), ("nutmeg", 1), ("silk", 0), ("silk", 1), ("silk", 2)]
    ]  # except the place that the captain has just taken


def test_a_pirate_may_displace_himself() -> None:
    table = displacing(punt_nutmeg=[C, B, B], punt_silk=[A, A, D])
    table.play(C, "board_punt", ware="nutmeg", displace_seat=0)
    assert table["crews"]["punt_nutmeg"] == [C, B, B]
    assert table["crews"]["pirate"] == [D]
    assert table.player(C)["in_hand"] == 2
    assert next(table.effects("pirate_boarded"))["displaced"] == C


def test_a_seat_just_boarded_is_safe_in_this_boarding_alone() -> None:
    table = Table(pirates_displace=True)
    for _voyage in range(2):
        table.passes(A, B, C, D).sail(A, nutmeg=5, silk=4, ginseng=0)
        table.place(A, "punt_nutmeg").place(B, "punt_nutmeg").place(C, "punt_nutmeg")
        table.place(D, "pirate").roll(nutmeg=4, silk=1, ginseng=1)
        table.abstain(A, B, C, D).roll(nutmeg=4, silk=1, ginseng=1)
        assert [move["displace_seat"] for move in table.legal("board_punt")] == [0, 1, 2]
        table.play(D, "board_punt", ware="nutmeg", displace_seat=1)
        table.roll(nutmeg=1, silk=1, ginseng=1)
