"""Records games as the service does: as batches of sealed events, with copies for viewers."""

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from laws.games import RulesEvent
from laws.law import Breach
from laws.tables import Table, registry_of
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.ruleset import ChanceEvent, MoveEvent
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import Event, copy_for, genesis
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms
from rules.kernel.record.secrets import Secrets

SECRETS = Secrets(b"salt".ljust(32, b"."), b"seed".ljust(32, b"."))
GAME_ID = "a_game"
PLAYERS = tuple(f"p{seat}" for seat in all_seats(8))
START_MS = 1_767_225_600_000  # 2026


class SigningKey(Protocol):
    """A key with which a player signs the moves of a seat."""

    @property
    def public(self) -> str:
        """The public key, in hexadecimal."""

    def move(
        self, game_id: str, seat: Seat, decision: int, head: str, move: JsonObject, /
    ) -> JsonObject:
        """Return the part ``signature`` of a move."""


class OutOfScriptError(Exception):
    """The script ends in the middle of a batch."""


@dataclass
class Stream:
    """The events of one game, and the game that is folded from these events."""

    game: Game
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, table: Table) -> Self:
        """Return the stream of a new game at this table."""
        return cls(Game(GAME_ID, registry_of(table.ruleset)))

    def append(self, batch: Batch) -> None:
        """Append the events of a batch."""
        events = batch.seal()
        for event in events:
            self.game.apply(event)
        self.events += events

    def prev_hash(self, seq: int) -> bytes:
        """Return the hash of the previous event."""
        return self.events[seq - 2].hash if seq > 1 else genesis(GAME_ID)

    def copies(self, viewer: Seat | None, version: int | None = None) -> list[JsonObject]:
        """Return the copy of each event up to ``version`` that ``viewer`` gets at that version."""
        version = self.game.version if version is None else version
        return [
            copy_for(
                viewer, event, self.prev_hash(event.seq), SECRETS.salt, self.game.access, version
            )
            for event in self.events[:version]
        ]


def batches(
    table: Table,
    script: Iterable[RulesEvent],
    stream: Stream,
    players: Sequence[str] = PLAYERS,
    *,
    take_back: bool = False,
    hints: bool = False,
    keys: Sequence[SigningKey] = (),
) -> Iterator[Batch]:
    """Yield the batches that play ``script``; the caller appends each before it takes the next.

    With ``take_back``, the table allows taking moves back; with ``hints``, asking for hints; with
    ``keys``, one for each seat, players sign their moves.
    """
    queue = deque(script)
    seconds = itertools.count()

    def nature(chance: Chance) -> tuple[int, ...]:
        if not queue:
            raise OutOfScriptError
        event = queue.popleft()
        if not isinstance(event, ChanceEvent) or (event.label, event.n) != (chance.label, chance.n):
            raise Breach(f"recorded, the game draws {chance.label} {chance.n}; played, it does not")
        return tuple(event.picks)

    def batch() -> Batch:
        return Batch(stream.game, SECRETS, from_ms(START_MS + 1000 * next(seconds)), nature)

    new = batch()
    by = {"player": players[0]}
    new.create(
        table.ruleset.info.id, table.seats, table.options, by, take_back=take_back, hints=hints,
        signatures=bool(keys),
    )  # fmt: skip
    yield new
    for seat in all_seats(table.seats):
        new, holder = batch(), {"player": players[seat]}
        new.sit(seat, holder, holder, key=keys[seat].public if keys else None)
        yield new
    while queue:
        event = queue.popleft()
        new = batch()
        if isinstance(event, MoveEvent) and new.game.seats[event.seat].resigned:
            new.default(event.seat, "resigned")
        elif isinstance(event, MoveEvent):
            by = {"player": players[event.seat]}
            record_move(new, event.seat, event.move.to_json(), by, keys)
        elif isinstance(event, ChanceEvent):
            raise Breach(f"played, the game draws {event.label} {event.n}; recorded, it does not")
        else:
            new.resign(event.seat, {"player": players[event.seat]})
        yield new


def record_move(
    batch: Batch, seat: Seat, move: JsonObject, by: JsonObject, keys: Sequence[SigningKey] = ()
) -> None:
    """Record a move in a batch, signed if there are ``keys``, one for each seat."""
    if not keys:
        batch.move(seat, move, by)
        return
    game, head = batch.game, batch.game.head.hex()
    signature = keys[seat].move(game.id, seat, game.asked[seat], head, move)
    batch.move(seat, move, by, expected_head=head, signature=signature)


def played(table: Table, script: Iterable[RulesEvent]) -> Stream:
    """Return the stream of the events in ``script``.

    If the script ends within a batch, the stream does not have that batch.
    """
    stream = Stream.of(table)
    try:
        for batch in batches(table, script, stream):
            stream.append(batch)
    except OutOfScriptError:
        pass
    return stream
