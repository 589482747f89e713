"""Laws of previews: a preview comes true, and is the same in all positions that look the same."""

import random
from typing import Any

from laws.book.secrecy import seen, twins
from laws.games import Spot, reduced
from laws.law import Breach, Scope, law
from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.preview import DRAW, END, REVEAL, Preview, guess, preview
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
