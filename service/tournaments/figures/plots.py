"""Two plots as SVG: ratings over the games, and each entry's distribution of ranks.

The same report gives the same bytes, and the SVG is self-contained.
"""

from collections.abc import Sequence
from html import escape

from rules.kernel.canonical import JsonObject
from service.tournaments.figures.ratings import ELO_MIDDLE

COLOURS = (
    "#3867b0", "#d98026", "#4d9650", "#b34a4a", "#7d5ba6", "#8a6d3b", "#c860a0", "#6b7785",
    "#a5a52a", "#2a9aa5",
)  # fmt: skip
WIDTH, LEFT, RIGHT, TOP = 800, 130, 20, 46
PLOT_HEIGHT, LEGEND_ROW, LEGEND_COLUMNS = 300, 20, 4
BAR, GAP = 24, 8
_STEPS = (1, 2, 5)


def ratings(report: JsonObject) -> str:
    """Return the ratings over the games as SVG, on Elo's scale; unrated entries have no line."""
    curve = report["rating_curve"]
    names = [row["entry"] for row in report["table"]]
    values = [elo for name in names for elo in curve["elo"][name] if elo is not None]
    low, high = min(values, default=ELO_MIDDLE) - 10, max(values, default=ELO_MIDDLE) + 10
    last: int = max([1, *curve["games"]])

    def x(games: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * games / last

    def y(elo: float) -> float:
        return TOP + PLOT_HEIGHT * (high - elo) / (high - low)

    parts = [_text(WIDTH / 2, 24, "Elo ratings over the games", size=17, anchor="middle")]
    for tick in _ticks(low, high, 6):
        parts.append(_line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "#d5dae0"))
        parts.append(_text(LEFT - 8, y(tick) + 4, f"{tick:g}", anchor="end"))
    parts += [
        _text(x(tick), TOP + PLOT_HEIGHT + 18, f"{tick:g}", anchor="middle")
        for tick in _ticks(0, last, 8)
    ]
    parts.append(_text(WIDTH / 2, TOP + PLOT_HEIGHT + 38, "games", anchor="middle"))
    for index, name in enumerate(names):
        points = " ".join(
            f"{x(games):.1f},{y(elo):.1f}"
            for games, elo in zip(curve["games"], curve["elo"][name], strict=True)
            if elo is not None
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{_colour(index)}" stroke-width="2"/>'
        )
    legend_top = TOP + PLOT_HEIGHT + 62
    return _svg([*parts, *_legend(names, legend_top)], legend_top + _legend_height(names))


def ranks(report: JsonObject) -> str:
    """Return the distribution of ranks as SVG.

    Each entry has a bar, and each bar has a segment for each rank.
    """
    rows, seats = report["table"], report["plan"]["seats"]
    parts = [_text(WIDTH / 2, 24, "Share of each rank, in %", size=17, anchor="middle")]
    bottom = TOP + len(rows) * (BAR + GAP)
    width = WIDTH - LEFT - RIGHT
    for index, row in enumerate(rows):
        top = TOP + index * (BAR + GAP)
        parts.append(_text(LEFT - 8, top + BAR / 2 + 4, row["entry"], anchor="end"))
        left = float(LEFT)
        for rank, count in enumerate(row["ranks"]):
            share = count / max(1, row["games"])
            parts.append(
                f'<rect x="{left:.1f}" y="{top}" width="{width * share:.1f}" height="{BAR}"'
                f' fill="{_colour(rank)}"><title>{100 * share:.1f} %</title></rect>'
            )
            left += width * share
    for tick in range(0, 101, 20):
        at = LEFT + width * tick / 100
        parts.append(_text(at, bottom + 14, str(tick), anchor="middle"))
    names = [f"rank {rank + 1}" for rank in range(seats)]
    legend_top = bottom + 36
    return _svg([*parts, *_legend(names, legend_top)], legend_top + _legend_height(names))


def _legend(names: Sequence[str], top: float) -> list[str]:
    parts = []
    for index, name in enumerate(names):
        row, column = divmod(index, LEGEND_COLUMNS)
        x = LEFT + column * (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS
        y = top + row * LEGEND_ROW
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="12" height="12" fill="{_colour(index)}"/>'
        )
        parts.append(_text(x + 18, y, name))
    return parts


def _legend_height(names: Sequence[str]) -> int:
    return LEGEND_ROW * -(-len(names) // LEGEND_COLUMNS)


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from ``low`` to ``high``, ``most`` at most."""
    scale = 1.0
    while True:
        for step in _STEPS:
            if (high - low) / (step * scale) <= most:
                first = -(-low // (step * scale))
                ticks = []
                while (tick := first * step * scale) <= high:
                    ticks.append(tick + 0.0)  # turns minus zero into zero
                    first += 1
                return ticks
        scale *= 10


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _text(x: float, y: float, text: str, *, size: int = 12, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _svg(parts: Sequence[str], height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}"'
        f' width="{WIDTH}" height="{height:.0f}" font-family="system-ui, sans-serif"'
        f' fill="#1c2733"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
