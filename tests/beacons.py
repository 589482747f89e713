"""A chain of a beacon whose key the tests have: it signs any round."""

from hashlib import sha256
from typing import NamedTuple

from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from rules.kernel.canonical import JsonObject
from service.beacons.chains import Chain
from service.beacons.signatures import LONG, SHORT

_DOMAIN = "BLS_SIG_BLS12381{}_XMD:SHA-256_SSWU_RO_NUL_"


class OwnChain(NamedTuple):
    """A chain of a scheme, with a secret key and a genesis (s since 1970)."""

    scheme: str = SHORT
    secret: int = 7
    period: int = 3
    genesis: int = 1_692_803_367

    @property
    def chain(self) -> Chain:
        """The chain, as its relays describe it."""
        group = G1Point if self.scheme == LONG else G2Point
        key = bytes((group() * Scalar(self.secret)).to_compressed_bytes()).hex()
        draft = Chain("", self.scheme, key, self.period, self.genesis, "5e" * 32, "tests")
        return draft._replace(hash=draft.computed_hash())

    def info(self) -> JsonObject:
        """Return what a relay serves at ``/info``."""
        chain = self.chain
        return {
            "public_key": chain.public_key, "period": chain.period, "genesis_time": chain.genesis,
            "hash": chain.hash, "groupHash": chain.seed, "schemeID": chain.scheme,
            "metadata": {"beaconID": chain.name},
        }  # fmt: skip

    def pinned(self) -> JsonObject:
        """Return the description of the chain in a game."""
        return self.chain.pinned()

    def sign(self, number: int) -> str:
        """Return the signature of a round, in hex."""
        message = sha256(number.to_bytes(8)).digest()
        group, name = (G2Point, "G2") if self.scheme == LONG else (G1Point, "G1")
        point = group.hash_to_curve(message, _DOMAIN.format(name).encode())
        return bytes((point * Scalar(self.secret)).to_compressed_bytes()).hex()


CHAIN = OwnChain()
