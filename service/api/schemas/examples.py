"""Examples and names that are derived from schemas."""

from typing import Any


def example_of(schema: Any) -> Any:
    """Return a value that fits the schema of a field or a move type."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "examples" in schema:
        return schema["examples"][0]
    if schema.get("type") == "object" and "properties" not in schema:
        keys = schema.get("propertyNames", {}).get("enum", [])[: schema.get("minProperties", 0)]
        return {key: example_of(schema["additionalProperties"]) for key in keys}  # a map
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
    """Return a name in the style of classes: ``take_good`` becomes ``TakeGood``."""
    return "".join(word.capitalize() for word in name.split("_"))
