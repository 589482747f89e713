"""The documents that each ruleset publishes, by the SHA-256 of their bytes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import digest
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board, first_game, picture, renderer, rules_text
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset

NAMES = BOARD, LABELS, RULES, RENDERER, PICTURE, FIRST_GAME = (
    "board", "labels", "rules", "renderer", "picture", "first_game",
)  # fmt: skip
JSON, MARKDOWN, SCRIPT = "application/json", "text/markdown", "text/javascript"
SVG = "image/svg+xml"


class Document(NamedTuple):
    """A document, and the hex SHA-256 of its body."""

    body: bytes
    media_type: str
    digest: str


Documents = Mapping[str, Mapping[str, Document]]
"""Documents by ruleset id, then by name: ``board``, ``labels``, ``renderer``, ``rules.en``."""


def published(registry: Registry) -> Documents:
    """Return all documents of the installed rulesets.

    They are read only when a service starts. So all its processes have the same documents, even if
    one process adds labels to a ruleset later because a game brings its own tables.
    """
    return {ruleset.info.id: dict(_documents(ruleset)) for ruleset in registry}


def rules_in(language: str) -> str:
    """Return the name of the document with the rules in a language."""
    return f"{RULES}.{language}"


def _documents(ruleset: Ruleset[Any]) -> Iterator[tuple[str, Document]]:
    if (drawn := board(ruleset)) is not None:
        yield BOARD, _document(orjson.dumps(drawn), JSON)
    if (script := renderer(ruleset)) is not None:
        yield RENDERER, _document(script, SCRIPT)
    if (drawing := picture(ruleset)) is not None:
        yield PICTURE, _document(drawing, SVG)
    if (steps := first_game(ruleset)) is not None:
        yield FIRST_GAME, _document(orjson.dumps(steps), JSON)
    yield LABELS, _document(orjson.dumps(ruleset.labels.tables), JSON)
    for language in LANGUAGES:
        if (text := rules_text(ruleset, language)) is not None:
            yield rules_in(language), _document(text.encode(), MARKDOWN)


def _document(body: bytes, media_type: str) -> Document:
    return Document(body, media_type, digest(body).hex())
