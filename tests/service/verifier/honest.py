"""Records as an honest service writes them: all ways to begin, to interrupt and to end a game.

All consist of real batches, made once for each process. Add each new kind of event or field of
games here, because forgeries are spliced from these records.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, checked, encode
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import (
    BEACON_WITHHELD,
    BLOCK_ABANDONED,
    BOT_FAILURES,
    CANCELLED,
    LENIENT,
    MISSING,
    REVEAL,
    SEAT_FAULT,
    SERVICE_FAULT,
    TOURNAMENT_CANCELLED,
    WITHHELD,
    Batch,
    beacon_terms,
    entropy_terms,
)
from rules.kernel.record.beacons import ABORT, START, round_ms
from rules.kernel.record.clocks import seat_deadline
from rules.kernel.record.events import Draft, Event, public, seal, unreadable
from rules.kernel.record.game import ENDED_BY_OPERATOR, MOST_TAKEN_BACK
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import entropy_commitment
from service.catalogue.bots import BOTS
from service.cli.local import Act, LocalGame
from service.records.game_file import Record
from tests.beacons import CHAIN
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from tests.signing import SeatKey
from workers.deciding import decide

HOST: JsonObject = {"player": "p-host"}
CUP: JsonObject = {"tournament": "t00-cup"}
CLOCK: JsonObject = {"service": "clock"}
ADMIN: JsonObject = {"admin": "ana"}
OTHER_ADMIN: JsonObject = {"admin": "bea"}
ENTROPY_SECONDS = 300
A_MINUTE = {"decision_seconds": 60}
BUDGETS = {"budget_seconds": 150, "increment_seconds": 2, "grace_ms": 300, "decision_seconds": 60}
CODE = {"bot": "greedy", "version": "2", "digest": "0" * 64}
LATER_CODE = "c0de" * 16

ANA: JsonObject = {"player": "p-ana"}
BEA: JsonObject = {"player": "p-bea"}
GREEDY, RANDOM = BOTS["greedy"].holder(SEALED), BOTS["random"].holder(SEALED)
HOLDERS: Mapping[str, list[JsonObject]] = {
    "people": [ANA, BEA], "mixed": [ANA, GREEDY], "bots": [GREEDY, RANDOM],
}  # fmt: skip


class Table(LocalGame):
    """A table of two seats at ``sealed``, with a clock that its methods advance."""

    def __init__(
        self, name: str, holders: list[JsonObject], terms: JsonObject | None = None
    ) -> None:
        super().__init__(records.REGISTRY, name, f"g07-{name}")
        self.holders = holders
        self.terms = terms or entropy_terms(REVEAL, ENTROPY_SECONDS)
        self.signs = False
        """Whether players sign their moves; ``keys`` has the key of each seat now."""
        self.keys = [SeatKey.of(seat + 1) for seat in range(len(holders))]
        self.drawn = False
        """Whether seats are drawn, so that a commitment names no seat."""
        self._ms = to_ms("2026-11-20T21:29:00.000Z")
        self.now = lambda: from_ms(self._ms)

    def does(self, act: Act, after: float = 0.25) -> None:
        """Record a batch, a number of seconds after the previous one."""
        self._ms += round(1000 * after)
        self.change(act)

    def take(self, batch: Batch) -> None:
        """Append a batch that was made from the present game."""
        made = batch.seal()
        self.game = batch.game
        self.events += made

    def create(self, batch: Batch) -> None:
        people = self.holders == HOLDERS["people"]
        batch.create(
            "sealed", len(self.holders), {}, HOST, clock=BUDGETS if people else A_MINUTE,
            entropy=self.terms, take_back=ANA in self.holders,
            hints=ANA in self.holders, signatures=self.signs,
        )  # fmt: skip

    def signing_key(self, seat: int) -> str | None:
        """Return the key of a seat that signs its moves."""
        return self.keys[seat].public if self.signs and "player" in self.holders[seat] else None

    def signed(self, seat: Seat, move: JsonObject) -> JsonObject:
        """Return the further arguments of a move that its player signs."""
        if self.signing_key(seat) is None:
            return {}
        game, head = self.game, self.game.head.hex()
        told = self.keys[seat].move(game.id, seat, game.asked[seat], head, move)
        return {"expected_head": head, "signature": told}

    def changes_keys(self) -> None:
        """Have a player who signs bind another key, and another one after losing it."""
        if self.signs:
            self.changes_key(Seat(0), signs=True)
            self.plays()
            self.changes_key(Seat(0), signs=False)

    def changes_key(self, seat: Seat, *, signs: bool) -> None:
        """Bind another key to a seat, signed or not with the one that it has."""
        new, head = SeatKey.of(100 + self.game.version), self.game.head.hex()
        sig = self.keys[seat].key(self.game.id, seat, head, new.public) if signs else None
        self.does(lambda batch: batch.change_key(seat, new.public, sig, self.holders[seat]))
        self.keys[seat] = new

    def entropy(self, seat: int) -> bytes:
        return bytes([seat + 1] * 32)

    def committed(self, seat: int, game_id: str | None) -> str:
        bound = None if self.drawn else seat
        return entropy_commitment(game_id, bound, self.entropy(seat)).hex()

    def sit(self, seat: int, *, gives: bool) -> None:
        """Seat a holder; for a bot, the creator of the table does it."""
        holder = self.holders[seat]
        by = holder if "player" in holder else HOST
        given = self.committed(seat, self.game.id) if gives else None
        key = self.signing_key(seat)
        self.does(lambda batch: batch.sit(Seat(seat), holder, by, given, drawn=self.drawn, key=key))

    def reveal(self, seat: int) -> None:
        self.does(
            lambda batch: batch.reveal_entropy(Seat(seat), self.entropy(seat), self.holders[seat])
        )

    def stand_still(self, seconds: float = 3_600) -> None:
        suspends, resumes = (ADMIN, OTHER_ADMIN)[:: 1 if self.game.version % 2 else -1]
        self.does(lambda batch: batch.suspend(suspends))
        self.does(lambda batch: batch.resume(resumes), after=seconds)

    def plays(self) -> None:
        """Make the deciding seat move: a bot chooses, a player makes the last legal move."""
        self.plays_as(min(self.game.asked))

    def plays_as(self, seat: Seat) -> None:
        if self.game.seats[seat].resigned:
            self.does(lambda batch: batch.default(seat, "resigned"))
        elif "bot" in self.holders[seat]:
            self.does(decide(self.game, seat, self.secrets.salt).record)
        else:
            move = self.game.ruleset.legal_moves(self.game.state, seat)[-1].to_json()
            by = self.holders[seat] if self.game.version % 2 else {}
            head = self.game.head.hex() if self.game.version % 3 else None
            thinks = checked({"sure": True}) if self.game.version % 5 == 0 else None
            more = {"expected_head": head, **self.signed(seat, move)}
            self.does(lambda batch: batch.move(seat, move, by, thoughts=thinks, **more))

    def plays_on(self) -> None:
        while not self.game.over:
            self.plays()

    def times_out(self, seat: Seat, fault: str | None = None) -> None:
        """Wait until a millisecond after a seat's deadline, and record that its time is up."""
        deadline = seat_deadline(self.game, seat)
        assert deadline is not None
        self.does(lambda batch: batch.time_out(seat, fault), after=(deadline + 1 - self._ms) / 1000)

    def until_asked(self, wanted: str) -> Seat | None:
        """Play until a seat of a player or of a bot (``wanted``) has a decision."""
        while not self.game.over:
            for seat in sorted(self.game.asked):
                if wanted in self.holders[seat] and not self.game.seats[seat].resigned:
                    return seat
            self.plays()
        return None


# Ways to fill a table


def at_once(table: Table, giving: int, seats: int) -> None:
    """Open the table with the first ``seats`` taken, some of which commit to entropy."""

    def act(batch: Batch) -> None:
        table.create(batch)
        for seat, holder in by_seat(table.holders[:seats]):
            given = table.committed(seat, None) if seat < giving else None
            batch.sit(seat, holder, HOST, given, key=table.signing_key(seat))

    table.does(act)


def by_turns(table: Table, giving: int, seats: int) -> None:
    """Open an empty table; some players leave again, by themselves or removed by the host."""
    table.does(table.create)
    for who, by in ((ANA, ANA), (BEA, HOST)):
        given = table.committed(0, table.game.id) if giving else None
        table.does(lambda batch, who=who, given=given: batch.sit(Seat(0), who, who, given))  # type: ignore[misc]
        table.does(lambda batch, by=by: batch.stand(Seat(0), by))  # type: ignore[misc]
    for seat in range(seats):
        table.sit(seat, gives=seat < giving)


def by_lot(table: Table, giving: int, seats: int) -> None:
    """Draw the first player to another seat, with the entropy that the player brought."""
    assert seats == 1
    table.does(table.create)
    table.drawn = True
    who = table.holders[0]
    given = table.committed(0, table.game.id) if giving else None
    by = who if "player" in who else HOST
    table.does(lambda batch: batch.sit(Seat(1), who, by, given, drawn=True))
    came = table.game.version
    table.does(lambda batch: batch.stand(Seat(1), HOST))
    table.does(lambda batch: batch.sit(Seat(0), who, HOST, given, drawn=True, brought=came))


FILLS = {"full": at_once, "at once": at_once, "by turns": by_turns, "by lot": by_lot}


# Events at a decision


def times_out(table: Table) -> None:
    seat = table.until_asked("player")
    if seat is not None:
        table.times_out(seat)


def spends_its_budget(table: Table) -> None:
    """Let the time of a player be up until nothing is left of the budget, and once more."""
    while (seat := table.until_asked("player")) is not None and table.game.budgets:
        had = table.game.budgets[seat]
        table.times_out(seat)
        if not had:
            return


def fails(cause: str, table: Table) -> None:
    seat = table.until_asked("bot")
    if seat is not None:
        holder = table.holders[seat]
        digest = None if cause == MISSING else CODE["digest"]
        code = {"bot": holder["bot"], "version": holder["version"], "digest": digest}
        table.does(lambda batch: batch.fail_bot(seat, cause, f"it is {cause}", code))


def resigns(table: Table) -> None:
    seat = table.until_asked("player")
    if seat is not None:
        table.does(lambda batch: batch.resign(seat, table.holders[seat]))


def is_taken_back(table: Table) -> None:
    """Have a player take back as many moves as possible, as often as possible."""
    seat = table.until_asked("player")
    for _ in range(MOST_TAKEN_BACK):
        while seat is not None and seat in table.game.asked:
            table.plays_as(seat)
        if seat is None or not table.game.points:
            return
        to, by = table.game.points[0].to, table.holders[seat] if table.game.version % 2 else {}
        table.does(lambda batch, to=to, by=by: batch.take_back(seat, to, by))  # type: ignore[misc]


def asks_for_hints(table: Table) -> None:
    """Have a player ask for hints: for a decision, and for the next one, which is taken back."""
    seat = table.until_asked("player")
    if seat is None:
        return
    by = table.holders[seat]
    table.does(lambda batch: batch.hint(seat, batch.game.asked[seat], by))
    table.plays_as(seat)
    if seat in table.game.asked and not table.game.over:
        table.does(lambda batch: batch.hint(seat, batch.game.asked[seat], {}))
        if ways := table.game.ways_back(seat):
            table.does(lambda batch: batch.take_back(seat, ways[-1], {}))


def is_interrupted(table: Table) -> None:
    """Let the service be away, from before a decision on, and once more."""
    seat = table.until_asked("player")
    if seat is None:
        return
    for before, seconds in ((60, 100), (0, 30)):
        now = to_ms(table.now())
        since = max(now - 1000 * before, to_ms(table.game.stood_still_until or from_ms(0)))
        until = now + 1000 * seconds
        table.does(
            lambda batch, since=since, until=until: batch.interrupt(from_ms(since), from_ms(until)),  # type: ignore[misc]
            after=seconds + 1,
        )


def other_code(table: Table) -> None:
    """Continue with other code of the same version."""
    seat = min(table.game.asked)
    move = table.game.ruleset.legal_moves(table.game.state, seat)[0].to_json()
    if "player" not in table.holders[seat] or table.game.seats[seat].resigned:
        return
    batch = Batch(table.game, table.secrets, table.now(), rules_digest=LATER_CODE)
    batch.move(seat, move, {}, **table.signed(seat, move))
    table.take(batch)


INCIDENTS: Mapping[str, Callable[[Table], None]] = {
    "nothing": lambda table: None,
    "hints": asks_for_hints,
    "taking back": is_taken_back,
    "time-out": times_out,
    "outage": is_interrupted,
    "spent budget": spends_its_budget,
    **{f"bot {cause}": partial(fails, cause) for cause in BOT_FAILURES},
    "resignation": resigns,
    "other code": other_code,
    "suspension": Table.stand_still,
}


# Ends


def cancels(table: Table, by: JsonObject = HOST) -> None:
    table.does(lambda batch: batch.abort(CANCELLED, by))


def withholds(table: Table) -> None:
    owing = Batch(table.game, table.secrets, table.now()).owing_entropy()
    table.does(lambda batch: batch.abort(WITHHELD, CLOCK, owing), after=ENTROPY_SECONDS + 0.001)


def starts_without(table: Table) -> None:
    table.does(lambda batch: batch.start_without(), after=ENTROPY_SECONDS + 0.001)
    table.plays_on()


def draws_the_beacon(table: Table) -> None:
    """Reveal what is owed, wait for the round, and play on."""
    for seat in Batch(table.game, table.secrets, table.now()).owing_entropy():
        table.reveal(seat)
    number = table.game.round
    wait = (round_ms(CHAIN.pinned(), number) - to_ms(table.game.at)) / 1000
    table.does(lambda batch: batch.draw_beacon(CHAIN.sign(number)), after=max(wait, 0))
    table.plays_on()


def misses_the_beacon(table: Table) -> None:
    abort = table.terms["late"] == ABORT
    table.does(
        lambda batch: batch.abort(BEACON_WITHHELD, CLOCK) if abort else batch.start_without(),
        after=ENTROPY_SECONDS + 0.001,
    )
    table.plays_on()


def is_ended(table: Table) -> None:
    table.does(lambda batch: batch.abort(ENDED_BY_OPERATOR, ADMIN))


def is_suspended(table: Table) -> None:
    table.does(lambda batch: batch.suspend(OTHER_ADMIN))


def is_suspended_and_ended(table: Table) -> None:
    is_suspended(table)
    table.does(lambda batch: batch.abort(ENDED_BY_OPERATOR, OTHER_ADMIN), after=3_600)


def all_resign(table: Table) -> None:
    while not table.game.over and (seat := table.until_asked("player")) is not None:
        table.does(lambda batch, seat=seat: batch.resign(seat, {}))  # type: ignore[misc]
    table.plays_on()


def is_damaged(table: Table) -> None:
    """Append an event that another process checked in a position that never existed."""
    game = table.game
    state = encode(None if game.state is None else game.ruleset.to_json(game.state))
    body = {"move": public({"type": "bid", "amount": 99})}
    draft = Draft(game.version + 1, "moved", {"seat": 0}, body, state, ())
    damaged_by(table, seal([draft], {}, game.head, table.secrets.salt, table.now()))


def damaged_by(table: Table, stored: list[Event]) -> None:
    batch = Batch(table.game, table.secrets, table.now())
    batch.end_damaged(ADMIN, stored[-1])
    table.events += stored
    table.take(batch)


def is_unreadable(table: Table) -> None:
    """Overwrite the newest batches, and the last one completely."""
    first = table.game.version + 1
    damaged_by(table, [unreadable(first, bytes(range(64))), unreadable(first + 1, b"")])


def is_lost(table: Table) -> None:
    """Lose the newest event, whose number and previous hash are known."""
    game = table.game
    damaged_by(table, [unreadable(game.version + 1, bytes(32) + game.head)])


class End(NamedTuple):
    """The end of a game: its stage, its event, the possible tables and terms of entropy."""

    stage: str
    stops: Callable[[Table], None]
    only: tuple[str, ...] = tuple(HOLDERS)
    terms: JsonObject = entropy_terms(REVEAL, ENTROPY_SECONDS)


PATIENT = entropy_terms(LENIENT, ENTROPY_SECONDS)
STRICT_BEACON, BEACON = (
    beacon_terms(CHAIN.pinned(), late, ENTROPY_SECONDS) for late in (ABORT, START)
)
ENDS: Mapping[str, End] = {
    "waits for players": End("lobby", INCIDENTS["nothing"]),
    "is called off": End("lobby", cancels),
    "does not fill": End("lobby", partial(cancels, by=CLOCK)),
    "is ended in the lobby": End("lobby", is_ended),
    "is suspended in the lobby": End("lobby", is_suspended),
    "is suspended and ended in the lobby": End("lobby", is_suspended_and_ended),
    "is damaged in the lobby": End("lobby", is_damaged),
    "is lost in the lobby": End("lobby", is_lost),
    "waits for entropy": End("closed", INCIDENTS["nothing"], ("people", "mixed")),
    "is called off when closed": End("closed", cancels, ("people", "mixed")),
    "withheld": End("closed", withholds, ("people", "mixed")),
    "starts without what is withheld": End("closed", starts_without, ("people", "mixed"), PATIENT),
    "is called off when closed and lenient": End("closed", cancels, ("people", "mixed"), PATIENT),
    "waits for a beacon": End("closed", INCIDENTS["nothing"], ("mixed",), STRICT_BEACON),
    "starts with a beacon": End("closed", draws_the_beacon, ("people",), STRICT_BEACON),
    "starts without a beacon": End("closed", misses_the_beacon, ("mixed",), BEACON),
    "is aborted without a beacon": End("closed", misses_the_beacon, ("mixed",), STRICT_BEACON),
    "is ended when closed": End("closed", is_ended, ("people", "mixed")),
    "is suspended when closed": End("closed", is_suspended, ("people", "mixed")),
    "is suspended and ended when closed": End(
        "closed", is_suspended_and_ended, ("people", "mixed")
    ),
    "goes on": End("running", INCIDENTS["nothing"]),
    "cancelled": End("running", cancels, ("bots",)),
    "is ended": End("running", is_ended),
    "is suspended": End("running", is_suspended),
    "is suspended and ended": End("running", is_suspended_and_ended),
    "is damaged": End("running", is_damaged),
    "is unreadable": End("running", is_unreadable),
    "is lost": End("running", is_lost),
    "is played to the end": End("running", Table.plays_on),
    "all resign": End("running", all_resign, ("people", "mixed")),
}
STAGES = ("lobby", "closed", "running")


class Course(NamedTuple):
    """The course of a table: holders, seating, number of entropies, events, end."""

    holders: str = "mixed"
    fills: str = "at once"
    giving: int = 0
    still: tuple[str, ...] = ()
    """The stages in which the game is suspended for an hour."""
    incidents: tuple[str, ...] = ()
    end: str = "is played to the end"
    signs: bool = False
    """Whether players sign their moves, with keys that they change in the course of the game."""

    @property
    def possible(self) -> bool:
        """Whether this course is possible: only players give entropy, and some ends need it."""
        people = sum("player" in holder for holder in HOLDERS[self.holders])
        stage, _stops, only, _terms = ENDS[self.end]
        return (
            self.holders in only
            and self.giving <= people
            and (self.giving > 0 or "closed" not in (stage, *self.still))
            and all(STAGES.index(each) <= STAGES.index(stage) for each in self.still)
            and (self.fills != "full" or "lobby" not in (stage, *self.still))
            and (stage == "running" or not self.incidents)
        )

    def __str__(self) -> str:
        still = [f"still in {stage}" for stage in self.still]
        given = [f"{self.giving} give"] if self.giving else []
        end = f"{self.end}, signed" if self.signs else self.end
        return ", ".join((self.holders, self.fills, *given, *still, *self.incidents, end))


def held(course: Course, name: str = "course") -> Table:
    """Return a table with this course."""
    stage, stops, _only, terms = ENDS[course.end]
    table = Table(name, HOLDERS[course.holders], terms)
    table.signs = course.signs
    seats, full = len(table.holders), course.fills == "full"
    FILLS[course.fills](table, course.giving, seats if full else seats - 1)
    if "lobby" in course.still:
        table.stand_still()
    if stage != "lobby":
        if not full:
            table.sit(seats - 1, gives=seats - 1 < course.giving)
        if "closed" in course.still:
            table.stand_still()
        for seat in range(course.giving - (stage == "closed")):
            table.reveal(seat)
    if stage == "running":
        for _ in range(3):
            table.plays()
        if "running" in course.still:
            table.stand_still()
        table.changes_keys()
        for incident in course.incidents:
            if not table.game.over:
                INCIDENTS[incident](table)
    if not table.game.over:
        stops(table)
    return table


COURSES = [
    course
    for holders, fills, giving, end in product(HOLDERS, FILLS, range(3), ENDS)
    for still in ((), ("lobby",), ("closed",), ("running",), STAGES)
    if (course := Course(holders, fills, giving, still, end=end)).possible
]
"""Games with all ways to begin, to be interrupted and to end; ``EVENTFUL`` has the rest."""

EVENTFUL = [
    Course(holders, "at once", giving, (), incidents, end)
    for holders, giving in (("mixed", 0), ("people", 2), ("bots", 0))
    for incidents in (*((incident,) for incident in INCIDENTS), tuple(INCIDENTS))
    for end in ("goes on", "is ended", "is played to the end")
]


SIGNED = [
    Course("people", "full", signs=True),
    Course("mixed", "at once", 1, (), ("taking back", "time-out", "other code"), signs=True),
    Course("people", "at once", 2, ("running",), ("hints", "resignation"), "goes on", signs=True),
    Course("people", "full", end="is damaged", signs=True),
]
"""Games in which players sign their moves."""


# Games of a block, which share their luck


def of_a_block(
    *, cause: str = "", giving_up: bool = False, aborted: str = "", open_luck: bool = True
) -> Table:
    """Play a game of a tournament in which a bot may fail, and then resigns or plays on."""
    table = Table("block", [GREEDY, RANDOM])

    def act(batch: Batch) -> None:
        batch.create("sealed", 2, {}, CUP, scope="t00-cup/1")
        for seat, holder in by_seat(table.holders):
            batch.sit(seat, holder, CUP)

    table.does(act)
    table.plays()
    if cause:
        seat = min(table.game.asked)
        fails(cause, table)
        if giving_up:
            holder = table.holders[seat]
            named = {"bot": f"{holder['bot']}@{holder['version']}"}
            table.does(lambda batch: batch.resign(seat, named))
    if aborted:
        table.does(lambda batch: batch.abort(aborted, CUP))
    table.plays_on()
    if open_luck:
        table.does(lambda batch: batch.reveal_chance())
    return table


def of_players(*, fault: str, away: bool = False, open_luck: bool = True) -> Table:
    """Play a tournament's game in which a player is late, through its own fault or not."""
    table = Table("players", [ANA, GREEDY])

    def act(batch: Batch) -> None:
        batch.create("sealed", 2, {}, CUP, scope="t00-cup/1/0/1", clock=A_MINUTE, seats_look=True)
        for seat, holder in by_seat(table.holders):
            batch.sit(seat, holder, CUP)

    table.does(act)
    if away:
        is_interrupted(table)
    seat = table.until_asked("player")
    assert seat is not None
    table.times_out(seat, fault)
    if fault == SEAT_FAULT:
        table.does(lambda batch: batch.resign(seat, {"seat": seat}))
    table.plays_on()
    if open_luck:
        table.does(lambda batch: batch.reveal_chance())
    return table


BLOCKS: Mapping[str, Callable[[], Table]] = {
    "players, own fault": partial(of_players, fault=SEAT_FAULT, away=True),
    "players, fault of the service": partial(of_players, fault=SERVICE_FAULT),
    "players, fault of the service, luck closed": partial(
        of_players, fault=SERVICE_FAULT, open_luck=False
    ),
    "block": of_a_block,
    "block, luck closed": partial(of_a_block, open_luck=False),
    "block, cancelled": partial(of_a_block, aborted=TOURNAMENT_CANCELLED),
    "block, cancelled, luck closed": partial(
        of_a_block, aborted=TOURNAMENT_CANCELLED, open_luck=False
    ),
    "block, abandoned": partial(of_a_block, aborted=BLOCK_ABANDONED),
    **{f"block, {cause}": partial(of_a_block, cause=cause) for cause in BOT_FAILURES},
    **{f"block, {c}, gives up": partial(of_a_block, cause=c, giving_up=True) for c in BOT_FAILURES},
}


# All shapes


def views(table: Table) -> Iterator[tuple[str, Record]]:
    """Yield the public record of a game; of a running game, also the record of each seat."""
    yield "", records.record_of(table)
    if not table.game.over and table.game.scope == table.game.id:
        for seat, _holder in by_seat(table.holders):
            yield f", seen by {seat}", records.record_of(table, seat)


def _shapes() -> Iterator[tuple[str, Callable[[], Table]]]:
    for course in dict.fromkeys([*COURSES, *EVENTFUL, *SIGNED]):
        if course.possible:
            yield str(course), partial(held, course)
    yield from BLOCKS.items()


SHAPES: Mapping[str, Callable[[], Table]] = dict(_shapes())
"""A game for each shape, by name."""


@cache
def honest(name: str) -> Mapping[str, Record]:
    """Return the records of a shape, by viewer."""
    return dict(views(SHAPES[name]()))
