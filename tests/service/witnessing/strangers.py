"""A log that is not one of this service, and its operator, who may be dishonest."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpcore

from service.tlog.checkpoints import Checkpoint
from service.tlog.keys import Algorithm, Signature, sign
from service.tlog.merkle import EMPTY_ROOT, consistency_proof, leaf_hash, root
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from service.tlog.submissions import ADD_CHECKPOINT, Submission
from service.tlog.tiles import Tile, grow, nodes_of


class StrangersLog:
    """A log with entries in memory, whose checkpoint is in a folder."""

    def __init__(self, origin: str, folder: Path | None = None, entries: int = 0) -> None:
        self.key = SigningKey.generate(origin, Algorithm.ED25519)
        self.folder = folder
        self._tiles: dict[Tile, bytes] = {}
        self.size = 0
        self.grow(entries)

    @property
    def origin(self) -> str:
        return self.key.name

    def grow(self, entries: int, word: bytes = b"") -> "StrangersLog":
        """Add entries, one by one, so that there are the tiles of each size."""
        for _ in range(entries):
            leaf = leaf_hash(word + b"%d" % self.size)
            self._tiles |= dict(grow(self.size, [leaf], self._tiles.__getitem__))
            self.size += 1
        return self

    def fork(self, size: int, entries: int) -> "StrangersLog":
        """Return a log with the same key that has other entries after the first ``size``."""
        other = StrangersLog(self.origin, entries=size)
        other.key = self.key
        return other.grow(entries, b"other ")

    def root(self, size: int) -> bytes:
        return root(size, nodes_of(size, self._tiles.__getitem__)) if size else EMPTY_ROOT

    def note(self, size: int | None = None, *more: Signature) -> bytes:
        size = self.size if size is None else size
        text = Checkpoint(self.origin, size, self.root(size)).text
        return bytes(Note(text, (sign(text, self.origin, self.key.private_key), *more)))

    def submission(self, old: int, size: int | None = None) -> Submission:
        size = self.size if size is None else size
        node = nodes_of(size, self._tiles.__getitem__)
        proof = consistency_proof(old, size, node) if 0 < old <= size else []
        return Submission(old, tuple(proof), self.note(size))

    def publish(self, *cosignatures: Signature) -> None:
        assert self.folder is not None
        self.folder.mkdir(exist_ok=True)
        (self.folder / "checkpoint").write_bytes(self.note(None, *cosignatures))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the library calls it
        return


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder; yield the URL."""
    folder.mkdir(exist_ok=True)
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def send(url: str, submission: Submission | bytes) -> httpcore.Response:
    """Send a submission to a witness."""
    return httpcore.request("POST", f"{url}{ADD_CHECKPOINT}", content=bytes(submission))
