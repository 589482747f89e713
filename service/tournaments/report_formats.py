"""Report files: CSV, SVG and a self-contained HTML page."""

import base64
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

import jinja2
import orjson

from rules.kernel.canonical import JsonObject
from service.tournaments.figures import plots
from service.tournaments.figures.points import points
from service.tournaments.report import WORTH_A_WARNING

_PAGE = resources.files("service.tournaments").joinpath("report.html").read_text()
_JINJA = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
_COLUMNS = (
    "place", "entry", "bot", "games", "points", "points_per_game", "points_low", "points_high",
    "wins", "mean_score", "mean_rank", "rating", "rating_low", "rating_high", "elo",
    "elo_low", "elo_high", "byes", "failures", "disqualified", "cpu_seconds",
)  # fmt: skip
_GAME_COLUMNS = (
    "block", "rotation", "game", "counts", "seat", "entry", "bot", "rank", "score", "points",
    "failures",
)  # fmt: skip


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters at which spreadsheets see a formula (OWASP, CSV Injection), full-width ones too."""


def as_csv(report: JsonObject) -> str:
    """Return the table as CSV (RFC 4180), a row for each entry."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore")
    writer.writeheader()
    for row in report["table"]:
        writer.writerow(
            {
                **{name: _cell(value) for name, value in row.items()},
                "points_low": _at(row["points_band"], 0),
                "points_high": _at(row["points_band"], 1),
                "mean_rank": mean_rank(row),
                "rating_low": _at(row["rating_band"], 0),
                "rating_high": _at(row["rating_band"], 1),
                "elo_low": _at(row["elo_band"], 0),
                "elo_high": _at(row["elo_band"], 1),
                "cpu_seconds": report["measured"]["cpu_seconds"][row["entry"]],
            }
        )
    return text.getvalue()


def games_as_csv(games: Iterable[JsonObject], plan: JsonObject) -> Iterator[str]:
    """Yield games (``games.listed``) as lines of CSV: a row for each seat of each played game.

    ``plan`` is the tournament's, as JSON.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_GAME_COLUMNS)
    entries = {
        entry["name"]: (_cell(entry["name"]), _cell(f"{entry['bot']}@{entry['version']}"))
        for entry in plan["entries"]
    }
    for game in games:
        if (result := game["result"]) is not None:
            writer.writerows(_rows_of(game, result, entries, plan["points"]))
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _rows_of(
    game: JsonObject, result: JsonObject, entries: Mapping[str, tuple[str, str]], scheme: str
) -> Iterator[Sequence[Any]]:
    """Yield the row of each seat.

    ``entries`` maps the name of an entry to a pair of two cells: its name and its bot.
    """
    won = _printed_points(tuple(result["ranks"]), scheme)
    failed = [seat for seat, _decision, _reason in result["failures"]]
    for seat, name in enumerate(game["seating"]):
        yield (
            game["block"], game["rotation"], game["id"], game["counts"], seat, *entries[name],
            result["ranks"][seat], result["scores"][seat], won[seat], failed.count(seat),
        )  # fmt: skip


@lru_cache(4096)
def _printed_points(ranks: tuple[int, ...], scheme: str) -> list[float]:
    return [round(float(won), 4) for won in points(ranks, scheme)]


def _cell(value: Any) -> Any:
    """Return a cell's value; a name that looks like a formula is escaped."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def as_html(report: JsonObject) -> str:
    """Return a report as a self-contained page."""
    return _JINJA.from_string(_PAGE).render(
        report=report,
        names=[entry["name"] for entry in report["plan"]["entries"]],
        plots=[_embedded(plots.ratings(report)), _embedded(plots.ranks(report))],
        mean_rank=mean_rank,
        worth_a_warning=WORTH_A_WARNING,
        settings=lambda value: orjson.dumps(value).decode(),
    )


def mean_rank(row: JsonObject) -> float | None:
    """Return an entry's mean rank; None before its first game."""
    if not row["games"]:
        return None
    total: int = sum(rank * count for rank, count in enumerate(row["ranks"], 1))
    games: int = row["games"]
    return round(total / games, 4)


def _embedded(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _at(band: list[float] | None, index: int) -> float | None:
    return None if band is None else band[index]
