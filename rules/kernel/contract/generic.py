"""The drawing of any game's view, for rulesets that have none of their own.

It knows a game by its words alone: what a member of the view means is said by the sentence that the
view's schema has for it (``shown.<member>``). It is called by the word that the game has for it
elsewhere, as a place, a part of the score or an option; without one by its name in the view, which
is the same in all languages, and the sentence explains it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import Drawing, Line, Part, Span, line, wrapped
from rules.kernel.contract.labels import Labels

Words = Mapping[str, str]

_TITLE = {"en": "What is seen", "es": "Lo que se ve"}
_NAMING = ("where", "breakdown", "option")
"""Which words of a game may name a member."""
_PLAIN = (bool, int, str, type(None))
_AROUND = ("viewer", "phase")
"""What the heading says, or whoever shows the drawing."""


def draw(view: JsonObject, labels: Labels, language: str, columns: int) -> Drawing:
    """Return a drawing of any view: what each seat has, and all else with what it means."""
    words = labels.tables[language]
    seats = _by_seat(view)
    players = [
        row for seat, held in enumerate(seats) for row in _player(seat, held, words, columns)
    ]
    held = {name for each in seats for name in each}
    told = [
        row
        for name, value in view.items()
        if name not in _AROUND
        for row in _told(name, None if name in held else value, words, columns)
    ]
    phase = str(view.get("phase", ""))
    heading = line(words.get(f"decision.{phase}", _named(phase, words)))
    return Drawing(
        tuple(wrapped(heading, columns)), tuple(players), (Part(_TITLE[language], tuple(told)),)
    )


def _by_seat(view: JsonObject) -> list[JsonObject]:
    """Return what each seat has: of ``players``, or else of the longest lists of one length."""
    players = view.get("players")
    if isinstance(players, list):
        return players
    lists = {
        name: value
        for name, value in view.items()
        if isinstance(value, list) and all(isinstance(item, _PLAIN) for item in value)
    }
    lengths = Counter(len(value) for value in lists.values())
    count = max((length for length, lists_ in lengths.items() if lists_ > 1), default=0)
    each = {name: value for name, value in lists.items() if len(value) == count}
    return [{name: value[seat] for name, value in each.items()} for seat in range(count)]


def _player(seat: int, held: JsonObject, words: Words, columns: int) -> list[Line]:
    name = Span(words.get(f"seat.{seat}", str(seat)), f"seat.{seat}")
    said = " · ".join(f"{_named(key, words)} {_said(value, words)}" for key, value in held.items())
    return wrapped(line(name, f": {said}"), columns)


def _told(name: str, value: object, words: Words, columns: int) -> Iterator[Line]:
    """Say a value and what it means, or only that where each seat's line has the value."""
    shown = "" if value is None else f" {_said(value, words)}"
    yield from wrapped(line(Span(_named(name, words), "strong"), shown), columns)
    for sentence in wrapped(line(Span(words.get(f"shown.{name}", ""), "muted")), columns - 2, 0):
        yield line("  ", sentence)


def _named(name: str, words: Words) -> str:
    found = (words.get(f"{kind}.{name}") for kind in _NAMING)
    return next((word for word in found if word), name.replace("_", " "))


def _said(value: object, words: Words) -> str:
    if isinstance(value, bool):
        return "✓" if value else "–"
    if value is None:
        return "–"
    if isinstance(value, list):
        return f"({', '.join(_said(item, words) for item in value)})"
    if isinstance(value, dict):
        told = (f"{_named(key, words)} {_said(item, words)}" for key, item in value.items())
        return f"({', '.join(told)})"
    return str(value)
