"""JSON Schemas of each ruleset's moves, as components that typed clients are made from."""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.api.schemas.examples import camel, example_of
from service.api.schemas.kinds import SCHEMAS, Kinds


def add_moves(schemas: JsonObject, registry: Registry) -> None:
    """Add a schema for each move type and one for each ruleset's moves; use them for moves."""
    rulesets = []
    for ruleset in sorted(registry, key=lambda found: str(found.info.id)):
        prefix = camel(ruleset.info.id)
        kinds = Kinds(ruleset)
        mapping = {}
        for type_ in ruleset.move_types:
            name = f"{prefix}{camel(type_.type)}"
            schema = type_.schema()
            example = example_of(schema)
            _complete_alternatives(schema, name)
            schema.pop("title", None)  # a component is called by its name
            schemas[name] = {**kinds.referring(schema), "examples": [example]}
            mapping[type_.type] = f"{SCHEMAS}{name}"
        union = f"{prefix}Move"
        schemas[union] = {
            "description": f"A move of {ruleset.info.title['en']}.",
            "oneOf": [{"$ref": ref} for ref in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
        }
        rulesets.append(union)
    refs = [{"$ref": f"{SCHEMAS}{name}"} for name in rulesets]
    schemas["Move"] = {
        "description": "A move of one of the rulesets; `type` tells which.",
        **(refs[0] if len(refs) == 1 else {"anyOf": refs}),
    }
    move = {"$ref": f"{SCHEMAS}Move"}
    schemas["MoveRequest"]["properties"]["move"] = move
    schemas["LegalMoves"]["properties"]["moves"]["items"] = move


def _complete_alternatives(schema: JsonObject, name: str) -> None:
    """Make each alternative of a move whole and give it a name: generators do not look outside."""
    for at, alternative in enumerate(schema.get("anyOf", ()), 1):
        alternative["title"] = f"{name}{camel(alternative.get('title', str(at)))}"
        required = dict.fromkeys([*schema["required"], *alternative.get("required", ())])
        alternative["required"] = [*required]
        for key in alternative["required"]:
            alternative["properties"].setdefault(key, schema["properties"][key])
