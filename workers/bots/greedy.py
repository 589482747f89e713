"""``greedy``: tries every legal move in a guessed world, and takes the one that looks best."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import BotRandom, Choice


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    """Look one move ahead, trying at most ``settings["nodes"]`` events.

    All moves are tried in the same guessed world and meet the same luck. If there are more moves
    than nodes, a random sample of them is tried.
    """
    if len(legal) == 1:
        return Choice(legal[0], 0, {"tried": 0})
    world = ruleset.determinize(information, rng)
    luck = rng.seed()
    budget = settings["nodes"]
    nodes = 0
    tried: list[tuple[int, Move[Any]]] = []
    for move in _sample(legal, budget, rng):
        if nodes >= budget:
            break
        state = ruleset.copy(world)
        nodes += _try(ruleset, state, MoveEvent(seat, move), luck)
        tried.append((ruleset.look(state, seat), move))
    best = max(value for value, _ in tried)
    equals = [move for value, move in tried if value == best]
    thoughts = {"tried": len(tried), "equals": len(equals), "value_milli": best}
    return Choice(equals[rng.randrange(len(equals))], nodes, thoughts)


def _sample(legal: Sequence[Move[Any]], count: int, rng: BotRandom) -> Sequence[Move[Any]]:
    """Return all moves if ``count`` of them are enough, else that many in random order."""
    if len(legal) <= count:
        return legal
    pool = list(legal)
    return [pool.pop(rng.randrange(len(pool))) for _ in range(count)]


def _try(ruleset: Ruleset[Any], state: Any, moved: MoveEvent[Any], luck: int) -> int:
    """Play a move and the draws that follow; return how many events that were."""
    ruleset.reduce(state, moved)
    nodes = 1
    turn = ruleset.turn(state)
    if type(turn) is Chance:
        nature = uniform(BotRandom(luck))
        while type(turn) is Chance:
            ruleset.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            nodes += 1
            turn = ruleset.turn(state)
    return nodes
