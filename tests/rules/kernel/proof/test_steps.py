"""The hashes that verification remembers of a stream."""

from hashlib import sha256
from typing import Any

from rules.kernel.proof.steps import Heads


def test_a_head_is_known_by_all_of_it_and_from_the_event_after_it_on() -> None:
    hashes = [sha256(bytes([number])).hexdigest() for number in range(5)]
    copies: Any = [{"hash": each} for each in hashes]
    heads = Heads(copies)
    assert not heads.holds(hashes[2], 3)
    assert heads.holds(hashes[2], 4)
    assert heads.holds(hashes[0], 5)
    other = "0" if hashes[0][-1] != "0" else "1"
    assert not heads.holds(hashes[0][:-1] + other, 5), "only its beginning was seen"
    assert not heads.holds("x", 5)
