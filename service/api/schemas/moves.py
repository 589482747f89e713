"""JSON Schemas of each ruleset's moves, as components that typed clients are made from."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry


def add_moves(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each move type and one for each ruleset's moves; use them for moves."""
    rulesets = []
    for ruleset in sorted(registry, key=lambda found: str(found.info.id)):
        prefix = camel(ruleset.info.id)
        mapping = {}
        for type_ in ruleset.move_types:
            name = f"{prefix}{camel(type_.type)}"
            schema = type_.schema()
            schemas[name] = {**schema, "title": name, "examples": [example_of(schema)]}
            _complete_alternatives(schemas[name])
            mapping[type_.type] = f"#/components/schemas/{name}"
        union = f"{prefix}Move"
        schemas[union] = {
            "description": f"A move of {ruleset.info.title['en']}.",
            "oneOf": [{"$ref": ref} for ref in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
            "examples": [schemas[next(iter(mapping.values())).rpartition("/")[2]]["examples"][0]],
        }
        rulesets.append(union)
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in rulesets]
    schemas["Move"] = {
        "description": "A move of one of the rulesets; `type` tells which.",
        **(refs[0] if len(refs) == 1 else {"anyOf": refs}),
        "examples": [schemas[rulesets[0]]["examples"][0]],
    }
    move = {"$ref": "#/components/schemas/Move"}
    schemas["MoveRequest"]["properties"]["move"] = move
    schemas["LegalMoves"]["properties"]["moves"]["items"] = move


def _complete_alternatives(schema: JsonObject) -> None:
    """Define in each alternative of an object what it requires: linters do not look outside."""
    for alternative in schema.get("anyOf", ()):
        for name in alternative.get("required", ()):
            alternative["properties"].setdefault(name, schema["properties"][name])


def example_of(schema: Any) -> Any:
    """Return a value that fits the schema of a field or a move type."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "examples" in schema:
        return schema["examples"][0]
    if schema.get("type") == "object" and "properties" not in schema:
        return {}  # a map
    if schema.get("type") == "object":
        first = schema.get("anyOf", [{}])[0]
        known = {**schema["properties"], **first.get("properties", {})}
        names = dict.fromkeys([*schema["required"], *first.get("required", ())])
        return {name: example_of(known[name]) for name in names}
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0])
    match schema.get("type"):
        case "integer":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "array":
            items = schema["items"]
            if schema.get("uniqueItems") and "enum" in items:
                return items["enum"][: schema.get("minItems", 1)]
            return [example_of(items)] * schema.get("minItems", 0)
        case "null":
            return None
    return "x"


def camel(name: str) -> str:
    """Return a name in the way of classes: ``take_good`` is ``TakeGood``."""
    return "".join(word.capitalize() for word in name.split("_"))
