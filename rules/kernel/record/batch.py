"""Batches: one request, checked and recorded together with its consequences as events.

A batch does everything on a fork of the game, so a refusal leaves nothing half done. Draws and the
end of the game follow automatically. ``seal`` chains the batch; the ledger appends or refuses it as
a whole.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rules.kernel.canonical import FORMAT, Canonical, JsonObject, check, encode_known, in_order
from rules.kernel.contract.chance import Chance, Nature, chance_key, commitment, seeded
from rules.kernel.contract.effects import PUBLIC, Effect, EffectLog, seat_audience
from rules.kernel.contract.errors import BadOptions, BrokenRules, IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import GameOver
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.beacons import (
    ABORT,
    BEACON,
    BEACON_DRAWN,
    START,
    round_ms,
)
from rules.kernel.record.bots import SHORT, BotDecision, bot_part, short_part
from rules.kernel.record.clocks import (
    decision_deadline,
    entropy_deadline,
    is_late,
    seat_deadline,
)
from rules.kernel.record.events import (
    NO_STATE,
    Draft,
    Event,
    Part,
    Proofs,
    new_tuple,
    ordered,
    public,
    seal,
)
from rules.kernel.record.game import (
    BLOCK,
    CLOSED,
    DAMAGED,
    ENDED_BY_OPERATOR,
    EVERYBODY,
    HINTED,
    HINTS,
    LOBBY,
    MOST_TAKEN_BACK,
    RUNNING,
    SEATS,
    TAKE_BACK,
    UNDONE,
    Game,
    SealedKey,
    TableSeat,
)
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets, is_committed
from rules.kernel.record.signatures import (
    KEY,
    KEY_CHANGED,
    REQUIRED,
    SIGNATURE,
    SIGNATURES,
    must_sign,
)
from rules.kernel.toolbox.standings import rank_resigned_last

ENTROPY_BYTES = 32
MOST_THOUGHTS = 4_096
"""Maximum size of the thoughts of a player's program about a move: bytes of canonical JSON."""
SERVICE: JsonObject = {"service": "rules"}
CLOCK: JsonObject = {"service": "clock"}
BEACONS: JsonObject = {"service": "beacon"}
REVEAL, LENIENT = "reveal", "lenient"
"""Modes of entropy. Seats reveal the entropy to which they committed before the start. If a seat
does not, the game is aborted (``REVEAL``) or starts without this entropy (``LENIENT``).
"""
REVEAL_SECONDS = {REVEAL: 300, LENIENT: 60, BEACON: 300}
"""The default time (s) for revealing entropy, and for the beacon, by mode."""
CANCELLED, TOURNAMENT_CANCELLED = "cancelled", "tournament_cancelled"
BLOCK_ABANDONED = "block_abandoned"
"""The reason of a tournament's game that was aborted because a bot in its block was stopped without
a fault of its own. The tournament plays the block again.
"""
WITHHELD = "entropy_withheld"
"""The reason of a game that was aborted because entropy was withheld."""
BEACON_WITHHELD = "beacon_withheld"
"""The reason of a game that was aborted because the beacon was late."""
CRASHED, ILLEGAL, TOO_SLOW, MISSING = "crashed", "illegal", "too_slow", "missing"
STOPPED = "stopped"
"""The cause of a bot's failure if it is not the bot's fault: the machine had no processor for it,
or its process was killed.
"""
BOT_FAILURES = (CRASHED, ILLEGAL, TOO_SLOW, MISSING, STOPPED)
"""Causes of a bot's failure: it raised an error, its answer was illegal, it was too slow, its code
is not installed, or it was ``STOPPED``.
"""
SEAT_FAULT, SERVICE_FAULT = "seat", "service"
FAULTS = (SEAT_FAULT, SERVICE_FAULT)
"""Whose fault it is that a seat's time is up, in a tournament's game: the seat's own; or that of
the service, which was away for most of that time.
"""
CHANGE_STATE = ("started", "moved", "defaulted", "chanced", "resigned")
"""Kinds of events after which another seat may have a decision."""


_NO_PARTS: Mapping[str, Part] = MappingProxyType({})


class RefusedError(Exception):
    """A request that is refused; ``code`` is stable, ``details`` has the offending values."""

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: JsonObject = details


def entropy_terms(mode: str, seconds: int | None = None) -> JsonObject:
    """Return a game's terms of entropy: its mode, and the time (s) for revealing it."""
    return {"mode": mode, "seconds": seconds or REVEAL_SECONDS[mode]}


def beacon_terms(chain: JsonObject, late: str = ABORT, seconds: int | None = None) -> JsonObject:
    """Return a game's terms of entropy with a round of a beacon.

    ``chain`` describes the chain (``rules.kernel.record.beacons``). ``late`` says what happens if
    there is no signature in time (``LATE``).
    """
    return {**entropy_terms(BEACON, seconds), "beacon": chain, "late": late}


def visibilities_of(game_id: str, scope: str) -> tuple[str, ...]:
    """Return the possible visibilities: a tournament's games are hidden until a block is over."""
    return (EVERYBODY,) if scope == game_id else (BLOCK, SEATS)


class Batch:
    """The events of one request, tried on a fork of ``game``.

    ``now`` is an RFC 3339 UTC time with milliseconds; the batch's time is never before the game's.
    ``nature`` replaces the committed draws in tests. If ``telling`` is false, the ``effects`` may
    be incomplete, because the caller does not need them. If ``fork`` is false, ``game`` itself is
    changed; the caller must drop it after a refusal. ``rules_digest`` is the digest of the code
    that recorded the batch, if that was not the installed code.
    """

    def __init__(
        self,
        game: Game,
        secrets: Secrets,
        now: str,
        nature: Nature | None = None,
        *,
        telling: bool = True,
        fork: bool = True,
        rules_digest: str | None = None,
    ) -> None:
        self._telling = telling
        self.game = game.fork() if fork else game
        self.at = max(now, game.at)
        self.effects: list[tuple[int, Effect]] = []
        self.secrets = secrets
        self._nature = nature
        self._rules_digest = rules_digest
        self.drafts: list[Draft] = []
        """The events that are recorded but not chained yet."""
        self.proofs: dict[int, Proofs] = {}
        """The proofs of its events' parts, by ``seq``, once the batch is sealed."""
        self.base_hash = game.head
        self._prev_hashes: dict[int, bytes] = {}
        self._state: bytes | None = None

    def seal(self) -> list[Event]:
        """Return the batch as chained events, ready to append; ``game`` then includes them."""
        events = seal(
            self.drafts, self._prev_hashes, self.base_hash, self.secrets.salt, self.at, self.proofs
        )
        first = events[0].seq
        prev_hashes = [self.base_hash, *(event.hash for event in events)]
        for key, parts in self.game.sealed.items():
            if parts[-1][0] >= first:
                self.game.sealed[key] = tuple(
                    (seq, part, value, prev_hashes[seq - first] if seq >= first else prev_hash)
                    for seq, part, value, prev_hash in parts
                )
        if first == 1:
            self.game.opening = events[-1].seq
        self.game.head = prev_hashes[-1]
        return events

    # Before the start

    def create(
        self,
        ruleset_id: str,
        seats: int,
        options: Mapping[str, object],
        by: JsonObject,
        *,
        scope: str | None = None,
        clock: JsonObject | None = None,
        entropy: JsonObject | None = None,
        version: str | None = None,
        take_back: bool = False,
        hints: bool = False,
        signatures: bool = False,
        seats_look: bool = False,
    ) -> None:
        """Open a table; the first event has all conditions of play.

        ``version`` is the version of the rules; None means the newest one. ``entropy`` is the mode
        of entropy and the time (s) for revealing it; None means ``REVEAL``. ``take_back`` says
        whether seats may take moves back, and ``hints`` whether they may ask for hints, which all
        see, and ``signatures`` whether players sign their moves; a game that shares its luck with
        others must have none of these. ``seats_look`` says that players sit in a tournament's game,
        and see it as they play.

        Raises:
            UnknownRulesetError: there is no such ruleset, or not in this version.
            BadOptions: options or seats that the ruleset does not offer.
        """
        registry = self.game.registry
        ruleset = registry.find(ruleset_id, version)
        scope = scope or self.game.id
        chosen = ruleset.parse_options(seats, options)
        edition = ruleset.edition(chosen)
        if edition not in ruleset.editions():
            raise BadOptions("data", f"the edition {edition.id!r} is not offered here")
        pinned = {
            "format": FORMAT,
            "ruleset": ruleset_id,
            "rules_version": version or ruleset.info.version,
            "rules_digest": registry.digest(ruleset_id),
            "data": edition.pinned(ruleset.data),
            "options": chosen,
            "seats": seats,
            "chance": {
                "scope": scope,
                "commitment": commitment(scope, self.secrets.chance_seed).hex(),
            },
            "clock": clock,
            "entropy": entropy or entropy_terms(REVEAL),
            "visibility": SEATS if seats_look else visibilities_of(self.game.id, scope)[0],
        }
        if take_back:
            pinned[TAKE_BACK] = True
        if hints:
            pinned[HINTS] = True
        if signatures:
            pinned[SIGNATURES] = REQUIRED
        self._record("created", by, game=public(pinned))

    def recreate(self, pinned: JsonObject, by: JsonObject) -> None:
        """Open a table with the conditions of another record, which the caller has checked."""
        self._record("created", by, game=public(pinned))

    def sit(
        self,
        seat: Seat,
        holder: JsonObject,
        by: JsonObject,
        commitment_hex: str | None = None,
        *,
        drawn: bool = False,
        brought: int = 0,
        short: bool = True,
        key: str | None = None,
    ) -> None:
        """Put a holder on an open seat; the game closes or starts when the last seat is taken.

        ``commitment_hex`` is a hash of the game's id, the seat and the player's entropy. If the
        seat is taken in the request that opens the table, the id is not known yet, and the hash has
        null instead of the id. If seats are ``drawn``, the hash has null instead of the seat, and
        the commitment moves with its holder. In this case ``brought`` is the number of the earlier
        event that first had the commitment; it is 0 if there was no such event. ``short`` says
        whether the moves of a bot are recorded without what follows from this event. ``key`` (hex)
        is that with which a player signs, if players sign at this table.

        Raises:
            RefusedError: ``not_in_lobby``, ``unknown_seat``, ``seat_taken``,
                ``signing_key_missing``, ``no_signatures``.
        """
        self._need_lobby()
        if self._holding(seat).holder is not None:
            raise RefusedError("seat_taken", f"seat {seat} is taken", seat=seat)
        signs = must_sign(self.game.created, holder)
        if signs and key is None:
            raise RefusedError("signing_key_missing", f"seat {seat} signs its moves", seat=seat)
        if key is not None and not signs:
            raise RefusedError("no_signatures", f"seat {seat} signs nothing", seat=seat)
        value = {"seat": seat, "holder": holder, "entropy_commitment": commitment_hex}
        if key is not None:
            value[KEY] = key
        if drawn and commitment_hex is not None:
            value["brought"] = brought or self.game.version + 1
        if short and "bot" in holder:
            value[SHORT] = True
        self._record("seated", by, seat=public(value))
        self._start_when_full()

    def stand(self, seat: Seat, by: JsonObject) -> None:
        """Free a seat before the start.

        Raises:
            RefusedError: ``not_in_lobby``, ``unknown_seat``, ``seat_open``.

        """
        self._need_lobby()
        if self._holding(seat).holder is None:
            raise RefusedError("seat_open", f"seat {seat} is open already", seat=seat)
        self._record("left", by, seat=public({"seat": seat}))

    def reveal_entropy(self, seat: Seat, entropy: bytes, by: JsonObject) -> None:
        """Reveal the entropy to which a seat committed.

        The last reveal starts the game, unless it waits for a beacon.

        Raises:
            RefusedError: ``not_closed``, ``unknown_seat``, ``no_entropy_expected``, ``too_late``,
                ``entropy_mismatch``, ``game_suspended``.
        """
        self._need_closed()
        holding = self._holding(seat)
        if holding.entropy_commitment is None or not holding.owes_entropy:
            raise RefusedError("no_entropy_expected", f"seat {seat} owes no entropy", seat=seat)
        self._need_time(seat, entropy_deadline(self.game))
        early = (holding.brought or holding.taken) <= self.game.opening
        bound = None if holding.brought else seat
        committed = holding.entropy_commitment
        if not is_committed(committed, self.game.id, bound, entropy, at_opening=early):
            raise RefusedError(
                "entropy_mismatch", f"seat {seat} committed to other entropy", seat=seat
            )
        value = {"seat": seat, "entropy": entropy.hex()}
        self._record("entropy_revealed", by, entropy=public(value))
        if not self.owing_entropy() and not self.game.round:
            self._start()

    def draw_beacon(self, signature: str) -> None:
        """Start the game with the signature (hex) of its round; the caller has checked it.

        A seat that owes entropy may still reveal it until the time for that is over.

        Raises:
            RefusedError: ``not_closed``, ``no_beacon_expected``, ``too_early``, ``game_suspended``.
        """
        self._need_closed()
        game = self.game
        if not game.round:
            raise RefusedError("no_beacon_expected", "the game waits for no beacon")
        out = round_ms(game.created["entropy"]["beacon"], game.round)
        if to_ms(self.at) < out:
            message = f"round {game.round} is published at {from_ms(out)}"
            raise RefusedError("too_early", message, at=self.at)
        if self.owing_entropy() and not is_late(self.at, entropy_deadline(game)):
            raise RefusedError("too_early", "seats may still reveal entropy", at=self.at)
        value = {"round": game.round, "signature": signature}
        self._record(BEACON_DRAWN, BEACONS, beacon=public(value))
        self._start()

    def start_without(self) -> None:
        """Start the game without the entropy, or the beacon, that was not there in time.

        Raises:
            RefusedError: ``not_closed``, ``not_lenient``, ``not_late``, ``game_suspended``.
        """
        self._need_closed()
        entropy = self.game.created["entropy"]
        if entropy["mode"] != LENIENT and entropy.get("late") != START:
            raise RefusedError("not_lenient", "the game waits for all of it, or is aborted")
        self._need_late(entropy_deadline(self.game))
        self._start(CLOCK)

    def change_key(self, seat: Seat, key: str, sig: str | None, by: JsonObject) -> None:
        """Bind another key (hex) to the seat of a player.

        ``sig`` is the signature (hex) with the key before, which the caller has checked. If it is
        None, then only the service vouches for it that the holder of the seat wants this.

        Raises:
            RefusedError: ``game_over``, ``game_suspended``, ``unknown_seat``, ``no_signatures``,
                ``seat_resigned``.
        """
        self._need_unfinished()
        self._need_going_on()
        holding = self._holding(seat)
        if not must_sign(self.game.created, holding.holder):
            raise RefusedError("no_signatures", f"seat {seat} signs nothing", seat=seat)
        if holding.resigned:
            raise RefusedError("seat_resigned", f"seat {seat} has resigned", seat=seat)
        self._record(KEY_CHANGED, by, key=public({"seat": seat, KEY: key, "sig": sig}))

    def owing_entropy(self) -> list[Seat]:
        """Return the seats that have committed to entropy and not revealed it."""
        return [seat for seat, holding in by_seat(self.game.seats) if holding.owes_entropy]

    def abort(self, reason: str, by: JsonObject, withheld_by: list[Seat] | None = None) -> None:
        """End the game without a result; it stays in the lists.

        Raises:
            RefusedError: ``game_over``, ``not_late``, ``lenient``; ``no_beacon_expected``. An
                operator may get ``tournament_game``; any other caller may get ``game_suspended``.
        """
        self._need_unfinished()
        if reason == ENDED_BY_OPERATOR:
            self._need_own_luck()
        else:
            self._need_going_on()
        if reason == WITHHELD:
            if self.game.created["entropy"]["mode"] != REVEAL:
                raise RefusedError(
                    "lenient", "the game starts without the entropy that is withheld"
                )
            self._need_late(entropy_deadline(self.game))
        if reason == BEACON_WITHHELD:
            if self.game.created["entropy"].get("late") != ABORT:
                raise RefusedError("no_beacon_expected", "no late beacon ends the game")
            self._need_late(entropy_deadline(self.game))
        value = {"reason": reason, "withheld_by": withheld_by or []}
        self._stop("aborted", by, aborted=public(value))

    def end_damaged(self, by: JsonObject, newest: Event) -> None:
        """End a damaged game: ``game`` has its sound events, ``newest`` is its newest event.

        The hash of the end covers the hash of the newest event. The state proof of the end is made
        with ``NO_STATE`` instead of a state.
        """
        game = self.game
        sound = {"seq": game.version, "hash": game.head.hex()}
        game.version, game.head, self.base_hash = newest.seq, newest.hash, newest.hash
        self._state = encode_known(NO_STATE)
        value = {"reason": DAMAGED, "withheld_by": [], "sound": sound}
        self._stop("aborted", by, aborted=public(value))

    def suspend(self, by: JsonObject) -> None:
        """Suspend the game and its clocks, until it is resumed or an operator ends it.

        Raises:
            RefusedError: ``game_over``, ``game_suspended``, ``tournament_game``.
        """
        self._need_unfinished()
        self._need_own_luck()
        self._need_going_on()
        self._record("suspended", by)

    def resume(self, by: JsonObject) -> None:
        """Resume a suspended game; its clocks stood still while it was suspended.

        Raises:
            RefusedError: ``game_over``, ``not_suspended``.
        """
        self._need_unfinished()
        if not self.game.suspended_at:
            raise RefusedError("not_suspended", "the game is not suspended")
        self._record("resumed", by)

    def interrupt(self, since: str, until: str) -> None:
        """Record that the service was away from ``since`` to ``until``; clocks stood still then.

        Raises:
            RefusedError: ``not_running``, ``game_over``, ``game_suspended``; ``not_late``: no
                clock ran in this time, or that it stood still is recorded already.
        """
        self._need_running()
        game = self.game
        if game.created["clock"] is None or not game.stood_still_until <= since < until <= self.at:
            raise RefusedError(
                "not_late", f"no clock stood still from {since} to {until}", since=since
            )
        self._record("interrupted", CLOCK, interruption=public({"from": since, "to": until}))

    def reveal_chance(self) -> None:
        """Reveal the chance seed; the caller vouches that all games of its scope are over.

        Raises:
            RefusedError: ``not_over``, ``chance_is_open``.
        """
        if not self.game.over:
            raise RefusedError("not_over", f"the game is {self.game.status}")
        if self.game.chance_open:
            raise RefusedError("chance_is_open", "the chance seed is open already")
        self._reveal_chance()

    # Play

    def move(
        self,
        seat: Seat,
        move: JsonObject,
        by: JsonObject,
        *,
        expected_head: str | None = None,
        bot: BotDecision | None = None,
        thoughts: Canonical | None = None,
        signature: JsonObject | None = None,
    ) -> None:
        """Play a seat's move, and the draws and automatic events that follow.

        ``by`` names the seat, and also the bot if a bot chose the move. The argument ``bot`` says
        how the bot decided; it is None for a player's move. ``thoughts`` are what a player's
        program sent with its move: at most ``MOST_THOUGHTS`` bytes. ``signature`` is the seat's, if
        players sign at this table; whether it is genuine is for the caller to check.

        Raises:
            RefusedError: ``not_running``, ``game_over``, ``unknown_seat``, ``seat_resigned``,
                ``too_late``, ``no_signatures``, ``signature_missing``, ``head_missing``,
                ``decision_not_open``.
            IllegalMove: the rules refuse the move.
            BrokenRules: the rules refuse the move after allowing it.
        """
        self.need_playing(seat)
        legal = self.game.ruleset.read_move(self.game.state, seat, move)
        own: dict[str, Part] = {"move": _move_part(seat, legal)}
        if signature is not None or SIGNATURES in self.game.created:
            self._need_signature(seat, signature, expected_head)
        if signature is not None:
            own[SIGNATURE] = new_tuple(Part, (own["move"].audience, signature))
        if bot is not None:
            own["bot"] = new_tuple(Part, ("none", self._part_of_bot(seat, bot)))
        if thoughts is not None:
            own["thoughts"] = new_tuple(Part, ("none", thoughts))
        asked: dict[str, Part] = {}
        if expected_head is not None:
            asked["client"] = public({"expected_head": expected_head})
        try:
            self._record("moved", {**by, "seat": seat}, legal, own, **asked)
            self._let_nature_play()
        except IllegalMove as error:
            raise BrokenRules(f"{error.code}: {error.message}") from error

    def _need_signature(self, seat: Seat, signature: JsonObject | None, head: str | None) -> None:
        """Raise RefusedError unless a move is signed exactly where its seat has to sign it."""
        if not must_sign(self.game.created, self.game.seats[seat].holder):
            if signature is not None:
                raise RefusedError("no_signatures", f"seat {seat} signs nothing", seat=seat)
            return
        if signature is None:
            raise RefusedError("signature_missing", f"seat {seat} signs its moves", seat=seat)
        if head is None:
            raise RefusedError("head_missing", f"seat {seat} signs a head, too", seat=seat)
        decision = self.game.asked.get(seat)
        if signature["decision"] != decision:
            raise RefusedError(
                "decision_not_open",
                f"signed is an answer to decision {signature['decision']}, not to {decision}",
                seat=seat, decision=decision,
            )  # fmt: skip

    def _part_of_bot(self, seat: Seat, how: BotDecision) -> Canonical:
        sitting = self.game.seats[seat]
        if sitting.short and not how.whole:
            return short_part(how, sitting.code)
        return bot_part(sitting.holder or {}, how)

    def need_playing(self, seat: Seat) -> None:
        """Raise RefusedError, as ``move`` does, if a seat cannot make moves at all."""
        self._need_holding(seat, "seat_resigned")
        if (deadline := seat_deadline(self.game, seat)) is not None:
            self._need_time(seat, deadline)

    def take_back(self, seat: Seat, to: int, by: JsonObject) -> None:
        """Take back all moves of a seat after the event ``to``.

        Whether the seat may do that depends only on facts that everybody sees.

        Raises:
            RefusedError: ``not_running``, ``game_over``, ``game_suspended``, ``unknown_seat``,
                ``seat_resigned``, ``no_take_back``, ``not_to_take_back``, ``taken_back_often``,
                ``too_late``.
        """
        self._need_holding(seat, "seat_resigned")
        game = self.game
        if not game.created.get(TAKE_BACK):
            raise RefusedError("no_take_back", "no move is taken back at this table")
        point = next((each for each in game.points if (each.to, each.seat) == (to, seat)), None)
        if point is None:
            raise RefusedError(
                "not_to_take_back", f"seat {seat} cannot go back to event {to}",
                seat=seat, to=to, possible=game.ways_back(seat),
            )  # fmt: skip
        if to not in game.ways_back(seat):
            decision = point.asked[seat]
            raise RefusedError(
                "taken_back_often",
                f"seat {seat} went back to its decision {decision} {MOST_TAKEN_BACK} times",
                seat=seat, decision=decision,
            )  # fmt: skip
        self._need_time(
            seat, decision_deadline(game, point.asked_at[seat], point.budgets.get(seat))
        )
        self._record(UNDONE, {**by, "seat": seat}, undo=public({"to": to}))

    def hint(self, seat: Seat, decision: int, by: JsonObject) -> None:
        """Record that a seat asks for a hint for its open decision, so that everybody sees it.

        Whether the seat may do that depends only on facts that everybody sees.

        Raises:
            RefusedError: as ``need_playing``; ``no_hints``; ``not_asked``: the seat does not have
                this decision; ``hinted_before``.
        """
        self.need_playing(seat)
        game = self.game
        if not game.created.get(HINTS) or "player" not in (game.seats[seat].holder or {}):
            raise RefusedError("no_hints", f"seat {seat} gets no hints at this table")
        if game.asked.get(seat) != decision:
            raise RefusedError("not_asked", f"seat {seat} has no decision {decision}", seat=seat)
        if (seat, decision) in game.hinted:
            raise RefusedError(
                "hinted_before", f"seat {seat} has asked for a hint for decision {decision}",
                seat=seat, decision=decision,
            )  # fmt: skip
        self._record(HINTED, {**by, "seat": seat}, hint=public({"decision": decision}))

    def default(self, seat: Seat, reason: str) -> None:
        """Play the rules' default move for a seat; ``reason`` says why the seat does not decide.

        Raises:
            RefusedError: ``not_running``, ``game_over``, ``unknown_seat``, ``not_asked``.
        """
        self._need_asked(seat)
        move = self.default_move(seat)
        by = {"seat": seat, "service": reason}
        self._record("defaulted", by, move, {"move": _move_part(seat, move)})
        self._let_nature_play()

    def default_move(self, seat: Seat) -> Move[Any]:
        """Return the rules' default move for a deciding seat."""
        return self.game.ruleset.default_move(self.game.state, seat)

    def time_out(self, seat: Seat, fault: str | None = None) -> None:
        """Record that a seat's time is up, and play its default move.

        ``fault`` is one of ``FAULTS`` in a tournament's game, and None in all others. If it is the
        service's, the game is aborted instead.

        Raises:
            RefusedError: as ``default``, and ``not_late``.
        """
        self._need_asked(seat)
        self._need_late(seat_deadline(self.game, seat))
        value: JsonObject = {"seat": seat, "decision": self.game.asked[seat]}
        if fault is not None:
            value["fault"] = fault
        self._record("timed_out", CLOCK, time_out=public(value))
        if fault == SERVICE_FAULT:
            self.abort(BLOCK_ABANDONED, self.game.created_by)
        else:
            self.default(seat, "timed_out")

    def fail_bot(self, seat: Seat, cause: str, error: str, bot: JsonObject) -> None:
        """Record that a seat's bot failed, and play its default move; raises as ``default``.

        ``cause`` is one of ``BOT_FAILURES``; ``bot`` identifies the code that failed.
        """
        self._need_asked(seat)
        value = {"seat": seat, "decision": self.game.asked[seat], "cause": cause}
        self._record(
            "bot_failed", {"service": "bots"},
            failure=public(value), error=Part("none", error), bot=Part("none", bot),
        )  # fmt: skip
        self.default(seat, "bot_failed")

    def resign(self, seat: Seat, by: JsonObject) -> None:
        """Resign a seat for good.

        Raises:
            RefusedError: ``not_running``, ``game_over``, ``unknown_seat``, ``already_resigned``.
        """
        self._need_holding(seat, "already_resigned")
        self._record("resigned", {**by, "seat": seat})
        self._let_nature_play()

    # Automatic events

    def _start_when_full(self) -> None:
        if any(holding.holder is None for holding in self.game.seats):
            return
        if self.owing_entropy() or self.game.created["entropy"]["mode"] == BEACON:
            self._record("closed", SERVICE)
        else:
            self._start()

    def _start(self, by: JsonObject = SERVICE) -> None:
        self._record("started", by)
        self._let_nature_play()

    def _let_nature_play(self) -> None:
        game = self.game
        if type(game.turn) is Chance:
            nature = self._nature or self._committed_nature()
            while type(game.turn) is Chance:
                self._draw(game.turn, nature(game.turn))
        if type(game.turn) is GameOver:
            self._end()

    def _committed_nature(self) -> Nature:
        given = [holding.entropy for holding in self.game.seats]
        if self.game.created["entropy"]["mode"] == BEACON:
            given.append(self.game.randomness)
        entropy = [None if e is None else bytes.fromhex(e) for e in given]
        return seeded(chance_key(self.secrets.chance_seed, self.game.scope, entropy))

    def _draw(self, chance: Chance, picks: tuple[int, ...]) -> None:
        draw = public({"label": chance.label, "n": chance.n, "sizes": list(chance.sizes)})
        own = {"draw": draw, "picks": Part(chance.audience, list(picks))}
        self._record("chanced", SERVICE, None, own)

    def _end(self) -> None:
        game = self.game
        result = rank_resigned_last(game.ruleset.result(game.state), game.resigned)
        self._stop("ended", SERVICE, result=public(result.to_json()))

    def _stop(self, kind: str, by: JsonObject, **body: Part) -> None:
        """Record the event that ends the game.

        This reveals the salt. It also reveals the chance seed, unless other games share the seed.
        """
        salt = {"salt_secret": self.secrets.salt.hex()}
        self._record(kind, by, **body, salt=public(salt))
        if self.game.created and self.game.scope == self.game.id:
            self._reveal_chance()

    def _reveal_chance(self) -> None:
        value = {"scope": self.game.scope, "chance_seed": self.secrets.chance_seed.hex()}
        self._record("chance_revealed", SERVICE, chance=public(value))

    # Recording

    def _record(
        self,
        kind: str,
        by: JsonObject,
        move: Move[Any] | None = None,
        own: Mapping[str, Part] = _NO_PARTS,
        /,
        **asked: Part,
    ) -> None:
        """Record an event with parts.

        The rules made the parts in ``own``, and a caller passed the parts in ``asked``. Only the
        parts in ``asked`` are checked: moves, draws and states are canonical by the contract of the
        rules.

        Raises:
            NotCanonicalError: a part from the caller is not canonical; nothing has changed.
        """
        for part in asked.values():
            check(part.value)
        body = {**own, **asked}
        game = self.game
        if not self.drafts and game.created and self._recorder() != game.rules_digest:
            body["code"] = public({"rules_digest": self._recorder()})
        by, body = in_order(by), ordered(body)
        seq = game.version + 1
        event = new_tuple(Event, (seq, kind, by, self.at, seq, body, b"", b""))
        opens: tuple[tuple[int, str, Any], ...] = ()
        if self._telling or game.sealed or _seals(body):
            log = EffectLog(telling=self._telling)
            game.apply(event, log, move)
            opens = tuple(opened for key in log.opened for opened in self._open(key))
            if opens:
                game.points = ()
            self.effects += [(seq, effect) for effect in log.effects]
        else:
            game.apply(event, None, move)  # nothing is sealed yet, so the event reveals nothing
        if self._state is None or kind in CHANGE_STATE:
            self._state = self._state_bytes()
        self.drafts.append(new_tuple(Draft, (seq, kind, by, body, self._state, opens)))

    def _recorder(self) -> str:
        """Return the digest of the code that records this batch."""
        return self._rules_digest or self.game.registry.digest(self.game.created["ruleset"])

    def _open(self, key: SealedKey) -> Iterator[tuple[int, str, Any]]:
        for seq, part, value, prev_hash in self.game.sealed.pop(key):
            self.game.access.open(seq, part, self.game.version)
            if prev_hash:
                self._prev_hashes[seq] = prev_hash
            yield seq, part, value

    def _state_bytes(self) -> bytes:
        game = self.game
        return encode_known(NO_STATE) if game.state is None else game.ruleset.to_bytes(game.state)

    # Refusing

    def _holding(self, seat: Seat) -> TableSeat:
        if not 0 <= seat < len(self.game.seats):
            raise RefusedError("unknown_seat", f"there is no seat {seat}", seat=seat)
        return self.game.seats[seat]

    def _need_unfinished(self) -> None:
        if self.game.over:
            raise RefusedError("game_over", f"the game is {self.game.status}")

    def _need_own_luck(self) -> None:
        if self.game.scope != self.game.id:
            raise RefusedError("tournament_game", "the game is played by its tournament")

    def _need_going_on(self) -> None:
        if self.game.suspended_at:
            since = self.game.suspended_at
            raise RefusedError(
                "game_suspended", f"the game is suspended since {since}", since=since
            )

    def _need_closed(self) -> None:
        self._need_going_on()
        if self.game.status != CLOSED:
            raise RefusedError("not_closed", f"the game is {self.game.status}, not closed")

    def _need_lobby(self) -> None:
        self._need_going_on()
        if self.game.status != LOBBY:
            raise RefusedError("not_in_lobby", f"the game is {self.game.status}, not in the lobby")

    def _need_running(self) -> None:
        if self.game.status == RUNNING and not self.game.suspended_at:
            return
        self._need_unfinished()
        self._need_going_on()
        raise RefusedError("not_running", f"the game is {self.game.status}, not running")

    def _need_holding(self, seat: Seat, otherwise: str) -> None:
        self._need_running()
        if self._holding(seat).resigned:
            raise RefusedError(otherwise, f"seat {seat} has resigned", seat=seat)

    def _need_time(self, seat: Seat, deadline: int | None) -> None:
        if deadline is not None and is_late(self.at, deadline):
            message = f"the time of seat {seat} ran out at {from_ms(deadline)}"
            raise RefusedError(
                "too_late", message, seat=seat, at=self.at, deadline=from_ms(deadline)
            )

    def _need_late(self, deadline: int | None) -> None:
        if not is_late(self.at, deadline):
            ends = "there is no clock" if deadline is None else f"it ends at {from_ms(deadline)}"
            raise RefusedError("not_late", f"no time is up at {self.at}: {ends}", at=self.at)

    def _need_asked(self, seat: Seat) -> None:
        self._need_running()
        self._holding(seat)
        if seat not in self.game.asked:
            raise RefusedError("not_asked", f"seat {seat} is not asked", seat=seat)


def _move_part(seat: Seat, move: Move[Any]) -> Part:
    return new_tuple(Part, (seat_audience(seat) if move.secret else PUBLIC, move.to_json()))


def _seals(body: Mapping[str, Part]) -> bool:
    """Whether an event seals a part that the rules may reveal later: a move or picks."""
    part = body.get("move") or body.get("picks")
    return part is not None and part.audience != PUBLIC
