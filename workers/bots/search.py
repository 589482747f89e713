"""``search``: grows a tree of all seats' moves over guessed worlds, and takes the best move.

An information-set tree (Cowling, Powley and Whitehouse, 2012): it branches only by moves, each of
its descents goes through one guessed world, and a move that is possible only in some worlds is
weighed by their frequency. Every seat has its own value and chooses by it (max^n). The moves that
look best are compared at the root in the same worlds, and halved in number stage by stage. A
descent's result counts relative to the result when every seat takes what looks best in the same
world, so that a world's luck does not count as a move's merit.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import isqrt
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from workers.bots.bot import BotRandom, Choice
from workers.bots.worlds import (
    MILLI,
    Explorer,
    Learner,
    OutOfNodesError,
    Position,
    better_half,
    by_looks,
    halvings,
    leads,
    some,
)

DECISIONS = 12
"""Default for the approximate maximum depth of descents."""
WORLDS = 4
"""Number of worlds that the nodes should suffice for; this limits the depth of descents."""
CANDIDATES = 6
"""Default for the number of moves compared."""
SEARCH_OPPONENTS = 1
"""The value of the setting ``opponents`` with which opponents choose in the tree, too; with 2 they
take what looks best to them.
"""
WIDTH = 2
"""Number of moves that a new node considers."""
RIPE = 4
"""Number of trials of a move before its successors are explored: the first successors are those
that look best, and further trials make the move look worse than it is.
"""
EXPLORE = 1000
"""The weight of exploration, in thousandths."""
UNIT = 1 << 10
"""The unit of fixed-point numbers."""
HEED = 2
"""The weight of the first look, in descents: a move that looks bad must do better more than once.
"""
TOLD = 12
MOST_DESCENTS = 20_000


class Branch:
    """A move in the tree: how often it was possible and tried, and its total result."""

    __slots__ = ("expected", "move", "node", "possible", "sums", "tried")

    def __init__(self, move: Move[Any], seats: int) -> None:
        self.move = move
        self.possible = self.tried = 0
        self.sums = [0] * seats
        self.expected = [0] * seats
        self.node = Node()


class Node:
    """A decision in the tree: the first looks of its moves, and the branches tried."""

    __slots__ = ("branches", "looks", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.looks: dict[Move[Any], int] = {}
        self.branches: dict[Move[Any], Branch] = {}


Descent = tuple[list[tuple[Node, Branch]], list[int]]
"""The nodes with the branches taken, and every seat's result."""


class Search:
    """One decision's tree."""

    def __init__(
        self, explorer: Explorer, seat: Seat, rng: BotRandom, settings: Mapping[str, Any]
    ) -> None:
        self._explorer = explorer
        self._seat = seat
        self._rng = rng
        self._budget: int = settings["nodes"]
        self._candidates: int = settings.get("candidates", CANDIDATES)
        self._decisions: int = settings.get("decisions", DECISIONS)
        self._worlds: int = settings.get("worlds", WORLDS)
        self._opponents_choose = settings.get("opponents", SEARCH_OPPONENTS) == SEARCH_OPPONENTS
        self._explore: int = settings.get("explore", EXPLORE)
        self._width: int = settings.get("width", WIDTH)
        self._ripe: int = settings.get("ripe", RIPE)
        self._spread = self._descents = 0
        self.root = Node()

    def grow(self, information: JsonObject, legal: Sequence[Move[Any]]) -> list[Branch]:
        """Descend until there are no nodes left; return the candidates, most promising first.

        Each world is seen by all remaining candidates, so they meet the same luck.
        """
        explorer, seat, root = self._explorer, self._seat, self.root
        world = explorer.guess(information, self._rng)
        looks = by_looks(explorer, world, seat, legal)
        root.looks = {move: look for look, move in looks}
        seats = len(explorer.worth(world))
        found = [self._branch(root, move, seats) for _, move in looks[: self._candidates]]
        left: Sequence[Branch] = found
        ends = halvings(len(found), explorer.nodes, self._budget)
        try:
            turns = explorer.turns(world, self._decisions, self._affordable(len(found)))
            while self._descents < MOST_DESCENTS:
                world = explorer.guess(information, self._rng, turns)
                usual = explorer.play_out(world)
                came = [self._descend(world, branch) for branch in left]
                for path, values in came:
                    self._note(path, values, usual)
                if ends and explorer.nodes >= ends[0]:
                    left, ends = better_half(self._first(left)), ends[1:]
        except OutOfNodesError:
            # The budget ended within a world, which does not count: not all candidates have seen
            # it.
            pass
        best = self._first(left)
        return best + [branch for branch in self._first(found) if branch not in best]

    def _affordable(self, candidates: int) -> int:
        """Return how many nodes a descent may take for each candidate to see ``worlds`` of them.

        That is by what the first costs; later ones have learned what to compare.
        """
        return (self._budget - self._explorer.nodes) // (candidates * self._worlds)

    def _first(self, branches: Sequence[Branch]) -> list[Branch]:
        """Order branches of the root by what came of them, and of the first look."""
        seat, looks = self._seat, self.root.looks

        def promise(branch: Branch) -> int:
            came = branch.sums[seat] + HEED * (looks[branch.move] - looks[branches[0].move])
            return MILLI * came // (branch.tried + HEED)

        # A stable sort: equal moves keep their order.
        return sorted(branches, key=promise, reverse=True)

    def _descend(self, position: Position, branch: Branch) -> Descent:
        """Go down from the root by ``branch``; return the path, and what all have at its end."""
        path = [(self.root, branch)]
        position = self._explorer.after(position, self._seat, branch.move)
        while branch.tried >= self._ripe and (seat := position.seat) is not None:
            legal = self._explorer.legal(position, seat)
            if len(legal) == 1:
                position = self._explorer.after(position, seat, legal[0])
            elif seat != self._seat and not self._opponents_choose:
                position = self._explorer.best_looking(position, seat, legal)
            else:
                node = branch.node
                branch = self._choose(node, position, seat, some(legal), len(branch.sums))
                path.append((node, branch))
                position = self._explorer.after(position, seat, branch.move)
        return path, self._explorer.play_out(position)

    def _choose(
        self, node: Node, position: Position, seat: Seat, legal: Sequence[Move[Any]], seats: int
    ) -> Branch:
        """Return the branch that promises ``seat`` most, as little as is known of it."""
        looks = node.looks
        for move in legal:
            if move not in looks:
                reached = self._explorer.after(position, seat, move)
                looks[move] = self._explorer.look(reached, seat)
        width = self._width + isqrt(node.visits)
        ordered = sorted(legal, key=lambda move: -looks[move])[:width]
        branches = [self._branch(node, move, seats) for move in ordered]
        for branch in branches:
            branch.possible += 1
        for branch in branches:
            if not branch.tried:
                return branch
        scale = self._explore * self._spread // max(self._descents, 1) // 1000
        top = looks[ordered[0]]

        def promise(branch: Branch) -> int:
            unknown = scale * doubt(branch.possible, branch.tried) // UNIT
            came = branch.sums[seat] + HEED * (looks[branch.move] - top)
            return came // (branch.tried + HEED) + unknown

        return max(branches, key=promise)  # ``max`` returns the first of equals

    @staticmethod
    def _branch(node: Node, move: Move[Any], seats: int) -> Branch:
        branch = node.branches.get(move)
        if branch is None:
            branch = node.branches[move] = Branch(move, seats)
        return branch

    def _note(
        self, path: Sequence[tuple[Node, Branch]], values: Sequence[int], usual: Sequence[int]
    ) -> None:
        gains = [now - then for now, then in zip(leads(values), leads(usual), strict=True)]
        self._spread += abs(gains[self._seat])
        self._descents += 1
        for node, branch in path:
            node.visits += 1
            branch.tried += 1
            for seat, gain in enumerate(gains):
                branch.sums[seat] += gain
                branch.expected[seat] += values[seat]


@cache
def doubt(possible: int, tried: int) -> int:
    """Return the root of ln(``possible``) / ``tried``, in parts of ``UNIT``."""
    return isqrt(logarithm(possible) * UNIT // tried)


@cache
def logarithm(number: int) -> int:
    """Return the natural logarithm of ``number``, at least 1, in parts of ``UNIT``, by integers."""
    sixteenths = (number**16).bit_length() - 1  # the logarithm to the base 2, in sixteenths
    return sixteenths * 710 // 16  # 710 / 1024 is about ln 2


def choose(
    ruleset: Ruleset[Any],
    information: JsonObject,
    seat: Seat,
    legal: Sequence[Move[Any]],
    rng: BotRandom,
    settings: Mapping[str, Any],
) -> Choice:
    """Decide within ``settings["nodes"]`` events; a forced decision costs none."""
    if len(legal) == 1:
        return Choice(legal[0], 0, {})
    explorer = Learner(ruleset, settings["nodes"])
    search = Search(explorer, seat, rng, settings)
    candidates, looks = search.grow(information, legal), search.root.looks
    thoughts = {"candidates": [_told(each, looks[each.move], seat) for each in candidates[:TOLD]]}
    return Choice(candidates[0].move, explorer.nodes, thoughts)


def _told(branch: Branch, looks: int, seat: Seat) -> JsonObject:
    tried = max(branch.tried, 1)
    return {
        "move": branch.move.to_json(),
        "looks": looks,
        "visits": branch.tried,
        "lead": leads(branch.expected)[seat] // tried,
        "expected": [value // tried for value in branch.expected] if branch.tried else [],
    }
