"""Keys with which the seats of tests sign, as any client has them."""

import json
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = dict[str, Any]


class SeatKey(NamedTuple):
    """A key; it signs as docs/format.md says, without code of the project."""

    private: Ed25519PrivateKey

    @classmethod
    def of(cls, number: int) -> "SeatKey":
        """Return a key of its own for each number from 0 to 255."""
        return cls(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))

    @property
    def public(self) -> str:
        return self.private.public_key().public_bytes_raw().hex()

    def move(self, game_id: str, seat: int, decision: int, head: str, move: Json) -> Json:
        """Return the part ``signature`` of a move."""
        told = {"decision": decision, "game_id": game_id, "head": head, "move": move, "seat": seat}
        return {"decision": decision, "sig": self.sign("move", told)}

    def key(self, game_id: str, seat: int, head: str, key: str) -> str:
        """Return the signature under another key for the seat."""
        return self.sign("key", {"game_id": game_id, "head": head, "key": key, "seat": seat})

    def sign(self, label: str, told: Json) -> str:
        text = json.dumps(
            ["lonja/2", label, told], sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        return self.private.sign(text.encode()).hex()
