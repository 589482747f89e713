"""Ids that are derived from requests."""

from redis import Redis

from service import ids
from service.ledger.derived_ids import DerivedIds
from service.ledger.store import Store
from service.redis.format import FORMAT_KEY, NEWEST
from service.redis.secret import secret_of


def test_the_first_id_of_a_store_rests_on_the_secret_that_is_made_for_it(
    redis_client: Redis,
) -> None:
    redis_client.flushdb()
    redis_client.set(FORMAT_KEY, NEWEST)
    first = DerivedIds(Store(redis_client)).game("p-ana", "key")
    assert first == DerivedIds(Store(redis_client)).game("p-ana", "key")
    assert first != ids.game_id_for("p-ana", "key")
    assert secret_of(redis_client)
