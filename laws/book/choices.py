"""Laws of moves in groups: the groups contain all legal moves, and every choice has a label."""

from collections.abc import Iterator

from laws.games import Spot, Subject
from laws.law import Breach, Scope, law
from laws.standard import misfits
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.choices import grouped
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.seats import Seat, all_seats

MOVES = "4. Moves"
WORDS = "1. Data and words"


@law(
    Scope.POSITION,
    MOVES,
    "moves of one type differ in a field that is not a parameter, or a word is missing",
    version=2,
)
def groups_have_all_moves(spot: Spot) -> None:
    """The groups for choosing a move fit their schema, and expand to exactly the legal moves."""
    language = LANGUAGES[spot.number % 2]
    for seat in all_seats(spot.table.seats):
        legal = spot.ruleset.legal_moves(spot.state, seat)
        groups = groups_at(spot, seat, language)
        if told := misfits("groups", groups):
            raise Breach(f"the groups of seat {seat} do not fit their schema: {'; '.join(told)}")
        found = sorted(encode(move) for move in expanded(groups))
        if found != sorted(encode(move.to_json()) for move in legal):
            raise Breach(f"the groups of seat {seat} have other moves than its list")
        if [group["rank"] for group in groups] != [*range(1, len(groups) + 1)]:
            raise Breach(f"the groups of seat {seat} are not numbered from 1")
        if sum(group["count"] for group in groups) != len(legal):
            raise Breach(f"the groups of seat {seat} count other moves than its list")
        without_choice = [group["choices"] is None for group in groups]
        if without_choice != sorted(without_choice):
            raise Breach(f"of seat {seat}, groups without a choice stand before others")


@law(
    Scope.POSITION,
    WORDS,
    "labels.json lacks a word for a value: field.*, group.*, or its vocabulary",
)
def choices_have_words(spot: Spot) -> None:
    """All choices have words, without bare ids and unfilled templates."""
    if spot.game.seed > 1:
        return
    for seat in all_seats(spot.table.seats):
        for language in LANGUAGES:
            for group in groups_at(spot, seat, language):
                for text in (group["label"], group["help"], *labels(group["choices"])):
                    if not text.strip() or any(sign in text for sign in "{}[]_"):
                        raise Breach(f"in {language}, a choice of seat {seat} is called {text!r}")


@law(Scope.RULESET, WORDS, "labels.json needs help.TYPE, group.TYPE and field.NAME")
def types_and_fields_are_explained(subject: Subject) -> None:
    """Every type of move has a help text, and each of its fields has a question."""
    for language in LANGUAGES:
        words = subject.ruleset.labels.tables[language]
        for type_ in subject.ruleset.move_types:
            name, fields = type_.type, type_.schema()["properties"].keys() - {"type"}
            if not words.get(f"help.{name}", "").endswith("."):
                raise Breach(f"in {language}, help.{name} is missing, or is no sentence")
            if (f"group.{name}" in words) != bool(fields):
                told = "is missing" if fields else "names a move without fields"
                raise Breach(f"in {language}, group.{name} {told}")
            for field in sorted(fields):
                if not {f"field.{name}.{field}", f"field.{field}"} & words.keys():
                    raise Breach(f"in {language}, field.{field} is missing")


def expanded(groups: list[JsonObject]) -> list[JsonObject]:
    """Return the moves that the groups offer: one for each path through the choices."""
    return [{"type": group["type"], **way} for group in groups for way in ways(group["choices"])]


def ways(node: JsonObject | None) -> Iterator[JsonObject]:
    """Yield the fields of each path through a choice."""
    if node is None:
        yield {}
        return
    for choice in node["choices"]:
        for rest in ways(choice["then"] if "then" in choice else node["then"]):
            for field in values(node["field"], choice):
                yield {**field, **rest}


def values(name: str, choice: JsonObject) -> Iterator[JsonObject]:
    """Yield the value of a field for this choice: one value, or each number of a range."""
    if "min" in choice:
        numbers = range(choice["min"], choice["max"] + 1, choice["step"])
        yield from ({name: number} for number in numbers)
    else:
        yield {} if choice.get("omitted") else {name: choice["value"]}


def labels(node: JsonObject | None) -> Iterator[str]:
    """Yield all labels of a choice."""
    if node is not None:
        yield node["label"]
        for choice in node["choices"]:
            if "label" in choice:
                yield choice["label"]
            yield from labels(choice.get("then"))
        yield from labels(node.get("then"))


def groups_at(spot: Spot, seat: Seat, language: str) -> list[JsonObject]:
    """Return the groups of a seat's legal moves."""
    ruleset, legal = spot.ruleset, spot.ruleset.legal_moves(spot.state, seat)
    told = [move.label_in(spot.state, seat) for move in legal]
    texts = [ruleset.labels.text(key, language, **data) for key, data in told]
    return grouped(ruleset, spot.state, seat, legal, texts, language)
