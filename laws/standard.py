"""The schemas of the table's standard (``docs/api/table.md``), and what does not fit them."""

from functools import cache
from typing import Any

import jsonschema_rs
import orjson

from rules.kernel.contract.published import schema_of


def misfits(name: str, value: Any) -> list[str]:
    """Return the misfits of a document or answer with its schema, as sentences.

    ``name`` is a member of the schema's ``$defs``: ``board``, ``labels``, ``view``, ``groups``, ….
    """
    written = orjson.loads(orjson.dumps(value))
    found = _validator(name).iter_errors(written)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in found]


@cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema_of(name))
