"""Checks the ledger against itself, and repairs what can be derived from the streams.

Scripts do not roll back and operators make mistakes; streams are the truth and are never changed
here. ``due`` and ``deadlines`` follow from them and can be put right.
"""

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.events import NO_STATE, Event, commitments, event_hash, genesis
from rules.kernel.game import Game
from rules.kernel.secrets import Secrets, state_key
from rules.registry import Registry, UnknownRulesetError
from service.ids import is_tournament, shard_of
from service.ledger.keys import ALL_SHARDS, game_key, shard_key
from service.ledger.ledger import obligations
from service.ledger.store import Obligations, Store
from service.tournaments.course import tournament_obligations
from service.tournaments.tournament import Tournament

_EVENTS = re.compile(r"lonja:\{s\d\d\}:(?:game|tournament):(.+):events\Z")
_SET_OBLIGATIONS = resources.files("service.ledger").joinpath("obligations.lua").read_text()


_REPAIRABLE = ("wrong_due", "wrong_deadline", "orphan_due", "orphan_deadlines")


class Finding(NamedTuple):
    """Something that is not as the streams say, or a stream that cannot be believed."""

    game_id: str
    problem: str
    detail: str

    @property
    def repairable(self) -> bool:
        """Whether ``repair`` puts it right: it follows from a stream."""
        return self.problem in _REPAIRABLE

    def to_json(self) -> JsonObject:
        """Return the finding as a JSON object."""
        return {**self._asdict(), "repairable": self.repairable}


def game_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every game that has a stream."""
    return _stream_ids(redis, "game")


def tournament_ids(redis: Redis) -> Iterator[str]:
    """Yield the id of every tournament."""
    return _stream_ids(redis, "tournament")


def _stream_ids(redis: Redis, kind: str) -> Iterator[str]:
    for key in redis.scan_iter(match=f"lonja:{{s*}}:{kind}:*:events", count=1000):
        found = _EVENTS.match(key.decode())
        if found:
            yield found.group(1)


def check(store: Store, registry: Registry) -> Iterator[Finding | None]:
    """Check every game and yield its findings, then None once for each game that is done.

    After all games come tournaments, and the findings about obligations to what does not exist.
    """
    known = set()
    for tournament_id in tournament_ids(store.redis):
        known.add(tournament_id)
        yield from check_tournament(store, tournament_id)
    for game_id in game_ids(store.redis):
        known.add(game_id)
        yield from check_game(store, registry, game_id)
        yield None
    for shard in ALL_SHARDS:
        for name in ("due", "deadlines"):
            for member in _members(store.redis, shard_key(shard, name)):
                if member not in known:
                    yield Finding(member, f"orphan_{name}", "there is no such game")


def check_game(store: Store, registry: Registry, game_id: str) -> Iterator[Finding]:
    """Refold one game and yield what is wrong with its stream and its obligations."""
    secrets = store.secrets(game_id)
    if secrets is None:
        yield Finding(game_id, "no_secrets", "the game's secrets are missing")
        return
    game = Game(game_id, registry)
    chain = _Chain(game_id, secrets)
    for event, _retry in store.read(game_id):
        where, prev_hash = f"event {event.seq}", chain.head
        if wrong := chain.check(event):
            yield from wrong
            if wrong[-1].problem != "cut_batch":
                return
        try:
            game.apply(event)
        except UnknownRulesetError as error:
            yield Finding(game_id, "no_rules", str(error))
            return
        state = NO_STATE if game.state is None else game.ruleset.to_json(game.state)
        if mac(state_key(secrets.salt, event.seq, prev_hash), encode(state)) != event.state_proof:
            yield Finding(game_id, "wrong_state", f"{where} proves another state")
            return
    yield from chain.end()
    yield from _check_obligations(store.redis, game.id, obligations(game))


def check_tournament(store: Store, tournament_id: str) -> Iterator[Finding]:
    """Refold one tournament and yield what is wrong with its stream and its obligations."""
    secrets = store.secrets(tournament_id)
    if secrets is None:
        yield Finding(tournament_id, "no_secrets", "the tournament's secrets are missing")
        return
    tournament = Tournament(tournament_id)
    chain = _Chain(tournament_id, secrets)
    for event, _retry in store.read(tournament_id):
        if wrong := chain.check(event):
            yield from wrong
            if wrong[-1].problem != "cut_batch":
                return
        tournament.apply(event)
    yield from chain.end()
    yield from _check_obligations(store.redis, tournament_id, tournament_obligations(tournament))


class _Chain:
    """Follows a stream, event by event."""

    def __init__(self, stream_id: str, secrets: Secrets) -> None:
        self.head = genesis(stream_id)
        self._id = stream_id
        self._salt = secrets.salt
        self._seq = 0
        self._last = 0

    def check(self, event: Event) -> list[Finding]:
        """Return what is wrong with the next event; after all but a cut batch, nothing counts."""
        where = f"event {event.seq}"
        if event.seq != self._seq + 1:
            return [Finding(self._id, "gap", f"{where} follows {self._seq}")]
        found = []
        if event.seq > self._last:
            self._last = event.last
        elif event.last != self._last:
            found.append(
                Finding(self._id, "cut_batch", f"{where} is not of the batch to {self._last}")
            )
        parts = commitments(event.seq, event.body, self._salt, self.head)
        wanted = event_hash(
            self.head, event.seq, event.kind, event.by, event.at, event.last, parts,
            event.state_proof,
        )  # fmt: skip
        if wanted != event.hash:
            found.append(Finding(self._id, "broken_chain", f"{where} does not hash to its hash"))
        self._seq, self.head = event.seq, event.hash
        return found

    def end(self) -> Iterator[Finding]:
        """Yield what is wrong with where the stream ends."""
        if self._seq != self._last:
            detail = f"the batch to {self._last} ends at {self._seq}"
            yield Finding(self._id, "cut_batch", detail)


def _check_obligations(redis: Redis, stream_id: str, owed: Obligations) -> Iterator[Finding]:
    shard = shard_of(stream_id)
    due = redis.zscore(shard_key(shard, "due"), stream_id)
    if (due is None) != (owed.due is None):
        detail = "is due but not listed" if due is None else "is listed but not due"
        yield Finding(stream_id, "wrong_due", f"it {detail}")
    ends = redis.zscore(shard_key(shard, "deadlines"), stream_id)
    if ends != owed.deadline:
        detail = f"the deadline is {owed.deadline}, listed is {ends}"
        yield Finding(stream_id, "wrong_deadline", detail)


def repair(store: Store, registry: Registry) -> Iterator[Finding | None]:
    """Check as ``check`` does and put right what can be; yields the same."""
    for finding in check(store, registry):
        yield finding
        if finding is not None and finding.repairable:
            _repair(store, registry, finding)


def _repair(store: Store, registry: Registry, finding: Finding) -> None:
    shard = shard_of(finding.game_id)
    due, deadlines = shard_key(shard, "due"), shard_key(shard, "deadlines")
    if finding.problem.startswith("orphan_"):
        store.redis.zrem(due if finding.problem == "orphan_due" else deadlines, finding.game_id)
        return
    version, owed = _owed(store, registry, finding.game_id)
    args: list[Any] = [finding.game_id, f"{version}-0", *("" if t is None else t for t in owed)]
    keys = [game_key(finding.game_id, "events"), due, deadlines]
    store.redis.eval(_SET_OBLIGATIONS, len(keys), *keys, *args)


def _owed(store: Store, registry: Registry, stream_id: str) -> tuple[int, Obligations]:
    """Return a stream's version, and what is owed to it."""
    if is_tournament(stream_id):
        tournament = Tournament(stream_id)
        for event, _retry in store.read(stream_id):
            tournament.apply(event)
        return tournament.version, tournament_obligations(tournament)
    game = Game(stream_id, registry)
    for event, _retry in store.read(stream_id):
        game.apply(event)
    return game.version, obligations(game)


def _members(redis: Redis, key: str) -> list[str]:
    return [member.decode() for member, _score in redis.zscan_iter(key)]
