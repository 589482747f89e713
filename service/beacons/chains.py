"""Chains of drand: what describes one, and those that this program knows by itself."""

import re
import struct
from hashlib import sha256
from typing import Any, NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import MOST_SECONDS
from service.beacons.signatures import SCHEMES, is_key, verifies

_HEX = re.compile(r"(?:[0-9a-f]{2}){1,500}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
DEFAULT = ("", "default")
"""The names of drand's first chain, which do not go into its hash."""
_MOST_GENESIS = 1 << 40


class ChainError(ValueError):
    """An invalid description of a chain; the message says why."""


class Chain(NamedTuple):
    """A chain, as its relays describe it: the members of drand's chain information.

    ``genesis`` is in seconds since 1970, ``period`` in seconds; ``hash``, ``public_key`` and
    ``seed`` (of the genesis) are in hex.
    """

    hash: str
    scheme: str
    public_key: str
    period: int
    genesis: int
    seed: str
    name: str

    @classmethod
    def of_info(cls, info: Any) -> Self:
        """Return the chain that a relay's answer at ``/info`` describes, of API version 1 or 2.

        Raises:
            ChainError: a member is missing or wrong, the scheme cannot be checked here, or the hash
                is not that of the other members.
        """
        if type(info) is not dict:
            raise ChainError(f"{shown(info)} is no chain information")
        metadata = info.get("metadata")
        old_name = metadata.get("beaconID") if type(metadata) is dict else ""
        found = cls(
            hash=_text(info, _HEX, "hash", "chain_hash"),
            scheme=_text(info, _NAME, "schemeID", "scheme"),
            public_key=_text(info, _HEX, "public_key"),
            period=_number(info, "period", 1, MOST_SECONDS),
            genesis=_number(info, "genesis_time", 0, _MOST_GENESIS),
            seed=_text(info, _HEX, "groupHash", "genesis_seed"),
            name=str(info.get("beacon_id", old_name)),
        )
        if found.scheme not in SCHEMES:
            raise ChainError(
                f"its scheme is {found.scheme}, and only {', '.join(SCHEMES)} can be checked here"
            )
        if not is_key(found.scheme, bytes.fromhex(found.public_key)):
            raise ChainError("its public_key is no key of its scheme")
        if found.computed_hash() != found.hash:
            raise ChainError(f"its hash is {found.computed_hash()}, not {found.hash}")
        return found

    def computed_hash(self) -> str:
        """Return the hash that follows from the other members (drand, ``chain.Info.Hash``)."""
        name = b"" if self.name in DEFAULT else self.name.encode()
        head = struct.pack(">Iq", self.period, self.genesis)
        rest = bytes.fromhex(self.public_key) + bytes.fromhex(self.seed) + name
        return sha256(head + rest).hexdigest()

    def pinned(self) -> JsonObject:
        """Return the description of the chain in a game (``created.game.entropy.beacon``)."""
        return {
            "chain": self.hash, "scheme": self.scheme, "public_key": self.public_key,
            "period": self.period, "genesis": self.genesis,
        }  # fmt: skip


QUICKNET = Chain(
    hash="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    scheme="bls-unchained-g1-rfc9380",
    public_key=(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a"
        "2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76"
        "eae8991ef5ece45a"
    ),
    period=3,
    genesis=1_692_803_367,
    seed="f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    name="quicknet",
)
"""The chain of the League of Entropy that signs a round every three seconds."""
KNOWN = (QUICKNET,)
"""The chains that this program knows by itself."""


def is_signed(chain: JsonObject, number: int, signature: bytes) -> bool | None:
    """Whether a chain (``created.game.entropy.beacon``) has signed a round.

    Return None if its scheme is not among ``SCHEMES``. A chain with the hash of a known one and
    other members is not this chain.
    """
    if any(known.hash == chain["chain"] and known.pinned() != chain for known in KNOWN):
        return False
    return verifies(chain["scheme"], bytes.fromhex(chain["public_key"]), number, signature)


def _text(info: JsonObject, form: re.Pattern[str], *names: str) -> str:
    found = next((info[name] for name in names if name in info), None)
    if type(found) is not str or not form.fullmatch(found):
        raise ChainError(f"its {names[0]} is {shown(found)}")
    return found


def _number(info: JsonObject, name: str, least: int, most: int) -> int:
    found = info.get(name)
    if type(found) is not int or not least <= found <= most:
        raise ChainError(f"its {name} is {shown(found)}, not from {least} to {most}")
    return found
