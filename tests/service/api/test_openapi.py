"""openapi.yaml: generated, committed, valid and complete."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.api import openapi
from service.api.schemas.examples import camel
from service.problems import CODES, RETRY_AFTER, example_problem
from tests.service.api.document import MADE, OPERATIONS, SCHEMAS, validator

ROOT = Path(__file__).parents[3]
BYTES_EACH = 8_000
"""Maximum size of the document for each of its operations."""


def whole(response: dict[str, Any]) -> dict[str, Any]:
    """Return a response, or the shared response that it refers to."""
    name = response.get("$ref", "").removeprefix("#/components/responses/")
    found: dict[str, Any] = MADE["components"]["responses"][name] if name else response
    return found


def parameter_of(taken: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter, or the shared parameter that it refers to."""
    name = taken.get("$ref", "").removeprefix("#/components/parameters/")
    found: dict[str, Any] = MADE["components"]["parameters"][name] if name else taken
    return found


def test_the_committed_document_is_what_the_code_says() -> None:
    assert openapi.check(ROOT / openapi.FILE) == [], "run `lonja openapi --write`"


def test_a_drifted_document_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    assert openapi.check(path)
    openapi.write(path)
    assert openapi.check(path) == []
    path.write_text(path.read_text().replace("playMove", "makeMove"))
    assert any("makeMove" in line for line in openapi.check(path))


def test_it_is_valid_openapi() -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415 - takes seconds

    OpenAPIV31SpecValidator(MADE).validate()


def test_every_reference_leads_somewhere() -> None:
    for reference in set(_values(MADE, "$ref")):
        part = MADE
        for name in reference.removeprefix("#/").split("/"):
            assert name in part, reference
            part = part[name]


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_has_an_example_that_fits(name: str) -> None:
    """A union has the examples of its members; lines of the log have those of the union of all."""
    schema = SCHEMAS[name]
    assert schema.get("description") or name.endswith("Effect")
    for example in schema.get("examples", ()):
        validator(name).validate(example)
    alone = "oneOf" not in schema and "anyOf" not in schema and not name.endswith("Effect")
    assert len(schema.get("examples", ())) == 1 or not alone


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_problem_is_as_described(code: str) -> None:
    validator("Problem").validate(example_problem(code))


def test_the_document_is_small_enough_to_read() -> None:
    assert len(openapi.to_yaml(MADE).encode()) < BYTES_EACH * len(OPERATIONS)


def test_a_change_of_the_document_is_a_diff() -> None:
    """Every item has its own line, except short lists of words."""
    part = {name: MADE["components"][name] for name in ("parameters", "responses")}
    said = [*yaml.parse(openapi.to_yaml(part), Loader=yaml.SafeLoader)]
    for begins, follows in pairwise(said):
        in_a_row = isinstance(begins, yaml.MappingStartEvent) and begins.flow_style
        assert not in_a_row or isinstance(follows, yaml.MappingEndEvent), begins.start_mark


def test_parameters_of_several_operations_are_said_once() -> None:
    taken = [p for *_, o in OPERATIONS for p in o.get("parameters", ())]
    alone = [yaml.safe_dump(parameter) for parameter in taken if "$ref" not in parameter]
    assert len(alone) == len({*alone})


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=[o["operationId"] for _, _, o in OPERATIONS]
)
def test_every_operation_is_described(path: str, method: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert operation["description"]
    assert len(operation["tags"]) == 1
    assert operation["security"] is not None
    for parameter in map(parameter_of, operation.get("parameters", [])):
        assert parameter["description"], parameter["name"]
        has_example = "example" in parameter or "example" in parameter["schema"]
        assert has_example == (parameter["name"] != "Idempotency-Key"), parameter["name"]
    answers = {status: whole(answer) for status, answer in operation["responses"].items()}
    assert any(status.startswith("2") for status in answers)
    for status, answer in answers.items():
        if status >= "400":
            assert [*answer["content"]] == ["application/problem+json"], status
        if status in {"429", "503"}:
            assert "Retry-After" in answer["headers"]
    assert {"500", "503"} <= answers.keys() or not path.startswith("/v1")


def test_whatever_changes_something_takes_an_idempotency_key() -> None:
    for path, method, operation in OPERATIONS:
        taken = {parameter_of(parameter)["name"] for parameter in operation.get("parameters", ())}
        changes = method != "get" and not operation["operationId"].startswith("preview")
        assert ("Idempotency-Key" in taken) == changes, path


def test_errors_are_shared_and_said_once() -> None:
    answers = [
        (status, answer)
        for *_, o in OPERATIONS
        for status, answer in o["responses"].items()
        if status[0] != "2"
    ]
    assert not [answer for _, answer in answers if answer.keys() != {"$ref"}]
    said = {yaml.safe_dump([status, whole(answer)]) for status, answer in answers}
    assert len(said) == len(MADE["components"]["responses"])


def test_what_several_operations_take_is_said_once() -> None:
    taken = [known for *_, o in OPERATIONS for known in o.get("parameters", ())]
    alone = [yaml.safe_dump(known) for known in taken if "$ref" not in known]
    shared = [yaml.safe_dump(known) for known in MADE["components"]["parameters"].values()]
    assert len({*alone, *shared}) == len(alone) + len(shared)


def test_parameters_of_one_name_are_told_apart_by_a_word() -> None:
    """A parameter's component has its name, with a further word if the name is taken."""
    for name, known in MADE["components"]["parameters"].items():
        assert re.fullmatch(rf"{known['name']}(\.[a-z]+)?", name), name


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)


def test_codes_have_one_list() -> None:
    assert SCHEMAS["Problem"]["properties"]["code"]["enum"] == sorted(CODES)
    later = {code for code, known in CODES.items() if known.status in {429, 503}}
    assert RETRY_AFTER.keys() == later - {"rate_limited"}, "the window of a limit says when"
    told = [r for name, r in MADE["components"]["responses"].items() if name[0] in "45"]
    told += [r for *_, o in OPERATIONS for s, r in o["responses"].items() if s[0] in "45"]
    sentences = " ".join(whole(response)["description"] for response in told)
    for code, known in CODES.items():
        assert re.fullmatch("[a-z_]+", code)
        assert 400 <= known.status < 600
        of_no_operation = code in {"method_not_allowed", "token_required"}
        assert (f"`{code}`: {known.title}" in sentences) != of_no_operation, code


def test_every_code_raised_in_the_service_is_in_the_list() -> None:
    raised = set()
    for path in [*(ROOT / "service").rglob("*.py"), ROOT / "rules/kernel/record/batch.py"]:
        raised |= set(re.findall(r'(?:Problem|RefusedError)\(\s*"([a-z_]+)"', path.read_text()))
    never_answered = {
        "not_asked", "not_late", "not_over", "chance_is_open", "lenient", "not_lenient",
        "hinted_before", "no_beacon_expected", "too_early",
    }  # fmt: skip
    assert raised - never_answered <= CODES.keys()
    assert "stale_version" in CODES


def test_no_property_has_the_name_of_its_own_class() -> None:
    """A generated class would be shadowed by its property: ``state`` of ``State``."""
    for name, schema in SCHEMAS.items():
        properties = {camel(key).lower() for key in schema.get("properties", ())}
        assert name.lower() not in properties, name


def test_words_among_other_values_are_enumerated() -> None:
    """For a constant, a generated client falls back to this value and accepts no other."""

    def held(part: Any, where: str) -> None:
        if isinstance(part, dict):
            union = [*part.get("anyOf", ()), *part.get("oneOf", ())]
            assert not any("const" in alternative for alternative in union), where
        if isinstance(part, dict | list):
            for key, value in part.items() if isinstance(part, dict) else enumerate(part):
                held(value, f"{where}/{key}")

    held(SCHEMAS, "")


def test_move_schemas_take_the_moves_of_the_rules() -> None:
    union = SCHEMAS["Move"]["discriminator"]
    types = {known.type for ruleset in Registry(PACKAGES) for known in ruleset.move_types}
    assert (union["propertyName"], union["mapping"].keys()) == ("type", types)


def _values(part: Any, name: str) -> list[str]:
    """Return the values of a name in all examples and property schemas of the document."""
    if isinstance(part, list):
        return [value for item in part for value in _values(item, name)]
    if not isinstance(part, dict):
        return []
    below = [value for item in part.values() for value in _values(item, name)]
    found = part.get(name)
    if isinstance(found, dict):
        below += [*found.get("examples", ()), *([found["example"]] if "example" in found else ())]
    return [*below, found] if isinstance(found, str) else below


def test_examples_name_what_is_installed() -> None:
    installed = {ruleset.info.id: ruleset for ruleset in Registry(PACKAGES)}
    parameters = [parameter_of(p) for _, _, o in OPERATIONS for p in o.get("parameters", [])]
    named = {"ruleset": _values(SCHEMAS, "ruleset"), "edition": _values(SCHEMAS, "edition")}
    for parameter in parameters:
        name = parameter["name"].removesuffix("_id")
        if name in named:
            named[name].append(parameter.get("example", parameter["schema"].get("example")))
    named["ruleset"].append(SCHEMAS["RulesetSummary"]["examples"][0]["id"])
    assert len(named["ruleset"]) > 10
    assert set(named["ruleset"]) <= installed.keys()
    assert set(named["edition"]) <= {e.id for r in installed.values() for e in r.editions()}
