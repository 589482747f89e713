"""Rulings that could be implemented wrongly, by number."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from rules.kernel.contract.seats import Seat, by_seat
from rules.macao import RULESET
from rules.macao.data import cubes
from rules.macao.moves import payments
from tests.rules.macao.table import A, B, C, D, Table, acting, at_the_end, choosing, drafting
from tests.rules.playing import Json


def _next_round(table: Table) -> Table:
    return table.deal(*table["deck"][:4])


def test_r3_an_exhausted_colour_can_still_be_chosen() -> None:
    table = choosing(players={B: {"windrose": {2: {"red": 50}}}})
    assert {"colors": ["red", "blue"]} in table.legal("choose_dice")
    table.play(A, "choose_dice", colors=["red", "blue"])
    assert table.sectors(A) == {3: {"blue": 3}}
    placed = [(effect["color"], effect["count"]) for effect in table.effects("cubes_placed")]
    assert placed == [("red", 0), ("blue", 3)]


def test_r4_coins_never_run_out() -> None:
    table = acting({}, "noblewoman", holds={"coins": 500})
    assert table.play(A, "use_card", card="noblewoman").money(A) == (501, 1)


def test_r5_a_punishment_counts_without_a_marker_and_takes_no_quarter() -> None:
    owners = {f"q{n:02}": A for n in range(1, 13)}
    table = choosing(players={A: {"punishments": 3}}, owners=owners)
    assert RULESET.view(table.state, A)["players"][A]["markers_left"] == 0
    table.play(A, "choose_dice", colors=["red", "blue"])
    table.play(B, "choose_dice", colors=["red", "blue"])
    assert table.player(A)["punishments"] == 4
    assert RULESET.view(table.state, A)["players"][A]["quarters"] == list(owners)


@pytest.mark.parametrize("order", [(B, A), (B, C, A), (C, A, D, B)])
def test_r6_r8_the_top_of_the_stack_is_first_and_drafts_last(order: Sequence[Seat]) -> None:
    seats = len(order)
    table = Table(seats)
    table.state = RULESET.initial(seats, RULESET.parse_options(seats, {}))
    table.shuffle(range(seats), order)
    assert table["wall"][0] == list(reversed(order))
    goods = [good for good in range(8) for _ in range(3)]
    table.shuffle(goods, goods)
    table.shuffle(range(24), range(24))
    table.deal(*table["deck"][: seats + 2])
    for seat in reversed(order):
        assert table.asked() == ("initial_draft", seat)
        table.play(seat, "draft_card", card=table["display"][0])
    assert len(table["discard"]) == 2
    for seat in order:
        assert table.asked() == ("initial_cubes", seat)
        assert len(table.legal("choose_start_cubes")) == 36
        table.play(seat, "choose_start_cubes", first="red", second="violet")
    assert table.sectors(A) == {1: {"red": 1}, 2: {"violet": 2}}
    assert table.asked() == ("cards/round", 1)
    assert _next_round(table)["turn_order"] == list(order)


@pytest.mark.parametrize(
    ("wall", "prestige", "places"),
    [
        ({9: [A, B], 3: [C, D]}, (70, 70, 70, 70), (2, 1, 4, 3)),
        ({9: [C, D], 3: [B, A]}, (70, 60, 70, 60), (2, 4, 1, 3)),
        ({15: [D, C, B, A]}, (60, 70, 70, 70), (4, 1, 2, 3)),
    ],
)
def test_r6_ties_are_broken_by_wall_order(
    wall: dict[int, list[Seat]], prestige: Sequence[int], places: Sequence[int]
) -> None:
    players = {seat: {"prestige": points} for seat, points in by_seat(prestige)}
    table = at_the_end(4, players=players, wall=wall)
    assert table.result() == list(zip(places, prestige, strict=True))


def test_r7_the_order_of_a_round_is_fixed() -> None:
    table = Table(3, players={A: {"supply": {}}, B: {"supply": {"red": 1}}})
    table.play(A, "end_turn").play(B, "advance_wall", color="red")
    assert table.order() == [B, A, C]
    table.play(B, "end_turn")
    assert table.asked() == ("actions", C)
    table.play(C, "end_turn")
    assert _next_round(table)["turn_order"] == [B, A, C]


def test_r10_the_new_card_itself_may_be_discarded_and_is_gone() -> None:
    tableau = ["bank", "gate", "tower", "school", "garden"]
    table = drafting(2, tableau, ["market", "inn", "tavern", "chapel"])
    table.play(A, "draft_card", card="inn").play(A, "discard_tableau_card", card="inn")
    assert table.player(A)["tableau"] == tableau
    assert table.legal("draft_card") == [{"card": c} for c in ("market", "tavern", "chapel")]


def test_r10_the_last_drafter_overflows_too() -> None:
    players = {B: {"tableau": ["bank", "gate", "tower", "school", "garden"]}}
    table = drafting(2, [], ["market", "inn", "tavern"], players=players)
    table.play(A, "draft_card", card="inn").play(B, "draft_card", card="tavern")
    assert table.asked() == ("draft_overflow", B)
    table.play(B, "discard_tableau_card", card="bank")
    assert table.asked() == ("dice", 6)
    assert table["discard"][-2:] == ["bank", "market"]


def test_r12_without_the_idler_drafting_is_mandatory() -> None:
    table = drafting(2, ["idler"], ["market", "inn", "tavern"])
    assert table.refused(A, "skip_draft") == "must_draft"


def test_r12_the_idler_with_five_cards_skips_without_a_punishment() -> None:
    tableau = ["bank", "gate", "tower", "school", "garden"]
    holds = {"activated": ["idler"]}
    table = drafting(2, tableau, ["market", "inn", "tavern", "chapel"], holds=holds)
    table.play(A, "skip_draft")
    assert table.player(A)["tableau"] == tableau
    assert table.player(A)["punishments"] == 0
    assert table.asked() == ("draft", B)


def test_r14_the_cap_changes_number_and_sector() -> None:
    for round_, cap in ((7, 6), (8, 5), (9, 4), (10, 3), (11, 2), (12, 1)):
        table = choosing(round=round_, dice=dict.fromkeys(_COLOURS, 6))
        table.play(A, "choose_dice", colors=["red", "violet"])
        assert table.sectors(A) == {cap: {"red": cap, "violet": cap}}


_COLOURS = ("red", "blue", "green", "black", "gray", "violet")


def test_r15_a_supply_that_becomes_empty_later_is_no_problem() -> None:
    players = {A: {"windrose": {1: {"red": 1}}}, B: {"windrose": {1: {"red": 1}}}}
    table = choosing(players=players)
    table.play(A, "choose_dice", colors=["red", "blue"])
    table.play(B, "choose_dice", colors=["red", "blue"])
    table.play(A, "advance_wall", color="red").play(A, "end_turn")
    assert table.player(A)["punishments"] == 0


def test_r16_a_joker_of_this_turn_may_be_used_at_once() -> None:
    table = acting({"green": 1, "violet": 1}, holds={"coins": 0})
    table.play(A, "claim_quarter", quarter="q06", payment={"green": 1, "violet": 1})
    assert table.player(A)["jokers"] == 1
    assert table.play(A, "use_joker", cubes=[], coins=3).money(A) == (3, 0)


def test_r16_the_bank_must_have_both_cubes_of_the_juggler() -> None:
    table = acting({"red": 49}, "juggler", holds={"jokers": 1})
    offers = [move["cubes"] for move in table.legal("use_joker")]
    assert ["red", "red"] not in offers
    assert ["red", "blue"] in offers
    table.play(A, "use_joker", cubes=["red"], coins=3)
    assert table["cube_bank"]["red"] == 0


def _by_formula(cost: int, discount: int, wild: int) -> set[int]:
    size = max(1, cubes.total(cost) - discount)
    return {pile for pile in cubes.of(size) if cubes.total(cubes.common(pile, cost)) >= size - wild}


def test_r17_payments_follow_the_formula() -> None:
    for quarter in Table().edition.quarters.values():
        for discount in (0, 1):
            for wild in (0, 1):
                legal = payments(quarter.cost, discount, wild, any_cube=False)
                assert len(set(legal)) == len(legal)
                assert set(legal) == _by_formula(quarter.cost, discount, wild)


def test_r17_soldier_and_smithy_combine_and_the_discount_is_compulsory() -> None:
    supply = {"green": 2, "gray": 2, "red": 1}
    table = acting(supply, "soldier", "smithy")
    offers = [m["payment"] for m in table.legal("claim_quarter") if m["quarter"] == "q01"]
    assert {"red": 1, "green": 2} in offers
    assert {"red": 1, "green": 1, "gray": 1} in offers
    assert {"green": 2, "gray": 2} not in offers
    code = table.refused(A, "claim_quarter", quarter="q01", payment={"green": 2, "gray": 2})
    assert code == "wrong_payment"


def test_r17_the_single_cube_of_the_night_watchman_combines_with_nothing() -> None:
    table = acting({"blue": 3}, "soldier", "smithy", "night_watchman")
    offers = [m["payment"] for m in table.legal("claim_quarter") if m["quarter"] == "q04"]
    assert offers == [{"blue": 2}, {"blue": 1}]  # two cubes, one of them wild; or any single one


def test_r18_a_quarter_of_one_cube_still_costs_one() -> None:
    assert [
        cubes.held(pile) for pile in payments(cubes.from_counts({"red": 1}), 1, 0, any_cube=False)
    ] == [{"red": 1}]


def test_r19_a_herald_activated_after_a_claim_allows_another() -> None:
    supply = {"black": 2, "blue": 1, "green": 2}
    table = acting(supply, holds={"tableau": ["herald"]})
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    code = table.refused(A, "claim_quarter", quarter="q20", payment={"green": 1})
    assert code == "claim_limit_reached"
    table.play(A, "activate_card", card="herald")
    table.play(A, "claim_quarter", quarter="q20", payment={"green": 1})
    assert table["turn"]["claims"] == 2


def test_r21_slots_fill_from_the_top_whoever_delivers() -> None:
    players = {
        A: {"ship": "london", "goods": {"tea": 1}},
        B: {"ship": "london", "goods": {"tea": 1}},
        C: {"ship": "london", "goods": {"tea": 1}},
    }
    table = Table(3, players=players)
    for seat in (A, B, C):
        table.play(seat, "deliver_goods", good="tea").play(seat, "end_turn")
    assert [table.money(seat)[1] for seat in (A, B, C)] == [5, 4, 3]


def test_r22_a_warehouse_activated_after_a_delivery_does_not_count_back() -> None:
    holds = {"ship": "london", "goods": {"tea": 2}, "tableau": ["warehouse_tea"]}
    table = acting({"black": 1, "violet": 1}, holds=holds)
    table.play(A, "deliver_goods", good="tea").play(A, "activate_card", card="warehouse_tea")
    assert table.play(A, "deliver_goods", good="tea").money(A)[1] == 5 + 2 * 4


def test_r23_ports_beside_each_other_are_adjacent() -> None:
    holds = {"ship": "antwerpen", "goods": {"porcelain": 1, "paper": 1}}
    table = acting({}, "lighthouse", holds=holds)
    assert {"good": "porcelain"} in table.legal("deliver_goods")


def test_r24_free_steps_come_first_and_the_sailmakers_may_come_later() -> None:
    table = acting({"red": 2}, "sailmaker", "captain")
    table.play(A, "move_ship", space="s01", color="red")
    assert table["turn"]["free_steps"] == 1
    table.play(A, "advance_wall", color="red")
    table.play(A, "move_ship", space="macao")  # R25: back to the dock
    assert table.player(A)["ship"] == "macao"
    assert table.money(A)[1] == 2  # R47: one for each space, paid or free


def test_r26_any_other_action_closes_the_advance() -> None:
    holds = {"jokers": 1, "tableau": ["garden"], "ship": "london", "goods": {"tea": 1}}
    others: tuple[tuple[str, Json], ...] = (
        ("activate_card", {"card": "garden"}),
        ("claim_quarter", {"quarter": "q05", "payment": {"black": 1}}),
        ("move_ship", {"space": "s05", "color": "red"}),
        ("deliver_goods", {"good": "tea"}),
        ("buy_prestige", {}),
        ("use_card", {"card": "guard"}),
        ("use_joker", {"cubes": [], "coins": 3}),
    )
    for type_, params in others:
        table = acting({"red": 4, "blue": 1, "green": 1, "black": 1}, "guard", holds=holds)
        table.play(A, "advance_wall", color="red")
        table.play(A, "advance_wall_extra", payment={"red": 2})
        table.play(A, type_, **params)
        assert table.refused(A, "advance_wall_extra", payment={"red": 1}) == "wall_not_open"


def test_r26_guard_and_fountain_do_not_count_as_the_advance() -> None:
    table = acting({"red": 1, "black": 1}, "guard", "fountain")
    table.play(A, "use_card", card="guard")
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    table.play(A, "advance_wall", color="red")
    assert table.space(A) == 3


def test_r28_a_free_wall_gain_on_the_last_space_is_lost() -> None:
    table = acting({"black": 1}, "fountain", "guard", wall={15: [A], 0: [B]})
    assert table.refused(A, "use_card", card="guard") == "wall_end_reached"
    assert table.legal("use_card") == []
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    assert table.space(A) == 15


def test_r29_the_tower_stays_on_top() -> None:
    holds = {"supply": {"red": 1}, "activated": ["cannoneer"]}
    players: dict[Seat, Json] = {A: holds, B: {"activated": ["tower"]}}
    table = Table(3, players=players, wall={3: [A], 4: [C, B]})
    table.play(A, "advance_wall", color="red")
    assert table["wall"][4] == [C, A, B]
    assert table.order() == [B, A, C]
    assert table.money(A)[1] == 2  # only C is overtaken


@pytest.mark.parametrize("space", [0, 4, 15])
def test_r29_the_tower_lifts_when_it_is_activated_and_overtakes_nobody(space: int) -> None:
    holds = {"tableau": ["tower"]}
    table = acting({"green": 1, "violet": 1}, "cannoneer", holds=holds, wall={space: [A, B]})
    table.play(A, "activate_card", card="tower")
    assert table["wall"][space] == [B, A]
    assert table.money(A)[1] == 0


def test_r29_who_comes_to_the_last_space_later_is_below_the_tower() -> None:
    holds = {"supply": {"red": 1}, "activated": ["cannoneer"]}
    players: dict[Seat, Json] = {A: holds, B: {"activated": ["tower"]}}
    table = Table(3, players=players, wall={14: [A], 15: [C, B]})
    table.play(A, "advance_wall", color="red")
    assert table["wall"][15] == [A, C, B]
    assert table.money(A)[1] == 0


def test_r30_the_towers_owner_overtakes_nobody_on_the_last_space() -> None:
    holds = {"supply": {"red": 1}, "activated": ["cannoneer", "tower"]}
    table = Table(4, players={A: holds}, wall={15: [C, B], 14: [D, A]})
    table.play(A, "advance_wall", color="red")
    assert table.order() == [A, B, C, D]
    assert table.money(A)[1] == 0


def test_r30_leaving_and_landing_overtake() -> None:
    holds = {"supply": {"red": 1}, "activated": ["cannoneer"]}
    table = Table(4, players={A: holds}, wall={5: [C, B], 4: [A, D]})
    assert table.order() == [B, C, D, A]
    table.play(A, "advance_wall", color="red")
    assert table.order() == [A, B, C, D]
    assert table.money(A)[1] == 6
    assert list(table.effects("discs_overtaken")) == [{"seat": A, "seats": [B, C, D]}]


def test_r30_landing_last_on_the_last_space_overtakes_those_behind_it() -> None:
    holds = {"supply": {"red": 1}, "activated": ["cannoneer"]}
    table = Table(3, players={A: holds}, wall={15: [B], 14: [A, C]})
    table.play(A, "advance_wall", color="red")
    assert table.order() == [B, A, C]
    assert table.money(A)[1] == 2


def test_r30_the_fountains_move_overtakes_too() -> None:
    table = acting({"black": 1}, "fountain", "cannoneer", wall={1: [B], 0: [A]})
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    assert table.order() == [A, B]
    assert table.money(A)[1] == 2


def test_r32_the_first_of_two_cards_reacts_to_the_second() -> None:
    supply = {"red": 1, "black": 2, "violet": 2}
    table = acting(supply, holds={"coins": 0, "tableau": ["school", "university"]})
    table.play(A, "activate_card", card="school")
    assert table.money(A) == (0, 0)
    table.play(A, "activate_card", card="university")
    assert table.money(A) == (1, 0)


def test_r34_a_card_activated_late_has_its_use_this_round() -> None:
    supply = {"blue": 1, "green": 1}
    table = acting(supply, holds={"tableau": ["garden"]})
    table.play(A, "activate_card", card="garden")
    assert table.play(A, "use_card", card="garden").money(A)[1] == 1


def test_r34_everybody_begins_his_turn_with_nothing_done() -> None:
    players = {A: {"supply": {"red": 1, "black": 1}}, B: {"supply": {"red": 1, "green": 1}}}
    table = Table(players=players)
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    table.play(A, "buy_prestige").play(A, "advance_wall", color="red").play(A, "end_turn")
    table.play(B, "claim_quarter", quarter="q20", payment={"green": 1})
    table.play(B, "buy_prestige").play(B, "advance_wall", color="red")
    assert (table["turn"]["claims"], table["turn"]["tributes"]) == (1, 1)


def test_r35_fixed_gains_are_cut_and_the_use_stays_legal() -> None:
    table = acting({"red": 50}, "arsenal_office", "dyer", "brickmaker")
    table.play(A, "use_card", card="arsenal_office")
    assert table.held(A) == {"red": 50}
    nearly = acting({"red": 1}, "brickmaker", players={B: {"windrose": {1: {"blue": 49}}}})
    nearly.play(A, "use_card", card="brickmaker")
    assert nearly.held(A) == {"blue": 1}


def test_r35_what_a_card_gives_at_once_is_cut_too() -> None:
    supply = {"blue": 1, "violet": 1}
    players = {B: {"windrose": {1: {"red": 49, "green": 50}}}}
    table = acting(supply, holds={"tableau": ["workshop"]}, players=players)
    table.play(A, "activate_card", card="workshop")
    assert table.held(A) == {"red": 1}


def test_r35_a_bank_with_too_few_cubes_is_emptied() -> None:
    everything = dict.fromkeys(_COLOURS, 50)
    players = {B: {"windrose": {1: {**everything, "red": 49}}}}
    table = acting({}, "astrologer", "guildhall", "inn", players=players)
    offers = [m for m in table.legal("use_card") if m["card"] == "inn"]
    assert offers == [{"card": "inn", "gain_colors": ["red"]}]
    code = table.refused(A, "use_card", card="inn", gain_colors=["red", "red"])
    assert code == "malformed_action"
    table.play(A, "use_card", card="inn", gain_colors=["red"])
    assert {"card": "guildhall", "gain_colors": []} in table.legal("use_card")
    table.play(A, "use_card", card="guildhall", gain_colors=[])
    assert table.held(A) == {"red": 1}


def test_r36_a_tribute_may_cost_nothing_and_bring_nothing() -> None:
    table = acting({}, holds={"coins": 0}, tribute={"gold": 0, "prestige": 0})
    assert table.play(A, "buy_prestige").money(A) == (0, 0)


def test_r37_a_diplomat_activated_after_a_purchase_allows_one_more() -> None:
    supply = {"red": 1, "green": 1, "violet": 1}
    table = acting(supply, holds={"coins": 6, "tableau": ["diplomat"]})
    table.play(A, "buy_prestige")
    assert table.refused(A, "buy_prestige") == "tribute_limit_reached"
    table.play(A, "activate_card", card="diplomat")
    assert table.play(A, "buy_prestige").money(A) == (0, 12)


def test_r40_ending_the_turn_is_always_legal_and_gives_back_all_cubes() -> None:
    table = acting({"red": 4, "blue": 2})
    assert table.legal()[-1] == {"type": "end_turn"}
    table.play(A, "end_turn")
    assert table["cube_bank"] == dict.fromkeys(_COLOURS, 50)
    assert table.held(A) == {}


def test_r42_hospital_and_prison_add_what_is_lost() -> None:
    holds = {
        "punishments": 2,
        "tableau": ["bank", "inn", "gate", "tower"],
        "activated": ["hospital", "prison"],
    }
    parts = at_the_end(players={A: holds}).parts(A)
    assert (parts["cards"], parts["punishments"], parts["tableau"]) == (6 + 9, -6, -12)


def test_r43_markers_of_others_do_not_connect() -> None:
    owners = {"q01": A, "q02": B, "q03": A}
    assert at_the_end(owners=owners).parts(A)["chain"] == 2
    assert at_the_end().parts(A)["chain"] == 0


def test_r44_scores_go_below_zero_and_beyond_99() -> None:
    players = {A: {"prestige": 150}, B: {"punishments": 5}}
    assert at_the_end(players=players).result() == [(1, 150), (2, -15)]


def test_r50_who_does_not_answer_does_the_least() -> None:
    draft = drafting(2, [], ["market", "inn", "tavern"])
    assert draft.default() == {"type": "draft_card", "card": "market"}
    full = drafting(
        2, ["bank", "gate", "cathedral", "inn", "garden"], ["palace", "tavern", "chapel"]
    )
    full.play(A, "draft_card", card="palace")
    assert full.default() == {"type": "discard_tableau_card", "card": "cathedral"}
    dice = choosing(dice=dict(zip(_COLOURS, (6, 2, 5, 1, 4, 3), strict=True)))
    assert dice.default() == {"type": "choose_dice", "colors": ["blue", "black"]}
    together = choosing(options={"simultaneous_dice": True}, dice=dice["dice"])
    for seat in (A, B):
        move = {"type": "choose_dice_secretly", "colors": ["blue", "black"]}
        assert together.default(seat) == move
    assert acting({"red": 5}).default() == {"type": "end_turn"}


# Rulings on questions that the rulebook leaves open


def test_lists_are_read_in_any_order_and_written_in_one() -> None:
    table = choosing()
    move = RULESET.read_move(table.state, A, {"type": "choose_dice", "colors": ["violet", "red"]})
    assert move.to_json() == {"type": "choose_dice", "colors": ["red", "violet"]}
    use = {"type": "use_card", "card": "inn", "gain_colors": ["gray", "blue"]}
    move = RULESET.read_move(acting({}, "inn").state, A, use)
    assert move.to_json()["gain_colors"] == ["blue", "gray"]


def test_the_tables_add_up() -> None:
    tables = RULESET.data.tables
    cards = tables["cards"]
    assert [card["number"] for card in cards] == list(range(1, 121))
    costs = [cubes.from_counts(card["cost"]) for card in cards]
    assert [cubes.listed(sum(costs)).count(c) for c in _COLOURS] == [47, 47, 48, 48, 47, 47]
    assert [[cubes.total(cost) for cost in costs].count(size) for size in (1, 2, 3, 4)] == [
        10,
        68,
        30,
        12,
    ]
    numbers = [[card["tribute"][key] for card in cards] for key in ("gold", "prestige")]
    assert [[row.count(n) for n in (0, 1, 2)] for row in numbers] == [[54, 54, 12], [18, 60, 42]]
    quarters = [cubes.from_counts(quarter["cost"]) for quarter in tables["quarters"]]
    assert [cubes.listed(sum(quarters)).count(c) for c in _COLOURS] == [13, 13, 12, 13, 12, 12]


def test_a_wall_order_never_contradicts_the_spaces() -> None:
    players = {seat: {"supply": {"red": 9}} for seat in (A, B, C, D)}
    table = Table(4, players=players)
    for seat in (A, B, C, D):
        table.play(seat, "advance_wall", color="red")
        for _ in range(seat):
            table.play(seat, "advance_wall_extra", payment={"red": 2})
        table.play(seat, "end_turn")
        order = table.order()
        assert all(table.space(one) >= table.space(other) for one, other in pairwise(order))
    assert table.order() == [D, C, B, A]
