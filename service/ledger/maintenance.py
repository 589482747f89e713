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
from rules.kernel.events import NO_STATE, commitments, event_hash
from rules.kernel.game import Game
from rules.kernel.secrets import state_key
from rules.registry import Registry, UnknownRulesetError
from service.ids import shard_of
from service.ledger.keys import ALL_SHARDS, game_key, shard_key
from service.ledger.ledger import obligations
from service.ledger.store import Store

_EVENTS = re.compile(r"lonja:\{s\d\d\}:game:(.+):events\Z")
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
    for key in redis.scan_iter(match="lonja:{s*}:game:*:events", count=1000):
        found = _EVENTS.match(key.decode())
        if found:
            yield found.group(1)


def check(store: Store, registry: Registry) -> Iterator[Finding | None]:
    """Check every game and yield its findings, then None once for each game that is done.

    After all games come the findings about obligations to games that do not exist.
    """
    known = set()
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
    last = 0
    for event, _retry in store.read(game_id):
        where = f"event {event.seq}"
        if event.seq != game.version + 1:
            yield Finding(game_id, "gap", f"{where} follows {game.version}")
            return
        if event.seq > last:
            last = event.last
        elif event.last != last:
            yield Finding(game_id, "cut_batch", f"{where} is not of the batch to {last}")
        parts = commitments(event.seq, event.body, secrets.salt, game.head)
        key = state_key(secrets.salt, event.seq, game.head)
        wanted = event_hash(
            game.head, event.seq, event.kind, event.by, event.at, event.last, parts,
            event.state_proof,
        )  # fmt: skip
        if wanted != event.hash:
            yield Finding(game_id, "broken_chain", f"{where} does not hash to its hash")
            return
        try:
            game.apply(event)
        except UnknownRulesetError as error:
            yield Finding(game_id, "no_rules", str(error))
            return
        state = NO_STATE if game.state is None else game.ruleset.to_json(game.state)
        if mac(key, encode(state)) != event.state_proof:
            yield Finding(game_id, "wrong_state", f"{where} proves another state")
            return
    if game.version != last:
        yield Finding(game_id, "cut_batch", f"the batch to {last} ends at {game.version}")
    yield from _check_obligations(store.redis, game)


def _check_obligations(redis: Redis, game: Game) -> Iterator[Finding]:
    owed = obligations(game)
    shard = shard_of(game.id)
    due = redis.zscore(shard_key(shard, "due"), game.id)
    if (due is None) != (owed.due is None):
        detail = "is due but not listed" if due is None else "is listed but not due"
        yield Finding(game.id, "wrong_due", f"the game {detail}")
    ends = redis.zscore(shard_key(shard, "deadlines"), game.id)
    if ends != owed.deadline:
        detail = f"the deadline is {owed.deadline}, listed is {ends}"
        yield Finding(game.id, "wrong_deadline", detail)


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
    game = Game(finding.game_id, registry)
    for event, _retry in store.read(finding.game_id):
        game.apply(event)
    owed = obligations(game)
    args: list[Any] = [game.id, f"{game.version}-0", *("" if t is None else t for t in owed)]
    keys = [game_key(game.id, "events"), due, deadlines]
    store.redis.eval(_SET_OBLIGATIONS, len(keys), *keys, *args)


def _members(redis: Redis, key: str) -> list[str]:
    return [member.decode() for member, _score in redis.zscan_iter(key)]
