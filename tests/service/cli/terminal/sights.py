"""What of a decision stands on the screen: the question, the choices and the board."""

import re
from collections.abc import Iterator, Sequence

from rules.kernel.contract.choices import grouped
from rules.kernel.contract.drawing import Drawing, Line, Part, text_of
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from service.cli import words
from service.cli.terminal.choosing import LegalMoves, MoveChoice, Option
from service.cli.terminal.common import common_words

_BLANK = re.compile(r"[\s\[\]›•▁-█▔▕▎▊─|/\\·░]+")
"""Characters between the words of a text on a screen: blanks, marks, scrollbars, lines of a map."""
_COUNT = re.compile(r"(\d+) (?:of|de) (\d+) ↓")


def options(game: Game, seat: Seat, language: str) -> Iterator[Sequence[Option]]:
    """Yield the choices of a seat's decision as they may be listed at first: whole, or in steps."""
    ruleset = game.ruleset
    moves = ruleset.legal_moves(game.state, seat)
    texts = [words.move_text(ruleset, move, language, game.state, seat) for move in moves]
    groups = grouped(ruleset, game.state, seat, moves, texts, language)
    choosing = MoveChoice(LegalMoves([move.to_json() for move in moves], texts, groups))
    for always in (False, True):
        choosing.ask_in_steps(always=always)
        yield choosing.step().options


def missing(
    game: Game, seat: Seat, language: str, drawing: Drawing, screen: Sequence[str]
) -> Iterator[str]:
    """Yield what one has to decide without: parts of question, choices and board."""
    shown = squashed("".join(screen))
    asked = words.decision_text(game.ruleset, game.question, language)
    if squashed(asked) not in shown:
        yield f"the question {asked!r}"
    whole, in_steps = ([*_hidden(listed, screen)] for listed in options(game, seat, language))
    if whole and in_steps:
        yield from whole
    part = turned_to(drawing, screen)
    if part is None:
        yield "a part of the board"
    elif not any(_whole((*part.lines, *part.compact), screen)):
        yield f"the board: {part.title}"


def _hidden(listed: Sequence[Option], screen: Sequence[str]) -> Iterator[str]:
    """Yield the choices of a list that are neither on the screen nor counted there."""
    shown = squashed("".join(screen))
    common = common_words([one.label for one in listed])
    said_once = common is not None and squashed(common.said) in shown
    texts = common.rest if common is not None and said_once else {}
    unseen = [one.label for one in listed if squashed(texts.get(one.label, one.label)) not in shown]
    counted = _COUNT.search(" ".join(" ".join(screen).split()))
    if unseen and counted is None:
        yield f"{len(unseen)} of {len(listed)} choices, uncounted: {unseen}"
    elif unseen and counted is not None:
        seen, count = map(int, counted.groups())
        if count != len(listed) or seen > len(listed) - len(unseen):
            yield f"the right count of choices: {counted[0]}, but {len(unseen)} are not there"


def turned_to(drawing: Drawing, screen: Sequence[str]) -> Part | None:
    """Return the part of the board that the screen shows."""
    tabs = "\n".join(screen)
    return next((part for part in drawing.parts if f"[{part.title}]" in tabs), None)


def unseen(part: Part, screen: Sequence[str]) -> list[str]:
    """Return the lines of a part, or of its compact form, that are not on the screen."""
    found = []
    for lines in filter(None, (part.lines, part.compact)):
        there = _whole(lines, screen)
        found.append([text_of(one) for one, seen in zip(lines, there, strict=True) if not seen])
    return min(found, key=len)


def _whole(lines: Sequence[Line], screen: Sequence[str]) -> list[bool]:
    shown = [squashed(one) for one in screen]
    return [any(squashed(text_of(line)) in one for one in shown) for line in lines]


def squashed(text: str) -> str:
    """Return a text without blanks, marks and scrollbars."""
    return _BLANK.sub("", text)
