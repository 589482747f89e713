"""Draws: uniform, without bias, and the same for everybody who knows the key."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.canonical import derive, mac
from rules.kernel.contract.chance import (
    Chance,
    chance_key,
    commitment,
    draw,
    fits,
    scripted,
    seeded,
    shuffle_picks,
    shuffle_sizes,
    shuffled,
    uniform,
)

KEY = bytes(range(32))


def chi_square(counts: Counter[int], size: int) -> float:
    expected = counts.total() / size
    return sum((counts[value] - expected) ** 2 / expected for value in range(size))


@pytest.mark.parametrize(("size", "limit"), [(2, 19.5), (6, 33.0), (52, 113.0)])
def test_draws_are_uniform(size: int, limit: float) -> None:
    """A random key exceeds ``limit`` once in 100,000 times; the key here is fixed."""
    counts: Counter[int] = Counter()
    for n in range(1, 301):
        counts.update(draw(KEY, "roll", n, [size] * 20))
    assert chi_square(counts, size) < limit


def test_positions_of_a_shuffle_are_uniform() -> None:
    counts: Counter[int] = Counter()
    for n in range(1, 2001):
        counts[shuffled(range(5), draw(KEY, "deck", n, shuffle_sizes(5))).index(0)] += 1
    assert chi_square(counts, 5) < 29.0


def test_a_draw_depends_on_its_name_alone() -> None:
    assert draw(KEY, "roll", 1, [6] * 9) == draw(KEY, "roll", 1, [6] * 9)
    other = [
        draw(KEY, "roll", 2, [6] * 9),
        draw(KEY, "roll/a", 1, [6] * 9),
        draw(bytes(32), "roll", 1, [6] * 9),
    ]
    assert draw(KEY, "roll", 1, [6] * 9) not in other
    assert draw(KEY, "roll", 1, [6] * 3) == draw(KEY, "roll", 1, [6] * 9)[:3]


def test_words_that_would_bias_are_refused() -> None:
    """For a size just over half of 2^64, about every second word must be dropped."""
    size = 2**63 + 1
    d = derive(KEY, "draw", "huge", 1)
    words = [int.from_bytes(mac(d, j.to_bytes(4, "big"))[:8], "big") for j in range(60)]
    wanted = [word for word in words if word < size][:20]
    assert any(word >= size for word in words[:20])
    assert draw(KEY, "huge", 1, [size] * 20) == tuple(wanted)


def test_a_size_of_one_has_one_answer() -> None:
    assert draw(KEY, "last", 1, [1, 1]) == (0, 0)
    assert draw(KEY, "none", 1, []) == ()


def test_the_key_binds_scope_and_entropy() -> None:
    keys = {
        chance_key(KEY, "g1", [None, None]),
        chance_key(KEY, "g2", [None, None]),
        chance_key(KEY, "g1", [None]),
        chance_key(KEY, "g1", [b"x", None]),
        chance_key(KEY, "g1", [None, b"x"]),
    }
    assert len(keys) == 5
    assert commitment("g1", KEY) != commitment("g2", KEY)
    nature = seeded(KEY)
    assert nature(Chance("roll", 3, (6, 6))) == draw(KEY, "roll", 3, (6, 6))


def test_scripted_chance_answers_by_label_and_occurrence() -> None:
    nature = scripted({"roll": [[5, 0], [1, 1]]}, uniform(random.Random(1)))
    assert nature(Chance("roll", 1, (6, 6))) == (5, 0)
    assert nature(Chance("roll", 2, (6, 6))) == (1, 1)
    assert fits(nature(Chance("roll", 3, (6, 6))), (6, 6))
    assert fits(nature(Chance("deck", 1, (9,))), (9,))


@pytest.mark.parametrize("line", [[6, 0], [0], [0, 0, 0], [-1, 0]])
def test_a_script_that_does_not_fit_is_refused(line: list[int]) -> None:
    nature = scripted({"roll": [line]}, uniform(random.Random(1)))
    with pytest.raises(ValueError, match="roll 1"):
        nature(Chance("roll", 1, (6, 6)))


@given(st.permutations(range(8)))
def test_picks_of_a_wanted_order_make_that_order(wanted: list[int]) -> None:
    picks = shuffle_picks(range(8), wanted)
    assert fits(picks, shuffle_sizes(8))
    assert shuffled(range(8), picks) == wanted


@given(st.lists(st.sampled_from("aab"), max_size=6), st.randoms())
def test_equal_things_can_be_ordered_too(items: list[str], rng: random.Random) -> None:
    wanted = rng.sample(items, len(items))
    assert shuffled(items, shuffle_picks(items, wanted)) == wanted


def test_every_shuffle_has_its_own_picks() -> None:
    sizes = shuffle_sizes(4)
    draws = {(a, b, c) for a in range(sizes[0]) for b in range(sizes[1]) for c in range(sizes[2])}
    assert len({tuple(shuffled("wxyz", picks)) for picks in draws}) == 24
