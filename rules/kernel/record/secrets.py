"""The secrets of games, and what is derived from them (docs/format.md, "Secrets")."""

from typing import NamedTuple

from rules.kernel.canonical import FORMAT, derive, digest, encode, encode_known
from rules.kernel.contract.seats import Seat

SECRET_BYTES = 32


class Secrets(NamedTuple):
    """The two secrets of a game: 32 random bytes each.

    ``salt`` is revealed when the game ends, ``chance_seed`` when the last game of its scope has
    ended.
    """

    salt: bytes
    chance_seed: bytes


def part_nonce(salt: bytes, seq: int, part: str, prev_hash: bytes) -> bytes:
    """Return the nonce of the commitment to one part of one event."""
    return derive(salt, "part", seq, part, prev_hash.hex())


def part_commitment(nonce: bytes, value: object) -> bytes:
    """Return the commitment to a part in the event's header; the part's value is canonical JSON."""
    return digest(nonce + encode_known(value))


def state_key(salt: bytes, seq: int, prev_hash: bytes) -> bytes:
    """Return the key of an event's state proof; it is secret until the game has ended."""
    return derive(salt, "state", seq, prev_hash.hex())


def bot_seed(salt: bytes, seat: Seat, decision: int) -> int:
    """Return the seed of a bot's random source for one decision; it follows from the salt."""
    return int.from_bytes(derive(salt, "bot", seat, decision))


def entropy_commitment(game_id: str | None, seat: int | None, entropy: bytes) -> bytes:
    """Return the commitment that a seat publishes when a player sits down.

    ``game_id`` is None if the game is opened by the same request; ``seat`` is None if seats are
    drawn.
    """
    return digest(encode([FORMAT, "entropy", game_id, seat, entropy.hex()]))


def is_committed(
    commitment: str, game_id: str, seat: int | None, entropy: bytes, *, at_opening: bool
) -> bool:
    """Whether a commitment (hex) was made from this entropy, for this game and this seat.

    If ``at_opening`` is true, the commitment may have null instead of the game's id.
    """
    ids = (game_id, None) if at_opening else (game_id,)
    return commitment in [entropy_commitment(id_, seat, entropy).hex() for id_ in ids]
