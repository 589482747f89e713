"""Merkle trees with SHA-256 (RFC 9162, section 2.1): heads, proofs, and their verification.

Hashes are 32 bytes. Heads and proofs are computed from complete subtrees alone: ``Node`` returns
the hash of the subtree over the leaves from ``index * 2**level`` up to, but without,
``(index + 1) * 2**level``. ``service.tlog.tiles`` has such a function for the tiles of a log.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

from service.tlog.errors import TlogError

HASH_BYTES = 32
EMPTY_ROOT = sha256().digest()
"""The head of the tree without leaves."""

Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf with this entry (2.1.1)."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node with these children (2.1.1)."""
    return sha256(b"\1" + left + right).digest()


def fold(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of the complete subtree over ``hashes``; their number is a power of two."""
    while len(hashes) > 1:
        hashes = [*map(node_hash, hashes[::2], hashes[1::2])]
    return hashes[0]


def root(size: int, node: Node) -> bytes:
    """Return the head of the tree with the first ``size`` leaves: MTH (2.1.1)."""
    return _subtree(0, size, node) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, node: Node) -> list[bytes]:
    """Return the path from leaf ``index`` to the head of ``size`` leaves: PATH (2.1.3.1).

    Raises:
        TlogError: the tree has no such leaf.
    """
    _check_leaf(index, size)
    return _siblings(index, size, node, alone=True)[0]


def consistency_proof(old: int, new: int, node: Node) -> list[bytes]:
    """Return the proof that the first ``old`` of ``new`` leaves are as they were: PROOF (2.1.4.1).

    It is empty if nothing was added.

    Raises:
        TlogError: no tree of ``old`` leaves with a provable head lies in one of ``new`` leaves.
    """
    _check_sizes(old, new)
    path, start = _siblings(old - 1, new, node, alone=False)
    # From the first leaf on, the subtree's hash is the old head itself.
    return [_subtree(start, old, node), *path] if start else path


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], head: bytes
) -> None:
    """Check that the tree of ``size`` leaves with this ``head`` has a leaf at ``index`` (2.1.3.2).

    ``leaf`` is the hash of that leaf.

    Raises:
        TlogError: it is not proved.
    """
    _check_leaf(index, size)
    _check_hashes(leaf, *proof, head)
    what = f"the proof that leaf {index} is in the tree of {size} leaves"
    found, last = index, size - 1
    computed = leaf
    for hash_ in proof:
        if not last:
            raise TlogError(f"{what} is too long: {len(proof)} hashes")
        if found & 1 or found == last:
            computed = node_hash(hash_, computed)
            found, last = _up_to_right_child(found, last)
        else:
            computed = node_hash(computed, hash_)
        found, last = found >> 1, last >> 1
    if last:
        raise TlogError(f"{what} is too short: {len(proof)} hashes")
    _check_head(what, computed, head)


def verify_consistency(
    old: int, new: int, proof: Sequence[bytes], old_head: bytes, new_head: bytes
) -> None:
    """Check that the tree of ``new`` leaves begins with that of ``old`` leaves (2.1.4.2).

    Raises:
        TlogError: it is not proved. Nothing is proved about an empty tree, which begins each tree.
    """
    _check_sizes(old, new)
    what = f"the proof that the tree of {new} leaves begins with that of {old}"
    if old == new:
        if proof:
            raise TlogError(f"{what} is too long: {len(proof)} hashes, and it needs none")
        _check_head(what, new_head, old_head)
        return
    _check_hashes(*proof, old_head, new_head)
    if not proof:
        raise TlogError(f"{what} is too short: it has no hash")
    path = [old_head, *proof] if old & (old - 1) == 0 else proof
    found, last = old - 1, new - 1
    while found & 1:
        found, last = found >> 1, last >> 1
    computed_old = computed_new = path[0]
    for hash_ in path[1:]:
        if not last:
            raise TlogError(f"{what} is too long: {len(proof)} hashes")
        if found & 1 or found == last:
            computed_old = node_hash(hash_, computed_old)
            computed_new = node_hash(hash_, computed_new)
            found, last = _up_to_right_child(found, last)
        else:
            computed_new = node_hash(computed_new, hash_)
        found, last = found >> 1, last >> 1
    if last:
        raise TlogError(f"{what} is too short: {len(proof)} hashes")
    _check_head(what, computed_old, old_head)
    _check_head(what, computed_new, new_head)


def _siblings(index: int, size: int, node: Node, *, alone: bool) -> tuple[list[bytes], int]:
    """Go down from the head to the first subtree of which leaf ``index`` is the last.

    If it is to be ``alone``, go on to the leaf itself. Return the siblings on the way, the lowest
    first, and the first leaf of that subtree.
    """
    path: list[bytes] = []
    start, end = 0, size
    while end > index + 1 or (alone and start < index):
        middle = start + _split(end - start)
        if index < middle:
            path.append(_subtree(middle, end, node))
            end = middle
        else:
            path.append(_subtree(start, middle, node))
            start = middle
    return path[::-1], start


def _subtree(start: int, end: int, node: Node) -> bytes:
    """Return the hash over leaves from ``start`` on; only the rightmost subtree is incomplete."""
    size = end - start
    if size & (size - 1) == 0:
        return node(size.bit_length() - 1, start // size)
    middle = start + _split(size)
    return node_hash(_subtree(start, middle, node), _subtree(middle, end, node))


def _split(size: int) -> int:
    """Return the largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)


def _up_to_right_child(found: int, last: int) -> tuple[int, int]:
    """Go up while the node is a left child without a sibling, as on a tree's right edge."""
    while found and not found & 1:
        found, last = found >> 1, last >> 1
    return found, last


def _check_leaf(index: int, size: int) -> None:
    if not 0 <= index < size:
        raise TlogError(f"there is no leaf {index} in a tree of {size} leaves")


def _check_sizes(old: int, new: int) -> None:
    if not 0 < old <= new:
        raise TlogError(f"nothing proves that a tree of {new} leaves begins with one of {old}")


def _check_hashes(*hashes: bytes) -> None:
    for hash_ in hashes:
        if len(hash_) != HASH_BYTES:
            raise TlogError(f"{hash_.hex()!r:.80} is no hash of {HASH_BYTES} bytes")


def _check_head(what: str, computed: bytes, head: bytes) -> None:
    if computed != head:
        raise TlogError(f"{what} leads to {computed.hex()}, not to {head.hex()}")
