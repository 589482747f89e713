"""Leaves of the public log: the vector of docs/format.md, honest histories, and all others."""

import random
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel.canonical import encode
from service.records.leaves import (
    ABORTED,
    CREATED,
    ENDED,
    HEAD,
    REWOUND,
    ForkError,
    Leaf,
    follow,
    pseudonym,
    pseudonym_key,
)
from service.tlog.errors import TlogError
from service.tlog.merkle import leaf_hash, verify_inclusion
from tests.running import ROOT

ID = "g07-abcdefghijklmnopqrst"
SEED = {"commitment": "cc" * 32}


def checked(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The chain on which leaves end; raises ForkError."""
    chain: list[Leaf] = []
    for leaf in leaves:
        known = {one.seq: one for one in chain}
        found = follow(chain[-1] if chain else None, leaf, known.get)
        if leaf.kind == REWOUND:
            chain = chain[: chain.index(found) + 1] if found else []
        elif found is not None:
            chain.append(found)
    return chain


class History:
    """A game that is played, logged now and then, and that honestly loses events."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.events: list[str] = []
        self.leaves: list[Leaf] = []
        self.chain: list[Leaf] = []
        self.play(1)
        self.log(CREATED)

    def play(self, count: int) -> None:
        self.events += (self.random.randbytes(32).hex() for _ in range(count))

    def log(self, kind: str) -> None:
        seq = len(self.events)
        self._add(Leaf(kind, ID, seq, self.events[-1], SEED if kind == CREATED else {}))

    def _add(self, leaf: Leaf) -> None:
        self.leaves.append(leaf)
        self.chain.append(leaf)

    def lose(self, count: int) -> None:
        """Lose events, and confess it if a logged head is among them."""
        del self.events[max(1, len(self.events) - count) :]
        last = self.chain[-1]
        if last.seq <= len(self.events):
            return
        while self.chain[-1].seq > len(self.events):
            self.chain.pop()
        to = {"to": self.chain[-1].seq, "to_hash": self.chain[-1].hash}
        self.leaves.append(Leaf(REWOUND, ID, last.seq, last.hash, to))

    @classmethod
    def honest(cls, seed: int) -> "History":
        game = cls(seed)
        for _ in range(game.random.randint(1, 12)):
            if game.random.random() < 0.25:
                game.lose(game.random.randint(1, 9))
            else:
                game.play(game.random.randint(1, 5))
                game.log(HEAD)
        game.play(1)
        game.log(game.random.choice((ENDED, ABORTED)))
        return game


def test_the_vector_of_the_format() -> None:
    of = orjson.loads((ROOT / "docs" / "format_vectors.json").read_bytes())["reserved"]["proof"]
    leaf = Leaf.parse(of["entry"].encode())
    assert leaf == Leaf(**of["leaf"])
    assert leaf.entry == of["entry"].encode()
    assert leaf_hash(leaf.entry).hex() == of["leaf_hash"]
    path = [*map(bytes.fromhex, of["path"])]
    root = bytes.fromhex(of["root"])
    verify_inclusion(leaf_hash(leaf.entry), of["index"], of["tree_size"], path, root)
    assert pseudonym(bytes.fromhex(of["pseudonym_key"]), of["game_id"]) == of["pseudonym"]


def test_a_pseudonym_follows_from_the_salt() -> None:
    keys = [pseudonym_key(bytes([number]) * 32) for number in (1, 2)]
    assert len({pseudonym(key, id_) for key in keys for id_ in (ID, ID[:-1] + "a")}) == 4
    own = pseudonym(keys[0], ID)
    assert Leaf.parse(Leaf(HEAD, own, 2, "aa" * 32).entry) == Leaf(HEAD, own, 2, "aa" * 32)


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_honest_histories_pass_and_come_back_from_their_bytes(seed: int) -> None:
    game = History.honest(seed)
    assert [Leaf.parse(leaf.entry) for leaf in game.leaves] == game.leaves
    assert checked(game.leaves) == game.chain


@given(st.integers(0, 2**32), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_two_histories_of_one_game_do_not_fit_together(seed: int, other: int) -> None:
    """A log that joins the leaves of a fork to what it had: by leaves alone, where seqs meet."""
    game = History(seed)
    for _ in range(5):
        game.play(1)
        game.log(HEAD)
    at = random.Random(other).randrange(1, 5)
    fork = Leaf(HEAD, ID, game.leaves[at].seq, sha256(b"%d" % other).hexdigest())
    with pytest.raises(ForkError):
        checked([*game.leaves, fork])
    with pytest.raises(ForkError, match="has the hash"):
        checked([*game.leaves[: at + 1], fork])


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_no_rewind_can_be_left_out(seed: int) -> None:
    game = History.honest(seed)
    for at, leaf in enumerate(game.leaves):
        if leaf.kind == REWOUND:
            shorter = game.leaves[:at] + game.leaves[at + 1 :]
            behind = game.leaves[at + 1].seq <= leaf.seq
            if behind:  # otherwise the headers show it, between two leaves
                with pytest.raises(ForkError):
                    checked(shorter)


def leaf(kind: str, seq: int, hash_: str = "", **more: object) -> Leaf:
    return Leaf(kind, ID, seq, hash_ or sha256(b"%d" % seq).hexdigest(), more)


FIRST = Leaf(CREATED, ID, 1, "11" * 32, SEED)


@pytest.mark.parametrize(
    ("leaves", "says"),
    [
        ([leaf(HEAD, 3)], "`head` at 3 has no `created` before it"),
        ([FIRST, FIRST], "is a second creation, after `created` at 1"),
        ([FIRST, leaf(HEAD, 5), leaf(HEAD, 4)], "goes back from `head` at 5, and no `rewound`"),
        ([FIRST, leaf(HEAD, 5), leaf(HEAD, 5, "22" * 32)], "has the hash 2222"),
        ([FIRST, leaf(ENDED, 5), leaf(HEAD, 6)], "goes on after `ended` at 5"),
        ([FIRST, leaf(ENDED, 5), leaf(ABORTED, 6)], "goes on after `ended` at 5"),
        ([FIRST, leaf(REWOUND, 2, to=0)], "names another head than `created` at 1"),
        ([FIRST, leaf(REWOUND, 1, "22" * 32, to=0)], "names another head"),
        (
            [FIRST, leaf(HEAD, 5), leaf(REWOUND, 5, to=3, to_hash="33" * 32)],
            "goes back to 3, where the log has no such head",
        ),
        (
            [FIRST, leaf(HEAD, 5), leaf(REWOUND, 5, to=1, to_hash="33" * 32)],
            "goes back to 1, where the log has no such head",
        ),
        ([FIRST, leaf(REWOUND, 1, FIRST.hash, to=0), leaf(HEAD, 4)], "has no `created` before it"),
    ],
)
def test_what_lies_on_no_chain(leaves: list[Leaf], says: str) -> None:
    with pytest.raises(ForkError, match=f"{ID}: the leaf .*{says}"):
        checked(leaves)


def test_what_may_follow() -> None:
    """A seed of a block that opens after the end, a game that is created anew, a repeated head."""
    end = leaf(ENDED, 9)
    lost = [leaf(REWOUND, 9, end.hash, to=0), FIRST._replace(hash="44" * 32)]
    assert checked([FIRST, leaf(HEAD, 9), end, leaf(ENDED, 10)])[-1].seq == 10
    assert checked([FIRST, end, *lost]) == [lost[-1]]
    assert checked([FIRST, leaf(HEAD, 4), leaf(HEAD, 4)])[-1] == leaf(HEAD, 4)


def test_the_leaves_of_a_pseudonym_are_counted() -> None:
    own = pseudonym(pseudonym_key(b"1" * 32), ID)
    leaves = [one._replace(id=own) for one in (FIRST, leaf(HEAD, 2), leaf(HEAD, 3), leaf(ENDED, 4))]
    assert len(checked(leaves)) == 4
    for at, _pair in enumerate(pairwise(leaves[1:]), 1):
        with pytest.raises(ForkError, match="does not count on from"):
            checked(leaves[:at] + leaves[at + 1 :])


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (b"", "is no leaf of a log of games"),
        (b"{}", "is no leaf"),
        (leaf(HEAD, 2).entry.replace(b",", b", "), "is no leaf"),
        (leaf(HEAD, 2).entry.replace(b"lonja/2", b"lonja/1"), "is no leaf"),
        (encode(["lonja/2", "leaf"]), "a leaf without a kind"),
        (encode(["lonja/2", "leaf", {"kind": 1}]), "a leaf without a kind"),
        (leaf(HEAD, 2)._replace(id="p-abc").entry, "has the id 'p-abc'"),
        (leaf(HEAD, 0).entry, "has the seq 0"),
        (leaf(HEAD, 2, "AA" * 32).entry, "the hash 'AAAA"),
        (FIRST._replace(more={}).entry, "has not what a leaf `created` has"),
        (FIRST._replace(seq=2).entry, "has not what a leaf `created` has"),
        (leaf(REWOUND, 5, to=5, to_hash="aa" * 32).entry, "has not what a leaf `rewound` has"),
        (leaf(REWOUND, 5, to=2).entry, "has not what a leaf `rewound` has"),
        (leaf(REWOUND, 5, to=0, to_hash="aa" * 32).entry, "has not what a leaf `rewound` has"),
    ],
)
def test_what_is_no_leaf(entry: bytes, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        Leaf.parse(entry)


def test_newer_leaves_are_known_as_such() -> None:
    assert (
        Leaf.parse(encode(["lonja/2", "leaf", {"kind": "moved_house", "to": "b.example"}])) is None
    )
    more = leaf(HEAD, 2, note="later releases")
    assert Leaf.parse(more.entry) == more
