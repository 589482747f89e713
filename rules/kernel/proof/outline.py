"""Checks the course of a game without rules: seats, moves and resignations, in order.

The first event of a batch is the request; the others are its consequences. What a move means, and
whose turn it is, cannot be checked without the rules (``reenact``). Everything else is checked
here, so that it is checked in every record, even if the game is running or its rules are not
installed.
"""

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rules.kernel.canonical import JsonObject, digest, encode_known
from rules.kernel.contract.effects import PUBLIC, seat_audience
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import (
    BEACON_WITHHELD,
    BLOCK_ABANDONED,
    CANCELLED,
    CHANGE_STATE,
    CLOCK,
    LENIENT,
    REVEAL,
    SERVICE,
    SERVICE_FAULT,
    TOURNAMENT_CANCELLED,
    WITHHELD,
)
from rules.kernel.record.beacons import ABORT, BEACON, BEACON_DRAWN, START, round_after, round_ms
from rules.kernel.record.bots import CPU, SHORT, settings_digest
from rules.kernel.record.budgets import BUDGET, GRACE, least_budget
from rules.kernel.record.clocks import thinking_ms
from rules.kernel.record.game import (
    ABORTED,
    CLOSED,
    DAMAGED,
    ENDED,
    ENDED_BY_OPERATOR,
    HINTED,
    HINTS,
    LOBBY,
    MOST_MOVES_BACK,
    MOST_TAKEN_BACK,
    RUNNING,
    TAKE_BACK,
    UNCOUNTED,
    UNDONE,
)
from rules.kernel.record.instants import moved_on, to_ms
from rules.kernel.record.signatures import KEY, KEY_CHANGED, SIGNATURE, SIGNATURES, must_sign

_OF_TOURNAMENT = re.compile(
    r"([^/]*)/[1-9][0-9]*(?:/(?:[2-9]|[1-9][0-9]+)|/(?:0|[1-9][0-9]*)/[1-9][0-9]*)?"
)
_SEED = re.compile(r"seed-[0-9a-f]{16}")
"""``_OF_TOURNAMENT`` matches the chance scope of a tournament's block (from the second try on it
has the number of the try), or of one of its games (with the numbers of the rotation and the try).
``_SEED`` matches the beginning of such a scope if the host gave the tournament's seed.
"""


class Contradiction(Exception):
    """A contradiction in the record; the message says what and where."""


class _Point(NamedTuple):
    """A point of a game, just before a move of ``seat``.

    ``to`` is the number of the newest event that counted at that point. ``moved_at`` is the number
    of the event in which the seat had last moved before; 0 if there was none.
    """

    to: int
    seat: Seat
    moved_at: int


class Outline:
    """The course of a game, followed batch by batch.

    The shapes of the copies must have been checked before.
    """

    def __init__(self, game_id: str, copies: Sequence[JsonObject]) -> None:
        self._copies = copies
        self._game = copies[0]["body"]["game"]
        self._opener = copies[0]["by"]
        self._own_luck = self._game["chance"]["scope"] == game_id
        self._status = ""
        self._closed_at = 0
        self._round = 0
        """The round of a beacon that the game waits for; 0 if it waits for none."""
        self._suspended_by: JsonObject | None = None
        """The event that has suspended the game, while it is suspended."""
        self._stood_still: list[tuple[int, int, int]] = []
        """For each time in which clocks stood still: ``seq`` of its event, beginning, end (ms)."""
        seats = range(self._game["seats"])
        self._holders: list[JsonObject] = [{} for _ in seats]
        self._callers: list[list[JsonObject]] = [[] for _ in seats]
        """For each seat, the values of ``by`` that its holder may have."""
        self._named: list[tuple[object, ...]] = [() for _ in seats]
        """For each seat, the names that its bot has in its thoughts."""
        self._digests: dict[int, str] = {}
        """For each seat whose bot says once what never changes, the digest that it said last."""
        self._moved_at = [0 for _ in seats]
        self._answers: list[list[int]] = [[] for _ in seats]
        """For each seat, the numbers of its moves that count."""
        self._started_by: JsonObject = {}
        """The event that started the game."""
        self._counts = 0
        """The newest event that counts. An ``undone`` does not count, nor do the events that it
        took back; a ``hinted`` does not, either."""
        self._points: list[_Point] = []
        """The points to which the seat that moved last can go back, the earliest first."""
        self._gone_back: dict[int, int] = {}
        """How often the seat went back to a point, by the point's event."""
        self._taken_back: list[tuple[int, int]] = []
        """For each ``undone``, the event that it led back to, and its own number."""
        self._hinted: set[tuple[Seat, int]] = set()
        """The seats that asked for hints, each with the decision for which it asked."""
        self._owing: set[int] = set()
        self._brought: dict[int, tuple[str, JsonObject]] = {}
        """If seats are drawn: for each event that brought a commitment, the commitment and its
        holder."""
        self._bound: dict[int, int] = {}
        """If seats are drawn: for each seat, the event that brought the commitment of its holder.
        """
        self._resigned: set[int] = set()
        self._failed: int | None = None
        """The seat whose bot failed in the previous batch, if any."""
        self._rest: list[JsonObject] = []
        """The remaining events of the batch, the next event last."""

    def follow(self, batch: Sequence[JsonObject]) -> None:
        """Check the next batch. Raises Contradiction."""
        first = batch[0]
        kind = first["kind"]
        self._rest = [*batch[:0:-1]]
        if (kind == "created") != (not self._status):
            raise contradiction(first, "a game is created once, before all else")
        if kind not in self._ASKED:
            raise contradiction(first, f"nobody can ask for {kind}")
        if self._suspended_by is not None and kind not in ("resumed", "aborted"):
            raise contradiction(first, f"the game is suspended, and {kind} has to wait")
        self._ASKED[kind](self, first)
        if self._rest:
            event = self._rest[-1]
            raise contradiction(event, f"{event['kind']} does not follow from {kind}")
        for event in batch[1:]:
            _expect(event, "code" not in event["parts"], "only a batch begins with other code")
        if kind != "bot_failed":
            self._failed = None
        if kind not in UNCOUNTED:
            self._counts = batch[-1]["seq"]
        if kind != "moved" and kind not in UNCOUNTED:
            self._points = []

    # Before the start

    def _created(self, event: JsonObject) -> None:
        data = self._game["data"]
        own = "tables" not in data or digest(encode_known(data["tables"])).hex() == data["digest"]
        _expect(event, own, "its tables have another digest than it says")
        if not self._own_luck:
            scope, of = self._game["chance"]["scope"], event["by"].get("tournament")
            found = _OF_TOURNAMENT.fullmatch(scope)
            right = found is not None and (found[1] == of or _SEED.fullmatch(found[1]))
            _expect(event, bool(right), f"{scope!r} is no block or game of {of!r}")
        self._status = LOBBY
        while self._rest and self._rest[-1]["kind"] == "seated":
            seated = self._rest.pop()
            # The request that opens the table takes these seats, so they have the same causer.
            self._need_one_of(seated, self._opener)
            self._sit(seated)
        self._start_if_full()

    def _seated(self, event: JsonObject) -> None:
        self._sit(event)
        self._start_if_full()

    def _sit(self, event: JsonObject) -> None:
        value = event["body"]["seat"]
        seat, holder = value["seat"], value["holder"]
        self._need_lobby(event)
        _expect(event, not self._holders[seat], f"seat {seat} is taken")
        self._need_one_of(event, self._opener, holder)
        self._holders[seat] = holder
        signs = must_sign(self._game, holder)
        _expect(event, KEY in value or not signs, f"seat {seat} has no key to sign its moves with")
        _expect(event, signs or KEY not in value, f"seat {seat} has a key, and signs nothing")
        if "bot" in holder:
            self._callers[seat] = [{"seat": seat, "bot": f"{holder['bot']}@{holder['version']}"}]
            self._named[seat] = (
                holder["bot"], holder["version"], settings_digest(holder),
                holder["settings"].get("nodes", 0),
            )  # fmt: skip
        else:
            self._callers[seat] = [{"seat": seat}, {"seat": seat, **holder}]
        if SHORT in value:
            _expect(event, "bot" in holder, "only a bot's moves are recorded without its settings")
            self._digests[seat] = ""
        self._bring(event)

    def _bring(self, event: JsonObject) -> None:
        """Note the commitment of a holder.

        If seats are drawn by lot, the holder's commitment follows the holder to the drawn seat.
        """
        value = event["body"]["seat"]
        seat, committed = value["seat"], value["entropy_commitment"]
        if committed is not None:
            self._owing.add(seat)
        if "brought" not in value:
            return
        brought, what = value["brought"], (committed, value["holder"])
        if brought == event["seq"] and committed is not None:
            self._brought[brought] = what
        known = self._brought.get(brought) == what
        _expect(event, known, f"event {brought} did not bring that entropy")
        _expect(event, brought not in self._bound.values(), f"seat {seat} takes another's entropy")
        self._bound[seat] = brought

    def _left(self, event: JsonObject) -> None:
        seat = event["body"]["seat"]["seat"]
        self._need_lobby(event)
        _expect(event, bool(self._holders[seat]), f"seat {seat} is open already")
        self._need_one_of(event, self._opener, self._holders[seat])
        self._holders[seat] = {}
        self._owing.discard(seat)
        self._bound.pop(seat, None)
        self._digests.pop(seat, None)

    def _need_lobby(self, event: JsonObject) -> None:
        _expect(event, self._status == LOBBY, f"the game is {self._status}, not in the lobby")

    def _need_one_of(self, event: JsonObject, *allowed: JsonObject) -> None:
        _expect(event, event["by"] in allowed, f"{event['by']} may not do that")

    def _start_if_full(self) -> None:
        if not all(self._holders):
            return
        if not self._owing and self._mode != BEACON:
            self._start()
            return
        self._status = CLOSED
        self._closed_at = to_ms(self._next("closed")["at"])
        if self._mode == BEACON:
            self._round = round_after(self._game["entropy"]["beacon"], self._closed_at)

    def _entropy_revealed(self, event: JsonObject) -> None:
        seat = event["body"]["entropy"]["seat"]
        _expect(event, self._status == CLOSED, f"the game is {self._status}, not closed")
        _expect(event, seat in self._owing, f"seat {seat} owes no entropy")
        self._need_one_of(event, self._holders[seat])
        _expect(event, not self._entropy_is_late(event), "the time for entropy is up")
        self._owing.discard(seat)
        if not self._owing and not self._round:
            self._start()

    def _beacon_drawn(self, event: JsonObject) -> None:
        """Check that a round starts the game; its signature is checked elsewhere."""
        number = event["body"]["beacon"]["round"]
        _expect(event, self._status == CLOSED, f"the game is {self._status}, not closed")
        _expect(event, bool(self._round), "the game waits for no beacon")
        right = number == self._round
        _expect(event, right, f"its round is {self._round}, not {number}")
        out = round_ms(self._game["entropy"]["beacon"], number)
        _expect(event, to_ms(event["at"]) >= out, f"round {number} was not out yet")
        waits = bool(self._owing) and not self._entropy_is_late(event)
        _expect(event, not waits, "seats may still reveal entropy")
        self._start()

    def _entropy_is_late(self, event: JsonObject) -> bool:
        seconds: int = self._game["entropy"]["seconds"]
        return to_ms(event["at"]) > self._closed_at + 1000 * seconds

    def _start(self) -> None:
        event = self._next("started")
        _expect(event, event["by"] == SERVICE, f"{event['by']} may not do that")
        self._run(event)

    def _started(self, event: JsonObject) -> None:
        """Check the event ``started``: the game starts without what is late."""
        _expect(event, self._status == CLOSED, f"the game is {self._status}, not closed")
        goes_on = self._mode == LENIENT or self._game["entropy"].get("late") == START
        _expect(event, goes_on, "the game waits for all of it, or is aborted")
        _expect(event, event["by"] == CLOCK, f"{event['by']} may not do that")
        _expect(event, self._entropy_is_late(event), "the time for entropy is not up")
        self._run(event)

    @property
    def _mode(self) -> str:
        mode: str = self._game["entropy"]["mode"]
        return mode

    def _run(self, event: JsonObject) -> None:
        self._status = RUNNING
        self._started_by = event
        self._let_nature_play()

    # Play

    def _moved(self, event: JsonObject) -> None:
        holder = self._need_holder(event)
        seat = event["by"]["seat"]
        if ("bot" in event["parts"]) != ("bot" in holder):
            raise contradiction(event, "bots say what they thought, and only they")
        if "bot" in holder and "client" in event["parts"]:
            raise contradiction(event, "a bot has seen no head: clients of players have")
        if "bot" in holder and "thoughts" in event["parts"]:
            raise contradiction(event, "a bot of the service tells what it thought in `bot`")
        self._need_signature(event, seat, holder)
        thoughts = event["body"].get("bot")
        self._need_no_time(event, thoughts)
        if thoughts is not None:
            self._need_own_thoughts(event, seat, thoughts)
        self._note_point(event)
        self._moved_at[seat] = event["seq"]
        self._answers[seat].append(event["seq"])
        self._let_nature_play()

    def _need_signature(self, event: JsonObject, seat: Seat, holder: JsonObject) -> None:
        """Check that a move is signed exactly where its seat has to sign it.

        Whether the signature is genuine is checked elsewhere.
        """
        signs, audiences = must_sign(self._game, holder), event["audiences"]
        _expect(event, signs or SIGNATURE not in audiences, f"seat {seat} signs nothing")
        if not signs:
            return
        _expect(event, SIGNATURE in audiences, f"seat {seat} has not signed its move")
        _expect(event, "client" in audiences, f"seat {seat} has signed no head with its move")
        same = audiences[SIGNATURE] == audiences["move"]
        _expect(event, same, "its signature is not for those who see its move")
        if SIGNATURE in event["body"]:
            self._asked_at(event, seat, event["body"][SIGNATURE]["decision"])

    def _key_changed(self, event: JsonObject) -> None:
        seat = event["body"][KEY]["seat"]
        self._need_unfinished(event)
        _expect(event, SIGNATURES in self._game, "nobody signs at this table")
        self._need_one_of(event, self._holders[seat])
        _expect(event, seat not in self._resigned, f"seat {seat} has resigned")

    def _need_own_thoughts(self, event: JsonObject, seat: Seat, thoughts: JsonObject) -> None:
        """Check that the part ``bot`` of a move is that of the seat's bot, in its form."""
        if "bot" in thoughts:
            told = tuple([thoughts[name] for name in ("bot", "version", "settings", "budget")])
            _expect(event, told == self._named[seat], f"another bot thought than holds seat {seat}")
            if seat in self._digests:
                self._digests[seat] = thoughts["digest"]
            return
        _expect(event, seat in self._digests, "it leaves out what its seat does not say")
        before, now = self._digests[seat], thoughts.get("digest", "")
        _expect(event, now != before, "the digest of a bot is said first, and where it changes")
        self._digests[seat] = now or before

    def _need_no_time(self, event: JsonObject, told: JsonObject | None) -> None:
        """Check that the time of a bot's decision is recorded in a tournament alone."""
        timed = told is not None and CPU in told
        _expect(event, not timed or "tournament" in self._opener, "only tournaments have budgets")

    def _note_point(self, event: JsonObject) -> None:
        """Note the point before a move, if the record shows that the move can be taken back.

        A move cannot be taken back if it shows something hidden, or if other events follow from
        it. Then the earlier points are forgotten, too.
        """
        seat = event["by"]["seat"]
        seen = {PUBLIC, seat_audience(seat)}
        shows = "opens" in event["parts"] or not seen.issuperset(event["audiences"].values())
        if shows or self._rest or TAKE_BACK not in self._game:
            self._points = []
            return
        if self._points and self._points[0].seat != seat:
            self._points = []
        point = _Point(self._counts, seat, self._moved_at[seat])
        self._points = [*self._points, point][-MOST_MOVES_BACK:]

    def _undone(self, event: JsonObject) -> None:
        self._need_holder(event)
        seat, to = event["by"]["seat"], event["body"]["undo"]["to"]
        _expect(event, TAKE_BACK in self._game, "no move is taken back at this table")
        points = {point.to: point for point in self._points if point.seat == seat}
        _expect(event, to in points, f"seat {seat} cannot go back to event {to}")
        self._gone_back[to] = self._gone_back.get(to, 0) + 1
        often = self._gone_back[to] > MOST_TAKEN_BACK
        _expect(event, not often, f"seat {seat} goes back to event {to} too often")
        self._moved_at[seat] = points[to].moved_at
        self._answers[seat] = [seq for seq in self._answers[seat] if seq <= to]
        self._points = [point for point in self._points if point.to < to]
        self._counts = to
        self._taken_back.append((to, event["seq"]))

    def _asked_for_hint(self, event: JsonObject) -> None:
        self._need_holder(event)  # by its form, a player
        seat, decision = event["by"]["seat"], event["body"]["hint"]["decision"]
        _expect(event, HINTS in self._game, "nobody gets hints at this table")
        self._asked_at(event, seat, decision)
        again = (seat, decision) in self._hinted
        _expect(event, not again, f"seat {seat} has a hint for decision {decision} already")
        self._hinted.add((seat, decision))

    def _defaulted(self, event: JsonObject) -> None:
        seat, reason = event["by"]["seat"], event["by"]["service"]
        self._need_running(event)
        gone = reason == "resigned" and seat in self._resigned
        _expect(event, gone, f"seat {seat} has not resigned")
        self._moved_at[seat] = event["seq"]
        self._let_nature_play()

    def _timed_out(self, event: JsonObject) -> None:
        seat, decision = event["body"]["time_out"]["seat"], event["body"]["time_out"]["decision"]
        clock = self._game["clock"]
        self._need_running(event)
        timed = clock is not None and "player" in self._holders[seat] and seat not in self._resigned
        _expect(event, timed, f"seat {seat} has no clock")
        asked = self._asked_at(event, seat, decision)
        ends = asked + thinking_ms(clock, self._budget_at(seat, asked)) + clock.get(GRACE, 0)
        _expect(event, to_ms(event["at"]) > ends, f"the time of seat {seat} is not up")
        fault = event["body"]["time_out"].get("fault")
        of_tournament = "tournament" in self._opener
        _expect(event, fault is None or of_tournament, "only a tournament asks whose fault it is")
        if fault == SERVICE_FAULT:
            self._give_up_block()
        else:
            self._next_default(seat, "timed_out")

    def _give_up_block(self) -> None:
        """Check that the game is aborted, because the service was away."""
        event = self._next("aborted")
        reason = event["body"]["aborted"]["reason"]
        _expect(event, reason == BLOCK_ABANDONED, "the tournament has to play its block again")
        self._aborted(event)

    def _budget_at(self, seat: Seat, asked: int) -> int | None:
        """Return a lower bound (ms) of a seat's remaining budget at a time; None without a budget.

        The exact budget takes the rules: only they know for how long a seat had decisions.
        """
        clock = self._game["clock"]
        if BUDGET not in clock:
            return None
        played = asked - self._without_pauses(self._started_by)
        return least_budget(clock, len(self._answers[seat]), played)

    def _bot_failed(self, event: JsonObject) -> None:
        body = event["body"]
        seat = body["failure"]["seat"]
        holder = self._holders[seat]
        self._need_running(event)
        plays = "bot" in holder and seat not in self._resigned
        _expect(event, plays, f"no bot plays seat {seat}")
        self._asked_at(event, seat, body["failure"]["decision"])
        if "bot" in body:
            told = (body["bot"]["bot"], body["bot"]["version"])
            _expect(event, told == self._named[seat][:2], f"{told} does not hold seat {seat}")
        self._need_no_time(event, body.get("bot"))
        self._next_default(seat, "bot_failed")
        self._failed = seat

    def _gave_up(self, event: JsonObject) -> None:
        holder = self._need_holder(event)
        seat = event["by"]["seat"]
        failed = self._failed == seat and "tournament" in self._opener
        allowed = failed or "bot" not in holder
        _expect(event, allowed, "a bot gives up only in a tournament, and only when it has failed")
        self._resigned.add(seat)
        self._let_nature_play()

    def _need_running(self, event: JsonObject) -> None:
        if self._status != RUNNING:
            raise contradiction(event, f"the game is {self._status}, not running")

    def _need_holder(self, event: JsonObject) -> JsonObject:
        """Check that ``by`` is a seat in play, and names the right holder if it names one."""
        self._need_running(event)
        by: JsonObject = event["by"]
        seat: Seat = by["seat"]
        if by not in self._callers[seat]:
            raise contradiction(event, f"{by} does not hold the seat")
        if seat in self._resigned:
            raise contradiction(event, f"seat {seat} has resigned")
        return self._holders[seat]

    def _asked_at(self, event: JsonObject, seat: Seat, decision: int) -> int:
        """Return the time at which the open decision of ``seat`` was opened (ms since 1970).

        Time does not pass while the game is suspended.
        """
        asks = self._copies[decision - 1] if decision < event["seq"] else event
        opened = asks["kind"] in CHANGE_STATE and decision >= self._moved_at[seat]
        gone = any(to < decision < by for to, by in self._taken_back)
        _expect(event, opened and not gone, f"seat {seat} has no decision {decision} to answer")
        return self._without_pauses(asks)

    def _without_pauses(self, event: JsonObject) -> int:
        """Return the time (ms since 1970) of an event, moved on by the pauses after it."""
        at = to_ms(event["at"])
        for seq, since, until in self._stood_still:
            if seq > event["seq"]:
                at = moved_on(at, since, until)
        return at

    def _next_default(self, seat: Seat, reason: str) -> None:
        event = self._next("defaulted")
        wanted = {"seat": seat, "service": reason}
        _expect(event, event["by"] == wanted, f"the rules answer for {wanted}, not {event['by']}")
        self._moved_at[seat] = event["seq"]
        self._let_nature_play()

    def _let_nature_play(self) -> None:
        rest = self._rest
        while rest and rest[-1]["kind"] == "chanced":
            rest.pop()
        if rest and rest[-1]["kind"] == "ended":
            rest.pop()
            self._status = ENDED
            self._reveal_own_luck()

    # An operator's acts

    def _suspended(self, event: JsonObject) -> None:
        self._need_unfinished(event)
        _expect(event, self._own_luck, "such a game is paused with its tournament")
        self._suspended_by = event

    def _resumed(self, event: JsonObject) -> None:
        suspended = self._suspended_by
        if suspended is None:
            raise contradiction(event, "the game is not suspended")
        since, until = to_ms(suspended["at"]), to_ms(event["at"])
        self._stood_still.append((suspended["seq"], since, until))
        if self._status == CLOSED:
            self._closed_at += until - since
        self._suspended_by = None

    def _interrupted(self, event: JsonObject) -> None:
        self._need_running(event)
        value = event["body"]["interruption"]
        since, until = to_ms(value["from"]), to_ms(value["to"])
        before = self._stood_still[-1][2] if self._stood_still else 0
        told = f"from {value['from']} to {value['to']}"
        _expect(event, self._game["clock"] is not None, "the game has no clock to stand still")
        fits = before <= since < until <= to_ms(event["at"])
        _expect(event, fits, f"no clock stood still {told} that had not stood still before")
        self._stood_still.append((event["seq"], since, until))

    def _need_unfinished(self, event: JsonObject) -> None:
        _expect(event, self._status not in (ENDED, ABORTED), f"the game is {self._status}")

    # The end

    def _aborted(self, event: JsonObject) -> None:
        value, by = event["body"]["aborted"], event["by"]
        reason = value["reason"]
        self._need_unfinished(event)
        begun = self._status not in (LOBBY, CLOSED)
        people = any("player" in holder for holder in self._holders)
        allowed = {
            CANCELLED: (by == self._opener and "player" in by and not (begun and people))
            or ("service" in by and self._status == LOBBY),
            TOURNAMENT_CANCELLED: by == self._opener and "tournament" in by,
            BLOCK_ABANDONED: by == self._opener and "tournament" in by,
            WITHHELD: "service" in by
            and self._status == CLOSED
            and self._mode == REVEAL
            and self._entropy_is_late(event),
            BEACON_WITHHELD: by == CLOCK
            and self._status == CLOSED
            and self._game["entropy"].get("late") == ABORT
            and self._entropy_is_late(event),
            DAMAGED: "admin" in by,
            ENDED_BY_OPERATOR: "admin" in by and self._own_luck,
        }
        waits = self._suspended_by is not None and reason not in (DAMAGED, ENDED_BY_OPERATOR)
        _expect(event, not waits, f"the game is suspended, and {reason!r} has to wait")
        _expect(event, allowed.get(reason, False), f"{by} cannot end it as {reason!r} now")
        owing = sorted(self._owing) if reason == WITHHELD else []
        _expect(event, value["withheld_by"] == owing, f"{owing} withheld entropy")
        self._status = ABORTED
        self._reveal_own_luck()

    def _reveal_own_luck(self) -> None:
        if self._own_luck:
            self._next("chance_revealed")

    def _chance_revealed(self, event: JsonObject) -> None:
        over = self._status in (ENDED, ABORTED)
        _expect(event, over, "the luck is opened before the end")

    def _next(self, kind: str) -> JsonObject:
        """Remove and return the next event of the batch, which must be of this kind."""
        if not self._rest:
            raise Contradiction(f"the batch ends where {kind} must follow")
        event = self._rest.pop()
        _expect(event, event["kind"] == kind, f"{kind} must follow, not {event['kind']}")
        return event

    _ASKED: ClassVar = {
        "created": _created,
        "seated": _seated,
        "left": _left,
        "entropy_revealed": _entropy_revealed,
        BEACON_DRAWN: _beacon_drawn,
        "started": _started,
        "moved": _moved,
        "defaulted": _defaulted,
        "timed_out": _timed_out,
        "bot_failed": _bot_failed,
        "resigned": _gave_up,
        UNDONE: _undone,
        HINTED: _asked_for_hint,
        KEY_CHANGED: _key_changed,
        "suspended": _suspended,
        "resumed": _resumed,
        "interrupted": _interrupted,
        "aborted": _aborted,
        "chance_revealed": _chance_revealed,
    }


def contradiction(event: JsonObject, what: str) -> Contradiction:
    """Return the error for an event; ``what`` says what is wrong with it."""
    return Contradiction(f"event {event['seq']}: {what}")


def _expect(event: JsonObject, holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise contradiction(event, otherwise)
