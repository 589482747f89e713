"""Legal moves in groups: whoever takes all ways has the flat list, and every word is there."""

from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.choices import grouped
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from tests.contract.tables import SEEDS, Spot, Table, spots


def expanded(groups: list[JsonObject]) -> list[JsonObject]:
    """Return the moves that a client finds in groups."""
    return [{"type": group["type"], **way} for group in groups for way in ways(group["choices"])]


def ways(node: JsonObject | None) -> Iterator[JsonObject]:
    if node is None:
        yield {}
        return
    for choice in node["choices"]:
        for rest in ways(choice["then"] if "then" in choice else node["then"]):
            for field in values(node["field"], choice):
                yield {**field, **rest}


def values(name: str, choice: JsonObject) -> Iterator[JsonObject]:
    if "min" in choice:
        numbers = range(choice["min"], choice["max"] + 1, choice["step"])
        yield from ({name: number} for number in numbers)
    else:
        yield {} if choice.get("omitted") else {name: choice["value"]}


def labels(node: JsonObject | None) -> Iterator[str]:
    if node is not None:
        yield node["label"]
        for choice in node["choices"]:
            if "label" in choice:
                yield choice["label"]
            yield from labels(choice.get("then"))
        yield from labels(node.get("then"))


def groups_at(spot: Spot, seat: Seat, language: str) -> list[JsonObject]:
    ruleset, legal = spot.ruleset, spot.ruleset.legal_moves(spot.state, seat)
    told = [move.label_in(spot.state, seat) for move in legal]
    texts = [ruleset.labels.text(key, language, **data) for key, data in told]
    return grouped(ruleset, spot.state, seat, legal, texts, language)


def test_groups_expand_to_the_legal_moves(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    for number, spot in enumerate(spots(table, seed)):
        for seat in all_seats(table.seats):
            legal = ruleset.legal_moves(spot.state, seat)
            groups = groups_at(spot, seat, LANGUAGES[number % 2])
            found = sorted(encode(move) for move in expanded(groups))
            assert found == sorted(encode(move.to_json()) for move in legal), spot.where
            assert [group["rank"] for group in groups] == [*range(1, len(groups) + 1)]
            assert sum(group["count"] for group in groups) == len(legal)
            without_choice = [group["choices"] is None for group in groups]
            assert without_choice == sorted(without_choice), spot.where


def test_what_is_chosen_among_has_words(table: Table) -> None:
    """No id is shown as it is, and no template."""
    for spot in spots(table, SEEDS[0]):
        for seat in all_seats(table.seats):
            for language in LANGUAGES:
                for group in groups_at(spot, seat, language):
                    for text in (group["label"], group["help"], *labels(group["choices"])):
                        assert text.strip(), f"{spot.where}: {group}"
                        assert not any(sign in text for sign in "{}[]_"), f"{spot.where}: {text!r}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_and_field_is_explained(ruleset: Ruleset[Any], language: str) -> None:
    words = ruleset.labels.tables[language]
    for type_ in ruleset.move_types:
        assert words[f"help.{type_.type}"].endswith("."), type_.type
        fields = type_.schema()["properties"].keys() - {"type"}
        assert (f"group.{type_.type}" in words) == bool(fields), type_.type
        for field in fields:
            assert {f"field.{type_.type}.{field}", f"field.{field}"} & words.keys(), field
