"""A tournament in the terminal: its table and its progress."""

from collections.abc import Iterator, Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import BLOCK_ABANDONED
from service.cli.console import Column, TextTable
from service.tournaments.plan import OF_GAME
from service.tournaments.report import WORTH_A_WARNING
from service.tournaments.report_formats import mean_rank
from service.tournaments.tournament import TRIES

_MINUTE, _HOUR = 60, 3600

_FIRST = (Column(""), Column("entry", text=True))
_OWNER = Column("owner", text=True, left_out=9)
_FIGURES = (
    Column("games"), Column("points"), Column("a game"),
    Column("95 %", left_out=8), Column("wins", left_out=3), Column("rank", left_out=4),
    Column("score", left_out=2), Column("Elo", left_out=6), Column("95 %", left_out=5),
    Column("failed", left_out=7), Column("CPU s", left_out=1),
)  # fmt: skip


def table(report: JsonObject) -> TextTable:
    """Return the table of a report; it has a column of owners if an entry has one."""
    rows: list[Sequence[str]] = []
    names = report.get("players", {})
    owned = any("owner" in row for row in report["table"])
    for row in report["table"]:
        rank = mean_rank(row)
        rows.append(
            (
                f"{row['place']}.",
                row["entry"] + (" (out)" if row["disqualified"] else ""),
                *([_owner(row, names)] if owned else []),
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
    return TextTable((*_FIRST, *((_OWNER,) if owned else ()), *_FIGURES), rows)


def _owner(row: JsonObject, names: JsonObject) -> str:
    """Return the owner of an entry, by name if the report has it; empty for bots of the service."""
    owner: str = row.get("owner", "")
    return str(names.get(owner) or owner)


def listed(tournaments: Sequence[JsonObject]) -> TextTable:
    """Return a table of summaries."""
    columns = (
        Column("id", whole=True),
        Column("name", text=True),
        Column("status"),
        Column("format", left_out=2),
        Column("ruleset", left_out=4),
        Column("seats", left_out=3),
        Column("entries", left_out=1),
        Column("games"),
    )
    rows = [
        (
            one["id"], one["name"], one["status"], one["plan"]["format"]["type"],
            one["plan"]["ruleset"], str(one["plan"]["seats"]), str(len(one["plan"]["entries"])),
            "{played}/{planned}".format(**one["games"]),
        )
        for one in tournaments
    ]  # fmt: skip
    return TextTable(columns, rows)


def seats(report: JsonObject) -> str:
    """Return the advantage of each seat, in one line."""
    told = ", ".join(
        f"seat {seat['seat']} {seat['points_per_game']:.3f}"
        + (f" ({_band(seat['band'], 3)})" if seat["band"] else "")
        for seat in report["seats"]
    )
    return f"Points a game by seat: {told}."


def luck(report: JsonObject) -> str:
    """Return a sentence on what had luck of its own: each block, or each game."""
    if report["plan"].get("luck") == OF_GAME:
        return (
            "Each game had luck of its own: no bot could gain by what it remembers of another."
            " Bands as narrow as with shared luck took 0.6 to 2.2 times as many games where"
            " that was measured."
        )
    return "The games of a block had the same luck."


def ladder(report: JsonObject) -> Iterator[str]:
    """Yield messages about an endless tournament: its parts, and who is better than whom."""
    if "ladder" not in report:
        return
    part, found = report["part"], report["ladder"]
    following = part["next"]
    more = f"; the next one is {following}." if following else "."
    yield f"This is part {part['number']}{more}"
    for entries in found["sets"]:
        if len(entries) > 1:
            yield f"Nobody can tell these apart yet: {', '.join(entries)}."
    new = [one["entry"] for one in found["entries"] if one["provisional"]]
    if new:
        few = f"fewer than {found['provisional_below']} games"
        yield f"These have {few}, so their ratings are provisional: {', '.join(new)}."


def is_given_up(report: JsonObject) -> bool:
    """Whether the service itself has paused a tournament, because a block could not be played."""
    return bool(report["status"] == "paused" and report["reason"] == BLOCK_ABANDONED)


def abandoned(report: JsonObject, url: str | None = None) -> Iterator[str]:
    """Yield messages about the tries that were abandoned, if there are any.

    A try is one attempt to play a block.
    """
    for one in report.get("abandoned", ()):
        name, share = one["entry"], one["share"]
        begin = "Warning: " if share > WORTH_A_WARNING else ""
        tries = "1 try was" if one["tries"] == 1 else f"{one['tries']} tries were"
        yield (
            f"{begin}{tries} abandoned and the block played again, for {name} was stopped through"
            f" no fault of its own: {share:.1%} of its blocks."
        )
    if is_given_up(report):
        yield (
            f"It is paused: {TRIES} tries at a block were abandoned. When the machine has time and"
            f" memory for it, {_command('resume', report['id'], url)} has it go on."
        )


ENDING = (
    "Stopping: the moves that are being thought about are finished, for 12 seconds at most; Ctrl-C"
    " again ends them at once. Either way nothing is lost, and nothing is half done."
)


def left(report: JsonObject, url: str | None, *, goes_on: bool) -> str:
    """Return a message on the state of an unwatched tournament, and on how to return to it."""
    if report["status"] in ("ended", "cancelled"):
        return "It is over."
    back = _command("watch", report["id"], url)
    if goes_on:
        return f"The service goes on with it; {back} comes back to it."
    return (
        f"It stands still, and nothing is lost; {back} goes on with it, and so does `lonja serve`."
    )


def unreported(tournament_id: str, url: str | None) -> str:
    """Return a message on a finished tournament whose report is not ready."""
    back = _command("show", tournament_id, url)
    return f"It is over, and nothing is lost; {back} draws its bands and tells how it ended."


def _command(verb: str, tournament_id: str, url: str | None) -> str:
    return f"`lonja tournament {verb} {tournament_id}{f' --url {url}' if url else ''}`"


def with_workers(found: JsonObject, workers: int) -> JsonObject:
    """Return an estimate for ``workers`` processes of this command; 0 leaves the service's."""
    if not workers or found["seconds"] is None:
        return found
    seconds = round(found["processor_seconds"] / workers, 1)
    return {**found, "workers": workers, "seconds": seconds}


def time_with(costs: JsonObject, seconds: float) -> str:
    """Return a duration in words, with the number of processes that take it."""
    count = costs["workers"]
    return f"{duration(seconds)} with {count} process{'es' * (count > 1)}"


def estimate(found: JsonObject) -> str:
    """Return the preview of a tournament, and what it would cost, in sentences."""
    plan, costs = found["plan"], found["estimate"]
    size = f"{found['games']:,} games of {plan['ruleset']} at most, {plan['seats']} seats"
    told = [f"{size}, in {found['blocks']:,} blocks."]
    if costs["processor_seconds"] is not None:
        spent = duration(costs["processor_seconds"])
        told.append(f"They take about {spent} of processor time")
        more = "" if costs["seconds"] is None else f": {time_with(costs, costs['seconds'])}"
        told[-1] += f"{more}."
    elif costs["unmeasured"]:
        told.append(f"How long these bots think is unknown: {', '.join(costs['unmeasured'])}.")
    if costs["stored_bytes"] is not None:
        told.append(f"They need about {costs['stored_bytes'] / 1e6:,.1f} MB of the store.")
    told.append(f"Points per game get bands of about {costs['band']:.3f} to each side, at most.")
    wanted = (f"{one['games']:,} games for {one['band']}" for one in costs["games_for_bands"])
    told.append(f"Other bands need other numbers: {', '.join(wanted)}.")
    return "\n".join(told)


def duration(seconds: float) -> str:
    """Return a duration in words, rounded as an estimate."""
    if seconds < _MINUTE:
        return f"{max(1, round(seconds))} s"
    if seconds < _HOUR:
        return f"{round(seconds / _MINUTE)} min"
    hours, rest = divmod(round(seconds / _MINUTE), 60)
    return f"{hours} h {rest:02d}"


def _band(band: list[float] | None, digits: int) -> str:
    return "" if band is None else f"{band[0]:.{digits}f} to {band[1]:.{digits}f}"
