"""The folded game: the state that follows from the events of one game.

Folding does not check what ``batch`` has written, because it was checked before it was recorded.
``verify`` checks records from elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import PUBLIC, EffectLog, seat_audience
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.ruleset import (
    ChanceEvent,
    Decision,
    MoveEvent,
    ResignationEvent,
    Ruleset,
    Turn,
)
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.beacons import BEACON, BEACON_DRAWN, randomness, round_after
from rules.kernel.record.bots import SHORT
from rules.kernel.record.budgets import BUDGET, NO_BUDGETS, budget_after
from rules.kernel.record.events import Access, Event, Part, genesis
from rules.kernel.record.instants import from_ms, moved_on, to_ms
from rules.kernel.record.signatures import KEY, KEY_CHANGED

LOBBY, CLOSED, RUNNING, ENDED, ABORTED = "lobby", "closed", "running", "ended", "aborted"
STATUSES = (LOBBY, CLOSED, RUNNING, ENDED, ABORTED)

EVERYBODY, BLOCK, SEATS = "public", "block", "seats"
"""Visibilities: anybody may watch at any time, or once all games of the chance scope are over.

In a game with ``SEATS``, players sit, and see it as they play it; all others wait as for ``BLOCK``.
"""

DAMAGED = "damaged"
"""The reason of a game that an operator ended because its stream is damaged."""
ENDED_BY_OPERATOR = "ended_by_operator"
"""The reason of a sound game that an operator ended; the record does not say why."""
GAP, NOT_APPLICABLE = "gap", "not_applicable"

TAKE_BACK, UNDONE = "take_back", "undone"
"""The field of ``created.game`` that allows taking moves back, and the kind of event that does."""
HINTS, HINTED = "hints", "hinted"
"""The field of ``created.game`` that lets seats ask for hints, and the kind of event that says that
a seat has asked.
"""
UNCOUNTED = (UNDONE, HINTED)
"""The kinds of events that do not count."""
MOST_MOVES_BACK = 32
"""Maximum number of moves that can be taken back at once."""
MOST_TAKEN_BACK = 3
"""Maximum number of times that a seat takes back moves to one decision."""

SealedKey = tuple[str, str, int]
SealedPart = tuple[int, str, Any, bytes]
"""A part that is not revealed yet: (seq, part, value, hash before that event)."""


class UnsoundEventError(Exception):
    """An event that is out of order or cannot be applied; the folded game is unusable after it."""

    def __init__(self, seq: int, problem: str, detail: str) -> None:
        super().__init__(detail)
        self.seq = seq
        self.problem = problem


class TableSeat(NamedTuple):
    """A seat at the table: its holder, its entropy, and whether it has resigned."""

    holder: JsonObject | None = None
    """``{"player": id}``, ``{"bot": name, "version": …, "settings": {…}}``, or None if nobody sits
    there."""
    entropy_commitment: str | None = None
    entropy: str | None = None
    """Commitment and entropy are in hex, as in events."""
    resigned: bool = False
    taken: int = 0
    """The number of the event by which the holder sat down."""
    brought: int = 0
    """If seats are drawn, the number of the event that brought the holder's commitment; else 0."""
    short: bool = False
    """Whether the moves of a bot are recorded without what follows from its ``seated``."""
    code: str = ""
    """The digest of a bot's code that its newest move was recorded with; empty before that."""
    key: str = ""
    """The key (hex) with which the holder signs its moves; empty if it does not."""

    @property
    def automatic(self) -> bool:
        """Whether the service decides for this seat, because a bot holds it or it has resigned."""
        return self.resigned or (self.holder is not None and "bot" in self.holder)

    @property
    def owes_entropy(self) -> bool:
        """Whether the seat has committed to entropy that is not revealed yet."""
        return self.entropy_commitment is not None and self.entropy is None


class Point(NamedTuple):
    """A point of a game to which ``seat`` can go back: the point just before a move of ``seat``.

    ``to`` is the number of the newest event that counted at this point. The attributes listed below
    ``seat`` are restored when the seat goes back.
    """

    to: int
    seat: Seat
    state: Any
    question: str
    asked: Mapping[Seat, int]
    asked_at: Mapping[Seat, str]
    last_by_seat: Mapping[Seat, int]
    budgets: Mapping[Seat, int]


class Game:
    """One game as of ``version``; ``state`` is None before the start.

    ``asked`` maps each seat that has a decision to the decision's id. The id is the ``seq`` of the
    event that opened the decision. ``asked_at`` maps each of these seats to a time: the time of
    that event, plus the time for which the game was suspended since then. ``question`` is the name
    of the decision. ``budgets`` maps each seat that has a budget of time to what was left of it
    (ms) when the seat's open decision was opened.

    Forks share the objects ``seats``, ``asked``, ``asked_at``, ``budgets``, ``last_by_seat``,
    ``points``, ``taken_back`` and ``hinted``, so folding replaces these objects and never changes
    them in place.
    """

    def __init__(self, game_id: str, registry: Registry) -> None:
        self.id = game_id
        self.registry = registry
        self.version = 0
        self.head = genesis(game_id)
        self.at = ""
        self.status = LOBBY
        self.created: JsonObject = {}
        self.created_at = ""
        self.created_by: JsonObject = {}
        self.closed_at = ""
        self.round = 0
        """The round of a beacon that goes into the luck; 0 if none does, or it is not known yet."""
        self.randomness: str | None = None
        """The random value of this round, in hex; None if it has not been drawn."""
        self.suspended_at = ""
        """When an operator suspended the game; empty if it is not suspended."""
        self.stood_still_until = ""
        """Until when the record says that the clocks ran or stood still; empty if they never stood.
        """
        self.opening = 0
        """The number of the last event of the batch that opened the table."""
        self.rules_digest = ""
        """The digest of the code that recorded the newest event. Whether other code may continue
        the game depends only on the version of the rules."""
        self.ruleset: Ruleset[Any]
        self.seats: Sequence[TableSeat] = ()
        self.state: Any = None
        self.turn: Turn
        """The turn after the newest folded event that changed the state."""
        self.question = ""
        self.asked: Mapping[Seat, int] = {}
        self.asked_at: Mapping[Seat, str] = {}
        self.budgets: Mapping[Seat, int] = NO_BUDGETS
        self.last_by_seat: Mapping[Seat, int] = {}
        self.result: JsonObject | None = None
        self.counts = 0
        """The number of the newest event that counts. An ``undone`` does not count, nor do the
        events that it took back; a ``hinted`` does not, either."""
        self.points: tuple[Point, ...] = ()
        """The points to which one seat can go back, the earliest first; their states never change.
        """
        self.taken_back: Mapping[int, int] = {}
        """How often moves were taken back to each decision that is open now, or open at a point."""
        self.hinted: frozenset[tuple[Seat, int]] = frozenset()
        """The seats that asked for hints, each with the decision for which it asked."""
        self.chance_open = False
        """Whether the stream reveals the chance seed."""
        self.access = Access()
        self.sealed: dict[SealedKey, tuple[SealedPart, ...]] = {}
        """Parts that are not opened yet, by the key under which the rules open them."""
        self.shown: dict[Seat | None, tuple[int, bytes]] = {}
        """Cache for programs that show games: the version and JSON of what each viewer was shown
        last."""

    def fork(self) -> Self:
        """Return an equal game with a state of its own, for trying a batch."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        if self.state is not None:
            new.state = self.ruleset.copy(self.state)
        new.access = self.access.fork()
        new.sealed = self.sealed.copy()
        new.shown = {}
        return new

    # Queries

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in (ENDED, ABORTED)

    @property
    def resigned(self) -> tuple[Seat, ...]:
        """The seats that have resigned, ascending."""
        return tuple(seat for seat, holding in by_seat(self.seats) if holding.resigned)

    @property
    def withheld(self) -> bool:
        """Whether watching is not allowed yet.

        A tournament's games are watched only after their seed is revealed: other games of a block
        may use the same one. If the visibility is ``SEATS``, the seats may see their own views.
        """
        return self.created["visibility"] != EVERYBODY and not self.chance_open

    @property
    def scope(self) -> str:
        """The chance scope whose seed decides this game's draws."""
        scope: str = self.created["chance"]["scope"]
        return scope

    def is_current(self, seat: Seat, expected_version: int) -> bool:
        """Whether a move made at ``expected_version`` answers the seat's open decision."""
        return (
            seat in self.asked
            and self.asked[seat] <= expected_version <= self.version
            and self.last_by_seat.get(seat, 0) <= expected_version
        )

    def ways_back(self, seat: Seat) -> list[int]:
        """Return the numbers of the events to which ``seat`` can go back now, ascending.

        The numbers depend only on public facts, so everybody can compute them.
        """
        return [
            point.to
            for point in self.points
            if point.seat == seat and self.taken_back.get(point.asked[seat], 0) < MOST_TAKEN_BACK
        ]

    def can_take_back(self, seat: Seat, move: Move[Any]) -> bool:
        """Return whether ``seat`` may take back a legal move after playing it now.

        The caller ensures that no draw follows the move, and that the move opens nothing.
        """
        decision = self.asked.get(seat, 0)
        allowed = bool(self.created.get(TAKE_BACK)) and not move.reveals
        return allowed and self.taken_back.get(decision, 0) < MOST_TAKEN_BACK

    def automatic_seats(self) -> list[Seat]:
        """Return the seats with a decision for which the service decides now, ascending."""
        if self.suspended_at:
            return []
        return [seat for seat in sorted(self.asked) if self.seats[seat].automatic]

    # Folding

    def take(self, event: Event, log: EffectLog | None = None) -> None:
        """Fold the next event of a stream that may be damaged.

        Raises:
            UnsoundEventError: the event is not the next one, or cannot be applied.
            UnknownRulesetError: no installed rules can play the game.
        """
        if event.seq != self.version + 1 and sound_before_end(event) is None:
            raise UnsoundEventError(event.seq, GAP, f"event {event.seq} follows {self.version}")
        try:
            self.apply(event, log)
        except UnknownRulesetError:
            raise
        except Exception as error:
            reason = f"event {event.seq} cannot be applied: {type(error).__name__}: {error}"
            raise UnsoundEventError(event.seq, NOT_APPLICABLE, reason[:500]) from error

    def apply(
        self, event: Event, log: EffectLog | None = None, move: Move[Any] | None = None
    ) -> None:
        """Fold the next event; write its effects to ``log``, unless ``log`` is None.

        ``move`` is the move of the event, if the caller has it already.
        """
        seq, kind, _by, at, _last, body, _proof, hash_ = event
        if self.points and kind != "moved" and kind not in UNCOUNTED:
            self.points = ()
        if move is None:
            self._FOLD[kind](self, event, log)
        elif kind == "moved":
            self._play_for_now(event, move, log)
        else:
            self._play(event, move, log)
        if "opens" in body or "code" in body:
            self._note_more(seq, body)
        if "bot" in body and kind == "moved":
            self._note_code(event)
        if kind not in UNCOUNTED:
            self.counts = seq
        self.version = seq
        self.head = hash_
        self.at = at

    def _note_code(self, event: Event) -> None:
        """Store the digest of a bot's code; it is missing where the part is hidden or as before."""
        seat = event.by["seat"]
        found = event.body["bot"].value.get("digest", "")
        if found not in ("", self.seats[seat].code):
            self._hold(seat, self.seats[seat]._replace(code=found))

    def _note_more(self, seq: int, body: Mapping[str, Part]) -> None:
        """Store which sealed parts event ``seq`` reveals, and the digest of the rules' code.

        ``body`` has the member ``opens`` only if the event reveals parts. It has the member
        ``code`` only if the program code of the rules has changed since the event before.
        """
        if opens := body.get("opens"):
            for opened in opens.value:
                self.access.open(opened["seq"], opened["part"], seq)
                self._forget(opened["seq"], opened["part"])
            self.points = ()
        if code := body.get("code"):
            self.rules_digest = code.value["rules_digest"]

    def _forget(self, seq: int, part: str) -> None:
        for key, parts in self.sealed.items():
            left = tuple(sealed for sealed in parts if sealed[:2] != (seq, part))
            if len(left) < len(parts):
                self.sealed[key] = left
                if not left:
                    del self.sealed[key]
                return

    def _seal(self, key: SealedKey, event: Event, part: str) -> None:
        """Store a part of ``event`` that not everybody may see, until the rules reveal it."""
        sealed = (event.seq, part, event.body[part].value, self.head)
        self.sealed[key] = (*self.sealed.get(key, ()), sealed)

    def _ask(self, event: Event, mover: Seat | None) -> None:
        """Note who has a decision; a decision that is still unanswered keeps its id."""
        turn = self.turn = self.ruleset.turn(self.state)
        before, before_at = self.asked, self.asked_at
        if type(turn) is not Decision:
            if before:
                self.asked, self.asked_at = {}, {}
                if self.budgets:
                    self._take_time(event, before, before_at)
            return
        asked, asked_at = dict.fromkeys(turn.seats, event.seq), dict.fromkeys(turn.seats, event.at)
        if turn.name != self.question:
            self.question = turn.name
        else:
            for seat in turn.seats:
                if seat != mover and seat in before:
                    asked[seat], asked_at[seat] = before[seat], before_at[seat]
        self.asked, self.asked_at = asked, asked_at
        if self.budgets:
            self._take_time(event, before, before_at)

    def _take_time(
        self, event: Event, before: Mapping[Seat, int], before_at: Mapping[Seat, str]
    ) -> None:
        """Take the time of the decisions that ``event`` has ended from the budgets of their seats.

        ``before`` and ``before_at`` are ``asked`` and ``asked_at`` before the event.
        """
        left = {**self.budgets}
        for seat, decision in before.items():
            if seat in left and self.asked.get(seat) != decision:
                answered = event.kind == "moved" and event.by["seat"] == seat
                open_ms = to_ms(event.at) - to_ms(before_at[seat])
                left[seat] = budget_after(
                    self.created["clock"], left[seat], open_ms, answered=answered
                )
        self.budgets = left

    def _hold(self, seat: Seat, holding: TableSeat) -> None:
        seats = list(self.seats)
        seats[seat] = holding
        self.seats = tuple(seats)

    def _created(self, event: Event, _log: EffectLog | None) -> None:
        self.created = event.body["game"].value
        self.created_at = event.at
        self.opening = event.last
        self.created_by = event.by
        self.rules_digest = self.created["rules_digest"]
        self.ruleset = self.registry.pinned(self.created)
        self.seats = (TableSeat(),) * self.created["seats"]

    def _seated(self, event: Event, _log: EffectLog | None) -> None:
        value = event.body["seat"].value
        brought = value.get("brought", 0)
        seat = TableSeat(
            value["holder"], value["entropy_commitment"], taken=event.seq, brought=brought,
            short=SHORT in value, key=value.get(KEY, ""),
        )  # fmt: skip
        self._hold(value["seat"], seat)

    def _left(self, event: Event, _log: EffectLog | None) -> None:
        self._hold(event.body["seat"].value["seat"], TableSeat())

    def _closed(self, event: Event, _log: EffectLog | None) -> None:
        self.status = CLOSED
        self.closed_at = event.at
        entropy = self.created["entropy"]
        if entropy["mode"] == BEACON:
            self.round = round_after(entropy["beacon"], to_ms(event.at))

    def _beacon_drawn(self, event: Event, _log: EffectLog | None) -> None:
        self.randomness = randomness(event.body["beacon"].value["signature"])

    def _entropy_revealed(self, event: Event, _log: EffectLog | None) -> None:
        value = event.body["entropy"].value
        seat = value["seat"]
        self._hold(seat, self.seats[seat]._replace(entropy=value["entropy"]))

    def _started(self, event: Event, _log: EffectLog | None) -> None:
        self.status = RUNNING
        self.state = self.ruleset.initial(len(self.seats), self.created["options"])
        clock = self.created["clock"]
        if clock is not None and BUDGET in clock:
            people = [seat for seat, holding in by_seat(self.seats) if not holding.automatic]
            self.budgets = dict.fromkeys(people, 1000 * clock[BUDGET])
        self._ask(event, None)

    def _moved(self, event: Event, log: EffectLog | None) -> None:
        self._play_for_now(event, self.ruleset.recorded_move(event.body["move"].value), log)

    def _defaulted(self, event: Event, log: EffectLog | None) -> None:
        self._play(event, self.ruleset.recorded_move(event.body["move"].value), log)

    def _play_for_now(self, event: Event, move: Move[Any], log: EffectLog | None) -> None:
        """Play a move. If it can be taken back, store the point of the game before the move."""
        if not self.created.get(TAKE_BACK):
            self._play(event, move, log)
            return
        seat = event.by["seat"]
        before = Point(
            self.counts, seat, self.ruleset.copy(self.state), self.question, self.asked,
            self.asked_at, self.last_by_seat, self.budgets,
        )  # fmt: skip
        self._play(event, move, log)
        seen = {part.audience for part in event.body.values()}
        if move.reveals or not seen <= {PUBLIC, seat_audience(seat)}:
            self.points = ()
        else:
            own = self.points if self.points and self.points[0].seat == seat else ()
            self.points = (*own, before)[-MOST_MOVES_BACK:]

    def _undone(self, event: Event, _log: EffectLog | None) -> None:
        """Set the game back to what it was after an earlier event; the rules never see this."""
        seat, to = event.by["seat"], event.body["undo"].value["to"]
        index = [point.to for point in self.points].index(to)
        point, before = self.points[index], self.asked
        self.points = self.points[:index]
        self.counts = to
        self.state = self.ruleset.copy(point.state)
        self.turn = self.ruleset.turn(self.state)
        self.question, self.asked, self.asked_at = point.question, point.asked, point.asked_at
        self.budgets = point.budgets
        # An answer to a question that was taken back is no answer to the one that is open now.
        again = [one for one, id_ in self.asked.items() if one == seat or before.get(one) != id_]
        self.last_by_seat = {**point.last_by_seat, **dict.fromkeys(again, event.seq)}
        self._count_taken_back(self.asked[seat])
        for key, parts in [*self.sealed.items()]:
            self._seal_for_good(key, tuple(sealed for sealed in parts if sealed[0] > to))

    def _count_taken_back(self, decision: int) -> None:
        times = {**self.taken_back, decision: self.taken_back.get(decision, 0) + 1}
        open_: set[int] = set().union(self.asked.values(), *(p.asked.values() for p in self.points))
        self.taken_back = {id_: count for id_, count in times.items() if id_ in open_}

    def _seal_for_good(self, key: SealedKey, gone: tuple[SealedPart, ...]) -> None:
        """Move sealed parts to a key under which the rules never open them.

        ``gone`` are the sealed parts of moves that were taken back.
        """
        if not gone or key[0] == UNDONE:
            return
        self.sealed[key] = tuple(sealed for sealed in self.sealed[key] if sealed not in gone)
        if not self.sealed[key]:
            del self.sealed[key]
        apart = (UNDONE, *key[1:])
        self.sealed[apart] = (*self.sealed.get(apart, ()), *gone)

    def _play(self, event: Event, move: Move[Any], log: EffectLog | None) -> None:
        seat = event.by["seat"]
        part = event.body["move"]
        if part.audience != PUBLIC:
            self._seal(("move", part.value["type"], seat), event, "move")
        self.ruleset.reduce(self.state, MoveEvent(seat, move), log)
        self.last_by_seat = {**self.last_by_seat, seat: event.seq}
        self._ask(event, seat)

    def _chanced(self, event: Event, log: EffectLog | None) -> None:
        draw = event.body["draw"].value
        picks = event.body["picks"]
        if picks.audience != PUBLIC:
            self._seal(("picks", draw["label"], draw["n"]), event, "picks")
        self.ruleset.reduce(self.state, ChanceEvent(draw["label"], draw["n"], picks.value), log)
        self._ask(event, None)

    def _resigned(self, event: Event, log: EffectLog | None) -> None:
        seat = event.by["seat"]
        self._hold(seat, self.seats[seat]._replace(resigned=True))
        self.ruleset.reduce(self.state, ResignationEvent(seat), log)
        self._ask(event, None)

    def _suspended(self, event: Event, _log: EffectLog | None) -> None:
        self.suspended_at = event.at

    def _resumed(self, event: Event, _log: EffectLog | None) -> None:
        """Let the clocks continue from where they stopped."""
        stood_still = to_ms(event.at) - to_ms(self.suspended_at)
        self.asked_at = {
            seat: from_ms(to_ms(at) + stood_still) for seat, at in self.asked_at.items()
        }
        if self.status == CLOSED:
            self.closed_at = from_ms(to_ms(self.closed_at) + stood_still)
        self.suspended_at = ""
        self.stood_still_until = event.at

    def _interrupted(self, event: Event, _log: EffectLog | None) -> None:
        """Move the times of open decisions by what the service was away since they were opened."""
        value = event.body["interruption"].value
        since, until = to_ms(value["from"]), to_ms(value["to"])
        self.asked_at = {
            seat: from_ms(moved_on(to_ms(at), since, until)) for seat, at in self.asked_at.items()
        }
        self.stood_still_until = value["to"]

    def _stopped(self, event: Event, _log: EffectLog | None) -> None:
        self.status = event.kind
        self.suspended_at = ""
        if event.kind == ENDED:
            self.result = event.body["result"].value
        self.asked, self.asked_at = {}, {}
        self.access.over = event.seq

    def _hinted(self, event: Event, _log: EffectLog | None) -> None:
        """Note that a seat asked for a hint; this changes nothing else."""
        decision: int = event.body["hint"].value["decision"]
        self.hinted |= {(event.by["seat"], decision)}

    def _key_changed(self, event: Event, _log: EffectLog | None) -> None:
        value = event.body[KEY].value
        self._hold(value["seat"], self.seats[value["seat"]]._replace(key=value[KEY]))

    def _chance_revealed(self, _event: Event, _log: EffectLog | None) -> None:
        self.chance_open = True

    def _noted(self, event: Event, log: EffectLog | None) -> None:
        """Fold an event of a kind that changes nothing by itself."""

    _FOLD: ClassVar = {
        "created": _created,
        "seated": _seated,
        "left": _left,
        "closed": _closed,
        "entropy_revealed": _entropy_revealed,
        BEACON_DRAWN: _beacon_drawn,
        "started": _started,
        "moved": _moved,
        "defaulted": _defaulted,
        UNDONE: _undone,
        HINTED: _hinted,
        KEY_CHANGED: _key_changed,
        "chanced": _chanced,
        "resigned": _resigned,
        "suspended": _suspended,
        "resumed": _resumed,
        "interrupted": _interrupted,
        ABORTED: _stopped,
        ENDED: _stopped,
        "timed_out": _noted,
        "bot_failed": _noted,
        "chance_revealed": _chance_revealed,
    }


def counting(events: Iterable[Event]) -> list[Event]:
    """Return the events that count.

    An ``undone`` event does not count, and the events that it took back do not count. A ``hinted``
    event does not count, either.
    """
    left: list[Event] = []
    for event in events:
        if event.kind not in UNCOUNTED:
            left.append(event)
        if event.kind != UNDONE:
            continue
        to = event.body["undo"].value["to"]
        while left[-1].seq > to:
            left.pop()
    return left


def sound_before_end(event: Event) -> int | None:
    """Return the ``seq`` of the last sound event, if ``event`` ended a damaged game."""
    part = event.body.get("aborted")
    if event.kind != ABORTED or part is None or part.value.get("reason") != DAMAGED:
        return None
    sound: int = part.value["sound"]["seq"]
    return sound


def without_damage(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events that count.

    In a damaged game, these are the sound events and the event that ended the game. If another
    event follows the end, it counts, too.
    """
    # The event that reveals the seed may follow the end.
    for end in range(len(events) - 1, max(-1, len(events) - 3), -1):
        sound = sound_before_end(events[end])
        if sound is not None:
            return [event for event in events[:end] if event.seq <= sound] + list(events[end:])
    return events
