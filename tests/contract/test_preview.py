"""What a preview says is true, and the same in all positions that its seat cannot tell apart."""

import random
from typing import Any

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.preview import DRAW, END, REVEAL, Preview, guess, preview
from rules.kernel.contract.ruleset import Decision, Finished, Moved, Ruleset
from rules.kernel.contract.seats import Seat
from tests.contract.tables import SEEDS, Table, default_tables, reduced, spots
from tests.contract.test_secrecy import seen, twins


def looks(ruleset: Ruleset[Any], found: Preview, seat: Seat) -> tuple[Any, ...]:
    """Return all that is told of a preview."""
    view = None if found.state is None else encode(ruleset.view(found.state, seat))
    turn = found.turn if found.stops_at in (None, DRAW) else None
    return encode(found.move), found.effects, found.stops_at, view, turn, found.opens


def test_a_preview_is_true_and_tells_nothing_hidden(table: Table) -> None:
    """For every legal move: the same from every twin, and what happens when it is played."""
    if table not in default_tables(table.ruleset):
        return
    ruleset = table.ruleset
    for spot in spots(table, SEEDS[0]):
        turn = ruleset.turn(spot.state)
        for seat in turn.seats if isinstance(turn, Decision) else ():
            alike = [spot.state, *twins(spot, seat)]
            guesses = [guess(ruleset, state, seat, random.Random(0)) for state in alike]
            for move in ruleset.legal_moves(spot.state, seat):
                where = f"{spot.where}: seat {seat} plays {move}"
                found = [
                    looks(ruleset, preview(ruleset, ruleset.copy(each), seat, move.to_json()), seat)
                    for each in guesses
                ]
                assert all(one == found[0] for one in found), f"{where}: twins differ"
                assert_true(ruleset, spot.state, seat, move, found[0], where)


def assert_true(
    ruleset: Ruleset[Any], state: Any, seat: Seat, move: Any, told: tuple[Any, ...], where: str
) -> None:
    _move, effects, stops_at, view, turn, opens = told
    after, happened, opened = reduced(ruleset, state, Moved(seat, move))
    now = ruleset.turn(after)
    assert opens == opened, where
    if opened or isinstance(now, Finished):
        assert stops_at == (REVEAL if opened else END), where
        assert view is None, where
        assert effects == seen(happened, seat)[: len(effects)], where
        return
    assert stops_at == (DRAW if isinstance(now, Chance) else None), where
    assert effects == seen(happened, seat), where
    assert view == encode(ruleset.view(after, seat)), where
    assert turn == now, where


def test_previews_stop_everywhere() -> None:
    """The check above meets all there is: draws, hidden and public, revelations, and ends."""
    met = set()
    for table in default_tables():
        for spot in spots(table, SEEDS[0]):
            turn = table.ruleset.turn(spot.state)
            for seat in turn.seats if isinstance(turn, Decision) else ():
                move = table.ruleset.legal_moves(spot.state, seat)[0].to_json()
                position = guess(table.ruleset, spot.state, seat, random.Random(0))
                found = preview(table.ruleset, position, seat, move)
                public = isinstance(found.turn, Chance) and found.turn.audience == PUBLIC
                met.add((found.stops_at, public))
    assert {(None, False), (DRAW, True), (DRAW, False), (REVEAL, False)} <= met
