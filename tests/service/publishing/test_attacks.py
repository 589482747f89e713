"""A dishonest operator with all keys, against strangers who ask for two witnesses' co-signatures.

The attacker is a second server on copied folders, or the builder with one function replaced. The
strangers see files and answers over HTTP, and the witnesses' public keys.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from rules.kernel.canonical import JsonObject
from service.cli import main
from service.publishing import collector, publisher, witnesses
from service.publishing.folder import LogFolder
from service.publishing.witnesses import WitnessedFigures
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.policies import TrustPolicy
from service.witnessing.folder import WitnessFolder
from tests import running
from tests.faults.processes import free_port
from tests.running import ME, runtime_on
from tests.service.publishing.logs import Builder
from tests.service.witnessing.running import witness

LOGS = ("fork", "thief", "clock", "honest")


class Strangers:
    """Two witnesses of several logs, and what a stranger asks of each log."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.keys = {}
        for name in LOGS:
            folder = LogFolder(path / name)
            self.keys[name] = folder.signer.verifiers
            folder.close()
        self.ports = {name: free_port() for name in ("ana", "bea")}
        logs = "".join(f"log {log}\n" for log, _time in self.keys.values())
        lines = []
        for name, port in self.ports.items():
            made = WitnessFolder(path / name)
            lines.append(
                f"witness {name} {made.make(f'{name}.example/w').verifier} http://127.0.0.1:{port}"
            )
            made.policy_file.write_text(f"{logs}quorum none\n")
        lines += ["group both all ana bea", "quorum both", ""]
        self.policy = path / "policy"
        self.policy.write_text("\n".join(lines))

    def build(self, runtime: Runtime, folder: Path) -> Builder:
        """Build as the operator's process does; return it, ended."""
        policy = TrustPolicy.parse(self.policy.read_bytes())
        builder = Builder.open(runtime.ledger.store, folder, policy=policy)
        try:
            builder.build()
        finally:
            builder.die()
            assert builder.log.witnesses is not None
            builder.log.witnesses.close()
        return builder

    def ask(self, name: str, receipt: JsonObject, log: Path, runtime: Runtime) -> Any:
        """Return what `lonja verify` tells a stranger who has a receipt of this log."""
        file = self.path / "receipt.json"
        file.write_bytes(orjson.dumps(receipt))
        keys = [word for key in self.keys[name] for word in ("--log-key", str(key))]
        words = [
            "verify", "--receipt", file, "--log", log, "--policy", self.policy, *keys,
            "--public-key", runtime.signer.public_key.hex(), "--json",
        ]  # fmt: skip
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code in (0, 1, 3), result.output
        # The threads of the operator's witnesses may log meanwhile, to the same output.
        return orjson.loads(result.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Strangers]:
    found = Strangers(tmp_path_factory.mktemp("strangers"))
    ana, bea = (found.path / name for name in found.ports)
    with witness(ana, found.ports["ana"]), witness(bea, found.ports["bea"]):
        yield found


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine keeps witnesses waiting."""
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 60.0)
    monkeypatch.setattr(collector, "SECONDS", 60.0)


@pytest.fixture
def redis(tmp_path: Path, redis_binary: Path | None) -> Iterator[RedisServer]:
    with RedisServer(tmp_path / "redis", binary=redis_binary) as server:
        yield server


def _moved(runtime: Runtime, game_id: str, which: int) -> JsonObject:
    """Move; return the receipt of the newest event."""
    game = running.game(runtime, game_id)
    seat = next(iter(game.asked))
    chosen = game.ruleset.legal_moves(game.state, seat)[which].to_json()
    runtime.tables.move(game_id, seat, chosen, game.version, running.PLAYER)
    receipt: JsonObject = runtime.signer.head(running.game(runtime, game_id))
    return receipt


def _figures(runtime: Runtime) -> WitnessedFigures:
    found = WitnessedFigures.read(runtime.redis)
    assert found is not None
    return found


def test_two_players_are_shown_two_forks(
    strangers: Strangers, redis: RedisServer, tmp_path: Path, redis_binary: Path | None
) -> None:
    """Each fork keeps its own promises; the witnesses have seen one."""
    honest = runtime_on(redis.url)
    game_id = running.open_game(honest, "sealed", ME, ME)
    log = strangers.path / "fork"
    strangers.build(honest, log)
    shutil.copytree(tmp_path / "redis", tmp_path / "copied")
    shutil.copytree(log, tmp_path / "log")
    with RedisServer(tmp_path / "copied", binary=redis_binary) as copied:
        fork = runtime_on(copied.url)
        receipts = _moved(honest, game_id, 0), _moved(fork, game_id, -1)
        assert receipts[0]["hash"] != receipts[1]["hash"]
        strangers.build(honest, log)
        strangers.build(fork, tmp_path / "log")
        assert all(one.refuses for one in _figures(fork).witnesses)
        first = strangers.ask("fork", receipts[0], log, honest)
        second = strangers.ask("fork", receipts[1], tmp_path / "log", fork)
    assert (first["verdict"], first["witnesses"]["enough"]) == ("kept", True)
    assert second["verdict"] == "unwitnessed"
    assert second["witnesses"]["seen"] == []
    # Who compares the two, without any witness, sees it, too.
    assert strangers.ask("fork", receipts[1], log, honest)["verdict"] == "broken"
    refused = WitnessFolder(strangers.path / "ana").state().refused()
    assert strangers.keys["fork"][0].name in {one.origin for one in refused}


def test_somebody_else_signs_with_the_keys_of_the_log(
    strangers: Strangers, redis: RedisServer, tmp_path: Path, redis_binary: Path | None
) -> None:
    """A thief of keys and folder gets one history co-signed, and the operator is told of it."""
    honest = runtime_on(redis.url)
    game_id = running.open_game(honest, "sealed", ME, ME)
    log = strangers.path / "thief"
    strangers.build(honest, log)
    shutil.copytree(tmp_path / "redis", tmp_path / "stolen")
    shutil.copytree(log, tmp_path / "log")
    with RedisServer(tmp_path / "stolen", binary=redis_binary) as stolen:
        thief = runtime_on(stolen.url)
        for _ in range(2):
            running.open_game(thief, "sealed", ME, ME)
        strangers.build(thief, tmp_path / "log")
        assert not any(one.why for one in _figures(thief).witnesses)
    receipt = _moved(honest, game_id, 0)
    strangers.build(honest, log)
    told = _figures(honest).witnesses
    assert all(one.refuses for one in told)
    assert "or somebody else signs with its key" in told[0].why
    assert strangers.ask("thief", receipt, log, honest)["verdict"] == "unwitnessed"


def test_a_checkpoint_that_is_dated_back(
    strangers: Strangers, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log says a day ago; the witnesses say now."""
    runtime = runtime_on(redis.url)
    game_id = running.open_game(runtime, "sealed", ME, ME)
    start, sign = publisher.Publisher.start, publisher.Publisher._sign

    def started(self: Any, lead: Any, mark: Any, size: int, root: bytes, now: int) -> Any:
        return start(self, lead, mark, size, root, now - 86_400_000)

    def signed(self: Any, lead: Any, known: Any, size: int, root: bytes, now: int) -> Any:
        return sign(self, lead, known, size, root, now - 86_400_000)

    monkeypatch.setattr(publisher.Publisher, "start", started)
    monkeypatch.setattr(publisher.Publisher, "_sign", signed)
    receipt = runtime.signer.head(running.game(runtime, game_id))
    log = strangers.path / "clock"
    strangers.build(runtime, log)
    found = strangers.ask("clock", receipt, log, runtime)
    lately = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - 80_000))
    assert found["log"]["at"] < lately
    assert all(one["at"] > lately for one in found["witnesses"]["seen"])
    assert len(found["witnesses"]["seen"]) == 2


def test_honest_histories_are_co_signed(strangers: Strangers, redis: RedisServer) -> None:
    """Twenty checkpoints of one log, by twenty processes: nobody refuses anything."""
    runtime = runtime_on(redis.url)
    log = strangers.path / "honest"
    game_id = running.open_game(runtime, "sealed", ME, ME)
    receipt = runtime.signer.head(running.game(runtime, game_id))
    for _ in range(20):
        running.open_game(runtime, "sealed", ME, ME)
        strangers.build(runtime, log)
        found = _figures(runtime)
        assert found.since is None
        assert not any(one.why for one in found.witnesses)
    assert strangers.ask("honest", receipt, log, runtime)["verdict"] == "kept"
    refused = WitnessFolder(strangers.path / "bea").state().refused()
    assert strangers.keys["honest"][0].name not in {one.origin for one in refused}
