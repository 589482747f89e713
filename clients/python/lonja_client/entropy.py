"""Entropy that a player contributes to the random draws of a game.

The entropy is written to a file before the commitment to it is sent. When all seats are taken, any
program of the player that is connected to the table can reveal the entropy (docs/format.md, "Player
entropy").
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
"""Time for which entropy is kept, since a table may wait that long for its players."""


class DueEntropy(NamedTuple):
    """The entropy that a seat has to reveal now (32 bytes in hex), and its commitment."""

    seat: int
    entropy: str
    commitment: str


def commitment_of(game: str | None, seat: int | None, entropy: bytes) -> str:
    """Return the SHA-256, in hex, that commits to entropy for a seat of a game.

    ``game`` is None in the request that opens the game; ``seat`` is None if seats are drawn by lot.
    """
    said = ["lonja/2", "entropy", game, seat, entropy.hex()]
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()


class Entropies:
    """The files with a player's entropy; ``warn`` gets a message if a file cannot be written."""

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._warn = warn

    def bring(self, game: str | None, seat: int | None) -> dict[str, str]:
        """Return the field that commits to new entropy, for a request that takes a seat.

        The field is ``entropy_commitment``. If the entropy cannot be stored, the result is empty.

        ``game`` or ``seat`` is None if it is not known yet. For a known game and seat, the
        commitment is the same each time.
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
        """Return the stored entropy that seats of a game have to reveal now."""
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
        """Remove entropy that is revealed, or no longer needed."""
        with suppress(OSError):
            (self._folder / commitment).unlink(missing_ok=True)

    def _kept(self) -> Iterator[tuple[Path, Any]]:
        """Yield each file that is not too old, with its content."""
        for path in [*self._folder.glob("?" * 64)]:
            with suppress(OSError, ValueError):
                if path.stat().st_mtime < time.time() - KEPT_SECONDS:
                    self.forget(path.name)
                else:
                    yield path, json.loads(path.read_bytes())


def _write(path: Path, text: bytes) -> None:
    """Write a file, and return when the file and its name are on the disk. Raises OSError."""
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
