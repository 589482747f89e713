"""Views: they show everything but the wares of the shares dealt to others."""

import random
from collections import Counter
from itertools import permutations

import pytest

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.effects import EffectLog, can_see
from rules.kernel.contract.ruleset import ChanceEvent
from rules.manila import RULESET
from tests.rules.manila.table import (
    MOVE_2,
    MOVE_3,
    PLACE_2,
    PLACE_3,
    A,
    B,
    C,
    D,
    E,
    Table,
    at_sea,
    before_roll,
    deal_picks,
    start,
)

HANDS = (("nutmeg", "silk"), ("silk", "jade"), ("nutmeg", "silk"), ("ginseng", "jade"))
SWAPPED = (("nutmeg", "silk"), ("nutmeg", "ginseng"), ("silk", "silk"), ("jade", "jade"))
"""Hands that differ from the usual ones only for other seats than 0, and have the same sum."""
STARTS = {"silk": 5, "ginseng": 4, "jade": 0}


def test_only_its_owner_sees_a_dealt_hand() -> None:
    state = Table().state
    for viewer in (None, A, B, C, D):
        for player in RULESET.view(state, viewer)["players"]:
            assert (player["dealt"] is not None) == (player["seat"] == viewer)
    own = RULESET.view(state, B)["players"][B]["dealt"]
    assert own == {"nutmeg": 0, "silk": 1, "ginseng": 0, "jade": 1}


def test_hidden_wares_change_nothing_that_others_get() -> None:
    for given in (
        {},
        {"players": {A: {"cash": 3}, B: {"pledged": 1, "bought": {"jade": 1}}}},
        {"phase": "buy_share", "harbour_master": A},
    ):
        one, two = (Table(hands=hands, **given).state for hands in (HANDS, SWAPPED))
        for viewer in (None, A):
            assert RULESET.view(one, viewer) == RULESET.view(two, viewer)
        assert RULESET.information(one, A) == RULESET.information(two, A)
        assert RULESET.legal_moves(one, A) == RULESET.legal_moves(two, A)
        assert RULESET.default_move(one, A) == RULESET.default_move(two, A)
        assert RULESET.view(one, B) != RULESET.view(two, B)


def test_settling_a_voyage_tells_nothing_of_hidden_wares() -> None:
    logs = []
    for hands in (HANDS, SWAPPED):
        table = before_roll(
            MOVE_3,
            hands=hands,
            positions={"silk": 12, "ginseng": 3, "jade": 3},
            crews={"insurance": [B], "punt_silk": [A], "shipyard_a": [C]},
        )
        logs.append(table.roll(silk=2, ginseng=1, jade=1).log)
        assert RULESET.view(table.state, A)["players"][B]["dealt"] is None
    assert logs[0] == logs[1]


def test_the_deal_tells_each_seat_its_own_hand() -> None:
    state = start(4, {"first_starter": "seat_0"})
    turn = RULESET.turn(state)
    assert isinstance(turn, Chance)
    assert turn.audience == "none"
    log = EffectLog()
    RULESET.reduce(state, ChanceEvent(turn.label, turn.n, deal_picks(HANDS)), log)
    for viewer in (None, A, B, C, D):
        seen = [effect for effect in log.effects if can_see(viewer, effect.audience)]
        hands = [effect.data for effect in seen if effect.type == "own_shares_dealt"]
        own = [] if viewer is None else [{"seat": viewer, "wares": list(HANDS[viewer])}]
        assert hands == own
    (public,) = [effect.data for effect in log.effects if effect.type == "shares_dealt"]
    assert public == {"count": 2, "nutmeg": 3, "silk": 2, "ginseng": 4, "jade": 3}


def test_guesses_keep_what_is_known_and_spread_the_rest_evenly() -> None:
    table = Table(players={C: {"bought": {"ginseng": 2}}})
    known = RULESET.information(table.state, A)
    rng = random.Random(1)
    hands: Counter[bytes] = Counter()
    for _ in range(2000):
        guess = RULESET.determinize(known, rng)
        assert RULESET.information(guess, A) == known
        hands[encode(RULESET.to_json(guess)["dealt"][B])] += 1
    # The other seats have 1 nutmeg, 2 silk, 1 ginseng and 2 jade: 15 equally likely deals.
    both_jade = hands[encode({"nutmeg": 0, "silk": 0, "ginseng": 0, "jade": 2})]
    silk_and_jade = hands[encode({"nutmeg": 0, "silk": 1, "ginseng": 0, "jade": 1})]
    assert abs(both_jade / 2000 - 1 / 15) < 0.03
    assert abs(silk_and_jade / 2000 - 4 / 15) < 0.05


def test_guesses_deal_more_than_three_of_a_ware_if_all_shares_were_shuffled() -> None:
    hands = (("jade", "jade"), ("jade", "jade"), ("jade", "silk"))
    table = Table(3, hands=hands, initial_pool="all_shares")
    known = RULESET.information(table.state, A)
    rng = random.Random(1)
    guessed = set()
    for _ in range(50):
        guess = RULESET.determinize(known, rng)
        assert RULESET.information(guess, A) == known
        dealt = [tuple(shares.values()) for shares in RULESET.to_json(guess)["dealt"]]
        guessed.add(tuple(dealt))
    jade, both = (0, 0, 0, 2), (0, 1, 0, 1)
    assert guessed == {(jade, jade, both), (jade, both, jade)}


def test_at_the_end_everybody_sees_everything() -> None:
    table = before_roll(
        MOVE_3, market={"jade": 20}, positions={"silk": 3, "ginseng": 3, "jade": 13}
    ).roll(silk=1, ginseng=1, jade=1)
    for viewer in (None, A, D):
        players = RULESET.view(table.state, viewer)["players"]
        assert all(player["dealt"] is not None for player in players)
    known = RULESET.information(table.state, A)
    guess = RULESET.determinize(known, random.Random(1))
    assert RULESET.to_json(guess) == table.json


def test_the_view_holds_what_a_client_draws() -> None:
    table = at_sea(
        "placement",
        PLACE_2,
        positions={"silk": 14, "ginseng": 4, "jade": 0},
        docked=["silk"],
        crews={
            "punt_jade": [B, C],
            "port_a": [D],
            "shipyard_b": [A],
            "pirate": [C],
            "pilot_big": [B],
            "insurance": [D],
        },
        market={"silk": 10},
    )
    view = RULESET.view(table.state, None)
    assert view["punts"][0] == {
        "ware": "silk",
        "lane": 1,
        "position": 14,
        "status": "in_port",
        "slot": "a",
        "seats": [None] * 3,
        "plundered": False,
    }
    assert view["punts"][2]["seats"] == [B, C, None, None]
    assert view["ports"]["a"] == {"accomplice": D, "punt": "silk"}
    assert view["shipyards"]["b"] == {"accomplice": A, "punt": None}
    assert view["pirates"] == {"captain": C, "second": None}
    assert view["pilots"] == {"small": None, "big": B}
    assert (view["insurance"], view["left_out"], view["auction"]) == (D, "nutmeg", None)
    assert (view["placement_round"], view["movement_round"]) == (2, 1)
    assert view["market"]["silk"] == 10
    assert (view["players"][A]["cash"], view["players"][A]["funds"]) == (30, 54)
    assert (view["players"][B]["shares"], view["players"][B]["accomplices_in_hand"]) == (2, 1)
    bidding = RULESET.view(Table().bid(A, 4).passes(B).state, None)
    assert bidding["auction"] == {"starter": A, "high": 4, "high_bidder": A, "passed": [B]}
    assert bidding["punts"] == []


def test_the_board_shows_where_things_are() -> None:
    table = at_sea(
        "placement",
        PLACE_2,
        positions=STARTS,
        crews={"punt_jade": [B], "pirate": [C], "shipyard_c": [D]},
        players={C: {"bought": {"silk": 1}}},
    )
    board = plain(RULESET.draw(RULESET.view(table.state, C), "en", 78))
    lines = [line.split() for line in board.splitlines()]
    assert "Red: place an accomplice" in board
    assert ["silk", *["·"] * 5, "►", *["·"] * 8, "[3]", "[4]", "[5]", "+30"] in lines
    assert "B [4] [5] [5] +36" in board
    assert "pirate boat: C [5]" in board
    assert ["C", "+15", "[2]", "+15", "D", "insurance:", "+10", "[0]"] in lines
    assert ["C", "Yellow", "30", "66", "1", "2", "0", "0", "0", "0", "2"] in lines
    assert ["►A", "Red", "30", "54", "0", "0", "0", "0", "2", "0", "3"] in lines


def test_the_board_shows_arrivals() -> None:
    table = before_roll(MOVE_2, positions={"silk": 11, "ginseng": 3, "jade": 11})
    table.roll(silk=3, ginseng=1, jade=3)
    board = plain(RULESET.draw(RULESET.view(table.state, None), "es", 78))
    assert board.count("llega") == 2
    table.play(A, "choose_arrival_order", order=["jade", "silk"])
    board = plain(RULESET.draw(RULESET.view(table.state, None), "es", 78))
    assert "puerto A" in board
    assert "B +8 [3] ← seda" in " ".join(board.split())


def test_the_board_breaks_long_notes_between_them() -> None:
    table = Table(5).passes(A, B).bid(C, 1).passes(D, E)
    table.sail(C, silk=5, ginseng=4, jade=0).abstain(C, D, E, A, B)
    board = plain(RULESET.draw(RULESET.view(table.state, None), "es", 78))
    assert max(map(len, board.splitlines())) <= 78
    notes = (
        "capitán del puerto: Amarillo",
        "se abstienen: Rojo, Azul, Amarillo, Negro y Naranja",
        "en tierra: nuez moscada",
    )
    assert all(note in board for note in notes)


@pytest.mark.parametrize("docked", list(permutations(("nutmeg", "ginseng", "jade"))))
def test_the_board_keeps_the_ports_apart(docked: tuple[str, ...]) -> None:
    table = at_sea(
        "placement",
        PLACE_3,
        positions=dict.fromkeys(docked, 14),
        docked=list(docked),
        crews={"port_a": [C], "port_b": [C], "port_c": [C]},
    )
    board = plain(RULESET.draw(RULESET.view(table.state, None), "es", 78))
    assert max(map(len, board.splitlines())) <= 78
    names = [RULESET.labels.text(f"ware.{ware}", "es") for ware in docked]
    ports = [
        f"{slot} +{payout} C ← {name}"
        for slot, payout, name in zip("ABC", (6, 8, 15), names, strict=True)
    ]
    lines = [" ".join(line.split()) for line in board.splitlines()]
    assert all(any(line.startswith(port) for line in lines) for port in ports), board
