"""Encrypts the secrets of games with a key from the environment, so that Redis reveals none."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12
_WRAPPED = b"\x01"
_PLAIN = b"\x00"


class VaultError(RuntimeError):
    """A secret was encrypted with a key that this process does not have."""


class Vault:
    """AES-256-GCM under ``key`` (32 bytes); without a key, secrets are stored in the clear."""

    def __init__(self, key: bytes | None = None) -> None:
        self._cipher = None if key is None else AESGCM(key)

    def wrap(self, secret: bytes, game_id: str) -> bytes:
        """Return a secret encrypted for the store, which can be decrypted for this game only."""
        if self._cipher is None:
            return _PLAIN + secret
        nonce = os.urandom(_NONCE_BYTES)
        return _WRAPPED + nonce + self._cipher.encrypt(nonce, secret, game_id.encode())

    def unwrap(self, stored: bytes, game_id: str) -> bytes:
        """Decrypt the result of ``wrap``.

        Raises:
            VaultError: the secret was encrypted with another key, or for another game.

        """
        if stored[:1] == _PLAIN:
            return stored[1:]
        if self._cipher is None:
            raise VaultError("game secrets are wrapped: set LONJA_SECRETS_KEY to their key")
        nonce, sealed = stored[1 : 1 + _NONCE_BYTES], stored[1 + _NONCE_BYTES :]
        try:
            return self._cipher.decrypt(nonce, sealed, game_id.encode())
        except InvalidTag:
            raise VaultError(
                f"the secrets of {game_id} were wrapped with another LONJA_SECRETS_KEY"
            ) from None
