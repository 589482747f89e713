"""Cards that are drawn, kept and put away unseen: what seats see, and what they may guess."""

from random import Random

from rules.kernel.contract.seats import Seat
from rules.kernel.toolbox.unseen import dealt, drawn, shown


def test_a_hand_is_its_owners_alone_until_all_are_opened() -> None:
    hands = ["red", "blue", "green"]
    assert shown(hands, Seat(1)) == [None, "blue", None]
    assert shown(hands, None) == [None, None, None]
    assert shown(hands, None, opened=True) == hands


def test_hands_that_are_not_known_are_dealt_from_what_is_unseen() -> None:
    unseen = [*"abcd"]
    one, two, three = dealt([None, "xy", None], [1, 2, 2], unseen, Random(1))
    assert (len(one), two, len(three)) == (1, "xy", 2)
    assert sorted([*one, *three, *unseen]) == [*"abcd"]


def test_nobody_drew_or_kept_before_what_the_seat_met_later() -> None:
    """Of five cards, another seat draws two and keeps one; then this seat draws c and the other
    one.

    Between the two draws, this seat saw a pack with d.
    """
    found = set()
    for seed in range(60):
        rest, bottom = [*"abcde"], list[str]()
        draws = drawn(rest, [(None, None), ("c",)], Random(seed), seen={1: "cd"}, bottom=bottom)
        cards, may_keep = next(draws)
        assert may_keep == [*cards]
        bottom += cards[1:]
        assert next(draws) == (("c",), ["c"])
        assert sorted([*cards[:1], "c", *rest, *bottom]) == [*"abcde"]
        found.add(cards)
    assert found == {(one, other) for one in "abe" for other in "abe" if one != other}


def test_what_was_laid_back_was_not_kept_and_comes_again_from_the_bottom() -> None:
    for seed in range(20):
        rest, bottom = [*"abc"], list[str]()
        draws = drawn(rest, [("b", None), (None,), ("b",)], Random(seed), bottom=bottom)
        cards, may_keep = next(draws)
        assert may_keep == [cards[1]]
        bottom.append("b")
        ((third,), _) = next(draws)
        assert {"b", cards[1], third} == {*"abc"}
        assert next(draws) == (("b",), ["b"])
        assert (rest, bottom) == ([], [])
