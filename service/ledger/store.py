"""Reads and appends a game's stream: what is in Redis, without any meaning."""

from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import NoScriptError, RedisError

from rules.kernel.events import Event, dump, load, new_tuple
from rules.kernel.secrets import Secrets
from service.ids import shard_of
from service.ledger.keys import game_key, shard_key
from service.ledger.vault import Vault

RETRY_BYTES = 16
MISSED = 500
"""How many missed events an append sends back at most; more are read by range."""

WAIT_MS = 1_000
"""How long an append waits for replicas, if it has to."""

_SCRIPT = resources.files("service.ledger").joinpath("append.lua").read_text()


class TooFewReplicasError(RedisError):
    """Fewer replicas than asked for hold an event in time; a retry may find that they do."""


class Retry(NamedTuple):
    """What is remembered of a request, so that it can be repeated: 16 bytes each.

    ``key`` stands for (caller, idempotency key), ``fingerprint`` for the body.
    """

    key: bytes
    fingerprint: bytes


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


class Window(NamedTuple):
    """When a batch counts, in ms since 1970, by the server's clock; None: always."""

    not_after: int | None = None
    not_before: int | None = None


ALWAYS = Window()


class Done(NamedTuple):
    """The batch is in the stream."""


class Behind(NamedTuple):
    """Others appended first; ``missed`` are the next events, perhaps not all of them."""

    missed: list[Stored]


class Diverged(NamedTuple):
    """The stream does not hold the event that the batch builds on: it was rewound."""


class Gone(NamedTuple):
    """The game was moved to the archive."""


class OutsideWindow(NamedTuple):
    """The server's clock (ms since 1970) is outside the batch's window."""

    now: int


Outcome = Done | Behind | Diverged | Gone | OutsideWindow


class Store:
    """The streams of all games in one Redis (or cluster).

    ``replicas``: how many must hold an event before it counts as acknowledged.
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
        self._raw = Redis(connection_pool=redis.connection_pool)
        self._raw.set_response_callback("XRANGE", lambda reply, **_options: reply)
        self._vault = vault or Vault()
        self._replicas = replicas
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
        window: Window = ALWAYS,
        listed: bool = False,
        secrets: Secrets | None = None,
    ) -> Outcome:
        """Append a batch in one round trip, if the stream still ends at (seq, hash) of its base.

        ``secrets`` come with the batch that creates the game; ``listed`` tells the feed.
        """
        keys = [game_key(game_id, name) for name in ("events", "secrets", "tombstone")]
        shard = shard_of(game_id)
        keys += [shard_key(shard, name) for name in ("due", "deadlines", "feed", "tail")]
        args: list[Any] = [
            game_id, base_seq, base_hash, MISSED,
            _or_empty(obligations.due), _or_empty(obligations.deadline),
            _or_empty(window.not_after), _or_empty(window.not_before),
            "1" if listed else "", self._tail_length,
            *(("", "") if secrets is None else (self._vault.wrap(s, game_id) for s in secrets)),
        ]  # fmt: skip
        remembered = b"" if retry is None else retry.key + retry.fingerprint
        for event in events:
            args += [*dump(event), remembered]
            remembered = b""
        return _outcome(self._run(keys, args))

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
        pipe = self.redis.pipeline(transaction=False)
        # WAIT is for the writes of its own connection, and replicas get all writes in order.
        pipe.set(shard_key(shard_of(game_id), "confirmed"), b"")
        pipe.wait(self._replicas, WAIT_MS)
        _set, holding = pipe.execute()
        if holding < self._replicas:
            raise TooFewReplicasError(f"{holding} of {self._replicas} replicas hold {game_id}")

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events with ``seq`` greater than ``after``, oldest first."""
        count = () if limit is None else ("COUNT", limit)
        key = game_key(game_id, "events")
        return _entries(self._raw.execute_command("XRANGE", key, f"{after + 1}-0", "+", *count))

    def secrets(self, game_id: str) -> Secrets | None:
        """Return a game's secrets, None if there is no such game."""
        found: Any = self.redis.hmget(game_key(game_id, "secrets"), "salt", "chance_seed")
        salt, seed = found
        if salt is None or seed is None:
            return None
        return Secrets(self._vault.unwrap(salt, game_id), self._vault.unwrap(seed, game_id))


def _or_empty(value: int | None) -> int | str:
    return "" if value is None else value


def _entries(reply: Iterable[tuple[bytes, list[bytes]]]) -> list[Stored]:
    """Read entries as the server sends them, [id, [name, value, …]]: folding is a hot path."""
    stored = []
    for entry_id, fields in reply:
        seq = int(entry_id[:-2])
        retry = Retry(fields[5][:RETRY_BYTES], fields[5][RETRY_BYTES:]) if fields[5:] else None
        stored.append(new_tuple(Stored, (load(seq, fields[1], fields[3]), retry)))
    return stored


def _outcome(reply: Any) -> Outcome:
    match reply[0]:
        case b"done":
            return Done()
        case b"behind":
            return Behind(_entries(reply[1]))
        case b"gone":
            return Gone()
        case b"late" | b"early":
            return OutsideWindow(int(reply[1]))
        case _:
            return Diverged()
