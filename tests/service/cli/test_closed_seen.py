"""A game with a beacon, real witnesses, and strangers who ask whether anybody chose its seed."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.proof.remarks import BACKDATED
from rules.kernel.record import beacons
from rules.kernel.record.beacons import round_ms
from service.publishing import collector, witnesses
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.beacons import CHAIN
from tests.running import PLAYER, wait_for
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_proved import saved
from tests.service.publishing import logs
from tests.service.publishing.closed import close, lobby, look, reveal, standing
from tests.service.publishing.test_witnesses import House


@pytest.fixture
def house(
    tmp_path: Path, redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> House:
    monkeypatch.setattr(beacons, "AHEAD_MS", 5_000)  # nobody waits half a minute here
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 60.0)
    monkeypatch.setattr(collector, "SECONDS", 60.0)
    return House(tmp_path, running.runtime_on(redis_server.url))


def play(runtime: Runtime, game_id: str) -> None:
    """Wait for the round, and play to the end."""
    number = running.game(runtime, game_id).round
    wait_for(lambda: runtime.ledger.store.clock.ask() >= round_ms(CHAIN.pinned(), number))
    runtime.tables.draw_beacon(game_id, CHAIN.sign(number))
    while not (game := running.game(runtime, game_id)).over:
        seat = next(iter(game.asked))
        move = game.ruleset.legal_moves(game.state, seat)[-1].to_json()
        runtime.tables.move(game_id, seat, move, game.version, PLAYER)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_witness_had_seen_the_closed_table_before_its_round(
    house: House, lonja: Lonja, tmp_path: Path, visibility: str
) -> None:
    runtime = house.runtime
    game_id = lobby(runtime, visibility)
    with house.running("one"), house.running("two"):
        with standing(runtime, house.path, house.policy()) as builder:
            close(runtime, game_id)
            look(builder)
            reveal(runtime, game_id)
        house.game()
        house.build()
        play(runtime, game_id)
        house.build()
    record, proved = saved(runtime, game_id, tmp_path / "record"), tmp_path / "proved.ndjson"
    more: list[Any] = []
    if visibility == "private":
        game = running.game(runtime, game_id)
        receipt = runtime.signer.head(game, runtime.ledger.pseudonym_key(game))
        (tmp_path / "receipt").write_bytes(orjson.dumps(receipt))
        more = ["--receipt", tmp_path / "receipt"]
    log_keys = [word for key in house.keys for word in ("--log-key", str(key))]
    done = lonja("log", "prove", record, "--log", house.path, *log_keys, *more, "-o", proved)
    assert done.exit_code == 0, done.output
    assert "closed" in orjson.loads(proved.read_bytes().splitlines()[0])["proof"]

    def notes(*trusted: Any) -> list[str]:
        told = lonja("verify", proved, *log_keys, *trusted, "--json")
        assert told.exit_code == 0, told.output
        found: list[str] = orjson.loads(told.stdout)["notes"]
        return found

    one, policy = house.witnesses["one"], tmp_path / "policy"
    lines = [f"witness {name} {key}" for name, key in house.witnesses.items()]
    policy.write_text("\n".join([*lines, "group both all one two", "quorum both", ""]))
    for trusted in (["--log-key", one], ["--witness-key", one], ["--policy", policy]):
        (told,) = (note for note in notes(*trusted) if "chose the seed" in note)
        assert f"{one.name} at " in told
        assert ("if you had a receipt" in told) == (visibility == "private")
        assert BACKDATED not in notes(*trusted)
    assert BACKDATED in notes()


def test_a_log_that_was_late_leaves_it_open(house: House, lonja: Lonja, tmp_path: Path) -> None:
    """The operator shows the closed table to witnesses when its round is out."""
    runtime = house.runtime
    with house.running("one"), house.running("two"):
        house.build()
        game_id = lobby(runtime, gives=False)
        close(runtime, game_id)
        number = running.game(runtime, game_id).round
        out = round_ms(CHAIN.pinned(), number)
        wait_for(lambda: runtime.ledger.store.clock.ask() >= out + 1_000)
        with standing(runtime, house.path, house.policy()) as builder:
            look(builder)
        play(runtime, game_id)
        house.build()
    record, proved = saved(runtime, game_id, tmp_path / "record"), tmp_path / "proved.ndjson"
    keys = [word for key in (*house.keys, *house.witnesses.values()) for word in ("--log-key", key)]
    asked = ["log", "prove", record, "--log", house.path, *keys, "-o", proved]
    assert lonja(*asked).exit_code == 0
    assert "closed" in orjson.loads(proved.read_bytes().splitlines()[0])["proof"]
    told = orjson.loads(lonja("verify", proved, *keys, "--json").stdout)
    assert BACKDATED in told["notes"]
    assert not any("chose the seed" in note for note in told["notes"])
    assert logs.chains(house.path)[game_id][-1].kind == "ended"
