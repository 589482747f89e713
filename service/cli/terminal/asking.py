"""The line that shows a question: the seat, the decision, the picks so far, and the time left."""

import math
import time
from typing import Any

from rules.kernel.contract.drawing import Line, Span, line
from rules.kernel.contract.ruleset import Ruleset
from service.cli import words
from service.cli.terminal.choosing import MoveChoice, path
from service.cli.terminal.tables import GameView
from service.cli.terminal.texts import say

HURRY_SECONDS, LAST_SECONDS = 3600, 30
"""Seconds below which the remaining time is shown, and below which it is emphasised."""


def picks_line(
    ruleset: Ruleset[Any],
    language: str,
    position: GameView,
    choosing: MoveChoice,
    counted: str,
    *,
    asks: bool,
) -> Line:
    """Return the line that shows the picks so far, and the time left.

    ``counted`` is a text that counts the choices; it is empty if all of them are on the screen. If
    ``asks`` is true, the line begins with the seat and its question.
    """
    seat = position.seat
    steps = path(position.asked, choosing, choosing.step())
    told = Span(" › ".join(steps if asks else ["", *steps[1:]]), "strong")
    count = Span(f"  {counted}", "muted") if counted else ""
    left = time_left(language, position.until)
    if len(steps) == 1 and not asks:
        return line(count, left)
    who = (
        line(Span(words.seat_text(ruleset, seat, language), f"seat.{seat}"), ": ")
        if (asks and seat is not None)
        else line()
    )
    back = Span(f"  Esc {say(language, 'key_back')}", "muted") if choosing.picks else ""
    return line(who, told, count, left, back)


def time_left(language: str, until: float | None) -> Line:
    """Return the time left for the decision if it is short, emphasised near the end.

    ``until`` is the deadline by ``time.monotonic``; None if there is none.
    """
    left = HURRY_SECONDS if until is None else max(0, math.ceil(until - time.monotonic()))
    if left >= HURRY_SECONDS:
        return ()
    told = say(language, "time_left", time=f"{left // 60}:{left % 60:02}")
    return line("  ", Span(told, "strong" if left <= LAST_SECONDS else "muted"))
