"""Writes the tables of the documentation that follow from the code.

    python -m tests.docs

A table stands between ``<!-- name: … -->`` and ``<!-- end -->``; a test compares it.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from service import settings
from service.problems import CODES

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "deploy/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
COMMAND = "python -m tests.docs"
_TABLE = re.compile(rf"<!-- (\w+): {re.escape(COMMAND)} -->\n(.*?)<!-- end -->", re.DOTALL)


def settings_table() -> str:
    rows = [
        (f"`{row.name}`", f"`{row.default}`" if row.default else "", row.purpose, row.kind.expects)
        for row in settings.describe()
    ]
    return _table(("variable", "default", "purpose", "takes"), rows)


def codes_table() -> str:
    rows = [
        (str(known.status), f"`{code}`", f"{known.title}.", known.advice)
        for code, known in sorted(CODES.items(), key=lambda item: (item[1].status, item[0]))
    ]
    return _table(("status", "code", "means", "do this"), rows)


TABLES = {"settings": settings_table, "codes": codes_table}


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def tables(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each generated table of a page, and the table as it stands there."""
    for found in _TABLE.finditer(page.read_text(encoding="utf-8")):
        yield found[1], found[2]


def rewritten(text: str) -> str:
    """Return a page with its tables as the code says."""
    return _TABLE.sub(
        lambda found: f"<!-- {found[1]}: {COMMAND} -->\n{TABLES[found[1]]()}<!-- end -->", text
    )


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text), encoding="utf-8")


if __name__ == "__main__":
    main()
