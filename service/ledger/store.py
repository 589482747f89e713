"""Reads and appends of a stream in Redis, without interpretation of its events."""

import secrets as os_secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.events import Event, dump, genesis, load, new_tuple, unreadable
from rules.kernel.record.secrets import Secrets
from service import clock
from service.ids import shard_of
from service.ledger import lists, places
from service.ledger.damage import Damage
from service.ledger.feeds import TAIL
from service.ledger.lists import Listing
from service.ledger.notices import LOWS, NO_NOTICES, Notices
from service.ledger.notices import dump as dump_notices
from service.ledger.origin import Origin
from service.ledger.terms import BESIDE
from service.ledger.unlisting import NoPastLists, PastLists
from service.ledger.vault import Vault
from service.metrics import APPEND_SECONDS, APPENDS, CONFIRM_SECONDS, UNCONFIRMED
from service.process.fair_queue import paced
from service.redis.client import is_of_another_type
from service.redis.commands import Commands, Word
from service.redis.keys import game_key, meta_key, shard_key
from service.redis.scripts import Script
from service.settings import ReplicasToWait

RETRY_BYTES = 16
MISSED = 500
"""Maximum number of missed events in an append's answer; further ones are read separately."""

KEPT = "kept"
"""The Redis hash beside a stream for derived data that are written together with its events."""

REPORT = "report_3"
"""The Redis hash beside a tournament with its newest report (``service.tournaments.report_store``).

If the form of reports changes, the key needs another name.
"""

DAMAGED = "damaged"
"""The set of a shard's damaged games, for counting them."""

ASIDE = "aside"
"""The key to which a damaged stream's bytes are moved when the game is ended."""

NEAR = 4
"""Number of events whose reading costs less than another round trip."""

NOTHING_KEPT: Mapping[str, bytes] = MappingProxyType({})

WAIT_MS = 1_000
"""Time that an append waits for replicas, if it has to."""

LOWERED = meta_key("replicas_to_wait")
"""The key with the number of replicas to wait for, if an operator has lowered it."""

ONLINE = meta_key("replicas_online")
"""The key with the maximum number of replicas seen, for the setting ``all``."""

_NO_STREAM = ((b"1-0", ()),)
"""The result of reading a key that is no stream: one unreadable event."""

_SCRIPT = lists.SCRIPT + resources.files("service.ledger").joinpath("append.lua").read_text()


class LostError(RedisError):
    """A failover lost the events just appended; a retry appends them again."""


class TooFewReplicasError(RedisError):
    """Fewer replicas than required confirmed an event in time; a retry checks again."""


class Retry(NamedTuple):
    """The stored identity of a request, by which a repetition is recognised.

    ``key`` stands for (caller, idempotency key), and ``fingerprint`` stands for the body. Each has
    16 bytes.
    """

    key: bytes
    fingerprint: bytes

    @classmethod
    def of(cls, caller: str, idempotency_key: str, fingerprint: bytes) -> Self:
        """Return the stored form of a request: its key is scoped by caller, and hashed."""
        key = digest(encode([FORMAT, "retry", caller, idempotency_key]))
        return cls(key[:RETRY_BYTES], fingerprint[:RETRY_BYTES])

    @classmethod
    def own(cls) -> Self:
        """Return a unique mark for a request without a key."""
        return cls(os_secrets.token_bytes(RETRY_BYTES), bytes(RETRY_BYTES))

    @property
    def is_own(self) -> bool:
        """Whether ``own`` made this mark, so that no other request has it."""
        return self.fingerprint == bytes(RETRY_BYTES)

    def expect(self, fingerprint: bytes) -> None:
        """Raise RefusedError (``idempotency_key_reused``) unless the fingerprints are equal."""
        if fingerprint != self.fingerprint:
            raise RefusedError(
                "idempotency_key_reused", "this Idempotency-Key was used for another request"
            )


class StoredEvent(NamedTuple):
    """An event as stored in the stream, with the retry of its request, if any."""

    event: Event
    retry: Retry | None


class Obligations(NamedTuple):
    """The times at which the service has to act in a game next (ms since 1970; None: never).

    At ``due``, workers should answer for automatic seats. At ``deadline``, a player's time is up.
    """

    due: int | None
    deadline: int | None


class AppendSuccess(NamedTuple):
    """The batch is in the stream."""


class RepeatedRequest(NamedTuple):
    """An earlier request was the same; the events ``first`` to ``last`` are its answer."""

    game_id: str
    first: int
    last: int


class MissedEvents(NamedTuple):
    """Others appended first; ``missed`` are their events, perhaps not all of them."""

    missed: list[StoredEvent]


class RewoundStream(NamedTuple):
    """The stream was rewound: it lacks the event that the caller builds on."""


class ArchivedGame(NamedTuple):
    """The game was moved to the archive."""


class DamagedStream(NamedTuple):
    """The game is suspended, because its stream is damaged."""


class ClockMismatch(NamedTuple):
    """The batch's time differs from the store's time; ``Store.clock`` has been corrected."""


AppendOutcome = (
    AppendSuccess
    | RepeatedRequest
    | MissedEvents
    | RewoundStream
    | ArchivedGame
    | DamagedStream
    | ClockMismatch
)
_OUTCOMES: dict[bytes, AppendOutcome] = {
    b"done": AppendSuccess(),
    b"diverged": RewoundStream(),
    b"gone": ArchivedGame(),
    b"damaged": DamagedStream(),
    b"off": ClockMismatch(),
}
_COUNTS = {
    what: APPENDS.labels(what.decode()) for what in (*_OUTCOMES, b"behind", b"answered")
}  # fmt: skip


class StreamSummary(NamedTuple):
    """The part of a stream that a caller lacks, and the stream's known damage.

    - ``missed`` has the events after the one that the caller knows. It is RewoundStream if the
      stream has lost the event that the caller knows.
    - ``replayed`` is the stored answer to the caller's request, if it was answered before.
    - ``indexed`` is the number of fields of the game's index, if the stream was read from its
      beginning.
    """

    missed: list[StoredEvent] | RewoundStream
    damage: Damage | None
    replayed: RepeatedRequest | None
    indexed: int | None


def replicas_wanted(replicas: ReplicasToWait, lowered: bytes | None, online: bytes | None) -> int:
    """Return the number of replicas to wait for, given the values of ``LOWERED`` and ``ONLINE``."""
    wanted = int(online or 0) if replicas == "all" else replicas
    return wanted if lowered is None else min(wanted, int(lowered))


def online_replicas(told: Mapping[str, Any]) -> int:
    """Return the number of replicas in sync, from the answer to INFO replication."""
    named = (told.get(f"slave{n}") for n in range(told.get("connected_slaves", 0)))
    return sum(one is not None and one["state"] == "online" for one in named)


def switch_warning(redis: Redis, replicas: ReplicasToWait) -> str | None:
    """Return the reason why SENTINEL FAILOVER can lose events; None if it cannot."""
    lowered: Any = redis.get(LOWERED)
    online = online_replicas(redis.info("replication"))
    wanted = replicas_wanted(replicas, lowered, b"%d" % online)
    if wanted >= online:
        return None
    return (
        f"Events are acknowledged when {wanted} of {online} replicas hold them, so a plain change"
        " of the primary (SENTINEL FAILOVER) can lose some: make it by `lonja store switch`, or set"
        " LONJA_REPLICAS_TO_WAIT=all."
    )


def _raise_online(pipe: Pipeline) -> None:
    online: int = online_replicas(pipe.info("replication"))
    before = int(pipe.get(ONLINE) or 0)
    pipe.multi()
    if online > before:
        pipe.set(ONLINE, online)


class Store:
    """The streams of all games in one Redis (or cluster).

    ``replicas`` is the number of replicas that must hold an event before it is acknowledged, unless
    an operator lowers it. The value ``all`` means the maximum number of replicas ever seen, so that
    a cut-off primary with fewer replicas acknowledges nothing. ``clock`` stamps events.
    """

    def __init__(
        self,
        redis: Redis,
        vault: Vault | None = None,
        *,
        replicas: ReplicasToWait = 0,
        tail_length: int = 4_000,
    ) -> None:
        self.redis = redis
        self.clock = clock.StoreClock(self._ask_time)
        self._commands = Commands(redis)
        self._vault = vault or Vault()
        self._replicas = replicas
        self._asked = 0 if replicas == "all" else replicas
        self.tail_length = tail_length
        self._append = Script(redis, _SCRIPT)

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
        beside: Mapping[str, bytes] = NOTHING_KEPT,
        asked: Sequence[str] | None = None,
        since: int = 0,
        notices: Notices = NO_NOTICES,
        closes: bool = False,
        until: int | None = None,
    ) -> AppendOutcome:
        """Append a batch in one round trip, if the stream still ends with the base event.

        - ``secrets``: those of the game that the batch creates.
        - ``listing``: the game's new entries in lists; ``asked``: those in the lists of games that
          wait for people (None: unchanged).
        - ``seen``: the index gets the events by their hashes, because players may cite them.
        - ``ends_damaged``: the batch ends a damaged game, to which no other batch is appended.
        - ``kept``: fields derived from a tournament's stream, for the Redis hash ``KEPT``;
          ``beside``: terms of a game's table, which are not derived.
        - ``since``: the time (ms) of an earlier event in another stream; the batch may have this
          time even if the store's clock was set back before it.
        - ``closes``: the batch closes a table that waits for a beacon, which the public log is to
          have at once.
        - ``until``: the time (ms; None: no limit) after which the answer is ClockMismatch.
        """
        keys = [*_append_keys(game_id)]
        fields = {**kept, **beside}
        if fields:
            keys.append(game_key(game_id, KEPT if kept else BESIDE))
        if ends_damaged:
            keys += [game_key(game_id, ASIDE), shard_key(shard_of(game_id), DAMAGED)]
        created: Sequence[bytes | str] = "", "", ""
        if secrets is not None:
            keys += places.buckets(game_id)
            created = *self.wrapped(game_id, secrets), places.field(game_id)
        args: list[Any] = [
            game_id, base_seq, base_hash, MISSED,
            _or_empty(obligations.due), _or_empty(obligations.deadline),
            "" if listing is None else listing.dump(), "" if asked is None else orjson.dumps(asked),
            self.tail_length, dump_notices(notices.told), "1" if closes else "",
            clock.TOLERANCE_MS, since, _or_empty(until),
            "1" if ends_damaged else "",
            *created,
            b"" if retry is None else _retry_field(retry), "1" if seen else "",
            len(fields), *chain.from_iterable(fields.items()),
            len(notices.lows), *chain.from_iterable(
                (member, _or_empty(low)) for member, low in notices.lows.items()
            ),
            len(events),
        ]  # fmt: skip
        remembered = b"" if retry is None else retry.key + retry.fingerprint
        for event in events:
            args += [*dump(event), remembered]
            remembered = b""
        sent, began = clock.steady_ms(), time.perf_counter()
        reply = self._append(keys, args)
        APPEND_SECONDS.observe(time.perf_counter() - began)
        _COUNTS[reply[0]].inc()
        self.clock.heard(sent, int(reply[1]))
        match reply:
            case b"behind", _, missed:
                return MissedEvents(stored_entries(missed))
            case b"answered", _, found:
                assert retry is not None  # noqa: S101 - it was found by it
                return repeated(game_id, retry, stored_entries(found)[0])
        return _OUTCOMES[reply[0]]

    def _ask_time(self) -> int:
        return _ms(*self.redis.time())

    def _ask(self, *commands: Sequence[Word]) -> list[Any]:
        """Send commands in one round trip, and return their answers in the same order.

        If a command's key has the wrong type, its answer is ``_NO_STREAM``.
        """
        return [_as_read(reply) for reply in self._commands.ask(*commands)]

    def confirm(self, game_id: str, seq: int, what: bytes | Retry) -> None:
        """Wait until enough replicas hold the event ``seq``, and all before it.

        ``what`` identifies the event: its hash, or the ``Retry`` stored with it.

        Raises:
            TooFewReplicasError: too few replicas hold it after ``WAIT_MS``.
            LostError: the server has another history.
        """
        if self._replicas:
            with CONFIRM_SECONDS.time():
                self._confirm(game_id, seq, what)

    def _confirm(self, game_id: str, seq: int, what: bytes | Retry) -> None:
        asked = self._asked
        found, told, _set, holding = self._ask(
            # The server may have become the primary after the append, without the event.
            ("XRANGE", game_key(game_id, "events"), f"{seq}-0", f"{seq}-0"),
            ("MGET", LOWERED, ONLINE),
            # WAIT covers the writes of its own connection, and replicas get all writes in order.
            ("SET", shard_key(shard_of(game_id), "confirmed"), b""),
            ("WAIT", asked, WAIT_MS),
        )
        if not any(what in (stored.event.hash, stored.retry) for stored in stored_entries(found)):
            raise LostError(f"{game_id} has lost its event {seq}")
        self._asked = replicas_wanted(self._replicas, *told)
        if holding >= self._asked:
            return
        if self._asked > asked:  # more replicas have come online, or the lowered number was raised
            self._confirm(game_id, seq, what)
            return
        UNCONFIRMED.inc()
        raise TooFewReplicasError(f"{holding} of {self._asked} replicas hold {game_id}")

    def note_replicas(self) -> None:
        """Store the number of replicas in sync, if it is a new maximum, for the setting ``all``."""
        if self._replicas == "all":
            self.redis.transaction(_raise_online, ONLINE)

    def read(self, game_id: str, after: int, limit: int) -> list[StoredEvent]:
        """Return up to ``limit`` events with ``seq`` greater than ``after``, oldest first."""
        key = game_key(game_id, "events")
        (entries,) = self._ask(("XRANGE", key, f"{after + 1}-0", "+", "COUNT", limit))
        return [] if entries is _NO_STREAM and after else stored_entries(entries)

    def read_all(self, game_id: str, after: int = 0) -> list[StoredEvent]:
        """Return all events with ``seq`` greater than ``after``, oldest first.

        If the newest events were removed, the result ends with an unreadable event in their place.
        """
        key = game_key(game_id, "events")
        told, entries = self._ask(("XINFO", "STREAM", key), ("XRANGE", key, f"{after + 1}-0", "+"))
        return _to_the_end(game_id, after, _last_id(told), entries)

    def look(
        self,
        game_id: str,
        seq: int,
        hash_: bytes,
        retry: Retry | None = None,
        limit: int | None = None,
    ) -> StreamSummary:
        """Return the summary of a stream: its events after ``seq``, its damage, and more.

        If the stream lacks the event ``seq`` with this hash, RewoundStream replaces the events. If
        ``seq`` is 0, all events are returned, like those of ``read_all``. If it is greater, at most
        ``limit`` events are returned. This takes one round trip, and its answer also updates the
        clock.
        """
        key, index = game_key(game_id, "events"), game_key(game_id, "index")
        count = ("COUNT", limit + 1) if seq and limit else ()
        from_first = [("XINFO", "STREAM", key), ("HLEN", index)] if seq == 0 else []
        answered = [] if retry is None else [("HGET", index, _retry_field(retry))]
        sent = clock.steady_ms()
        replies = self._ask(
            *from_first,
            ("XRANGE", key, f"{max(seq, 1)}-0", "+", *count),
            ("GET", game_key(game_id, "damage")),
            ("TIME",),
            *answered,
        )
        last, indexed = replies[:2] if seq == 0 else (None, None)
        first = replies.pop() if retry is not None else None
        if _NO_STREAM in (indexed, first):  # the index's key has another type
            indexed, first = 0, None
        entries, damage, told = replies[-3:]
        self.clock.heard(sent, _ms(*map(int, told)))
        found: list[StoredEvent] | RewoundStream
        if seq == 0:
            found = _to_the_end(game_id, 0, _last_id(last), entries)
        else:
            found = stored_entries(entries)
            found = found[1:] if found and _is(found[0], seq, hash_) else RewoundStream()
        replayed = self._answer_to(game_id, retry, int(first)) if retry and first else None
        return StreamSummary(found, Damage.load(damage), replayed, indexed)

    def _answer_to(self, game_id: str, retry: Retry, first: int) -> RepeatedRequest | None:
        """Return the batch that begins with ``first``; None if the stream lost it in a rewind."""
        for stored in self.read(game_id, first - 1, 1):
            if stored.retry is not None and stored.retry.key == retry.key:
                return repeated(game_id, retry, stored)
        return None

    def seq_of(self, game_id: str, wanted: bytes, likely: int, until: int) -> int | None:
        """Return the ``seq`` of the game's event with the hash ``wanted``; None if there is none.

        Events after ``until`` are not looked at. The event ``likely`` is tried first.
        """
        if self._has(game_id, wanted, likely, until):
            return likely
        found: Any = self.redis.hget(game_key(game_id, "index"), _hash_field(wanted))
        seq = int(found or 0)
        return seq if self._has(game_id, wanted, seq, until) else None

    def _has(self, game_id: str, wanted: bytes, seq: int, until: int) -> bool:
        found = self.read(game_id, seq - 1, 1) if 0 < seq <= until else []
        return any(_is(stored, seq, wanted) for stored in found)

    def indexed(self, game_id: str) -> int:
        """Return the number of fields in a game's index."""
        return int(self.redis.hlen(game_key(game_id, "index")))

    def index(self, game_id: str, stored: Sequence[StoredEvent]) -> None:
        """Rewrite the whole index of a game, of ``index_size`` fields."""
        key = game_key(game_id, "index")
        for page in range(0, len(stored), MISSED):
            self.redis.hset(key, mapping=index_fields(stored[page : page + MISSED]))

    def read_before(
        self, game_id: str, seq: int, hash_: bytes, after: int, limit: int
    ) -> list[StoredEvent] | RewoundStream:
        """Return the events that ``read`` returns, or ``RewoundStream``.

        ``seq`` and ``hash_`` identify a later event. If the stream does not hold this event, it has
        another history, and the method returns ``RewoundStream``.
        """
        key = game_key(game_id, "events")
        replies = self._ask(
            ("XRANGE", key, f"{after + 1}-0", f"{seq}-0", "COUNT", limit),
            ("XRANGE", key, f"{seq}-0", f"{seq}-0"),
        )
        found, newest = map(stored_entries, replies)
        return found if newest and _is(newest[0], seq, hash_) else RewoundStream()

    def newest(self, game_id: str) -> int:
        """Return the ``seq`` of a game's newest event, 0 if there is no such game."""
        found = self.newest_event(game_id)
        return found.seq if found else 0

    def newest_event(self, game_id: str) -> Event | None:
        """Return a stream's newest event, None if there is no such stream."""
        return self.newest_events([game_id])[0]

    def newest_events(self, game_ids: Iterable[str]) -> list[Event | None]:
        """Return the newest event of each stream, in one round trip."""
        replies = self._ask(
            *(("XREVRANGE", game_key(id_, "events"), "+", "-", "COUNT", 1) for id_ in game_ids)
        )
        found = map(stored_entries, replies)
        return [entry[0].event if entry else None for entry in found]

    def events_at(self, game_id: str, seqs: Sequence[int]) -> list[Event]:
        """Return the existing events with these ``seq``, in one round trip.

        Events near each other are read as one range.
        """
        key = game_key(game_id, "events")
        replies = self._ask(
            *(("XRANGE", key, f"{run[0]}-0", f"{run[-1]}-0") for run in _runs(sorted(seqs)))
        )
        found = [stored.event for reply in replies for stored in stored_entries(reply)]
        wanted = set(seqs)
        return [event for event in found if event.seq in wanted]

    def damage(self, game_id: str) -> Damage | None:
        """Return the known damage to a game's stream."""
        return Damage.load(*self._ask(("GET", game_key(game_id, "damage"))))

    def note_damage(self, game_id: str, damage: Damage | None) -> None:
        """Suspend a damaged game; with None, end the suspension.

        A suspended game has no obligations.
        """
        key, shard = game_key(game_id, "damage"), shard_of(game_id)
        pipe = self.redis.pipeline(transaction=True)
        if damage is None:
            pipe.delete(key)
            pipe.srem(shard_key(shard, DAMAGED), game_id)
            pipe.execute()
            return
        pipe.set(key, damage.dump())
        pipe.sadd(shard_key(shard, DAMAGED), game_id)
        pipe.delete(game_key(game_id, "snapshots"))
        for name in ("due", "deadlines"):
            pipe.zrem(shard_key(shard, name), game_id)
        pipe.execute()

    def counts_as_damaged(self, game_id: str) -> bool:
        """Whether a game is counted as damaged."""
        return bool(self.redis.sismember(shard_key(shard_of(game_id), DAMAGED), game_id))

    def owed(self, game_id: str) -> tuple[int, Obligations]:
        """Return a stream's newest ``seq`` and its stored obligations, read in one transaction."""
        shard = shard_of(game_id)
        *_queued, replies = self._ask(
            ("MULTI",),
            ("XINFO", "STREAM", game_key(game_id, "events")),
            ("ZSCORE", shard_key(shard, "due"), game_id),
            ("ZSCORE", shard_key(shard, "deadlines"), game_id),
            ("EXEC",),
        )
        told, due, deadline = map(_as_read, replies)
        return _last_id(told), Obligations(_score(due), _score(deadline))

    def wrapped(self, game_id: str, secrets: Secrets) -> list[bytes]:
        """Return the secrets of a game in stored (wrapped) form."""
        return [self._vault.wrap(secret, game_id) for secret in secrets]

    def secrets(self, game_id: str) -> Secrets | None:
        """Return a game's secrets, None if there is no such game."""
        found: Any = self.redis.hmget(game_key(game_id, "secrets"), "salt", "chance_seed")
        salt, seed = found
        if salt is None or seed is None:
            return None
        return Secrets(self._vault.unwrap(salt, game_id), self._vault.unwrap(seed, game_id))

    @property
    def here(self) -> "Store":
        """The same store without the games that have left it."""
        return self

    @property
    def past_lists(self) -> PastLists:
        """The lists of the games that have left the lists of this store."""
        return NoPastLists(self.redis)

    def is_archived(self, game_id: str) -> bool:
        """Whether a game or tournament has left the store: nothing may be stored beside it."""
        return False

    def report(self, tournament_id: str) -> JsonObject | None:
        """Return the final report of a tournament in the archive, None if it is not there.

        It may have come back into the store.
        """
        return None

    def await_replicas(self) -> None:
        """Wait until as many replicas as an append needs hold all that was written before.

        Raises:
            TooFewReplicasError: too few replicas hold it after ``WAIT_MS``.
        """
        if not self._replicas:
            return
        (told,) = self._ask(("MGET", LOWERED, ONLINE))
        wanted = replicas_wanted(self._replicas, *told)
        # WAIT covers the writes of its own connection, and replicas get all writes in order.
        _set, holding = self._ask(
            ("SET", shard_key(0, "confirmed"), b""), ("WAIT", wanted, WAIT_MS)
        )
        if holding < wanted:
            raise TooFewReplicasError(f"{holding} of {wanted} replicas hold what was written")

    # Beside streams

    def table(self, game_id: str, names: Sequence[str]) -> list[bytes | None]:
        """Return fields of a game's table (``service.ledger.terms``), None for each missing one."""
        found: Any = self.redis.hmget(game_key(game_id, BESIDE), [*names])
        return list(found)

    def whole_table(self, game_id: str) -> dict[str, bytes]:
        """Return all fields of a game's table, as ``table`` does."""
        found: Any = self.redis.hgetall(game_key(game_id, BESIDE))
        return {name.decode(): value for name, value in found.items()}

    def origin(self, stream_id: str) -> Origin | None:
        """Return the origin of a game or tournament; None if it was played here."""
        return Origin.of(self.redis, stream_id)


@lru_cache(maxsize=1024)
def _append_keys(game_id: str) -> tuple[str, ...]:
    """Return the Redis keys that each append to a game uses.

    They are cached, because many moves of one game often follow each other.
    """
    shard = shard_of(game_id)
    return (
        *[game_key(game_id, name) for name in ("events", "secrets", "tombstone", "damage")],
        *[
            shard_key(shard, name)
            for name in ("due", "deadlines", LOWS, lists.LISTS, lists.LISTED, lists.WAITING, TAIL)
        ],
        game_key(game_id, "index"),
    )


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    """Group ascending numbers into runs without wide gaps."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number - runs[-1][-1] <= NEAR:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def index_size(stored: Iterable[StoredEvent]) -> int:
    """Return the number of index fields of events: one for each hash and for each request."""
    return sum(1 + (retry is not None) for _event, retry in stored)


def index_fields(stored: Iterable[StoredEvent]) -> dict[Any, int]:
    """Return the fields of the index of these events; there are ``index_size``."""
    fields = {}
    for event, retry in stored:
        fields[_hash_field(event.hash)] = event.seq
        if retry is not None:
            fields[_retry_field(retry)] = event.seq
    return fields


def _hash_field(hash_: bytes) -> bytes:
    """Return the index field for an event's hash, in the same form as the script's."""
    return b"h" + hash_[:8]


def repeated(game_id: str, retry: Retry, first: StoredEvent) -> RepeatedRequest:
    """Return the batch that begins with the event ``first``, as the answer to an equal request.

    Raises RefusedError (``idempotency_key_reused``) if the request was another one.
    """
    assert first.retry is not None  # noqa: S101 - it was found by it
    retry.expect(first.retry.fingerprint)
    return RepeatedRequest(game_id, first.event.seq, first.event.last)


def _read_retry(raw: bytes) -> Retry:
    return new_tuple(Retry, (raw[:RETRY_BYTES], raw[RETRY_BYTES:]))


def _retry_field(retry: Retry) -> bytes:
    return b"r" + retry.key


def _ms(seconds: int, microseconds: int) -> int:
    return seconds * 1000 + microseconds // 1000


def _is(stored: StoredEvent, seq: int, hash_: bytes) -> bool:
    return stored.event.seq == seq and stored.event.hash == hash_


def _or_empty(value: int | None) -> int | str:
    return "" if value is None else value


def _as_read(reply: Any) -> Any:
    """Return a reply, or raise it if it is an error.

    The error for a key of another type becomes ``_NO_STREAM``. The error of XINFO for a missing key
    becomes None.
    """
    if not isinstance(reply, Exception):
        return reply
    if is_of_another_type(reply):
        return _NO_STREAM
    if "no such key" in str(reply):  # only XINFO raises this
        return None
    raise reply


def _score(reply: Any) -> Any:
    """Return ZSCORE's answer as a number; a foreign writer may have stored something else."""
    return None if reply is None else float(reply)


def _last_id(reply: Any) -> int:
    """Return the greatest ``seq`` that was ever in a stream, from the answer to XINFO STREAM.

    It is 1 for a key of another type, and 0 for a missing key.
    """
    if reply is _NO_STREAM:
        return 1
    if reply is None:
        return 0
    told = reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2], strict=True))
    return _seq(told[b"last-generated-id"])


def _seq(entry_id: bytes) -> int:
    return int(entry_id.partition(b"-")[0])


def _to_the_end(game_id: str, after: int, newest: int, entries: Any) -> list[StoredEvent]:
    """Return the events of a stream after the event ``after``.

    ``entries`` is the store's answer: the stream's entries after ``after``. ``newest`` is the
    greatest ``seq`` that an event of the stream has ever had. ``newest`` was read before
    ``entries``, because others may append events in between.

    If the newest events were removed, the result ends with a placeholder that cannot be read. Its
    hash is the hash of the last event that is left.
    """
    stored = [] if entries is _NO_STREAM else stored_entries(entries)
    left = stored[-1].event if stored else None
    if newest > (after if left is None else left.seq):
        head = genesis(game_id) if left is None else left.hash
        stored.append(StoredEvent(unreadable(newest, bytes(32) + head), None))
    return stored


def whole(
    stream_id: str, last_id: bytes, entries: Iterable[tuple[bytes, list[bytes]]]
) -> list[StoredEvent]:
    """Return the result of ``Store.read_all``, given all entries of a stream and its last id."""
    return _to_the_end(stream_id, 0, _seq(last_id), entries)


def stored_entries(reply: Iterable[tuple[bytes, list[bytes]]]) -> list[StoredEvent]:
    """Parse entries directly from the server's form, [id, [name, value, …]].

    This is faster than the Redis client's parsing, and many entries are read whenever games are
    folded.
    """
    stored = []
    for entry_id, fields in paced(reply):
        seq = _seq(entry_id)
        try:
            retry = _read_retry(fields[5]) if len(fields) > 5 else None
            stored.append(new_tuple(StoredEvent, (load(seq, fields[1], fields[3]), retry)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            named = dict(zip(fields[::2], fields[1::2], strict=False))
            stored.append(StoredEvent(unreadable(seq, named.get(b"p", b"")), None))
    return stored
