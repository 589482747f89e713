"""A table of a running service; it uses only the service's public API and stream."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypedDict, TypeVar

from lonja_client import SPECTATOR, Game, Message, MoveAnswer, Table
from lonja_client.client import DISPLACED_SECONDS
from lonja_client.errors import refusal

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.preview import DRAW, END, REVEAL
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import from_copy
from rules.kernel.record.instants import to_ms
from service.cli import common, words
from service.cli.foreign.ruleset import ruleset_of
from service.cli.terminal import beacons, troubles
from service.cli.terminal.api import ServiceRefusedError, UnreachableError, in_words
from service.cli.terminal.choosing import LegalMoves
from service.cli.terminal.hints import hint_lines
from service.cli.terminal.past import GameHistory
from service.cli.terminal.patience import Patience, may_be_tried
from service.cli.terminal.recording import TURNS
from service.cli.terminal.tables import GameView, MoveRefusedError, about_taking_back
from service.cli.terminal.telling import SETUP, EventLines, names
from service.cli.terminal.texts import say
from service.ledger.kinds import BOT
from service.process.terminal import printable

T = TypeVar("T")
HINT_SECONDS = 0.5
"""Seconds between looks whether a hint is made."""
_IN_WORDS = ("moved", "defaulted", "chanced", "ended")
"""The kinds of events whose words come from the service; others are described here."""
_MAY_REVEAL = ("closed", "resumed")
"""The events after which a game may wait for entropy."""
_STOPS = {DRAW: "stops_draw", REVEAL: "stops_reveal", END: "stops_end"}


class TableUpdate(NamedTuple):
    """An update of a table: events in words, and the view of the game after them.

    If ``whole`` is true, ``told`` has all events of the game so far. Otherwise it has the new ones.
    """

    told: Sequence[EventLines]
    position: GameView
    whole: bool = False


class _Question(TypedDict):
    """The seat and version that a move must name."""

    seat: int
    expected_version: int


class ServiceTable:
    """A game of a service, as ``seat`` sees it, or as a spectator sees it if ``seat`` is None.

    ``think`` and ``play`` retry after lost connections until the table is closed; ``trouble`` names
    the current problem.
    """

    def __init__(
        self,
        table: Table,
        game: Game,
        ruleset: Ruleset[Any],
        seat: Seat | None,
    ) -> None:
        """Read all events up to the version of ``game``, the game as the service has just sent it.

        When the game asks for the player's entropy, this object reveals it.

        Raises:
            ServiceRefusedError: the service refuses.
            UnreachableError: the service does not answer.
        """
        self._table = table
        self._client = table.client
        self._id = table.id
        self.seat = seat
        self.ruleset = ruleset
        self.language = table.client.language
        self.seats = len(game["seats"])
        self.takes_back = game.get("take_back", False)
        self._players = _players(game, self.language)
        beacon = game.get("beacon")
        self._beacon = None if beacon is None else {**beacon}
        self._stream: ExitStack | None = None
        self._messages: Iterator[Message] = iter(())
        self._left = threading.Event()
        self._follows = Patience(self.language, self._left, self._note)
        self._sends = Patience(self.language, self._left, self._note)
        self._final = ""
        self._result: JsonObject | None = None
        self._answered = 0
        """The version after the player's own last move, which answers all earlier questions."""
        self.turns: set[int] = set()
        """The events at which a turn begins."""
        self._position = self._now(game)
        self.log: list[EventLines] = self.told(self._eyes, self._position.version)
        if game["status"] == "lobby":
            self.log += self._open_seats(game)
        if self._beacon is not None and self._position.view is None:
            told = beacons.terms(self._beacon, self._client.url, self.language)
            self.log += [EventLines(game["version"], [each]) for each in told]
        self._read = self._position.version
        """The newest event of the log."""
        self.rewinds = 0
        """Number of times that the service lost events which the log had shown."""

    @property
    def comes_back(self) -> str:
        """The command that returns to the table."""
        back = say(self.language, "come_back", url=self._client.url, game=self._id)
        if self._sends.trouble:
            return f"{troubles.tell(self.language, 'unsent')}\n{back}"
        return back

    @property
    def trouble(self) -> str:
        """The problem that blocks the table, in words; empty if there is none."""
        if self._sends.trouble:
            return f"{self._sends.trouble} {troubles.tell(self.language, 'move')}"
        return self._final or self._follows.trouble

    @property
    def _eyes(self) -> str | int:
        return SPECTATOR if self.seat is None else self.seat

    def position(self) -> GameView:
        """Return the view of the game after the last received event."""
        return self._position

    def ask(self, path: str, *, seat: str | int | None = None, **query: object) -> Any:
        """Return the service's answer to a request for ``path`` of this game.

        The answer has what the viewer ``seat`` may see. ``seat`` is a seat's number, or SPECTATOR.
        ``query`` has further parameters of the request.

        Raises:
            ServiceRefusedError: the service refuses.
            UnreachableError: the service does not answer.
        """
        viewer = {"spectator": "true"} if seat == SPECTATOR else {"seat": seat}
        with in_words(self.language):
            return self._client.get(f"{self._table.path}{path}", **viewer, **query)

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return the effects of a legal move. Raises MoveRefusedError."""
        try:
            with in_words(self.language):
                found = self._table.preview(move, **self._question())
        except UnreachableError as error:
            raise MoveRefusedError(str(error)) from None
        told = [effect["text"] for effect in found["effects"][len(_says(self.ruleset, move)) :]]
        if found["stops_at"] is not None:
            told.append(say(self.language, _STOPS[found["stops_at"]]))
        elif found["next"] is not None:
            seats = [Seat(seat) for seat in found["next"]["seats"]]
            asks = found["next"]["label"]
            if seats == [self.seat]:
                told.append(say(self.language, "next_you", asks=asks))
            else:
                who = names(self.ruleset, seats, self.language)
                told.append(say(self.language, "next_other", who=who, asks=asks))
        return [printable(text) for text in told]

    def play(self, move: JsonObject) -> None:
        """Play a move. It is sent until the service answers; the service plays it only once.

        Its effects come with the stream. Raises MoveRefusedError.
        """
        key, question, head = str(uuid.uuid4()), self._question(), self._table.receipts.head
        decision = self._position.decision
        self._send(
            lambda: self._table.move(
                move, **question, expected_head=head, idempotency_key=key, decision=decision
            )
        )

    def take_back(self) -> None:
        """Take back the last move. The request is sent as a move is. Raises MoveRefusedError."""
        ways, seat = self._position.ways_back, self.seat
        if not ways or seat is None:
            raise MoveRefusedError(about_taking_back(self))
        key = str(uuid.uuid4())
        self._send(lambda: self._table.take_back(ways[-1], seat=seat, idempotency_key=key))

    def hint(self) -> Sequence[str]:
        """Return a hint. Raises MoveRefusedError."""
        seat, key = self.seat, str(uuid.uuid4())
        if seat is None or self._position.legal is None:
            raise MoveRefusedError(say(self.language, "not_asked"))
        found = self._until_answered(
            self._sends, lambda: self._table.ask_hint(seat, idempotency_key=key)
        )
        while found is not None and found["state"] not in ("done", "failed"):
            self._left.wait(HINT_SECONDS)
            decision = found["decision"]
            look = partial(self._table.hint, seat, decision)
            found = self._until_answered(self._sends, look)
        if found is None:  # the player has left the table
            return []
        result = found["result"]
        if result is None:
            raise MoveRefusedError(say(self.language, "hint_failed", why=found["detail"]))
        return [
            printable(text) for text in hint_lines(found["bot"], result["moves"], self.language)
        ]

    def _send(self, send: Callable[[], MoveAnswer]) -> None:
        """Send a change until the service answers. Raises MoveRefusedError."""
        before = self._position
        try:
            answer = self._until_answered(self._sends, send)
        except MoveRefusedError as error:
            # The seat's decision has changed or is closed, or the events that led to it are gone.
            if not isinstance(error, ServiceRefusedError) or error.status == 409:
                self._look_again()
            raise
        if answer is None:  # the player has left the table
            return
        self._answered = answer["version"]
        if self._position is before:  # otherwise the stream was faster than the answer
            self._position = replace(
                before, question="", asked="", waiting=(), decision=0, legal=None, until=None,
                ways_back=(),
            )  # fmt: skip

    def _look_again(self) -> None:
        """Read the current position; new events come with the stream."""
        # If this fails, the stream still brings the position.
        with suppress(MoveRefusedError, UnreachableError):
            self._position = self._now(self.ask(""))

    def _open_seats(self, game: Game | JsonObject) -> Iterator[EventLines]:
        """Describe the open seats, and how others can take them."""
        for seat in game["seats"]:
            if seat["holder"] == "open":
                back = f"lonja play --url {self._client.url} --game {self._id}"
                command = f"{back} --sit --seat {seat['seat']}"
                free = words.seat_text(self.ruleset, Seat(seat["seat"]), self.language)
                told = say(self.language, "join", seat=free, command=command)
                yield EventLines(game["version"], [told])

    def _question(self) -> _Question:
        """Return the question that a move answers. Raises MoveRefusedError for a spectator."""
        if self.seat is None:
            raise MoveRefusedError(troubles.tell(self.language, "not_your_turn"))
        return {"seat": self.seat, "expected_version": self._position.version}

    def past(self) -> GameHistory:
        """Return the game so far."""
        return GameHistory(self)

    def think(self) -> TableUpdate | None:
        """Wait for the next update, across lost connections; None if there will be no more."""
        while not self._left.is_set() and not self._final and not self._position.over:
            try:
                return self._next()
            except UnreachableError as error:
                self._break_off()
                self._follows.failed(error)
            except ServiceRefusedError as error:
                self._break_off()
                if not may_be_tried(error):
                    return self._give_up(str(error))
                self._follows.failed(error)
            except MoveRefusedError as error:  # the service tells two histories
                self._break_off()
                return self._give_up(str(error))
        return None

    def _next(self) -> TableUpdate | None:
        """Return the next batch of the stream. Raises MoveRefusedError, UnreachableError."""
        if self._stream is None:
            self._reveal()
            self._connect()
        told: list[EventLines] = []
        while (message := self._message()) is not None:
            kind, _id, data = message
            self._follows.succeeded()
            if kind == "message":
                told += self._words(data)
                if data["kind"] == "ended":
                    self._result = (
                        data["body"]["result"] if "body" in data else self.ask("")["result"]
                    )
                if data["kind"] in _MAY_REVEAL:
                    self._reveal()
                if data["seq"] == data["last"]:  # only the end of a batch opens decisions
                    self._read = data["seq"]
                    return TableUpdate(told, self._after(data))
            elif kind == "rewound":
                self._table.receipts.rewind(data["version"])
                return self._begin_anew()
            elif kind == "displaced":
                place = refusal(429, {"code": "stream_share_used"}, DISPLACED_SECONDS)
                raise ServiceRefusedError(troubles.tell(self.language, "displaced"), place)
            else:  # the game is over, or the key is no longer valid: the next request tells which
                return self._settled()
        raise UnreachableError(troubles.tell(self.language, "cut"))

    def _reveal(self) -> None:
        """Reveal the player's entropy, if the game waits for it.

        Raises ServiceRefusedError, UnreachableError.
        """
        if self._position.view is None:
            with in_words(self.language):
                self._table.reveal()

    def _message(self) -> Message | None:
        """Return the next message of the stream; None at its end.

        Raises:
            UnreachableError: the connection is lost.
            MoveRefusedError: the event contradicts a receipt.
        """
        with in_words(self.language):
            message = next(self._messages, None)
            if message is not None and message.event == "message":
                self._table.receipts.compare(message.data)
            return message

    def _connect(self) -> None:
        """Open the stream. Raises ServiceRefusedError, UnreachableError."""
        include = "words,state" if self.seat is None else "words,state,legal_moves,groups"
        viewer = {"spectator": "true"} if self.seat is None else {"seat": self.seat}
        query = {"include": include, "after": self._read, **viewer}
        stream = ExitStack()
        with in_words(self.language):
            opened = self._client.connect(f"{self._table.path}/stream", query)
            self._messages = iter(stream.enter_context(opened))
        self._stream = stream

    def _break_off(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _give_up(self, why: str) -> TableUpdate:
        self._final = troubles.tell(self.language, "final", why=why)
        return TableUpdate([EventLines(self._position.version, [self._final])], self._position)

    def _settled(self) -> TableUpdate:
        self._break_off()
        return TableUpdate([], self._now(self.ask("")))

    def _begin_anew(self) -> TableUpdate:
        """Read all events again, since the service has lost some of them."""
        self._break_off()
        position = self._now(self.ask(""))
        lost = EventLines(position.version, [troubles.tell(self.language, "rewound")])
        self._answered, self._read = 0, position.version
        return TableUpdate([*self.told(self._eyes, position.version), lost], position, whole=True)

    def take(self, thought: TableUpdate) -> None:
        """Apply an update, unless the table's position is newer."""
        if thought.whole or thought.position.version >= self._position.version:
            self._position = thought.position
        if thought.whole:
            self.log.clear()
            self.turns = {seq for seq in self.turns if seq <= self._position.version}
            self.rewinds += 1
        self.log += thought.told

    def told(self, eyes: str | int, version: int) -> list[EventLines]:
        """Return the log up to a version. Raises ServiceRefusedError, UnreachableError."""
        found: list[EventLines] = []
        with in_words(self.language):
            for event in self._table.events(seat=eyes, include=["words"]):
                if event["seq"] > version:
                    break
                found += self._words(event)
        return found

    def close(self) -> None:
        """Leave the table: pending calls to the service end."""
        self._left.set()
        self._client.close()

    def _until_answered(self, patience: Patience, ask: Callable[[], T]) -> T | None:
        """Call ``ask`` until it succeeds, and return its answer.

        Return None if the player leaves the table first.

        Raises:
            ServiceRefusedError: the service refuses, and would refuse again.
        """
        while not self._left.is_set():
            try:
                with in_words(self.language):
                    answer = ask()
            except UnreachableError as error:
                patience.failed(error)
            except ServiceRefusedError as error:
                if not error.passing:
                    patience.succeeded()
                    raise
                patience.failed(error)
            else:
                patience.succeeded()
                return answer
        return None

    def _note(self, text: str) -> None:
        """Add a line about the connection to the log."""
        self.log.append(EventLines(self._position.version, [text]))

    def _words(self, event: Any) -> list[EventLines]:
        if event["kind"] in TURNS:
            self.turns.add(event["seq"])
        # Escaped, because the text contains names of strangers.
        lines = [printable(text) for text in event["words"]]
        if event["kind"] not in _IN_WORDS and "parts" in event:
            told = words.event_lines(self.ruleset, from_copy(event), self.language, self._called)
            lines = told + lines
        if event["kind"] == "closed" and self._beacon is not None:
            lines = [*lines, beacons.awaited(self._beacon, event["at"], self.language)]
        return [EventLines(event["seq"], lines, event["kind"] in SETUP)] if lines else []

    def _called(self, player: str) -> str:
        """Return a player's name. If the player is a program, the name says so.

        If the name is not known yet, this method asks the service for it. Raises
        ServiceRefusedError, UnreachableError.
        """
        if player and player not in self._players:
            self._players = _players(self.ask(""), self.language)
        return self._players.get(player, "")

    def _after(self, event: JsonObject) -> GameView:
        """Return the view of the game after an event.

        The service has sent the event together with the state after it.
        """
        moves, groups = event.get("legal_moves"), event.get("groups")
        if event["seq"] < self._answered:
            moves = None
        return self._stands(event["state"], moves, groups, self._result)

    def _now(self, game: Game | JsonObject) -> GameView:
        """Read the current view of the game. Raises ServiceRefusedError, UnreachableError."""
        state = self.ask("/state", seat=self._eyes)
        moves = None
        if self.seat is not None and any(d["seat"] == self.seat for d in state["decisions"]):
            moves = self.ask("/legal_moves", seat=self.seat, group="true")
        groups = None if moves is None else moves["groups"]
        return self._stands(state, moves, groups, game["result"])

    def _stands(
        self,
        state: JsonObject,
        moves: JsonObject | None,
        groups: list[JsonObject] | None,
        result: Any,
    ) -> GameView:
        decisions = state["decisions"]
        legal = None
        if moves and moves["moves"]:
            legal = LegalMoves(moves["moves"], moves["labels"], groups or [])
        over = state["status"] in ("ended", "aborted")
        return GameView(
            state["version"],
            self.seat,
            state["state"],
            decisions[0]["name"] if decisions else "",
            decisions[0]["label"] if decisions else "",
            tuple(Seat(decision["seat"]) for decision in decisions),
            0 if legal is None else _decision_of(decisions, self.seat),
            legal,
            result,
            over,
            None if over else self._until(decisions),
            ways_back=state.get("ways_back", ()),
        )

    def _until(self, decisions: Sequence[JsonObject]) -> float | None:
        """Return the next deadline by ``time.monotonic``; None if there is none."""
        own = [one for one in decisions if one["seat"] == self.seat]
        ends = [one["deadline"] for one in own or decisions if one["deadline"] is not None]
        if not ends:
            return None
        left = to_ms(min(ends)) / 1000 - (time.time() + self._client.clock_ahead)
        return time.monotonic() + left


def _players(game: JsonObject | Game, language: str) -> dict[str, str]:
    """Return the names of a game's players by player id.

    If a player is a program, the name says so.
    """
    kinds = game.get("player_kinds", {})
    called = {player: printable(text) for player, text in game.get("players", {}).items()}
    return {
        player: words.word(language, "program", name=text or None)
        if kinds.get(player) == BOT
        else text
        for player, text in called.items()
    }


def _decision_of(decisions: Sequence[JsonObject], seat: Seat | None) -> int:
    return next((one["id"] for one in decisions if one["seat"] == seat), 0)


def _says(ruleset: Ruleset[Any], move: JsonObject) -> Sequence[str]:
    """Return the types of effects that only repeat the move; such effects come first in the log.

    If the ruleset is not installed here, these types are unknown, and the result is empty.
    """
    return ruleset.recorded_move(move).says if ruleset.move_types else ()


@contextmanager
def failures(language: str) -> Iterator[None]:
    """Return a context manager that turns errors of the service into a Failure in ``language``.

    The service may refuse a request, or not answer it.
    """
    try:
        with in_words(language):
            yield
    except ValueError as error:
        raise common.Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    except MoveRefusedError as error:
        raise common.Failure(words.word(language, "service_refuses", why=error)) from None
    except UnreachableError as error:
        raise common.Failure(words.word(language, "service_silent", why=error)) from None


def open_table(
    table: Table, registry: Registry, seat: Seat | None, *, plays: bool = True
) -> ServiceTable:
    """Open a table for the player, or for somebody who only watches.

    If ``plays`` is true and the player has seats, the table is at one of his seats: at ``seat`` if
    this is one of them, and otherwise at his first one. In all other cases, the table shows what
    ``seat`` sees if the service allows it, or what a spectator sees if ``seat`` is None. The
    table's client must not retry by itself, because the table does.

    Raises:
        MoveRefusedError: the service refuses.
        UnreachableError: the service does not answer.
        Failure: this program cannot read the ruleset that the service publishes.

    """
    with in_words(table.client.language):
        game = table.game()
        own = [Seat(one) for one in table.own_seats()] if plays else []
        ruleset = ruleset_of(table.client, registry, game["ruleset"])
    if plays:
        seat = seat if seat in own else next(iter(own), None)
    return ServiceTable(table, game, ruleset, seat)
