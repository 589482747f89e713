"""Kinds of values accept what their JSON Schema accepts."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.contract.fields import (
    Choice,
    Either,
    Field,
    Flag,
    Installed,
    Integer,
    Null,
    Permutation,
)

KINDS: list[Field] = [
    Integer(0, 3),
    Integer(-2, -2),
    Choice(("rum", "wood")),
    Flag(),
    Installed({"rum": None, "b": None}, ("rum", "b")),
    Null(),
    Either((Null(), Integer(1, 2))),
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
def test_acceptance_agrees_with_the_schema(kind: Field) -> None:
    jsonschema.Draft202012Validator.check_schema(kind.schema())
    validator = jsonschema.Draft202012Validator(kind.schema())

    @given(ANYTHING)
    def agrees(value: Any) -> None:
        assert kind.accepts(value) == validator.is_valid(value)

    agrees()


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_junk_is_not_accepted_and_never_raises(kind: Field) -> None:
    for junk in (object(), b"", {1}, float("nan"), 1.0, [[]], ["a", []], "\ud800", ["a", "a", "b"]):
        assert not kind.accepts(junk)


def test_truth_values_are_no_integers() -> None:
    assert not Integer(0, 1).accepts(True)  # noqa: FBT003 - the junk itself
    assert not Flag().accepts(1)


def test_tuples_are_permutations_too() -> None:
    assert Permutation(("a", "b")).accepts(("b", "a"))
    assert not Permutation(("a", "b")).accepts("ab")
