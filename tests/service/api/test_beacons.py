"""Tables that let a beacon into their luck: how they are opened, and what their state tells."""

from collections.abc import Iterator
from typing import cast

import pytest

from rules.kernel.record.beacons import AHEAD_MS, round_ms
from rules.kernel.record.instants import to_ms
from service.beacons.sources import OfferedChain
from service.runtime import Runtime
from tests.beacons import CHAIN
from tests.relay import source
from tests.service.api.people import House, Json, data, problem

SEATS = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
ASKED: Json = {"ruleset": "sealed", "seats": SEATS, "entropy_mode": "beacon"}


@pytest.fixture
def offers(runtime: Runtime) -> Iterator[None]:
    """Let the service offer one chain."""
    beacons = cast("dict[str, OfferedChain]", runtime.beacons)
    beacons.update(source("http://127.0.0.1:9"))
    yield
    beacons.clear()


@pytest.mark.usefixtures("offers")
def test_a_table_says_which_round_it_waits_for(house: House) -> None:
    ana = house.player()
    game = data(ana.post("/v1/games", ASKED))
    assert (game["status"], game["entropy_mode"], game["entropy_seconds"]) == (
        "closed",
        "beacon",
        300,
    )
    told, closed = game["beacon"], to_ms(game["at"])
    assert {name: told[name] for name in CHAIN.pinned()} == CHAIN.pinned()
    assert (told["late"], told["drawn"]) == ("abort", False)
    assert to_ms(told["round_at"]) == round_ms(CHAIN.pinned(), told["round"])
    assert closed + AHEAD_MS <= to_ms(told["round_at"]) < closed + AHEAD_MS + 3_000
    assert to_ms(game["entropy_until"]) == closed + 300_000

    waits = {**ASKED, "seats": [{"holder": "me"}, {"holder": "open"}], "entropy_seconds": 63}
    lobby = data(ana.post("/v1/games", {**waits, "beacon": {"late": "start"}}))
    told = lobby["beacon"]
    assert (lobby["status"], lobby["entropy_seconds"]) == ("lobby", 63)
    assert (told["late"], told["round"], told["round_at"]) == ("start", None, None)
    plain = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": SEATS}))
    assert plain["beacon"] is None


@pytest.mark.usefixtures("offers")
def test_what_no_beacon_is_asked_for_with(house: House) -> None:
    ana = house.player()
    for wrong, field, why in (
        ({"beacon": {"chain": "0" * 64}}, "beacon.chain", f"one of {CHAIN.chain.hash}"),
        ({"beacon": {"late": "wait"}}, "beacon.late", "abort"),
        ({"entropy_seconds": 62}, "entropy_seconds", "at least 63"),
        ({"entropy_mode": "lenient", "beacon": {}}, "beacon", 'the entropy_mode "beacon"'),
    ):
        told = problem(ana.post("/v1/games", {**ASKED, **wrong}), 422, "invalid_body")
        (error,) = told["errors"]
        assert error["field"] == field
        assert why in error["message"]


def test_a_service_without_beacons_says_so(house: House) -> None:
    told = problem(house.player().post("/v1/games", ASKED), 422, "invalid_body")
    (error,) = told["errors"]
    assert error["field"] == "entropy_mode"
    assert "LONJA_BEACONS" in error["message"]


@pytest.mark.usefixtures("offers")
def test_the_service_tells_which_beacons_it_offers(house: House) -> None:
    assert data(house.visitor.get("/v1/beacons")) == {"beacons": [CHAIN.pinned()]}


def test_a_service_without_beacons_offers_none(house: House) -> None:
    assert data(house.visitor.get("/v1/beacons")) == {"beacons": []}
