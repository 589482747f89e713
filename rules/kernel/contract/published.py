"""Files that a game publishes beside its code, such as its board and its rules as text.

``table.json`` in this folder has the schemas of what clients show and choose from, and
docs/api/table.md explains them. ``aids/board.json`` has the board's geometry, pieces, colours and
names of icons. ``aids/board.js`` is a script that draws the board in a browser, better than the
generic board does; it is built from ``aids/board.tsx``. ``aids/picture.svg`` is a picture of the
board, for lists of games. ``aids/about.json`` says in a sentence what the game is about, how long
it takes and how heavy it is. ``aids/first_game.json`` has the steps of a first game that is led by
the hand. ``aids/bots.json`` has settings of bots for this game, ``aids/strength.json`` says how
strong they are in it, ``aids/leads.json`` has the factors that turn the heuristic's leads into
points, and ``aids/costs.json`` how long games of bots are and how long bots think. ``RULES.md`` has
the rules in English, ``RULES.es.md`` in Spanish. In the rules, each explanation of a question or a
type of move follows an anchor: ``decision-<name>`` or ``move-<type>``.
"""

from functools import cache
from importlib import resources
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Ruleset

TABLE_VERSION = 1
"""The version of the standard that docs/api/table.md defines."""


def table_schema() -> JsonObject:
    """Return a JSON Schema (2020-12); its ``$defs`` describe a table's documents and answers."""
    schema: JsonObject = orjson.loads(
        resources.files("rules.kernel.contract").joinpath("table.json").read_bytes()
    )
    return schema


def schema_of(name: str) -> JsonObject:
    """Return the schema of one document or answer: ``board``, ``labels``, ``view`` and so on."""
    return {**table_schema(), "$ref": f"#/$defs/{name}"}


def board(ruleset: Ruleset[Any]) -> JsonObject | None:
    """Return the board of a ruleset; None if it has none."""
    written = _read(ruleset, "aids/board.json")
    return None if written is None else orjson.loads(written)


def bots(ruleset: Ruleset[Any]) -> JsonObject:
    """Return the special settings of bots for this game. The keys are the names of the bots."""
    return _aid(package_of(ruleset), "bots")


def strength(ruleset: Ruleset[Any]) -> JsonObject:
    """Return the measured strength of each bot in this game, by the bot's name.

    Each has ``against``, the name of a weaker bot on all other seats; ``seats``; ``games``, their
    number; and ``points``, the share of opponents that were ranked behind the bot.
    """
    return _aid(package_of(ruleset), "strength")


def leads(ruleset: Ruleset[Any]) -> JsonObject:
    """Return the factors that convert leads by the heuristic into points.

    ``leads(ruleset)[seats][source]`` is a list of three factors in thousandths: for the first, the
    second and the last third of a game. ``seats`` is the number of seats, as a string. ``source``
    is ``analysis`` for the leads of an analysis, and ``thoughts`` for the leads that bots record
    with their moves.
    """
    return _aid(package_of(ruleset), "leads")


def about(ruleset: Ruleset[Any]) -> JsonObject:
    """Return the description of the game; any member may be missing.

    ``text`` is a sentence by language. ``minutes`` is a list of two numbers: how long a game with
    people takes at least and at most. ``weight`` says how much there is to learn and to think
    about, from 1 (very light) to 5 (very heavy).
    """
    return _aid(package_of(ruleset), "about")


def costs(ruleset: Ruleset[Any]) -> JsonObject:
    """Return the lengths of bots' games, and the processor times of bots' decisions.

    ``lengths[seats]`` has the mean numbers of ``decisions`` and ``events`` of a game; ``seats`` is
    the number of seats, as a string. ``milliseconds[bot]`` is the mean processor time of a decision
    of a bot with its usual settings, and of what the rules make of it. Both are empty for a ruleset
    that was not measured.
    """
    return _aid(package_of(ruleset), "costs")


@cache
def _aid(package: str, name: str) -> JsonObject:
    file = resources.files(package).joinpath(f"aids/{name}.json")
    return orjson.loads(file.read_bytes()) if file.is_file() else {}


def first_game(ruleset: Ruleset[Any]) -> JsonObject | None:
    """Return the steps that lead a newcomer through a first game; None if there are none.

    Its schema is ``first_game`` in ``table.json``, and docs/games.md explains it.
    """
    written = _read(ruleset, "aids/first_game.json")
    return None if written is None else orjson.loads(written)


def renderer(ruleset: Ruleset[Any]) -> bytes | None:
    """Return the script that draws the board in a browser; None if the generic script draws it."""
    return _read(ruleset, "aids/board.js")


def picture(ruleset: Ruleset[Any]) -> bytes | None:
    """Return a picture of the board as SVG; None if there is none."""
    return _read(ruleset, "aids/picture.svg")


def rules_text(ruleset: Ruleset[Any], language: str) -> str | None:
    """Return the rules in one language as Markdown; None if there are none."""
    suffix = "" if language == LANGUAGES[0] else f".{language}"
    written = _read(ruleset, f"RULES{suffix}.md")
    return None if written is None else written.decode()


def package_of(ruleset: Ruleset[Any]) -> str:
    """Return the name of a ruleset's package."""
    return type(ruleset).__module__.removesuffix(".ruleset")


def _read(ruleset: Ruleset[Any], name: str) -> bytes | None:
    file = resources.files(package_of(ruleset)).joinpath(name)
    return file.read_bytes() if file.is_file() else None
