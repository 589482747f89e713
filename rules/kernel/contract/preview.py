"""Previews: the effects of a move, as far as the seat that tries it can know them.

The move is tried in a guess: a position that the seat cannot distinguish from the true one. So
nothing hidden can leak, whatever the rules do. Up to the first draw or revelation, the effects that
the seat sees are the same in all such positions (``laws/book/secrecy.py``), and so they are the
true effects.
"""

from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, Random
from rules.kernel.contract.effects import Effect, EffectLog, can_see
from rules.kernel.contract.ruleset import GameOver, MoveEvent, Ruleset, Turn
from rules.kernel.contract.seats import Seat

DRAW, REVEAL, END = "draw", "reveal", "end"
"""Reasons why a preview stops: before a draw, at a revelation of sealed parts, or at the game's
end.
"""
STOPS = (DRAW, REVEAL, END)


class Preview(NamedTuple):
    """A preview of a move, and the reason why it stops.

    ``move`` is the JSON of the move. ``effects`` are the effects that the seat would see. ``state``
    and ``turn`` are the state and the turn after the move. ``stops_at`` says what else would
    follow:

    - None: nothing else.
    - ``draw``: a draw. ``turn`` is this draw, and ``state`` is the state before it.
    - ``reveal``: sealed parts would be revealed. ``opens`` lists these parts.
    - ``end``: the game would be over.

    At ``reveal`` and ``end``, ``state`` is None, and ``effects`` has only the effects that repeat
    what the move's label says.

    In ``opens``, ("move", type, seat) stands for a sealed move, and ("picks", label, occurrence)
    stands for a sealed draw. At any other stop ``opens`` is empty.
    """

    move: JsonObject
    effects: list[Effect]
    stops_at: str | None
    state: Any
    turn: Turn
    opens: list[tuple[str, str, int]]


def guess(ruleset: Ruleset[Any], state: Any, seat: Seat, rng: Random) -> Any:
    """Return a position that ``seat`` cannot tell from ``state``, made from its information."""
    known: JsonObject = orjson.loads(encode(ruleset.information(state, seat)))
    return ruleset.determinize(known, rng)


def preview(ruleset: Ruleset[Any], guessed: Any, seat: Seat, data: JsonObject) -> Preview:
    """Return the preview of ``seat``'s move ``data`` in ``guessed``, a position from ``guess``.

    It changes ``guessed``.

    Raises:
        IllegalMove: the rules refuse the move.
    """
    move, log = ruleset.read_move(guessed, seat, data), EffectLog()
    ruleset.reduce(guessed, MoveEvent(seat, move), log)
    turn = ruleset.turn(guessed)
    effects = [effect for effect in log.effects if can_see(seat, effect.audience)]
    written = move.to_json()
    if log.opened or type(turn) is GameOver:
        stop = REVEAL if log.opened else END
        return Preview(written, _repeating(effects, move.says), stop, None, turn, log.opened)
    return Preview(written, effects, DRAW if type(turn) is Chance else None, guessed, turn, [])


def _repeating(effects: list[Effect], says: tuple[str, ...]) -> list[Effect]:
    """Return the effects before the first one that says more than the move itself."""
    left, found = [*says], []
    for effect in effects:
        if effect.type not in left:
            break
        left.remove(effect.type)
        found.append(effect)
    return found
