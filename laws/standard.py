"""Checks documents and answers against the schemas of docs/api/table.md."""

from functools import cache
from typing import Any

import jsonschema_rs
import orjson

from rules.kernel.contract.published import schema_of


def misfits(name: str, value: Any) -> list[str]:
    """Return a sentence for each place where a document or answer does not fit its schema.

    ``name`` is the name of the schema in ``$defs``, for example ``board``, ``labels`` or ``view``.
    """
    written = orjson.loads(orjson.dumps(value))
    found = _validator(name).iter_errors(written)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in found]


@cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema_of(name))
