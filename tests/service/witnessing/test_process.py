"""`lonja witness` as its operator runs it: kills, old states, slow and rude clients."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpcore
import orjson
import pytest

from service.tlog.checkpoints import open_checkpoint
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from service.tlog.submissions import MOST_BYTES, Submission, checkpoint_path, cosignatures
from service.witnessing.process import OLD_STATE
from service.witnessing.state import StateFile
from tests.faults.processes import LONJA, free_port
from tests.service.cli.conftest import Lonja
from tests.service.witnessing.running import ENVIRONMENT, witness
from tests.service.witnessing.strangers import StrangersLog, send, served

# The process of a witness that is killed as soon as it has written what it co-signs.
KILLED = """
import gevent.monkey; gevent.monkey.patch_all()
import os, signal, sys
from contextlib import contextmanager
from service.witnessing import process, state

deciding = state.StateFile.deciding

@contextmanager
def killed(self, origin):
    with deciding(self, origin) as decision:
        yield decision
    if self.seen(origin).size > 3:
        os.kill(os.getpid(), signal.SIGKILL)

state.StateFile.deciding = killed
sys.exit(process.main())
"""


class Place(NamedTuple):
    """The folder of a witness, and the log that it knows."""

    folder: Path
    log: StrangersLog
    key: VerifierKey

    def name(self, url: str = "") -> None:
        lines = f"log {self.log.key.verifier} {url}", "quorum none", ""
        (self.folder / "policy").write_text("\n".join(lines))

    @contextmanager
    def running(self, code: str = "") -> Iterator[str]:
        with witness(self.folder, free_port(), code) as url:
            yield url

    def seen(self, answer: httpcore.Response) -> int:
        assert answer.status == 200, answer.content
        note = Note.parse(self.log.note())
        whole = bytes(note._replace(signatures=(*note.signatures, *cosignatures(answer.content))))
        return open_checkpoint(whole, [self.log.key.verifier], [self.key]).seen[self.key]


@pytest.fixture
def place(lonja: Lonja, tmp_path: Path) -> Place:
    folder = tmp_path / "witness"
    made = lonja("witness", "new", folder, "--name", "here.example/w1", "--json")
    assert made.exit_code == 0, made.output
    log = StrangersLog("example.org/log", tmp_path / "public", entries=3)
    found = Place(folder, log, VerifierKey.parse(orjson.loads(made.stdout)["key"]))
    found.name()
    return found


def _status(lonja: Lonja, folder: Path) -> Any:
    result = lonja("witness", "status", folder, "--json")
    assert result.exit_code == 0, result.output
    return orjson.loads(result.stdout)


def test_a_witness_that_is_killed_between_writing_and_answering(place: Place, lonja: Lonja) -> None:
    log = place.log
    with place.running(KILLED) as url:
        assert place.seen(send(url, log.submission(0))) <= time.time()
        log.grow(2)
        with pytest.raises((httpcore.RemoteProtocolError, httpcore.ReadError)):
            send(url, log.submission(3))
    (told,) = _status(lonja, place.folder)["logs"]
    assert told["size"] == 5
    with place.running() as url:
        # Nobody can get a co-signature of other five leaves, and the log gets its own.
        fork = log.fork(3, 2)
        answer = send(url, fork.submission(3))
        assert (answer.status, answer.content) == (409, b"5\n")
        assert send(url, fork.submission(5)).status == 422
        place.seen(send(url, log.submission(5)))
    told = _status(lonja, place.folder)
    assert told["key"] == str(place.key)
    (refused,) = told["logs"][0]["refused"]
    assert refused["checkpoint"].encode() == fork.note()
    text = lonja("witness", "status", place.folder).output
    assert "example.org/log: 5 leaves at" in text
    assert "REFUSED 5 leaves at" in text
    assert "this log has signed two trees of 5 leaves" in text


def test_requests_at_once_and_rude_ones(place: Place) -> None:
    log = place.log
    with place.running() as url:
        host = url.removeprefix("http://").encode()
        slow = socket.create_connection((host.decode().split(":")[0], int(url.rpartition(":")[2])))
        slow.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nold")
        bodies = [bytes(log.submission(0, size)) for size in (1, 2, 3)] * 5
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(lambda body: send(url, body), bodies)]
        assert {answer.status for answer in answers} == {200, 409}
        sizes = {answer.content for answer in answers if answer.status == 409}
        (size,) = sizes  # one of them was co-signed, and the others never were
        assert sum(answer.status == 200 for answer in answers) >= 1
        log.grow(1)
        place.seen(send(url, log.submission(int(size))))
        shown = httpcore.request("GET", url + checkpoint_path("example.org/log"))
        assert open_checkpoint(shown.content, [log.key.verifier], [place.key]).checkpoint.size == 4
        assert httpcore.request("GET", url + checkpoint_path("other")).status == 404
        assert httpcore.request("GET", f"{url}/add-checkpoint").status == 405
        assert httpcore.request("POST", url).status == 405
        about = httpcore.request("GET", url).content.decode()
        assert str(place.key) in about
        assert about.endswith("It co-signs:\nexample.org/log\n")
        too_long = Submission(0, (), b"a" * MOST_BYTES)
        assert send(url, too_long).status == 413
        slow.settimeout(30)
        assert b" 408 " in slow.recv(1000)
        slow.close()


def test_a_state_that_is_older_than_what_was_co_signed(
    place: Place, lonja: Lonja, tmp_path: Path
) -> None:
    log = place.log
    with served(tmp_path / "public") as url:
        place.name(url)
        with place.running() as witness:
            assert send(witness, log.submission(0)).status == 200
        shutil.copytree(place.folder, tmp_path / "backup")
        log.grow(2)
        with place.running() as witness:
            answer = send(witness, log.submission(3))
            assert answer.status == 200
            log.publish(*cosignatures(answer.content))
        old = Place(tmp_path / "backup", log, place.key)
        code, told = _end(old.folder)
        assert code == OLD_STATE
        assert f"{url}/checkpoint shows that this witness has co-signed 5 leaves" in told
        assert "its state knows of 3 at" in told
        assert "retire the key" in told
    # Nobody answers: the log is not co-signed until it does.
    with old.running() as witness:
        answer = send(witness, log.submission(3))
        assert (answer.status, dict(answer.headers)[b"Retry-After"]) == (503, b"30")
        assert b"has still to find out what it has co-signed" in answer.content


def test_another_witness_shows_that_the_state_is_old(place: Place, tmp_path: Path) -> None:
    log = place.log
    with place.running() as witness:
        answer = send(witness, log.submission(0))
    (own,) = cosignatures(answer.content)
    peer = tmp_path / "peer"
    (path := peer / checkpoint_path(log.origin)[1:]).parent.mkdir(parents=True)
    path.write_bytes(log.note(3, own))
    with served(peer) as url:
        key = SigningKey.generate("peer.example/w1", Algorithm.COSIGNATURE_V1).verifier
        lines = f"log {log.key.verifier}", f"witness peer {key} {url}", "quorum none", ""
        (place.folder / "policy").write_text("\n".join(lines))
        (place.folder / "state").unlink()
        StateFile.make(place.folder / "state", place.key).close()
        code, told = _end(place.folder)
    assert code == OLD_STATE
    assert "3 leaves" in told
    assert "its state knows of nothing" in told


def _end(folder: Path) -> tuple[int, str]:
    """Run a witness that ends by itself; return its exit code and what it says."""
    ended = subprocess.run(
        [sys.executable, *LONJA, "witness", "run", str(folder), "--port", str(free_port())],
        env=ENVIRONMENT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    return ended.returncode, ended.stderr
