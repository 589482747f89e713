"""Checks a tournament's stream: each event is a request, or follows from earlier events."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NoReturn

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.contract.chance import commitment
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.shapes import MOST_IN_BATCH
from rules.kernel.proof.verify import Check
from rules.kernel.record.events import NO_STATE, Event, from_copy, genesis
from rules.kernel.record.game import DAMAGED
from rules.kernel.record.instants import is_instant
from rules.kernel.record.secrets import state_key
from service.tournaments import parts
from service.tournaments.course import LAST, Step, next_step, stop
from service.tournaments.formats import format_of
from service.tournaments.plan import (
    MAX_ENTRIES,
    MAX_GAMES,
    PLAYER,
    BadPlanError,
    BotEntry,
    Plan,
    PlayerEntry,
    check_block,
    check_players,
)
from service.tournaments.record.shapes import CHANCE, is_known, misfits
from service.tournaments.tournament import OPEN, OUTAGE, PAUSED, RUNNING, Tournament

ASKED_FOR = (
    "created", "entropy_revealed", "code_declared", "block_ended", "block_abandoned", "paused",
    "resumed", "extended", "cancelled", "withdrawn", "entered", "entries_closed", "available",
)  # fmt: skip
"""Kinds of events caused by people or workers; all others must follow from earlier events."""

_BY_HOST = (
    "entropy_revealed", "paused", "resumed", "extended", "cancelled", "withdrawn", "entries_closed",
)  # fmt: skip
_SERVICE: JsonObject = {"service": "tournaments"}
_GIVEN_SCOPE = re.compile(r"seed-[0-9a-f]{16}")
_NO_SEED = bytes(32)


class _LostError(Exception):
    """The stream cannot be followed beyond a contradiction.

    The check has a note of the contradiction.
    """


class Course:
    """The tournament folded from its stream, up to the first batch with unknown parts.

    ``declared`` and ``held`` have a value for each played block. The value in ``declared`` lists
    the code of the bots that may have played the block. The value in ``held`` has two times: when
    the block was paired and when it ended.
    """

    def __init__(self, tournament_id: str, newer: UnknownParts) -> None:
        self.tournament = Tournament(tournament_id)
        self._newer = newer
        self.declared: dict[int, list[JsonObject]] = {}
        self.held: dict[int, tuple[str, str]] = {}
        self._paired_at: list[str] = []
        self._seed: bytes | None = None
        self._check = Check("course")

    def check(self, copies: Sequence[JsonObject]) -> Check:
        """Check and fold all events.

        Raises:
            Exception: an event is unreadable.
        """
        check, newer = self._check, self._newer
        over: JsonObject | None = None
        for number, copy in enumerate(copies, 1):
            wrong = misfits(number, copy, newer)
            check.expect(not wrong, f"event {number}: {wrong}")
            check.expect(is_instant(copy["at"]), f"event {number}: {copy['at']!r:.40} is no time")
            if over is None and copy["kind"] in LAST and is_known(copy):
                over = copy
        if check.failures:
            return check
        if over is None:
            check.skipped = "the tournament is not over: its seed is not open"
        else:
            self._seed = bytes.fromhex(over["body"][over["kind"]]["seed"])
            self._check_commitment(copies[0], self._seed)
            self._check_proofs(copies, bytes.fromhex(over["body"]["salt"]["salt_secret"]))
        check.skipped = newer.why() or check.skipped
        batch: list[Event] = []
        with suppress(_LostError):
            for number, event in enumerate(map(from_copy, copies), 1):
                batch.append(event)
                if number >= batch[0].last or len(batch) == MOST_IN_BATCH:
                    if 0 < newer.since <= number:
                        return check
                    self._follow(batch)
                    batch = []
            if batch and not newer.since:
                self._follow(batch)
        return check

    def _check_commitment(self, created: JsonObject, seed: bytes) -> None:
        """Check the seed against the tournament's commitment to it."""
        pinned = created["body"].get("created") if created["kind"] == "created" else None
        chance: Any = pinned.get("chance") if type(pinned) is dict else None
        if CHANCE.fits(chance, 0):
            self._check.expect(
                commitment(chance["scope"], seed).hex() == chance["commitment"],
                "the seed is not the one that was committed before the first draw",
            )

    def _check_proofs(self, copies: Sequence[JsonObject], salt: bytes) -> None:
        """Check the proofs of the events; all parts of the events are public."""
        prev_hash = genesis(self.tournament.id)
        for copy in copies:
            wanted = mac(state_key(salt, copy["seq"], prev_hash), encode(NO_STATE))
            self._check.expect(
                copy["state_proof"] == wanted.hex(), f"event {copy['seq']}: it proves another state"
            )
            prev_hash = bytes.fromhex(copy["hash"])

    def _follow(self, batch: Sequence[Event]) -> None:
        tournament, seed = self.tournament, self._seed or _NO_SEED
        follows = batch
        if batch[0].kind in ASKED_FOR:
            self._asked(batch[0])
            tournament.apply(batch[0])
            follows = batch[1:]
        for event in follows:
            wanted = next_step(tournament, seed)
            self._expect(
                event,
                wanted is not None and self._is_same(wanted, event),
                f"{wanted.kind if wanted else 'nothing'} follows, not this {event.kind}",
            )
            self._expect(event, event.by == _SERVICE, f"{event.by} does not cause {event.kind}")
            tournament.apply(event)
            self._paired_at += [event.at] * (len(tournament.blocks) - len(self._paired_at))
        wanted = next_step(tournament, seed)
        self._expect(batch[-1], wanted is None, f"{wanted and wanted.kind} follows, and is missing")

    def _is_same(self, wanted: Step, event: Event) -> bool:
        """Whether an event equals ``wanted``; draws are compared only if the seed is revealed."""
        found = _value(event)
        if self._seed is None and wanted.kind == event.kind == "paired":
            known = ("round", "first_block")
            same = all(wanted.value[name] == found[name] for name in known)
            return same and self._can_meet(found["lineups"], found["byes"])
        return wanted.kind == event.kind and encode(wanted.value) == encode(found)

    def _can_meet(self, lineups: Sequence[Sequence[int]], byes: Sequence[int]) -> bool:
        """Whether line-ups consist of the plan's entries, on the plan's number of seats."""
        plan = self.tournament.plan
        named = chain(byes, *lineups)
        return all(len(lineup) == plan.seats for lineup in lineups) and all(
            entry < len(plan.entries) for entry in named
        )

    def _expect(self, event: Event, good: bool, failure: str) -> bool:  # noqa: FBT001 - reads as a sentence
        return self._check.expect(good, f"event {event.seq}: {failure}")

    def _asked(self, event: Event) -> None:
        """Check that the event of a request was possible at this point of the stream."""
        tournament, value = self.tournament, _value(event)
        first = tournament.version == 0
        self._expect(event, (event.kind == "created") == first, f"{event.kind} is out of place")
        if first:
            self._created(event, value)
            return
        by = self._may_ask(event.kind, value)
        self._expect(event, event.by in by, f"{event.by} may not ask for {event.kind}")
        self._expect(event, not tournament.over, f"{event.kind} after the end")
        match event.kind:
            case "entropy_revealed" | "entered" | "entries_closed":
                self._before_start(event, value)
            case "available":
                self._available(event, value["entries"])
            case "code_declared":
                self._expect(event, tournament.status != OPEN, "nothing plays before the start")
                known = tournament.has_declared(value)
                self._expect(event, not known, "this code was declared before")
                self._expect(
                    event, self._names_bots(value["bots"]), "it does not name the bots of the plan"
                )
            case "block_ended":
                self._block_ended(event, value)
            case "block_abandoned":
                self._block_abandoned(event, value)
            case "paused":
                self._expect(event, tournament.status == RUNNING, f"it was {tournament.status}")
                self._expect(event, not value, "the host gives no reason")
            case "resumed":
                self._expect(event, tournament.status == PAUSED, f"it was {tournament.status}")
            case "extended":
                self._extended(event, value)
            case "withdrawn":
                self._withdrawn(event, value)
            case "cancelled":
                wanted = stop("cancelled", value["reason"], tournament.settled(), self._known())
                same = self._is_same(wanted, event)
                self._expect(event, same, f"block {tournament.settled()} was the last to count")

    def _may_ask(self, kind: str, value: Any) -> list[JsonObject]:
        """Return the allowed values of ``by`` for an event of this kind.

        The host or the service causes it; an owner enters a bot, and may withdraw it.
        """
        tournament = self.tournament
        if kind == "entered":
            return [{"player": value["entry"].get("owner")}]
        by = [tournament.created_by if kind in _BY_HOST else _SERVICE]
        if kind == "withdrawn" and value["entry"] < len(tournament.plan.entries):
            entry = tournament.plan.entries[value["entry"]]
            by += [{"player": entry.owner}] if isinstance(entry, PlayerEntry) else []
        return by

    def _names_bots(self, bots: Sequence[JsonObject]) -> bool:
        """Whether the declared bots are those of the plan, in order; some that are out may lack."""
        plan = self.tournament.plan
        named = [(bot["bot"], bot["version"]) for bot in bots]
        planned = {entry.code for entry in plan.bots()}
        left = [plan.entries[entry] for entry in self.tournament.entries_left()]
        needed = {entry.code for entry in left if isinstance(entry, BotEntry)}
        return named == sorted({*named}) and needed <= {*named} <= planned

    def _known(self) -> bytes:
        return self._seed or _NO_SEED

    def _created(self, event: Event, value: JsonObject) -> None:
        tournament, chance = self.tournament, value["chance"]
        self._expect(
            event,
            chance["scope"] == tournament.id or _GIVEN_SCOPE.fullmatch(chance["scope"]) is not None,
            f"{chance['scope']!r} is no scope of a tournament's luck",
        )
        made = Tournament(tournament.id)
        made.apply(event)
        names = [entry.name for entry in made.plan.entries]
        self._expect(event, len({*names}) == len(names), "two entries have one name")
        places, entries = made.plan.places, len(names)
        least = entries if made.plan.is_endless else entries + 1  # a later part may be full
        if places is not None and not least <= places <= MAX_ENTRIES:
            self._lose(event, f"{entries} entries do not leave {places} places")
        if not parts.is_sound(made.part, made.plan, tournament.id):
            self._lose(event, "it is not the part that it says it is")
        self._pairs(event, made.plan.filled())

    def _pairs(self, event: Event, plan: Plan) -> None:
        """Check that the entries of a plan can be paired.

        An impossible plan is not followed, because counting its line-ups might never end.
        """
        try:
            check_players(plan)
            check_block(plan)
            format_of(plan).check(plan)
        except BadPlanError as error:
            self._lose(event, str(error))

    def _before_start(self, event: Event, value: JsonObject) -> None:
        if event.kind == "entropy_revealed":
            self._entropy(event, value)
            return
        closes = event.kind == "entries_closed" and self.tournament.plan.is_endless
        player = value["entry"].get("player") if event.kind == "entered" else None
        if closes or not self.tournament.takes_entries(player):
            self._lose(event, "it takes no entries of owners")
        if event.kind == "entered":
            self._entered(event, value["entry"])
        else:
            self._pairs(event, self.tournament.plan_left())

    def _entered(self, event: Event, entered: JsonObject) -> None:
        tournament = self.tournament
        if entered["kind"] != PLAYER:
            self._lose(event, "an owner enters players alone")
        entries = tournament.plan.entries
        self._expect(
            event,
            all(entry.name != entered["name"] for entry in entries)
            and tournament.can_enter(entered["player"], entered["version"]),
            f"{entered['player']} is entered already, or the name {entered['name']!r} is taken",
        )
        self._expect(event, entered["entropy_commitment"] is None, "an owner brings no entropy")

    def _available(self, event: Event, entries: Sequence[int]) -> None:
        tournament = self.tournament
        plan, plays = tournament.plan, {*tournament.entries_left()}
        fit = plan.is_endless and tournament.status == RUNNING and {*entries} <= plays
        if not fit or not entries or list(entries) != sorted({*entries}):
            self._lose(event, f"entries {entries} do not wait for a game")
        players = [entry for entry in entries if plan.has_players([entry])]
        self._expect(event, players == list(entries), "bots of the service are always available")

    def _entropy(self, event: Event, value: JsonObject) -> None:
        tournament, entry = self.tournament, value["entry"]
        if not self._expect(
            event, entry in tournament.owing_entropy(), f"entry {entry} owed no entropy"
        ):
            return
        self._expect(
            event,
            tournament.has_committed(entry, bytes.fromhex(value["entropy"])),
            f"entry {entry} opened other entropy than it committed to",
        )

    def _block_ended(self, event: Event, value: JsonObject) -> None:
        tournament, number = self.tournament, value["block"]
        block = tournament.blocks.get(number)
        void = block and tournament.plan.is_endless and tournament.is_void(block)
        if block is None or number in tournament.results or void:
            self._expect(event, False, f"block {number} is not one to be played")  # noqa: FBT003 - the failing fact
            return
        self.declared[number] = tournament.declared_bots()
        self.held[number] = (self._paired_at[number - 1], event.at)
        wanted, seats = len(block.seatings(tournament.plan.rotations)), tournament.plan.seats
        self._expect(
            event,
            len(value["games"]) == wanted
            and all(
                len(game[name]) == seats
                for game in value["games"]
                for name in ("ranks", "scores", "cpu_us")
            ),
            f"block {number} has {wanted} games of {seats} seats",
        )

    def _block_abandoned(self, event: Event, value: JsonObject) -> None:
        tournament, number = self.tournament, value["block"]
        block, plan = tournament.blocks.get(number), tournament.plan
        if block is None or number in tournament.results or tournament.is_void(block):
            self._lose(event, f"block {number} is not one to be played")
        games, count = value["games"], len(block.seatings(plan.rotations))
        fit = len(games) == count and value["rotation"] < count
        if not fit or games[value["rotation"]] is None or value.get("seat", 0) >= plan.seats:
            self._lose(event, f"block {number} has {count} games of {plan.seats} seats")
        of_seat = value["reason"] != DAMAGED
        if (of_seat, of_seat) != ("seat" in value, "decision" in value):
            self._lose(event, "a seat was stopped, or a game was lost")
        self._expect(
            event,
            value["try"] == block.try_,
            f"try {value['try']} of block {number} is not the one to be played, {block.try_}",
        )
        if not of_seat:
            return
        entry = block.seatings(plan.rotations)[value["rotation"]][value["seat"]]
        self._expect(
            event,
            (value["reason"] == OUTAGE) == plan.has_players([entry]),
            "bots of the service are stopped, and players are out of reach in an outage",
        )
        self._expect(
            event,
            plan.failures.processor_seconds is not None,
            "the plan measures by the clock on the wall, which abandons nothing",
        )

    def _withdrawn(self, event: Event, value: JsonObject) -> None:
        tournament, entry = self.tournament, value["entry"]
        if entry not in tournament.entries_left():
            self._lose(event, f"entry {entry} did not play")
        self._expect(
            event,
            value["block"] == tournament.settled(),
            f"block {tournament.settled()} was the last to count",
        )

    def _lose(self, event: Event, failure: str) -> NoReturn:
        self._check.fail(f"event {event.seq}: {failure}")
        raise _LostError

    def _extended(self, event: Event, value: JsonObject) -> None:
        plan = self.tournament.plan
        total = plan.format.get("games", 0) + self.tournament.games_more + value["games"]
        self._expect(
            event,
            format_of(plan).takes_more and total <= MAX_GAMES,
            f"this tournament takes no {value['games']} games more",
        )


def _value(event: Event) -> Any:
    return event.body[event.kind].value if event.kind in event.body else {}
