"""Errors in tables name the row and the fault."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from rules.kernel.contract.edition import BadEditionError
from rules.kernel.contract.fields import BadValue, WrongType
from rules.kernel.toolbox.rows import Row, RowId

ROW = Row(
    "wares row 2 (rum)",
    {"id": "rum", "price": 3, "kind": "drink", "sold": [1], "name": {"en": "Rum", "es": "Ron"}},
)


def test_a_row_reads_its_values() -> None:
    assert (ROW.text("id"), ROW.integer("price", 3, 3), ROW.optional("weight", 9)) == ("rum", 3, 0)
    assert (ROW.optional("price", 9), ROW.choice("kind", ("drink",))) == (3, "drink")
    assert ROW.array("sold") == [1]
    assert ROW.words("name") == {"en": "Rum", "es": "Ron"}
    assert ROW.part("name", ("en", "es")).text("es") == "Ron"


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: Row("wares row 1", 7), "wares row 1: 7 is not an object"),
    (lambda: Row("wares row 1", {"id": 1}, ("kind",)), "wares row 1: there is no id here"),
    (lambda: ROW.value("weight"), "wares row 2 (rum): weight is missing"),
    (lambda: ROW.text("price"), "wares row 2 (rum): price is 3, not a text"),
    (lambda: ROW.integer("price", 0, 2), "wares row 2 (rum): price is 3, not 0 to 2"),
    (lambda: ROW.integer("id", 0, 2), "wares row 2 (rum): id is 'rum', not 0 to 2"),
    (lambda: ROW.optional("price", 2), "wares row 2 (rum): price is 3, not 0 to 2"),
    (lambda: ROW.choice("kind", ("a", "b")), "wares row 2 (rum): kind is 'drink', not one of a, b"),
    (lambda: ROW.choice("sold", ("a",)), "wares row 2 (rum): sold is [1], not one of a"),
    (lambda: ROW.array("id"), "wares row 2 (rum): id is 'rum', not a list"),
    (lambda: ROW.part("name").text("fr"), "wares row 2 (rum), name: fr is missing"),
    (lambda: ROW.part("name", ("en",)), "wares row 2 (rum), name: there is no es here"),
]


@pytest.mark.parametrize(("read", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_wrong_is_named_with_its_row(read: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadEditionError) as error:
        read()
    assert str(error.value) == message


def test_truth_values_are_no_integers() -> None:
    with pytest.raises(BadEditionError):
        Row("row", {"n": True}).integer("n", 0, 1)


def test_an_id_of_any_edition_is_one() -> None:
    class Tables(NamedTuple):
        wares: Mapping[str, int]

    editions = {"a": Tables({"rum": 1}), "b": Tables({"silk": 1})}
    kind: RowId[str] = RowId(editions, "wares", "rum")
    assert [kind.read(id_) for id_ in ("rum", "silk")] == ["rum", "silk"]
    assert kind.schema() == {"type": "string", "examples": ["rum"]}
    for junk, error in (("tea", BadValue), ("wares", BadValue), (1, WrongType), (None, WrongType)):
        with pytest.raises(BadValue) as caught:
            kind.read(junk)
        assert type(caught.value) is error
    editions["c"] = Tables({"tea": 1})
    assert kind.read("tea") == "tea"


def test_rows_have_ids_which_are_different() -> None:
    root = Row("edition", {"wares": [{"id": "rum"}, {"id": "silk"}, {"id": "rum"}]})
    rows = root.rows("wares")
    assert [next(rows)[0], next(rows)[1].where] == ["rum", "wares row 2 (silk)"]
    with pytest.raises(
        BadEditionError, match=r"^wares row 3 \(rum\): a row before it has the same"
    ):
        next(rows)
