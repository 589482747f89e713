"""What the screen of a table needs of a game, wherever the game is.

``LocalTable`` is a game in this process, against bots.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.choices import grouped
from rules.kernel.contract.effects import can_see
from rules.kernel.contract.preview import DRAW, END, REVEAL, guess, preview
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service.cli import words
from service.cli.local import Act, LocalGame
from service.cli.terminal.choosing import Legal
from service.cli.terminal.saves import Save
from service.cli.terminal.texts import say

_STOPS = {DRAW: "stops_draw", REVEAL: "stops_reveal", END: "stops_end"}


@dataclass(frozen=True)
class Position:
    """A game as one pair of eyes sees it at a version; ``legal`` is None unless they are asked.

    ``question`` is the name of what is asked, ``asked`` says it, ``waiting`` has who is;
    ``decision`` is the event that asked them, 0 if nothing is asked of them.
    """

    version: int
    seat: Seat | None
    view: JsonObject | None
    question: str
    asked: str
    waiting: tuple[Seat, ...]
    decision: int
    legal: Legal | None
    result: JsonObject | None
    over: bool


class Told(NamedTuple):
    """What happened: the number of the event, and its lines; the first one is its headline."""

    version: int
    lines: Sequence[str]


class Table(Protocol):
    """A game that is played or watched."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules, for its words and its drawing."""
        ...

    @property
    def language(self) -> str:
        """Of all that is said."""
        ...

    @property
    def log(self) -> Sequence[Told]:
        """All that was told so far."""
        ...

    @property
    def comes_back(self) -> str:
        """How to come back to the table after leaving it."""
        ...

    def position(self) -> Position:
        """Return how the game stands."""
        ...

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return what a legal move would do, as far as is known. It may take a while."""
        ...

    def play(self, move: JsonObject) -> None:
        """Make a move. Raises Refused."""
        ...

    def think(self) -> object:
        """Wait for what others do; it may take long, and changes nothing. None: nothing comes."""
        ...

    def take(self, thought: Any) -> None:
        """Have happen what ``think`` returned."""
        ...

    def close(self) -> None:
        """Have a ``think`` that waits end soon; the table is left."""
        ...


class Refused(Exception):
    """A move could not be made; the message says why."""


def position(
    game: Game, viewer: Seat | None, language: str, *, everything: bool = False
) -> Position:
    """Return how a folded game stands for a viewer, who may move only if a seat."""
    ruleset, state = game.ruleset, game.state
    asked = () if game.over else tuple(sorted(game.asked))
    view = None if state is None else ruleset.view(state, viewer)
    question = game.question if asked else ""
    said = words.decision_text(ruleset, question, language) if asked else ""
    legal = None
    if viewer is not None and viewer in asked and not everything:
        moves = ruleset.legal_moves(state, viewer)
        texts = [words.move_text(ruleset, move, language, state, viewer) for move in moves]
        groups = grouped(ruleset, state, viewer, moves, texts, language)
        legal = Legal([move.to_json() for move in moves], texts, groups)
    result = game.result
    decision = 0 if legal is None or viewer is None else game.asked[viewer]
    return Position(
        game.version, viewer, view, question, said, asked, decision, legal, result, game.over
    )


def previewed(game: Game, seat: Seat, move: JsonObject, language: str) -> list[str]:
    """Return what is known of a legal move beyond its own sentence."""
    ruleset = game.ruleset
    rng = random.Random(0)  # noqa: S311 - any guess will do
    found = preview(ruleset, guess(ruleset, game.state, seat, rng), seat, move)
    said = [*ruleset.recorded_move(move).says]
    lines = []
    for effect in found.effects:
        if effect.type in said:
            said.remove(effect.type)
        elif can_see(seat, effect.audience):
            lines.append(words.effect_text(ruleset, effect, language))
    if found.stops_at is not None:
        lines.append(say(language, _STOPS[found.stops_at]))
    elif isinstance(found.turn, Decision):
        lines.append(_next(ruleset, found.turn, seat, language))
    return [line for line in lines if line]


def _next(ruleset: Ruleset[Any], turn: Decision, seat: Seat, language: str) -> str:
    asks = words.decision_text(ruleset, turn.name, language)
    if turn.seats == (seat,):
        return say(language, "next_you", asks=asks)
    who = ", ".join(name(ruleset, other, language) for other in turn.seats)
    return say(language, "next_other", who=who, asks=asks)


def name(ruleset: Ruleset[Any], seat: Seat, language: str) -> str:
    """Name a seat by its colour alone, if it has one."""
    colour = ruleset.labels.tables[language].get(f"seat.{seat}")
    return colour or words.seat_text(ruleset, seat, language)


class LocalTable:
    """A game in this process, which saves itself after each batch if it has somewhere to."""

    def __init__(
        self,
        local: LocalGame,
        seat: Seat,
        language: str,
        deciding: Any,
        save: Save | None = None,
        *,
        resumed: bool = False,
    ) -> None:
        """``deciding`` is the module by which bots decide; what is ``resumed`` is saved already."""
        self._local = local
        self._seat = seat
        self._deciding = deciding
        self._save = save
        self._teller = words.Teller(local.game.id, local.game.registry, language, seat)
        self.language = language
        self.log: list[Told] = []
        self._tell(save=not resumed)

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rules."""
        return self._local.game.ruleset

    @property
    def comes_back(self) -> str:
        """How to go on with the game."""
        if self._save is None or self._local.game.over:
            return ""
        return say(self.language, "resume", name=self._save.name)

    @property
    def game(self) -> Game:
        """The game itself."""
        return self._local.game

    def position(self) -> Position:
        """Return how the game stands."""
        return position(self.game, self._seat, self.language)

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return what a legal move would do."""
        return previewed(self.game, self._seat, move, self.language)

    def play(self, move: JsonObject) -> None:
        """Make a move."""
        self._local.change(lambda batch: batch.move(self._seat, move, {"seat": self._seat}))
        self._tell()

    def think(self) -> tuple[Seat, Act] | None:
        """Let the first bot that is asked decide."""
        game = self.game
        seat = next((seat for seat in sorted(game.asked) if seat != self._seat), None)
        if seat is None or game.over:
            return None
        try:
            return seat, self._deciding.decide(game, seat, self._local.secrets.salt).record
        except self._deciding.BotFailure as failure:
            return seat, partial(failure.record, seat=seat)

    def take(self, thought: tuple[Seat, Act]) -> None:
        """Record what a bot decided; where it failed, the rules answer, as in the service."""
        seat, act = thought
        try:
            self._local.change(act)
        except self._deciding.BotFailure as failure:
            self._local.change(partial(failure.record, seat=seat))
        self._tell()

    def close(self) -> None:
        """Leave the table; bots are not waited for long."""

    def _tell(self, *, save: bool = True) -> None:
        new = self._local.events[self._teller.game.version :]
        self.log += [Told(event.seq, self._teller.tell(event)) for event in new]
        if save and self._save is not None:
            try:
                self._save.append(new)
            except OSError as error:  # the game goes on all the same
                self._save = None
                why = say(self.language, "not_saved", why=error.strerror)
                self.log.append(Told(self.game.version, [why]))
