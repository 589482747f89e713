"""JSON Schemas of each ruleset's moves, as components that typed clients are made from."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.api.schemas.examples import camel, example_of
from service.api.schemas.form import SCHEMAS
from service.api.schemas.kinds import Kinds
from service.api.schemas.typed import union_by_type


def add_moves(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each move type; a move is a union of all."""
    known: dict[str, dict[str, str]] = {}
    for ruleset in sorted(registry, key=lambda found: str(found.info.id)):
        prefix = camel(ruleset.info.id)
        kinds = Kinds(ruleset)
        for type_ in ruleset.move_types:
            name = f"{prefix}{camel(type_.type)}"
            schema = type_.schema()
            example = example_of(schema)
            schema.pop("title", None)  # components have no title; they have names
            schemas[name] = {**kinds.referring(schema), "examples": [example]}
            known.setdefault(type_.type, {})[ruleset.info.title["en"]] = name
    what = "A move of one of the rulesets; `type` tells which."
    schemas["Move"] = union_by_type(schemas, known, "", what)
    move = {"$ref": f"{SCHEMAS}Move"}
    schemas["MoveRequest"]["properties"]["move"] = move
    schemas["LegalMoves"]["properties"]["moves"]["items"] = move
    schemas["Question"]["properties"]["legal"]["items"] = move
