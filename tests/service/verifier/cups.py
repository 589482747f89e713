"""Tournaments as an honest service records them: every format, and all courses and ends.

The automatic events are those of the director, games are real batches, and nothing is stored. Add
each new kind of event or field of tournaments here, because forgeries are spliced from these
records.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode
from rules.kernel.contract.chance import commitment
from rules.kernel.contract.seats import by_seat
from rules.kernel.record.batch import BLOCK_ABANDONED, CRASHED, ILLEGAL, TOO_SLOW, Batch
from rules.kernel.record.events import (
    NO_STATE,
    Access,
    Draft,
    Event,
    copy_for,
    genesis,
    public,
    seal,
)
from rules.kernel.record.game import DAMAGED
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets, entropy_commitment
from service.catalogue.bots import BOTS
from service.cli.local import LocalGame
from service.records import tournament_file
from service.records.game_file import Record
from service.tournaments import parts
from service.tournaments.course import LAST, Step, luck_of, next_step, stop
from service.tournaments.figures import table_bands
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.plan import RESIGN, Plan, TournamentRequest, make
from service.tournaments.report import figures, report
from service.tournaments.tournament import (
    ENTROPY,
    Abandonment,
    Block,
    GameResult,
    Tournament,
    chance_scope,
    game_id,
    ranks_and_scores,
)
from tests.service.cli import records
from workers import bots, playable
from workers.deciding import decide

ID = "t07-mfrggzdfmztwq2lknnwg"
HOST: JsonObject = {"player": "p-host"}
SERVICE: JsonObject = {"service": "tournaments"}
_STATE = encode(NO_STATE)
GIVEN = "spring"
LATER_CODE = "c0de" * 16


class Cup:
    """A tournament that is played block by block by its methods."""

    def __init__(self, plan: Plan, seed: str | None = None, secret: str = "") -> None:
        self.tournament = Tournament(ID)
        self.events: list[Event] = []
        self.games: dict[tuple[Block, int], LocalGame] = {}
        self.secrets = _secrets_of(seed or f"{ID} {secret}")
        """The secrets, derived from the host's seed if there is one."""
        self._ms = to_ms("2026-11-20T21:29:00.000Z")
        self._failing: dict[int, str] = {}
        scope = (
            ID
            if seed is None
            else f"seed-{digest(encode([FORMAT, 'tournament', seed])).hex()[:16]}"
        )
        chance = {"scope": scope, "commitment": commitment(scope, self.secrets.chance_seed).hex()}
        part = parts.first(plan)
        told: JsonObject = {} if part is None else {"part": part.to_json()}
        self.do("created", {"plan": plan.to_json(), "chance": chance, **told}, HOST)

    # Requests of people and workers

    def do(self, kind: str, value: JsonObject, by: JsonObject) -> None:
        """Record one event, and the automatic events after it."""
        step: Step | None = Step(kind, value)
        drafts: list[Draft] = []
        tournament, head = self.tournament, self.tournament.head
        at = self._now()
        while step is not None:
            body = {step.kind: public(step.value)} if step.value else {}
            if step.kind in LAST:
                body["salt"] = public({"salt_secret": self.secrets.salt.hex()})
            seq = tournament.version + 1
            drafts.append(Draft(seq, step.kind, SERVICE if drafts else by, body, _STATE, ()))
            tournament.apply(Event(seq, step.kind, by, at, seq, body, b"", b""))
            step = next_step(tournament, self.secrets.chance_seed)
        events = seal(drafts, {}, head, self.secrets.salt, at)
        self.events += events
        tournament.head = events[-1].hash

    def declare(self, **changed: Any) -> None:
        """Declare the present code, or other code of the same versions."""
        code = playable.code_of(self.tournament, records.REGISTRY) | changed
        if not self.tournament.has_declared(code):
            self.do("code_declared", code, SERVICE)

    def reveal(self, entry: int) -> None:
        value = {"entry": entry, "entropy": entropy_of(entry).hex()}
        self.do("entropy_revealed", value, HOST)

    def pause(self) -> None:
        self.do("paused", {}, HOST)

    def resume(self) -> None:
        self.do("resumed", {}, HOST)

    def extend(self, games: int) -> None:
        self.do("extended", {"games": games}, HOST)

    def withdraw(self, entry: int) -> None:
        value = {"entry": entry, "block": self.tournament.settled()}
        self.do("withdrawn", value, HOST)

    def cancel(self) -> None:
        settled = self.tournament.settled()
        step = stop("cancelled", "enough of it", settled, self.secrets.chance_seed)
        self.do(step.kind, step.value, HOST)

    def fails(self, entry: int, cause: str) -> None:
        """Make the bot of an entry fail in each game from now on."""
        self._failing[entry] = cause

    def play(self, block: Block) -> None:
        """Play all games of a block, and record their results."""
        self.declare()
        seatings = block.seatings(self.tournament.plan.rotations)
        for rotation, seating in enumerate(seatings):
            self._play_game(block, rotation, seating)
        games = [self._result(block, rotation)._asdict() for rotation in range(len(seatings))]
        self.do("block_ended", {"block": block.number, "games": games}, SERVICE)

    def play_on(self, most: int = 1_000) -> None:
        """Play the open blocks in order."""
        for _ in range(most):
            if self.tournament.over or not self.tournament.open_blocks():
                return
            self.play(self.tournament.open_blocks()[0])

    def abandon(self, block: Block, reason: str = "killed") -> None:
        """Abandon a try at a block in its first game, after three moves.

        If the reason is ``DAMAGED``, an operator has ended the game.
        """
        self.declare()
        seating = block.seatings(self.tournament.plan.rotations)[0]
        game = self._play_game(block, 0, seating, moves=3)
        stopped: tuple[int | None, int | None] = min(game.game.asked.items())
        if reason == DAMAGED:
            stopped = None, None
            game.change(lambda batch: batch.end_damaged({"admin": "ana"}, game.events[-1]))
        reached = (game.game.version, game.game.head.hex())
        rest = [None] * (len(block.seatings(self.tournament.plan.rotations)) - 1)
        told = Abandonment(0, *stopped, reason, [reached, *rest])
        self.do("block_abandoned", told.to_json(block), SERVICE)
        if reason != DAMAGED:
            game.change(lambda batch: batch.abort(BLOCK_ABANDONED, {"tournament": ID}))
            game.change(lambda batch: batch.reveal_chance())

    # Games

    def _play_game(
        self, block: Block, rotation: int, seating: tuple[int, ...], moves: int | None = None
    ) -> LocalGame:
        """Play a game to its end, or a number of moves, without failures."""
        tournament, plan = self.tournament, self.tournament.plan
        luck = luck_of(tournament, self.secrets.chance_seed)
        local = LocalGame(records.REGISTRY, "", game_id(tournament.id, block, rotation))
        local.secrets, local.now = luck.secrets(block, rotation), self._now
        by: JsonObject = {"tournament": tournament.id}

        def opens(batch: Batch) -> None:
            batch.create(
                plan.ruleset, plan.seats, plan.options, by,
                scope=chance_scope(tournament, block, rotation), entropy=ENTROPY,
                version=plan.rules_version,
            )  # fmt: skip
            for seat, entry in by_seat(seating):
                batch.sit(seat, plan.entries[entry].holder(), by)

        local.change(opens)
        failing = {seat: self._failing.get(entry, "") for seat, entry in by_seat(seating)}
        for _ in range(1_000 if moves is None else moves):
            if local.game.over:
                break
            self._answer(local, failing if moves is None else {})
        self.games[block, rotation] = local
        return local

    def _answer(self, local: LocalGame, failing: dict[Any, str]) -> None:
        game, seat = local.game, min(local.game.asked)
        if game.seats[seat].resigned:
            local.change(lambda batch: batch.default(seat, "resigned"))
        elif cause := failing.pop(seat, ""):
            holder = game.seats[seat].holder or {}
            code = bots.code_of(game, holder)
            local.change(lambda batch: batch.fail_bot(seat, cause, f"it is {cause}", code))
            if self.tournament.plan.failures.then == RESIGN and not game.over:
                by = {"bot": bots.signature(holder)}
                local.change(lambda batch: batch.resign(seat, by))
        else:
            local.change(decide(game, seat, local.secrets.salt).record)

    def _result(self, block: Block, rotation: int) -> GameResult:
        local = self.games[block, rotation]
        local.change(lambda batch: batch.reveal_chance())
        game = local.game
        assert game.result is not None
        ranks, scores = ranks_and_scores(game.result, len(game.seats))
        failures = [
            [
                e.body["failure"].value["seat"],
                e.body["failure"].value["decision"],
                e.body["error"].value,
            ]
            for e in local.events
            if e.kind == "bot_failed"
        ]
        return GameResult(game.version, game.head.hex(), ranks, scores, failures, [7] * len(ranks))

    def _now(self) -> str:
        self._ms += 250
        return from_ms(self._ms)

    # Records

    def record(self) -> list[JsonObject]:
        """Return the lines of the record, with the games of ended blocks."""
        tournament = self.tournament
        ended = [
            records.record_of(self.games[tournament.blocks[number], rotation])
            for number in sorted(tournament.results)
            for rotation in range(len(tournament.results[number]))
        ]
        bare = figures(tournament, table_bands.none(tournament.plan), 0)
        header = {
            "export": tournament_file.EXPORT,
            "tournament_id": tournament.id,
            "version": tournament.version,
            "status": tournament.status,
            "games": len(ended),
            "receipt": records.SIGNER.head(tournament),
            "public_key": records.SIGNER.public_key.hex(),
            "report": report(tournament) if tournament.over else bare,
        }
        return [header, *self._copies(), *(line for game in ended for line in _lines(game))]

    def _copies(self) -> list[JsonObject]:
        head, copies = genesis(ID), []
        for event in self.events:
            copies.append(copy_for(None, event, head, self.secrets.salt, Access(), event.seq))
            head = event.hash
        return copies


def _lines(game: Record) -> list[JsonObject]:
    return [game.header, *game.copies]


def _secrets_of(seed: str) -> Secrets:
    salt, chance = (digest(encode([*_named(seed), name])) for name in ("salt", "chance"))
    return Secrets(salt, chance)


def _named(seed: str) -> list[str]:
    return [FORMAT, "tournament", seed]


# Plans

FORMATS: Mapping[str, JsonObject] = {
    "round_robin": {"games": 6},
    "gauntlet": {"games": 4},
    "swiss": {"rounds": 2},
    "knockout": {"blocks": 1},
    "ladder": {"rounds": 2},
    "endless": {"games": 6, "house_games": 100},
    "compare": {"games": 8, "alpha_percent": 50, "beta_percent": 50, "margin_percent": 50},
}
ENTRIES = [{"bot": "greedy"}, {"bot": "random", "name": "one"}, {"bot": "random", "name": "two"}]
PLANS: Mapping[str, JsonObject] = {
    "usual": {},
    "by the wall": {"failures": {"seconds": 20}},
    "default moves": {"failures": {"then": "default_move", "disqualify_after": 2}},
    "nobody is out": {"failures": {"disqualify_after": 0, "processor_seconds": 60}},
    "all orders": {"rotations": "all"},
    "three seats": {"seats": 3},
    "wins": {"points": "wins", "tie_breaks": ["mean_score", "wins"]},
    "own luck": {"luck": "game", "rotations": "all"},
    "unrated": {"rated": False, "name": "A cup: ñandú"},
}
LUCKS = ("drawn", "given", "entropy", "all entropy")


def entropy_of(entry: int) -> bytes:
    return bytes([entry + 1] * 32)


def planned(format_: str, luck: str, plan: str) -> Plan:
    """Return a plan, with entropy of no entry, of the second, or of all."""
    giving = {"entropy": (1,), "all entropy": range(3)}.get(luck, ())
    committed = {entry: entropy_commitment(None, entry, entropy_of(entry)) for entry in giving}
    entries = [
        {**entry, "entropy_commitment": committed[n].hex()} if n in committed else entry
        for n, entry in enumerate(ENTRIES[: 2 if format_ == "compare" else 3])
    ]
    asked: JsonObject = {
        "ruleset": "sealed", "seats": 2, "entries": entries,
        "format": {"type": format_, **FORMATS[format_]}, **PLANS[plan],
    }  # fmt: skip
    if luck == "given":
        asked["seed"] = GIVEN
    made = make(TournamentRequest.of(asked), records.REGISTRY, BOTS, OPTIONS)
    format_of(made).check(made)
    return made


# Events while it runs


def first_open(cup: Cup) -> Block:
    return cup.tournament.open_blocks()[0]


def is_paused(cup: Cup) -> None:
    cup.pause()
    cup.resume()


def is_paused_while_playing(cup: Cup) -> None:
    """Pause, and let a worker end its current block."""
    cup.declare()
    block = first_open(cup)
    cup.pause()
    cup.play(block)
    cup.resume()


def is_extended(cup: Cup) -> None:
    if format_of(cup.tournament.plan).takes_more:
        cup.extend(2)


def is_abandoned(cup: Cup, times: int) -> None:
    """Stop a bot or lose a game; after three times the service pauses, and the host resumes."""
    if cup.tournament.plan.failures.processor_seconds is None:
        return
    for time in range(times):
        cup.abandon(first_open(cup), ("killed", "starved", DAMAGED)[time % 3])
    if cup.tournament.status == "paused":
        cup.resume()


def one_is_withdrawn(cup: Cup) -> None:
    """Withdraw an entry after a block, if the tournament has started."""
    if cup.tournament.status == "running":
        cup.play(first_open(cup))
        if not cup.tournament.over:
            cup.withdraw(2 if len(cup.tournament.plan.entries) > 2 else 1)


def all_crash(cup: Cup) -> None:
    for entry in range(len(cup.tournament.plan.entries)):
        cup.fails(entry, CRASHED)


def last_is_first(cup: Cup) -> None:
    cup.play(cup.tournament.open_blocks()[-1])


INCIDENTS: Mapping[str, Callable[[Cup], None]] = {
    "nothing": lambda cup: None,
    "a pause": is_paused,
    "a pause while playing": is_paused_while_playing,
    "more games": is_extended,
    "other code": lambda cup: cup.declare(rules_digest=LATER_CODE),
    "a block again": partial(is_abandoned, times=1),
    "a block again and again": partial(is_abandoned, times=4),
    "the last first": last_is_first,
    "one withdrawn": one_is_withdrawn,
    **{
        f"one is {cause}": partial(Cup.fails, entry=1, cause=cause)
        for cause in (CRASHED, ILLEGAL, TOO_SLOW)
    },
    "all crash": all_crash,
}


# Ends


def is_left_paused(cup: Cup) -> None:
    cup.pause()


def is_cancelled_while_paused(cup: Cup) -> None:
    cup.pause()
    cup.cancel()


def is_paused_by_the_service(cup: Cup) -> None:
    for _ in range(3):
        cup.abandon(first_open(cup))


def is_cancelled_in_a_block(cup: Cup) -> None:
    """Cancel it when only the second of the open blocks has been played."""
    last_is_first(cup)
    if not cup.tournament.over:
        cup.cancel()


class End(NamedTuple):
    """The end of a tournament: after a number of blocks, or before it starts (None)."""

    blocks: int | None
    stops: Callable[[Cup], None]


ENDS: Mapping[str, End] = {
    "waits for entropy": End(None, INCIDENTS["nothing"]),
    "is extended before": End(None, is_extended),
    "is cancelled before": End(None, Cup.cancel),
    "has just begun": End(0, INCIDENTS["nothing"]),
    "goes on": End(1, INCIDENTS["nothing"]),
    "is paused": End(1, is_left_paused),
    "is paused by the service": End(1, is_paused_by_the_service),
    "is cancelled at once": End(0, Cup.cancel),
    "is cancelled": End(1, Cup.cancel),
    "is cancelled in a block": End(0, is_cancelled_in_a_block),
    "is cancelled while paused": End(1, is_cancelled_while_paused),
    "is played to the end": End(1, Cup.play_on),
}


class Course(NamedTuple):
    """The course of a tournament: its plan, its events, its end."""

    format: str = "round_robin"
    luck: str = "drawn"
    plan: str = "usual"
    incidents: tuple[str, ...] = ()
    end: str = "is played to the end"

    @property
    def possible(self) -> bool:
        """Whether this course is possible."""
        waits = ENDS[self.end].blocks is None
        return (
            (not waits or ("entropy" in self.luck and not self.incidents))
            and (self.plan != "three seats" or self.format != "compare")
            and (self.plan != "by the wall" or self.end != "is paused by the service")
        )

    def __str__(self) -> str:
        return ", ".join((self.format, self.luck, self.plan, *self.incidents, self.end))


def held(course: Course) -> Cup:
    """Return a tournament with this course."""
    plan = planned(course.format, course.luck, course.plan)
    cup = Cup(plan, GIVEN if course.luck == "given" else None, str(course))
    blocks, stops = ENDS[course.end]
    owing = cup.tournament.owing_entropy()
    for entry in owing if blocks is not None else owing[:-1]:
        cup.reveal(entry)
    for incident in course.incidents:
        if not cup.tournament.over:
            INCIDENTS[incident](cup)
    cup.play_on(blocks or 0)
    if not cup.tournament.over:
        stops(cup)
    return cup


FEW = [
    Course(
        "round_robin", "entropy", "usual", ("a pause", "a block again", "other code", "more games")
    ),
    Course("gauntlet", "given", "by the wall", ("one is too_slow", "the last first")),
    Course("swiss", "drawn", "all orders", ("one is crashed",)),
    Course("knockout", "all entropy", "three seats"),
    Course("ladder", "drawn", "default moves", ("one is illegal", "a pause while playing")),
    Course("compare", "drawn", "wins"),
    Course("endless", "entropy", "unrated", ("a block again",)),
    Course("round_robin", "given", "own luck", ("one withdrawn", "other code")),
    Course("round_robin", "given", "unrated", ("all crash", "a block again and again")),
    *(Course("round_robin", "all entropy", "nobody is out", end=end) for end in ENDS),
]
"""Courses in which every kind of event occurs once."""

COURSES = dict.fromkeys(
    course
    for course in [
        *FEW,
        *(Course(f, luck, end=end) for f, luck, end in product(FORMATS, LUCKS, ENDS)),
        *(Course(f, "drawn", plan) for f, plan in product(FORMATS, PLANS)),
        *(
            Course(f, "drawn", "usual", (incident,), end)
            for f, incident, end in product(FORMATS, INCIDENTS, ENDS)
        ),
    ]
    if course.possible
)
"""Courses with all ways to begin and to end, and the events between them."""


@cache
def honest(course: Course) -> list[JsonObject]:
    """Return the lines of the record of a tournament."""
    return held(course).record()
