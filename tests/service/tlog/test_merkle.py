"""Proofs of RFC 9162 trees: another implementation's vectors, and the definition itself.

``vectors.json`` has figures from the test data of transparency-dev/merkle (Apache-2.0; the commit
stands in the file): hashes in base64, and ``wantErr`` says which proofs must be refused.
"""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tlog.errors import TlogError
from service.tlog.merkle import (
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root,
    verify_consistency,
    verify_inclusion,
)
from service.tlog.tiles import nodes_of
from tests.service.tlog.trees import entries, head, tiled

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())
MOST = 600
SIZES = st.integers(1, MOST)
NODE = nodes_of(MOST, tiled([MOST]).__getitem__)
HEADS = {size: root(size, NODE) for size in range(1, MOST + 1)}


def proof_of(case: dict[str, Any]) -> list[bytes]:
    return [b64decode(hash_) for hash_ in case["proof"] or ()]


def check_inclusion(case: dict[str, Any]) -> None:
    leaf, head = b64decode(case["leafHash"]), b64decode(case["root"])
    verify_inclusion(leaf, case["leafIdx"], case["treeSize"], proof_of(case), head)


def check_consistency(case: dict[str, Any]) -> None:
    heads = b64decode(case["root1"]), b64decode(case["root2"])
    verify_consistency(case["size1"], case["size2"], proof_of(case), *heads)


@pytest.mark.parametrize("kind", ["inclusion", "consistency"])
def test_vectors_of_another_implementation(kind: str) -> None:
    check = {"inclusion": check_inclusion, "consistency": check_consistency}[kind]
    wrong = []
    for case in VECTORS[kind]:
        try:
            check(case)
        except TlogError:
            refused = True
        else:
            refused = False
        if refused != case["wantErr"]:
            wrong.append(case["case"])
    assert not wrong
    assert len({case["wantErr"] for case in VECTORS[kind]}) == 2


def test_heads_are_those_of_the_definition() -> None:
    for size in (1, 2, 3, 7, 8, 255, 256, 257, 511, 600):
        assert HEADS[size] == head(entries(size))
    assert root(0, NODE) == head([])


@given(size=SIZES, data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_leaf_is_proved_and_nothing_else(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaf = leaf_hash(entries(size)[index])
    proof = inclusion_proof(index, size, NODE)
    verify_inclusion(leaf, index, size, proof, HEADS[size])
    others = [(leaf_hash(b"other"), index, proof, HEADS[size])]
    others += [(leaf, index, proof, HEADS[size % MOST + 1])]
    others += [(leaf, at, proof, HEADS[size]) for at in {index ^ 1, size - 1 - index} - {index}]
    others += [(leaf, index, [*proof, leaf], HEADS[size])]
    others += [(leaf, index, proof[:-1], HEADS[size])] if proof else []
    for other, at, path, end in others:
        with pytest.raises(TlogError):
            verify_inclusion(other, at, size, path, end)


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_every_earlier_tree_is_proved_and_nothing_else(data: st.DataObject) -> None:
    new = data.draw(SIZES)
    old = data.draw(st.integers(1, new))
    proof = consistency_proof(old, new, NODE)
    verify_consistency(old, new, proof, HEADS[old], HEADS[new])
    others = [(HEADS[old % MOST + 1], proof), (HEADS[old], [*proof, HEADS[old]])]
    others += [(HEADS[old], proof[:-1])] if proof else []
    for before, path in others:
        with pytest.raises(TlogError):
            verify_consistency(old, new, path, before, HEADS[new])


@pytest.mark.parametrize(
    ("index", "size", "says"),
    [(5, 5, "no leaf 5 in a tree of 5"), (-1, 5, "no leaf -1"), (0, 0, "no leaf 0 in a tree of 0")],
)
def test_a_leaf_that_is_not_there(index: int, size: int, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        inclusion_proof(index, size, NODE)
    with pytest.raises(TlogError, match=says):
        verify_inclusion(b"\0" * 32, index, size, [], b"\0" * 32)


@pytest.mark.parametrize(("old", "new"), [(0, 5), (6, 5), (-1, 5)])
def test_sizes_of_which_nothing_is_proved(old: int, new: int) -> None:
    says = f"a tree of {new} leaves begins with one of {old}"
    with pytest.raises(TlogError, match=says):
        consistency_proof(old, new, NODE)
    with pytest.raises(TlogError, match=says):
        verify_consistency(old, new, [], b"\0" * 32, b"\0" * 32)


def test_a_hash_of_another_length_is_named() -> None:
    with pytest.raises(TlogError, match=r"'abcd' is no hash of 32 bytes"):
        verify_inclusion(HEADS[1], 0, 2, [b"\xab\xcd"], HEADS[2])
