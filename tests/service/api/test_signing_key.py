"""A process signs with the store's key, even after the store was emptied or replaced."""

from collections.abc import MutableMapping
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from service.api.app import create_app
from service.records.receipts import is_genuine
from service.redis import health
from service.redis.keys import SIGNING_KEY
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.service.api.people import House, Json, data

Logs = list[MutableMapping[str, Any]]
OTHER = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)


@pytest.fixture
def runtime(
    redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> Runtime:
    monkeypatch.setattr(health, "EVERY_S", 0.0)
    return running.runtime_on(redis_server.url)


def published(house: House) -> Json:
    (key,) = data(house.visitor.get("/v1/signing_keys"))["keys"]
    return dict(key)


def signed(house: House) -> Json:
    """Open a table, and return its receipt."""
    seats = [{"holder": "me"}, {"holder": "open"}]
    opened = house.player().post("/v1/games", {"ruleset": "sealed", "seats": seats})
    receipt: Json = data(opened)["receipt"]
    return receipt


def said(logs: Logs) -> list[str]:
    return [entry["event"] for entry in logs if entry["event"].startswith("signing_key")]


def test_a_store_that_was_emptied_is_given_the_key_back(
    runtime: Runtime, redis_server: RedisServer, redis_client: Redis, logs: Logs
) -> None:
    house = House(create_app(runtime))
    before = signed(house)
    redis_client.flushall()
    for _ in range(2):
        assert runtime.health.complaint() is None
    assert said(logs) == ["signing_key_restored"]
    newcomer = House(create_app(running.runtime_on(redis_server.url)))
    key = published(newcomer)
    assert key == published(house)
    for receipt in (before, signed(house), signed(newcomer)):
        assert is_genuine(receipt, bytes.fromhex(key["public_key"]))


@pytest.mark.parametrize("asked", ["health", "key"])
def test_the_key_of_another_store_is_taken(
    runtime: Runtime, redis_client: Redis, logs: Logs, asked: str
) -> None:
    house = House(create_app(runtime))
    before = signed(house)
    redis_client.set(SIGNING_KEY, OTHER.private_bytes_raw())
    if asked == "health":
        assert runtime.health.complaint() is None
    else:
        assert published(house)["public_key"] == OTHER.public_key().public_bytes_raw().hex()
    after = signed(house)
    assert is_genuine(after, OTHER.public_key().public_bytes_raw())
    assert after["key_id"] == runtime.signer.key_id != before["key_id"]
    assert said(logs) == ["signing_key_changed"]


def test_a_store_of_another_format_that_takes_the_place_is_unfit(
    runtime: Runtime, redis_client: Redis
) -> None:
    assert runtime.health.complaint() is None
    redis_client.set("lonja:{meta}:format", "lonja/3")
    assert "lonja/3" in (runtime.health.complaint() or "")
