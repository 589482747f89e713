"""Common parts of a ruleset's views, effects and moves, as components of the OpenAPI document."""

from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.schemas import TABLE, view_schema
from service.api.schemas.examples import camel
from service.api.schemas.form import SCHEMAS

_ABOUT = ("description", TABLE)
"""Keywords of JSON Schema that do not decide which values are valid."""


class Kinds:
    """The kinds of values that a ruleset's view schema defines: ids from tables, and objects."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.view = view_schema(ruleset, "en")
        self.defined: JsonObject = self.view.pop("$defs")
        self._prefix = camel(ruleset.info.id)
        self._by_values = {
            _values(kind): name
            for name, kind in self.defined.items()
            # Other kinds are left out: unrelated fields may have the same schema, for instance a
            # range from 0 to 9.
            if TABLE in kind or "properties" in kind
        }

    def component(self, name: str) -> str:
        """Return the name of the component for the kind ``name``."""
        return f"{self._prefix}{camel(name)}"

    def referring(self, schema: Any) -> Any:
        """Return the schema with each kind replaced by a reference to the kind's component."""
        if isinstance(schema, list):
            return [self.referring(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return {**schema, "$ref": f"{SCHEMAS}{self.component(name)}"}
        if name := self._by_values.get(_values(schema)):
            about = {key: schema[key] for key in ("description",) if key in schema}
            return {"$ref": f"{SCHEMAS}{self.component(name)}", **about}
        return {key: self.referring(value) for key, value in schema.items()}


def _values(kind: JsonObject) -> bytes:
    plain = {key: value for key, value in kind.items() if key not in _ABOUT}
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)
