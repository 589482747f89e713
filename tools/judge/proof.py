"""Shows that OpenSpiel plays our rules: ``python -m tools.judge.proof GAMES``.

It plays random games of every ruleset, at every number of seats, twice with the same moves and
draws: through OpenSpiel, and with nothing but the rules. In some positions it also asks the judge's
bot. Any difference is an AssertionError. For each ruleset it prints the numbers of comparisons as a
line of JSON.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat
from tools.judge import adapter
from tools.levels import REGISTRY

SIMULATIONS = 20
ASKED = 50
"""The judge's bot is asked at one of so many decisions."""


class Twins:
    """A game that is played through OpenSpiel, and the same game played with the rules."""

    def __init__(self, ruleset: Ruleset[Any], seats: int, name: str) -> None:
        self._counts: Counter[str] = Counter()
        self._ruleset, self._seats = ruleset, seats
        self._rng = random.Random(name)
        self._game = adapter.LonjaGame(ruleset, seats, name)
        self._drawn: list[tuple[Chance, Sequence[int]]] = []
        nature = uniform(self._rng)

        def drawn(chance: Chance) -> tuple[int, ...]:
            picks = nature(chance)
            self._drawn.append((chance, picks))
            return picks

        options = ruleset.parse_options(seats, {})
        self._theirs = self._game.state(ruleset.initial(seats, options), drawn)
        self._ours = ruleset.initial(seats, options)

    def play(self) -> Counter[str]:
        """Play to the end; return the numbers of comparisons by kind."""
        while not self._theirs.is_terminal():
            assert self._theirs.returns() == [0.0] * self._seats
            turn = self._turn()
            if isinstance(turn, Chance):
                self._draw(turn)
            else:
                assert isinstance(turn, Decision)
                self._decide(turn.seats[0])
        assert isinstance(self._turn(), GameOver)
        returns = self._theirs.returns()
        standings = self._ruleset.result(self._ours).standings[: self._seats]
        assert [sum(other.rank > own.rank for other in standings) for own in standings] == [
            round(self._beaten(value, standings, seat)) for seat, value in enumerate(returns)
        ]
        assert abs(sum(returns)) < 1e-9
        self._counts["games"] += 1
        return self._counts

    def _beaten(self, value: float, standings: Sequence[Any], seat: int) -> float:
        """Return how many opponents a seat has beaten if OpenSpiel's return for it is ``value``."""
        ties = [side.rank for side in standings].count(standings[seat].rank) - 1
        return (value + 1) / 2 * (self._seats - 1) - ties / 2

    def _turn(self) -> Chance | Decision | GameOver:
        """Play draws and forced moves with the rules, like the adapter; return what follows."""
        while isinstance(turn := self._ruleset.turn(self._ours), Decision):
            legal = self._ruleset.legal_moves(self._ours, turn.seats[0])
            if len(legal) > 1:
                break
            self._ruleset.reduce(self._ours, MoveEvent(turn.seats[0], legal[0]))
        return turn

    def _draw(self, turn: Chance) -> None:
        assert self._theirs.is_chance_node()
        ((action, odds),) = self._theirs.chance_outcomes()
        assert odds == 1.0
        self._theirs.apply_action(action)
        ((chance, picks),) = self._drawn
        self._drawn.clear()
        assert (chance.label, chance.n, chance.sizes) == (turn.label, turn.n, turn.sizes)
        self._ruleset.reduce(self._ours, ChanceEvent(turn.label, turn.n, picks))
        self._counts["draws"] += 1

    def _decide(self, seat: Seat) -> None:
        legal = self._ruleset.legal_moves(self._ours, seat)
        known = self._ruleset.information(self._ours, seat)
        self._compare(self._theirs, seat, legal, known)
        self._compare(self._game.guess(known), seat, legal, known)
        copied = self._theirs.clone()
        copied.apply_action(self._rng.randrange(len(legal)))
        self._compare(self._theirs, seat, legal, known)  # the copy shares nothing with it
        if self._rng.randrange(ASKED) == 0:
            self._ask(known, len(legal))
        action = self._rng.randrange(len(legal))
        self._theirs.apply_action(action)
        self._ruleset.reduce(self._ours, MoveEvent(seat, legal[action]))
        self._counts["decisions"] += 1

    def _compare(
        self, state: adapter.LonjaState, seat: Seat, legal: Sequence[Move[Any]], known: JsonObject
    ) -> None:
        assert state.current_player() == seat
        assert state.legal_actions() == list(range(len(legal)))
        assert list(state.position.legal) == list(legal)
        assert state.information_state_string() == encode(known).decode()

    def _ask(self, known: JsonObject, moves: int) -> None:
        """Ask the judge twice with the same random numbers, and compare its answers."""
        luck = str(self._rng.random())
        one, two = (
            adapter.ask(
                adapter.LonjaGame(self._ruleset, self._seats, luck), known, 600, SIMULATIONS
            )
            for _ in range(2)
        )
        assert one == two
        assert one.simulations == SIMULATIONS
        assert 0 <= one.action < moves
        self._counts["answers"] += 1


@click.command()
@click.argument("games", type=int)
def main(games: int) -> None:
    """Compare ``games`` games of each ruleset at each number of seats."""
    for ruleset in REGISTRY:
        counts: Counter[str] = Counter()
        for seats in range(max(2, ruleset.info.min_seats), ruleset.info.max_seats + 1):
            for number in range(games):
                counts += Twins(ruleset, seats, f"{ruleset.info.id} {seats} {number}").play()
        click.echo(orjson.dumps({"ruleset": ruleset.info.id, **counts}))


if __name__ == "__main__":
    main()
