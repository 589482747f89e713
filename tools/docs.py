"""Generates what the documentation has from the code: tables, reference pages and plots.

    python -m tools.docs

A table stands between ``<!-- name: … -->`` and ``<!-- end -->``. A test fails if a table or a plot
is out of date.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from laws.book import LAWS
from rules.kernel.contract import published
from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.problems import CODES, MEMBER_MEANINGS, MEMBERS
from tools import levels, numbers, plot, reference
from tools.judge import rows as judge
from tools.tuning import not_worse, search

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(ROOT / folder / "README.md" for folder in ("deploy", "tests")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
COMMAND = "python -m tools.docs"
_TABLE = re.compile(rf"<!-- (\w+): {re.escape(COMMAND)} -->\n(.*?)<!-- end -->", re.DOTALL)


def laws_table() -> str:
    rows = [
        (f"`{law.name}`", str(law.version), law.says, law.advice, _heading(law.section))
        for law in LAWS.values()
    ]
    return reference.table(("law", "version", "says", "if it is broken", "in the guide"), rows)


def _heading(section: str) -> str:
    anchor = section.lower().replace(" ", "-").replace(".", "").replace(",", "")
    return f"[{section}](games.md#{anchor})"


def codes_table() -> str:
    by_status = sorted(CODES.items(), key=lambda item: (item[1].status, item[0]))
    rows = [
        (f"`{code}`", str(known.status), f"{known.title}.", known.advice, _members(code))
        for code, known in by_status
    ]
    return reference.table(("code", "status", "means", "do this", "has also"), rows)


def members_table() -> str:
    rows = [(f"`{member}`", meaning) for member, meaning in sorted(MEMBER_MEANINGS.items())]
    return reference.table(("member", "tells"), rows)


def bots_table() -> str:
    rows = [
        (str(bot.level), f"`{bot.name}`", bot.version, str(bot.decision_ms), f"`{bot.queue}`",
         ", ".join(f"`{name}` {value:,}" for name, value in bot.settings.items()))
        for bot in BOTS.values()
    ]  # fmt: skip
    return reference.table(("level", "bot", "version", "milliseconds", "queue", "settings"), rows)


def games_table() -> str:
    """List the games in which bots have other settings than usual, with these settings."""
    rows = [
        (ruleset.info.id, f"`{bot}`", ", ".join(f"`{name}` {own[name]:,}" for name in own))
        for ruleset in Registry(PACKAGES)
        for bot, own in published.bots(ruleset).items()
    ]
    return reference.table(("game", "bot", "settings"), rows)


def strength_table() -> str:
    return reference.table(levels.HEAD, levels.table())


def judge_table() -> str:
    return reference.table(judge.HEAD, judge.table())


def tuning_table() -> str:
    return reference.table(search.HEAD, search.table())


def not_worse_table() -> str:
    return reference.table(not_worse.HEAD, not_worse.table())


def thinking_table() -> str:
    rows = [
        (game, *("" if each is None else str(each) for each in found))
        for game, found in levels.thinking().items()
    ]
    return reference.table(levels.THINKING, rows)


def numbers_table() -> str:
    return reference.table(numbers.HEAD, numbers.table())


def _members(code: str) -> str:
    return reference.names(MEMBERS.get(code, ()))


TABLES = {
    "laws": laws_table,
    "settings": reference.settings,
    "process_metrics": reference.process_metrics,
    "survey_metrics": reference.survey_metrics,
    "game_events": reference.game_events,
    "tournament_events": reference.tournament_events,
    "stream_messages": reference.stream_messages,
    "notice_messages": reference.notice_messages,
    "webhook_messages": reference.webhook_messages,
    "commands": reference.commands,
    "codes": codes_table,
    "members": members_table,
    "bots": bots_table,
    "bots_games": games_table,
    "strength": strength_table,
    "judge": judge_table,
    "tuning": tuning_table,
    "not_worse": not_worse_table,
    "thinking": thinking_table,
    "numbers": numbers_table,
}


def tables(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each generated table of a page."""
    for found in _TABLE.finditer(page.read_text(encoding="utf-8")):
        yield found[1], found[2]


def rewritten(text: str) -> str:
    """Return a page with its tables regenerated."""
    return _TABLE.sub(
        lambda found: f"<!-- {found[1]}: {COMMAND} -->\n{TABLES[found[1]]()}<!-- end -->", text
    )


def plots() -> dict[Path, str]:
    """Return the plots by the files in which they are."""
    return {
        ROOT / "docs" / "thinking.svg": plot.thinking(levels.thinking()),
        numbers.PLOT: numbers.plot(numbers.figures()),
    }


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text), encoding="utf-8")
    for path, made in {**plots(), **levels.measured()}.items():
        path.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
