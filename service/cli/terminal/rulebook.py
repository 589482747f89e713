"""Explanations: the question, each choice, the rules, and how a game ended."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import published
from rules.kernel.contract.drawing import Line, Span, line, wrapped
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.scores import told_standings
from rules.kernel.contract.seats import Seat
from service.cli import words
from service.cli.terminal.tables import GameView
from service.cli.terminal.texts import say

_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


def without_anchors(text: str) -> str:
    """Return Markdown without its anchors."""
    return _ANCHOR.sub("", text)


def explained(ruleset: Ruleset[Any], language: str, position: GameView) -> list[str]:
    """Return parts of a help page as Markdown.

    They are the question, the meaning of each choice, and the section of the rules about the
    question.
    """
    if position.legal is None:
        found = [say(language, "not_asked")]
    else:
        groups = position.legal.groups
        choices = "\n".join(f"- **{group['label']}** – {group['help']}" for group in groups)
        found = [
            say(language, "asked_now", asked=f"**{position.asked}**"),
            f"## {say(language, 'your_choices')}\n\n{choices}",
        ]
    text = published.rules_text(ruleset, language)
    marks = [f"decision-{position.question}"] if position.question else []
    section = passage(text, marks) if text and marks else ""
    if section:
        found.append(f"## {say(language, 'of_the_rules')}\n\n{section}")
    return found


def sections(text: str) -> list[str]:
    """Split rules at their headings of the second level."""
    parts = re.split(r"(?m)^(?=## )", text)
    return [part for part in parts if part.strip()]


def passage(text: str, anchors: Sequence[str]) -> str:
    """Return the first section of the rules that has one of the anchors; empty if none has."""
    for part in re.split(r"(?m)^(?=#{2,4} )", text):
        if any(f'"{anchor}"' in part for anchor in anchors):
            return without_anchors(part)
    return ""


def result_lines(
    ruleset: Ruleset[Any],
    result: JsonObject,
    language: str,
    columns: int,
    resigned: Collection[Seat] | None = None,
) -> list[Line]:
    """Return why the game ended, and the standings with the parts of each score, winner first."""
    first = words.reason_text(ruleset, result, language)
    found: list[Line] = [*wrapped((Span(first, "strong"),), columns), ()]
    labels = ruleset.labels.tables[language]
    for standing in told_standings(ruleset, result, language, resigned):
        kind, _, which = standing.side.partition(":")
        seat = kind == "seat"
        who = (
            words.seat_text(ruleset, Seat(int(which)), language)
            if seat
            else labels.get(f"side.{which}", which)
        )
        found.append(
            line(
                f"{standing.rank}. ", Span(who, f"seat.{which}" if seat else "strong"), ": ",
                Span(standing.score, "strong"),
            )
        )  # fmt: skip
        parts = " · ".join(f"{part.label}: {part.value}" for part in standing.makeup)
        for told in filter(None, (parts, *standing.notes)):
            found += wrapped(line("   ", Span(told, "muted")), columns, 3)
        found.append(())
    return found
