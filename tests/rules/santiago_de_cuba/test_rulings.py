"""Rulings that no worked example shows, and scoring, options and default moves."""

import pytest

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.seats import Seat, by_seat
from rules.santiago_de_cuba import RULESET
from tests.rules.playing import Json
from tests.rules.santiago_de_cuba.table import (
    BUILDINGS,
    CITIZENS,
    DICE,
    LAYOUT_L,
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


def _new_game(seats: int, **options: object) -> Table:
    table = Table(seats)
    table.state = RULESET.initial(seats, RULESET.parse_options(seats, options))
    return table


# Driving


def test_r1_at_most_ten_steps_are_offered() -> None:
    table = Table(players={A: {"pesos": 30}})
    assert [move["steps"] for move in table.legal("drive_car")] == list(range(1, 11))
    table = Table(players={A: {"pesos": 0}})
    assert table.legal() == [{"type": "drive_car", "steps": 1}]


def test_r5_a_full_lap_wakes_up_those_on_the_way_and_visits_the_same_citizen() -> None:
    table = Table(players={A: {"pesos": 9}}, car=5, inactive=["martinez", "pablo"])
    table.play(A, "drive_car", steps=10)
    assert table["inactive"] == []
    assert table.player(A)["vp"] == 4
    assert table.asked() == ("move_pawn", A)


def test_r6_a_stop_at_the_harbour_does_not_move_the_marker() -> None:
    assert Table(car=9).play(A, "drive_car", steps=1)["value_index"] == 0


# Citizens


def test_r8_any_active_citizen_can_be_turned_down_several_at_once() -> None:
    table = at_building("newspaper", inactive=["pedro", "el_zorro"])
    offered = [move["citizen"] for move in table.legal("use_building")]
    assert offered == [None, "maria", "jose", "martinez", "conchita", "miguel", "pablo", "alonso"]
    table.play(A, "use_building", citizen="alonso")
    assert set(table["inactive"]) == {"pedro", "el_zorro", "alonso"}


def test_r9_the_newspaper_can_give_its_peso_alone() -> None:
    table = at_building("newspaper").play(A, "use_building", citizen=None)
    assert table.money(A) == (4, 2)
    assert table["inactive"] == []


@pytest.mark.parametrize("said", [{}, {"citizen": None}])
def test_a_client_may_leave_out_what_is_null_or_say_it_where_nothing_is_taken(said: Json) -> None:
    for visited, whole in (("newspaper", {"citizen": None}), ("bank", {})):
        table = at_building(visited)
        move = RULESET.spelled_out(table.state, A, {"type": "use_building", **said})
        assert RULESET.read_move(table.state, A, move).to_json() == {
            "type": "use_building",
            **whole,
        }
        errand = {"type": "alonso_use", "building": visited}
        assert RULESET.spelled_out(table.state, A, {**errand, **said}) == {**errand, **whole}
    for other in ({"type": "use_building", "good": None}, {"type": ["alonso_use"]}, {}):
        assert RULESET.spelled_out(at_building("bank").state, A, other) == other


def test_r10_fixed_favours_come_by_themselves() -> None:
    gains: dict[str, Json] = {
        "pedro": {"tobacco": 2},
        "jose": {"sugar": 2},
        "conchita": {"citrus": 2},
        "miguel": {"wood": 2},
        "maria": {},
        "martinez": {},
    }
    for citizen, goods in gains.items():
        table = Table(players={A: {"goods": {}}}, car=before(citizen))
        table.play(A, "drive_car", steps=1)
        assert table.goods(A) == goods
        assert table.money(A) == (6 if citizen == "martinez" else 3, 4 if citizen == "maria" else 2)
        assert table["visited_citizen"] == citizen


def test_pablo_gives_a_good_of_choice() -> None:
    players: dict[Seat, Json] = {A: {"goods": {}}, B: {"goods": {"rum": 8}}}
    table = Table(players=players, car=8).play(A, "drive_car", steps=1)
    offered = [move["good"] for move in table.legal("take_good")]
    assert offered == ["sugar", "citrus", "tobacco", "cigars"]
    table.play(A, "take_good", good="cigars")
    assert table.goods(A) == {"cigars": 1}
    assert table.asked() == ("move_pawn", A)


def test_r12_pablo_has_nothing_left() -> None:
    table = Table(players={B: {"goods": dict.fromkeys(DICE, 8)}, A: {"goods": {}}}, car=8)
    assert table.play(A, "drive_car", steps=1).asked() == ("move_pawn", A)


def test_r13_gifts_are_given_clockwise_from_the_left() -> None:
    table = Table(4, car=2, active=C, decider=C)
    table.play(C, "drive_car", steps=1)
    for giver in (D, A, B):
        assert table.asked() == ("tribute", giver)
        table.play(giver, "give_tribute", kind="peso")
    assert table.money(C) == (6, 2)


def test_r14_el_zorro_lets_you_use_the_building_you_are_on_and_its_owner_gains() -> None:
    table = Table(players={A: {"pawn": "church"}}, owner={"church": B}, car=2)
    table.play(A, "drive_car", steps=1).play(B, "give_tribute", kind="vp")
    assert table.asked() == ("use_building", A)
    table.play(A, "use_building")
    assert (table.player(A)["vp"], table.player(B)["vp"]) == (4, 2)


@pytest.mark.parametrize(
    ("holds", "offered"),
    [
        ({"pesos": 1, "vp": 0, "goods": {}}, [{"kind": "peso"}]),
        ({"pesos": 0, "vp": 1, "goods": {}}, [{"kind": "vp"}]),
        ({"pesos": 0, "vp": 0, "goods": {"cigars": 1}}, [{"kind": "good", "good": "cigars"}]),
    ],
)
def test_r13_one_kind_of_thing_is_enough_to_be_asked(holds: Json, offered: list[Json]) -> None:
    table = Table(players={B: holds}, car=2).play(A, "drive_car", steps=1)
    assert table.asked() == ("tribute", B)
    assert table.legal("give_tribute") == offered


# Pawns and owners


def test_r17_the_owner_gains_one_point_and_nothing_else() -> None:
    table = at_building("church", owner={"church": B})
    before_bonus = table.player(B)
    table.play(A, "skip_building")
    assert table.player(B) == {**before_bonus, "vp": before_bonus["vp"] + 1}


def test_r16_the_pawn_must_move_to_a_free_building_of_the_flower() -> None:
    table = Table(players={A: {"pawn": "bank"}, B: {"pawn": "black_market"}}, car=1)
    table.play(A, "drive_car", steps=1)
    assert table.legal() == [{"type": "move_pawn", "building": "tobacco_factory"}]


def test_r17_the_owner_gains_even_if_the_building_is_not_used() -> None:
    table = at_building("church", owner={"church": B}).play(A, "skip_building")
    assert (table.player(A)["vp"], table.player(B)["vp"]) == (2, 3)


def test_r18_no_bonus_for_an_own_building() -> None:
    table = at_building("church", owner={"church": A}).play(A, "skip_building")
    assert table.player(A)["vp"] == 2


def test_r18_no_bonus_when_the_game_ends() -> None:
    table = at_building("port_office", owner={"port_office": B}, value_index=2, ship_number=7)
    table.play(A, "use_building", direction="right")
    assert table.player(B)["vp"] == 2


def test_r19_claiming_an_occupied_building_pays_nothing_now() -> None:
    table = at_alonso(players={B: {"pawn": "church"}}).play(A, "alonso_claim", building="church")
    assert table.player(A)["vp"] == 2
    assert table.player(A)["markers_left"] == 2
    assert table["owner"] == {"church": A}


def test_r20_an_own_building_can_serve_twice_in_a_turn() -> None:
    table = at_alonso(
        owner={"sawmill": A}, players={A: {"goods": {"wood": 2}}, B: {"pawn": "bank"}}
    )
    table.play(A, "alonso_use", building="sawmill")
    table.play(A, "move_pawn", building="sawmill").play(A, "use_building")
    assert table.money(A) == (5, 4)
    assert table.goods(A) == {}


def test_r20_a_pawn_on_the_building_does_not_matter_to_alonso() -> None:
    table = at_alonso(owner={"bank": A}, players={B: {"pawn": "bank"}})
    assert table.play(A, "alonso_use", building="bank").money(A) == (5, 2)


def test_r22_alonso_can_be_declined() -> None:
    table = at_alonso().play(A, "alonso_decline")
    assert table.asked() == ("move_pawn", A)
    assert table["owner"] == {}


# Buildings


def test_r24_pesos_and_points_never_run_out() -> None:
    table = at_building("casino", players={A: {"pesos": 60, "vp": 230}})
    table.play(A, "use_building", direction="vp_to_pesos", times=230)
    assert table.money(A) == (750, 0)


def test_r27_the_office_takes_only_what_the_ship_wants() -> None:
    table = at_building(
        "office",
        players={A: {"goods": {"sugar": 1, "citrus": 1, "rum": 1, "wood": 1}}},
        demand={"citrus": 2, "tobacco": 1, "rum": 0, "cigars": 0},
    )
    assert table.legal("use_building") == [{"good": "citrus"}]
    table.play(A, "use_building", good="citrus")
    assert table["demand"]["citrus"] == 1


def test_r28_r41_customs_zeroes_a_die_that_is_on_the_ship() -> None:
    table = at_building("customs", demand={"citrus": 4, "tobacco": 0, "rum": 2, "cigars": 0})
    assert table.legal("use_building") == [{"good": "citrus"}, {"good": "rum"}]
    table.play(A, "use_building", good="citrus")
    assert table["demand"] == {"citrus": 0, "tobacco": 0, "rum": 2, "cigars": 0}


def test_customs_can_send_the_ship_away() -> None:
    table = at_building("customs", demand={"citrus": 4, "tobacco": 0, "rum": 0, "cigars": 0})
    table.play(A, "use_building", good="citrus")
    assert table.causes() == ["demand_met_customs"]
    assert table.asked() == ("roll/demand", 2)


def test_r29_the_port_office_used_twice_moves_the_new_ships_marker() -> None:
    table = at_alonso(owner={"port_office": A}, value_index=2, players={A: {"pawn": "port_office"}})
    table.play(A, "alonso_use", building="port_office", direction="right")
    assert (table["ship_number"], table["value_index"]) == (2, 0)
    assert table.asked() == ("move_pawn", A)
    table = at_building("port_office", demand=None, value_index=1, ship_number=2)
    assert [use["direction"] for use in table.legal("use_building")] == ["right", "left"]
    table.play(A, "use_building", direction="right")
    assert (table["ship_number"], table["value_index"]) == (2, 2)


def test_r29_the_port_office_moves_the_marker_one_flag_back() -> None:
    for flag in (1, 2):
        table = at_building("port_office", value_index=flag)
        table.play(A, "use_building", direction="left")
        assert (table["ship_number"], table["value_index"]) == (1, flag - 1)


def test_r30_no_use_of_office_and_customs_while_a_ship_has_no_dice() -> None:
    for building in ("office", "customs"):
        assert at_building(building, demand=None).legal() == [{"type": "skip_building"}]


def test_r43_the_seventh_ship_sails_while_alonso_is_at_work() -> None:
    table = at_alonso(owner={"port_office": A}, value_index=2, ship_number=7)
    table.play(A, "alonso_use", building="port_office", direction="right")
    assert table.asked() is None
    assert table.player(A)["pawn"] is None


# Loading


def test_r33_a_lone_player_goes_on() -> None:
    table = in_harbour(
        3,
        players={C: {"goods": {"rum": 3}}},
        demand={"sugar": 1, "citrus": 1, "tobacco": 1, "rum": 3},
    )
    table.play(A, "pass_loading").play(B, "pass_loading")
    for amount in (1, 2):
        table.play(C, "load_goods", good="rum", amount=amount, die="rum")
        assert table.asked() == ("loading_round", C)
    table.play(C, "pass_loading")
    assert table.asked() == ("drive_car", B)


@pytest.mark.parametrize(
    ("passed", "loader", "next_"),
    [((), B, C), ((C,), B, D), ((C, D), B, A), ((A,), D, B), ((A, B), D, C)],
)
def test_who_has_passed_is_skipped_clockwise(
    passed: tuple[int, ...], loader: int, next_: int
) -> None:
    demand = {"sugar": 3, "citrus": 1, "tobacco": 1, "rum": 1}
    table = in_harbour(4, demand=demand, passed=list(passed), decider=loader)
    table.play(loader, "load_goods", good="sugar", amount=1, die="sugar")
    assert table.asked() == ("loading_round", next_)


@pytest.mark.parametrize(("passed", "passer", "next_"), [((), B, C), ((C,), B, A), ((A,), C, B)])
def test_a_pass_goes_on_clockwise_too(passed: tuple[int, ...], passer: int, next_: int) -> None:
    table = in_harbour(3, passed=list(passed), decider=passer).play(passer, "pass_loading")
    assert table.asked() == ("loading_round", next_)


def test_r35_wood_and_the_real_good_can_serve_one_die_in_turn() -> None:
    demand = {"sugar": 0, "citrus": 0, "tobacco": 1, "rum": 2}
    table = in_harbour(players={A: {"goods": {"rum": 1, "wood": 1}}}, demand=demand, value_index=2)
    table.play(A, "load_goods", good="rum", amount=1, die="rum").play(B, "pass_loading")
    table.play(A, "load_goods", good="wood", amount=1, die="rum")
    assert table.player(A)["vp"] == 2 + 4 + 1


def test_r36_passing_is_final_for_the_round() -> None:
    table = in_harbour(demand={"sugar": 1, "citrus": 1, "tobacco": 1, "rum": 1})
    table.play(A, "pass_loading")
    table.play(B, "load_goods", good="sugar", amount=1, die="sugar")
    assert table.asked() == ("loading_round", B)
    assert table.refused(A, "pass_loading") == "not_your_decision"


def test_r36_nobody_has_passed_once_the_turn_is_over() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}
    unmet = in_harbour().play(A, "pass_loading").play(B, "pass_loading")
    assert (unmet.asked(), unmet["passed"]) == (("drive_car", B), [])
    filled = in_harbour(demand=demand).play(A, "pass_loading")
    filled.play(B, "load_goods", good="sugar", amount=1, die="sugar")
    assert (filled.asked(), filled["passed"]) == (("roll/demand", 2), [])
    last = in_harbour(turn_limit=3).play(A, "pass_loading").play(B, "pass_loading")
    assert (last["end_reason"], last["passed"]) == ("turn_limit", [])


def test_r37_the_marker_moves_once_per_failed_round() -> None:
    table = in_harbour(4)
    for seat in (A, B, C, D):
        table.play(seat, "pass_loading")
    assert table["value_index"] == 1


def test_r39_the_active_player_rolls_though_another_loaded_last() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}
    table = in_harbour(3, players={B: {"goods": {"sugar": 1}}}, demand=demand)
    table.play(A, "pass_loading").play(B, "load_goods", good="sugar", amount=1, die="sugar")
    assert table.roll(sugar=2).asked() == ("choose_demand", A)


def test_r43_points_of_the_last_load_count() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}
    table = in_harbour(demand=demand, value_index=2, ship_number=7)
    table.play(A, "load_goods", good="sugar", amount=1, die="sugar")
    assert table.asked() is None
    assert table.player(A)["vp"] == 6
    assert table["demand"] == demand | {"sugar": 0}


def test_r43_points_of_the_last_delivery_through_the_office_count() -> None:
    demand = {"sugar": 1, "citrus": 0, "tobacco": 0, "rum": 0}
    table = at_building("office", demand=demand, ship_number=7)
    table.play(A, "use_building", good="sugar")
    assert table.asked() is None
    assert table.player(A)["vp"] == 4
    assert table["supply"]["sugar"] == 7


# Ships and dice


def test_r40_a_ship_that_wants_nothing_sails_at_once() -> None:
    table = Table(demand=None, phase="roll_demand", decider=None, ship_number=3, turns_done=5)
    table.roll(tobacco=2).play(A, "choose_demand", leave_out="tobacco")
    assert table.causes() == ["empty_demand"]
    assert table.asked() == ("roll/demand", 4)
    table.roll(rum=1, sugar=1)
    assert table.asked() == ("choose_demand", A)
    assert table.play(A, "choose_demand", leave_out="rum").asked() == ("drive_car", B)


def test_r40_the_seventh_ship_can_leave_empty() -> None:
    table = Table(demand=None, phase="roll_demand", decider=None, ship_number=7, turns_done=5)
    table.roll().play(A, "choose_demand", leave_out="cigars")
    assert table.asked() is None
    assert table["demand"] == {"sugar": 0, "citrus": 0, "tobacco": 0, "rum": 0}


def test_r40_the_first_ship_can_leave_empty() -> None:
    table = _new_game(3, start_player=0, **LAYOUT_L)
    table.roll().play(C, "choose_demand", leave_out="rum")
    assert table.asked() == ("roll/demand", 2)
    table.roll(rum=1).play(C, "choose_demand", leave_out="sugar")
    assert table.asked() == ("drive_car", A)


def test_r45_the_right_neighbour_of_the_start_player_rolls_first() -> None:
    table = _new_game(4, **LAYOUT_L)
    assert table.asked() == ("setup/start_player", 1)
    table.draw(2).roll(sugar=1, rum=3)
    assert table.asked() == ("choose_demand", B)
    table.play(B, "choose_demand", leave_out="sugar")
    assert table.asked() == ("drive_car", C)
    assert table["demand"] == {"citrus": 0, "tobacco": 0, "rum": 3, "cigars": 0}


def test_a_new_ship_in_the_first_turn_is_not_the_first_ship() -> None:
    table = _new_game(2, start_player=1, **LAYOUT_L)
    table.roll(rum=1).play(A, "choose_demand", leave_out="sugar")
    table.play(B, "drive_car", steps=1).play(B, "move_pawn", building="bank")
    table.play(B, "skip_building").play(A, "drive_car", steps=1)
    assert table.asked() == ("move_pawn", A)
    table = Table(turns_done=0, car=9, value_index=2, players={A: {"pesos": 3}})
    table.play(A, "drive_car", steps=2).play(A, "move_pawn", building="bank")
    table.play(A, "use_building")
    assert table.roll(rum=1).asked() == ("choose_demand", A)
    assert table.play(A, "choose_demand", leave_out="sugar").asked() == ("drive_car", B)


def test_every_die_has_six_faces() -> None:
    table = Table(demand=None, phase="roll_demand", decider=None)
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    assert turn.sizes == (6, 6, 6, 6, 6)
    faces = {"citrus": [0, 1, 2, 2, 3, 4]}
    for pick in range(6):
        shown = Table(demand=None, phase="roll_demand", decider=None).draw(*[pick] * 5)["roll"]
        assert shown == {die: faces.get(die, [0, 1, 1, 2, 2, 3])[pick] for die in DICE}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_seat_may_be_drawn_to_start(seats: int) -> None:
    for start in range(seats):
        table = _new_game(seats, **LAYOUT_L)
        turn = RULESET.turn(table.state)
        assert isinstance(turn, Chance)
        assert turn.sizes == (seats,)
        assert table.draw(start)["start_player"] == start


# The end


def test_r42_the_bonus_is_paid_before_the_dice_are_rolled() -> None:
    table = at_building("port_office", owner={"port_office": B}, value_index=2)
    table.play(A, "use_building", direction="right")
    assert table.player(B)["vp"] == 3
    assert table.asked() == ("roll/demand", 2)


def test_r50_the_turn_limit_ends_the_game_after_the_bonus() -> None:
    table = at_building("church", owner={"church": B}, turn_limit=3, turns_done=2)
    table.play(A, "use_building")
    assert table.asked() is None
    assert table["end_reason"] == "turn_limit"
    assert table.player(B)["vp"] == 3
    assert RULESET.result(table.state).reason == "turn_limit"


def test_r50_the_limit_is_400_turns_unless_another_is_asked_for() -> None:
    assert _new_game(2)["turn_limit"] == 400
    for limit in (0, 1, 1_000_000):
        assert _new_game(2, turn_limit=limit)["turn_limit"] == limit
    table = at_building("bank", turns_done=399).play(A, "use_building")
    assert (table.asked(), table["end_reason"]) == (None, "turn_limit")
    table = at_building("bank", turns_done=398).play(A, "use_building")
    assert table.asked() == ("drive_car", B)


def test_the_option_says_how_high_the_limit_can_be() -> None:
    (option,) = [option for option in RULESET.info.options if option.name == "turn_limit"]
    assert "at most 1,000,000" in option.doc


def test_r50_no_turn_limit() -> None:
    table = at_building("bank", turn_limit=0, turns_done=100_000).play(A, "use_building")
    assert table.asked() == ("drive_car", B)


def _result(*holdings: tuple[int, Json, int]) -> list[tuple[int, int]]:
    players = {
        seat: {"vp": vp, "goods": goods, "pesos": pesos}
        for seat, (vp, goods, pesos) in by_seat(holdings)
    }
    ended = {"phase": "game_over", "decider": None, "end_reason": "turn_limit", "turn_limit": 2}
    return Table(len(holdings), players=players, turns_done=2, **ended).result()


def test_r46_all_goods_count_together_and_are_not_rounded_up() -> None:
    assert _result((10, {"wood": 2, "rum": 3}, 50), (10, {"wood": 6}, 0)) == [(2, 11), (1, 12)]


def test_r47_goods_before_their_conversion_break_ties_then_pesos() -> None:
    assert _result((10, {"rum": 5}, 0), (11, {"wood": 2}, 9)) == [(1, 11), (2, 11)]
    assert _result((10, {"rum": 5}, 0), (10, {"wood": 5}, 1)) == [(2, 11), (1, 11)]


def test_r48_equal_sides_share_a_rank_and_the_next_one_counts_them() -> None:
    same: tuple[int, Json, int] = (10, {}, 3)
    assert _result(same, (9, {}, 3), same, (8, {}, 0)) == [(1, 10), (3, 9), (1, 10), (4, 8)]


def test_the_result_breaks_the_score_down() -> None:
    table = at_building("port_office", value_index=2, ship_number=7, players={A: {"pesos": 5}})
    table.play(A, "use_building", direction="right")
    result = RULESET.result(table.state)
    assert result.reason == "seventh_ship"
    assert result.standings[A].side == "seat:0"
    assert result.standings[A].breakdown == {
        "vp_chips": 2,
        "goods_left": 3,
        "goods_vp": 1,
        "final_vp": 3,
        "pesos": 5,
    }


@pytest.mark.parametrize(("goods", "vp"), [(0, 0), (2, 0), (5, 1), (6, 2), (8, 2)])
def test_r46_the_breakdown_shows_what_the_goods_are_worth(goods: int, vp: int) -> None:
    table = at_building("bank", turn_limit=3, players={A: {"goods": {"rum": goods}}})
    table.play(A, "skip_building")
    breakdown = RULESET.result(table.state).standings[A].breakdown
    assert (breakdown["goods_left"], breakdown["goods_vp"]) == (goods, vp)
    assert breakdown["final_vp"] == 2 + vp


def test_there_is_no_result_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        RULESET.result(Table().state)


# Options


def test_no_game_has_more_decisions_than_the_rules_say() -> None:
    highest = sorted(max(die["faces"]) for die in RULESET.data.tables["dice"])[1:]
    turn = 1 + sum(highest) + 4 + 1  # drive; load one by one until all have passed; choose dice
    assert RULESET.info.max_decisions == 400 * turn + 7 + 1 == 7608  # empty ships, the first ship


def test_what_an_option_fixes_is_not_drawn() -> None:
    table = _new_game(3)
    assert table.asked() == ("setup/buildings", 1)
    table = _new_game(3, building_order=list(BUILDINGS))
    assert table.asked() == ("setup/citizens", 1)
    table = _new_game(3, building_order=list(BUILDINGS), citizen_order=list(CITIZENS))
    assert table.asked() == ("setup/start_player", 1)
    assert table["building_order"] == list(BUILDINGS)
    assert table["citizen_order"] == list(CITIZENS)
    table = _new_game(3, start_player=1, **LAYOUT_L)
    assert table.asked() == ("roll/demand", 1)
    assert table["active"] == B


def test_the_shuffles_lay_out_what_was_drawn() -> None:
    table = _new_game(2)
    table.draw(*range(11, 0, -1)).draw(*range(8, 0, -1)).draw(1)
    ids = [building["id"] for building in RULESET.data.tables["buildings"]]
    assert table["building_order"] == ids  # each thing is chosen at its place
    assert table["start_player"] == B
    assert [effect.type for effect in table.log] == [
        "buildings_shuffled",
        "citizens_shuffled",
        "start_player_drawn",
    ]


# Default moves


def test_r56_default_moves() -> None:
    rolled = {"sugar": 2, "citrus": 1, "tobacco": 3, "rum": 1, "cigars": 2}
    choosing = Table(demand=None, phase="choose_demand", roll=rolled)
    assert choosing.default() == {"type": "choose_demand", "leave_out": "citrus"}
    assert Table().default() == {"type": "drive_car", "steps": 1}
    assert in_harbour().default() == {"type": "pass_loading"}
    assert at_alonso().default() == {"type": "alonso_decline"}
    assert at_building("bank").default() == {"type": "skip_building"}
    pablo = Table(car=8).play(A, "drive_car", steps=1)
    assert pablo.default() == {"type": "take_good", "good": "sugar"}
    moving = Table(car=1).play(A, "drive_car", steps=1)
    assert moving.default() == {"type": "move_pawn", "building": "black_market"}
    for holds, gift in (
        ({"pesos": 1}, {"kind": "peso"}),
        ({"pesos": 0}, {"kind": "good", "good": "sugar"}),
        ({"pesos": 0, "goods": {"wood": 1}}, {"kind": "vp"}),
    ):
        giving = Table(players={B: holds}, car=2).play(A, "drive_car", steps=1)
        assert giving.default() == {"type": "give_tribute", **gift}
