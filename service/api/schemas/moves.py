"""JSON Schemas of each ruleset's moves, as components that typed clients are made from."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.api.schemas.examples import camel, example_of
from service.api.schemas.form import SCHEMAS, union
from service.api.schemas.kinds import Kinds


def add_moves(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each move type; a move is a union of all.

    A type that several rulesets share is a union of their schemas, distinguished by their fields.
    """
    known: dict[str, list[str]] = {}
    for ruleset in sorted(registry, key=lambda found: str(found.info.id)):
        prefix = camel(ruleset.info.id)
        kinds = Kinds(ruleset)
        for type_ in ruleset.move_types:
            name = f"{prefix}{camel(type_.type)}"
            schema = type_.schema()
            example = example_of(schema)
            schema.pop("title", None)  # components have no title; they have names
            schemas[name] = {**kinds.referring(schema), "examples": [example]}
            known.setdefault(type_.type, []).append(name)
    told = {type_: _one_of(schemas, type_, names) for type_, names in known.items()}
    schemas["Move"] = union("type", told, "A move of one of the rulesets; `type` tells which.")
    move = {"$ref": f"{SCHEMAS}Move"}
    schemas["MoveRequest"]["properties"]["move"] = move
    schemas["LegalMoves"]["properties"]["moves"]["items"] = move


def _one_of(schemas: JsonObject, type_: str, names: list[str]) -> str:
    """Return the name of a component for all of ``names``, which are moves of one type."""
    if len(names) == 1:
        return names[0]
    name = f"Any{camel(type_)}"
    alternatives = [{"$ref": f"{SCHEMAS}{one}"} for one in names]
    schemas[name] = {"description": f"`{type_}` of one of the rulesets.", "anyOf": alternatives}
    return name
