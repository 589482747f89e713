"""Games that differ in one hidden fact have the same leaves, but for hashes, at the same times."""

from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from laws.games import RulesEvent
from laws.streams import SECRETS, Stream, batches
from rules.kernel.record.events import dump
from rules.kernel.record.game import Game
from service.ids import shard_of
from service.ledger.feeds import TAILS
from service.ledger.store import Store
from service.ledger.terms import BESIDE, TableTerms
from service.redis.keys import game_key
from tests.contract.twins import Twins
from tests.sealed import twins as sealed
from tests.service.ledger.conftest import REGISTRY
from tests.service.publishing import logs
from tests.service.publishing.logs import Builder

GAME_ID = "g07-" + "twin" * 5
Seen = list[list[tuple[str, str, int]]]


def seen(redis: Redis, twins: Twins, course: Any, visibility: str, path: Path) -> Seen:
    """Return the leaves of a game after each of its batches, without their hashes."""
    redis.flushall()
    store = Store(redis)
    salt, seed = store.wrapped(GAME_ID, SECRETS)
    redis.hset(game_key(GAME_ID, "secrets"), mapping={"salt": salt, "chance_seed": seed})
    terms: Any = TableTerms(visibility=visibility).dump()
    if terms:
        redis.hset(game_key(GAME_ID, BESIDE), mapping=terms)
    builder = Builder.open(store, path)
    stream, written, found = Stream(Game(GAME_ID, REGISTRY)), 0, []
    script: list[RulesEvent] = [*course]
    for batch in batches(twins.table, script, stream):
        stream.append(batch)
        for event in stream.events[written:]:
            record, proofs = dump(event)
            fields: Any = {"e": record, "p": proofs}
            redis.xadd(game_key(GAME_ID, "events"), fields, id=f"{event.seq}-0")
        written = len(stream.events)
        told: Any = {"g": GAME_ID, "v": written, "h": stream.events[-1].hash[:8], "n": b""}
        redis.xadd(TAILS[shard_of(GAME_ID)], told)
        builder.build()
        found.append([*logs.kinds(path)])
    builder.close()
    return found


@pytest.mark.parametrize("twins", [*sealed.every()], ids=str)
def test_nothing_hidden_changes_the_leaves(
    redis_client: Redis, twins: Twins, tmp_path: Path
) -> None:
    for visibility in ("public", "private"):
        one, other = (
            seen(redis_client, twins, course, visibility, tmp_path / f"{visibility}{number}")
            for number, course in enumerate(twins.courses)
        )
        assert one == other
        assert len(one) > 3
