"""Two plots as SVG: ratings over the games, and how often each entry came on which rank."""

import re

import pygal
from pygal.style import CleanStyle

from rules.kernel.canonical import JsonObject

_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
"""What pygal says of itself, with the day."""


def ratings(report: JsonObject) -> str:
    """Return the ratings over the games as SVG."""
    curve = report["rating_curve"]
    chart = pygal.XY(
        title="Ratings over the games", x_title="games", y_title="rating", show_dots=False, **_LOOK
    )
    for row in report["table"]:
        values = curve["ratings"][row["entry"]]
        chart.add(row["entry"], list(zip(curve["games"], values, strict=True)))
    return _svg(chart)


def ranks(report: JsonObject) -> str:
    """Return the distribution of ranks as SVG: for each entry, the share of each rank."""
    chart = pygal.HorizontalStackedBar(
        title="How often each came first, second, …", x_title="% of games", **_LOOK
    )
    rows = report["table"][::-1]  # the lowest bar comes first
    chart.x_labels = [row["entry"] for row in rows]
    for rank in range(report["plan"]["seats"]):
        shares = [
            100 * (row["ranks"][rank] if rank < len(row["ranks"]) else 0) / max(1, row["games"])
            for row in rows
        ]
        chart.add(f"rank {rank + 1}", shares)
    return _svg(chart)


_LOOK = {
    "style": CleanStyle(font_family="system-ui, sans-serif", background="transparent"),
    "js": [],  # nothing is fetched from anywhere
    "width": 800,
    "height": 420,
    "legend_at_bottom": True,
    "no_prefix": True,  # the same report, the same bytes
    "disable_xml_declaration": True,
    "formatter": lambda value: f"{value:.1f}" if isinstance(value, int | float) else str(value),
}


def _svg(chart: pygal.graph.graph.Graph) -> str:
    return _COMMENT.sub("", str(chart.render(is_unicode=True)))
