"""The interface between a table's screen and a game, local or remote.

``LocalTable`` is a game in this process, against bots.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.choices import grouped
from rules.kernel.contract.effects import can_see
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.preview import DRAW, END, REVEAL, guess, preview
from rules.kernel.contract.ruleset import Decision, Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import Event
from rules.kernel.record.game import TAKE_BACK, Game
from service.cli import words
from service.cli.local import Act, LocalGame
from service.cli.terminal.choosing import LegalMoves
from service.cli.terminal.deciders import Decider, NoDeciderError
from service.cli.terminal.hints import hint_lines
from service.cli.terminal.recording import RecordedGame, Recording
from service.cli.terminal.saves import Save
from service.cli.terminal.telling import SETUP, EventLines, names
from service.cli.terminal.texts import say
from service.cli.terminal.thoughts import RecordedFailure, Thought

_STOPS = {DRAW: "stops_draw", REVEAL: "stops_reveal", END: "stops_end"}


@dataclass(frozen=True)
class GameView:
    """A game as one viewer sees it at a version.

    ``question`` is the name of the open question, ``asked`` its words, and ``waiting`` the seats
    that have to answer. ``decision`` is the event that opened the viewer's decision; without a
    decision it is 0, and ``legal`` is None. ``until`` is the viewer's deadline, or else the next
    deadline of another seat, by ``time.monotonic``; None without a time limit. ``resigned`` is None
    if unknown. ``ways_back`` are the events to which the viewer can go back, the newest last.
    """

    version: int
    seat: Seat | None
    view: JsonObject | None
    question: str
    asked: str
    waiting: tuple[Seat, ...]
    decision: int
    legal: LegalMoves | None
    result: JsonObject | None
    over: bool
    until: float | None = None
    resigned: Collection[Seat] | None = None
    ways_back: Sequence[int] = ()


class GameTable(Protocol):
    """A game that is played or watched."""

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The game's rules, for its words and its drawing."""
        ...

    @property
    def language(self) -> str:
        """The language of all texts."""
        ...

    @property
    def log(self) -> Sequence[EventLines]:
        """The log so far."""
        ...

    @property
    def comes_back(self) -> str:
        """The command that returns to the table."""
        ...

    @property
    def trouble(self) -> str:
        """The problem that blocks the table, in words; empty if there is none."""
        ...

    def past(self) -> RecordedGame:
        """Return the game so far, to look back at while the game goes on."""
        ...

    def position(self) -> GameView:
        """Return the current view of the game."""
        ...

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return the known effects of a legal move. It may take a while."""
        ...

    def play(self, move: JsonObject) -> None:
        """Play a move. Raises MoveRefusedError."""
        ...

    @property
    def takes_back(self) -> bool:
        """Whether moves can be taken back at this table."""
        ...

    def take_back(self) -> None:
        """Take back the viewer's last move. Raises MoveRefusedError if that is not possible."""
        ...

    def hint(self) -> Sequence[str]:
        """Return a hint for the viewer's open decision, as lines of text. It takes seconds.

        There are no lines if the viewer has left the table meanwhile. Raises MoveRefusedError.
        """
        ...

    def think(self) -> object:
        """Return the next move of another player, or None if there will be none.

        Wait for it; the table stays unchanged until ``take``.
        """
        ...

    def take(self, thought: Any) -> None:
        """Apply the result of ``think``."""
        ...

    def close(self) -> None:
        """Leave the table; a waiting ``think`` ends soon."""
        ...


class MoveRefusedError(Exception):
    """A move was refused; the message says why."""


def position(
    game: Game, viewer: Seat | None, language: str, *, everything: bool = False
) -> GameView:
    """Return a folded game's view for a viewer; only a seat gets legal moves."""
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
        legal = LegalMoves([move.to_json() for move in moves], texts, groups)
    result = game.result
    decision = 0 if legal is None or viewer is None else game.asked[viewer]
    ways_back = () if viewer is None or everything else game.ways_back(viewer)
    return GameView(
        game.version, viewer, view, question, said, asked, decision, legal, result, game.over,
        resigned=game.resigned, ways_back=ways_back,
    )  # fmt: skip


def about_taking_back(table: GameTable) -> str:
    """Return how many moves the viewer can take back now, or why none."""
    if not table.takes_back:
        return say(table.language, "back_never")
    count = len(table.position().ways_back)
    return (
        say(table.language, "back_count", count=count)
        if count
        else say(table.language, "back_none")
    )


def previewed(game: Game, seat: Seat, move: JsonObject, language: str) -> list[str]:
    """Return the known effects of a legal move, except those that only repeat the move."""
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
    who = names(ruleset, turn.seats, language)
    return say(language, "next_other", who=who, asks=asks)


class LocalTable:
    """A game in this process. If the game has a file, it is saved there after each batch."""

    trouble = ""

    def __init__(
        self,
        local: LocalGame,
        seat: Seat,
        language: str,
        save: Save | None = None,
        *,
        resumed: bool = False,
    ) -> None:
        """Open the table; a ``resumed`` game is saved already."""
        self._local = local
        self._seat = seat
        self._decider = Decider(local)
        self._adviser = Decider(local)
        """Makes hints, in a process of its own, because bots may be thinking meanwhile."""
        self._lock = Lock()
        self._times_back = 0
        """How often moves were taken back here."""
        self._asked_at = 0
        """This number at the time when a bot was asked last."""
        self._save = save
        self._teller = words.Teller(local.game.id, local.game.registry, language, seat)
        self.language = language
        self.log: list[EventLines] = []
        self._tell(save=not resumed)

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rules."""
        return self._local.game.ruleset

    @property
    def comes_back(self) -> str:
        """The command that resumes the game."""
        if self._save is None or self._local.game.over:
            return ""
        return say(self.language, "resume", name=self._save.name)

    @property
    def game(self) -> Game:
        """The folded game."""
        return self._local.game

    def past(self) -> Recording:
        """Return the game so far; once it is over, everything in it is revealed."""
        game = self.game
        return Recording(
            game.id, self._local.events, game.registry, self.language, self._seat, over=game.over
        )

    def position(self) -> GameView:
        """Return the current view of the game."""
        return position(self.game, self._seat, self.language)

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return the effects of a move. Raises MoveRefusedError if it is no longer legal."""
        try:
            return previewed(self.game, self._seat, move, self.language)
        except IllegalMove as error:
            raise MoveRefusedError(str(error)) from None

    def play(self, move: JsonObject) -> None:
        """Play a move. Raises MoveRefusedError."""
        try:
            self._change(lambda batch: batch.move(self._seat, move, {"seat": self._seat}))
        except IllegalMove as error:
            raise MoveRefusedError(str(error)) from None

    @property
    def takes_back(self) -> bool:
        """Whether moves can be taken back; a game that an older release began has none."""
        return bool(self.game.created.get(TAKE_BACK))

    def take_back(self) -> None:
        """Take back the last move. Raises MoveRefusedError if that is not possible."""
        with self._lock:
            ways = self.game.ways_back(self._seat)
            if not ways:
                raise MoveRefusedError(about_taking_back(self))
            self._record(lambda batch: batch.take_back(self._seat, ways[-1], {}))
            self._times_back += 1

    def hint(self) -> Sequence[str]:
        """Return a hint. Raises MoveRefusedError."""
        if self._seat not in self.game.asked:
            raise MoveRefusedError(say(self.language, "not_asked"))
        try:
            found = self._adviser.hint(self._seat)
        except NoDeciderError as error:
            raise MoveRefusedError(say(self.language, "hint_failed", why=error)) from None
        if isinstance(found, RecordedFailure):
            raise MoveRefusedError(say(self.language, "hint_failed", why=found.why))
        if found is None:
            return []
        moves = [{**move, "label": move["words"][self.language]} for move in found.result["moves"]]
        return hint_lines(found.bot, moves, self.language)

    def think(self) -> Thought | None:
        """Let the first bot with a decision decide. Raises MoveRefusedError if it cannot."""
        game = self.game
        seat = next((seat for seat in sorted(game.asked) if seat != self._seat), None)
        if seat is None or game.over:
            return None
        self._asked_at = self._times_back
        try:
            return self._decider.ask(seat)
        except NoDeciderError as error:
            raise MoveRefusedError(say(self.language, "no_bots", why=error)) from None

    def take(self, thought: Thought) -> None:
        """Record a bot's decision, unless a move was taken back since it was asked."""
        with self._lock:
            if self._asked_at != self._times_back:
                return
            try:
                self._record(thought.record)
            except IllegalMove as error:
                self._record(thought.refused(error).record)

    def close(self) -> None:
        """Leave the table without waiting for bots."""
        self._decider.close()
        self._adviser.close()

    def _change(self, act: Act) -> None:
        """Record the events of ``act``; concurrent callers take turns. Raises IllegalMove."""
        with self._lock:
            self._record(act)

    def _record(self, act: Act) -> None:
        self._local.change(act)
        self._tell()

    def _tell(self, *, save: bool = True) -> None:
        new = self._local.events[self._teller.game.version :]
        self.log += [EventLines(event.seq, self._told(event), event.kind in SETUP) for event in new]
        if save and self._save is not None:
            try:
                self._save.append(new)
            except OSError as error:  # the game goes on unsaved
                self._save = None
                why = say(self.language, "not_saved", why=error.strerror)
                self.log.append(EventLines(self.game.version, [why]))

    def _told(self, event: Event) -> list[str]:
        """Describe an event; if a local bot failed, add the reason."""
        lines = self._teller.tell(event)
        if event.kind == "bot_failed":
            cause = event.body["failure"].value["cause"]
            lines.append(say(self.language, f"bot_{cause}", why=event.body["error"].value))
        return lines
