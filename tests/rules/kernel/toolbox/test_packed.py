"""Piles packed in one int, compared with counters."""

from collections import Counter
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.contract.fields import BadValue, WrongType
from rules.kernel.toolbox.packed import PileAsCounts, PileAsList, PileCodec

IDS = ("rum", "silk", "tea")
PACKED: PileCodec[int] = PileCodec(IDS)
COUNTS = st.dictionaries(st.sampled_from(IDS), st.integers(0, 127))


@given(COUNTS, COUNTS)
def test_piles_are_counted(one: dict[str, int], other: dict[str, int]) -> None:
    pile, some = PACKED.from_counts(one), PACKED.from_counts(other)
    counted, counted_some = Counter(one), Counter(other)
    assert PACKED.counts(pile) == {id_: counted[id_] for id_ in IDS}
    assert PACKED.held(pile) == +counted
    assert sorted(PACKED.listed(pile)) == sorted(counted.elements())
    assert PACKED.total(pile) == counted.total()
    assert [PACKED.count(pile, kind) for kind in range(3)] == [counted[id_] for id_ in IDS]
    assert PACKED.kinds(pile) == tuple(kind for kind, id_ in enumerate(IDS) if counted[id_])
    assert PACKED.covers(pile, some) == (counted_some <= counted)
    assert PACKED.covered(pile, [some, 0]) == ([some, 0] if counted_some <= counted else [0])
    assert PACKED.held(PACKED.common(pile, some)) == counted & counted_some
    if counted_some <= counted:
        assert PACKED.held(pile - some) == counted - counted_some
        assert pile - some + some == pile


def test_all_piles_of_a_size_are_listed_once() -> None:
    listed = [tuple(PACKED.listed(pile)) for pile in PACKED.of(2)]
    assert listed == [
        *(("rum", "rum"), ("rum", "silk"), ("rum", "tea")),
        *(("silk", "silk"), ("silk", "tea"), ("tea", "tea")),
    ]
    assert PACKED.of(0) == (0,)
    assert PACKED.counts(PACKED.each(3)) == dict.fromkeys(IDS, 3)


TWO, UP_TO_TWO = PileAsList(PACKED, 2, 2, unique=True), PileAsList(PACKED, 0, 2)
PAID = PileAsCounts(PACKED, 4)


@pytest.mark.parametrize("kind", [TWO, UP_TO_TWO])
def test_lists_are_read_in_any_order_and_written_in_one(kind: PileAsList) -> None:
    validator = jsonschema_rs.Draft202012Validator(kind.schema())
    assert kind.write(kind.read(["tea", "rum"])) == ["rum", "tea"]
    assert [kind.read(kind.write(value)) for value in kind.values()] == [*kind.values()]
    for value in kind.values():
        validator.validate(kind.write(value))


def test_unique_piles_alone_are_listed_and_others_are_left_to_the_rules() -> None:
    assert [TWO.write(pile) for pile in TWO.values()] == [
        ["rum", "silk"], ["rum", "tea"], ["silk", "tea"],
    ]  # fmt: skip
    assert len(UP_TO_TWO.values()) == 1 + 3 + 6
    assert PACKED.counts(TWO.read(["rum", "rum"]))["rum"] == 2


def test_counts_are_read_and_written() -> None:
    assert jsonschema_rs.Draft202012Validator(PAID.schema()).is_valid({"rum": 1, "tea": 2})
    assert PAID.write(PAID.read({"tea": 2, "rum": 1})) == {"rum": 1, "tea": 2}
    assert PACKED.count(PAID.read({"tea": 10**30}), 2) == 127  # more than any pile has


@pytest.mark.parametrize(
    ("kind", "junk", "error"),
    [
        (UP_TO_TWO, "rum", WrongType),
        (UP_TO_TWO, ["rum", 1], WrongType),
        (UP_TO_TWO, ["gin", 1], WrongType),
        (UP_TO_TWO, ["rum"] * 3, WrongType),
        (UP_TO_TWO, ["gin"], BadValue),
        (TWO, ["rum"], WrongType),
        (PAID, ["rum"], WrongType),
        (PAID, {"rum": 0}, WrongType),
        (PAID, {"rum": True}, WrongType),
        (PAID, {"gin": 0}, WrongType),
        (PAID, {"gin": 1}, BadValue),
    ],
)
def test_what_is_no_pile_is_refused(kind: Any, junk: object, error: type[BadValue]) -> None:
    with pytest.raises(BadValue) as caught:
        kind.read(junk)
    assert type(caught.value) is error
