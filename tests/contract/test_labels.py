"""Words: complete in both languages for whatever a ruleset can say, and fit to be read."""

import re
import string
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rules.kernel.canonical import encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE, PUBLIC, Effect, seat_audience
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Decision, Moved, Ruleset
from rules.kernel.contract.seats import all_seats
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


Said = tuple[str, dict[str, Any]]
"""A key and the values for its template."""


@cache
def said(ruleset: Ruleset[Any]) -> dict[str, Said]:
    """Return all that is said of decisions, moves, effects and results in games of a ruleset."""
    met: dict[str, Said] = {}

    def meet(key: str, data: dict[str, Any]) -> None:
        met.setdefault(f"{key} {data}", (key, data))

    for spot, _event in all_positions(ruleset):
        turn = ruleset.turn(spot.state)
        if isinstance(turn, Decision):
            meet(f"decision.{turn.name}", {})
            for seat in turn.seats:
                for move in ruleset.legal_moves(spot.state, seat):
                    meet(*move.label())
                    meet(*move.label_in(spot.state, seat))
        elif not isinstance(turn, Chance):
            for standing in ruleset.result(spot.state).standings:
                for key in standing.breakdown:
                    meet(f"breakdown.{key}", {})
    for type_, effects in effects_met(ruleset).items():
        for effect, _seats in effects.values():
            meet(f"effect.{type_}", effect.data)
    return met


UNFIT = {
    "a hole": r"^\s|\s$|  |\s[,.;:)]|\(\s*\)|\(\s|[:,;(]$|\[|\]",
    "an id": r"\w:\w|[a-z]_[a-z]|\b(?:None|True|False)\b",
    "none of something": r"\b0 ×",
    "half a negation": r"^(?!.*\b[Nn]o\b)[^:]*\s(?:nada|nadie|ninguna?)\b",
}
"""What gives away that a text was put together."""
MOVE_COLUMNS = 77
"""A move is a line of a list, which has so many columns on a screen of 80."""
SINGULAR = {"citrus", "gris"}
SENTENCES = ("move", "effect", "decision", "error", "option", "reason", "breakdown", "board")


def plurals(words: Mapping[str, str]) -> set[str]:
    """Return words that "1" cannot stand before: second forms, and what vocabularies name."""
    forms = re.findall(r"\|([^}]+)", " ".join(words.values()))
    named = [word for key, word in words.items() if not key.startswith(SENTENCES)]
    return {*forms, *re.findall(r"^\w+s\b", "\n".join(named), re.MULTILINE)} - SINGULAR


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_can_be_read(ruleset: Ruleset[Any], language: str) -> None:
    one_of_many = rf"\b1 (?:{'|'.join(plurals(ruleset.labels.tables[language]))})\b"
    for key, data in said(ruleset).values():
        text = ruleset.labels.text(key, language, **data)
        assert text != key, f"{key} says nothing in {language}"
        for what, pattern in [*UNFIT.items(), ("one of many", one_of_many)]:
            assert not re.search(pattern, text), f"{key} has {what} in {language}: {text!r}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_is_said_in_a_line(ruleset: Ruleset[Any], language: str) -> None:
    moves = [(key, data) for key, data in said(ruleset).values() if key.startswith("move.")]
    texts = {ruleset.labels.text(key, language, **data) for key, data in moves}
    assert not [text for text in texts if len(text) > MOVE_COLUMNS]


def words_of(text: str) -> set[str]:
    return {word[:3] for word in re.findall(r"\w+", text.lower())}


def test_a_log_says_nothing_twice(ruleset: Ruleset[Any]) -> None:
    """What an effect adds to its move's label is a word at least; ``says`` names the others."""
    text = ruleset.labels.text
    for spot, event in all_positions(ruleset):
        if not isinstance(event, Moved):
            continue
        key, data = event.move.label_in(spot.state, event.seat)
        label = text(key, "en", **data)
        left = [*event.move.says]
        assert set(left) <= set(ruleset.effect_types), event.move
        for effect in reduced(ruleset, spot.state, event)[1]:
            if effect.type in left:
                left.remove(effect.type)
                continue
            line = text(f"effect.{effect.type}", "en", **effect.data)
            mover = ruleset.labels.tables["en"].get(f"seat.{event.seat}", "")
            assert not words_of(line) <= words_of(f"{mover} {label}"), f"{label!r} and {line!r}"


def test_effects_are_declared_and_have_words(ruleset: Ruleset[Any]) -> None:
    for type_, effects in effects_met(ruleset).items():
        assert type_ in ruleset.effect_types, f"effect {type_} is not declared"
        for effect, seats in effects.values():
            audiences = {PUBLIC, NONE, *(seat_audience(seat) for seat in all_seats(seats))}
            assert effect.audience in audiences, effect
            for language in LANGUAGES:
                text = ruleset.labels.text(f"effect.{type_}", language, **effect.data)
                assert text.strip(), f"{effect} says nothing in {language}"


def test_effects_are_what_they_are_declared_to_be(ruleset: Ruleset[Any]) -> None:
    """A line without a word about its audience is told to whom its type says, and to nobody else.

    A type that says less than everybody is told to each seat apart.
    """
    for type_ in getattr(ruleset, "effects", ()):
        validator = Draft202012Validator(type_.schema())
        for effect, seats in effects_met(ruleset).get(type_.type, {}).values():
            assert validator.is_valid(effect.data), f"{effect} is not {type_.schema()}"
            told = {type_.audience, *(seat_audience(seat) for seat in all_seats(seats))}
            assert effect.audience in told, effect


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
        for seat in all_seats(spot.table.seats)
        for move in ruleset.legal_moves(spot.state, seat)
    }
    assert met == set(ruleset.move_types)
