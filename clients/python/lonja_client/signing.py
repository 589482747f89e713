"""Keys with which a player signs the moves of a seat (docs/format.md, "Signatures of seats").

The private key never leaves this program: the service gets the public key, and signatures.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lonja_client.errors import LonjaError
from lonja_client.receipts import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES = 32


class SigningKey:
    """An Ed25519 key (RFC 8032) of a player; it needs the package ``cryptography``."""

    def __init__(self, private: bytes) -> None:
        """Make the key of its 32 secret bytes.

        Raises ValueError: it has another length. LonjaError: ``cryptography`` is not installed.
        """
        self._private = _key(private)
        self.public: str = self._private.public_key().public_bytes_raw().hex()
        """The public key: 64 hexadecimal digits."""

    def __repr__(self) -> str:
        return f"SigningKey(public={self.public!r})"

    @classmethod
    def generate(cls) -> "SigningKey":
        """Return a new key, which only this object holds."""
        return cls(os.urandom(KEY_BYTES))

    @classmethod
    def kept(cls, file: str | Path) -> "SigningKey":
        """Return the key in a file; if there is no such file, write it with a new key.

        The file has the 32 secret bytes in hexadecimal, and only its owner may read it.

        Raises OSError. ValueError: the file has no key.
        """
        path = Path(file)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            try:
                return cls(bytes.fromhex(path.read_text(encoding="ascii")))
            except ValueError:
                raise ValueError(f"{path} has no key: it has 64 hexadecimal digits") from None
        made = os.urandom(KEY_BYTES)
        with os.fdopen(descriptor, "w", encoding="ascii") as written:
            written.write(f"{made.hex()}\n")
            written.flush()
            os.fsync(written.fileno())
        return cls(made)

    def move(self, game_id: str, seat: int, decision: int, head: str, move: Any) -> dict[str, Any]:
        """Return the field ``signature`` of a move.

        ``decision`` is the id of the seat's open decision, ``head`` the ``expected_head`` of the
        request, and ``move`` the move as the service lists it.
        """
        value = {"decision": decision, "game_id": game_id, "head": head, "move": move, "seat": seat}
        return {"decision": decision, "sig": self._sign("move", value)}

    def key(self, game_id: str, seat: int, head: str, other: "SigningKey") -> str:
        """Return the signature by which this key of a seat hands over to another one.

        ``head`` is the hash of the game's newest event.
        """
        value = {"game_id": game_id, "head": head, "key": other.public, "seat": seat}
        return self._sign("key", value)

    def _sign(self, label: str, value: Any) -> str:
        return self._private.sign(canonical(["lonja/2", label, value])).hex()


def signing_field(key: SigningKey | None) -> dict[str, str]:
    """Return the field of a request for a seat whose moves are signed.

    Raises ValueError: there is no key.
    """
    if key is None:
        raise ValueError("players sign at this table: make the client with a signing_key")
    return {"signing_key": key.public}


def _key(private: bytes) -> "Ed25519PrivateKey":
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    except ImportError:
        raise LonjaError("to sign moves, install lonja-client[signatures]") from None
    return ed25519.Ed25519PrivateKey.from_private_bytes(private)
