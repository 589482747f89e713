"""Keys and tickets: random secrets that are shown once. Only their hashes are stored."""

import hmac
import secrets
from typing import NamedTuple, Self

from rules.kernel.canonical import digest

_SELECTOR = 32
"""A record is found by this many hex digits of its hash; then the whole hash is compared."""


class Credential(NamedTuple):
    """A secret in clear (``text``), and its stored SHA-256 in hexadecimal."""

    text: str
    hash: str

    @classmethod
    def new(cls, prefix: str, size: int = 32) -> Self:
        """Return a new credential, with this number of random bytes."""
        return cls.of(prefix + secrets.token_urlsafe(size))

    @classmethod
    def of(cls, text: str) -> Self:
        """Parse the credentials that a caller sent."""
        return cls(text, digest(text.encode()).hex())

    @property
    def selector(self) -> str:
        """The name of the credential's stored record."""
        return self.hash[:_SELECTOR]

    def has_hash(self, stored: str) -> bool:
        """Whether the credential has the hash ``stored``.

        The hashes are compared in constant time.
        """
        return hmac.compare_digest(stored.encode(), self.hash.encode())
