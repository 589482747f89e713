"""Games that wait for a beacon: right, late, lying, and with a restart in between."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rules.kernel.record import beacons
from rules.kernel.record.batch import beacon_terms
from rules.kernel.record.beacons import ABORT, START
from rules.kernel.record.clocks import entropy_deadline, next_deadline
from service.beacons.sources import OfferedChain
from service.cli.verifying import VerifyOptions, verify_game
from service.ids import shard_of
from service.ledger.store import RepeatedRequest
from service.records.game_file import Record, header
from service.redis.keys import shard_key
from service.runtime import Runtime
from tests.beacons import CHAIN
from tests.relay import CUT, LYING, RIGHT, Relay, source
from tests.running import ME, PLAYER, bot, copies, kinds, runtime_on, wait_for
from workers.process import make
from workers.sweeper import Sweeper

SECONDS = 3
OWN = CHAIN._replace(period=1)


@pytest.fixture
def relay() -> Iterator[Relay]:
    with Relay(own=OWN) as made:
        yield made


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rounds be out at once: the store stamps events, and nobody waits half a minute here."""
    monkeypatch.setattr(beacons, "AHEAD_MS", 300)


def opened(runtime: Runtime, late: str = ABORT) -> str:
    terms = beacon_terms(OWN.pinned(), late, SECONDS)
    created = runtime.tables.create(PLAYER, "sealed", {}, [ME, bot("greedy")], entropy=terms)
    assert not isinstance(created, RepeatedRequest)
    assert (created.game.status, kinds(runtime, created.game.id)[-1]) == ("closed", "closed")
    return created.game.id


def sweeper(runtime: Runtime, sources: dict[str, OfferedChain]) -> Sweeper:
    return Sweeper(make(replace(runtime, beacons=sources)))


def status(runtime: Runtime, game_id: str) -> str:
    return runtime.ledger.table(game_id).game.status


def swept(sweep: Sweeper, runtime: Runtime, game_id: str) -> str:
    """Sweep until the game does not wait any more; return its status."""

    def done() -> bool:
        sweep.sweep()
        return status(runtime, game_id) != "closed"

    wait_for(done)
    return status(runtime, game_id)


def record(runtime: Runtime, game_id: str) -> Record:
    game = runtime.ledger.table(game_id).game
    told = header(
        game_id, game.created, game.version, game.status, None, runtime.signer.head(game),
        runtime.signer.public_key.hex(),
    )  # fmt: skip
    return Record(told, copies(runtime, game_id))


def until(runtime: Runtime, ms: int) -> None:
    wait_for(lambda: runtime.ledger.store.clock.ask() >= ms)


def test_a_round_starts_the_game_once_it_is_out(web: Runtime, relay: Relay) -> None:
    game_id = opened(web)
    sweep = sweeper(web, source(relay.url, own=OWN))
    assert swept(sweep, web, game_id) == "running"
    assert kinds(web, game_id)[4:6] == ["beacon_drawn", "started"]
    drawn = web.ledger.table(game_id).game
    assert set(relay.asked) == {f"/{OWN.chain.hash}/public/{drawn.round}"}
    report = verify_game(record(web, game_id), VerifyOptions(), web.registry)
    assert not [failure for check in report.checks for failure in check.failures]
    assert any(note.startswith(f"Round {drawn.round} of the beacon") for note in report.notes)
    assert web.tables.draw_beacon(game_id, OWN.sign(drawn.round)) is None


def test_nobody_starts_it_before(web: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacons, "AHEAD_MS", 60_000)
    game_id = opened(web)
    game = web.ledger.table(game_id).game
    assert web.tables.draw_beacon(game_id, OWN.sign(game.round)) is None
    assert web.tables.expire(game_id) is None
    assert status(web, game_id) == "closed"


@pytest.mark.parametrize(
    ("mood", "late", "then"), [(LYING, START, "running"), (CUT, ABORT, "aborted")]
)
def test_a_beacon_that_is_late_or_lies_ends_in_what_the_table_chose(
    web: Runtime, relay: Relay, mood: str, late: str, then: str
) -> None:
    game_id = opened(web, late)
    relay.mood = mood
    ends = deadline(web, game_id)
    assert swept(sweeper(web, source(relay.url, own=OWN)), web, game_id) == then
    assert web.ledger.store.clock.ask() > ends
    assert relay.asked
    assert web.ledger.table(game_id).game.randomness is None
    report = verify_game(record(web, game_id), VerifyOptions(), web.registry)
    assert not [failure for check in report.checks for failure in check.failures]


def test_a_service_that_was_away_asks_before_it_calls_a_beacon_late(
    web: Runtime, relay: Relay
) -> None:
    """The process that had asked was killed; another one comes after the deadline."""
    game_id = opened(web)
    relay.mood = CUT
    sweep, ends = sweeper(web, source(relay.url, own=OWN)), deadline(web, game_id)

    def asked() -> bool:
        sweep.sweep()
        return bool(relay.asked)

    wait_for(asked)
    relay.mood = RIGHT
    until(web, ends + 1)
    assert swept(sweeper(web, source(relay.url, own=OWN)), web, game_id) == "running"
    assert "beacon_drawn" in kinds(web, game_id)


def test_a_chain_that_is_not_offered_any_more_is_late(web: Runtime) -> None:
    game_id = opened(web)
    assert swept(sweeper(web, {}), web, game_id) == "aborted"


def deadline(runtime: Runtime, game_id: str) -> int:
    ends = entropy_deadline(runtime.ledger.table(game_id).game)
    assert ends is not None
    return ends


def test_a_game_that_waits_is_not_before_other_clocks(web: Runtime, relay: Relay) -> None:
    game_id = opened(web)
    relay.mood = CUT
    sweep = sweeper(web, source(relay.url, own=OWN))
    key, first = (
        shard_key(shard_of(game_id), "deadlines"),
        next_deadline(web.ledger.table(game_id).game),
    )

    def moved() -> bool:
        sweep.sweep()
        return web.redis.zscore(key, game_id) != first

    wait_for(moved)
    later: Any = web.redis.zscore(key, game_id)
    assert first is not None
    assert later > first


@pytest.mark.parametrize("has_drawn", [False, True], ids=["before the draw", "after the draw"])
def test_a_worker_that_is_killed_with_the_round_in_its_hands_costs_nothing(
    web: Runtime, relay: Relay, *, has_drawn: bool
) -> None:
    """It has fetched the round, and dies before it draws it, or before it can note that it did."""
    game_id = opened(web)
    child = os.fork()
    if child == 0:
        try:
            _sweep_and_die(str(web.settings.redis_url), relay.url, has_drawn=has_drawn)
        finally:
            os._exit(3)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == -signal.SIGKILL
    assert relay.asked
    assert status(web, game_id) == ("running" if has_drawn else "closed")
    assert swept(sweeper(web, source(relay.url, own=OWN)), web, game_id) == "running"
    assert kinds(web, game_id).count("beacon_drawn") == 1
    report = verify_game(record(web, game_id), VerifyOptions(), web.registry)
    assert not [failure for check in report.checks for failure in check.failures]


def _sweep_and_die(redis_url: str, relay_url: str, *, has_drawn: bool) -> None:
    runtime = runtime_on(redis_url, announce=False)
    draw = runtime.tables.draw_beacon

    def die(game_id: str, signature: str) -> None:
        if has_drawn:
            draw(game_id, signature)
        os.kill(os.getpid(), signal.SIGKILL)

    object.__setattr__(runtime.tables, "draw_beacon", die)
    sweep = sweeper(runtime, source(relay_url, own=OWN))
    for _ in range(600):
        sweep.sweep()
        time.sleep(0.05)
