"""A download in progress counts as long as it lasts."""

import pytest
from redis import Redis

from service.games import downloads
from service.games.downloads import Downloads

ADDRESS = "192.0.2.7"


def test_a_place_is_kept_as_long_as_the_record_is_sent(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download in progress renews its lease; one that stopped silently loses it."""
    monkeypatch.setattr(downloads, "_RENEWED_SECONDS", -1.0)  # at once
    found = Downloads(redis_client, send_seconds=60)
    sent = found.begin(ADDRESS)
    (key,) = redis_client.scan_iter("lonja:*records*")
    redis_client.pexpire(key, 1_000)
    sent.go_on()
    assert redis_client.pttl(key) > 10_000
