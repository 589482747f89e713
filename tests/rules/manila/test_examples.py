"""The worked examples of the rules, by their numbers."""

from rules.kernel.contract.seats import Seat, by_seat
from rules.manila import RULESET
from tests.rules.manila.table import (
    MOVE_1,
    MOVE_2,
    MOVE_3,
    PLACE_1,
    PLACE_3,
    A,
    B,
    C,
    D,
    Table,
    at_sea,
    before_roll,
)
from tests.rules.playing import Json

STARTS = {"silk": 5, "ginseng": 4, "jade": 0}


def test_example_01_setup() -> None:
    table = Table()
    assert table["supply"] == {"nutmeg": 3, "silk": 2, "ginseng": 4, "jade": 3}
    assert table.cash == [30] * 4
    assert [player["in_hand"] for player in table["players"]] == [3] * 4
    three = Table(3)
    assert [player["in_hand"] for player in three["players"]] == [4] * 3
    assert sum(three["supply"].values()) == 14


def test_example_02_auction() -> None:
    table = Table().bid(A, 3).passes(B).bid(C, 5).passes(D, A)
    assert table["harbour_master"] == C
    assert table.cash == [30, 30, 25, 30]
    assert table.asked() == ("buy_share", C)


def test_example_03_nobody_bids() -> None:
    table = Table().passes(A, B, C, D)
    assert (table["harbour_master"], table.cash) == (A, [30] * 4)
    later = Table(voyage=2, harbour_master=C, starter=C, decider=C).passes(C, D, A, B)
    assert (later["harbour_master"], later.cash) == (C, [30] * 4)
    assert list(later.effects("office_awarded")) == [{"seat": C, "price": 0}]


def test_example_04_the_last_bidder() -> None:
    table = Table().passes(A, B, C)
    assert table.asked() == ("auction", D)
    assert table.bids() == list(range(1, 55))
    assert {"type": "pass_auction"} in table.legal()
    table.bid(D, 1)
    assert (table["harbour_master"], table.cash) == (D, [30, 30, 30, 29])


def test_example_05_cap_and_forced_loan() -> None:
    table = Table(players={A: {"cash": 10}})
    assert table.bids() == list(range(1, 35))
    table.bid(A, 20).passes(B, C, D)
    assert (table.player(A)["pledged"], table.player(A)["cash"]) == (1, 2)
    assert list(table.effects("loan_taken")) == [
        {"seat": A, "count": 1, "amount": 12, "forced": True}
    ]


def test_example_07_starts() -> None:
    table = Table(phase="place_punts", harbour_master=A, left_out="nutmeg")
    legal = [move["starts"] for move in table.legal("place_punts")]
    assert len(legal) == 25
    assert STARTS in legal
    assert {"silk": 3, "ginseng": 3, "jade": 3} in legal
    wrong = {"silk": 5, "ginseng": 5, "jade": 0}
    assert table.refused(A, "place_punts", starts=wrong) == "start_sum_not_nine"
    wrong = {"silk": 6, "ginseng": 3, "jade": 0}
    assert table.refused(A, "place_punts", starts=wrong) == "start_out_of_range"


def test_example_08_seat_prices() -> None:
    table = at_sea("placement", PLACE_1, positions=STARTS)
    for seat, cash in ((A, 27), (B, 26), (C, 25)):
        assert table.place(seat, "punt_jade").player(seat)["cash"] == cash
    assert table.place(D, "punt_jade").player(D)["cash"] == 25
    table.roll(silk=1, ginseng=1, jade=1)
    assert table.refused(A, "place_accomplice", space="punt_jade") == "space_occupied"


def golden_voyage() -> Table:
    """Example 9 up to the decision of the pirate captain."""
    table = Table().bid(A, 1).passes(B, C, D).sail(A, **STARTS)
    assert table.cash == [29, 30, 30, 30]

    table.place(A, "punt_silk").place(B, "punt_silk").place(C, "punt_ginseng").place(D, "pirate")
    assert table.cash == [26, 26, 29, 25]
    table.roll(silk=4, ginseng=3, jade=2)
    assert table["positions"] == {"silk": 9, "ginseng": 7, "jade": 2}

    table.place(A, "insurance").place(B, "shipyard_a").place(C, "port_a").place(D, "punt_silk")
    assert table.cash == [36, 22, 25, 20]
    table.roll(silk=4, ginseng=6, jade=3)
    assert table["positions"] == {"silk": 13, "ginseng": 13, "jade": 5}

    assert table.asked() == ("pirate_boarding", D)
    assert table.legal("board_punt") == [{"ware": "ginseng", "displace_seat": None}]
    table.play(D, "stay_on_pirate_boat")

    table.place(A, "port_b").place(B, "pilot_small").place(C, "pilot_big").abstain(D)
    assert table.cash == [33, 20, 20, 20]
    assert table.asked() == ("pilot_small", B)
    assert len(table.legal("pilot_move")) + len(table.legal("pilot_skip")) == 7
    table.play(B, "pilot_move", moves=[{"ware": "silk", "delta": -1}])
    assert table.asked() == ("pilot_big", C)
    moves = table.legal("pilot_move")
    assert len(moves) + len(table.legal("pilot_skip")) == 24
    assert {"moves": [{"ware": "ginseng", "delta": 2}]} not in moves
    steps = [{"ware": "ginseng", "delta": 1}, {"ware": "jade", "delta": 1}]
    table.play(C, "pilot_move", moves=steps)
    assert table["docked"] == ["ginseng"]
    assert table["positions"]["jade"] == 6

    table.roll(silk=1, jade=5)
    assert table["positions"] == {"silk": 13, "ginseng": 14, "jade": 11}
    assert table.asked() == ("plunder", D)
    return table


def test_example_09_golden_voyage_to_the_shipyard() -> None:
    table = golden_voyage().play(D, "send_plundered", ware="silk", destination="shipyard")
    berths = [(e["ware"], e["place"], e["slot"]) for e in table.effects("punt_docked")]
    assert berths == [
        ("ginseng", "port", "a"),
        ("silk", "shipyard", "a"),
        ("jade", "shipyard", "b"),
    ]
    assert table.cash == [19, 26, 44, 50]
    assert table.market == [0, 0, 5, 0]
    assert table.asked() == ("auction", A)


def test_example_09_golden_voyage_to_the_port() -> None:
    table = golden_voyage().play(D, "send_plundered", ware="silk", destination="port")
    assert table.cash == [35, 26, 44, 50]
    assert table.market == [0, 5, 5, 0]


def test_example_10_arrival() -> None:
    for die, position, docked in ((2, 13, []), (3, 14, ["silk"]), (6, 14, ["silk"])):
        table = before_roll(MOVE_2, positions={"silk": 11, "ginseng": 3, "jade": 3})
        table.roll(silk=die, ginseng=1, jade=1)
        assert (table["positions"]["silk"], table["docked"]) == (position, docked)


def test_example_11_two_arrivals_in_one_roll() -> None:
    cash = []
    for order in (["jade", "silk"], ["silk", "jade"]):
        table = before_roll(
            MOVE_3,
            positions={"silk": 12, "ginseng": 3, "jade": 12},
            crews={"port_a": [B], "port_b": [C], "punt_silk": [D], "punt_jade": [A]},
        )
        table.roll(silk=2, ginseng=1, jade=6)
        assert table.asked() == ("arrival_order", A)
        orders = [move["order"] for move in table.legal("choose_arrival_order")]
        assert orders == [["silk", "jade"], ["jade", "silk"]]
        table.play(A, "choose_arrival_order", order=order)
        docked = [(e["ware"], e["slot"]) for e in table.effects("punt_docked")][:2]
        assert docked == [(order[0], "a"), (order[1], "b")]
        cash.append(table.cash)
    assert cash[0] == cash[1] == [66, 36, 38, 60]


def test_example_12_cargo_split() -> None:
    table = before_roll(
        MOVE_3,
        positions={"silk": 12, "ginseng": 12, "jade": 12},
        crews={"punt_jade": [A, A, B], "punt_ginseng": [B, C, D]},
        arrival_order="automatic",
    )
    table.roll(silk=2, ginseng=2, jade=2)
    assert table.cash == [54, 48, 36, 36]
    assert table.market == [0, 5, 5, 5]  # silk, too, with nobody aboard


def test_example_14_the_captain_stays() -> None:
    table = before_roll(
        MOVE_2,
        positions={"nutmeg": 10, "ginseng": 3, "jade": 3},
        crews={"punt_nutmeg": [A], "pirate": [C, D]},
    )
    table.roll(nutmeg=3, ginseng=1, jade=1)
    assert table.asked() == ("pirate_boarding", C)
    table.play(C, "stay_on_pirate_boat")
    assert table.asked() == ("pirate_boarding", D)
    table.play(D, "board_punt", ware="nutmeg", displace_seat=None)
    assert table["crews"] == {"punt_nutmeg": [A, D], "pirate": [C]}
    assert table.cash == [30] * 4
    assert table.asked() == ("placement", A)
    assert "pirate" in table.spaces()


def test_example_16_thirteen_without_pirates() -> None:
    table = before_roll(
        MOVE_3,
        players={seat: {"cash": cash} for seat, cash in by_seat([23, 26, 36, 24])},
        positions={"nutmeg": 10, "ginseng": 10, "jade": 14},
        docked=["jade"],
        crews={
            "punt_nutmeg": [A, D],
            "port_a": [C],
            "insurance": [C],
            "port_b": [D],
            "shipyard_a": [A],
            "shipyard_b": [B],
        },
    )
    table.roll(nutmeg=3, ginseng=2)
    assert table.cash == [41, 26, 36, 44]
    assert table.market == [5, 0, 0, 5]


def test_example_17_a_pilot_moves_onto_thirteen() -> None:
    table = at_sea(
        "pilot_big",
        MOVE_3,
        B,
        positions={"silk": 11, "ginseng": 3, "jade": 3},
        crews={"pilot_big": [B], "pirate": [C], "punt_silk": [D]},
    )
    table.play(B, "pilot_move", moves=[{"ware": "silk", "delta": 2}])
    assert table["positions"]["silk"] == 13
    assert table["crews"]["punt_silk"] == [D]
    table.roll(silk=1, ginseng=1, jade=1)
    assert table.cash == [30, 30, 30, 60]
    assert table.market == [0, 5, 0, 0]


def pilot(phase: str, **positions: int) -> Table:
    docked = [ware for ware, at in positions.items() if at == 14]
    return at_sea(phase, MOVE_3, B, positions=positions, docked=docked, crews={phase: [B]})


def steps(table: Table, ware: str) -> list[int]:
    """The numbers of spaces by which a single punt may be moved."""
    moves = [move["moves"] for move in table.legal("pilot_move")]
    return [steps[0]["delta"] for steps in moves if len(steps) == 1 and steps[0]["ware"] == ware]


def test_example_18_pilot_limits() -> None:
    small = pilot("pilot_small", silk=1, ginseng=7, jade=14)
    assert steps(small, "silk") == [-1, 1]
    assert "jade" not in str(small.legal("pilot_move"))
    big = pilot("pilot_big", silk=1, ginseng=12, jade=14)
    assert steps(big, "silk") == [-1, 1, 2]
    move = [{"ware": "silk", "delta": -2}]
    assert big.refused(B, "pilot_move", moves=move) == "illegal_pilot_move"
    assert "jade" not in str(big.legal("pilot_move"))
    big.play(B, "pilot_move", moves=[{"ware": "ginseng", "delta": 2}])
    assert big["docked"] == ["jade", "ginseng"]
    big.roll(silk=1)


def insured(insurer_cash: int, wrecks: int, **crews: list[Seat]) -> Table:
    """Seat 0 is the insurer; with these dice, a number of punts do not reach Manila."""
    positions = {ware: 12 - 9 * (n < wrecks) for n, ware in enumerate(("silk", "ginseng", "jade"))}
    table = before_roll(
        MOVE_3,
        players={A: {"cash": insurer_cash}},
        positions=positions,
        crews={"insurance": [A], **crews},
        arrival_order="automatic",
    )
    return table.roll(silk=2, ginseng=2, jade=2)


def test_example_19_insurance_with_two_wrecks() -> None:
    table = insured(30, 2, shipyard_a=[C])
    assert table.cash == [16, 30, 36, 30]
    assert insured(30, 3, shipyard_a=[C]).cash == [1, 30, 36, 30]


def test_example_21_the_insurer_insures_himself() -> None:
    assert insured(35, 1, shipyard_a=[A]).cash[A] == 35
    assert insured(35, 2, shipyard_a=[A]).cash[A] == 27


def test_example_23_a_blind_passenger() -> None:
    table = at_sea(
        "placement",
        PLACE_1,
        players={A: {"cash": 0, "pledged": 2}},
        positions={"nutmeg": 5, "ginseng": 4, "jade": 0},
    )
    spaces = [
        {"type": "place_accomplice", "space": f"punt_{w}"} for w in ("nutmeg", "ginseng", "jade")
    ]
    assert table.legal() == [*spaces, {"type": "abstain"}]
    table.place(A, "punt_jade")
    assert table.cash == [0, 30, 30, 30]


def test_example_25_abstention_is_for_the_voyage() -> None:
    table = at_sea("placement", PLACE_1, positions=STARTS)
    order = []
    table.place(A, "punt_silk").place(B, "punt_silk").abstain(C).place(D, "punt_silk")
    for space in ("port_a", "port_b", "port_c", "shipyard_a", "shipyard_b", "shipyard_c"):
        if table.asked() in (("roll/dice", 1), ("roll/dice", 2)):
            table.roll(silk=1, ginseng=1, jade=1)
        asked = table.asked()
        assert asked is not None
        order.append(asked)
        table.place(asked[1], space)
    assert order == [("placement", seat) for seat in (A, B, D, A, B, D)]


SPACES_OF_26 = (
    *("pirate", "port_a", "port_b", "port_c", "shipyard_a", "shipyard_b"),
    *("punt_silk", "punt_silk", "punt_jade", "pilot_small", "pilot_big", "insurance"),
)


def test_example_26_three_players() -> None:
    table = Table(3, harbour_master=B, phase="place_punts", decider=B, left_out="nutmeg")
    table.play(B, "place_punts", starts={"silk": 3, "ginseng": 3, "jade": 3})
    spaces = iter(SPACES_OF_26)
    order: list[object] = []
    while table["voyage"] == 1:
        asked = table.asked()
        assert asked is not None
        name, seat = asked
        order.append(seat if name == "placement" else name)
        if name == "placement":
            table.place(seat, next(spaces))
        elif name == "roll/dice":
            table.roll(silk=5, ginseng=1, jade=1)
        elif name == "pirate_boarding":
            table.play(seat, "stay_on_pirate_boat")
        else:
            table.play(seat, "pilot_skip")
    assert order == [
        *(B, C, A, B, C, A, "roll/dice"),
        *(B, C, A, "roll/dice", "pirate_boarding"),
        *(B, C, A, "pilot_small", "pilot_big", "roll/dice"),
    ]


def test_example_28_redeem() -> None:
    table = Table(players={A: {"cash": 15, "pledged": 1}}).play(A, "redeem_share")
    assert (table.player(A)["cash"], table.player(A)["pledged"]) == (0, 0)
    assert table.asked() == ("auction", A)
    assert table.refused(A, "take_loan") == "finance_direction_locked"


def test_example_29_the_end() -> None:
    table = before_roll(
        MOVE_3,
        hands=(("jade", "jade"), ("nutmeg", "nutmeg"), ("ginseng", "ginseng"), ("silk", "silk")),
        players={A: {"cash": 41, "pledged": 2, "bought": {"silk": 2}}},
        market={"silk": 10, "jade": 20},
        positions={"nutmeg": 3, "ginseng": 3, "jade": 12},
    )
    table.roll(nutmeg=1, ginseng=1, jade=2)
    assert table.asked() is None
    assert table.market == [0, 10, 0, 30]
    standing = RULESET.result(table.state).standings[A]
    assert standing.score == 91
    assert standing.breakdown == {"cash": 41, "shares": 80, "pledges": -30, "fortune": 91}


def test_example_30_ties() -> None:
    table = Table(
        hands=(("nutmeg", "silk"), ("nutmeg", "silk"), ("nutmeg", "silk"), ("ginseng", "ginseng")),
        players={seat: {"cash": cash} for seat, cash in by_seat((91, 91, 60, 12))},
        market={"jade": 30},
        phase="game_over",
        decider=None,
        end_reason="ware_at_the_top",
    )
    assert table.result() == [(1, 91), (1, 91), (3, 60), (4, 12)]


def variant(**crews: list[Seat]) -> Table:
    """With ``pirates_displace``: nutmeg on 13 after the second movement, jade beside it."""
    table = before_roll(
        MOVE_2,
        positions={"nutmeg": 10, "ginseng": 3, "jade": 10 if "punt_jade" in crews else 3},
        crews={"punt_nutmeg": [A, B, A], "pirate": [C, D], **crews},
        pirates_displace=True,
    )
    return table.roll(nutmeg=3, ginseng=1, jade=3)


def boardings(ware: str, *places: int | None) -> list[Json]:
    return [{"ware": ware, "displace_seat": place} for place in places]


def test_example_31_pirates_displace() -> None:
    table = variant()
    assert table.legal("board_punt") == boardings("nutmeg", 0, 1, 2)
    table.play(C, "board_punt", ware="nutmeg", displace_seat=1)
    assert table["crews"] == {"punt_nutmeg": [A, C, A], "pirate": [D]}
    assert table.player(B)["in_hand"] == 3
    assert table.asked() == ("pirate_boarding", D)
    assert table.legal("board_punt") == boardings("nutmeg", 0, 2)
    table.play(D, "stay_on_pirate_boat")
    assert table["crews"]["pirate"] == [D]


def test_example_31_an_empty_seat_is_taken_first() -> None:
    table = variant(punt_jade=[B])
    assert table.legal("board_punt") == boardings("jade", None)


def test_example_32_class_errors() -> None:
    def poor(cash: int, **crews: list[Seat]) -> Table:
        return at_sea(
            "placement",
            PLACE_3,
            players={A: {"cash": cash, "pledged": 2}},
            positions={"silk": 7, "ginseng": 7, "jade": 7},
            crews={"punt_ginseng": [B, B], "punt_silk": [C, C, D], **crews},
        )

    assert poor(0).refused(A, "place_accomplice", space="insurance") == "blind_passenger_punts_only"
    assert poor(2).refused(A, "place_accomplice", space="pirate") == "insufficient_funds"
    taken = {"port_c": [C], "shipyard_c": [D], "pilot_small": [B]}
    short = poor(2, **taken)
    assert short.refused(A, "place_accomplice", space="port_a") == "cheapest_space_only"
    for table in (poor(0), poor(2), short):
        assert table.refused(A, "place_accomplice", space="punt_silk") == "space_occupied"


def test_example_33_decisions_after_the_last_movement() -> None:
    for destination, berth in (("port", ("port", "c")), ("shipyard", ("shipyard", "a"))):
        table = before_roll(
            MOVE_3,
            positions={"silk": 12, "ginseng": 12, "jade": 12},
            crews={"pirate": [B]},
        )
        table.roll(silk=2, ginseng=1, jade=2)
        assert table.asked() == ("arrival_order", A)
        table.play(A, "choose_arrival_order", order=["silk", "jade"])
        assert table["docked"] == ["silk", "jade"]
        assert table.asked() == ("plunder", B)
        table.play(B, "send_plundered", ware="ginseng", destination=destination)
        last = list(table.effects("punt_docked"))[-1]
        assert (last["ware"], (last["place"], last["slot"])) == ("ginseng", berth)
        assert table.asked() == ("auction", A)


def test_the_first_movement_never_reaches_thirteen() -> None:
    table = before_roll(MOVE_1, positions=STARTS).roll(silk=6, ginseng=6, jade=6)
    assert max(table["positions"].values()) == 11
