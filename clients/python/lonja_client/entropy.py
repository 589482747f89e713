"""Entropy that a player brings to the luck of a table (docs/format.md, "Player entropy").

Each has a file under its commitment, which is on the disk before anybody hears of it. It is
revealed as soon as all seats are held, by whichever program of its player is at the table then.
"""

import hashlib
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lonja_client.answers import Game

ENTROPY_BYTES = 32
KEPT_SECONDS = 90 * 24 * 3600
"""For so long a table may wait for its players, or for somebody who comes back to it."""


class DueEntropy(NamedTuple):
    """What a seat has to reveal now: 32 bytes in hex, and what it had committed to."""

    seat: int
    entropy: str
    commitment: str


def commitment_of(game: str | None, seat: int | None, entropy: bytes) -> str:
    """Return the SHA-256, in hex, that commits to entropy for a seat of a game.

    The game is None in the request that opens it, the seat where seats are drawn.
    """
    said = ["lonja/2", "entropy", game, seat, entropy.hex()]
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()


class Entropies:
    """The files in which a player's entropy is kept; ``warn`` is told why some cannot be."""

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._warn = warn

    def bring(self, game: str | None, seat: int | None) -> dict[str, str]:
        """Return the fields of a request for a seat that bring new entropy; none if unstorable.

        The game or the seat is None if nobody knows it yet. Of a known game the same is said again.
        """
        asked = {"game": game, "seat": seat}
        for path, kept in self._kept():
            if game is not None and {"game": kept["game"], "seat": kept["seat"]} == asked:
                return {"entropy_commitment": path.name}
        entropy = secrets.token_bytes(ENTROPY_BYTES)
        commitment = commitment_of(game, seat, entropy)
        text = json.dumps({**asked, "entropy": entropy.hex()})
        try:
            _write(self._folder / commitment, text.encode())
        except OSError as error:
            self._warn(f"{self._folder}: {error.strerror}")
            return {}
        return {"entropy_commitment": commitment}

    def due(self, game: Game) -> list[DueEntropy]:
        """Return the entropy that seats of a game owe from here."""
        if game["status"] != "closed":
            return []
        kept = {path.name: kept["entropy"] for path, kept in self._kept()}
        return [
            DueEntropy(seat["seat"], kept[committed], committed)
            for seat in game["seats"]
            if (committed := seat["entropy"]["commitment"]) in kept
            and seat["entropy"]["revealed"] is None
        ]

    def forget(self, commitment: str) -> None:
        """Keep no longer what is revealed, or too late for that."""
        with suppress(OSError):
            (self._folder / commitment).unlink(missing_ok=True)

    def _kept(self) -> Iterator[tuple[Path, Any]]:
        """Yield each file that is not too old, with what it holds."""
        for path in [*self._folder.glob("?" * 64)]:
            with suppress(OSError, ValueError):
                if path.stat().st_mtime < time.time() - KEPT_SECONDS:
                    self.forget(path.name)
                else:
                    yield path, json.loads(path.read_bytes())


def _write(path: Path, text: bytes) -> None:
    """Write a file that is on the disk, with its name, when this returns. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
