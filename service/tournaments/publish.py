"""A report in the forms that people take away: CSV, SVG and one HTML page of its own."""

import base64
import csv
import io
from importlib import resources

import jinja2
import orjson

from rules.kernel.canonical import JsonObject
from service.tournaments import plots

_PAGE = resources.files("service.tournaments").joinpath("report.html").read_text()
_JINJA = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
_COLUMNS = (
    "place", "entry", "bot", "games", "points", "points_per_game", "points_low", "points_high",
    "wins", "mean_score", "mean_rank", "rating_mu", "rating_sigma", "rating_low", "rating_high",
    "byes", "failures", "disqualified", "cpu_seconds",
)  # fmt: skip


def as_csv(report: JsonObject) -> str:
    """Return the table as CSV (RFC 4180), a row for each entry."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore")
    writer.writeheader()
    for row in report["table"]:
        writer.writerow(
            {
                **row,
                "points_low": _at(row["points_band"], 0),
                "points_high": _at(row["points_band"], 1),
                "mean_rank": mean_rank(row),
                "rating_mu": row["rating"]["mu"],
                "rating_sigma": row["rating"]["sigma"],
                "rating_low": _at(row["rating_band"], 0),
                "rating_high": _at(row["rating_band"], 1),
                "cpu_seconds": report["measured"]["cpu_seconds"][row["entry"]],
            }
        )
    return text.getvalue()


def as_html(report: JsonObject) -> str:
    """Return one page that needs nothing from anywhere."""
    return _JINJA.from_string(_PAGE).render(
        report=report,
        names=[entry["name"] for entry in report["plan"]["entries"]],
        plots=[_embedded(plots.ratings(report)), _embedded(plots.ranks(report))],
        mean_rank=mean_rank,
        settings=lambda value: orjson.dumps(value).decode(),
    )


def mean_rank(row: JsonObject) -> float | None:
    """Return the mean rank of an entry, None before its first game."""
    if not row["games"]:
        return None
    total: int = sum(rank * count for rank, count in enumerate(row["ranks"], 1))
    games: int = row["games"]
    return round(total / games, 4)


def _embedded(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _at(band: list[float] | None, index: int) -> float | None:
    return None if band is None else band[index]
