"""A game played in this process, which pauses at each choice of a seat."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lonja_learning.opponents import Opponent
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent, Result, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.numbering.choice import Choice
from rules.kernel.numbering.flat import Row
from rules.kernel.numbering.numbers import Numbers


class _Seen(NamedTuple):
    """A seat's view after a number of events, and the view's row."""

    events: int
    view: JsonObject
    row: Row


class Play:
    """A game of ``ruleset``; draws and forced moves are played automatically.

    A seat that is ``absent`` is not asked: the rules' default move is played for it. Nor is a seat
    of ``opponents``, which decide at once.
    """

    def __init__(
        self,
        ruleset: Ruleset[Any],
        numbers: Numbers,
        seats: int,
        options: JsonObject,
        seed: int | None,
        opponents: Mapping[Seat, Opponent],
    ) -> None:
        self.choices: dict[Seat, Choice] = {}
        """The choices of the seats that are asked now, by seat (ascending)."""
        self.absent: set[Seat] = set()
        self._ruleset = ruleset
        self._numbers = numbers
        self._nature = uniform(random.Random(seed))  # noqa: S311 - a game's dice, which a seed repeats
        self._opponents = opponents
        self._luck = random.Random(None if seed is None else f"opponents {seed}")  # noqa: S311 - play
        self._seats = seats
        self._events = 0
        self._seen: dict[Seat, _Seen] = {}
        self._state = ruleset.initial(seats, options)
        self._go_on()

    def view(self, seat: Seat | None) -> JsonObject:
        """Return the view of a seat, or of a spectator if ``seat`` is None."""
        return self._ruleset.view(self._state, seat)

    def row(self, seat: Seat) -> Row:
        """Return a seat's view as a row that ends with a zero for each word; it is the caller's.

        A move changes little of a view, so only that is written anew.
        """
        seen = self._seen.get(seat)
        if seen is None:
            view = self.view(seat)
            row = self._numbers.row(view)
        else:
            events, view, row = seen
            if events != self._events:
                old, view = view, self.view(seat)
                self._numbers.flat.change(row, old, view)
        self._seen[seat] = _Seen(self._events, view, row)
        return row[:]

    def drawn(self, language: str) -> str:
        """Return the spectators' view of the board as text, 80 columns wide."""
        return plain(self._ruleset.draw(self.view(None), language, 80))

    def say(self, seat: Seat, word: int) -> None:
        """Let a seat that is asked say a word; if one move is left, play it."""
        choice = self.choices[seat]
        choice.say(word)
        if choice.move is not None:
            self._play(seat, choice.move)

    def answer_for(self, seat: Seat) -> None:
        """Play the rules' default move for a seat that is asked."""
        self._play(seat, self._ruleset.default_move(self._state, seat))

    def leave(self, seat: Seat) -> None:
        """Let the rules decide for a seat from now on."""
        self.absent.add(seat)
        if seat in self.choices:
            self.answer_for(seat)

    def shares(self) -> list[float] | None:
        """Return ``shares`` of all seats; None before the end."""
        if type(self._ruleset.turn(self._state)) in (Chance, Decision):
            return None
        return shares(self._ruleset.result(self._state), all_seats(self._seats))

    def _play(self, seat: Seat, move: Any) -> None:
        self._reduce(MoveEvent(seat, move))
        del self.choices[seat]
        if not self.choices:
            self._go_on()

    def _go_on(self) -> None:
        """Play draws and forced moves, until a seat has a choice or the game is over."""
        while not self.choices:
            turn = self._ruleset.turn(self._state)
            if isinstance(turn, Chance):
                event = ChanceEvent(turn.label, turn.n, self._nature(turn))
                self._reduce(event)
            elif isinstance(turn, Decision):
                self._ask(turn)
            else:
                return

    def _ask(self, decision: Decision) -> None:
        """Open a choice for each seat that has several moves.

        A seat that has only one move makes it at once. An absent seat makes its default move, and
        an opponent the move that it chooses.
        """
        for seat in decision.seats:
            legal = self._ruleset.legal_moves(self._state, seat)
            if seat in self.absent:
                move = self._ruleset.default_move(self._state, seat)
            elif len(legal) == 1:
                move = legal[0]
            elif seat in self._opponents:
                move = self._opponents[seat](self._state, seat, legal, self._luck)
            else:
                self.choices[seat] = self._numbers.choice(legal)
                continue
            self._reduce(MoveEvent(seat, move))

    def _reduce(self, event: Any) -> None:
        self._ruleset.reduce(self._state, event)
        self._events += 1


def shares(result: Result, seats: Sequence[Seat]) -> list[float]:
    """Return for each seat the share of its opponents that it has beaten.

    Ties count half, and automata are opponents too.
    """
    ranks = {side.side: side.rank for side in result.standings}
    return [_share(ranks, f"seat:{seat}") for seat in seats]


def _share(ranks: dict[str, int], side: str) -> float:
    others = [rank for name, rank in ranks.items() if name != side]
    beaten = sum(2 * (rank > ranks[side]) + (rank == ranks[side]) for rank in others)
    return beaten / (2 * len(others))
