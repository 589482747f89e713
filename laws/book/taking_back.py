"""Laws of moves that are taken back (docs/format.md, "Taking back").

A move that can be taken back must not show hidden things to anybody. When a move is taken back, the
game returns to the state before the move, and the rules never see that the move was played. If the
move had shown a hidden card to a seat, the seat would still know the card. But the state before the
move does not say so, and the seat's information would be incomplete.
"""

import random
from collections.abc import Sequence
from typing import Any

from laws.book.records import SEED, verify_copies
from laws.book.secrecy import seen, twins
from laws.games import SampleGame, Spot, possible, reduced, sampled, shown
from laws.law import Breach, Scope, law
from laws.streams import SECRETS, SigningKey, Stream, batches, record_move
from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.ruleset import GameOver, MoveEvent
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Point, counting

MOVES = 3
"""Number of moves that are tried at each decision."""
OFTEN = 0.3
"""The share of moves after which the game goes back."""


@law(
    Scope.POSITION,
    "6. What each viewer knows",
    "others learn something hidden from this type of move: mark it with `reveals = True`",
)
def what_can_be_taken_back_showed_nothing(spot: Spot) -> None:
    """If a move can be taken back, it shows nobody anything hidden.

    A move can be taken back if its type has no ``reveals``, if it opens no sealed part, and if
    neither a draw nor the end of the game follows. In every position that another seat considers
    possible, the move must be possible, too, and must look the same.
    """
    ruleset = spot.ruleset
    seats = all_seats(spot.table.seats)
    asked = [seat for seat in seats if ruleset.is_asked(spot.state, seat)]
    others = {viewer: _unlike(spot, viewer) for viewer in seats} if len(seats) > 1 else {}
    rng = random.Random(f"{spot.where} taken back")
    for seat in asked:
        moves = [m for m in ruleset.legal_moves(spot.state, seat) if not m.reveals]
        for move in sampled(moves, MOVES, rng):
            event = MoveEvent(seat, move)
            after, effects, opened = reduced(ruleset, spot.state, event)
            if opened or isinstance(ruleset.turn(after), Chance | GameOver):
                continue
            for viewer in seats:
                for twin in others.get(viewer, ()) if viewer != seat else ():
                    told = seen(effects, viewer), encode(ruleset.view(after, viewer))
                    if _in_twin(spot, twin, event, viewer) != told:
                        raise Breach(f"seat {viewer} learns something from {shown(event)}")


def _unlike(spot: Spot, viewer: Seat) -> list[Any]:
    """Return guesses of a seat that differ from the true position."""
    return [
        twin for twin in twins(spot, viewer) if encode(spot.ruleset.to_json(twin)) != spot.bytes()
    ]


def _in_twin(spot: Spot, twin: Any, event: MoveEvent[Any], viewer: Seat) -> tuple[Any, bytes]:
    """Return the effects and the view that a viewer gets if the move is made in the guess ``twin``.

    If the move is secret and is not possible in ``twin``, another secret move is made there.
    """
    ruleset = spot.ruleset
    if not possible(ruleset, twin, event):
        secret = [
            m for m in ruleset.legal_moves(twin, event.seat) if m.secret and event.move.secret
        ]
        if not secret:
            raise Breach(f"seat {viewer} learns by {shown(event)} that it is legal")
        event = MoveEvent(event.seat, secret[0])
    after, effects, _opened = reduced(ruleset, twin, event)
    return seen(effects, viewer), encode(ruleset.view(after, viewer))


@law(
    Scope.GAME,
    "3. The sequence of play",
    "copy returns a state that shares something with the first one, or reduce keeps something"
    " outside the state",
)
def what_is_taken_back_did_not_happen(game: SampleGame) -> None:
    """Moves that are taken back and played again lead to the same game, and its record verifies."""
    if game.seed != SEED:
        return
    stream, rng = Stream.of(game.table), random.Random(f"{game.table} back")
    for batch in batches(game.table, game.events, stream, take_back=True):
        stream.append(batch)
        if stream.game.points and rng.random() < OFTEN:
            go_back(stream, rng.choice(stream.game.points))
    version = stream.game.version
    for viewer in (None, Seat(0)):
        verify_copies(stream, viewer, version, game.ruleset)
        verify_copies(stream, viewer, stream.events[version // 2].last, game.ruleset)


def go_back(stream: Stream, point: Point, keys: Sequence[SigningKey] = ()) -> None:
    """Take back all moves after a point, and play them again, signed if players sign with ``keys``.

    Raises Breach: the game is another after one of these.
    """
    then = stream.game
    ruleset = then.ruleset
    moves = [event for event in counting(stream.events) if event.seq > point.to]
    taken = Batch(then, SECRETS, then.at)
    taken.take_back(point.seat, point.to, {})
    stream.append(taken)
    if encode(ruleset.to_json(stream.game.state)) != encode(ruleset.to_json(point.state)):
        raise Breach(f"taken back to event {point.to}, the game is another")
    for event in moves:
        again = Batch(stream.game, SECRETS, then.at)
        record_move(again, point.seat, event.body["move"].value, event.by, keys)
        stream.append(again)
    if encode(ruleset.to_json(stream.game.state)) != encode(ruleset.to_json(then.state)):
        raise Breach(f"taken back to event {point.to} and played again, the game is another")
