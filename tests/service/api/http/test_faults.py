"""Invalid large requests: lengths are checked first, and only some faults are reported.

The tests count the checked parts, because the check takes the time.
"""

from collections.abc import Iterator
from typing import Any

import marshmallow as ma
import pytest

from service.api.schemas import base
from service.api.schemas.base import MAX_FAULTS, Items, RequestSchema
from service.api.schemas.tournaments import EntryRequestSchema
from service.tournaments.plan import MAX_ENTRIES
from tests.service.api.people import House, Json, problem

WRONG: Json = {"bot": 1, "name": 2, "cushion": 3}
CUP = "/v1/tournaments/preview"


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The schemas of the requests, and of their parts, that were checked."""
    found: list[str] = []
    real = RequestSchema._deserialize

    def look(self: RequestSchema, data: Any, **options: Any) -> Any:
        found.append(type(self).__name__)
        return real(self, data, **options)

    monkeypatch.setattr(RequestSchema, "_deserialize", look)
    return found


def faults(house: House, entries: Any, **more: Any) -> list[Json]:
    body = {"ruleset": "sealed", "entries": entries, **more}
    errors: list[Json] = problem(house.visitor.post(CUP, body), 422, "invalid_body")["errors"]
    return errors


def test_a_list_that_is_too_long_is_refused_unread(house: House, looked_at: list[str]) -> None:
    (error,) = faults(house, [WRONG] * 900)
    assert error["field"] == "entries"
    assert f"{MAX_ENTRIES}" in error["message"]
    assert looked_at.count(EntryRequestSchema.__name__) == 0


def test_of_wrong_items_as_many_are_looked_at_as_are_told(
    house: House, looked_at: list[str]
) -> None:
    assert len(faults(house, [WRONG] * MAX_ENTRIES)) == MAX_FAULTS
    assert looked_at.count(EntryRequestSchema.__name__) == 7, "of three faults each"


def test_faults_are_few_in_all(house: House) -> None:
    unknown = {f"x{n}": n for n in range(900)}
    errors = faults(house, [WRONG] * MAX_ENTRIES, seats="2", **unknown)
    assert len(errors) == MAX_FAULTS
    (entry,) = [{**WRONG, **unknown}]
    assert len(faults(house, [entry] * 2)) == MAX_FAULTS


def test_unknown_members_are_told_of_a_few(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    real = ma.Schema._deserialize

    def look(self: ma.Schema, data: Any, **options: Any) -> Any:
        told.append(len(data))
        return real(self, data, **options)

    monkeypatch.setattr(ma.Schema, "_deserialize", look)
    errors = faults(house, [{"bot": "random"}] * 2, **{f"x{n}": n for n in range(900)})
    assert len(errors) == MAX_FAULTS
    assert {error["field"][0] for error in errors} == {"x"}
    assert max(told) <= MAX_FAULTS + 2, "the others are not even asked about"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/players/me"], ids=["some", "none"])
def test_unknown_parameters_are_told_of_a_few(house: House, path: str) -> None:
    query = "&".join(f"x{n}=1" for n in range(400))
    told = problem(house.player().get(f"{path}?{query}"), 422, "invalid_query")
    assert [error["field"] for error in told["errors"]] == [f"x{n}" for n in range(MAX_FAULTS)]


def test_a_parameter_that_comes_often_is_told_once(house: House) -> None:
    told = problem(house.visitor.get("/v1/games?" + "limit=1&" * 400), 422, "invalid_query")
    assert [error["field"] for error in told["errors"]] == ["limit"]


@pytest.mark.parametrize("query", ["include=" + "x," * 1_500, "include=x&" * 380])
def test_words_in_a_query_are_few(house: House, query: str) -> None:
    url = house.table(house.player(), house.player())
    told = problem(house.visitor.get(f"{url}/events?{query}"), 422, "invalid_query")
    assert len(told["errors"]) == 1, "their number"


@pytest.mark.parametrize("item", [0, {}, [], "x"], ids=str)
def test_a_body_of_very_many_values_is_refused_for_that(house: House, item: Any) -> None:
    body = [[item] * 999] * 11
    told = problem(house.visitor.post(CUP, body), 400, "too_long")
    assert told["limit"] == 10_000
    problem(house.visitor.post(CUP, [[item] * 999] * 9), 422, "invalid_body")


def test_a_text_that_is_too_long_is_not_even_cleaned(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert house.visitor.post("/v1/players", {"name": f"Ana{' ' * 200}"}).status_code == 201
    monkeypatch.setattr(base, "clean", lambda _text: pytest.fail("it takes long"))
    answer = house.visitor.post("/v1/players", {"name": f"Ana{' ' * 3_900}"})
    (error,) = problem(answer, 422, "invalid_body")["errors"]
    assert (error["field"], error["message"]) == ("name", "Length must be between 1 and 60.")


def test_what_is_wrong_with_a_few_is_told_as_before(house: House) -> None:
    errors = faults(house, [{"bot": "random"}, WRONG], seats="2")
    assert {error["field"] for error in errors} == {
        "entries.1.bot", "entries.1.name", "entries.1.cushion", "seats",
    }  # fmt: skip


def _requests(of: type[RequestSchema] = RequestSchema) -> Iterator[type[RequestSchema]]:
    for kind in of.__subclasses__():
        yield kind
        yield from _requests(kind)


@pytest.mark.parametrize("kind", list(_requests()), ids=lambda kind: kind.__name__)
def test_every_list_of_a_request_has_a_length_that_is_judged_first(
    kind: type[RequestSchema],
) -> None:
    for name, field in kind().fields.items():
        if isinstance(field, ma.fields.List):
            assert isinstance(field, Items), name
            assert any(
                isinstance(one, ma.validate.Length) and one.max is not None
                for one in field.validators
            ), name
