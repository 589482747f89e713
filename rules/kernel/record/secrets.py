"""What the service knows and nobody else may, until its time (docs/format.md, "Secrets")."""

from typing import NamedTuple

from rules.kernel.canonical import FORMAT, derive, digest, encode, encode_known
from rules.kernel.contract.seats import Seat

SECRET_BYTES = 32


class Secrets(NamedTuple):
    """The two secrets of a game: 32 random bytes each.

    ``salt`` opens when the game ends, ``chance_seed`` when the last game of its scope has ended.
    """

    salt: bytes
    chance_seed: bytes


def part_nonce(salt: bytes, seq: int, part: str, prev_hash: bytes) -> bytes:
    """Nonce under which one part of one event is committed."""
    return derive(salt, "part", seq, part, prev_hash.hex())


def part_commitment(nonce: bytes, value: object) -> bytes:
    """Return what the event's header shows of a part, whose value is canonical JSON."""
    return digest(nonce + encode_known(value))


def state_key(salt: bytes, seq: int, prev_hash: bytes) -> bytes:
    """Key of an event's state proof; secret until the game has ended."""
    return derive(salt, "state", seq, prev_hash.hex())


def bot_seed(salt: bytes, seat: Seat, decision: int) -> int:
    """Seed of a bot's random source for one decision: nobody can shop for it."""
    return int.from_bytes(derive(salt, "bot", seat, decision))


def entropy_commitment(game_id: str | None, seat: int | None, entropy: bytes) -> bytes:
    """Return what a seat publishes of its entropy when it sits down.

    None stands for what nobody knows yet: the id of a game to be opened, a seat that is drawn.
    """
    return digest(encode([FORMAT, "entropy", game_id, seat, entropy.hex()]))


def is_committed(
    commitment: str, game_id: str, seat: int | None, entropy: bytes, *, at_opening: bool
) -> bool:
    """Whether a seat committed (in hex) to this entropy; at the opening no id is known yet."""
    ids = (game_id, None) if at_opening else (game_id,)
    return commitment in [entropy_commitment(id_, seat, entropy).hex() for id_ in ids]
