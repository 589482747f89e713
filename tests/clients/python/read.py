"""A program of a front-end author: reads the answers that another program got, with models.

datamodel-code-generator made the models from the description, as the module ``lonja_models``:

    python read.py openapi.yaml answers.jsonl

Each line of the record has the ``method``, ``path``, ``status`` and ``body`` of an answer. It
prints a line of JSON: how many answers each model read, and the fields that no model knew.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lonja_models
import yaml
from pydantic import BaseModel, RootModel

JSON = {"application/json", "application/problem+json"}


def main(document: str, record: str) -> None:
    """Read each answer with the model of its operation; an answer that does not fit is an error."""
    models = Models(yaml.load(Path(document).read_text(), yaml.CSafeLoader))
    read: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    with Path(record).open() as answers:
        for line in answers:
            answer = json.loads(line)
            model = models.of(answer["method"], answer["path"], str(answer["status"]))
            made = model.model_validate(answer["body"])
            read[model.__name__] += 1
            unknown.update(fields_unknown_to(made))
    print(json.dumps({"read": read, "unknown": unknown}))


class Models:
    """The model of each operation's answers."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._shared = document["components"]["responses"]
        self._operations = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), method.upper(), item[method])
            for path, item in document["paths"].items()
            for method in item.keys() & {"get", "post", "put", "patch", "delete"}
        ]
        # Paths with fixed segments come before those with parameters.
        self._operations.sort(key=lambda known: known[0].pattern.count("[^/]+"))

    def of(self, method: str, path: str, status: str) -> type[BaseModel]:
        """Return the model of an answer, which has the name of the schema."""
        operation = next(o for p, m, o in self._operations if m == method and p.fullmatch(path))
        answer = operation["responses"][status]
        if "$ref" in answer:
            answer = self._shared[answer["$ref"].rpartition("/")[2]]
        (kind,) = [answer["content"][name] for name in answer["content"].keys() & JSON]
        schema = kind["schema"]
        found: type[BaseModel] = getattr(lonja_models, schema["$ref"].rpartition("/")[2])
        return found


def fields_unknown_to(part: Any) -> Iterator[str]:
    """Yield the fields of an answer that the models do not have."""
    if isinstance(part, RootModel):
        yield from fields_unknown_to(part.root)
    elif isinstance(part, BaseModel):
        yield from (f"{type(part).__name__}.{name}" for name in part.model_extra or ())
        for name in type(part).model_fields:
            yield from fields_unknown_to(getattr(part, name))
    elif isinstance(part, list | dict):
        for item in part.values() if isinstance(part, dict) else part:
            yield from fields_unknown_to(item)


if __name__ == "__main__":
    main(*sys.argv[1:])
