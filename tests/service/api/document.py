"""The API's description, and validation of values by its schemas."""

from functools import cache
from typing import Any

import jsonschema_rs
from flask import Flask

import rules.registry
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.api import openapi


def described(*more: str) -> openapi.ApiDocument:
    """Return the description for the project's rulesets and the packages ``more``."""
    app = Flask("described", static_folder=None)
    openapi.register(app, Registry([*rules.registry.PACKAGES, *more]))
    return openapi.of(app)


_DESCRIBED = described()
MADE = _DESCRIBED.value
MESSAGES = _DESCRIBED.messages
"""The description of streams and webhooks."""
SCHEMAS = MADE["components"]["schemas"]
OPERATIONS = [
    (path, method, operation)
    for path, item in MADE["paths"].items()
    for method, operation in item.items()
    if method in {"get", "put", "post", "patch", "delete"}
]


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """Return a validator for the component ``name``."""
    return _for(name, MADE["components"])


def _for(name: str, components: JsonObject) -> jsonschema_rs.Draft202012Validator:
    whole = {"$ref": f"#/components/schemas/{name}", "components": components}
    return jsonschema_rs.Draft202012Validator(whole)


@cache
def _in_tests() -> JsonObject:
    """Return the description for the rulesets of the API's tests."""
    return described("tests.sealed").value


@cache
def _fitting(name: str, *, is_sent: bool) -> Any:
    components = (MESSAGES if is_sent else _in_tests())["components"]
    return _for(name, components)


def need_fit(name: str, value: JsonObject, *, is_sent: bool = False) -> None:
    """Raise ValidationError unless a value fits the component ``name``.

    Messages that webhooks send (``is_sent``) are described in the other document.
    """
    _fitting(name, is_sent=is_sent).validate(value)
