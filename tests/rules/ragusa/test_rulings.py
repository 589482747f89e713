"""Rulings that could be implemented wrongly, by number; variants, scoring, the map."""

import copy
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent
from rules.kernel.contract.seats import Seat
from rules.ragusa import RULESET
from rules.ragusa.data import AUTOMATA, PRICES
from rules.ragusa.grid import RING
from rules.ragusa.scoring import best_run
from tests.rules.playing import Json
from tests.rules.ragusa.table import CHEAP, P0, P1, P2, Table, start
from tests.rules.ragusa.test_errors import at_dock, at_market, choosing, solo
from tests.rules.ragusa.test_examples import final, nature
from tests.rules.ragusa.test_fish import ALL_AT_EIGHT


def test_r4_the_first_house_touches_wood_even_if_fish_could_buy_it() -> None:
    table = Table(first=True, access={P0: {"fish": 8}})
    assert table.refused(P0, "place_house", space_id="r21") == "first_house_needs_wood_hex"


def test_r5_a_gain_at_the_limit_is_lost() -> None:
    table = Table(access={P0: {"wood": 8}}).place(P0, "r05")
    assert table.access(P0, "wood") == 8


def test_r7_the_houses_of_others_ask_for_no_wood() -> None:
    alone = Table(houses={"r02": P1, "r06": P1}, access={P0: {"wood": 1, "stone": 1}})
    assert "r07" in alone.spaces()


def test_r14_palace_and_cathedral_wake_no_older_house() -> None:
    table = Table(houses={"i01": P1}, access={P0: {"stone": 1, "grapes": 1}}).place(P0, "i04")
    table.activate(P0, "rectors_palace")
    assert table.asked() == ("palace/cards", 1)
    assert table["activation_queue"] == ["i04"]


def test_r18_without_a_free_segment_the_mason_does_nothing() -> None:
    walls = [f"w{number:02}" for number in range(1, 23)]
    table = Table(
        houses={"i03": P1}, walls=walls, access={P0: {"wood": 1, "stone": 1, "silver_ore": 1}}
    ).place(P0, "b21")
    table.activate(P0, "mason")
    assert list(table.effects("house_idle")) == [
        {"side": P0, "space": "b21", "hex": "mason"}, {"side": P1, "space": "i03", "hex": "mason"},
    ]  # fmt: skip
    assert table.asked() == ("place_house", P1)
    assert (table.vp(P0), table.vp(P1)) == (0, 0)


def test_r21_a_house_and_a_tower_on_one_space_count_twice() -> None:
    table = Table(
        houses={"i01": P0, "b22": P0}, towers={"b21": P0, "b22": P0},
        access={P0: {"wood": 1, "stone": 3, "silver_ore": 1}},
    ).place(P0, "b21")  # fmt: skip
    table.activate(P0, "silversmith")
    table.play(P0, "build_wall", wall_id="w21")
    assert table.vp(P0) == 5


def test_r23_who_has_nothing_to_pay_with_is_not_asked() -> None:
    table = Table(
        houses={"i08": P1}, access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}}
    ).place(P0, "i05")
    table.activate(P0, "market").play(P0, "decline")
    assert table.asked() == ("choose_hex", P0)


def test_r25_and_r26_a_purchase_lowers_a_price_and_the_next_card_raises_one() -> None:
    table = at_market()
    before = dict(table["market"])
    back = table["top_back"]
    table.play(P0, "buy_ship", slot=1)
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    assert turn.label == "ships/next"
    table.draw(*([0] * len(turn.sizes)))
    before["wine"] -= 1
    before[back["commodity"]] += back["arrows"]
    assert table["market"] == before
    assert table["ship_row"][:4] == list(CHEAP[1:5])
    assert table.side(P0)["ships"] == [CHEAP[0]]
    assert table.stock(P0, "wine") == 0


def test_r29_sales_change_no_price() -> None:
    table = at_dock()
    before = dict(table["market"])
    table.play(P0, "sell_commodity", commodity="wine")
    assert table["market"] == before
    assert (table.vp(P0), table.stock(P0, "wine")) == (PRICES[2], 1)


def test_r30_the_cathedral_sells_what_its_houses_can() -> None:
    table = Table(
        first=True, houses={"i10": P0, "i07": P0}, stock={P0: {"wine": 3, "silver": 1}},
        market={"wine": 4, "oil": 2, "silver": 6}, kept=("bonus_salt", "bonus_silk", "bonus_gems"),
        **final(),
    ).play(P0, "decline")  # fmt: skip
    row = RULESET.result(table.state).standings[P0]
    assert row.breakdown["cathedral"] == 2 * 2 + 1 * 3
    assert (row.breakdown["wine"], row.breakdown["silver"]) == (1, 0)


def test_r31_the_warehouse_counts_what_the_cathedral_left() -> None:
    table = Table(
        first=True, houses={"i10": P0}, stock={P0: {"wine": 6}},
        kept=("bonus_warehouse", "bonus_silk", "bonus_gems"), **final(),
    ).play(P0, "decline")  # fmt: skip
    assert RULESET.result(table.state).standings[P0].breakdown["bonus"] == 2


def test_r32_a_lone_wall_with_one_own_house_scores_two() -> None:
    table = Table(first=True, houses={"b03": P0}, walls=["w02"], **final()).play(P0, "decline")
    assert [r.breakdown["chain"] for r in RULESET.result(table.state).standings] == [2, 0, 0]


def test_r34_the_full_ring() -> None:
    houses = {f"b{number:02}": P0 for number in range(2, 23)}
    walls = [f"w{number:02}" for number in range(1, 23)]
    table = Table(first=True, houses=houses, walls=walls, **final()).play(P0, "decline")
    assert RULESET.result(table.state).standings[P0].breakdown["chain"] == 22 + 21


def test_r32_to_r34_the_chain_is_the_best_of_all_runs() -> None:
    rng = random.Random(1)
    for density in range(1, 101):
        walls = [int(rng.randrange(100) < density) for _ in range(RING)]
        own = [rng.randrange(3) if rng.randrange(100) < density else 0 for _ in range(RING)]
        own = [pieces or int(density == 100) for pieces in own]
        assert best_run(walls, own) == max(_runs(walls, own), default=(0, 0))


def _runs(walls: list[int], own: list[int]) -> Iterator[tuple[int, int]]:
    for first, length in product(range(RING), range(1, RING + 1)):
        at = [(first + place) % RING for place in range(length + 1)]
        score = sum(own[space] for space in {*at})
        if all(walls[wall] for wall in at[:-1]) and all(own[s] for s in at[1:-1]) and score:
            yield length + score, length


def test_r43_all_choose_at_once_in_any_order() -> None:
    table = choosing()
    assert table.asked() == ("choose_bonus", [P0, P1, P2])
    for seat in (P2, P0, P1):
        card = table.side(seat)["offered"][1]
        table.play(seat, "choose_bonus", card_id=card)
    assert table.asked() == ("place_house", table["start_player"])
    rest = table["bonus_deck"]["rest"]
    assert len(rest) == 16 - 3


def test_r51_the_owner_may_exchange_before_anothers_production() -> None:
    table = Table(
        houses={"i01": P1}, access={P0: {"wood": 1, "stone": 1}, P1: {"grapes": 1, "fish": 4}}
    ).place(P0, "b03")
    assert table.asked() == ("production_exchange", P1)
    assert table.refused(P1, "exchange_fish", resource="wood") == "unknown_resource"
    table.play(P1, "exchange_fish", resource="grapes").play(P1, "exchange_fish", resource="grapes")
    assert (table.access(P1, "grapes"), table.stock(P1, "wine")) == (3, 3)
    assert table.access(P1, "fish") == 0
    exchange = {"side": P1, "fish": 2, "resource": "grapes", "units": 1}
    assert list(table.effects("fish_exchanged")) == [exchange, exchange]
    assert table.asked() == ("place_house", P1)


@pytest.mark.parametrize(
    ("access", "asked"),
    [
        ({"wood": 1, "stone": 1, "fish": 1}, False),
        ({"wood": 1, "stone": 1, "fish": 2}, True),
        ({**ALL_AT_EIGHT, "fish": 2}, False),
        ({**ALL_AT_EIGHT, "fish": 8}, False),
        ({**ALL_AT_EIGHT, "olives": 7, "fish": 2}, True),
    ],
)
def test_a_single_hex_acts_at_once_unless_fish_can_be_exchanged_first(
    access: dict[str, int],
    asked: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Section 4.2: "automatically", if fewer than 2 fish, or all five other resources at 8."""
    table = Table(access={P0: access}).place(P0, "b03")
    assert (table.asked() == ("choose_hex", P0)) == asked


def test_r53_returned_cards_lie_under_the_deck() -> None:
    table = Table(access={P0: {"stone": 1, "grapes": 1}})
    data = table.json
    data["bonus_deck"] = {"rest": ["bonus_silk"], "bottom": ["bonus_gems", "bonus_wood"]}
    kept = [c for c in _all_cards() if c not in ("bonus_silk", "bonus_gems", "bonus_wood")]
    data["sides"][P1]["kept"] = kept
    for side in (P0, P2):
        data["sides"][side]["kept"] = []
    table.state = RULESET.from_json(data)
    table.place(P0, "i04").activate(P0, "rectors_palace")
    turn = RULESET.turn(table.state)
    assert isinstance(turn, Chance)
    table.draw(*([0] * len(turn.sizes)))
    assert {m["card_id"] for m in table.legal("keep_bonus")} == {"bonus_silk", "bonus_gems"}


def _all_cards() -> list[str]:
    return [card["id"] for card in RULESET.data.tables["bonus_cards"]]


# Two players with neutral houses


def test_neutral_houses_block_spaces_of_the_city() -> None:
    table = Table(2)
    table.state = start(2, two_player_neutral_houses=True)
    nature(table, {}, None)
    neutral = [space for space, owner in table["houses"].items() if owner == "neutral"]
    assert len(neutral) == 6
    assert all(space[0] in "bi" for space in neutral)
    for seat in (P0, P1):
        table.play(seat, "choose_bonus", card_id=table.side(seat)["offered"][0])
    active = table["active"]
    assert table.refused(active, "place_house", space_id=neutral[0]) == "space_occupied"


def test_neutral_houses_do_not_act() -> None:
    table = Table(
        2, houses={"i08": "neutral", "i04": P1, "i02": "neutral"}, two_player_neutral_houses=True,
        access={P0: {"wood": 1, "stone": 1}}, stock={P0: {"wine": 2}, P1: {"oil": 2}},
    ).place(P0, "i05").activate(P0, "market")  # fmt: skip
    assert table["activation_queue"] == ["i05", "i04"]
    table.play(P0, "decline")
    assert table.asked() == ("buy_ship", P1)


@pytest.mark.parametrize("seats", [1, 3, 4, 5])
def test_neutral_houses_are_for_two_players(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"for two players, not {seats}"):
        start(seats, two_player_neutral_houses=True)
    assert start(seats, two_player_neutral_houses=False).neutral is False


# Solo


def test_solo_begins_with_houses_and_resources() -> None:
    table = Table()
    table.state = start(1)
    nature(table, {}, "patrician/bot_a")
    owners = table["houses"]
    assert {s for s, o in owners.items() if o == P0} == {"r06", "r10", "r20"}
    human = table.side(0)["access"]
    assert human == {
        "fish": 0, "wood": 2, "stone": 3, "silver_ore": 2, "grapes": 1, "olives": 1,
    }  # fmt: skip
    assert [table.side(bot)["access"]["wood"] for bot in (1, 2)] == [3, 3]
    assert len(table["patricians"]) == 6


def test_solo_is_nine_rounds_and_ranks_the_automata() -> None:
    rng = random.Random(3)
    draws = uniform(rng)
    state: Any = start(1)
    placed = 0
    drawn: dict[str, list[int]] = {}
    while not isinstance(turn := RULESET.turn(state), GameOver):
        if isinstance(turn, Chance):
            drawn.setdefault(turn.label, []).append(turn.n)
            RULESET.reduce(state, ChanceEvent(turn.label, turn.n, draws(turn)))
        else:
            move = rng.choice(RULESET.legal_moves(state, P0))
            placed += move.type in ("place_house", "forfeit_house")
            RULESET.reduce(state, MoveEvent(P0, move))
    assert placed == 9
    for bot in AUTOMATA:
        assert drawn[f"patrician/{bot}"] == list(range(1, 10)), "its turns, by their number"
    assert drawn["setup/patricians"] == [1]
    rows = RULESET.result(state).standings
    assert [row.side for row in rows] == ["seat:0", *(f"automaton:{bot}" for bot in AUTOMATA)]
    won = rows[0].score > max(row.score for row in rows[1:])
    assert rows[0].breakdown["solo_won"] == int(won)


def test_the_card_of_a_lone_player_lies_open() -> None:
    table = solo()
    shown = RULESET.view(table.state, None)["sides"][0]["bonus_cards"]
    assert shown == [table.side(0)["kept"][0]]


def test_who_has_used_no_card_of_an_automaton_is_not_told() -> None:
    table = Table()
    table.state = start(1)
    nature(table, {}, "patrician/bot_a")
    owners = [row["owner"] for row in RULESET.view(table.state, P0)["patricians"]]
    assert owners == [None] * 6


# Views


def test_bonus_cards_are_their_owners_alone() -> None:
    table = choosing()
    for seat in (P0, P1, P2):
        shown = [RULESET.view(table.state, v)["sides"][seat]["offered"] for v in (P0, P1, P2, None)]
        assert [cards is not None for cards in shown] == [seat == v for v in (P0, P1, P2, None)]
    table.play(P0, "choose_bonus", card_id=table.side(P0)["offered"][0])
    other = copy.deepcopy(table.json)
    other["sides"][P0]["kept"], spare = ["bonus_pearls"], other["sides"][P0]["kept"][0]
    other["bonus_deck"]["rest"] = sorted(
        [spare if c == "bonus_pearls" else c for c in other["bonus_deck"]["rest"]],
        key=_all_cards().index,
    )
    changed = RULESET.from_json(other)
    for viewer in (P1, P2, None):
        assert RULESET.view(table.state, viewer) == RULESET.view(changed, viewer)


OFFERED = ["bonus_wood", "bonus_silk", "bonus_gems"]
DRAWN = ["bonus_pearls", "bonus_salt"]


@pytest.mark.parametrize("viewer", [P0, P1, None])
def test_at_the_end_kept_cards_are_open_and_what_was_laid_back_is_not(viewer: Seat | None) -> None:
    given = final()
    given["sides"][P0].update(offered=OFFERED, kept=["bonus_gems", "bonus_salt"])
    table = Table(
        first=True, palace_draws=[{"side": P0, "cards": DRAWN}],
        bonus_deck={"rest": [], "bottom": ["bonus_pearls"]}, **given,
    ).play(P0, "decline")  # fmt: skip
    view = RULESET.view(table.state, viewer)
    assert [side["bonus_cards"] for side in view["sides"]] == [
        ["bonus_salt", "bonus_gems"], ["bonus_stone"], ["bonus_fish"],
    ], "as a set: which of them was dealt is nobody's business"  # fmt: skip
    told = [effect["card"] for effect in table.effects("bonus_scored") if effect["side"] == P0]
    (revealed, *_others) = table.effects("bonus_revealed")
    assert told == revealed["cards"] == ["bonus_salt", "bonus_gems"]
    own = viewer == P0
    assert view["sides"][P0]["offered"] == (OFFERED if own else None)
    assert view["palace_draws"] == [{"side": P0, "cards": DRAWN if own else None}]


# Phases


def test_r11_no_hex_is_being_activated_while_the_next_is_chosen() -> None:
    table = Table(
        houses={"i01": P0, "i03": P0},
        access={P0: {"wood": 1, "stone": 3, "silver_ore": 3, "fish": 2}},
    ).place(P0, "b21").activate(P0, "silversmith")  # fmt: skip
    assert table.asked() == ("choose_hex", P0)
    assert table["current_hex"] is None
    assert RULESET.view(table.state, P0)["current_hex"] is None
    assert table["windows_closed"] == []
    table.activate(P0, "mason")
    assert table["current_hex"] == "mason"


@pytest.mark.parametrize("change", [{"current_hex": "mason"}, {"activation_queue": ["b21"]}])
def test_a_hex_without_houses_that_wait_is_noticed(change: Json) -> None:
    complaint = "houses wait in no hex, or a hex for no house"
    assert complaint in RULESET.violations(Table(**change).state)
    assert complaint not in RULESET.violations(Table().state)


def test_r51_a_window_is_closed_once_for_all_houses_of_its_owner() -> None:
    table = Table(
        houses={"b04": P1, "i02": P1, "i04": P2},
        access={P0: {"wood": 1, "stone": 1}, P2: {"fish": 2}},
    ).place(P0, "b03")  # fmt: skip
    assert table.asked() == ("production_exchange", P2)
    assert table["windows_closed"] == [P0, P1]
