"""Views get the arguments of operations as frozen dataclasses, which agree with the schemas."""

import dataclasses
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import marshmallow as ma
import pytest

from service.api import resources
from service.api.http.context import Caller
from service.api.openapi import RESOURCES
from service.api.schemas.base import RequestSchema
from service.api.schemas.tournaments import TournamentRequestSchema
from service.tournaments.plan import Plan
from service.tournaments.record import shapes

MOST_ANY = 20


def below(schema: type[RequestSchema]) -> list[type[RequestSchema]]:
    return [schema, *(found for lower in schema.__subclasses__() for found in below(lower))]


SCHEMAS = [
    schema
    for schema in below(RequestSchema)[1:]
    if schema.__module__.startswith("service.api.schemas") and schema.loads is not dict
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.__name__)
def test_a_dataclass_has_the_fields_of_its_schema(schema: type[RequestSchema]) -> None:
    """With the same defaults; a field that may be omitted or null may be None."""
    made = schema()
    hints = get_type_hints(schema.loads)
    parts = {part.name: part for part in dataclasses.fields(schema.loads)}
    assert parts.keys() == made.load_fields.keys()
    for name, field in made.load_fields.items():
        needed = field.required or field.load_default is not ma.missing
        default, factory = parts[name].default, parts[name].default_factory
        has_default = default is not dataclasses.MISSING or factory is not dataclasses.MISSING
        assert needed or has_default, name
        if field.allow_none:
            assert type(None) in get_args(hints[name]), name
        if has_default and field.load_default is not ma.missing:
            assert default == field.load_default, name
    of_a_query = schema.__name__.endswith("QuerySchema")  # all of which is text
    said = {name: str(value) if of_a_query else value for name, value in schema.example.items()}
    first = made.typed(made.load(said))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(first, next(iter(parts)), None)


def test_every_operation_reads_dataclasses() -> None:
    """Its view takes the caller, the arguments, and the parts of the path, in this order."""
    views = Path(resources.__path__[0]).glob("*.py")
    assert sum(len(re.findall(r"\bAny\b", path.read_text())) for path in views) < MOST_ANY
    for resource in RESOURCES:
        for documented in resource.blueprint._docs.values():
            for method in documented.keys() - {"parameters"}:
                for read in documented[method].get("arguments", {}).get("parameters", ()):
                    if isinstance(read["schema"], RequestSchema):
                        assert dataclasses.is_dataclass(read["schema"].loads), read["schema"]
    hints: dict[str, Any] = get_type_hints(resources.play.play_move)
    assert next(iter(hints.values())) is Caller


def test_a_plan_has_one_list_of_parts() -> None:
    """The request, the plan and the shape in records have the same parts."""
    fixed = {part.name for part in dataclasses.fields(Plan)}
    asked = {part.name for part in dataclasses.fields(TournamentRequestSchema.loads)}
    assert asked - fixed == {"seed"}
    assert fixed - asked == {"rules_version", "rules_digest", "tables"}
    assert shapes.PLAN.needed.keys() | shapes.PLAN.optional.keys() == fixed
