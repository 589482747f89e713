"""Schemathesis: whatever is sent, well-formed or not, the document tells of the answer."""

from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.service.api.document import MADE
from tests.service.api.people import House, Person, data

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ENDLESS = "streamEvents"
OPERATIONS = sorted(
    operation["operationId"]
    for item in MADE["paths"].values()
    for method, operation in item.items()
    if method != "parameters" and operation["operationId"] != ENDLESS
)


@pytest.fixture(scope="module")
def schema() -> OpenApiSchema:
    """The document, read once: that takes longer than all that is sent by it."""
    schema = schemathesis.openapi.from_dict(deepcopy(MADE))
    schema.app = Flask(__name__)  # stands for the one that each test makes
    return schema


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_answer_is_documented(
    house: House, schema: OpenApiSchema, operation_id: str, mode: GenerationMode
) -> None:
    ana = house.player()
    known = known_values(house, ana)
    sent = {**ana.headers, "Accept-Encoding": "identity"}  # it reads no other from an application
    operation = schema.find_operation_by_id(operation_id)

    @given(case=operation.as_strategy(generation_mode=mode), use_known=st.booleans())
    @settings(
        max_examples=6,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any, *, use_known: bool) -> None:
        if use_known:
            case.path_parameters = {**(case.path_parameters or {}), **known}
        case.call_and_validate(headers=sent, checks=CHECKS, app=house.app)

    try:
        send()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "there is nothing to get wrong"


def known_values(house: House, ana: Person) -> dict[str, str | int]:
    """Return path parameters that name something, so that not everything ends in 404."""
    url = house.table(ana, house.player(), ruleset="santiago_de_cuba")
    return {
        "game_id": url.rpartition("/")[2],
        "seat": 0,
        "ruleset_id": "sealed",
        "player_id": ana.id,
        "key_id": data(ana.get("/v1/players/me"))["key"]["id"],
    }
