"""Checks the ledger's consistency, and repairs data derived from the streams.

Derived data can be wrong, because scripts do not roll back and operators make mistakes. Streams are
never changed here; ``due``, ``deadlines`` and ``clock_lows`` are derived and can be repaired. The
service may go on meanwhile, because a stream is compared with derived data read at the same moment.
"""

from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import Event
from rules.kernel.record.game import ENDED_BY_OPERATOR, GAP, Game, sound_before_end
from rules.kernel.record.secrets import Secrets
from service.ids import is_tournament, shard_of
from service.ledger import notices
from service.ledger.damage import (
    NO_SECRETS,
    UNKNOWN,
    Damage,
    GameDamagedError,
    sound_events,
    sound_part,
)
from service.ledger.ledger import is_for_players, is_live, obligations
from service.ledger.lists import Listing, game_listing
from service.ledger.notices import LOWS
from service.ledger.origin import Origin
from service.ledger.repository import ATTEMPTS, ConflictError
from service.ledger.store import (
    KEPT,
    AppendSuccess,
    ClockMismatch,
    MissedEvents,
    Obligations,
    Store,
    index_size,
)
from service.ledger.streams import game_ids, tournament_ids
from service.ledger.terms import BESIDE, TableTerms
from service.ledger.vault import VaultError
from service.redis.client import is_of_another_type
from service.redis.keys import ALL_SHARDS, game_key, shard_key
from service.redis.scripts import Script
from service.tournaments import parts, unended
from service.tournaments.course import tournament_obligations
from service.tournaments.tournament import Tournament
from service.upkeep.inspection import (
    WRONG_INDEX,
    WRONG_TYPE,
    Finding,
    inspect_game,
    inspect_tournament,
)

_SCRIPTS = resources.files("service.ledger")
_SET_OBLIGATIONS = _SCRIPTS.joinpath("obligations.lua").read_text()
_REMOVE_ORPHAN = _SCRIPTS.joinpath("orphan.lua").read_text()
_NOTHING = Obligations(None, None)
_HASHES = ("secrets", "index", KEPT, BESIDE)
"""The keys beside a stream that hold hashes."""


# Checking


def check(store: Store, registry: Registry) -> Iterator[Finding | None]:
    """Check every tournament, then every game, and yield the findings.

    After the findings of each game, a None is yielded to show progress. Findings about obligations
    to missing games come last.
    """
    for stream_id in stream_ids(store.redis):
        yield from check_stream(store, registry, stream_id)
        if not is_tournament(stream_id):
            yield None
    yield from check_orphans(store)


def stream_ids(redis: Redis) -> Iterator[str]:
    """Yield the ids of all tournaments, then the ids of all games."""
    yield from tournament_ids(redis)
    yield from game_ids(redis)


def check_orphans(store: Store) -> Iterator[Finding]:
    """Yield a finding for each obligation to a missing game."""
    for shard in ALL_SHARDS:
        for name in ("due", "deadlines"):
            for member, _score in store.redis.zscan_iter(shard_key(shard, name)):
                yield from _check_orphan(store.redis, shard, name, member.decode())


class _StreamReading(NamedTuple):
    """What was read from a stream.

    ``findings`` are the faults that were found, and ``version`` is the newest ``seq``. ``owed`` has
    the obligations to the game or tournament of the stream.
    """

    findings: list[Finding]
    version: int
    owed: Obligations | None
    lows: Mapping[str, int] = MappingProxyType({})
    """The times at which its clocks get low, by ``notices.lows_of``."""


def check_stream(store: Store, registry: Registry, stream_id: str) -> list[Finding]:
    """Return the faults of a stream and of its obligations, read at one moment."""
    try:
        findings = _check_stream(store, registry, stream_id)
        # If it has left the store meanwhile, it may be found in part.
        return [] if findings and store.is_archived(stream_id) else findings
    except ResponseError as error:
        if not is_of_another_type(error):
            raise
        detail = _of_another_type(store.redis, stream_id) or str(error)
        return [Finding(stream_id, WRONG_TYPE, detail)]


def _of_another_type(redis: Redis, stream_id: str) -> str:
    """Return a text that names the keys of a stream that should be hashes and are not.

    The text has the type of each such key. It is empty if there is no such key.
    """
    keys = [game_key(stream_id, name) for name in _HASHES]
    pipe = redis.pipeline(transaction=False)
    for key in keys:
        pipe.type(key)
    types = zip(keys, map(bytes.decode, pipe.execute()), strict=True)
    strange = [f"{key} is a {found}" for key, found in types if found not in ("hash", "none")]
    return f"{' and '.join(strange)}, not a hash" if strange else ""


def _check_stream(store: Store, registry: Registry, stream_id: str) -> list[Finding]:
    seen = _see(store, registry, stream_id)
    for _ in range(ATTEMPTS):
        if seen.owed is None:
            break
        lows = _listed_lows(store, stream_id, seen.lows)
        version, listed = store.owed(stream_id)
        if version == seen.version:
            return [
                *seen.findings,
                *_compare(stream_id, listed, seen.owed),
                *_compare_lows(store, stream_id, lows, seen.lows),
            ]
        seen = _see(store, registry, stream_id)  # it has new events
    return seen.findings


def _see(store: Store, registry: Registry, stream_id: str) -> _StreamReading:
    """Refold a stream. A game is suspended if its stream is damaged, and resumed if it is sound."""
    try:
        secrets = store.secrets(stream_id)
    except VaultError as error:
        return _StreamReading([Finding(stream_id, NO_SECRETS, str(error))], 0, None)
    if secrets is None:
        newest_event = store.newest_event(stream_id)
        if (
            newest_event is not None
            and not is_tournament(stream_id)
            and not store.damage(stream_id)
        ):
            store.note_damage(stream_id, Damage.without_secrets(newest_event))
        return _StreamReading([Finding(stream_id, NO_SECRETS, "the secrets are missing")], 0, None)
    stored = store.read_all(stream_id)
    events = [event for event, _retry in stored]
    if not events:
        return _StreamReading([Finding(stream_id, GAP, "the stream has no events")], 0, None)
    newest = events[-1].seq
    if is_tournament(stream_id):
        store.redis.hlen(game_key(stream_id, KEPT))  # raises if the key has another type
        tournament, findings = inspect_tournament(stream_id, secrets, events)
        if findings or (
            _may_be_done(store, tournament) and not any(unended.games(store, tournament))
        ):
            # A listed obligation is no fault here: a worker may still have to check that all games
            # have ended.
            return _StreamReading(findings, newest, None)
        requests = sum(retry is not None for _event, retry in stored)
        return _StreamReading(
            _check_index(store, stream_id, requests), newest, tournament_obligations(tournament)
        )
    game, findings, damage = inspect_game(stream_id, registry, secrets, events)
    known = store.damage(stream_id)
    if damage is None and known is not None and known.unknown:
        damage = Damage.unknown_after(game)
        detail = "nobody can read why it was suspended, and its stream is sound"
        findings.append(Finding(stream_id, UNKNOWN, detail))
    if damage != known or (damage is not None and not store.counts_as_damaged(stream_id)):
        store.note_damage(stream_id, damage)
    ended_damaged = any(sound_before_end(event) is not None for event in events[-2:])
    if damage is not None or ended_damaged:
        # A damaged game owes nothing, even if its beginning has faults, too. None would mean that
        # its obligations are unknown.
        return _StreamReading(findings, newest, _NOTHING)
    owed = None if findings else obligations(game, TableTerms.of(store.redis, stream_id))
    if game.created and is_for_players(game):
        findings += _check_index(store, stream_id, index_size(stored))
    lows = notices.lows_of(game) if owed is not None and is_for_players(game) else {}
    return _StreamReading(findings, newest, owed, lows)


def _may_be_done(store: Store, tournament: Tournament) -> bool:
    """Whether nothing is left to do for a tournament that is over, but to end its games."""
    if not tournament.is_full:
        return tournament.may_have_unended
    following = parts.next_id(tournament)
    has_next = following is not None and bool(store.newest(following))
    return has_next or Origin.of(store.redis, tournament.id) is not None


def _check_index(store: Store, stream_id: str, size: int) -> list[Finding]:
    if store.indexed(stream_id) >= size:
        return []
    detail = "requests that are repeated, or hashes that were seen, would not be found"
    return [Finding(stream_id, WRONG_INDEX, detail)]


def _compare(stream_id: str, listed: Obligations, owed: Obligations) -> list[Finding]:
    found = []
    # Compare only whether it is due: watchers postpone the time.
    if (listed.due is None) != (owed.due is None):
        detail = "is due but not listed" if listed.due is None else "is listed but not due"
        found.append(Finding(stream_id, "wrong_due", f"it {detail}"))
    if listed.deadline != owed.deadline:
        detail = f"the deadline is {owed.deadline}, listed is {listed.deadline}"
        found.append(Finding(stream_id, "wrong_deadline", detail))
    return found


def _listed_lows(
    store: Store, stream_id: str, lows: Mapping[str, int]
) -> Mapping[str, float | None]:
    """Return the stored time (ms since 1970) at which each clock in ``lows`` gets low.

    The time is None if the store has none for the clock. The caller must call this function before
    it checks that the stream has no new events.
    """
    if not lows:
        return {}
    return dict(zip(lows, notices.listed_lows(store.redis, stream_id, lows), strict=True))


def _compare_lows(
    store: Store, stream_id: str, listed: Mapping[str, float | None], lows: Mapping[str, int]
) -> list[Finding]:
    """Compare the listed times at which clocks get low with the right times, ``lows``.

    Return a finding for each listed time that is wrong. Only times in the future are compared: a
    past time need not be listed any more, because the player may have been notified already.
    """
    now = store.clock.ask() if lows else 0
    return [
        Finding(stream_id, "wrong_clock_low", f"{one} is low at {at}, listed is {listed[one]}")
        for one, at in lows.items()
        if at > now and listed[one] != at
    ]


def _check_orphan(redis: Redis, shard: int, name: str, member: str) -> Iterator[Finding]:
    pipe = redis.pipeline(transaction=True)
    pipe.exists(_events_key(shard, member))
    pipe.zscore(shard_key(shard, name), member)
    exists, listed = pipe.execute()
    if not exists and listed is not None:
        yield Finding(member, f"orphan_{name}", "there is no such game", shard=shard)


def _events_key(shard: int, member: str) -> str:
    """Return the key of the stream that an entry of a list names; the entry may be any text."""
    kind = "tournament" if is_tournament(member) else "game"
    return shard_key(shard, f"{kind}:{member}:events")


# Repairing


def repair(store: Store, registry: Registry) -> Iterator[Finding | None]:
    """Check as ``check`` does, and repair what can be repaired; yields the same items."""
    for finding in check(store, registry):
        yield finding
        if finding is not None and finding.repairable:
            put_right(store, registry, finding)


def put_right(store: Store, registry: Registry, finding: Finding) -> None:
    """Repair a ``repairable`` finding."""
    if finding.shard is not None:
        name = finding.problem.removeprefix("orphan_")
        keys = [_events_key(finding.shard, finding.game_id), shard_key(finding.shard, name)]
        Script(store.redis, _REMOVE_ORPHAN)(keys, [finding.game_id])
        return
    if finding.problem == WRONG_INDEX:
        stored = store.read_all(finding.game_id)
        # A tournament's index has only the hashes of requests.
        if is_tournament(finding.game_id):
            stored = [one for one in stored if one.retry is not None]
        store.index(finding.game_id, stored)
        return
    if finding.problem == UNKNOWN:
        store.note_damage(finding.game_id, None)
    owe_again(store, registry, finding.game_id)


def owe_again(store: Store, registry: Registry, stream_id: str) -> None:
    """If the stream of a game or tournament is sound, rebuild the obligations from it.

    The obligations are the times at which the service has to act next: ``due`` and ``deadline``.
    The times at which clocks get low are stored with them.
    """
    seen = _see(store, registry, stream_id)
    if seen.owed is None:
        return
    shard = shard_of(stream_id)
    keys = [game_key(stream_id, "events")]
    keys += [shard_key(shard, name) for name in ("due", "deadlines", LOWS)]
    owed: list[Any] = ["" if t is None else t for t in seen.owed]
    owed += chain.from_iterable(seen.lows.items())
    Script(store.redis, _SET_OBLIGATIONS)(keys, [stream_id, f"{seen.version}-0", *owed])


# Ending a damaged game


class NotDamagedError(RuntimeError):
    """The game is sound, or over: it does not need to be ended."""


def end_damaged(store: Store, registry: Registry, game_id: str, by: JsonObject) -> list[Event]:
    """End a game with a damaged stream; return the appended events.

    Raises:
        LookupError: there is no such game.
        NotDamagedError: the game has no damage.
        ConflictError: others kept appending to the stream.
        GameDamagedError: its secrets are missing, so nothing can be appended.
    """
    secrets = store.secrets(game_id)
    if secrets is None:
        newest = store.newest_event(game_id)
        if newest is not None:
            raise GameDamagedError(game_id, Damage.without_secrets(newest))
        raise LookupError(game_id)
    for _ in range(ATTEMPTS):
        events = [event for event, _retry in store.read_all(game_id)]
        if not events:
            raise LookupError(game_id)
        sound, batch = _ending(store, registry, game_id, secrets, events, by)
        ending = batch.seal()
        outcome = store.append(
            game_id, events[-1].seq, events[-1].hash, ending, _NOTHING,
            listing=_listing_of(store, batch.game), asked=[],
            ends_damaged=True, seen=sound.version > 0 and is_for_players(sound),
            notices=notices.of_batch(sound, batch.game, ending),
        )  # fmt: skip
        if isinstance(outcome, AppendSuccess):
            store.confirm(game_id, ending[-1].seq, ending[-1].hash)
            return ending
        if not isinstance(outcome, MissedEvents | ClockMismatch):
            break
    raise ConflictError(game_id)


def _listing_of(store: Store, game: Game) -> Listing | None:
    """Return the listing of a game that was ended; None for a tournament's, which is in no list."""
    if game.created and not is_live(game):
        return None
    terms, origin = TableTerms.of(store.redis, game.id), Origin.of(store.redis, game.id)
    return game_listing(game, origin, terms)


def _ending(
    store: Store,
    registry: Registry,
    game_id: str,
    secrets: Secrets,
    events: list[Event],
    by: JsonObject,
) -> tuple[Game, Batch]:
    """Return the sound part of a game, and the batch that ends it."""
    game, _findings, damage = inspect_game(game_id, registry, secrets, events)
    if damage is None:
        known = store.damage(game_id)
        if known is None or not known.unknown or game.over:
            raise NotDamagedError(game_id)
        # The stream is sound: a game outside of a tournament is just aborted, without a mark of
        # damage.
        if game.scope == game.id:
            batch = Batch(game, secrets, store.clock.now())
            batch.abort(ENDED_BY_OPERATOR, by)
            return game, batch
        damage = Damage.unknown_after(game)
    sound, _damage = sound_part(game_id, registry, sound_events(events, damage.sound_seq + 1))
    batch = Batch(sound, secrets, store.clock.now())
    batch.end_damaged(by, events[-1])
    return sound, batch
