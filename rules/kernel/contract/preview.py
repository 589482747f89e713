"""What a move would do, as far as its seat can know.

It is tried on a guess: a position that the seat cannot tell from the true one. So nothing hidden
can come out, whatever the rules do with it. Up to the first draw or revelation, what the seat sees
happen is the same in all such positions (``laws/book/secrecy.py``), so it is
true as well.
"""

from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, Random
from rules.kernel.contract.effects import Effect, EffectLog, can_see
from rules.kernel.contract.ruleset import Finished, Moved, Ruleset, Turn
from rules.kernel.contract.seats import Seat

DRAW, REVEAL, END = "draw", "reveal", "end"
"""Where a preview stops: before something is drawn, where sealed parts are opened, at the end."""
STOPS = (DRAW, REVEAL, END)


class Preview(NamedTuple):
    """What is known of a move: its JSON, what it does, and where that stops being known.

    If it stops at a draw, ``turn`` is that draw, and ``state`` what is before it. A revelation or
    the end leaves no ``state``; of the effects only those are known that repeat the move. ``opens``
    are the sealed parts that are opened: (part, type or label, seat or occurrence).
    """

    move: JsonObject
    effects: list[Effect]
    stops_at: str | None
    state: Any
    turn: Turn
    opens: list[tuple[str, str, int]]


def guess(ruleset: Ruleset[Any], state: Any, seat: Seat, rng: Random) -> Any:
    """Return a position that ``seat`` cannot tell from ``state``: made of what it knows alone."""
    known: JsonObject = orjson.loads(encode(ruleset.information(state, seat)))
    return ruleset.determinize(known, rng)


def preview(ruleset: Ruleset[Any], guessed: Any, seat: Seat, data: JsonObject) -> Preview:
    """Return what the move ``data`` of ``seat`` does in a position that was guessed for it.

    The position is changed.

    Raises:
        IllegalMove: the rules refuse it.

    """
    move, log = ruleset.read_move(guessed, seat, data), EffectLog()
    ruleset.reduce(guessed, Moved(seat, move), log)
    turn = ruleset.turn(guessed)
    effects = [effect for effect in log.effects if can_see(seat, effect.audience)]
    written = move.to_json()
    if log.opened or type(turn) is Finished:
        stop = REVEAL if log.opened else END
        return Preview(written, _repeating(effects, move.says), stop, None, turn, log.opened)
    return Preview(written, effects, DRAW if type(turn) is Chance else None, guessed, turn, [])


def _repeating(effects: list[Effect], says: tuple[str, ...]) -> list[Effect]:
    """Return the first effects that only repeat a move."""
    left, found = [*says], []
    for effect in effects:
        if effect.type not in left:
            break
        left.remove(effect.type)
        found.append(effect)
    return found
