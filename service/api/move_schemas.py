"""JSON Schemas of each ruleset's moves, as components that typed clients are made from."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.registry import Registry


def add_moves(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each move type and one for each ruleset's moves; use them for moves."""
    rulesets = []
    for ruleset in sorted(registry, key=lambda found: str(found.info.id)):
        prefix = _camel(ruleset.info.id)
        mapping = {}
        for type_ in ruleset.move_types:
            name = f"{prefix}{_camel(type_.type)}"
            schema = type_.schema()
            schemas[name] = {**schema, "title": name, "examples": [example_of(schema)]}
            mapping[type_.type] = f"#/components/schemas/{name}"
        union = f"{prefix}Move"
        schemas[union] = {
            "description": f"A move of {ruleset.info.title['en']}.",
            "oneOf": [{"$ref": ref} for ref in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
            "examples": [schemas[next(iter(mapping.values())).rpartition("/")[2]]["examples"][0]],
        }
        rulesets.append(union)
    schemas["Move"] = {
        "description": "A move of one of the rulesets; `type` tells which.",
        "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in rulesets],
        "examples": [schemas[rulesets[0]]["examples"][0]],
    }


def example_of(schema: Any) -> Any:
    """Return a value that fits the schema of a field or a move type."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            return {name: example_of(inner) for name, inner in schema["properties"].items()}
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


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
