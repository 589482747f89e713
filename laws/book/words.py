"""Laws of labels: they are complete in both languages, and can be read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import jsonschema_rs

from laws.games import SampleGame, Subject, reduced
from laws.law import Breach, Scope, law
from rules.kernel.canonical import encode
from rules.kernel.contract.effects import NONE, PUBLIC, Effect, EffectLog, seat_audience
from rules.kernel.contract.labels import LANGUAGES, UNWRITTEN
from rules.kernel.contract.ruleset import Decision, GameOver, MoveEvent, Ruleset
from rules.kernel.contract.scores import told_standings
from rules.kernel.contract.seats import all_seats

WORDS = "1. Data and words"
END = "7. The end, and judgement"
SEQUENCE = "3. The sequence of play"
UNMET = "remove the declaration; if it is only rare, play more games by `--games`"
MOVE_COLUMNS = 77
"""Maximum width of a move in a list, on a screen of 80 columns."""
UNFIT = {
    "a hole": r"^\s|\s$|  |\s[,.;:)]|\(\s*\)|\(\s|[:,;(]$|\[|\]",
    "an id": r"\w:\w|[a-z]_[a-z]|\b(?:None|True|False)\b",
    "a sign for times": "×",
    "a bare number": r"\([+-]?\d+\)",
    "half a negation": r"^(?!.*\b[Nn]o\b)[^:]*\s(?:nada|nadie|ninguna?)\b",
}
"""Patterns of texts that show a badly filled template."""
SINGULAR = {"citrus", "gris"}
SHORT = re.compile(r"\b(?:VP|PV|PP|PG|pts?|max|min|nº)(?!\w)")
"""Abbreviations, allowed only in narrow columns."""
COLUMNS = ("short.", "board.")
SENTENCES = ("move", "effect", "decision", "error", "option", "reason", "breakdown", "board")


@law(Scope.RULESET, WORDS, "labels.json has a key in one language alone, or another {value} in it")
def languages_have_the_same_words(subject: Subject) -> None:
    """Both languages have the same keys, and their texts have the same placeholders."""
    tables = subject.ruleset.labels.tables
    if set(tables) != set(LANGUAGES):
        raise Breach(f"the words are in {[*tables]}, not in {[*LANGUAGES]}")
    english, spanish = (tables[language] for language in LANGUAGES)
    if alone := sorted(english.keys() ^ spanish.keys()):
        raise Breach(f"one language alone has {alone}")
    for key in english:
        if not english[key].strip() or not spanish[key].strip():
            raise Breach(f"{key} is empty")
        if placeholders(english[key]) != placeholders(spanish[key]):
            raise Breach(f"{key} names other values in one language than in the other")


@law(Scope.RULESET, WORDS, f"translate what `lonja new --fill` has marked with {UNWRITTEN.strip()}")
def every_word_is_written(subject: Subject) -> None:
    """No text is left to be translated."""
    for language, words in subject.ruleset.labels.tables.items():
        if left := [key for key, text in words.items() if text.startswith(UNWRITTEN)]:
            raise Breach(f"in {language}, {left} are to be written")


@law(
    Scope.RULESET,
    WORDS,
    "labels.json needs error.*, option.* and reason.*; what they name stands in brackets",
)
def errors_options_and_reasons_have_words(subject: Subject) -> None:
    """Each refusal, each option, and each reason why a game ends has a text."""
    for language in LANGUAGES:
        words = subject.ruleset.labels.tables[language]
        for key in _keys(subject.ruleset):
            if key in words:
                subject.ruleset.labels.text(key, language)
        if missing := [key for key in _keys(subject.ruleset) if not words.get(key)]:
            raise Breach(f"in {language}, {missing} are missing")


@law(Scope.RULESET, WORDS, "rewrite the template in labels.json", version=3)
def what_is_said_can_be_read(subject: Subject) -> None:
    """The texts of decisions, moves, effects and results read like sentences."""
    labels = subject.ruleset.labels
    for language in LANGUAGES:
        unfit = {**UNFIT, **_unfit_here(labels.tables[language], language)}
        for key, data in said(subject).values():
            if key not in labels.tables[language]:
                raise Breach(f"{key} is missing in {language}, for {data}")
            text = labels.text(key, language, **data)
            for what, pattern in unfit.items():
                if re.search(pattern, text):
                    raise Breach(f"{key} has {what} in {language}: {text!r}")


@law(
    Scope.RULESET,
    WORDS,
    "spell the word out: only short.* and board.*, for narrow columns, may be abbreviated",
)
def words_are_not_cut_short(subject: Subject) -> None:
    """Only labels for narrow columns have abbreviations."""
    for language, words in subject.ruleset.labels.tables.items():
        for key, text in words.items():
            if not key.startswith(COLUMNS) and (found := SHORT.search(text)):
                raise Breach(f"{key} has {found[0]!r} in {language}: {text!r}")


@law(Scope.RULESET, WORDS, "name a vocabulary in the template: {space:space}")
def places_go_by_their_names(subject: Subject) -> None:
    """Sentences contain the names of rows of the published tables, not their ids."""
    ids = {*_coded(subject.ruleset.data.tables)}
    for language, text in _sentences(subject, ("decision.", "move.", "effect.")):
        if found := ids.intersection(re.findall(r"\w+", text)):
            raise Breach(f"{[*found]} in {language}: {text!r}")


@law(Scope.RULESET, WORDS, "put the sentence in brackets: [{seat:seat} gains {amount:coin|coins}]")
def nothing_is_said_of_nothing(subject: Subject) -> None:
    """A log omits gains of 0, and uses singular and plural correctly."""
    for language, text in _sentences(subject, ("effect.",)):
        none_of, one_of_more = _miscounts(subject, language)
        if re.search(none_of, text):
            raise Breach(f"the log tells nothing in {language}: {text!r}")
        if re.search(one_of_more, text):
            raise Breach(f"the log counts many as one in {language}: {text!r}")


@law(Scope.RULESET, WORDS, "labels.json needs list.and, and list.and_i for the sound of an i")
def lists_have_the_word_for_and(subject: Subject) -> None:
    """Lists of several items have "and" before the last one."""
    for language, words in subject.ruleset.labels.tables.items():
        known = {words.get("list.and"), words.get("list.and_i")}
        for key, data in said(subject).values():
            listed = [
                name
                for name, value in data.items()
                if isinstance(value, list | dict) and len({*value}) > 1
                if f"{{{name}" in words[key]
            ]
            text = subject.ruleset.labels.text(key, language, **data)
            if listed and known.isdisjoint(text.split()):
                raise Breach(f"{listed} have no word for and in {language}: {text!r}")


@law(
    Scope.RULESET,
    END,
    "declare in Ruleset.scores what adds up to the score, and what breaks ties",
)
def results_are_told_in_order(subject: Subject) -> None:
    """A result lists the best seat first, and each score with its parts."""
    for spot in subject.positions():
        if spot.next is not None or not isinstance(subject.ruleset.turn(spot.state), GameOver):
            continue
        result = subject.ruleset.result(spot.state).to_json()
        scores = {one["side"]: one["score"] for one in result["standings"]}
        for language in LANGUAGES:
            told = told_standings(subject.ruleset, result, language, ())
            if [one.rank for one in told] != sorted(one.rank for one in told):
                raise Breach(f"{told} are not in the order of ranks")
            for one in told:
                parts = [part.value for part in one.parts]
                if sum(parts) != scores[one.side] or 0 in parts:
                    raise Breach(f"{one.parts} do not add up to {scores[one.side]}")
            for one, other in pairwise(told):
                tied = scores[one.side] == scores[other.side] and one.rank < other.rank
                if tied and not one.notes:
                    raise Breach(f"nothing says why {one.side} is before {other.side}")


@law(Scope.RULESET, WORDS, f"say the move in at most {MOVE_COLUMNS} columns")
def a_move_is_said_in_a_line(subject: Subject) -> None:
    """No move's label is longer than a line of a list in a terminal."""
    for key, data in said(subject).values():
        for language in LANGUAGES if key.startswith("move.") else ():
            text = subject.ruleset.labels.text(key, language, **data)
            if len(text) > MOVE_COLUMNS:
                raise Breach(f"{key} takes {len(text)} columns in {language}: {text!r}")


@law(Scope.RULESET, SEQUENCE, "the move's `says` names the effect that its label already tells")
def a_log_says_nothing_twice(subject: Subject) -> None:
    """An effect says more than the label of its move, unless the move lists the effect in ``says``.

    The effect says more if its text has a word that is neither in the label nor in the seat's name.
    """
    ruleset, text = subject.ruleset, subject.ruleset.labels.text
    for spot in subject.positions():
        event = spot.next
        if not isinstance(event, MoveEvent):
            continue
        key, data = event.move.label_in(spot.state, event.seat)
        label = text(key, "en", **data)
        left = [*event.move.says]
        if unknown := set(left) - set(ruleset.effect_types):
            raise Breach(f"{event.move.type} says {unknown}, which are no effects")
        for effect in reduced(ruleset, spot.state, event)[1]:
            if effect.type in left:
                left.remove(effect.type)
                continue
            line = text(f"effect.{effect.type}", "en", **effect.data)
            if not line:
                continue  # an effect whose text is empty has no line in the log
            mover = ruleset.labels.tables["en"].get(f"seat.{event.seat}", "")
            if _words_of(line) <= _words_of(f"{mover} {label}"):
                raise Breach(f"the log tells {label!r} and {line!r}")


@law(Scope.RULESET, SEQUENCE, "declare the effect, give it a word, and tell it to its audience")
def effects_are_what_they_are_declared(subject: Subject) -> None:
    """Each effect has a text and a declared type, and fits what the type declares.

    The type declares the values of the effect and its audience. Instead of the declared audience,
    an effect may have a single seat as its audience.
    """
    ruleset = subject.ruleset
    declared = {type_.type: type_ for type_ in getattr(ruleset, "effects", ())}
    for name, effects in effects_met(subject).items():
        if name not in ruleset.effect_types:
            raise Breach(f"the effect {name} is not declared")
        schema = declared[name].schema() if name in declared else {}
        validator = jsonschema_rs.validator_for(schema)
        for effect, seats in effects.values():
            each = {seat_audience(seat) for seat in all_seats(seats)}
            told = {declared[name].audience} if name in declared else {PUBLIC, NONE}
            if effect.audience not in told | each:
                raise Breach(f"{name} is told to {effect.audience!r}, and declared for {told}")
            if not validator.is_valid(effect.data):
                raise Breach(f"{name} tells {effect.data}, which does not fit {schema}")
            nothing = 0 in effect.data.values() or [] in effect.data.values()
            for language in LANGUAGES:
                text = ruleset.labels.text(f"effect.{name}", language, **effect.data)
                if not nothing and not text.strip():
                    raise Breach(f"{effect} says nothing in {language}")


@law(Scope.RULESET, SEQUENCE, UNMET)
def declared_effects_happen(subject: Subject) -> None:
    """Every declared effect happens in some game."""
    missing = set(subject.ruleset.effect_types) - effects_met(subject).keys()
    for effects in effects_of(subject.unlike_games()) if missing else ():
        missing -= {effect.type for effect in effects}
        if not missing:
            return
    if missing:
        raise Breach(f"no game that was looked at tells {sorted(missing)}")


@law(Scope.RULESET, "4. Moves", UNMET)
def move_types_are_legal_somewhere(subject: Subject) -> None:
    """Every type of move is legal in some game."""
    ruleset = subject.ruleset
    met = {
        type(move)
        for spot in subject.positions()
        for seat in all_seats(spot.table.seats)
        for move in ruleset.legal_moves(spot.state, seat)
    }
    if more := sorted(type_.type for type_ in met - set(ruleset.move_types)):
        raise Breach(f"{more} are legal, and not among the move_types")
    missing = set(ruleset.move_types) - met
    for game in subject.unlike_games() if missing else ():
        missing -= {type(event.move) for event in game.events if isinstance(event, MoveEvent)}
        if not missing:
            return
    if missing:
        raise Breach(f"in no game is {sorted(type_.type for type_ in missing)} legal")


# Texts


@cache
def effects_met(subject: Subject) -> dict[str, dict[bytes, tuple[Effect, int]]]:
    """Return each effect that occurs, with the number of seats at its table.

    The outer keys are the types of the effects. The inner keys are the JSON bytes of an effect's
    data and audience, so each effect is there once.
    """
    met: dict[str, dict[bytes, tuple[Effect, int]]] = {}
    for spot in subject.positions():
        if spot.next is not None:
            for effect in reduced(subject.ruleset, spot.state, spot.next)[1]:
                key = encode([effect.data, effect.audience])
                met.setdefault(effect.type, {})[key] = effect, spot.table.seats
    return met


def effects_of(games: Iterable[SampleGame]) -> Iterator[list[Effect]]:
    """Yield the effects of each game."""
    for game in games:
        state, log = game.table.initial(), EffectLog()
        for event in game.events:
            game.ruleset.reduce(state, event, log)
        yield log.effects


TextInstance = tuple[str, dict[str, Any]]
"""A key of a text, and the values for the placeholders of its template."""


@cache
def said(subject: Subject) -> dict[str, TextInstance]:
    """Return all texts of decisions, moves, effects and results in games of a ruleset."""
    met: dict[str, TextInstance] = {}
    ruleset = subject.ruleset

    def meet(key: str, data: dict[str, Any]) -> None:
        met.setdefault(f"{key} {data}", (key, data))

    for spot in subject.positions():
        turn = ruleset.turn(spot.state)
        if isinstance(turn, Decision):
            meet(f"decision.{turn.name}", {})
            for seat in turn.seats:
                for move in ruleset.legal_moves(spot.state, seat):
                    meet(*move.label())
                    meet(*move.label_in(spot.state, seat))
    for type_, effects in effects_met(subject).items():
        for effect, _seats in effects.values():
            meet(f"effect.{type_}", effect.data)
    return met


def placeholders(template: str) -> set[str]:
    """Return the placeholders of a template."""
    return {*re.findall(r"{(\w+)", template)}


def _sentences(subject: Subject, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the texts whose keys begin with one of ``kinds``, each with its language."""
    for key, data in said(subject).values():
        for language in LANGUAGES if key.startswith(kinds) else ():
            yield language, subject.ruleset.labels.text(key, language, **data)


@cache
def _miscounts(subject: Subject, language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return two patterns: for "0" before a plural, and for a larger number before a singular."""
    words = subject.ruleset.labels.tables[language]
    forms = re.findall(r"([^|{}:\n]+)\|([^|{}\n]+)", "\n".join(words.values()))
    many = "|".join({re.escape(form) for _one, form in forms}) or "-"
    one = "|".join({re.escape(form) for form, other in forms if not other.startswith(form)}) or "-"
    return re.compile(rf"\b0 (?:{many})\b"), re.compile(rf"\b(?:[2-9]|\d\d+) (?:{one})\b")


def _coded(value: object) -> Iterator[str]:
    """Yield the ids in a game's tables that no text should contain, such as b12 or salt_ship."""
    if isinstance(value, dict):
        id_ = value.get("id")
        if isinstance(id_, str) and re.search(r"_|\d", id_):
            yield id_
        value = [*value.values()]
    for each in value if isinstance(value, list) else ():
        yield from _coded(each)


def _unfit_here(words: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the patterns of texts that would be wrong in a game with these labels.

    The keys describe what is wrong.
    """
    found = {"one of many": rf"\b1 (?:{'|'.join(plurals(words)) or '-'})\b"}
    owners = [word for key, word in words.items() if key.startswith(("seat.", "side."))]
    if language == "en" and owners:
        names = "|".join(map(re.escape, owners))
        found["the pawn of Red for Red's pawn"] = rf"\b[Tt]he (?:\w+ ){{1,3}}of (?:{names})\b(?!')"
    return found


def plurals(words: Mapping[str, str]) -> set[str]:
    """Return words that cannot follow "1": the plural forms in templates, and plural names."""
    forms = re.findall(r"\|([^}]+)", " ".join(words.values()))
    named = [word for key, word in words.items() if not key.startswith(SENTENCES)]
    return {*forms, *re.findall(r"^\w+s\b", "\n".join(named), re.MULTILINE)} - SINGULAR


def _keys(ruleset: Ruleset[Any]) -> Iterator[str]:
    yield from (f"error.{code}" for code in ruleset.error_codes)
    yield from (f"option.{option.name}" for option in ruleset.info.options)
    yield from (f"reason.{reason}" for reason in ruleset.end_reasons)


def _words_of(text: str) -> set[str]:
    return {word[:3] for word in re.findall(r"\w+", text.lower())}
