"""The API's description, and what its schemas say of a value."""

from functools import cache
from typing import Any

import jsonschema
from referencing import Registry as Schemas
from referencing import Resource
from referencing.jsonschema import DRAFT202012

from service.api import openapi

MADE = openapi.build()
SCHEMAS = MADE["components"]["schemas"]
OPERATIONS = [
    (path, method, operation)
    for path, item in MADE["paths"].items()
    for method, operation in item.items()
    if method in {"get", "put", "post", "patch", "delete"}
]


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return what holds values against the component ``name``."""
    whole = Resource.from_contents(MADE, default_specification=DRAFT202012)
    registry: Schemas[Any] = Schemas().with_resource("urn:document", whole)
    schema = {"$ref": f"urn:document#/components/schemas/{name}"}
    return jsonschema.Draft202012Validator(schema, registry=registry)
