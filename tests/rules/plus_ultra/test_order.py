"""The peer order if it differs from the order of seats, and the start of a turn."""

from typing import Any

import pytest

from rules.kernel.contract.chance import shuffle_picks
from rules.kernel.contract.seats import Seat
from rules.plus_ultra import RULESET
from rules.plus_ultra.data import KINDS
from tests.rules.plus_ultra.table import (
    GEMS,
    GOLD,
    SILVER,
    A,
    B,
    C,
    D,
    Table,
    start,
)
from tests.rules.plus_ultra.test_examples import drafting, finish_draft

CAB = [C, A, B]
FORFEIT = {"characters": {A: ("pirate", "viceroy")}, "set_aside": "king"}
ALL_ROWS = dict.fromkeys(range(1, 8), SILVER)


def last_of(peer_order: list[Seat], **given: Any) -> Table:
    """A has the last activation, and has forfeited it."""
    assert peer_order[-1] == A
    table = Table(len(peer_order), round=2, peer_order=peer_order, **{**FORFEIT, **given})
    return table.play(A, "forfeit_character", character="pirate")


# The next seat


def test_characters_are_drafted_in_peer_order() -> None:
    table = Table(3)
    table.state = start(3)
    table.draw(*shuffle_picks(range(3), CAB)).turn_up(GOLD).draw(1, 1, 1).draw(0)
    characters = ["cardinal", "merchant", "constable", "conquistador", "pirate", "king"]
    for seat, character in zip([*CAB, *CAB], characters, strict=True):
        assert table.asked() == ("draft", seat)
        table.play(seat, "draft_character", character=character)
    assert table["characters"][C] == ["cardinal", "conquistador"]


def test_income_goes_by_peer_order() -> None:
    hands = [("king",), ("pirate",), ("admiral",), ("merchant",)]
    table = drafting(4, hands, turn=7, order=[D, C, B, A])
    finish_draft(table, ["cardinal", "constable", "secretary", "conquistador"])
    assert table.of("pg") == [0, 0, 1, 2]
    assert table.of("ducats") == [4, 3, 2, 2]


def test_bulls_are_bought_in_peer_order() -> None:
    rich = {seat: {"ducats": 3} for seat in CAB}
    table = Table(3, phase="buy_bulls", round=0, peer_order=CAB, active=C, players=rich)
    table.play(C, "decline_bull").play(A, "buy_bull").play(B, "decline_bull")
    assert table.asked() == ("tercio_bids", [A, B, C])


def test_r35_equal_bids_are_placed_in_peer_order() -> None:
    table = Table(3, phase="tercio_bids", peer_order=CAB)
    for seat, count in ((A, 1), (B, 2), (C, 2)):
        table.play(seat, "bid_tercios", count=count)
    assert table["war"] == [C, B, A]


def test_r52_players_are_activated_in_peer_order_twice() -> None:
    table = Table(3, phase="tercio_bids", peer_order=CAB)
    for seat in (A, B, C):
        table.play(seat, "bid_tercios", count=0)
    for seat in [*CAB, *CAB]:
        assert table.asked() == ("activation", seat)
        character = table.legal("forfeit_character")[0]["character"]
        table.play(seat, "forfeit_character", character=character).end(seat)
    assert table["turn"] == 2


def test_the_levy_goes_round_in_peer_order() -> None:
    table = Table(3, peer_order=CAB, active=A, characters={A: ("king", "pirate")})
    table.play(A, "king_levy").play(C, "levy_pay_ducat").play(B, "levy_lose_pg")
    assert (table.of("ducats"), table.of("pg")) == ([2, 2, 1], [0, -1, 0])
    assert table.asked() == ("activation", A)


def test_a_raid_goes_round_in_peer_order() -> None:
    table = Table(
        3, peer_order=CAB, active=A, characters={A: ("pirate", "king")}, rows={1: GOLD},
        settlements={1: (4, [A, B, C])},
    ).play(A, "pirate_raid_goods", row=1)  # fmt: skip
    table.play(C, "raid_pay_ducat").play(A, "raid_tire_tercio").play(B, "raid_pay_ducat")
    assert (table.of("ducats"), table.of("tired")) == ([4, 1, 1], [1, 0, 0])
    assert table.asked() == ("activation", A)


def test_tercios_are_reactivated_in_peer_order() -> None:
    tired = {"active": 0, "tired": 2}
    table = last_of(
        [B, C, A], pending_order=CAB, rows=ALL_ROWS, players=dict.fromkeys(CAB, tired)
    ).end(A)
    assert table["peer_order"] == CAB
    table.play(C, "decline_reactivation").play(A, "reactivate_tercios")
    assert table.asked() == ("reactivate_tercios", B)
    table.play(B, "decline_reactivation")
    assert (table.of("active"), table.of("tired")) == ([2, 0, 0], [0, 2, 2])


# Supplies


def test_r12_what_the_crown_cannot_keep_goes_round_more_than_once() -> None:
    table = last_of([B, A], crown=6, market=[SILVER, SILVER, GEMS, SILVER], set_aside="constable")
    before = table.of("ducats")
    table.end(A)
    gained = [now - was for now, was in zip(table.of("ducats"), before, strict=True)]
    assert gained == [1, 2]
    assert (table["crown"], table["market"]) == (6, [GEMS])


def test_r9_rows_stay_empty_when_the_pile_is() -> None:
    table = last_of([B, A], rows={2: GOLD}, empty_pile=True).end(A)
    assert table["rows"] == [None, GOLD, None, None, None, None, None]
    assert table.asked() == ("war/dice", 2)


def test_r9_the_first_empty_rows_get_what_is_left_of_the_pile() -> None:
    table = last_of([B, A], rows={2: GOLD}, empty_pile=True)
    data = table.json
    data["box"][KINDS.index(SILVER)] -= 1
    data["unseen"][KINDS.index(SILVER)] += 1
    table.state = RULESET.from_json({**data, "pile": 1})
    table.end(A).turn_up(SILVER)
    assert table["rows"] == [SILVER, GOLD, None, None, None, None, None]
    assert table.asked() == ("war/dice", 2)


# The next turn


def test_what_a_turn_allows_once_is_allowed_again_in_the_next() -> None:
    table = last_of(
        [B, A], rows=ALL_ROWS, common_used=[1, 1], bull_used=[1, 0],
        common_taken=[1, 1, 1, 0, 0, 0, 0, 0],
    ).end(A)  # fmt: skip
    assert table["turn"] == 2
    assert (table["common_used"], table["bull_used"]) == ([0, 0], [0, 0])
    assert table["common_taken"] == [0] * 8
    assert (table["characters"], table["used"]) == ([[], []], [[], []])


@pytest.mark.parametrize("pending", [[A, B], [B, A]])
def test_r33_the_next_turn_begins_with_the_pending_order(pending: list[Seat]) -> None:
    table = last_of([B, A], rows=ALL_ROWS, pending_order=pending).end(A)
    assert table["peer_order"] == table["pending_order"] == pending
