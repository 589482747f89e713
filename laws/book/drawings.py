"""Laws of terminal drawings: no line is too long, and every seat appears."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rich.cells import cell_len

from laws.games import Spot
from laws.law import Breach, Scope, law
from rules.kernel.contract.drawing import NARROWEST, Drawing, Line, lines_of
from rules.kernel.contract.generic import unnamed
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.published import board
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat

WIDTHS = (NARROWEST, 78, 198)
STYLE = re.compile(r"(?:seat\.[0-4]|(?:side|tone)\.[a-z_0-9]+|strong|muted|marked)?")


@law(
    Scope.POSITION,
    "7. The end, and judgement",
    "break the line with rules.kernel.contract.drawing.wrapped",
)
def drawings_fit_a_terminal(spot: Spot) -> None:
    """A drawing has a heading and all seats, and no line is longer than the terminal."""
    viewers = spot.table.viewers
    for number, columns in enumerate(WIDTHS, spot.number):
        viewer, language = viewers[number % len(viewers)], LANGUAGES[number % 2]
        check_lines(drawn(spot, viewer, language, columns), columns)


@law(
    Scope.EVERY_POSITION,
    "7. The end, and judgement",
    "break the line with rules.kernel.contract.drawing.wrapped",
)
def narrow_drawings_fit_all_game_long(spot: Spot) -> None:
    """The spectators' drawing fits the narrowest terminal at every position of a game."""
    if spot.game.seed == 3 and spot.number % 3 == 0:
        check_lines(drawn(spot, None, "es", NARROWEST), NARROWEST)


@law(
    Scope.POSITION,
    "1. Data and words",
    "give labels.json the words that are named: where.* calls a member of the view",
)
def what_is_drawn_has_words(spot: Spot) -> None:
    """Each member and each id that a generic drawing shows has a word in both languages."""
    ruleset = spot.ruleset
    if draws_itself(ruleset):
        return
    view = ruleset.view(spot.state, spot.table.viewers[0])
    for language in LANGUAGES:
        if wanting := unnamed(view, ruleset.labels, ruleset.view_schema, language):
            raise Breach(f"in {language}, {wanting} are missing")


def draws_itself(ruleset: Ruleset[Any]) -> bool:
    """Whether a ruleset has both a drawing of its own for the terminal and a board for the page."""
    aids = getattr(ruleset, "aids", None)
    draws = type(ruleset).draw is not Ruleset.draw or hasattr(aids, "draw")
    return draws and board(ruleset) is not None


def drawn(spot: Spot, viewer: Seat | None, language: str, columns: int) -> Drawing:
    """Return the drawing of a position for a viewer."""
    ruleset = spot.ruleset
    return ruleset.draw(ruleset.view(spot.state, viewer), language, columns)


def check_lines(drawing: Drawing, columns: int) -> None:
    """Raise Breach unless each line fits into ``columns`` columns."""
    if not drawing.heading or not drawing.players:
        raise Breach("the drawing has no heading, or no players")
    titles = [part.title for part in drawing.parts]
    if not all(titles) or len(set(titles)) < len(titles):
        raise Breach(f"parts need titles of their own: {titles}")
    if re.search(r"\d", "".join(titles)):
        raise Breach(f"titles change with the game: {titles}")
    for part in drawing.parts:
        wanting = _places(part.lines) - _places(part.compact)
        if part.compact and wanting:
            raise Breach(f"the compact form of {part.title!r} lacks the places {sorted(wanting)}")
    for line in all_lines(drawing):
        text = "".join(span.text for span in line)
        if len(text) > columns:
            raise Breach(f"a line has {len(text)} columns, not {columns}: {text!r}")
        if cell_len(text) != len(text) or not text.isprintable():
            raise Breach(f"not every character is one column wide: {text!r}")
        if not all(STYLE.fullmatch(span.style) for span in line):
            raise Breach(f"there is no such style: {[span.style for span in line]}")


def all_lines(drawing: Drawing) -> Iterator[Line]:
    """Yield all lines of a drawing, including reference parts and the compact forms of parts."""
    yield from lines_of(drawing)
    for part in drawing.parts:
        yield from (*part.lines, *part.compact)


def _places(lines: Iterable[Line]) -> set[str]:
    return {span.place for spans in lines for span in spans if span.place}
