"""The tournament aggregate: the state folded from one tournament's stream.

Folding checks nothing, because everything was checked before it was recorded (``course``);
``verify`` checks foreign records.
"""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import REVEAL
from rules.kernel.record.events import Event, genesis
from rules.kernel.record.secrets import is_committed
from rules.kernel.toolbox.standings import ranks
from service import ids
from service.process.limits import SERVICE_REASONS
from service.tournaments.plan import ALL, MAX_ENTRIES, OF_GAME, Plan, PlayerEntry, entry_of

OPEN, RUNNING, PAUSED, ENDED, CANCELLED = "open", "running", "paused", "ended", "cancelled"
FULL = "full"
"""The reason of the end of a part that is followed by another one."""
STATUSES = (OPEN, RUNNING, PAUSED, ENDED, CANCELLED)

TRIES = 3
"""Number of abandoned tries at a block after which the service pauses the tournament."""

ENTROPY: JsonObject = {"mode": REVEAL, "seconds": 300}
"""The entropy mode of a tournament's games: only the entries bring entropy."""


class TournamentNotFoundError(LookupError):
    """There is no tournament with this id."""


class TournamentDamagedError(RuntimeError):
    """The stream of a tournament cannot be folded; only the operator can restore it."""

    def __init__(self, tournament_id: str, reason: str) -> None:
        super().__init__(f"{tournament_id} is damaged: {reason}")


class Block(NamedTuple):
    """The games of a line-up; ``lineup`` has the entry on each seat of the first game.

    They share their luck, unless the plan gives each game luck of its own. ``try_`` is the number
    of the current try, from 1. An abandoned try does not count, and the next one has new games and
    new luck.
    """

    number: int
    round: int
    lineup: tuple[int, ...]
    try_: int = 1

    def tries(self) -> "list[Block]":
        """Return every try at the block so far, the current one last."""
        return [self._replace(try_=number) for number in range(1, self.try_ + 1)]

    def seatings(self, rotations: str) -> list[tuple[int, ...]]:
        """Return the entries by seat, for each game of the block."""
        seats = len(self.lineup)
        if rotations == ALL:
            return list(dict.fromkeys(itertools.permutations(self.lineup)))
        return [self.lineup[shift:] + self.lineup[:shift] for shift in range(seats)]


class GameResult(NamedTuple):
    """The result of a game of a block; lists are by seat.

    ``failures`` are those of ``failure_of``; ``cpu_us`` is the bots' thinking time, in
    microseconds of processor time: measured, not proven.
    """

    version: int
    head: str
    ranks: list[int]
    scores: list[int]
    failures: list[list[Any]]
    cpu_us: list[int]


TIMED_OUT = "timed_out"
"""The reason of a failure of a player whose time was up; those of bots are their errors."""


def failure_of(kind: str, body: Mapping[str, Any]) -> list[Any] | None:
    """Return ``[seat, decision, reason]`` of an event of a game, None if it is no failure.

    ``body`` has the values of the event's parts.
    """
    if kind == "bot_failed":
        return [body["failure"]["seat"], body["failure"]["decision"], body["error"]]
    if kind == TIMED_OUT:
        return [body["time_out"]["seat"], body["time_out"]["decision"], TIMED_OUT]
    return None


OUTAGE = "outage"
"""The reason of a try that was abandoned because the service was away while a player decided."""
STOP_REASONS = (*SERVICE_REASONS, OUTAGE)
"""The reasons of tries that were abandoned because a bot failed through no fault of its own."""


class Abandonment(NamedTuple):
    """A try at a block does not count: a bot failed through no fault of its own, or a game is lost.

    ``reason`` is one of ``STOP_REASONS``, or ``DAMAGED`` if an operator has ended the game of
    ``rotation`` as damaged; then ``seat`` and ``decision`` are None. ``games`` has the games of the
    try, in the order of their rotations: the last version and head of each game, or None if the
    game had not begun.
    """

    rotation: int
    seat: int | None
    decision: int | None
    reason: str
    games: list[tuple[int, str] | None]

    def to_json(self, block: Block) -> JsonObject:
        """Return the body of the event ``block_abandoned`` for a try at ``block``."""
        games = [None if g is None else {"version": g[0], "head": g[1]} for g in self.games]
        told = {name: value for name, value in self._asdict().items() if value is not None}
        return {"block": block.number, "try": block.try_, **told, "games": games}


def ranks_and_scores(result: JsonObject, seats: int) -> tuple[list[int], list[int]]:
    """Return ranks and scores by seat from a game's result; automata are left out."""
    by_side = {standing["side"]: standing for standing in result["standings"]}
    found = [by_side[f"seat:{seat}"] for seat in range(seats)]
    return ranks([-one["rank"] for one in found]), [one["score"] for one in found]


class GameOutcome(NamedTuple):
    """One counted game: entries by seat, and the result."""

    block: int
    rotation: int
    seating: tuple[int, ...]
    result: GameResult


WITHDRAWN = "withdrawn"
"""The reason of an entry that its host or its owner withdrew, or that a new version replaced.

All other reasons are those of failures.
"""


class Disqualification(NamedTuple):
    """An entry is out after a block; its later games do not count.

    It was withdrawn (``WITHDRAWN``), or it failed too often.
    """

    entry: int
    block: int
    reason: str


class Part(NamedTuple):
    """What a part of an endless tournament begins with.

    ``number`` counts from 1. ``before`` is ``{"tournament_id", "version", "head"}`` of the last
    event of the part before. ``games`` has the games of each entry in all parts before. ``pairs``
    has ``[first, second, ahead, behind]`` for each pair of entries that met there, where a game in
    which one was ahead counts 2, and a tie counts 1 for both.
    """

    number: int
    before: JsonObject | None
    games: list[int]
    pairs: list[list[int]]

    def to_json(self) -> JsonObject:
        """Return the part as the event ``created`` has it."""
        standing = {"games": self.games, "pairs": self.pairs}
        return {"number": self.number, "before": self.before, "standing": standing}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the result of ``to_json``."""
        return cls(data["number"], data["before"], **data["standing"])


class Tournament:
    """One tournament as of ``version``."""

    __slots__ = (
        "_counted", "_settled", "abandoned", "at", "available", "blocks", "blocks_of", "byes",
        "closed", "codes", "commitment", "created_at", "created_by", "disqualified", "entropy",
        "games_more", "head", "id", "kept", "never_played", "part", "pausing", "plan", "reason",
        "results", "retried", "rounds", "scope", "seed", "started_at", "started_with", "status",
        "stopped_after", "version",
    )  # fmt: skip

    def __init__(self, tournament_id: str) -> None:
        self.id = tournament_id
        self.version = 0
        self.head = genesis(tournament_id)
        self.at = ""
        self.status = OPEN
        self.plan: Plan
        self.part: Part | None = None
        """Only of an endless tournament."""
        self.scope = ""
        """The chance scope of its draws; the names of its blocks' scopes begin with it."""
        self.commitment = ""
        self.created_at = ""
        self.started_at = ""
        self.created_by: JsonObject = {}
        self.closed = False
        """Whether the host has closed it for entries of owners."""
        self.started_with = 0
        """The number of entries at the start, on whose entropy the luck depends."""
        self.available: list[int] = []
        """The players of an endless tournament who may be paired, each for one block, in the
        events ``paired`` that come at once."""
        self.entropy: dict[int, bytes] = {}
        self.codes: list[JsonObject] = []
        """The declared code, oldest first:
        ``{"rules_digest", "bots": [{bot, version, digest}]}``."""
        self.rounds = 0
        self.blocks: dict[int, Block] = {}
        self.byes: list[tuple[int, ...]] = []
        """The entries with a bye, by round."""
        self.results: dict[int, list[GameResult]] = {}
        self.abandoned: dict[int, int] = {}
        """By entry, the number of tries that were abandoned because one of its bots was stopped."""
        self.blocks_of: dict[int, int] = {}
        """By entry, the number of tries at its blocks, ended and abandoned ones together."""
        self.retried = 0
        """Number of blocks that have abandoned tries."""
        self.pausing: int | None = None
        """The block with so many abandoned tries that the tournament has to pause; else None."""
        self.disqualified: dict[int, Disqualification] = {}
        self.never_played: list[int] = []
        """The entries that were withdrawn before the start."""
        self.games_more = 0
        """The number of games that the host added to the games of the plan."""
        self.stopped_after: int | None = None
        """The last block that counts, once the tournament has ended."""
        self.reason = ""
        self.seed: bytes | None = None
        self.kept: dict[str, Any] = {}
        """Results about settled blocks, cached by ``course`` and ``formats`` so that they examine
        each block once. Values follow from the events, and are replaced but never changed."""
        self._settled = 0
        self._counted = 0
        """Number of games of settled blocks that count."""

    def fork(self) -> Self:
        """Return a copy, to which events can be applied tentatively."""
        new = type(self)(self.id)
        for name in self.__slots__:
            if hasattr(self, name):
                value = getattr(self, name)
                setattr(new, name, value.copy() if isinstance(value, dict | list) else value)
        return new

    # Queries

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in (ENDED, CANCELLED)

    @property
    def may_have_unended(self) -> bool:
        """Whether it is over, and games of it may have begun that will not be played to the end."""
        return self.status == CANCELLED or (self.over and len(self.results) < len(self.blocks))

    @property
    def is_full(self) -> bool:
        """Whether it is a part of an endless tournament that another part follows."""
        return self.plan.is_endless and self.status == ENDED and self.reason == FULL

    def has_declared(self, code: JsonObject) -> bool:
        """Whether the code of the rules and of all bots in ``code`` is declared already.

        ``code`` has ``rules_digest`` and ``bots``, a list of ``{bot, version, digest}``.
        """
        rules = {known["rules_digest"] for known in self.codes}
        declared = self.declared_bots()
        return code["rules_digest"] in rules and all(bot in declared for bot in code["bots"])

    def declared_bots(self) -> list[JsonObject]:
        """Return the declared code of bots, each as ``{bot, version, digest}``."""
        return [bot for known in self.codes for bot in known["bots"]]

    def takes_entries(self, player: str | None = None) -> bool:
        """Whether owners may enter their bots now.

        In an endless tournament, bots that are out leave their places, and a new version of
        ``player`` takes that of the old one.
        """
        plan = self.plan
        if plan.places is None or len(plan.entries) >= MAX_ENTRIES:
            return False
        if not plan.is_endless:
            left = len(self.entries_left())
            return self.status == OPEN and left < plan.places and not self.closed
        others = [one for one in self.staying() if plan.players_in([one]) != {player}]
        return not self.over and len(others) < plan.places

    def staying(self) -> list[int]:
        """Return the entries of an endless tournament that the next part has, too.

        They are the bots of the service, and the players that are not out.
        """
        entries = range(len(self.plan.entries))
        return [
            one
            for one in entries
            if one not in self.disqualified or not self.plan.has_players([one])
        ]

    @property
    def is_filled(self) -> bool:
        """Whether an endless tournament has no row for another entry, and its next part has."""
        return len(self.plan.entries) >= MAX_ENTRIES > len(self.staying())

    def can_enter(self, player: str, version: str) -> bool:
        """Whether a player with a version may be entered, for all that is entered already.

        In an endless tournament a new version may be entered; the old one is then out. No version
        is entered twice, so that withdrawals do not use up the places. In any other, who was
        withdrawn before the start may be entered again.
        """
        return not any(
            isinstance(entry, PlayerEntry)
            and entry.player == player
            and not (
                entry.version != version if self.plan.is_endless else number in self.disqualified
            )
            for number, entry in enumerate(self.plan.entries)
        )

    def owing_entropy(self) -> list[int]:
        """Return the entries that have committed to entropy and have not revealed it."""
        return [
            number
            for number, entry in enumerate(self.plan.entries)
            if entry.entropy_commitment is not None and number not in self.entropy
        ]

    def has_committed(self, entry: int, entropy: bytes) -> bool:
        """Whether an entry's commitment was made from this entropy.

        The commitment may have been made for this tournament's id, or without an id.
        """
        committed = self.plan.entries[entry].entropy_commitment
        assert committed is not None  # noqa: S101 - the caller has seen that it owes some
        return is_committed(committed, self.id, entry, entropy, at_opening=True)

    def is_void(self, block: Block) -> bool:
        """Whether a block does not count: an entry is out, or the tournament ended before it.

        In an endless tournament, a block that had ended when the entry went out counts: otherwise
        owners could undo defeats.
        """
        if self.stopped_after is not None and block.number > self.stopped_after:
            return True
        if self.plan.is_endless and block.number in self.results:
            return False
        return any(
            entry in self.disqualified and self.disqualified[entry].block < block.number
            for entry in block.lineup
        )

    def open_blocks(self) -> list[Block]:
        """Return the blocks still to be played, in order."""
        unsettled = (self.blocks[n] for n in range(self._settled + 1, len(self.blocks) + 1))
        return [
            block
            for block in unsettled
            if block.number not in self.results and not self.is_void(block)
        ]

    def settled(self) -> int:
        """Return the number of leading blocks that are all played or void."""
        return self._settled

    def played_ahead(self) -> list[int]:
        """Return the played blocks after the first unsettled one, in order."""
        return [n for n in range(self._settled + 1, len(self.blocks) + 1) if n in self.results]

    def games_counted(self) -> int:
        """Return the number of counted games."""
        return self._counted + sum(map(self._count_of, self.played_ahead()))

    def _count_of(self, number: int) -> int:
        void = number not in self.results or self.is_void(self.blocks[number])
        return 0 if void else len(self.results[number])

    def outcomes(self) -> Iterator[GameOutcome]:
        """Yield the games that count, ordered by block and then by rotation."""
        for number in range(1, len(self.blocks) + 1):
            yield from self.outcomes_of(number)

    def outcomes_of(self, number: int) -> list[GameOutcome]:
        """Return a block's counted games, in the order of rotation."""
        block, results = self.blocks[number], self.results.get(number)
        if results is None or self.is_void(block):
            return []
        seatings = block.seatings(self.plan.rotations)
        return [
            GameOutcome(number, rotation, seating, result)
            for rotation, (seating, result) in enumerate(zip(seatings, results, strict=True))
        ]

    def plan_left(self) -> Plan:
        """Return the plan without the entries that are out."""
        left = [self.plan.entries[entry] for entry in self.entries_left()]
        return self.plan.replaced(left)

    def starters(self) -> list[int]:
        """Return the entries that were not withdrawn before the start."""
        return [
            number for number in range(len(self.plan.entries)) if number not in self.never_played
        ]

    def entries_left(self) -> list[int]:
        """Return the entries that are not out."""
        return [
            number for number in range(len(self.plan.entries)) if number not in self.disqualified
        ]

    def game_ids(self, block: Block) -> list[str]:
        """Return the ids of a block's games. They are derived from the positions of the games."""
        count = len(block.seatings(self.plan.rotations))
        return [game_id(self.id, block, rotation) for rotation in range(count)]

    # Folding

    def take(self, event: Event) -> None:
        """Fold the next event of a stream that may be damaged.

        Raises:
            TournamentDamagedError: the event is not the next one, or cannot be applied.
        """
        if event.seq != self.version + 1:
            raise TournamentDamagedError(self.id, f"event {event.seq} follows {self.version}")
        try:
            self.apply(event)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            reason = f"event {event.seq} cannot be applied: {type(error).__name__}: {error}"
            raise TournamentDamagedError(self.id, reason[:500]) from error

    def apply(self, event: Event) -> None:
        """Fold the next event."""
        value: Any = event.body[event.kind].value if event.kind in event.body else {}
        if event.kind != "paired":
            self.available = []
        self._FOLD[event.kind](self, event, value)
        self.version = event.seq
        self.head = event.hash
        self.at = event.at
        while (block := self.blocks.get(self._settled + 1)) is not None and (
            block.number in self.results or self.is_void(block)
        ):
            self._settled += 1
            self._counted += self._count_of(block.number)

    def _created(self, event: Event, value: JsonObject) -> None:
        self.plan = Plan.from_json(value["plan"])
        self.scope = value["chance"]["scope"]
        self.commitment = value["chance"]["commitment"]
        self.created_at = event.at
        self.created_by = event.by
        if "part" in value:
            self.part = Part.from_json(value["part"])

    def _entered(self, _event: Event, value: JsonObject) -> None:
        entered = entry_of(value["entry"])
        for number, entry in enumerate(self.plan.entries):
            replaced = isinstance(entry, PlayerEntry) and entry.player == value["entry"]["player"]
            if replaced and number not in self.disqualified:
                with self._voiding(self._settled):
                    self._take_out(Disqualification(number, self._settled, WITHDRAWN))
        self.plan = self.plan.with_entry(entered)

    def _entries_closed(self, _event: Event, _value: JsonObject) -> None:
        self.closed = True

    def _entropy_revealed(self, _event: Event, value: JsonObject) -> None:
        self.entropy[value["entry"]] = bytes.fromhex(value["entropy"])

    def _started(self, event: Event, _value: JsonObject) -> None:
        self.status = RUNNING
        self.started_at = event.at
        self.started_with = len(self.plan.entries)

    def _available(self, _event: Event, value: JsonObject) -> None:
        self.available = [*value["entries"]]

    def _code_declared(self, _event: Event, value: JsonObject) -> None:
        self.codes.append(value)

    def _paired(self, _event: Event, value: JsonObject) -> None:
        self.rounds += 1
        for lineup in value["lineups"]:
            number = len(self.blocks) + 1
            self.blocks[number] = Block(number, self.rounds, tuple(lineup))
            self.available = [entry for entry in self.available if entry not in lineup]
        self.byes.append(tuple(value["byes"]))

    def _block_ended(self, _event: Event, value: JsonObject) -> None:
        self.results[value["block"]] = [GameResult(**game) for game in value["games"]]
        self._note_try(self.blocks[value["block"]])

    def _block_abandoned(self, _event: Event, value: JsonObject) -> None:
        block = self.blocks[value["block"]]
        if "seat" in value:
            seating = block.seatings(self.plan.rotations)[value["rotation"]]
            entry = seating[value["seat"]]
            self.abandoned[entry] = self.abandoned.get(entry, 0) + 1
        self._note_try(block)
        self.retried += block.try_ == 1
        self.blocks[block.number] = block._replace(try_=block.try_ + 1)
        if block.try_ % TRIES == 0:
            self.pausing = block.number

    def _note_try(self, block: Block) -> None:
        for entry in {*block.lineup}:
            self.blocks_of[entry] = self.blocks_of.get(entry, 0) + 1

    def _disqualified(self, _event: Event, value: JsonObject) -> None:
        with self._voiding(value["block"]):
            self._take_out(Disqualification(**value))

    def _withdrawn(self, _event: Event, value: JsonObject) -> None:
        if self.status == OPEN:
            self.never_played = [*self.never_played, value["entry"]]
        with self._voiding(value["block"]):
            self._take_out(Disqualification(**value, reason=WITHDRAWN))

    def _take_out(self, out: Disqualification) -> None:
        self.disqualified[out.entry] = out

    def _paused(self, _event: Event, value: JsonObject) -> None:
        self.status = PAUSED
        self.reason = value.get("reason", "")
        self.pausing = None

    def _resumed(self, _event: Event, _value: JsonObject) -> None:
        self.status = RUNNING
        self.reason = ""
        self.pausing = None

    def _extended(self, _event: Event, value: JsonObject) -> None:
        self.games_more += value["games"]

    def _ended(self, _event: Event, value: JsonObject) -> None:
        self.status = ENDED
        self._stop(value)

    def _cancelled(self, _event: Event, value: JsonObject) -> None:
        self.status = CANCELLED
        self._stop(value)

    def _stop(self, value: JsonObject) -> None:
        self.reason = value["reason"]
        with self._voiding(value["after_block"]):
            self.stopped_after = value["after_block"]
        self.seed = bytes.fromhex(value["seed"])

    @contextmanager
    def _voiding(self, after: int) -> Iterator[None]:
        """Correct the number of counted games while the ``with`` statement voids blocks.

        The games of all blocks later than ``after`` are subtracted first. When the ``with``
        statement ends, the games of those blocks that still count are added.
        """
        again = range(after + 1, self._settled + 1)
        self._counted -= sum(map(self._count_of, again))
        yield
        self._counted += sum(map(self._count_of, again))

    _FOLD: ClassVar = {
        "created": _created,
        "entered": _entered,
        "entries_closed": _entries_closed,
        "entropy_revealed": _entropy_revealed,
        "started": _started,
        "code_declared": _code_declared,
        "available": _available,
        "paired": _paired,
        "block_ended": _block_ended,
        "block_abandoned": _block_abandoned,
        "disqualified": _disqualified,
        "withdrawn": _withdrawn,
        "paused": _paused,
        "resumed": _resumed,
        "extended": _extended,
        "ended": _ended,
        "cancelled": _cancelled,
    }


KINDS = tuple(Tournament._FOLD)  # noqa: SLF001 - its own table


def game_id(tournament_id: str, block: Block, rotation: int) -> str:
    """Return the id of a game, derived from its position, so that no game is played twice."""
    again = "" if block.try_ == 1 else f" try {block.try_}"
    return ids.game_id_for(tournament_id, f"block {block.number} rotation {rotation}{again}")


def chance_scope(tournament: Tournament, block: Block, rotation: int) -> str:
    """Return the chance scope of a game: its own, or that of all games of the try at the block."""
    if tournament.plan.luck == OF_GAME:
        return f"{tournament.scope}/{block.number}/{rotation}/{block.try_}"
    again = "" if block.try_ == 1 else f"/{block.try_}"
    return f"{tournament.scope}/{block.number}{again}"
