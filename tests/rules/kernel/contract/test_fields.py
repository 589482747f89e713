"""Kinds of values accept what their JSON Schema accepts."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.contract.fields import (
    BadValue,
    Choice,
    EditionId,
    Either,
    Field,
    Flag,
    Index,
    Integer,
    ListOf,
    Maybe,
    Optional,
    Permutation,
    PlaceNumber,
    WrongType,
)

KINDS: list[Field[Any]] = [
    Integer(0, 3),
    Integer(-2, -2),
    PlaceNumber(3),
    Choice(("rum", "wood")),
    Flag(),
    EditionId({"rum": None, "b": None}, ("rum", "b")),
    Maybe(Flag()),
    Maybe(Integer(1, 2)),
    Index(("rum", "wood", "b"), some=(0, 2)),
    Index(("rum", "b"), none=-1),
    ListOf(Choice(("a", "b")), 1, 3, unique=True),
    ListOf(Integer(0, 2), 0, 2),
    Optional(Integer(0, 1)),
    Either((Choice(("random",)), Permutation(("a", "b")))),
    Permutation(("a", "b", "c")),
    Permutation(()),
]
SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["a", "b", "rum", ""])
ANYTHING: st.SearchStrategy[Any] = (
    SCALARS
    | st.just(10**400)
    | st.lists(SCALARS, max_size=4)
    | st.permutations(["a", "b", "c"])
    | st.permutations(["a", "b"])
    | st.dictionaries(st.sampled_from("ab"), SCALARS, max_size=2)
    | st.just([[]])
)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_acceptance_agrees_with_the_schema(kind: Field[Any]) -> None:
    validator = jsonschema_rs.Draft202012Validator(kind.schema())  # refuses what is no schema

    @given(ANYTHING)
    def agrees(value: Any) -> None:
        assert kind.accepts(value) == validator.is_valid(value)

    agrees()


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_junk_is_not_accepted_and_never_raises(kind: Field[Any]) -> None:
    for junk in (object(), b"", {1}, float("nan"), 1.0, [[]], ["a", []], "\ud800", ["a", "a", "b"]):
        assert not kind.accepts(junk)


def test_truth_values_are_no_integers() -> None:
    assert not Integer(0, 1).accepts(True)  # noqa: FBT003 - the junk itself
    assert not Flag().accepts(1)


def test_tuples_are_permutations_too() -> None:
    assert Permutation(("a", "b")).accepts(("b", "a"))
    assert not Permutation(("a", "b")).accepts("ab")


LISTED: list[Field[Any]] = [
    Integer(-1, 2),
    PlaceNumber(3),
    Choice(("a", "b")),
    Flag(),
    Index(("rum", "wood", "b"), some=(0, 2)),
    Index(("rum", "b"), none=-1),
    Maybe(Integer(1, 2)),
]


@pytest.mark.parametrize("kind", LISTED, ids=repr)
def test_all_values_are_listed_and_read_back(kind: Field[Any]) -> None:
    values = kind.values()
    assert len({*values}) == len(values)
    assert [kind.read(kind.write(value)) for value in values] == [*values]


def test_an_id_is_its_place_and_null_is_what_stands_for_it() -> None:
    kind: Index[int] = Index(("rum", "wood"), none=-1)
    assert [kind.read(json) for json in (None, "rum", "wood")] == [-1, 0, 1]
    assert [kind.write(value) for value in (-1, 0, 1)] == [None, "rum", "wood"]


def test_places_count_from_one_in_json_alone() -> None:
    kind: PlaceNumber[int] = PlaceNumber(3)
    assert [kind.read(json) for json in (1, 2, 3)] == [0, 1, 2]
    assert kind.write(0) == 1
    for junk in (0, 4):
        with pytest.raises(BadValue, match=f"{junk} is not from 1 to 3"):
            kind.read(junk)


def test_what_is_wrong_is_told_apart_from_what_is_of_a_wrong_type() -> None:
    for kind, junk in ((Integer(0, 1), "0"), (Choice(("a",)), 1), (Index(("a",)), None)):
        with pytest.raises(WrongType):
            kind.read(junk)
    for kind, junk in ((Integer(0, 1), 2), (Choice(("a",)), "b"), (Index(("a",)), "b")):
        with pytest.raises(BadValue, match=repr(junk)) as caught:
            kind.read(junk)
        assert type(caught.value) is BadValue


def test_bounds_that_are_not_strict_are_for_the_rules_to_judge() -> None:
    kind = Integer(1, 3, strict=False)
    assert kind.read(7) == 7
    assert kind.schema() == Integer(1, 3).schema()


def test_ids_that_are_not_strict_are_for_the_rules_to_judge() -> None:
    kind: Index[int] = Index(("rum", "wood"), some=(0,), strict=False)
    assert kind.read("wood") == 1
    assert not kind.accepts("gold")
    assert kind.values() == (0,)
    assert kind.schema() == Index(("rum", "wood"), some=(0,)).schema()


def test_what_nobody_lists_says_so() -> None:
    with pytest.raises(TypeError, match="nobody lists every ListOf"):
        ListOf(Flag()).values()
