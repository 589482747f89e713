"""Chains of drand and their signatures: real ones of public chains, and those of an own one."""

import json
from typing import Any

import pytest

from service.beacons.chains import QUICKNET, Chain, ChainError, is_signed
from service.beacons.signatures import LONG, SHORT
from tests.beacons import CHAIN, OwnChain
from tests.running import ROOT

VECTORS = json.loads((ROOT / "docs/format_vectors.json").read_text())["beacon"]
V2 = {
    "public_key": QUICKNET.public_key, "period": 3, "genesis_time": 1_692_803_367,
    "genesis_seed": QUICKNET.seed, "chain_hash": QUICKNET.hash, "scheme": SHORT,
    "beacon_id": "quicknet",
}  # fmt: skip


def test_rounds_of_public_chains_are_verified() -> None:
    for told in VECTORS["rounds"]:
        chain, number = VECTORS["chains"][told["chain"]], told["round"]
        signature = bytes.fromhex(told["signature"])
        assert is_signed(chain, number, signature) is True
        assert is_signed(chain, number + 1, signature) is False
        changed = bytes([signature[0], signature[1] ^ 1, *signature[2:]])
        assert is_signed(chain, number, changed) is False


@pytest.mark.parametrize("scheme", [LONG, SHORT])
def test_an_own_chain_signs(scheme: str) -> None:
    own = OwnChain(scheme)
    chain, signature = own.pinned(), bytes.fromhex(own.sign(5))
    other = own._replace(secret=8).pinned()
    assert is_signed(chain, 5, signature) is True
    assert is_signed(chain, 6, signature) is False
    assert is_signed(other, 5, signature) is False
    for bad in (b"", b"\0", signature[:-1], signature + b"\0", bytes(len(signature))):
        assert is_signed(chain, 5, bad) is False


def test_the_zero_signs_nothing() -> None:
    zero = b"\xc0" + bytes(95)
    for scheme, key, signature in ((LONG, zero[:48], zero), (SHORT, zero, zero[:48])):
        chain = {**OwnChain(scheme).pinned(), "public_key": key.hex()}
        assert is_signed(chain, 1, signature) is False


def test_other_schemes_are_not_judged() -> None:
    chain = {**CHAIN.pinned(), "scheme": "pedersen-bls-chained"}
    assert is_signed(chain, 5, bytes.fromhex(CHAIN.sign(5))) is None


def test_nobody_passes_for_a_known_chain() -> None:
    false = {**CHAIN.pinned(), "chain": QUICKNET.hash}
    assert is_signed(false, 5, bytes.fromhex(CHAIN.sign(5))) is False


def test_relays_describe_a_chain_in_two_forms() -> None:
    metadata = {"beaconID": "quicknet"}
    v1 = {
        **{name: V2[name] for name in ("public_key", "period", "genesis_time")},
        "hash": QUICKNET.hash, "groupHash": QUICKNET.seed, "schemeID": SHORT, "metadata": metadata,
    }  # fmt: skip
    assert Chain.of_info(V2) == Chain.of_info(v1) == QUICKNET
    assert Chain.of_info(CHAIN.info()) == CHAIN.chain


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([], "no chain information"),
        ({**V2, "period": 0}, "its period is 0"),
        ({**V2, "period": 4}, "its hash is"),
        ({**V2, "scheme": "pedersen-bls-chained"}, "only pedersen-bls-unchained"),
        ({**V2, "public_key": "00"}, "no key of its scheme"),
        ({**V2, "chain_hash": 7}, "its hash is 7"),
        ({**V2, "genesis_time": "now"}, "its genesis_time"),
    ],
)
def test_what_describes_no_chain_is_refused(wrong: Any, why: str) -> None:
    with pytest.raises(ChainError, match=why):
        Chain.of_info(wrong)
