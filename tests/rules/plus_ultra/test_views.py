"""Views: if two states differ only in something hidden, other viewers see the same."""

import random

import pytest

from rules.kernel.contract.drawing import plain
from rules.kernel.contract.seats import Seat, all_seats
from rules.plus_ultra import RULESET
from rules.plus_ultra.state import State
from tests.rules.playing import Json
from tests.rules.plus_ultra.table import A, B, C, D, Table


def changed(table: Table, **given: object) -> State:
    return RULESET.from_json({**table.json, **given})


def same_for(one: State, other: State, *viewers: Seat | None) -> bool:
    return all(RULESET.view(one, v) == RULESET.view(other, v) for v in viewers)


def drafting(**given: object) -> Table:
    table = Table()
    data = table.json
    data.update(
        phase="draft", round=0, place=4, decider=C, picks=2, set_aside="king",
        characters=[["admiral"], ["pirate"], [], []], used=[[], [], [], []],
        pack=["cardinal", "merchant", "constable", "conquistador", "secretary", "viceroy"],
    )  # fmt: skip
    table.state = RULESET.from_json({**data, **given})
    return table


def test_drafted_characters_are_their_owners_alone() -> None:
    one = drafting().state
    other = drafting(characters=[["pirate"], ["admiral"], [], []]).state
    assert same_for(one, other, C, D, None)
    assert not same_for(one, other, A)
    assert RULESET.view(one, A)["players"][A]["characters"] == ["admiral"]
    assert RULESET.view(one, B)["players"][A]["characters"] is None


def test_the_pack_is_seen_by_who_picks_from_it() -> None:
    state = drafting().state
    assert RULESET.view(state, C)["pack"] == state.to_json()["pack"]
    assert [RULESET.view(state, v)["pack"] for v in (A, B, D, None)] == [None] * 4


def test_a_seat_remembers_the_packs_that_it_was_handed() -> None:
    state = drafting().state
    packs = [RULESET.information(state, seat)["packs"] for seat in (A, B, C, D)]
    assert [len(pack) for pack in packs] == [1, 1, 1, 0]
    assert set(packs[A][0]) == set(packs[B][0]) | {"admiral"}
    assert "king" not in packs[A][0]


def test_who_saw_the_first_pack_knows_what_was_set_aside() -> None:
    state = drafting().state
    assert guessed_aside(state, A) == {state.set_aside}
    assert len(guessed_aside(state, B)) == 2  # the King or the Admiral


def guessed_aside(state: State, seat: Seat) -> set[int]:
    known = RULESET.information(state, seat)
    return {RULESET.determinize(known, random.Random(n)).set_aside for n in range(30)}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_leftovers_are_never_shown(seats: int) -> None:
    state = Table(seats).state
    for viewer in (*all_seats(seats), None):
        shown = RULESET.view(state, viewer)
        assert shown["pack"] is None
        assert "set_aside" not in shown


def test_with_four_players_everybody_can_deduce_what_was_set_aside() -> None:
    state = Table(4).state
    for seat in (A, B, C, D):
        world = RULESET.determinize(RULESET.information(state, seat), random.Random(seat))
        assert world.set_aside == state.set_aside


def test_bids_are_seen_when_all_are_in() -> None:
    table = Table(3, phase="tercio_bids").play(A, "bid_tercios", count=2)
    other = changed(table, bids=[0, -1, -1])
    assert same_for(table.state, other, B, C, None)
    assert RULESET.view(table.state, A)["own_bid"] == 2
    assert RULESET.view(table.state, None)["committed"] == [A]
    table.play(B, "bid_tercios", count=0).play(C, "bid_tercios", count=1)
    assert next(iter(table.effects("bids_opened"))) == {"bids": [2, 0, 1]}


def test_estates_are_their_owners_alone_until_used() -> None:
    table = Table(players={A: {"estates": ["castle"]}})
    other = changed(table, estates=[["vineyard"], [], [], []])
    assert same_for(table.state, other, B, C, D, None)
    assert RULESET.view(table.state, A)["players"][A]["estates"] == ["castle"]
    assert RULESET.view(table.state, B)["players"][A]["estate_count"] == 1
    guesses = {
        RULESET.determinize(RULESET.information(table.state, B), random.Random(n)).estates[A][0]
        for n in range(60)
    }
    assert len(guesses) == 10
    listed = [RULESET.legal_moves(state, A) for state in (table.state, other)]
    assert listed[0] != listed[1]
    assert all(RULESET.legal_moves(state, B) == () for state in (table.state, other))


def test_an_activation_never_ends_by_itself() -> None:
    """Otherwise it would reveal that its player has no estate to use."""
    table = Table(round=2, players={A: {"ducats": 0}}, common_taken=[1] * 8,
                  common_used=[1, 1, 1, 1], bull_used=[1, 1, 1, 1])  # fmt: skip
    character = table["characters"][A][0]
    table.play(A, "forfeit_character", character=character)
    assert table.legal() == [{"type": "end_activation"}]


def over() -> Table:
    table = Table(2, active=B, round=2, turn=7, characters={B: ("pirate", "viceroy")},
                  set_aside="king", players={A: {"estates": ["castle"]}})  # fmt: skip
    return table.play(B, "forfeit_character", character="pirate").end(B)


def test_everything_is_open_at_the_end() -> None:
    state = RULESET.initial(2, RULESET.parse_options(2, {}))
    shown: Json = RULESET.view(over().state, None)
    assert shown["players"][A]["estates"] == ["castle"]
    assert RULESET.view(state, None)["players"][A]["estates"] is None


def test_a_game_that_is_over_is_in_no_round() -> None:
    shown: Json = RULESET.view(over().state, None)
    assert (shown["turn"], shown["round"], shown["activation"]) == (7, 0, None)
    assert RULESET.information(over().state, A)["state"]["round"] == 0
    heading = plain(RULESET.draw(shown, "en", 78)).splitlines()[0]
    assert heading == "Turn 7 of 7 · all seven turns have been played"
