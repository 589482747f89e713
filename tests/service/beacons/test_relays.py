"""Relays that are right, late, lying, slow or cut; nobody waits for them."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from service.beacons import relays
from service.beacons.chains import QUICKNET, ChainError
from service.beacons.relays import Relays, RoundAnswer
from service.beacons.sources import read_sources
from tests.beacons import CHAIN
from tests.relay import CUT, EARLY, LYING, NONSENSE, RIGHT, SLOW, WRONG_ROUND, Relay, source
from tests.running import ROOT

HASH = CHAIN.chain.hash


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "FIRST_RETRY_SECONDS", 0.02)
    monkeypatch.setattr(relays, "LAST_RETRY_SECONDS", 0.05)


def found(asked: Relays, number: int, seconds: float = 10) -> RoundAnswer:
    """Return what is known once the relays have been asked."""
    until = time.monotonic() + seconds
    while (told := asked.find(HASH, number)) == RoundAnswer(None, failed=False):
        assert time.monotonic() < until, "the relays were not asked"
        time.sleep(0.01)
    return told


def test_a_round_is_fetched_once() -> None:
    with Relay() as relay:
        asked = Relays(source(relay.url))
        assert found(asked, 7) == RoundAnswer(CHAIN.sign(7), failed=False)
        assert found(asked, 7).signature == CHAIN.sign(7)
        assert relay.asked == [f"/{HASH}/public/7"]


@pytest.mark.parametrize("mood", [EARLY, LYING, WRONG_ROUND, CUT, NONSENSE])
def test_a_relay_that_does_not_give_it_is_passed_over(mood: str) -> None:
    with Relay(mood) as bad, Relay() as good:
        assert found(Relays(source(bad.url, good.url + "/v1/")), 7).signature == CHAIN.sign(7)
        assert good.asked == [f"/v1/{HASH}/public/7"]
        alone = Relays(source(bad.url))
        assert found(alone, 7) == RoundAnswer(None, failed=True)
        bad.mood = RIGHT
        until = time.monotonic() + 10
        while (told := alone.find(HASH, 7)).signature is None:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert told == RoundAnswer(CHAIN.sign(7), failed=False)


def test_nobody_waits_for_a_slow_relay() -> None:
    with Relay(SLOW) as slow, Relay() as good:
        asked = Relays(source(slow.url, good.url), seconds=0.2)
        began = time.monotonic()
        assert asked.find(HASH, 7) == RoundAnswer(None, failed=False)
        assert time.monotonic() - began < 0.15
        assert found(asked, 7).signature == CHAIN.sign(7)


def test_a_chain_that_is_not_offered_any_more_counts_as_failed() -> None:
    assert Relays({}).find(HASH, 7) == RoundAnswer(None, failed=True)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("{", "it is no JSON file"),
        ([], "no list of 1 to 10 chains"),
        ([{"info": {}}], "chain 1 is no object with info and relays"),
        ([{"info": {}, "relays": []}], "no list of 1 to 10 relays"),
        ([{"info": {}, "relays": ["https://a.example"]}], "chain 1: its hash is"),
        ([{"info": CHAIN.info(), "relays": ["ftp://a"]}], "chain 1: the relay"),
        ([{"info": CHAIN.info(), "relays": ["https://a.example/?x"]}], "without a query"),
        ([{"info": CHAIN.info(), "relays": ["https://a.example"]}] * 2, "names a chain twice"),
    ],
)
def test_what_names_no_beacons_is_refused(told: Any, why: str, tmp_path: Path) -> None:
    file = tmp_path / "beacons.json"
    file.write_text(told if isinstance(told, str) else json.dumps(told))
    with pytest.raises(ChainError, match=why):
        read_sources(file)


def test_the_file_that_the_guide_shows_names_quicknet(tmp_path: Path) -> None:
    page = (ROOT / "docs/operations.md").read_text()
    (shown,) = re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    file = tmp_path / "beacons.json"
    file.write_text(shown)
    (read,) = read_sources(file).values()
    assert read.chain == QUICKNET
    assert read.relays[0].host == "api.drand.sh"


def test_a_file_names_chains_with_their_relays(tmp_path: Path) -> None:
    file = tmp_path / "beacons.json"
    file.write_text(json.dumps([{"info": CHAIN.info(), "relays": ["https://a.example/x/"]}]))
    ((hash_, read),) = read_sources(file).items()
    assert (hash_, read.chain) == (HASH, CHAIN.chain)
    assert [(one.host, one.path) for one in read.relays] == [("a.example", "/x/")]
