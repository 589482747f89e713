"""Draws ``docs/thinking.svg``: what search gains by more nodes, with a panel for each game."""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from tools.levels import BUDGETS, Scores

WIDE, HIGH = 150, 200
"""The size of the plot in a panel, in units of the drawing."""
LEFT, TOP, GAP, FOOT = 44, 34, 18, 62
PAR = 0.5
TICKS = 0.0, 0.25, PAR, 0.75, 1.0
FRAME = 'role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="14"'
STYLE = """
.ground { fill: #ffffff } .field { fill: #f4f1ea } .grid { stroke: #ddd6c8 }
.par { stroke: #8a5a00; stroke-dasharray: 5 4 } .way, .error { stroke: #2f6b45; stroke-width: 2; fill: none }
.point { fill: #2f6b45 } text { fill: #26221b } .small { font-size: 12px } .mid { text-anchor: middle }
.end { text-anchor: end } .name { font-weight: 600 }
@media (prefers-color-scheme: dark) {
.ground { fill: #16181c } .field { fill: #1f2329 } .grid { stroke: #343a42 } .par { stroke: #e0ac4e }
.way, .error { stroke: #6fbf8b } .point { fill: #6fbf8b } text { fill: #ece7dc } }
"""  # noqa: E501 - a style sheet

Games = Mapping[str, Sequence[Scores | None]]


def thinking(games: Games) -> str:
    """Return the drawing; ``scores`` come from ``levels.thinking``."""
    wide, high = LEFT + len(games) * (WIDE + GAP), TOP + HIGH + FOOT
    told = "; ".join(_told(name, found) for name, found in games.items())
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" {FRAME}>',
        '<title id="t">Points of search against lookahead, by its nodes</title>',
        f'<desc id="d">{escape(told)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{wide}" height="{high}"/>',
        *(_text(LEFT - 8, _at(points) + 4, f"{points:g}", "small end") for points in TICKS),
    ]
    for number, (name, found) in enumerate(games.items()):
        drawn += _panel(LEFT + number * (WIDE + GAP), name, found)
    middle = (LEFT + wide - GAP) / 2
    drawn.append(_text(middle, high - 12, "nodes, as a multiple of its own", "small mid"))
    return "\n".join([*drawn, "</svg>", ""])


def _panel(left: int, name: str, found: Sequence[Scores | None]) -> Iterator[str]:
    yield f'<rect class="field" x="{left}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="4"/>'
    yield _text(left + WIDE / 2, TOP - 12, name, "name mid")
    for points in TICKS:
        at = _at(points)
        kind = "par" if points == PAR else "grid"
        yield f'<line class="{kind}" x1="{left}" x2="{left + WIDE}" y1="{at}" y2="{at}"/>'
    across = [left + (2 * place + 1) * WIDE / (2 * len(BUDGETS)) for place in range(len(BUDGETS))]
    for x, (times, of) in zip(across, BUDGETS.values(), strict=True):
        yield _text(x, TOP + HIGH + 20, f"{times / of:g}", "small mid")
    known = [(x, each) for x, each in zip(across, found, strict=True) if each is not None]
    way = " ".join(f"{x},{_at(each.points)}" for x, each in known)
    yield f'<polyline class="way" points="{way}"/>'
    for x, each in known:
        if each.error is not None:
            top, bottom = _at(each.points + each.error), _at(each.points - each.error)
            yield f'<line class="error" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>'
        yield f'<circle class="point" cx="{x}" cy="{_at(each.points)}" r="4"/>'


def _told(name: str, found: Sequence[Scores | None]) -> str:
    known = zip(BUDGETS, found, strict=True)
    return f"{name}: {', '.join(f'{budget} {each}' for budget, each in known if each)}"


def _at(points: float) -> float:
    """Return the vertical position of a score of ``points`` in a panel."""
    return round(TOP + HIGH * (1 - points), 1)


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'
