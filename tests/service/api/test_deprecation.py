"""Deprecated operations and fields are marked in the document and in answers."""

from datetime import date
from typing import Any, ClassVar

import marshmallow as ma
import pytest
from flask import Response

from service.api import openapi
from service.api.app import create_app
from service.api.http.access import ANY_CALLER, PLAYERS
from service.api.http.context import Caller
from service.api.http.operations import Blueprint
from service.api.http.responses import answer
from service.api.schemas.base import AnswerSchema, Deprecation, RequestSchema, described
from service.runtime import Runtime
from tests.service.api.people import House, problem

OLD = Deprecation(since=date(2026, 1, 1), sunset=date(2027, 1, 1))
OLDER = Deprecation(since=date(2025, 1, 1), sunset=date(2026, 12, 1))
blueprint = Blueprint("weather", __name__, description="Of this test alone.")


class Wind(AnswerSchema):
    """The direction of the wind."""

    example: ClassVar = {"from": "north"}
    whence = ma.fields.String(metadata=described("Whence."), data_key="from")


class Place(RequestSchema):
    """A place."""

    example: ClassVar = {"port": "Ragusa"}
    port = ma.fields.String(metadata=described("Which port.", example="Ragusa"))
    town = ma.fields.String(
        metadata=described("Name the `port` instead.", **OLDER.metadata(), example="Ragusa")
    )


@blueprint.operation("GET", "/v1/wind", "readWind", security=PLAYERS, deprecated=OLD)
@blueprint.response(200, Wind, description="The wind.")
def read_wind(_caller: Caller) -> Response:
    """Read the wind."""
    return answer(Wind.example, headers={"Link": '</v1/wind?after=1>; rel="next"'})


@blueprint.operation("GET", "/v1/tide", "readTide", security=ANY_CALLER)
@blueprint.arguments(Place, location="query")
@blueprint.response(200, Wind, description="The tide.")
def read_tide(_caller: Caller, query: dict[str, Any]) -> Response:
    """Read the tide."""
    return answer(query)


@blueprint.operation("POST", "/v1/tide", "turnTide", security=ANY_CALLER, body=True)
@blueprint.arguments(Place)
@blueprint.response(200, Wind, description="The tide.")
def turn_tide(_caller: Caller, body: dict[str, Any]) -> Response:
    """Turn the tide."""
    return answer(body)


@pytest.fixture
def house(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> House:
    here = type("resource", (), {"blueprint": blueprint})
    monkeypatch.setattr(openapi, "RESOURCES", (*openapi.RESOURCES, here))
    return House(create_app(runtime))


def test_a_deprecated_operation_says_so_in_every_answer(house: House) -> None:
    told = house.player().get("/v1/wind", Origin="https://play.example")
    refused = house.visitor.get("/v1/wind")
    problem(refused, 401, "key_required")
    for found in (told, refused):
        assert found.headers["Deprecation"] == "@1767225600"
        assert found.headers["Sunset"] == "Fri, 01 Jan 2027 00:00:00 GMT"
        more = '</docs/reference/weather/readWind>; rel="deprecation"; type="text/html"'
        assert found.headers.getlist("Link")[-1] == more
    assert len(told.headers.getlist("Link")) == 2
    assert {"Deprecation", "Sunset"} <= set(
        told.headers["Access-Control-Expose-Headers"].split(", ")
    )


def test_a_deprecated_field_says_so_to_whoever_sends_it(house: House) -> None:
    for found in (
        house.visitor.get("/v1/tide?town=Ragusa"),
        house.visitor.post("/v1/tide", {"town": "Ragusa", "port": "x"}),
    ):
        assert (found.status_code, found.headers["Deprecation"]) == (200, "@1735689600")
        assert found.headers["Sunset"] == "Tue, 01 Dec 2026 00:00:00 GMT"
    for found in (
        house.visitor.get("/v1/tide?port=Ragusa"),
        house.visitor.post("/v1/tide", {"port": "Ragusa"}),
        house.visitor.get("/v1/rulesets"),
    ):
        assert (found.status_code, found.headers.get("Deprecation")) == (200, None)


def test_the_document_shows_it(house: House) -> None:
    document = openapi.of(house.app).value
    wind, tide = document["paths"]["/v1/wind"]["get"], document["paths"]["/v1/tide"]["get"]
    assert (wind["deprecated"], wind["x-sunset"]) == (True, "2027-01-01")
    assert {"Deprecation", "Sunset", "Link"} <= wind["responses"]["200"]["headers"].keys()
    assert "deprecated" not in tide
    town = next(taken for taken in tide["parameters"] if taken["name"] == "town")
    assert town["deprecated"] is True
    place = document["components"]["schemas"]["Place"]["properties"]
    assert (place["town"]["deprecated"], place["town"]["x-sunset"]) == (True, "2026-12-01")
    assert "deprecation" not in place["town"]
    assert "deprecated" not in place["port"]
    assert "Deprecation" in document["components"]["headers"]
