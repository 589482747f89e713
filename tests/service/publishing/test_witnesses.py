"""The log collects co-signatures from real witnesses, which die, come back, and refuse forks."""

import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from service.publishing import collector, witnesses
from service.publishing.folder import LogFiles, LogFolder
from service.publishing.marker import adopt
from service.publishing.witnesses import WitnessedFigures, Witnesses
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.checkpoints import OpenedCheckpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy
from service.tlog.tiles import Tile
from service.witnessing.folder import WitnessFolder
from service.witnessing.state import StateFile
from tests import running
from tests.faults.processes import free_port
from tests.running import ME, wait_for
from tests.service.publishing.logs import Builder
from tests.service.witnessing.running import witness


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine keeps witnesses waiting; a failure ends a wait earlier."""
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 60.0)
    monkeypatch.setattr(collector, "SECONDS", 60.0)


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


class House:
    """A log with two witnesses, which run as the test says."""

    def __init__(self, path: Path, runtime: Runtime) -> None:
        self.path = path / "log"
        self.runtime = runtime
        folder = LogFolder(self.path)
        self.keys = folder.signer.verifiers
        folder.close()
        self.ports = {name: free_port() for name in ("one", "two")}
        self.folders = {name: WitnessFolder(path / name) for name in self.ports}
        self.witnesses: dict[str, VerifierKey] = {}
        for name, one in self.folders.items():
            self.witnesses[name] = one.make(f"{name}.example/w").verifier
            one.policy_file.write_text(f"log {self.keys[0]}\nquorum none\n")

    def policy(self, quorum: str = "all") -> TrustPolicy:
        lines = [
            f"witness {name} {key} http://127.0.0.1:{self.ports[name]}"
            for name, key in self.witnesses.items()
        ]
        lines += [f"group both {quorum} one two", "quorum both"]
        return TrustPolicy.parse("\n".join(lines).encode())

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        with witness(self.folders[name].path, self.ports[name]):
            yield

    def build(self, path: Path | None = None) -> None:
        """Build by a process that then ends."""
        with self.building(path) as builder:
            builder.build()

    @contextmanager
    def building(self, path: Path | None = None) -> Iterator[Builder]:
        store = self.runtime.ledger.store
        builder = Builder.open(store, path or self.path, policy=self.policy())
        try:
            yield builder
        finally:
            builder.die()
            if builder.log.witnesses is not None:
                builder.log.witnesses.close()

    def game(self) -> None:
        running.open_game(self.runtime, "sealed", ME, ME)

    def opened(self) -> OpenedCheckpoint:
        raw = (self.path / "public/checkpoint").read_bytes()
        return open_checkpoint(raw, self.keys[:1], self.witnesses.values())

    def seen(self) -> set[str]:
        found = self.opened().seen
        return {name for name, key in self.witnesses.items() if key in found}

    def figures(self) -> WitnessedFigures:
        found = WitnessedFigures.read(self.runtime.redis)
        assert found is not None
        return found


def _size(builder: Builder) -> int:
    tree = builder.log._tree
    assert tree is not None
    return tree.size


@pytest.fixture
def house(tmp_path: Path, runtime: Runtime) -> House:
    return House(tmp_path, runtime)


def test_the_checkpoint_has_the_co_signatures_of_those_that_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "FIRST_RETRY_SECONDS", 0.1)
    with house.running("one"):
        house.game()
        with house.building() as builder:
            builder.build()
            assert house.seen() == {"one"}
            one, two = house.figures().witnesses
            assert (one.why, one.size) == ("", house.opened().checkpoint.size)
            assert two.at is None
            assert two.why == "no answer: unreachable"
            assert house.figures().since is not None
            with house.running("two"):

                def is_refreshed() -> bool:
                    builder.build()
                    return house.seen() == {"one", "two"}

                wait_for(is_refreshed)
                assert house.figures().since is None
                size = house.opened().checkpoint.size
                house.game()
                builder.build()
                assert house.opened().checkpoint.size > size
                assert house.seen() == {"one", "two"}
        published = (house.path / "public/checkpoint").read_bytes()
        # Another process takes them over, also those of a witness that is away.
        house.build()
        again = house.opened()
        assert again.note.text in published.decode()
        assert house.seen() == {"one", "two"}


def test_a_witness_that_hangs_is_waited_for_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 0.5)
    monkeypatch.setattr(collector, "SECONDS", 1.0)
    waits = []
    wait = collector.Collector.wait

    def measured(self: collector.Collector, seconds: float) -> None:
        begun = time.monotonic()
        wait(self, seconds)
        waits.append(time.monotonic() - begun)

    monkeypatch.setattr(collector.Collector, "wait", measured)
    hanging = [socket.create_server(("127.0.0.1", port)) for port in house.ports.values()]
    with house.building() as builder:
        house.game()
        builder.build()
        assert house.opened().checkpoint.size
        assert house.seen() == set()
        found = builder.log.witnesses
        assert found is not None
        wait_for(lambda: all(one.why for one in found._collector.states()))
        first = len(waits)
        house.game()
        builder.build()
        assert len(waits) > first
        assert max(waits[first:]) < 0.4
        assert {one.why for one in house.figures().witnesses} == {"no answer: timeout"}
    for one in hanging:
        one.close()


def test_a_log_that_was_put_back_with_its_store_is_refused(house: House, tmp_path: Path) -> None:
    """Nothing on the service's side notices it: the witness does."""
    with house.running("one"), house.running("two"):
        house.game()
        house.build()
        shutil.copytree(house.path, tmp_path / "copy")
        house.game()
        house.build()
        newest = house.opened().checkpoint.size
        house.runtime.redis.flushall()
        adopt(house.runtime.redis, keeps_log=True)
        copy = tmp_path / "copy"
        with house.building(copy) as builder:
            builder.build()
            assert _size(builder) <= newest
            ahead = house.figures().witnesses
            assert all(one.refuses for one in ahead)
            assert f"it has co-signed {newest} leaves" in ahead[0].why
            while _size(builder) <= newest:
                house.game()
                builder.build()

            def is_refused() -> bool:
                builder.build()
                why = [one.why for one in house.figures().witnesses if one.refuses]
                return sum("it has seen another history of this log" in one for one in why) == 2

            wait_for(is_refused)
        raw = (copy / "public/checkpoint").read_bytes()
        assert not open_checkpoint(raw, house.keys[:1], house.witnesses.values()).seen
    state = house.folders["one"].state()
    assert {one.origin for one in state.refused()} == {house.keys[0].name}


def test_a_witness_that_forgot_is_told_of(house: House) -> None:
    with house.building() as builder:
        with house.running("one"):
            house.game()
            builder.build()
        folder = house.folders["one"]
        (folder.path / "state").unlink()
        StateFile.make(folder.path / "state", house.witnesses["one"]).close()
        with house.running("one"):
            house.game()
            builder.build()
        (one, _two) = house.figures().witnesses
        assert one.refuses
        assert "and says 0: it has lost its state" in one.why


def test_which_witnesses_cannot_be_asked(house: House) -> None:
    folder = LogFolder(house.path)
    own = house.keys[1]
    for line, why in (
        (f"witness me {own} http://127.0.0.1:1", "'me' has a key of the log itself"),
        (f"witness one {house.witnesses['one']}", "'one' has no URL"),
        (f"witness one {house.witnesses['one']} one.example", "has to be https"),
    ):
        policy = TrustPolicy.parse(f"{line}\nquorum none\n".encode())
        with pytest.raises(TlogError, match=why):
            Witnesses(policy, folder, house.runtime.redis)
    folder.close()


def test_a_tile_that_is_published_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof is made while another thread publishes."""
    tile, files = Tile(0, 0, 3), LogFiles(tmp_path)
    pending, public = tmp_path / "pending" / tile.path, tmp_path / "public" / tile.path
    for path in (pending, public):
        path.parent.mkdir(parents=True)
    pending.write_bytes(b"three hashes")
    read = Path.read_bytes

    def published(path: Path) -> bytes:
        try:
            return read(path)
        finally:
            if path == public and pending.exists():
                pending.replace(public)

    monkeypatch.setattr(Path, "read_bytes", published)
    assert files.tile(tile) == b"three hashes"
