"""A tournament in the terminal: its table, and how far it is."""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from service.terminal import printable
from service.tournaments.publish import mean_rank

_MINUTE, _HOUR = 60, 3600


def table(report: JsonObject) -> str:
    """Return the table as lines of text."""
    head = (
        "", "entry", "games", "points", "a game", "95 %", "wins", "rank", "score", "Elo", "95 %",
        "failed", "CPU s",
    )  # fmt: skip
    rows: list[Sequence[str]] = [head]
    for row in report["table"]:
        rank = mean_rank(row)
        rows.append(
            (
                f"{row['place']}.",
                row["entry"] + (" (out)" if row["disqualified"] else ""),
                str(row["games"]),
                f"{row['points']:.1f}",
                f"{row['points_per_game']:.3f}",
                _band(row["points_band"], 3),
                f"{row['wins']:.1f}",
                "" if rank is None else f"{rank:.2f}",
                f"{row['mean_score']:.1f}",
                "" if row["elo"] is None else f"{row['elo']:.0f}",
                _band(row["elo_band"], 0),
                str(row["failures"]),
                f"{report['measured']['cpu_seconds'][row['entry']]:.1f}",
            )
        )
    return aligned(rows)


def seats(report: JsonObject) -> str:
    """Return what each seat is worth, in one line."""
    told = ", ".join(
        f"seat {seat['seat']} {seat['points_per_game']:.3f}"
        + (f" ({_band(seat['band'], 3)})" if seat["band"] else "")
        for seat in report["seats"]
    )
    return f"Points a game by seat: {told}."


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows with their columns aligned: the first two to the left, others to the right."""
    rows = [[printable(text) for text in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.ljust(width) if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """Return a time in words that are as exact as such a guess can be."""
    if seconds < _MINUTE:
        return f"{max(1, round(seconds))} s"
    if seconds < _HOUR:
        return f"{round(seconds / _MINUTE)} min"
    hours, rest = divmod(round(seconds / _MINUTE), 60)
    return f"{hours} h {rest:02d}"


def _band(band: list[float] | None, digits: int) -> str:
    return "" if band is None else f"{band[0]:.{digits}f} to {band[1]:.{digits}f}"
