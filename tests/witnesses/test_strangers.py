"""A stranger's witness co-signs this project's log, and this witness co-signs a stranger's log.

The stranger's program also checks the checkpoint with both co-signatures.
"""

import base64
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from redis import Redis

from service.publishing import witnesses
from service.publishing.folder import LogFolder
from service.publishing.witnesses import WitnessedFigures
from service.redis.server import RedisServer
from service.tlog.checkpoints import open_checkpoint
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy
from service.witnessing.folder import WitnessFolder
from tests import environments, running
from tests.faults.processes import free_port, kill_tree
from tests.running import ME, ROOT, wait_for
from tests.service.publishing.logs import Builder
from tests.service.witnessing.running import listens, witness
from tests.service.witnessing.strangers import StrangersLog
from tests.workers import pythons

pytestmark = pytest.mark.campaign("witnesses")

FEED = """
import base64, json, sys
from aics_witness.feeder import FeederError, WitnessClient

url, key, state = sys.argv[1:]
client = WitnessClient(url, key, state_path=state)
for line in sys.stdin:
    told = json.loads(line)
    prove = lambda old, new: [base64.b64decode(one) for one in told["proofs"][str(old)]]
    try:
        print("co-signed", client.submit(base64.b64decode(told["note"]), prove).strip(), flush=True)
    except FeederError as error:
        print(type(error).__name__, error, flush=True)
"""


class Stranger(NamedTuple):
    """The programs of the other project."""

    python: Path

    def say(self, folder: Path, *words: object, program: str = "aics-witness") -> str:
        ran = subprocess.run(
            [self.python.with_name(program), *map(str, words)],
            env={**os.environ, "AICS_WITNESS_CONFIG": str(folder / "witness.json")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    @contextmanager
    def serving(self, folder: Path, port: int) -> Iterator[str]:
        with (folder / "output").open("ab") as output:
            process = subprocess.Popen(
                [self.python.with_name("aics-witness"), "serve", "--listen", f"127.0.0.1:{port}"],
                env={**os.environ, "AICS_WITNESS_CONFIG": str(folder / "witness.json")},
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )  # fmt: skip
        try:
            wait_for(lambda: listens(port) or process.poll() is not None)
            yield f"http://127.0.0.1:{port}"
        finally:
            kill_tree(process)


@pytest.fixture(scope="module")
def stranger() -> Stranger:
    found = [
        python
        for python in pythons.installed().values()
        if (version := pythons.version_of(python)) is not None and version.numbers >= (3, 12)
    ]
    if not found:
        pytest.skip("the other program needs Python 3.12 (LONJA_TEST_PYTHONS)")
    lock = ROOT / "tests/witnesses/requirements.lock"
    return Stranger(Path(environments.make(ROOT / ".venv" / "witnesses", found[0], lock)))


def test_a_strangers_witness_co_signs_this_log(
    stranger: Stranger,
    tmp_path: Path,
    redis_server: RedisServer,
    redis_client: Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 60.0)
    runtime = running.runtime_on(redis_server.url)
    folder = LogFolder(tmp_path / "log")
    log, _time = folder.signer.verifiers
    folder.close()
    theirs, own = tmp_path / "theirs", WitnessFolder(tmp_path / "own")
    theirs.mkdir()
    keys = {"own": own.make("own.example/w1").verifier}
    own.policy_file.write_text(f"log {log}\nquorum none\n")
    said = stranger.say(theirs, "init", "--name", "theirs.example/w1")
    (word,) = (word for word in said.split() if word.startswith("theirs.example/w1+"))
    keys["theirs"] = VerifierKey.parse(word)
    stranger.say(theirs, "add-log", "--origin", log.name, "--vkey", log)
    ports = {name: free_port() for name in keys}
    lines = [f"witness {name} {key} http://127.0.0.1:{ports[name]}" for name, key in keys.items()]
    policy = TrustPolicy.parse(
        "\n".join([*lines, "group all all own theirs", "quorum all"]).encode()
    )
    with witness(own.path, ports["own"]), stranger.serving(theirs, ports["theirs"]):
        builder = Builder.open(runtime.ledger.store, tmp_path / "log", policy=policy)
        for _ in range(3):
            running.open_game(runtime, "sealed", ME, ME)
            builder.build()
            raw = (tmp_path / "log/public/checkpoint").read_bytes()
            seen = open_checkpoint(raw, [log], keys.values()).seen
            assert policy.is_met(seen)
            assert all(abs(at - time.time()) < 60 for at in seen.values())
        found = WitnessedFigures.read(redis_client)
        assert found is not None
        assert found.since is None
        builder.die()
        assert builder.log.witnesses is not None
        builder.log.witnesses.close()
    told = stranger.say(
        theirs, "verify-checkpoint", "--note", tmp_path / "log/public/checkpoint",
        "--origin", log.name, "--log-key", log, "--witness-key", keys["own"],
        "--witness-key", keys["theirs"], "--quorum", 2, program="aics-tlog",
    )  # fmt: skip
    assert orjson.loads(told)["ok"] is True


class _Feeder:
    """The other program's side of a log."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def submit(self, log: StrangersLog) -> str:
        proofs: dict[str, Any] = {
            str(old): [base64.b64encode(one).decode() for one in log.submission(old).proof]
            for old in range(log.size + 1)
        }
        told = {"note": base64.b64encode(log.note()).decode(), "proofs": proofs}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(orjson.dumps(told) + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().decode()


@contextmanager
def feeding(stranger: Stranger, url: str, key: VerifierKey, state: Path) -> Iterator[_Feeder]:
    process = subprocess.Popen(
        [stranger.python, "-c", FEED, url, str(key), str(state)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield _Feeder(process)
    finally:
        kill_tree(process)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()


def test_a_strangers_log_is_co_signed_until_it_forks(stranger: Stranger, tmp_path: Path) -> None:
    log = StrangersLog("stranger.example/log")
    own = WitnessFolder(tmp_path / "own")
    key = own.make("own.example/w1").verifier
    own.policy_file.write_text(f"log {log.key.verifier}\nquorum none\n")
    port = free_port()
    with (
        witness(own.path, port) as url,
        feeding(stranger, url, key, tmp_path / "feeder") as feeder,
        feeding(stranger, url, key, tmp_path / "other") as other,
    ):
        for entries in (3, 0, 5, 300):
            log.grow(entries)
            assert feeder.submit(log).startswith("co-signed — own.example/w1 ")
        fork = log.fork(200, 200)
        assert other.submit(fork).startswith("WitnessRejected")
        assert other.submit(log.fork(200, 50)).startswith("WitnessAhead")
        assert other.submit(log.grow(1)).startswith("co-signed")
    (refused,) = own.state().refused()
    assert refused.note == fork.note()
