"""The worked examples of the rules, by their numbers."""

from rules.macao import RULESET
from tests.rules.macao.table import A, B, C, D, Table, acting, at_the_end, choosing, drafting

SHOWN = ("customs", "harbour_office", "gate", "tower", "tax_collector", "treasurer")


def _reveal(seats: int, coins: int = 3) -> Table:
    """The start of round 1, with the cards of example 1."""
    players = {A: {"coins": coins, "windrose": {2: {"red": 1}}}}
    table = Table(seats, players=players, round=1, phase="reveal_cards", queue=[])
    data = table.json
    offices = data["offices"]
    first = [id_ for id_ in SHOWN if id_ in offices]
    data["offices"] = first + [id_ for id_ in offices if id_ not in first]
    table.state = RULESET.from_json(data)
    return table.deal(*SHOWN[2:])


def test_example_01_tribute_sums() -> None:
    table = _reveal(4)
    assert table["tribute"] == {"gold": 3, "prestige": 6}
    assert table["display"] == list(SHOWN)
    for coins, code in ((3, None), (2, "not_enough_coins")):
        buyer = acting(holds={"coins": coins})
        if code:
            assert buyer.refused(A, "buy_prestige") == code
        else:
            assert buyer.play(A, "buy_prestige").money(A) == (0, 6)


def test_example_02_removed_cards_count() -> None:
    three = _reveal(3)
    assert three["tribute"] == {"gold": 3, "prestige": 6}
    assert three["display"] == list(SHOWN[:5])
    assert three["discard"] == ["treasurer"]
    assert three.asked() == ("draft", A)
    assert _reveal(2)["discard"] == ["tax_collector", "treasurer"]


def test_example_03_dice() -> None:
    table = choosing(round=1, dice=_dice(red=2, green=5))
    table.play(A, "choose_dice", colors=["red", "green"])
    assert table.sectors(A) == {2: {"red": 2}, 5: {"green": 5}}
    table.play(B, "choose_dice", colors=["red", "green"])
    assert table.sectors(A) == {1: {"red": 2}, 4: {"green": 5}}


def test_example_04_the_cap() -> None:
    table = choosing(round=10, dice=_dice(violet=6))
    table.play(A, "choose_dice", colors=["red", "violet"])
    assert table.sectors(A)[3] == {"violet": 3}
    table.play(B, "choose_dice", colors=["red", "blue"])
    assert table.sectors(A) == {2: {"violet": 3}}
    for _ in (11, 12):
        table.end_turns(A, B).deal(*table["deck"][:4])
        _skip_drafts(table)
        table.roll(red=6).play(A, "choose_dice", colors=["red", "blue"])
        table.play(B, "choose_dice", colors=["red", "blue"])
    assert table["round"] == 12
    assert table.held(A) == {"red": 2 + 1, "blue": 1, "violet": 3}  # in round 12 a die counts 1


def _skip_drafts(table: Table) -> None:
    for seat in (A, B):
        table.play(seat, "draft_card", card=table["display"][0])


def _dice(**dice: int) -> dict[str, int]:
    return {**dict.fromkeys(("red", "blue", "green", "black", "gray", "violet"), 1), **dice}


def test_example_05_cube_shortage() -> None:
    held = {B: {"windrose": {3: {"red": 47}}}}
    table = choosing(3, players=held, dice=_dice(red=5))
    assert table["cube_bank"]["red"] == 3
    table.play(A, "choose_dice", colors=["red", "blue"])
    table.play(B, "choose_dice", colors=["red", "blue"])
    assert table.sectors(A) == {1: {"blue": 1}, 5: {"red": 3}}
    assert table["cube_bank"]["red"] == 0
    assert table.sectors(B) == {1: {"blue": 1}, 3: {"red": 47}}


def test_example_06_an_empty_arrow() -> None:
    table = choosing(players={A: {"coins": 3}})
    table.play(A, "choose_dice", colors=["red", "blue"])
    table.play(B, "choose_dice", colors=["red", "blue"])
    assert table.player(A)["punishments"] == 1
    assert table.held(A) == {}
    assert table.play(A, "buy_prestige").money(A) == (0, 6)


def test_example_07_the_sixth_card() -> None:
    tableau = ["bank", "gate", "tower", "school", "garden"]
    table = drafting(2, tableau, ["market", "inn", "tavern"])
    table.play(A, "draft_card", card="inn")
    assert table.player(A)["punishments"] == 1
    assert table.asked() == ("draft_overflow", A)
    assert table.legal("discard_tableau_card") == [{"card": id_} for id_ in [*tableau, "inn"]]
    table.play(A, "discard_tableau_card", card="gate")
    assert table.player(A)["tableau"] == ["bank", "tower", "school", "garden", "inn"]
    assert table["discard"][-1] == "gate"
    assert table.asked() == ("draft", B)


def test_example_08_fountain_and_claim() -> None:
    supply = {"red": 2, "blue": 1, "black": 1}
    table = acting(supply, holds={"tableau": ["fountain"]}, tiles={"q05": "tea"})
    table.play(A, "activate_card", card="fountain")
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    assert table.held(A) == {}
    assert table.held(A, "goods") == {"tea": 1}
    assert table.space(A) == 1
    assert table["turn"]["wall_advanced"] is False


def test_example_09_the_cost_of_the_wall() -> None:
    players = {D: {"supply": {"red": 5}}}
    table = Table(4, players=players, queue=[D])
    table.play(D, "advance_wall", color="red")
    for _ in range(2):
        table.play(D, "advance_wall_extra", payment={"red": 2})
    assert (table.space(D), table.held(D)) == (3, {})
    assert table.order() == [D, A, B, C]
    assert table.refused(D, "advance_wall_extra", payment={"red": 2}) == "cubes_not_available"
    gate = acting({"red": 3}, "gate").play(A, "advance_wall", color="red")
    for _ in range(2):
        gate.play(A, "advance_wall_extra", payment={"red": 1})
    assert (gate.space(A), gate.held(A)) == (3, {})


def test_example_11_the_last_space() -> None:
    players = {A: {"supply": {"red": 1}}, C: {"supply": {"blue": 3}}, B: {"supply": {"red": 1}}}
    wall = {14: [A], 15: [B], 13: [C]}
    table = Table(3, players=players, wall=wall, queue=[A, C, B])
    table.play(A, "advance_wall", color="red")
    assert table["wall"][15] == [A, B]
    assert table.order() == [B, A, C]
    table.play(A, "end_turn").play(C, "advance_wall", color="blue")
    table.play(C, "advance_wall_extra", payment={"blue": 2})
    assert table["wall"][15] == [C, A, B]
    assert table.order() == [B, A, C]
    table.play(C, "end_turn")
    assert table.refused(B, "advance_wall", color="red") == "wall_end_reached"


def test_example_13_ship_and_delivery() -> None:
    table = acting({"red": 3}, holds={"goods": {"spices": 2}})
    for space in ("s01", "s03", "lisboa"):
        table.play(A, "move_ship", space=space, color="red")
    table.play(A, "deliver_goods", good="spices").play(A, "deliver_goods", good="spices")
    assert table.money(A)[1] == 9
    assert table.held(A) == {}
    port = {row["port"]: row for row in RULESET.view(table.state, A)["ports"]}["lisboa"]
    assert port["slot_points"][port["filled"]] == 3


def test_example_14_warehouse_and_cooperage() -> None:
    holds = {"goods": {"spices": 2}, "ship": "lisboa"}
    table = acting({}, "warehouse_spices", "cooperage", holds=holds)
    assert table.play(A, "deliver_goods", good="spices").money(A)[1] == 12
    assert table.play(A, "deliver_goods", good="spices").money(A)[1] == 22


def test_example_15_a_claim_in_port() -> None:
    table = acting({"black": 1}, holds={"ship": "london"}, tiles={"q05": "tea"})
    table.play(A, "claim_quarter", quarter="q05", payment={"black": 1})
    assert table.play(A, "deliver_goods", good="tea").money(A)[1] == 5


def test_example_17_cabin_boy_and_helmsman() -> None:
    table = acting({"violet": 1}, "cabin_boy", "helmsman")
    table.play(A, "use_card", card="cabin_boy")
    table.play(A, "use_card", card="helmsman", pay_colors=["violet"])
    assert table["turn"]["free_steps"] == 5
    assert table.held(A) == {}
    table.play(A, "move_ship", space="s01").play(A, "end_turn")
    assert table["turn"]["free_steps"] == 0


def test_example_18_the_lighthouse() -> None:
    holds = {"ship": "marseille", "goods": {"jade": 1, "lacquer": 1, "silk": 1}}
    assert acting({}, holds=holds).legal("deliver_goods") == [{"good": "lacquer"}]
    with_lighthouse = acting({}, "lighthouse", holds=holds)
    assert with_lighthouse.legal("deliver_goods") == [{"good": "lacquer"}, {"good": "jade"}]
    assert with_lighthouse.refused(A, "deliver_goods", good="silk") == "port_not_reachable"


def test_example_19_the_juggler() -> None:
    options = acting({}, "juggler", holds={"jokers": 1}).legal("use_joker")
    assert [sum(move["coins"] == coins for move in options) for coins in (0, 3, 6)] == [21, 6, 1]
    assert len(options) == 28
    assert len(acting({}, holds={"jokers": 1}).legal("use_joker")) == 7


def test_example_21_the_night_watchman() -> None:
    supply = dict.fromkeys(("red", "blue", "green", "black", "gray", "violet"), 2)
    table = acting(supply, "night_watchman")
    offers = [m["payment"] for m in table.legal("claim_quarter") if m["quarter"] == "q29"]
    assert offers == [{"red": 1, "violet": 2}, *({colour: 1} for colour in supply)]


def test_example_22_diplomat_banker_treasurer() -> None:
    table = acting({}, "diplomat", "banker", "treasurer")
    assert table.play(A, "buy_prestige").money(A) == (3, 8)
    assert table.play(A, "buy_prestige").money(A) == (1, 16)
    assert table.refused(A, "buy_prestige") == "tribute_limit_reached"


def test_example_23_activation_triggers() -> None:
    supply = {"green": 1, "black": 2, "gray": 1}
    holds = {"coins": 0, "tableau": ["midwife", "guard"]}
    table = acting(supply, "school", "university", holds=holds)
    assert table.play(A, "activate_card", card="midwife").money(A) == (1, 1)
    assert table.play(A, "activate_card", card="guard").money(A) == (3, 2)


def test_example_25_the_chain() -> None:
    owners = dict.fromkeys(("q01", "q02", "q07", "q16", "q24", "q30"), A)
    assert at_the_end(owners=owners).parts(A)["chain"] == 6


def test_example_26_the_final_score() -> None:
    owners = dict.fromkeys(("q01", "q02", "q06", "q07", "q11", "q24"), A)
    activated = ["abbot", "herald", "philosopher", "town_hall", "statue", "customs", "mint"]
    holds = {
        "prestige": 61,
        "coins": 3,
        "punishments": 2,
        "tableau": ["bank"],
        "activated": activated,
    }
    table = at_the_end(owners=owners, players={A: holds})
    assert table.parts(A) == {
        "prestige": 61,
        "cards": 19,
        "chain": 10,
        "punishments": -6,
        "tableau": -3,
        "wall_place": 1,
    }
    assert table.result()[A] == (1, 81)


def test_example_28_the_idler() -> None:
    players = {D: {"activated": ["idler"], "tableau": ["bank"]}}
    display = ["gate", "tower", "school", "garden", "market", "inn"]
    table = drafting(4, [], display, players=players)
    for seat, card in ((A, "gate"), (B, "tower"), (C, "inn")):
        table.play(seat, "draft_card", card=card)
    assert {"type": "skip_draft"} in table.legal()
    table.play(D, "skip_draft")
    assert table["discard"][-3:] == ["school", "garden", "market"]
    assert table.player(D)["tableau"] == ["bank"]
    assert table.asked() == ("dice", 6)


def test_example_29_a_tie() -> None:
    players = {A: {"prestige": 70}, B: {"prestige": 70}}
    table = at_the_end(players=players, wall={9: [A, B]})
    assert table.result() == [(2, 70), (1, 70)]


def test_example_30_no_marker() -> None:
    owners = dict.fromkeys(("q01", "q02", "q03", "q05", "q07", "q08", "q09", "q10", "q11"), A)
    holds = {"supply": {"blue": 2}, "punishments": 3}
    table = Table(players={A: holds}, owners=owners)
    assert table.refused(A, "claim_quarter", quarter="q16", payment={"blue": 2}) == (
        "no_ownership_markers"
    )
    table.play(A, "end_turn").play(B, "end_turn").deal(*table["deck"][:4])
    _skip_drafts(table)
    table.roll(red=2, blue=2)
    for seat in (A, B):
        table.play(seat, "choose_dice", colors=["red", "blue"])
    assert table.player(A)["punishments"] == 4
