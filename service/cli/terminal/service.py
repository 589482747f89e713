"""A table of a running service: its public API, its stream, and nothing else."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.preview import DRAW, END, REVEAL
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import LENIENT
from rules.kernel.record.events import from_copy
from rules.kernel.record.instants import to_ms
from service.cli import common, words
from service.cli.terminal import troubles
from service.cli.terminal.api import ApiClient, EventStream, Refusal, UnreachableError
from service.cli.terminal.choosing import Legal
from service.cli.terminal.entropy import Entropies
from service.cli.terminal.past import Past
from service.cli.terminal.patience import Patience, may_be_tried
from service.cli.terminal.recording import TURNS
from service.cli.terminal.tables import GameView, Refused
from service.cli.terminal.telling import EventLines, names
from service.cli.terminal.texts import say
from service.ledger.kinds import BOT
from service.ledger.terms import RANDOM
from service.process.terminal import printable

PAGE = 200
OPENING_PAUSES = (0.5, 1.5)
"""How many seconds are between two tries to open a table."""
T = TypeVar("T")
_IN_WORDS = ("moved", "defaulted", "chanced", "ended")
"""What a service tells in words itself; of the rest it says what became of the table."""
_OLDER = ("upgrade_unfinished", "invalid_body")
"""How a service, or a store, refuses that does not know the mode of entropy that is asked for."""
_MAY_REVEAL = ("closed", "resumed")
"""The events after which a game may wait for entropy."""
_STOPS = {DRAW: "stops_draw", REVEAL: "stops_reveal", END: "stops_end"}


class TableUpdate(NamedTuple):
    """What a stream brought: all events of a batch in words, and how the game stands after it.

    ``whole`` says that this is all that is known of the game, and not only what is new.
    """

    told: Sequence[EventLines]
    position: GameView
    whole: bool = False


class ServiceTable:
    """A game of a service, at a seat of one's own or as a spectator (None).

    Whatever happens to the connection, ``think`` and ``play`` go on by themselves until the table
    is closed; ``trouble`` says what keeps them from it.
    """

    def __init__(
        self,
        api: ApiClient,
        game: JsonObject,
        ruleset: Ruleset[Any],
        seat: Seat | None,
        entropies: Entropies | None = None,
    ) -> None:
        """``game`` is as the API answers; everything that happened is asked for.

        Of the ``entropies``, those that the game waits for are revealed in time. Raises Refusal,
        UnreachableError.
        """
        self._api = api
        self._entropies = entropies
        self._id: str = game["id"]
        self.path = _path(self._id)
        self.seat = seat
        self.ruleset = ruleset
        self.language = api.language
        self.seats = len(game["seats"])
        self._players = _players(game, self.language)
        self._stream: EventStream | None = None
        self._messages: Iterator[tuple[str, Any]] = iter(())
        self._left = threading.Event()
        self._follows = Patience(self.language, self._left, self._note)
        self._sends = Patience(self.language, self._left, self._note)
        self._final = ""
        self._result: JsonObject | None = None
        self._answered = 0
        """The version after one's own last move; what came before it asks nothing any more."""
        self.turns: set[int] = set()
        """The events at which a turn begins."""
        self._position = self._now(game)
        self.log: list[EventLines] = self.told(self._eyes, self._position.version)
        if game["status"] == "lobby":
            self.log += self._open_seats(game)
        self._read = self._position.version
        """The newest event of the log."""
        self.rewinds = 0
        """How often the service has lost events that were told here."""

    @property
    def comes_back(self) -> str:
        """The command that comes back to the table."""
        back = say(self.language, "come_back", url=self._api.url, game=self._id)
        if self._sends.trouble:
            return f"{troubles.tell(self.language, 'unsent')}\n{back}"
        return back

    @property
    def trouble(self) -> str:
        """The trouble that stops the table, in words; empty if there is none."""
        if self._sends.trouble:
            return f"{self._sends.trouble} {troubles.tell(self.language, 'move')}"
        return self._final or self._follows.trouble

    @property
    def _eyes(self) -> str | int:
        return "spectator" if self.seat is None else self.seat

    def position(self) -> GameView:
        """Return the view of the game after the last event that came."""
        return self._position

    def ask(self, path: str, **query: object) -> Any:
        """Return the service's answer about this game. Raises Refusal, UnreachableError."""
        return self._api.get(f"{self.path}{path}", **query)

    def preview(self, move: JsonObject) -> Sequence[str]:
        """Return the effects of a legal move. Raises Refused."""
        form = self._form(move)
        try:
            found = self._api.post(f"{self.path}/preview", form)
        except UnreachableError as error:
            raise Refused(str(error)) from None
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
        """Make a move, which is sent until it is answered, and counts once.

        What it does comes with the stream. Raises Refused.
        """
        sent = {"Idempotency-Key": str(uuid.uuid4())}
        form = self._form(move)
        before = self._position
        try:
            answer = self._until_answered(
                self._sends, lambda: self._api.post(f"{self.path}/moves", form, **sent)
            )
        except Refusal as error:
            if error.status == 409:  # something else is asked by now, or nothing
                self._look_again()
            raise
        if answer is None:  # the table is left
            return
        self._answered = answer["version"]
        if self._position is before:  # else the stream was faster
            self._position = replace(
                before, question="", asked="", waiting=(), decision=0, legal=None, until=None
            )

    def _look_again(self) -> None:
        """Ask how the game stands; what has happened comes with the stream."""
        with suppress(Refused, UnreachableError):  # then the stream brings that, too
            self._position = self._now(self.ask(""))

    def _open_seats(self, game: JsonObject) -> Iterator[EventLines]:
        """Describe how others sit down."""
        for seat in game["seats"]:
            if seat["holder"] == "open":
                back = f"lonja play --url {self._api.url} --game {self._id}"
                command = f"{back} --sit --seat {seat['seat']}"
                told = say(self.language, "join", seat=seat["seat"], command=command)
                yield EventLines(game["version"], [told])

    def _form(self, move: JsonObject) -> JsonObject:
        return {"seat": self.seat, "move": move, "expected_version": self._position.version}

    def past(self) -> Past:
        """Return the game so far."""
        return Past(self)

    def think(self) -> TableUpdate | None:
        """Wait for what happens next; None: nothing will. The connection is mended meanwhile."""
        while not self._left.is_set() and not self._final and not self._position.over:
            try:
                return self._next()
            except UnreachableError as error:
                self._break_off()
                self._follows.failed(error)
            except Refusal as error:
                self._break_off()
                if not may_be_tried(error):
                    return self._give_up(str(error))
                self._follows.failed(error)
        return None

    def _next(self) -> TableUpdate | None:
        """Return the next batch of the stream. Raises Refusal, UnreachableError."""
        if self._stream is None:
            self._reveal()
            self._stream = self._connect()
            self._messages = iter(self._stream)
        told: list[EventLines] = []
        for kind, data in self._messages:
            self._follows.succeeded()
            if kind == "message":
                told += self._words(data)
                if data["kind"] == "ended":
                    self._result = data["body"]["result"]
                if data["kind"] in _MAY_REVEAL:
                    self._reveal()
                if data["seq"] == data["last"]:  # no one is asked within a batch
                    self._read = data["seq"]
                    return TableUpdate(told, self._after(data))
            elif kind == "rewound":
                return self._begin_anew()
            elif kind == "displaced":
                raise Refusal(troubles.tell(self.language, "displaced"), 429, retry_after=5)
            else:  # it is over, or the key is not good any more: the next request says so
                return self._settled()
        raise UnreachableError(troubles.tell(self.language, "cut"))

    def _reveal(self) -> None:
        """Reveal the entropy that the game waits for. Raises Refusal, UnreachableError."""
        if self._entropies is not None and self._position.view is None:
            _reveal_due(self._api, self._entropies, self.ask(""))

    def _connect(self) -> EventStream:
        include = "words,state" if self.seat is None else "words,state,legal_moves,groups"
        query = {"include": include, "after": self._read, "seat": self._eyes}
        return self._api.open(f"{self.path}/stream", query)

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
        """Forget all, since the service has lost a part of it, and read it again."""
        self._break_off()
        position = self._now(self.ask(""))
        lost = EventLines(position.version, [troubles.tell(self.language, "rewound")])
        self._answered, self._read = 0, position.version
        return TableUpdate([*self.told(self._eyes, position.version), lost], position, whole=True)

    def take(self, thought: TableUpdate) -> None:
        """Take over what a stream brought, unless the table knows better already."""
        if thought.whole or thought.position.version >= self._position.version:
            self._position = thought.position
        if thought.whole:
            self.log.clear()
            self.turns = {seq for seq in self.turns if seq <= self._position.version}
            self.rewinds += 1
        self.log += thought.told

    def told(self, eyes: str | int, version: int) -> list[EventLines]:
        """Return all that happened up to a version. Raises Refusal, UnreachableError."""
        found: list[EventLines] = []
        after = 0
        while after < version:
            limit = min(PAGE, version - after)
            page = self.ask("/events", after=after, limit=limit, include="words", seat=eyes)
            if not page["events"]:
                break
            for event in page["events"]:
                found += self._words(event)
            after = page["events"][-1]["seq"]
        return found

    def close(self) -> None:
        """Leave the table: whatever waits for the service ends."""
        self._left.set()
        self._api.close()
        self._break_off()

    def _until_answered(self, patience: Patience, ask: Callable[[], T]) -> T | None:
        """Ask until there is an answer; None if the table is left before. Raises Refusal."""
        while not self._left.is_set():
            try:
                answer = ask()
            except UnreachableError as error:
                patience.failed(error)
            except Refusal as error:
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

    def _words(self, event: JsonObject) -> list[EventLines]:
        if event["kind"] in TURNS:
            self.turns.add(event["seq"])
        lines = [printable(text) for text in event["words"]]  # names in it are of strangers
        if event["kind"] not in _IN_WORDS:
            told = words.event_lines(self.ruleset, from_copy(event), self.language, self._called)
            lines = told + lines
        return [EventLines(event["seq"], lines)] if lines else []

    def _called(self, player: str) -> str:
        """Return a player's name, and whether he is a program.

        Raises Refusal, UnreachableError: who sat down since is asked for.
        """
        if player and player not in self._players:
            self._players = _players(self.ask(""), self.language)
        return self._players.get(player, "")

    def _after(self, event: JsonObject) -> GameView:
        """Return the view of the game after an event that came with its state."""
        moves, groups = event.get("legal_moves"), event.get("groups")
        if event["seq"] < self._answered:
            moves = None
        return self._stands(event["state"], moves, groups, self._result)

    def _now(self, game: JsonObject) -> GameView:
        """Ask how the game stands. Raises Refusal, UnreachableError."""
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
        result: JsonObject | None,
    ) -> GameView:
        decisions = state["decisions"]
        legal = None
        if moves and moves["moves"]:
            legal = Legal(moves["moves"], moves["labels"], groups or [])
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
        )

    def _until(self, decisions: Sequence[JsonObject]) -> float | None:
        """Return when somebody's time is up, by the clock of this process."""
        own = [one for one in decisions if one["seat"] == self.seat]
        ends = [one["deadline"] for one in own or decisions if one["deadline"] is not None]
        if not ends:
            return None
        left = to_ms(min(ends)) / 1000 - (time.time() + self._api.ahead)
        return time.monotonic() + left


def _players(game: JsonObject, language: str) -> dict[str, str]:
    """Return the names of a game's players by id; those of programs say so."""
    kinds = game.get("player_kinds", {})
    called = {player: printable(text) for player, text in game["players"].items()}
    return {
        player: words.word(language, "program", name=text or None)
        if kinds.get(player) == BOT
        else text
        for player, text in called.items()
    }


def _decision_of(decisions: Sequence[JsonObject], seat: Seat | None) -> int:
    return next((one["id"] for one in decisions if one["seat"] == seat), 0)


def _says(ruleset: Ruleset[Any], move: JsonObject) -> Sequence[str]:
    """Return the effects that only repeat a move, which come first."""
    return ruleset.recorded_move(move).says


@contextmanager
def failures() -> Iterator[None]:
    """Turn a service's refusal or silence into the Failure of a command."""
    try:
        yield
    except ValueError as error:
        raise common.Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    except Refused as error:
        raise common.Failure(f"The service refuses: {error}") from None
    except UnreachableError as error:
        raise common.Failure(f"The service does not answer: {error}") from None


def open_table(
    api: ApiClient,
    registry: Registry,
    game_id: str,
    seat: Seat | None,
    entropies: Entropies | None = None,
    *,
    plays: bool = True,
) -> ServiceTable:
    """Return the table of a game, at one's own seat if one ``plays`` and has any there.

    Otherwise one looks on, with the eyes of ``seat`` if that is allowed. ``entropies`` are as
    ``ServiceTable`` takes them.

    Raises:
        Refused, UnreachableError: the service says so, or says nothing.
        Failure: its ruleset is not installed here.

    """
    game = api.get(_path(game_id))
    ruleset = common.find_ruleset(registry, game["ruleset"])
    if plays:
        own = own_seats(api, game)
        seat = seat if seat in own else next(iter(own), None)
    return ServiceTable(api, game, ruleset, seat, entropies)


def sign_up(api: ApiClient, name: str) -> str:
    """Become a player; return the key. Raises Refused, UnreachableError."""
    key: str = api.post("/players", {"name": name})["key"]
    return key


def sit_down(api: ApiClient, game_id: str, seat: Seat, entropies: Entropies) -> None:
    """Take a seat, unless it is one's own, with entropy if the game can do without in the end.

    Raises Refused, UnreachableError.
    """
    game = api.get(_path(game_id))
    if seat in own_seats(api, game):
        return
    brings: JsonObject = {}
    if game.get("entropy_mode") == LENIENT:
        is_drawn = game["table"]["seating"] == RANDOM
        brings = entropies.bring(game_id, None if is_drawn else seat)
    api.put(f"{_path(game_id)}/seats/{seat}", {"holder": "me", **brings})


def _reveal_due(api: ApiClient, entropies: Entropies, game: JsonObject) -> None:
    """Reveal the entropy of one's own seats that a game waits for.

    Raises Refusal, UnreachableError: it is to be revealed later.
    """
    due = entropies.due(game)
    own = own_seats(api, game) if due else []
    for seat, entropy, commitment in due:
        if seat not in own:  # that of somebody else on this machine
            continue
        path, sent = (
            f"{_path(game['id'])}/seats/{seat}",
            {"Idempotency-Key": f"reveal-{commitment}"},
        )
        try:
            api.post(f"{path}/entropy", {"entropy": entropy}, **sent)
        except Refusal as error:
            if error.passing:
                raise
            if error.code == "game_suspended":
                continue
        entropies.forget(commitment)


def _path(game_id: str) -> str:
    return f"/games/{quote(game_id, safe='')}"


def own_seats(api: ApiClient, game: JsonObject) -> list[Seat]:
    """Return the seats that the key's player holds. Raises Refused, UnreachableError."""
    if not api.has_key:
        return []
    me = api.get("/players/me")["id"]
    return [Seat(one["seat"]) for one in game["seats"] if one.get("player") == me]


def new_game(
    api: ApiClient,
    ruleset: str,
    holders: Sequence[JsonObject],
    options: JsonObject,
    entropies: Entropies,
) -> str:
    """Open a table, with entropy of one's own; return its id. Raises Refused, UnreachableError."""
    seats = [
        {**holder, **(entropies.bring(None, Seat(seat)) if holder["holder"] == "me" else {})}
        for seat, holder in enumerate(holders)
    ]
    form = {"ruleset": ruleset, "options": options, "seats": [*holders]}
    try:
        return _opened(api, {**form, "seats": seats, "entropy_mode": LENIENT})
    except Refusal as error:
        if error.code not in _OLDER:
            raise
        return _opened(api, form)


def _opened(api: ApiClient, form: JsonObject) -> str:
    sent = {"Idempotency-Key": str(uuid.uuid4())}
    found: str = _tried(lambda: api.post("/games", form, **sent))["id"]
    return found


def _tried(ask: Callable[[], T]) -> T:
    """Ask some times for what may be asked for twice. Raises Refusal, UnreachableError."""
    for pause in OPENING_PAUSES:
        try:
            return ask()
        except UnreachableError:
            time.sleep(pause)
    return ask()
