"""Words: complete in both languages for whatever a ruleset can say."""

import string
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from rules.kernel.canonical import encode
from rules.kernel.chance import Chance
from rules.kernel.effects import NONE, PUBLIC, Effect, seat_audience
from rules.kernel.labels import LANGUAGES
from rules.kernel.ruleset import Decision, Ruleset
from tests.contract import golden
from tests.contract.tables import SEEDS, TABLES, Spot, positions, reduced


def all_positions(ruleset: Ruleset[Any]) -> Iterator[tuple[Spot, Any]]:
    for table in TABLES:
        if table.ruleset is ruleset:
            for seed in SEEDS:
                yield from positions(table, seed)
    for path in golden.paths(ruleset):
        yield from golden.load(path).positions()


@cache
def effects_met(ruleset: Ruleset[Any]) -> dict[str, dict[bytes, tuple[Effect, int]]]:
    """Return effects by type and data, each with the number of seats of a table it was met at."""
    met: dict[str, dict[bytes, tuple[Effect, int]]] = {}
    for spot, event in all_positions(ruleset):
        if event is not None:
            for effect in reduced(ruleset, spot.state, event)[1]:
                key = encode([effect.data, effect.audience])
                met.setdefault(effect.type, {})[key] = effect, spot.table.seats
    return met


def placeholders(template: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name}


def test_languages_have_the_same_words(ruleset: Ruleset[Any]) -> None:
    tables = ruleset.labels.tables
    assert set(tables) == set(LANGUAGES)
    english, spanish = (tables[language] for language in LANGUAGES)
    assert english.keys() == spanish.keys()
    for key in english:
        assert english[key].strip(), key
        assert spanish[key].strip(), key
        assert placeholders(english[key]) == placeholders(spanish[key]), key


def keys(ruleset: Ruleset[Any]) -> Iterator[str]:
    yield from (f"error.{code}" for code in ruleset.error_codes)
    yield from (f"option.{option.name}" for option in ruleset.info.options)
    yield from (f"reason.{reason}" for reason in ruleset.end_reasons)


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_options_and_reasons_have_words(ruleset: Ruleset[Any], language: str) -> None:
    missing = [key for key in keys(ruleset) if key not in ruleset.labels.tables[language]]
    assert not missing
    for key in keys(ruleset):
        assert ruleset.labels.text(key, language)


def test_decisions_moves_and_breakdowns_have_words(ruleset: Ruleset[Any]) -> None:
    met: set[str] = set()
    for spot, _event in all_positions(ruleset):
        turn = ruleset.turn(spot.state)
        if isinstance(turn, Chance):
            continue
        said: list[tuple[str, Any]] = []
        if isinstance(turn, Decision):
            said.append((f"decision.{turn.name}", {}))
            for seat in turn.seats:
                said += [move.label() for move in ruleset.legal_moves(spot.state, seat)]
        else:
            for standing in ruleset.result(spot.state).standings:
                said += [(f"breakdown.{key}", {}) for key in standing.breakdown]
        for key, data in said:
            name = f"{key} {sorted(data.items(), key=str)}"
            if name not in met:
                met.add(name)
                for language in LANGUAGES:
                    text = ruleset.labels.text(key, language, **data)
                    assert text.strip(), f"{spot.where}: {key} says nothing in {language}"


def test_effects_are_declared_and_have_words(ruleset: Ruleset[Any]) -> None:
    for type_, effects in effects_met(ruleset).items():
        assert type_ in ruleset.effect_types, f"effect {type_} is not declared"
        for effect, seats in effects.values():
            audiences = {PUBLIC, NONE, *(seat_audience(seat) for seat in range(seats))}
            assert effect.audience in audiences, effect
            for language in LANGUAGES:
                text = ruleset.labels.text(f"effect.{type_}", language, **effect.data)
                assert text.strip(), f"{effect} says nothing in {language}"


def test_every_declared_effect_happens(ruleset: Ruleset[Any]) -> None:
    missing = set(ruleset.effect_types) - effects_met(ruleset).keys()
    assert not missing, (
        f"no random game and no golden replay shows {sorted(missing)};"
        f" look for one: python -m tests.contract.record {ruleset.info.id}"
    )


def test_every_move_type_is_legal_somewhere(ruleset: Ruleset[Any]) -> None:
    met = {
        type(move)
        for spot, _event in all_positions(ruleset)
        for seat in range(spot.table.seats)
        for move in ruleset.legal_moves(spot.state, seat)
    }
    assert met == set(ruleset.move_types)
