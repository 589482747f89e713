"""Generates the tables and the plot of the documentation from the code.

    python -m tools.docs

A table stands between ``<!-- name: … -->`` and ``<!-- end -->``. A test fails if a table or the
plot is out of date.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import CounterMetricFamily

from laws.book import LAWS
from rules.kernel.contract import published
from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service import metrics, settings
from service.catalogue.bots import BOTS
from service.problems import CODES, MEMBER_MEANINGS, MEMBERS
from service.upkeep import gauges
from tools import levels, plot
from tools.judge import rows as judge
from tools.tuning import not_worse, search

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(ROOT / folder / "README.md" for folder in ("deploy", "tests")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PLOT = ROOT / "docs" / "thinking.svg"
COMMAND = "python -m tools.docs"
_TABLE = re.compile(rf"<!-- (\w+): {re.escape(COMMAND)} -->\n(.*?)<!-- end -->", re.DOTALL)


def settings_table() -> str:
    rows = [
        (f"`{row.name}`", f"`{row.default}`" if row.default else "", row.purpose, row.kind.expects)
        for row in settings.describe()
    ]
    return _table(("variable", "default", "purpose", "takes"), rows)


def laws_table() -> str:
    rows = [
        (f"`{law.name}`", str(law.version), law.says, law.advice, _heading(law.section))
        for law in LAWS.values()
    ]
    return _table(("law", "version", "says", "if it is broken", "in the guide"), rows)


def _heading(section: str) -> str:
    anchor = section.lower().replace(" ", "-").replace(".", "").replace(",", "")
    return f"[{section}](games.md#{anchor})"


def codes_table() -> str:
    by_status = sorted(CODES.items(), key=lambda item: (item[1].status, item[0]))
    rows = [
        (f"`{code}`", str(known.status), f"{known.title}.", known.advice, _members(code))
        for code, known in by_status
    ]
    return _table(("code", "status", "means", "do this", "has also"), rows)


def members_table() -> str:
    rows = [(f"`{member}`", meaning) for member, meaning in sorted(MEMBER_MEANINGS.items())]
    return _table(("member", "tells"), rows)


def metrics_table() -> str:
    """List the processes' metrics in the order of their module, then those of the store."""
    own = [found for found in vars(metrics).values() if isinstance(found, MetricWrapperBase)]
    rows = [
        (one._name, str(one._type), one._labelnames, one._documentation, "process") for one in own
    ]
    for one in gauges.FAMILIES:
        labels = () if one.label is None else (one.label,)
        kind = "counter" if one.type is CounterMetricFamily else "gauge"
        rows.append((one.name, kind, labels, one.help, "survey"))
    return _table(
        ("metric", "type", "labels", "means", "told by"),
        [
            (f"`{name}{'_total' * (kind == 'counter')}`", kind, _names(labels), means, who)
            for name, kind, labels, means, who in rows
        ],
    )


def bots_table() -> str:
    rows = [
        (str(bot.level), f"`{bot.name}`", bot.version, str(bot.decision_ms), f"`{bot.queue}`",
         ", ".join(f"`{name}` {value:,}" for name, value in bot.settings.items()))
        for bot in BOTS.values()
    ]  # fmt: skip
    return _table(("level", "bot", "version", "milliseconds", "queue", "settings"), rows)


def games_table() -> str:
    """List the settings of bots that differ in some games."""
    rows = [
        (ruleset.info.id, f"`{bot}`", ", ".join(f"`{name}` {own[name]:,}" for name in own))
        for ruleset in Registry(PACKAGES)
        for bot, own in published.bots(ruleset).items()
    ]
    return _table(("game", "bot", "settings"), rows)


def strength_table() -> str:
    return _table(levels.HEAD, levels.table())


def judge_table() -> str:
    return _table(judge.HEAD, judge.table())


def tuning_table() -> str:
    return _table(search.HEAD, search.table())


def not_worse_table() -> str:
    return _table(not_worse.HEAD, not_worse.table())


def thinking_table() -> str:
    rows = [
        (game, *("" if each is None else str(each) for each in found))
        for game, found in levels.thinking().items()
    ]
    return _table(levels.THINKING, rows)


def _members(code: str) -> str:
    return _names(MEMBERS.get(code, ()))


def _names(labels: Iterable[str]) -> str:
    return ", ".join(f"`{label}`" for label in labels)


TABLES = {
    "laws": laws_table,
    "settings": settings_table,
    "codes": codes_table,
    "members": members_table,
    "metrics": metrics_table,
    "bots": bots_table,
    "bots_games": games_table,
    "strength": strength_table,
    "judge": judge_table,
    "tuning": tuning_table,
    "not_worse": not_worse_table,
    "thinking": thinking_table,
}


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def tables(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each generated table of a page."""
    for found in _TABLE.finditer(page.read_text(encoding="utf-8")):
        yield found[1], found[2]


def rewritten(text: str) -> str:
    """Return a page with its tables regenerated."""
    return _TABLE.sub(
        lambda found: f"<!-- {found[1]}: {COMMAND} -->\n{TABLES[found[1]]()}<!-- end -->", text
    )


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text), encoding="utf-8")
    PLOT.write_text(plot.thinking(levels.thinking()), encoding="utf-8")


if __name__ == "__main__":
    main()
