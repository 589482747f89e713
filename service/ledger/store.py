"""Reads and appends a game's stream: what is in Redis, without any meaning."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from redis import Redis
from redis.exceptions import NoScriptError, RedisError

from rules.kernel.canonical import FORMAT, digest, encode
from rules.kernel.record.events import Event, dump, load, new_tuple, unreadable
from rules.kernel.record.secrets import Secrets
from service import clock
from service.ids import shard_of
from service.ledger import lists
from service.ledger.damage import Damage
from service.ledger.keys import game_key, meta_key, shard_key
from service.ledger.lists import Listing
from service.ledger.vault import Vault

RETRY_BYTES = 16
MISSED = 500
"""How many missed events an append sends back at most; more are read by range."""

KEPT = "kept"
"""The hash beside a stream for what is appended together with its events, and follows from them."""

NEAR = 4
"""It costs less to read so many events than to ask once more."""

NOTHING_KEPT: Mapping[str, bytes] = MappingProxyType({})

WAIT_MS = 1_000
"""How long an append waits for replicas, if it has to."""

LOWERED = meta_key("replicas_to_wait")
"""Holds how many replicas all processes wait for at most, if an operator has lowered it."""

_SCRIPT = lists.SCRIPT + resources.files("service.ledger").joinpath("append.lua").read_text()


class TooFewReplicasError(RedisError):
    """Fewer replicas than asked for hold an event in time; a retry may find that they do."""


class Retry(NamedTuple):
    """What is remembered of a request, so that it can be repeated: 16 bytes each.

    ``key`` stands for (caller, idempotency key), ``fingerprint`` for the body.
    """

    key: bytes
    fingerprint: bytes

    @classmethod
    def of(cls, caller: str, idempotency_key: str, fingerprint: bytes) -> Self:
        """Return what is stored of a request: keys are scoped by caller and kept hashed."""
        key = digest(encode([FORMAT, "retry", caller, idempotency_key]))
        return cls(key[:RETRY_BYTES], fingerprint[:RETRY_BYTES])


class Stored(NamedTuple):
    """An event as it lies in the stream, with the retry it answers, if any."""

    event: Event
    retry: Retry | None


class Obligations(NamedTuple):
    """What the service owes a game after a batch, in ms since 1970; None: nothing.

    ``due``: from when a worker should answer for automatic seats. ``deadline``: when somebody's
    time is up.
    """

    due: int | None
    deadline: int | None


class Done(NamedTuple):
    """The batch is in the stream."""


class Repeated(NamedTuple):
    """The request was answered before, by the batch that begins with ``first``."""

    first: Stored


class Behind(NamedTuple):
    """Others appended first; ``missed`` are the next events, perhaps not all of them."""

    missed: list[Stored]


class Diverged(NamedTuple):
    """The stream does not hold the event that the caller builds on: it was rewound."""


class Gone(NamedTuple):
    """The game was moved to the archive."""


class Damaged(NamedTuple):
    """The game is suspended, because its stream holds what cannot be believed."""


class OffTime(NamedTuple):
    """The batch's time is not the store's, which ``Store.clock`` knows by now: stamp it again."""


Outcome = Done | Repeated | Behind | Diverged | Gone | Damaged | OffTime
_OUTCOMES: dict[bytes, Outcome] = {
    b"done": Done(), b"diverged": Diverged(), b"gone": Gone(), b"damaged": Damaged(),
    b"off": OffTime(),
}  # fmt: skip


class Look(NamedTuple):
    """What a game's stream tells, and what is known to be wrong with it.

    ``repeated`` is the event that answered the request that was asked about. ``indexed`` says how
    many fields the game's index has, if the stream was read from its beginning.
    """

    missed: list[Stored] | Diverged
    damage: Damage | None
    repeated: Stored | None
    indexed: int | None


class Store:
    """The streams of all games in one Redis (or cluster).

    ``replicas``: how many must hold an event before it counts as acknowledged, unless an operator
    lowers it. ``clock`` is what events are stamped by.
    """

    def __init__(
        self,
        redis: Redis,
        vault: Vault | None = None,
        *,
        replicas: int = 0,
        tail_length: int = 10_000,
    ) -> None:
        self.redis = redis
        self.clock = clock.StoreClock(self._ask_time)
        self._raw = Redis(connection_pool=redis.connection_pool)
        for command in ("XRANGE", "XREVRANGE"):
            self._raw.set_response_callback(command, lambda reply, **_options: reply)
        self._vault = vault or Vault()
        self._replicas = replicas
        self._asked = replicas
        self._tail_length = tail_length
        self._sha = ""

    def append(
        self,
        game_id: str,
        base_seq: int,
        base_hash: bytes,
        events: Sequence[Event],
        obligations: Obligations,
        *,
        retry: Retry | None = None,
        listing: Listing | None = None,
        secrets: Secrets | None = None,
        seen: bool = False,
        ends_damaged: bool = False,
        kept: Mapping[str, bytes] = NOTHING_KEPT,
    ) -> Outcome:
        """Append a batch in one round trip, if the stream still ends at (seq, hash) of its base.

        ``secrets`` come with the batch that creates the game; ``listing`` says where lists
        have it from now on (None: as before); ``seen`` is true of what players may say to have
        seen. Only what ``ends_damaged`` is appended to a damaged game. ``kept`` are fields of the
        hash ``kept`` beside the stream, which follow from it.
        """
        keys = [game_key(game_id, name) for name in ("events", "secrets", "tombstone", "damage")]
        shard = shard_of(game_id)
        keys += [
            shard_key(shard, name)
            for name in ("due", "deadlines", lists.LISTS, lists.LISTED, "tail")
        ]
        keys.append(game_key(game_id, "index"))
        if kept:
            keys.append(game_key(game_id, KEPT))
        args: list[Any] = [
            game_id, base_seq, base_hash, MISSED,
            _or_empty(obligations.due), _or_empty(obligations.deadline),
            "" if listing is None else listing.dump(), self._tail_length, clock.TOLERANCE_MS,
            "1" if ends_damaged else "",
            *(("", "") if secrets is None else (self._vault.wrap(s, game_id) for s in secrets)),
            "1" if seen else "", b"" if retry is None else _retry_field(retry),
            2 * len(kept), *chain.from_iterable(kept.items()),
        ]  # fmt: skip
        remembered = b"" if retry is None else retry.key + retry.fingerprint
        for event in events:
            args += [*dump(event), remembered]
            remembered = b""
        sent = clock.steady_ms()
        reply = self._run(keys, args)
        self.clock.heard(sent, int(reply[1]))
        match reply:
            case b"behind", _, missed:
                return Behind(_entries(missed))
            case b"answered", _, found:
                return Repeated(_entries(found)[0])
        return _OUTCOMES[reply[0]]

    def _ask_time(self) -> int:
        return _ms(self.redis.time())

    def _run(self, keys: list[str], args: list[Any]) -> Any:
        try:
            return self.redis.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            self._sha = self.redis.script_load(_SCRIPT)
            return self.redis.evalsha(self._sha, len(keys), *keys, *args)

    def confirm(self, game_id: str) -> None:
        """Return when enough replicas hold all that was appended to the game.

        Raises:
            TooFewReplicasError: they do not, within ``WAIT_MS``.

        """
        if not self._replicas:
            return
        asked = self._asked
        pipe = self.redis.pipeline(transaction=False)
        pipe.get(LOWERED)
        # WAIT is for the writes of its own connection, and replicas get all writes in order.
        pipe.set(shard_key(shard_of(game_id), "confirmed"), b"")
        pipe.wait(asked, WAIT_MS)
        lowered, _set, holding = pipe.execute()
        self._asked = min(self._replicas, int(lowered)) if lowered else self._replicas
        if holding >= self._asked:
            return
        if self._asked > asked:  # it is not lowered so far any more
            self.confirm(game_id)
            return
        raise TooFewReplicasError(f"{holding} of {self._asked} replicas hold {game_id}")

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events with ``seq`` greater than ``after``, oldest first."""
        count = () if limit is None else ("COUNT", limit)
        key = game_key(game_id, "events")
        return _entries(self._raw.execute_command("XRANGE", key, f"{after + 1}-0", "+", *count))

    def read_after(self, game_id: str, seq: int, hash_: bytes) -> list[Stored] | Diverged:
        """Return the events that follow the event ``seq`` with this hash, if the stream holds it.

        ``seq`` 0 is the beginning, which all streams hold.
        """
        if seq == 0:
            return self.read(game_id)
        found = self.read(game_id, seq - 1)
        return found[1:] if found and _is(found[0], seq, hash_) else Diverged()

    def look(self, game_id: str, seq: int, hash_: bytes, retry: Retry | None = None) -> Look:
        """Return what ``read_after`` does, the game's damage and more, in one round trip.

        It also tells the clock.
        """
        index = game_key(game_id, "index")
        pipe = self._raw.pipeline(transaction=False)
        pipe.execute_command("XRANGE", game_key(game_id, "events"), f"{max(seq, 1)}-0", "+")
        pipe.get(game_key(game_id, "damage"))
        pipe.time()
        if seq == 0:
            pipe.hlen(index)
        if retry is not None:
            pipe.hget(index, _retry_field(retry))
        sent = clock.steady_ms()
        entries, damage, told, *more = pipe.execute()
        self.clock.heard(sent, _ms(told))
        found: list[Stored] | Diverged = _entries(entries)
        if seq > 0:
            found = found[1:] if found and _is(found[0], seq, hash_) else Diverged()
        repeated = self._answering(game_id, retry, more[-1] if retry is not None else None)
        return Look(found, Damage.load(damage), repeated, more[0] if seq == 0 else None)

    def repeated(self, game_id: str, retry: Retry) -> Stored | None:
        """Return the first event of the batch that answered this request, if one did."""
        first: Any = self.redis.hget(game_key(game_id, "index"), _retry_field(retry))
        return self._answering(game_id, retry, first)

    def _answering(self, game_id: str, retry: Retry | None, first: bytes | None) -> Stored | None:
        """Read the event ``first``, which a stream that was rewound may not hold any more."""
        if retry is None or first is None:
            return None
        for stored in self.read(game_id, int(first) - 1, 1):
            if stored.retry is not None and stored.retry.key == retry.key:
                return stored
        return None

    def has_hash(self, game_id: str, wanted: bytes, likely: int, until: int) -> bool:
        """Whether an event up to ``until`` has this hash; ``likely`` is looked at first."""
        if self._has(game_id, wanted, likely, until):
            return True
        seq: Any = self.redis.hget(game_key(game_id, "index"), _hash_field(wanted))
        return seq is not None and self._has(game_id, wanted, int(seq), until)

    def _has(self, game_id: str, wanted: bytes, seq: int, until: int) -> bool:
        found = self.read(game_id, seq - 1, 1) if 0 < seq <= until else []
        return any(_is(stored, seq, wanted) for stored in found)

    def indexed(self, game_id: str) -> int:
        """Return how many fields the index of a game has."""
        return int(self.redis.hlen(game_key(game_id, "index")))

    def index(self, game_id: str, stored: Sequence[Stored]) -> None:
        """Write the whole index of a game anew; it has ``index_size`` fields then."""
        key = game_key(game_id, "index")
        for page in range(0, len(stored), MISSED):
            self.redis.hset(key, mapping=_fields(stored[page : page + MISSED]))

    def read_before(
        self, game_id: str, seq: int, hash_: bytes, after: int, limit: int
    ) -> list[Stored] | Diverged:
        """Return events as ``read`` does, of a stream that holds the later event ``seq``.

        What is read belongs to the same history then.
        """
        key = game_key(game_id, "events")
        pipe = self._raw.pipeline(transaction=False)  # a full server takes no transactions
        pipe.execute_command("XRANGE", key, f"{after + 1}-0", f"{seq}-0", "COUNT", limit)
        pipe.execute_command("XRANGE", key, f"{seq}-0", f"{seq}-0")
        found, newest = (_entries(reply) for reply in pipe.execute())
        return found if newest and _is(newest[0], seq, hash_) else Diverged()

    def newest(self, game_id: str) -> int:
        """Return the ``seq`` of a game's newest event, 0 if there is no such game."""
        found: Any = self.redis.xrevrange(game_key(game_id, "events"), count=1)
        return int(found[0][0].partition(b"-")[0]) if found else 0

    def newest_event(self, game_id: str) -> Event | None:
        """Return a stream's newest event, None if there is no such stream."""
        return self.newest_events([game_id])[0]

    def newest_events(self, game_ids: Iterable[str]) -> list[Event | None]:
        """Return the newest event of each stream, in one round trip."""
        pipe = self._raw.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.execute_command("XREVRANGE", game_key(game_id, "events"), "+", "-", "COUNT", 1)
        return [entry[0].event if (entry := _entries(reply)) else None for reply in pipe.execute()]

    def events_at(self, game_id: str, seqs: Sequence[int]) -> list[Event]:
        """Return the events with these ``seq`` that there are, in one round trip.

        Events that lie near each other are read at once, with what is between them.
        """
        key, pipe = game_key(game_id, "events"), self._raw.pipeline(transaction=False)
        for run in _runs(sorted(seqs)):
            pipe.execute_command("XRANGE", key, f"{run[0]}-0", f"{run[-1]}-0")
        found = [stored.event for reply in pipe.execute() for stored in _entries(reply)]
        wanted = set(seqs)
        return [event for event in found if event.seq in wanted]

    def damage(self, game_id: str) -> Damage | None:
        """Return what is known to be wrong with a game's stream."""
        found: Any = self.redis.get(game_key(game_id, "damage"))
        return Damage.load(found)

    def note_damage(self, game_id: str, damage: Damage | None) -> None:
        """Suspend a game until an operator ends it, or (None) let it go on.

        Nothing is owed to a suspended game.
        """
        key, shard = game_key(game_id, "damage"), shard_of(game_id)
        if damage is None:
            self.redis.delete(key)
            return
        pipe = self.redis.pipeline(transaction=True)
        pipe.set(key, damage.dump())
        pipe.delete(game_key(game_id, "snapshots"))
        for name in ("due", "deadlines"):
            pipe.zrem(shard_key(shard, name), game_id)
        pipe.execute()

    def secrets(self, game_id: str) -> Secrets | None:
        """Return a game's secrets, None if there is no such game."""
        found: Any = self.redis.hmget(game_key(game_id, "secrets"), "salt", "chance_seed")
        salt, seed = found
        if salt is None or seed is None:
            return None
        return Secrets(self._vault.unwrap(salt, game_id), self._vault.unwrap(seed, game_id))


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    """Return ascending numbers in runs without wide gaps."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number - runs[-1][-1] <= NEAR:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def index_size(stored: Iterable[Stored]) -> int:
    """Return how many fields index these events: one for each hash, and for each request."""
    return sum(1 + (retry is not None) for _event, retry in stored)


def _fields(stored: Iterable[Stored]) -> dict[Any, int]:
    fields = {}
    for event, retry in stored:
        fields[_hash_field(event.hash)] = event.seq
        if retry is not None:
            fields[_retry_field(retry)] = event.seq
    return fields


def _hash_field(hash_: bytes) -> bytes:
    """Return the field that names an event by its hash; the script writes the same."""
    return b"h" + hash_[:8]


def _retry_field(retry: Retry) -> bytes:
    return b"r" + retry.key


def _ms(time: tuple[int, int]) -> int:
    seconds, microseconds = time
    return seconds * 1000 + microseconds // 1000


def _is(stored: Stored, seq: int, hash_: bytes) -> bool:
    return stored.event.seq == seq and stored.event.hash == hash_


def _or_empty(value: int | None) -> int | str:
    return "" if value is None else value


def _entries(reply: Iterable[tuple[bytes, list[bytes]]]) -> list[Stored]:
    """Read entries as the server sends them, [id, [name, value, …]]: folding is a hot path."""
    stored = []
    for entry_id, fields in reply:
        seq = int(entry_id.partition(b"-")[0])
        try:
            retry = Retry(fields[5][:RETRY_BYTES], fields[5][RETRY_BYTES:]) if fields[5:] else None
            stored.append(new_tuple(Stored, (load(seq, fields[1], fields[3]), retry)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            named = dict(zip(fields[::2], fields[1::2], strict=False))
            stored.append(Stored(unreadable(seq, named.get(b"p", b"")), None))
    return stored
