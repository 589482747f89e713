"""Each script uses one slot of a cluster; all tests check all calls by the same table."""

import pytest
from redis import Redis

from service.redis.scripts import Script
from tests import slots
from tests.running import ROOT


def test_every_script_has_its_slot() -> None:
    assert {*slots.SLOTS} == {*slots.files()} - {*slots.PARTS} | {*slots.WITHIN}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "service").rglob("*.py")]
    for text in texts:
        assert "register_script" not in text  # a Script whose calls are recorded
        assert ".eval(" not in text


def test_two_slots_are_refused(redis_client: Redis) -> None:
    script = Script(redis_client, "return KEYS[1]")
    assert script(["lonja:{s01}:a", "lonja:{s01}:b"], []) == b"lonja:{s01}:a"
    with pytest.raises(AssertionError, match="2 slots"):
        script(["lonja:{s01}:a", "lonja:{meta}:b"], [])
    append = Script(redis_client, slots.files()["ledger/append"])
    with pytest.raises(AssertionError, match="ledger/append"):
        append(["lonja:{meta}:a", "lonja:{meta}:b"], [])
