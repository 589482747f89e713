"""The worked examples of the rules, by their numbers."""

from rules.kernel.contract.seats import Seat, by_seat
from rules.santiago_de_cuba import RULESET
from tests.rules.playing import Json
from tests.rules.santiago_de_cuba.table import (
    A,
    B,
    C,
    D,
    Table,
    at_alonso,
    at_building,
    before,
    in_harbour,
)

WHITE = [{"building": b} for b in ("distillery", "sawmill", "casino")]


def test_example_01_driving_three_steps_costs_two_pesos() -> None:
    table = Table(players={A: {"pesos": 5, "goods": {}}}, car=5)
    table.play(A, "drive_car", steps=3)
    assert table.player(A)["pesos"] == 3
    assert table["car"] == 8
    assert table.goods(A) == {"tobacco": 2}
    assert table.asked() == ("move_pawn", A)
    assert table.legal() == [{"type": "move_pawn", **building} for building in WHITE]


def test_example_02_the_owner_gets_a_bonus_for_the_visit() -> None:
    table = Table(
        players={
            A: {"pesos": 4, "goods": {}, "pawn": "black_market"},
            B: {"pawn": "tobacco_factory"},
        },
        owner={"bank": B},
        car=1,
    )
    table.play(A, "drive_car", steps=1)
    assert table.player(A)["pesos"] == 4
    assert table.goods(A) == {"wood": 2}
    assert table.legal("move_pawn") == [{"building": "bank"}]
    table.play(A, "move_pawn", building="bank").play(A, "use_building")
    assert table.player(A)["pesos"] == 6
    assert table.player(B)["vp"] == 3
    assert list(table.effects("owner_bonus_paid")) == [
        {"seat": B, "visitor": A, "building": "bank", "vp": 1}
    ]


def test_example_03_alonso_uses_an_own_building_and_the_pawn_another() -> None:
    table = Table(players={A: {"pesos": 2}}, owner={"bank": A}, car=3)
    table.play(A, "drive_car", steps=1).play(A, "alonso_use", building="bank")
    assert table.player(A)["pesos"] == 4
    assert table.player(A)["pawn"] is None
    assert table.legal("move_pawn") == WHITE
    table.play(A, "move_pawn", building="casino")
    assert table.asked() == ("use_building", A)


def _loading_round(maria: dict[str, int]) -> Table:
    return Table(
        4,
        players={
            A: {"vp": 0, "goods": {"citrus": 2, "rum": 1}},
            B: {"vp": 0, "goods": {"sugar": 2}},
            C: {"vp": 0, "goods": {"sugar": 1, "citrus": 1}},
            D: {"vp": 0, "goods": maria},
        },
        car=9,
        value_index=1,
        demand={"sugar": 2, "citrus": 4, "rum": 1, "tobacco": 0},
    ).play(A, "drive_car", steps=1)


def test_example_04_a_loading_round_that_leaves_demand() -> None:
    table = _loading_round({"tobacco": 1})
    table.play(A, "load_goods", good="citrus", amount=2, die="citrus")
    table.play(B, "load_goods", good="sugar", amount=2, die="sugar")
    code = table.refused(C, "load_goods", good="sugar", amount=1, die="sugar")
    assert code == "good_not_demanded"
    table.play(C, "load_goods", good="citrus", amount=1, die="citrus")
    table.play(D, "pass_loading")
    table.play(A, "load_goods", good="rum", amount=1, die="rum")
    for seat in (B, C, A):
        table.play(seat, "pass_loading")
    assert [player["vp"] for player in table["players"]] == [9, 6, 3, 0]
    assert table["demand"] == {"sugar": 0, "citrus": 1, "rum": 0, "tobacco": 0}
    assert (table["value_index"], table["ship_number"]) == (2, 1)
    assert table.asked() == ("drive_car", B)
    assert table.causes("value_marker_moved") == ["flag_after_loading"]


def test_example_05_a_loading_round_that_fills_the_ship() -> None:
    table = _loading_round({"citrus": 1})
    table.play(A, "load_goods", good="citrus", amount=2, die="citrus")
    table.play(B, "load_goods", good="sugar", amount=2, die="sugar")
    table.play(C, "load_goods", good="citrus", amount=1, die="citrus")
    table.play(D, "load_goods", good="citrus", amount=1, die="citrus")
    table.play(A, "load_goods", good="rum", amount=1, die="rum")
    assert [player["vp"] for player in table["players"]] == [9, 6, 3, 3]
    assert table.causes() == ["demand_met_loading"]
    assert (table["value_index"], table["ship_number"], table["demand"]) == (0, 2, None)
    assert table.asked() == ("roll/demand", 2)
    assert table.roll(sugar=1).asked() == ("choose_demand", A)


def test_example_06_wood_serves_one_die_for_one_point_each() -> None:
    demand = {"sugar": 2, "rum": 2, "tobacco": 1, "citrus": 0}
    for die in ("sugar", "rum"):
        table = in_harbour(players={A: {"goods": {"wood": 2}}}, demand=demand, value_index=2)
        table.play(A, "load_goods", good="wood", amount=2, die=die)
        assert table["demand"][die] == 0
        assert table.player(A)["vp"] == 4
    table = in_harbour(players={A: {"goods": {"wood": 2}}}, demand=demand)
    code = table.refused(A, "load_goods", good="wood", amount=2, die="tobacco")
    assert code == "exceeds_demand"
    assert table.legal("load_goods") == [
        {"good": "wood", "amount": 1, "die": "sugar"},
        {"good": "wood", "amount": 2, "die": "sugar"},
        {"good": "wood", "amount": 1, "die": "tobacco"},
        {"good": "wood", "amount": 1, "die": "rum"},
        {"good": "wood", "amount": 2, "die": "rum"},
    ]


def test_example_07_set_up_for_four() -> None:
    state = RULESET.to_json(RULESET.initial(4, RULESET.parse_options(4, {})))
    assert state["players"][2] == {
        "pesos": 3,
        "vp": 2,
        "goods": {"sugar": 1, "citrus": 1, "tobacco": 1, "rum": 0, "cigars": 0, "wood": 0},
        "pawn": None,
        "markers_left": 3,
    }
    assert state["supply"] == {
        "sugar": 4, "citrus": 4, "tobacco": 4, "rum": 8, "cigars": 8, "wood": 8,
    }  # fmt: skip


def test_example_08_passing_the_harbour_moves_the_marker() -> None:
    table = Table(players={A: {"pesos": 4, "goods": {}}}, car=9)
    table.play(A, "drive_car", steps=3)
    assert table.player(A)["pesos"] == 2
    assert table["value_index"] == 1
    assert table.goods(A) == {"wood": 2}
    assert table.asked() == ("move_pawn", A)


def _passing_with_the_marker_on_the_last_flag(ship: int) -> Table:
    table = Table(players={A: {"pesos": 4, "goods": {}}}, car=9, value_index=2, ship_number=ship)
    return table.play(A, "drive_car", steps=3)


def test_example_09_passing_the_harbour_sends_the_ship_away() -> None:
    table = _passing_with_the_marker_on_the_last_flag(3)
    assert table.causes() == ["flag_passing_harbour"]
    assert (table["ship_number"], table["value_index"], table["demand"]) == (4, 0, None)
    assert table.goods(A) == {"wood": 2}
    table.play(A, "move_pawn", building="bank").play(A, "use_building")
    assert table.player(A)["pesos"] == 4
    assert table.asked() == ("roll/demand", 4)
    table.roll(sugar=1, citrus=4, tobacco=0, rum=2, cigars=3)
    assert table.asked() == ("choose_demand", A)
    assert [move["leave_out"] for move in table.legal("choose_demand")] == [
        "sugar", "citrus", "tobacco", "rum", "cigars",
    ]  # fmt: skip
    table.play(A, "choose_demand", leave_out="tobacco")
    assert table["demand"] == {"sugar": 1, "citrus": 4, "rum": 2, "cigars": 3}
    assert table["left_out"] == "tobacco"
    assert table.asked() == ("drive_car", B)


def test_example_10_the_seventh_ship_ends_the_game_on_the_way() -> None:
    table = _passing_with_the_marker_on_the_last_flag(7)
    assert table.asked() is None
    assert table["end_reason"] == "seventh_ship"
    assert table.player(A)["pesos"] == 2
    assert table.goods(A) == {}
    assert table.player(A)["pawn"] is None
    assert (table["ship_number"], table["value_index"]) == (7, 3)
    assert table["demand"] is not None
    assert table["turns_done"] == 2


def test_example_11_ten_steps() -> None:
    table = Table(players={A: {"pesos": 9}}, car=0).play(A, "drive_car", steps=10)
    assert table.player(A)["pesos"] == 0
    assert table["value_index"] == 0
    assert table.asked() == ("loading_round", A)
    table = Table(players={A: {"pesos": 9, "goods": {}}}, car=8).play(A, "drive_car", steps=10)
    assert table.player(A)["pesos"] == 0
    assert (table["value_index"], table["car"]) == (1, 8)
    assert table.goods(A) == {"tobacco": 2}
    table = Table(players={A: {"pesos": 8}}, car=8)
    assert table.refused(A, "drive_car", steps=10) == "insufficient_pesos"


def test_example_12_an_inactive_citizen() -> None:
    def start() -> Table:
        return Table(
            players={A: {"goods": {}, "pawn": "church"}},
            owner={"church": B},
            car=1,
            inactive=["miguel"],
        )

    table = start().play(A, "drive_car", steps=1)
    assert table["inactive"] == []
    assert table.goods(A) == {}
    assert table.player(A)["pawn"] == "church"
    assert table.player(B)["vp"] == 3
    assert table.asked() == ("drive_car", B)
    table = start().play(A, "drive_car", steps=2)
    assert table.player(A)["pesos"] == 2
    assert table["inactive"] == []
    assert table.asked() == ("tribute", B)


def test_example_13_the_newspaper_turns_alonso_down_where_the_car_stands() -> None:
    table = at_alonso(owner={"newspaper": A})
    table.play(A, "alonso_use", building="newspaper", citizen="alonso")
    assert table.player(A)["pesos"] == 4
    assert table["inactive"] == ["alonso"]
    table.play(A, "move_pawn", building="sawmill").play(A, "skip_building")
    table.play(B, "drive_car", steps=1)
    assert table["inactive"] == ["alonso"]


def test_example_14_a_failed_round_at_the_last_flag_sends_the_ship_away() -> None:
    table = in_harbour(
        players={A: {"goods": {"rum": 1}}, B: {"goods": {"rum": 1}}},
        value_index=2,
        ship_number=2,
        demand={"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0},
    )
    table.play(A, "pass_loading").play(B, "pass_loading")
    assert table.causes() == ["flag_after_loading"]
    assert (table["ship_number"], table["value_index"]) == (3, 0)
    assert table.roll(rum=1).asked() == ("choose_demand", A)


def test_example_16_the_supply_limits_what_pedro_gives() -> None:
    for others, gained in ((7, 1), (8, 0)):
        players: dict[Seat, Json] = {A: {"goods": {}}, B: {"goods": {"tobacco": others}}}
        table = Table(players=players, car=before("pedro")).play(A, "drive_car", steps=1)
        assert table.goods(A).get("tobacco", 0) == gained
        assert table["supply"]["tobacco"] == 0
        assert table.asked() == ("move_pawn", A)


def test_example_17_el_zorro_takes_from_everybody_who_has_something() -> None:
    table = Table(
        4,
        players={
            A: {"goods": {}, "pawn": "bank"},
            B: {"pesos": 0, "vp": 0, "goods": {"wood": 2}},
            C: {"pesos": 1, "vp": 0, "goods": {"rum": 1}},
            D: {"pesos": 0, "vp": 3, "goods": {}},
        },
        car=2,
    ).play(A, "drive_car", steps=1)
    assert list(table.effects("tribute_skipped")) == [{"seat": B}]
    assert table.asked() == ("tribute", C)
    assert table.legal("give_tribute") == [{"kind": "peso"}, {"kind": "good", "good": "rum"}]
    table.play(C, "give_tribute", kind="good", good="rum")
    assert table.goods(A) == {"rum": 1}
    assert table.asked() == ("tribute", D)
    assert table.legal("give_tribute") == [{"kind": "vp"}]
    table.play(D, "give_tribute", kind="vp")
    assert (table.money(D), table.money(A)) == ((0, 2), (3, 3))
    assert table.asked() == ("use_building", A)


def test_example_18_el_zorro_before_the_pawn_is_placed() -> None:
    table = Table(car=2).play(A, "drive_car", steps=1).play(B, "give_tribute", kind="peso")
    assert table.money(A) == (4, 2)
    assert table.asked() == ("drive_car", B)


def test_example_20_all_buildings_of_the_flower_are_occupied() -> None:
    others = {B: {"pawn": "bank"}, C: {"pawn": "black_market"}, D: {"pawn": "tobacco_factory"}}
    table = Table(4, players={A: {"pawn": "church"}, **others}, car=1)
    table.play(A, "drive_car", steps=1)
    assert table.asked() == ("use_building", A)
    table.play(A, "use_building")
    assert table.player(A)["vp"] == 3
    table = Table(4, players=others, car=1).play(A, "drive_car", steps=1)
    assert table.asked() == ("drive_car", B)


def test_example_21_the_distillery_is_limited_by_the_supply_of_rum() -> None:
    players = {A: {"goods": {"sugar": 5}}, B: {"goods": {"rum": 5}}}
    table = at_building("distillery", players=players)
    assert table.legal("use_building") == [{"amount": 1}, {"amount": 2}, {"amount": 3}]
    assert table.refused(A, "use_building", amount=4) == "supply_exhausted"
    assert table.refused(A, "use_building", amount=6) == "exceeds_held"
    table.play(A, "use_building", amount=3)
    assert table.goods(A) == {"sugar": 2, "rum": 3}


def test_example_22_the_casino() -> None:
    def start() -> Table:
        return at_building("casino", players={A: {"pesos": 7, "vp": 2}})

    assert start().legal("use_building") == [
        {"direction": direction, "times": times}
        for direction in ("pesos_to_vp", "vp_to_pesos")
        for times in (1, 2)
    ]
    table = start().play(A, "use_building", direction="pesos_to_vp", times=2)
    assert table.money(A) == (1, 4)
    table = start().play(A, "use_building", direction="vp_to_pesos", times=2)
    assert table.money(A) == (13, 0)


def test_example_23_the_port_office() -> None:
    table = at_building("port_office")
    assert table.legal("use_building") == [{"direction": "right"}]
    assert table.refused(A, "use_building", direction="left") == "marker_at_minimum"
    table.play(A, "use_building", direction="right")
    assert table["value_index"] == 1
    table = at_building("port_office", value_index=2, ship_number=6)
    table.play(A, "use_building", direction="right")
    assert table.causes() == ["flag_port_office"]
    assert (table["ship_number"], table["value_index"]) == (7, 0)
    assert table.asked() == ("roll/demand", 7)
    table = at_building("port_office", value_index=2, ship_number=7)
    assert table.play(A, "use_building", direction="right").asked() is None


def test_example_25_the_office_gives_two_points_whatever_the_flag() -> None:
    table = at_building(
        "office",
        players={A: {"goods": {"rum": 1}}},
        value_index=2,
        demand={"sugar": 0, "citrus": 0, "tobacco": 0, "rum": 1},
    )
    table.play(A, "use_building", good="rum")
    assert table.player(A)["vp"] == 4
    assert table.causes() == ["demand_met_office"]


def test_example_26_the_black_market() -> None:
    players = {A: {"goods": {"sugar": 1, "wood": 1}}, B: {"goods": {"cigars": 8}}}
    table = at_building("black_market", players=players)
    assert table.refused(A, "use_building", give="wood", take="rum") == "wood_not_allowed"
    assert table.refused(A, "use_building", give="sugar", take="wood") == "wood_not_allowed"
    assert table.refused(A, "use_building", give="sugar", take="sugar") == "same_good"
    assert table.refused(A, "use_building", give="sugar", take="cigars") == "supply_exhausted"
    assert [move["take"] for move in table.legal("use_building")] == ["citrus", "tobacco", "rum"]


def test_example_27_the_sawmill() -> None:
    table = at_building("sawmill", players={A: {"goods": {"wood": 1}}}).play(A, "use_building")
    assert table.goods(A) == {}
    assert table.money(A) == (4, 3)
    table = at_building("sawmill", players={A: {"goods": {}}})
    assert table.legal() == [{"type": "skip_building"}]


def test_example_28_the_cafe() -> None:
    table = at_building("cafe", players={A: {"goods": {"rum": 1, "cigars": 2}}})
    uses = [(use["rum"], use["cigars"]) for use in table.legal("use_building")]
    assert sorted(uses) == [(0, 1), (1, 0), (1, 1)]
    table.play(A, "use_building", rum=1, cigars=1)
    assert table.player(A)["vp"] == 6
    assert table.goods(A) == {"cigars": 1}


def test_example_30_the_owner_is_paid_for_a_pawn_that_stays() -> None:
    table = Table(
        players={A: {"pawn": "cafe"}}, owner={"cafe": B}, car=9, inactive=["martinez", "miguel"]
    )
    table.play(A, "drive_car", steps=1).play(A, "pass_loading").play(B, "pass_loading")
    assert table.player(B)["vp"] == 3
    table.play(B, "drive_car", steps=1)
    table.play(A, "drive_car", steps=1)
    assert table.player(B)["vp"] == 4


def test_example_31_claiming_an_occupied_building_pays_later() -> None:
    table = at_alonso(players={A: {"pawn": "casino"}, B: {"pawn": "church", "pesos": 9}})
    table.play(A, "alonso_claim", building="church")
    table.play(A, "move_pawn", building="sawmill").play(A, "skip_building")
    assert table.player(A)["vp"] == 2
    table.play(B, "drive_car", steps=6).play(B, "pass_loading").play(A, "pass_loading")
    assert table.player(A)["vp"] == 3


def test_example_32_no_fourth_building() -> None:
    table = at_alonso(owner={"bank": A, "church": A, "casino": A}, players={A: {"vp": 0}})
    assert table.refused(A, "alonso_claim", building="cafe") == "no_markers_left"
    assert table.legal() == [
        {"type": "alonso_use", "building": "casino", "direction": "pesos_to_vp", "times": 1},
        {"type": "alonso_use", "building": "bank"},
        {"type": "alonso_use", "building": "church"},
        {"type": "alonso_decline"},
    ]


def _final(*holdings: tuple[int, int, int]) -> list[tuple[int, int]]:
    stocks = _stocks([goods for _, goods, _ in holdings])
    players = {
        seat: {"vp": vp, "goods": stock, "pesos": pesos}
        for seat, ((vp, _, pesos), stock) in by_seat(zip(holdings, stocks, strict=True))
    }
    players[A]["pesos"] = holdings[A][2] + 1  # the fare of the drive that ends the game
    table = Table(len(holdings), players=players, car=9, value_index=2, ship_number=7)
    return table.play(A, "drive_car", steps=2).result()


def _stocks(sizes: list[int]) -> list[dict[str, int]]:
    left = [good for good in ("sugar", "citrus", "tobacco", "rum") for _ in range(8)]
    stocks = []
    for size in sizes:
        taken, left = left[:size], left[size:]
        stocks.append({good: taken.count(good) for good in taken})
    return stocks


def test_example_34_final_ranking() -> None:
    d = (30, 8, 0)
    assert _final((40, 7, 1), (41, 5, 9), (42, 2, 20), d) == [(1, 42), (2, 42), (3, 42), (4, 32)]
    assert _final((40, 7, 1), (40, 7, 9), (42, 2, 20), d) == [(2, 42), (1, 42), (3, 42), (4, 32)]
    assert _final((40, 7, 9), (40, 7, 9), (42, 2, 20), d) == [(1, 42), (1, 42), (3, 42), (4, 32)]
