"""Laws of first games: what a newcomer is told is there, in all languages.

A first game is optional; without one these laws demand nothing.
"""

from collections.abc import Iterator

from laws.games import Subject
from laws.law import Breach, Scope, law
from laws.standard import misfits
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board, first_game

TEACHING = "6. What each viewer knows"


@law(Scope.RULESET, TEACHING, "correct aids/first_game.json")
def first_games_fit_their_schema(subject: Subject) -> None:
    """A first game has at most twelve steps, each told in all languages, and can be opened."""
    ruleset, document = subject.ruleset, first_game(subject.ruleset)
    if document is None:
        return
    if told := misfits("first_game", document):
        raise Breach("; ".join(told))
    for number, step in enumerate(document["steps"], start=1):
        if missing := {*LANGUAGES} ^ step["text"].keys():
            raise Breach(f"step {number} is told in other languages: {sorted(missing)}")
    try:
        ruleset.parse_options(document["seats"], document.get("options", {}))
    except BadOptions as error:
        raise Breach(f"it cannot be opened: {error}") from None


@law(Scope.RULESET, TEACHING, "name places, pieces, questions and moves as the game does")
def first_games_name_what_is_there(subject: Subject) -> None:
    """Everything that a step of a first game points to or waits for exists."""
    ruleset, document = subject.ruleset, first_game(subject.ruleset)
    if document is None:
        return
    questions = {
        key.removeprefix("decision.")
        for key in ruleset.labels.tables["en"]
        if key.startswith("decision.")
    }
    types = {type_.type for type_ in ruleset.move_types}
    known = {*_elements(board(ruleset) or {}), "question", "numbers", "log"}
    for number, step in enumerate(document["steps"], start=1):
        if unknown := sorted({*step["at"]} - known):
            raise Breach(f"step {number} points to {unknown}, which is not on the board")
        if step.get("question") not in {None, *questions}:
            raise Breach(f"step {number} waits for the question {step['question']!r}")
        if unknown := sorted({*step.get("moves", ())} - types):
            raise Breach(f"step {number} waits for the moves {unknown}")


def _elements(whole: JsonObject) -> Iterator[str]:
    """Yield the references of all places and types of pieces on a board and its mats."""
    mat = whole.get("mat", {})
    yield from (f"place:{key}" for key in whole.get("places", ()))
    yield from (f"mat:{key}" for key in mat.get("places", ()))
    yield from (f"piece:{key}" for sheet in (whole, mat) for key in sheet.get("pieces", ()))
