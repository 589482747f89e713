"""Further members of problems: each is declared and documented."""

import ast
from collections.abc import Iterator

import pytest

from service.api.http.spanish import SENTENCES, TITLES, in_spanish
from service.problems import CODES, MEMBER_MEANINGS, MEMBERS, Problem, field_error, invalid
from tests.running import ROOT

MADE = {
    "invalid_body", "invalid_query", "invalid_header", "too_many_games", "too_many_tournaments",
    "already_resigned", "seat_resigned", "too_large",
}  # fmt: skip
"""Codes that are raised from a variable, so that a search for the text does not find them."""


def raised() -> Iterator[tuple[str, set[str]]]:
    """Yield the code of each problem in the source, and its members there."""
    for folder in ("service", "rules/kernel"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                first = node.args[0]
                if name in ("Problem", "RefusedError") and isinstance(first, ast.Constant):
                    given = {word.arg for word in node.keywords if word.arg is not None}
                    yield str(first.value), given - {"headers"}


def test_members_are_declared() -> None:
    given: dict[str, set[str]] = {}
    for code, members in raised():
        if code in CODES:
            assert members <= {*MEMBERS.get(code, ())}, f"declare the members of {code} in MEMBERS"
            given.setdefault(code, set()).update(members)
    for code, members_of_code in MEMBERS.items():
        assert code in CODES
        if code not in MADE:
            assert given[code] == {*members_of_code}, code


def test_members_are_explained() -> None:
    assert {member for members in MEMBERS.values() for member in members} == {*MEMBER_MEANINGS}


def test_each_problem_has_a_title_in_spanish() -> None:
    assert TITLES.keys() == CODES.keys()
    assert len({*TITLES.values()}) == len(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_problem_says_nothing_in_english_to_readers_of_spanish(code: str) -> None:
    english = Problem(code).to_json()
    told = in_spanish(english)
    assert told["title"] == told["detail"] == TITLES[code]
    assert told.keys() == english.keys()


def test_a_fault_of_a_field_is_told_in_spanish_with_its_values() -> None:
    errors = [
        field_error("name", "Longer than maximum length 40.", "x"),
        field_error("clock", "a rule of which there is no Spanish", 5),
    ]
    told = in_spanish(invalid("body", errors).to_json())
    assert told["detail"] == "name: su longitud tiene que ser 40 o menos"
    assert [error["message"] for error in told["errors"]] == [
        "su longitud tiene que ser 40 o menos", "este valor no se admite",
    ]  # fmt: skip
    assert [error["value"] for error in told["errors"]] == ["x", 5]


def test_values_keep_their_order_and_sentences_are_said_somewhere() -> None:
    told = in_spanish(Problem("banned", "p-ana is banned since 2026-11-20T21:29:00Z").to_json())
    assert told["detail"] == "p-ana está expulsado desde 2026-11-20T21:29:00Z"
    for english, spanish in SENTENCES.items():
        assert english.count("{}") == spanish.count("{}"), english
