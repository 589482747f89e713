"""``lookahead``: plays promising moves on in guessed worlds, and takes the best one.

Each candidate is played in the same worlds with the same luck, where every seat then takes what
looks best to it until some turns are over. The worse half of the candidates is dropped as the
number of worlds grows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import BotRandom, Choice
from workers.bots.worlds import Learner, OutOfNodesError, better_half, by_looks, halvings, leads

CANDIDATES = 6
DECISIONS = 9
"""Defaults for the number of moves played on, and of decisions to play on."""
WORLDS = 32
"""Maximum number of worlds: near the end of a game they cost next to nothing, and add nothing."""
HEED = 2
"""The weight of the first look, in worlds. It uses exact odds, where the values of a
few worlds are only luck.
"""
TOLD = 12
"""Number of candidates in the thoughts."""


class Candidate:
    """A move, its immediate value, and its total result over all worlds.

    ``promise`` orders candidates with equally many trials: by the results, and the first look.
    """

    __slots__ = ("came", "lead", "looks", "move", "promise", "visits")

    def __init__(self, looks: int, move: Move[Any]) -> None:
        self.looks = looks
        self.move = move
        self.promise = HEED * looks
        self.visits = self.lead = 0
        self.came: list[int] = []

    def take(self, seat: Seat, values: Sequence[int]) -> None:
        """Add the candidate's result in one more world."""
        before = self.came or [0] * len(values)
        self.came = [old + new for old, new in zip(before, values, strict=True)]
        lead = leads(values)[seat]
        self.lead += lead
        self.promise += lead
        self.visits += 1

    def told(self) -> JsonObject:
        """Return the candidate in the form of thoughts; values are mean thousandths of a point."""
        visits = max(self.visits, 1)
        return {
            "move": self.move.to_json(),
            "looks": self.looks,
            "visits": self.visits,
            "lead": self.lead // visits,
            "expected": [value // visits for value in self.came],
        }


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    """Decide within ``settings["nodes"]`` events; a forced decision costs none.

    ``candidates`` and ``decisions`` are settings, too.
    """
    if len(legal) == 1:
        return Choice(legal[0], 0, {})
    explorer = Learner(ruleset, settings["nodes"])
    world = explorer.guess(information, rng)
    looks = by_looks(explorer, world, seat, legal)
    best = [Candidate(*each) for each in looks[: settings.get("candidates", CANDIDATES)]]
    left: Sequence[Candidate] = best
    ends = halvings(len(best), explorer.nodes, settings["nodes"])
    try:
        turns = explorer.turns(world, settings.get("decisions", DECISIONS))
        for _ in range(WORLDS):
            world = explorer.guess(information, rng, turns)
            starts = [explorer.after(world, seat, each.move) for each in left]
            came = [explorer.play_out(start) for start in starts]
            for each, values in zip(left, came, strict=True):
                each.take(seat, values)
            if ends and explorer.nodes >= ends[0]:
                left, ends = better_half(_first(left)), ends[1:]
    except OutOfNodesError:
        # The budget ended within a world, which does not count: not all candidates have seen it.
        pass
    thoughts = {"candidates": [each.told() for each in best[:TOLD]]}
    return Choice(_first(left)[0].move, explorer.nodes, thoughts)


def _first(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Order candidates by what they promise; equals stay in their order."""
    return sorted(candidates, key=lambda each: -each.promise)
