"""Laws of previews and reasons: they are true, and the same in all positions that look the same."""

import random
from typing import Any

import orjson

from laws.book.secrecy import seen, twins
from laws.games import Spot, move_pool, reduced, sampled
from laws.law import Breach, Scope, law
from rules.kernel.canonical import encode
from rules.kernel.contract.bindings import pointed_to
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.preview import DRAW, END, REVEAL, Preview, guess, preview
from rules.kernel.contract.published import board
from rules.kernel.contract.refusals import REFUSED, UNRELATED, WhyNot, why_not
from rules.kernel.contract.ruleset import Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat


@law(
    Scope.POSITION,
    "6. What each viewer knows",
    "a consequence of a move depends on something hidden that the move neither draws nor opens",
)
def previews_are_true(spot: Spot) -> None:
    """A preview shows the effects that the move will have, and reveals nothing hidden."""
    ruleset = spot.ruleset
    if not spot.table.default or spot.game.seed > 1:
        return
    turn = ruleset.turn(spot.state)
    for seat in turn.seats if isinstance(turn, Decision) else ():
        alike = [spot.state, *twins(spot, seat)]
        guesses = [guess(ruleset, state, seat, random.Random(0)) for state in alike]
        for move in ruleset.legal_moves(spot.state, seat):
            found = [
                told(ruleset, preview(ruleset, ruleset.copy(each), seat, move.to_json()), seat)
                for each in guesses
            ]
            if any(one != found[0] for one in found):
                raise Breach(f"the preview of {move.to_json()} tells seat {seat} something hidden")
            _is_true(ruleset, spot.state, seat, move, found[0])


def told(ruleset: Ruleset[Any], found: Preview, seat: Seat) -> tuple[Any, ...]:
    """Return everything that a preview shows."""
    view = None if found.state is None else encode(ruleset.view(found.state, seat))
    turn = found.turn if found.stops_at in (None, DRAW) else None
    return encode(found.move), found.effects, found.stops_at, view, turn, found.opens


def _is_true(
    ruleset: Ruleset[Any], state: Any, seat: Seat, move: Any, previewed: tuple[Any, ...]
) -> None:
    _move, effects, stops_at, view, turn, opens = previewed
    after, happened, opened = reduced(ruleset, state, MoveEvent(seat, move))
    now, said = ruleset.turn(after), seen(happened, seat)
    true: tuple[Any, ...]
    if opened or isinstance(now, GameOver):
        stop = REVEAL if opened else END
        true = (opened, stop, None, said[: len(effects)], turn)
    else:
        stop = DRAW if isinstance(now, Chance) else ""
        true = (opened, stop or None, encode(ruleset.view(after, seat)), said, now)
    if (opens, stops_at, view, effects, turn) != true:
        raise Breach(f"the preview of {move.to_json()} by seat {seat} is not what happens")


@law(
    Scope.POSITION,
    "6. What each viewer knows",
    "whether the rules refuse what a seat points to follows from something that it does not know",
)
def what_cannot_be_chosen_has_a_reason(spot: Spot) -> None:
    """A seat is told truly why it cannot choose an element of the board, and nothing hidden."""
    turn = spot.ruleset.turn(spot.state)
    if not isinstance(turn, Decision) or not spot.table.default or spot.game.seed > 1:
        return
    seat = turn.seats[0]
    named = elements(spot.ruleset, spot.state, seat)
    for element in sampled(named, 1, random.Random(spot.where)):
        check_reason(spot, seat, element)


def elements(ruleset: Ruleset[Any], state: Any, seat: Seat) -> list[str]:
    """Return elements to which moves refer that were legal in some position; empty without a board.

    Moves that refer to nothing in this position are left out.
    """
    whole = board(ruleset)
    if whole is None:
        return []
    view = orjson.loads(encode(ruleset.view(state, seat)))
    found: set[str] = set()
    for move in move_pool(ruleset):
        try:
            found.update(pointed_to(whole, view, seat, move))
        except IndexError:  # the move leads beyond the end of a track
            continue
    return sorted(found)


def check_reason(spot: Spot, seat: Seat, element: str) -> WhyNot:
    """Return why a deciding seat cannot choose an element.

    Raises:
        Breach: there is no reason, or the true rules do not refuse the move with it, or the reason
            is another one in a position that looks the same.
    """
    ruleset = spot.ruleset
    found, *others = [
        why_not(
            ruleset, [guess(ruleset, state, seat, random.Random(n)) for n in (0, 1)], seat, element
        )
        for state in (spot.state, *twins(spot, seat, range(1)))
    ]
    if any(other.told() != found.told() for other in others):
        raise Breach(f"why seat {seat} cannot choose {element} tells something hidden")
    if found.answer == UNRELATED:
        raise Breach(f"nothing tells seat {seat} why it cannot choose {element}")
    if found.answer == REFUSED:
        assert found.move is not None and found.refusal is not None  # noqa: S101, PT018
        if f"group.{found.move['type']}" not in ruleset.labels.tables["en"]:
            ruleset.recorded_move(found.move).label()  # the answer says it, though it is refused
        try:
            ruleset.read_move(spot.state, seat, found.move)
        except IllegalMove as refusal:
            if refusal.code == found.refusal.code:
                return found
        raise Breach(f"seat {seat} is told {found.refusal.code} of {element}, which is not true")
    return found
