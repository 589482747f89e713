"""Plays rows, in the environment with OpenSpiel; called by ``python -m tools.judge``."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.chance import Chance, chance_key, seeded
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import bot_seed
from service.catalogue.bots import BOTS
from tools import levels
from tools.judge import adapter
from tools.judge.rows import JudgedGame, Row, chosen, read
from workers import bots
from workers.bots.bot import BotRandom, Choice


@dataclass
class Purse:
    """The processor time of our bot's decisions so far; the judge's limit is their mean."""

    seconds: float = 0.0
    decisions: int = 0

    @classmethod
    def of(cls, games: Iterable[JudgedGame]) -> "Purse":
        """Return the processor time of these games."""
        purse = cls()
        for game in games:
            purse.seconds += game.decisions * game.ms / 1000
            purse.decisions += game.decisions
        return purse

    def pay(self, seconds: float) -> None:
        self.seconds += seconds
        self.decisions += 1

    @property
    def mean(self) -> float:
        return self.seconds / self.decisions


def play_block(row: Row, block: int, purse: Purse) -> list[JudgedGame]:
    """Play a game with our bot on each seat in turn, all with the same luck."""
    return [_Game(row, block, Seat(seat), purse).play() for seat in range(row.seats)]


class _Game:
    """A game; on another machine, only its times would differ."""

    def __init__(self, row: Row, block: int, own: Seat, purse: Purse) -> None:
        name = f"{row.ruleset.info.id} {row.seats} {block}"
        self._row, self._own, self._purse = row, own, purse
        self._nature = seeded(chance_key(digest(encode([name])), name, ()))
        self._salt = digest(encode([name, own]))
        self._judge = adapter.LonjaGame(row.ruleset, row.seats, f"{name} {own}")
        self._ours: list[tuple[float, int]] = []
        self._judged: list[tuple[float, int]] = []

    def play(self) -> JudgedGame:
        """Play the game to its end."""
        ruleset, seats = self._row.ruleset, self._row.seats
        state = ruleset.initial(seats, ruleset.parse_options(seats, {}))
        number = 0
        while not isinstance(turn := ruleset.turn(state), GameOver):
            if isinstance(turn, Chance):
                ruleset.reduce(state, ChanceEvent(turn.label, turn.n, self._nature(turn)))
                continue
            seat, number = turn.seats[0], number + 1
            legal = ruleset.legal_moves(state, seat)
            move = legal[0]
            if len(legal) > 1:
                known = ruleset.information(state, seat)
                decide = self._ask if seat == self._own else self._ask_the_judge
                move = decide(known, seat, legal, number)
            ruleset.reduce(state, MoveEvent(seat, move))
        points = adapter.shares(ruleset, state, seats)[self._own]
        ms, nodes = _means(self._ours)
        judge_ms, simulations = _means(self._judged)
        return JudgedGame(
            points, len(self._ours), ms, round(nodes), len(self._judged), judge_ms,
            round(simulations),
        )  # fmt: skip

    def _ask(
        self, known: JsonObject, seat: Seat, legal: Sequence[Move[Any]], number: int
    ) -> Move[Any]:
        choice, seconds = self._thought(known, seat, legal, number)
        self._purse.pay(seconds)
        self._ours.append((seconds, choice.nodes))
        return choice.move

    def _ask_the_judge(
        self, known: JsonObject, seat: Seat, legal: Sequence[Move[Any]], number: int
    ) -> Move[Any]:
        """Ask the judge for a move; its limit is the mean time of our bot's decisions so far."""
        if not self._purse.decisions:
            self._purse.pay(self._thought(known, seat, legal, number)[1])
        began = time.process_time()
        answer = adapter.ask(self._judge, known, self._purse.mean)
        self._judged.append((time.process_time() - began, answer.simulations))
        return legal[answer.action]

    def _thought(
        self, known: JsonObject, seat: Seat, legal: Sequence[Move[Any]], number: int
    ) -> tuple[Choice, float]:
        offer, ruleset = BOTS[self._row.first], self._row.ruleset
        luck = BotRandom(bot_seed(self._salt, seat, number))
        began = time.process_time()
        choice = bots.find(offer.name, offer.version)(
            ruleset, known, seat, legal, luck, offer.settings_in(ruleset)
        )
        return choice, time.process_time() - began


def _means(of: list[tuple[float, int]]) -> tuple[float, float]:
    """Return the mean milliseconds and the mean number of nodes or simulations."""
    if not of:
        return 0.0, 0.0
    return round(1000 * fmean(seconds for seconds, _ in of), 2), fmean(tried for _, tried in of)


def play(row: Row, *, anew: bool, seconds: float) -> None:
    """Continue a row until its test decides, all its blocks were played, or the time is over.

    Raises:
        click.ClickException: the row was begun with other code.
    """
    if anew:
        row.file.unlink(missing_ok=True)
    played = read(row)
    if row.file.exists() and not levels.is_of_this_code(row):
        raise click.ClickException(f"{row.file}: other code played it; --anew begins it again")
    row.file.parent.mkdir(parents=True, exist_ok=True)
    purse = Purse.of(game for block in played for game in block)
    until = time.monotonic() + seconds
    with row.file.open("ab") as file:
        if not file.tell():
            file.write(orjson.dumps(row.head()) + b"\n")
            file.flush()
        while not levels.is_over(row, played) and time.monotonic() < until:
            block = play_block(row, len(played) + 1, purse)
            played.append(block)
            file.write(orjson.dumps([list(game) for game in block]) + b"\n")
            file.flush()
            points = fmean(game.points for game in block)
            click.echo(f"{row.name}: block {len(played)}, {points:.3f} points")


@click.command()
@click.argument("names", nargs=-1)
@click.option("--anew", is_flag=True)
@click.option("--seconds", default=float("inf"))
def main(names: tuple[str, ...], *, anew: bool, seconds: float) -> None:
    """Play the rows whose name contains one of ``names``, or all rows."""
    for row in chosen(names):
        play(row, anew=anew, seconds=seconds)


if __name__ == "__main__":
    main()
