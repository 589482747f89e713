"""The figures of docs/numbers.md: the data file, and the table and the plot of the page.

    python -m tools.numbers [REPORT]

It adds the figures of a report of ``make bench`` (``var/bench.json``) to ``docs/numbers.json``, and
makes table and plot again. A test fails if these do not follow from the committed data.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import click
import orjson

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "numbers.json"
PLOT = ROOT / "docs" / "numbers.svg"
HEAD = ("what", "bound", "measured")
RUNS = 5
"""Maximum number of runs whose figures are kept."""
_DIGITS = 3
_WIDE, _LEFT, _TOP, _ROW = 900, 480, 40, 28
_MOST = 64
"""The largest reserve that the plot shows; larger ones are drawn at its edge."""
_LINE = 70
"""Maximum number of characters in a line of text beside the plot."""
_FRAME = 'role="img" aria-labelledby="t d" font-family="system-ui, sans-serif"'
_STYLE = """
.ground { fill: #ffffff } .field { fill: #f4f1ea } .grid { stroke: #ddd6c8 }
.par { stroke: #8a5a00 } .reach { stroke: #2f6b45; stroke-width: 2 }
.kept { fill: #2f6b45 } .missed { fill: #b3261e }
text { fill: #26221b; font-size: 12px } .mid { text-anchor: middle } .end { text-anchor: end }
@media (prefers-color-scheme: dark) {
.ground { fill: #16181c } .field { fill: #1f2329 } .grid { stroke: #343a42 }
.par { stroke: #e0ac4e } .reach { stroke: #6fbf8b } .kept { fill: #6fbf8b }
.missed { fill: #f2867b } text { fill: #ece7dc } }
"""


class Figure(NamedTuple):
    """A figure, its bound ("at most 4"; "" for none), and its values, the newest run first."""

    name: str
    bound: str
    values: tuple[float, ...]

    @property
    def reserves(self) -> list[float]:
        """How many times better than the bound each value is; a value below 1 misses the bound."""
        kind, _, number = self.bound.rpartition(" ")
        bound = float(number.replace(",", ""))
        return [value / bound if kind == "at least" else bound / value for value in self.values]

    @property
    def measured(self) -> str:
        """The newest value, and the range of the other values."""
        newest, *others = map(_spelt, self.values)
        if not others:
            return newest
        low, high = _spelt(min(self.values[1:])), _spelt(max(self.values[1:]))
        return f"{newest}, in other runs {low}" + (f" to {high}" if high != low else "")


def figures() -> list[Figure]:
    """Return the committed figures."""
    rows = orjson.loads(DATA.read_bytes())
    return [Figure(row["name"], row["bound"], tuple(row["values"])) for row in rows]


def table() -> list[tuple[str, str, str]]:
    """Return the rows of the page's table."""
    return [(each.name, each.bound or "none", each.measured) for each in figures()]


def plot(known: Iterable[Figure]) -> str:
    """Return a drawing that shows how many times better than its bound each figure is.

    Figures whose names differ only in the game, after a colon, are in one row.
    """
    bounded = (each for each in known if each.bound)
    rows = [
        (stem if len(found) > 1 else found[0].name, found)
        for stem, found in ((stem, [*each]) for stem, each in groupby(bounded, _stem))
    ]
    high, wide = _TOP + _ROW * len(rows) + 30, _WIDE - _LEFT - 20
    told = "; ".join(
        f"{name}: {', '.join(_spelt(each.reserves[0]) for each in found)}" for name, found in rows
    )
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" {_FRAME}>',
        '<title id="t">How many times better than its bound each figure is</title>',
        f'<desc id="d">{escape(told)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDE}" height="{high}"/>',
        f'<rect class="field" x="{_LEFT}" y="{_TOP}" width="{wide}" height="{_ROW * len(rows)}"/>',
    ]
    for times in (0.5, 1, 2, 4, 8, 16, 32, _MOST):
        x, kind = _at(times), "par" if times == 1 else "grid"
        drawn.append(f'<line class="{kind}" x1="{x}" x2="{x}" y1="{_TOP}" y2="{high - 30}"/>')
        drawn.append(f'<text class="mid" x="{x}" y="{_TOP - 8}">{times:g}</text>')
    for number, (name, found) in enumerate(rows):
        drawn += _drawn(name, found, _TOP + _ROW * (number + 0.5))
    foot = "times better than the bound; left of 1, the bound is missed"
    drawn.append(f'<text class="end" x="{_WIDE - 20}" y="{high - 10}">{foot}</text>')
    return "\n".join([*drawn, "</svg>", ""])


def _drawn(name: str, found: Sequence[Figure], y: float) -> Iterator[str]:
    lines = _wrapped(name.replace("`", ""))
    for number, line in enumerate(lines):
        at = y + 4 + 13 * (number - (len(lines) - 1) / 2)
        yield f'<text class="end" x="{_LEFT - 10}" y="{at:g}">{escape(line)}</text>'
    for each in found:
        across = [_at(reserve) for reserve in each.reserves]
        if len(across) > 1:
            yield (
                f'<line class="reach" x1="{min(across)}" x2="{max(across)}" y1="{y:g}" y2="{y:g}"/>'
            )
        kind = "kept" if each.reserves[0] >= 1 else "missed"
        yield f'<circle class="{kind}" cx="{across[0]}" cy="{y:g}" r="4"/>'


def _stem(figure: Figure) -> str:
    return figure.name.rpartition(": ")[0] or figure.name


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _at(times: float) -> float:
    """Return the horizontal position of a reserve, on a logarithmic scale that begins at ½."""
    share = math.log2(min(max(times, 0.5), _MOST) / 0.5) / math.log2(_MOST / 0.5)
    return round(_LEFT + share * (_WIDE - _LEFT - 20), 1)


def _spelt(value: float) -> str:
    return f"{value:.{_DIGITS}g}"


def add(rows: Iterable[tuple[str, str, float]]) -> None:
    """Add the names, bounds and values of a run to the data; figures that the run lacks stay."""
    known = {each.name: each for each in figures()}
    for name, bound, value in rows:
        before = known[name].values if name in known else ()
        known[name] = Figure(name, bound, (float(_spelt(value)), *before)[:RUNS])
    lines = [orjson.dumps(each._asdict()).decode() for each in known.values()]
    DATA.write_text("[\n  " + ",\n  ".join(lines) + "\n]\n", encoding="utf-8")


@click.command()
@click.argument("report", type=click.Path(path_type=Path, exists=True), default="var/bench.json")
def main(report: Path) -> None:
    """Add the figures in a REPORT of `make bench` to the page of numbers."""
    from tools import docs  # noqa: PLC0415 - it imports this module

    found = orjson.loads(report.read_bytes())["rows"]
    add((row["name"], row["bound"], row["value"]) for row in found)
    docs.main()


if __name__ == "__main__":
    main()
