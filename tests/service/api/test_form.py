"""The form of the description, rule by rule, so that unknown generators can read it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.api.schemas.form import SCHEMAS as REF
from service.api.schemas.form import plain, tag
from service.api.schemas.typed import union_by_type
from tests.service.api.document import MADE, OPERATIONS, SCHEMAS, validator
from tests.service.api.people import House, problem
from tests.service.api.test_openapi import parameter_of

Json = dict[str, Any]

ID = {"game_id": "g07-mfrggzdfmztwq2lknnwg", "tournament_id": "t07-mfrggzdfmztwq2lknnwg"}
LISTED = ("oneOf", "anyOf")
NULL = {"type": "null"}


def schemas_in(part: Any, where: str) -> Iterator[tuple[str, Json]]:
    """Yield each schema below a part of the document that defines the type of a value.

    Conditions are left out, because generators ignore them.
    """
    if isinstance(part, dict):
        yield where, part
        for key, value in part.items():
            if key == "properties":
                for name, kind in value.items():
                    yield from schemas_in(kind, f"{where}/{name}")
            elif key not in {"if", "then", "else", "example", "examples", "default", "mapping"}:
                yield from schemas_in(value, f"{where}/{key}")
    elif isinstance(part, list):
        for item in part:
            yield from schemas_in(item, where)


TYPES = [found for name, schema in SCHEMAS.items() for found in schemas_in(schema, name)]
UNIONS = [(where, key, found) for where, found in TYPES for key in LISTED if key in found]


def named(schema: Json) -> Json:
    """Return a schema, or the component that it refers to."""
    found: Json = SCHEMAS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def property_of(schema: Json, name: str) -> tuple[Json | None, bool]:
    """Return a component's schema of a property, and whether the property is required."""
    whole = named(schema)
    parts = [whole, *map(named, whole.get("allOf", ()))]
    kinds = [part["properties"][name] for part in parts if name in part.get("properties", {})]
    return (kinds[0] if kinds else None), any(name in part.get("required", ()) for part in parts)


def alternatives(union: Json, key: str) -> Iterator[Json]:
    """Yield the alternatives of a schema besides null, and their own alternatives."""
    for one in map(named, union[key]):
        below = next((listed for listed in LISTED if listed in one), None)
        if below is not None and "discriminator" not in one:
            yield from alternatives(one, below)
        elif one.get("type") != "null":
            yield one


def test_objects_of_a_union_are_told_apart_by_a_tag() -> None:
    tagged = 0
    for where, key, union in UNIONS:
        if "discriminator" not in union:
            kinds = [one.get("type") for one in alternatives(union, key)]
            assert len([kind for kind in kinds if kind not in {"string", "integer"}]) <= 1, where
            continue
        tagged += 1
        name, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert key == "oneOf", where
        assert sorted(mapping.values()) == sorted(one["$ref"] for one in union["oneOf"]), where
        for value, reference in mapping.items():
            kind, required = property_of({"$ref": reference}, name)
            assert required, f"{where}: {reference} may lack {name}"
            assert kind == {"type": "string", "enum": [value]}, f"{where}: {reference}"
    assert tagged >= 4


def test_a_union_is_flat() -> None:
    """Generators look for the tag in each member of the union, and import the member as a class."""
    for where, key, union in UNIONS:
        if "discriminator" in union:
            assert not [one for one in union[key] if {*LISTED} & named(one).keys()], where


def test_a_type_of_two_rulesets_is_one_member() -> None:
    """An installed ruleset may have a move or an effect with the name of one of the project's."""
    word = {"type": "string", "enum": ["a"]}
    made = {
        "OnePass": object_of(type=tag("pass"), why=word, to={"type": "integer"}),
        "TwoPass": object_of(type=tag("pass"), why={**word, "enum": ["b"]}, to=word),
        "OneRoll": object_of(type=tag("roll")),
    }
    known = {"pass": {"One": "OnePass", "Two": "TwoPass"}, "roll": {"One": "OneRoll"}}
    union = union_by_type(made, known, "", "A move.")
    assert union["discriminator"]["mapping"] == {"pass": REF + "AnyPass", "roll": REF + "OneRoll"}
    assert [one["$ref"] for one in union["oneOf"]] == [REF + "AnyPass", REF + "OneRoll"]
    both = plain(made["AnyPass"])
    assert both["properties"] == {
        "type": tag("pass"),
        "why": {**word, "enum": ["a", "b"]},
        "to": {},
    }
    assert both["required"] == ["type", "why", "to"]
    assert both["then"] == {"anyOf": [{"$ref": REF + "OnePass"}, {"$ref": REF + "TwoPass"}]}


def object_of(**properties: Json) -> Json:
    required = [*properties]
    whole = {"properties": properties, "required": required, "additionalProperties": False}
    return {"type": "object", **whole}


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ({"ruleset": "manila", "type": "game_ended", "data": {"reason": "voyage_limit"}}, True),
        ({"ruleset": "ragusa", "type": "game_ended", "data": {"reason": "voyage_limit"}}, False),
        ({"ruleset": "macao", "type": "turn_ended", "data": {"seat": 0}}, True),
        ({"ruleset": "macao", "type": "turn_ended", "data": {"side": 0}}, False),
        ({"ruleset": "manila", "type": "turn_ended", "data": {"seat": 0}}, False),
    ],
)
def test_an_effect_of_several_rulesets_fits_one_of_theirs(line: Json, *, fits: bool) -> None:
    assert validator("Effect").is_valid({"seq": 7, "text": "", **line}) == fits


def test_a_single_value_is_an_enum() -> None:
    assert not [where for where, schema in TYPES if "const" in schema]
    assert not [where for where, schema in TYPES if "enum" in schema and "type" not in schema]


def test_what_requires_nothing_says_nothing() -> None:
    """Many tools read an older JSON Schema, in which ``required`` may not be empty."""
    assert not [where for where, schema in TYPES if schema.get("required") == []]


def test_alternatives_are_types_and_no_conditions() -> None:
    assert not [where for where, _, schema in UNIONS if "properties" in schema]


def test_words_are_one_enum() -> None:
    for where, key, union in UNIONS:
        inline = [one for one in union[key] if one.get("type") == "string"]
        assert len(inline) <= 1, where


def test_a_union_that_may_be_null_says_so_itself() -> None:
    """Java and other generators make a class of a union, and such a class is never null."""
    for where, key, union in UNIONS:
        if NULL in union[key]:
            below = [one for one in union[key] if "$ref" in one and {*LISTED} & named(one).keys()]
            assert not below, where


def test_a_list_is_no_alternative_but_to_null() -> None:
    """In Java, the alternative would have the name ``List<String>``."""
    for where, key, union in UNIONS:
        kinds = [named(one).get("type") for one in union[key] if one != NULL]
        assert kinds == ["array"] or "array" not in kinds, where


def test_words_two_lists_down_are_text_to_generators() -> None:
    """Otherwise a Python client reads each word of the inner list as an object."""
    nested = 0
    for where, schema in TYPES:
        inner = named(schema["items"]) if isinstance(schema.get("items"), dict) else {}
        if "items" in inner:
            nested += 1
            assert "enum" not in named(inner["items"]), where
    assert nested > 0


def test_words_in_a_list_with_nulls_are_a_component() -> None:
    """If the words are enumerated in the list itself, null is not allowed there."""
    with_nulls = 0
    for where, schema in TYPES:
        items = schema.get("items", {})
        for key in {*LISTED} & items.keys():
            if NULL in items[key]:
                with_nulls += 1
                assert not [one for one in items[key] if "enum" in one], where
        assert None not in items.get("enum", ()), where
    assert with_nulls > 4


def read_as(schema: Json) -> str:
    """Return the type with which a value is read before the member of the union is known."""
    kinds = [named(one) for key in LISTED for one in named(schema).get(key, ())] or [named(schema)]
    for kind in kinds:
        values = kind.get("items") or kind.get("additionalProperties")
        values = named(values) if isinstance(values, dict) else {}
        if values.get("type") == "object" or {*LISTED} & values.keys():
            return "list of objects" if "items" in kind else "map of objects"
    types = {one for kind in kinds for one in flat(kind.get("type", ()))}
    return "number" if types & {"integer", "number", "boolean"} else "as it is"


def test_a_name_is_read_alike_in_all_members_of_a_union() -> None:
    """Generators try the members in turn, and some read lists and maps before the type."""
    for where, _, union in UNIONS:
        if "discriminator" not in union:
            continue
        told: dict[str, set[str]] = {}
        for one in union["oneOf"]:
            for part in (named(one), *map(named, named(one).get("allOf", ()))):
                for name, kind in part.get("properties", {}).items():
                    told.setdefault(name, set()).add(read_as(kind))
        for name, ways in told.items():
            assert "map of objects" not in ways or len(ways) == 1, f"{where}: {name}"
            assert not {"list of objects", "number"} <= ways, f"{where}: {name}"


def test_a_seat_is_an_integer_everywhere() -> None:
    taken = [p for _, _, o in OPERATIONS for p in map(parameter_of, o.get("parameters", ()))]
    seats = {p["name"]: p["schema"] for p in taken if p["name"] == "seat"}
    told = [(where, found["properties"]["seat"]) for where, found in TYPES if has_seat(found)]
    assert len(told) > 20
    for where, schema in [*seats.items(), *told]:
        kinds = [schema, *schema.get("anyOf", ())]
        types = [kind for one in kinds for kind in flat(named(one).get("type", ()))]
        assert "integer" in types, where
        assert {*types} <= {"integer", "null"}, where


def has_seat(schema: Json) -> bool:
    return isinstance(schema.get("properties"), dict) and "seat" in schema["properties"]


def flat(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else [*types]


def test_a_request_takes_null_only_where_it_says_what_being_left_out_says() -> None:
    asked = [
        (f"{name}.{key}", kind)
        for name, schema in SCHEMAS.items()
        if name.endswith("Request")
        for key, kind in schema.get("properties", {}).items()
    ]
    assert len(asked) > 50
    for where, kind in asked:
        if "null" in flat(kind.get("type", ())) or {"type": "null"} in kind.get("anyOf", ()):
            assert "left out, or null" in kind["description"], where


@pytest.mark.parametrize(
    "operation", [o for *_, o in OPERATIONS], ids=[o["operationId"] for *_, o in OPERATIONS]
)
def test_what_succeeds_stands_inline_and_what_fails_is_a_problem(operation: Json) -> None:
    for status, answer in operation["responses"].items():
        if status[0] == "2":
            assert "$ref" not in answer, status
        elif status[0] in "45":
            name = answer.get("$ref", "").rpartition("/")[2]
            whole = MADE["components"]["responses"][name] if name else answer
            (content,) = whole["content"].values()
            assert content["schema"] == {"$ref": "#/components/schemas/Problem"}


@pytest.mark.parametrize(
    ("name", "move", "fits"),
    [
        ("GiveTribute", {"type": "give_tribute", "kind": "good", "good": "rum"}, True),
        ("GiveTribute", {"type": "give_tribute", "kind": "peso"}, True),
        ("GiveTribute", {"type": "give_tribute", "kind": "good"}, False),
        ("GiveTribute", {"type": "give_tribute", "kind": "vp", "good": "rum"}, False),
        ("UseBuilding", {"type": "use_building", "direction": "left"}, True),
        ("UseBuilding", {"type": "use_building", "direction": "up"}, False),
        ("UseBuilding", {"type": "use_building", "give": "rum"}, False),
    ],
)
def test_conditions_hold_as_alternatives_did(name: str, move: Json, *, fits: bool) -> None:
    for component in (f"SantiagoDeCuba{name}", "Move"):
        assert validator(component).is_valid(move) == fits


UNASKED = [
    (method, path)
    for path, method, o in OPERATIONS
    if method != "get" and "requestBody" not in o and "admin" not in path
]


@pytest.mark.parametrize(("method", "path"), UNASKED)
def test_a_body_is_refused_where_none_is_taken(house: House, method: str, path: str) -> None:
    ana = house.player()
    url = re.sub(r"\{(\w+)\}", lambda part: ID.get(part[1], "0"), path)
    refused = house.client.open(url, method=method, json={"days": 2}, headers=ana.headers)
    (error,) = problem(refused, 422, "invalid_body")["errors"]
    assert error == {"field": "$", "message": "none is taken here", "value": '{"days":2}'}
    empty = house.client.open(url, method=method, json={}, headers=ana.headers)
    assert empty.status_code in {201, 403, 404}, empty.text


WORDS = {"label", "labels", "notes", "text"}
"""Names of members whose values are texts, besides those whose name says so."""
WITHOUT_ADDITIONS = {"listTournamentEvents", "streamTournament"}
"""Operations whose events have the schema of a game's, without the members of `include`."""


def members_in_words(part: Any, known: set[str]) -> Iterator[str]:
    """Yield each member below a part of the document whose value is in the caller's language."""
    for where, schema in schemas_in(part, ""):
        for name, kind in schema.get("properties", {}).items():
            if name in WORDS or "in the caller's language" in kind.get("description", ""):
                yield f"{where}/{name}"
        reference = schema.get("$ref")
        if reference is not None and reference not in known:
            known.add(reference)
            yield from members_in_words(named(schema), known)


def takes(operation: Json, kind: str, name: str) -> bool:
    found = map(parameter_of, operation.get("parameters", ()))
    return any((one["in"], one["name"]) == (kind, name) for one in found)


def test_who_answers_in_words_takes_the_language() -> None:
    """By `lang` and by the header, because links and a page's `EventSource` send no header."""
    answering = set()
    for _path, _method, operation in OPERATIONS:
        name = operation["operationId"]
        responses = operation["responses"].items()
        answers = [told.get("content", {}) for status, told in responses if status[0] == "2"]
        in_words = any(members_in_words(answers, set())) and name not in WITHOUT_ADDITIONS
        header = takes(operation, "header", "Accept-Language")
        assert takes(operation, "query", "lang") == header, name
        assert header or not in_words, name
        answering |= {name} if in_words else set()
    assert answering > {
        "listRulesets",
        "getRuleset",
        "getGame",
        "createGame",
        "playMove",
        "readLog",
    }


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = {"type": "object", "properties": {"const": {"const": True}, "anyOf": {}}}
    one = {"type": "boolean", "enum": [True]}
    assert plain(schema)["properties"] == {"const": one, "anyOf": {}}
    assert plain({"examples": [{"const": 1}]}) == {"examples": [{"const": 1}]}
    with pytest.raises(ValueError, match="condition"):
        plain({"properties": {}, "anyOf": [{}], "if": {}})
