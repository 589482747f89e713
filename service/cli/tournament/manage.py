"""The commands for tournaments that exist: ``lonja tournament list``, ``show`` and others."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import orjson
from rich.progress import Progress

from rules.kernel.canonical import JsonObject
from service.cli import common, completing, console, parameters
from service.cli.tournament import outputs, words
from service.cli.tournament.hosts import Host
from service.cli.tournament.run import host_of
from service.process.terminal import printable
from service.tournaments.formats import FORMATS
from service.tournaments.listing import TournamentFilter


@click.command("list", short_help="List tournaments, newest first.")
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="Only tournaments of this ruleset.",
)
@click.option(
    "--format",
    "format_",
    type=parameters.NearestChoice(FORMATS),
    help="Only tournaments of this format; the ladders are `endless`.",
)
@click.option("--running", is_flag=True, help="Only tournaments that are not over.")
@parameters.limit_option(100)
@parameters.url_option
@parameters.key_option
@parameters.json_option
def list_(
    ruleset: str | None,
    format_: str | None,
    limit: int,
    url: str | None,
    key: str | None,
    *,
    running: bool,
    as_json: bool,
) -> None:
    """List tournaments, newest first."""
    wanted = TournamentFilter(False if running else None, ruleset, None, format_)
    with host_of(url, key, None) as (host, _workers):
        found = host.newest(limit, wanted)
    if as_json:
        click.echo(orjson.dumps({"tournaments": found}))
        return
    if found:
        console.show(words.listed(found))
    else:
        such = "" if wanted == TournamentFilter() else "such "
        click.echo(f"There are no {such}tournaments.")


@click.command("show", short_help="Show the standings of a tournament.")
@click.argument("tournament")
@parameters.url_option
@parameters.key_option
@parameters.json_option
def show(tournament: str, url: str | None, key: str | None, *, as_json: bool) -> None:
    """Show the standings of TOURNAMENT."""
    with host_of(url, key, None) as (host, _workers):
        found = host.report(tournament, wait=True)
    if as_json:
        click.echo(orjson.dumps(found))
        return
    console.show(words.table(found))
    click.echo(words.seats(found))
    click.echo(words.luck(found))
    games = found["games"]
    click.echo(f"{found['id']}: {games['played']} of {games['planned']} games, {found['status']}.")
    for line in (*words.ladder(found), *words.abandoned(found, url)):
        console.say(line)
    if found["as_of"]["version"] < found["version"]:
        click.echo(f"The figures are as of {found['as_of']['at'] or 'its beginning'}.")
    if found["waits_for"]:
        click.echo(f"It waits: {found['waits_for']}.")
    if origin := found["imported"]:
        click.echo(
            printable(
                f"It was held elsewhere, and imported by {origin['by']} at {origin['at']}; its"
                f" record is signed with the key {origin['public_key']}."
            )
        )


@click.command("start", short_help="Start with the entries that there are.")
@click.argument("tournament")
@parameters.url_option
@parameters.key_option
@parameters.json_option
def start(tournament: str, url: str | None, key: str | None, *, as_json: bool) -> None:
    """Start TOURNAMENT, which is open for entries of owners, with the entries that it has."""
    with host_of(url, key, None) as (host, _workers):
        _said(host.act(tournament, "start", {}), as_json=as_json)


@click.command("pause", short_help="Begin no more blocks.")
@click.argument("tournament")
@parameters.url_option
@parameters.key_option
@parameters.json_option
def pause(tournament: str, url: str | None, key: str | None, *, as_json: bool) -> None:
    """Pause TOURNAMENT: no more blocks begin; blocks already in play are played to their end."""
    with host_of(url, key, None) as (host, _workers):
        _said(host.act(tournament, "pause", {}), as_json=as_json)


@click.command("resume", short_help="Go on after a pause.")
@click.argument("tournament")
@parameters.url_option
@parameters.key_option
@parameters.json_option
def resume(tournament: str, url: str | None, key: str | None, *, as_json: bool) -> None:
    """Resume TOURNAMENT after a pause."""
    with host_of(url, key, None) as (host, _workers):
        _said(host.act(tournament, "resume", {}), as_json=as_json)


@click.command("cancel", short_help="End a tournament for good.")
@click.argument("tournament")
@click.option(
    "--reason",
    default="cancelled",
    show_default=True,
    metavar="TEXT",
    help="The reason, for the tournament's log.",
)
@parameters.url_option
@parameters.key_option
@parameters.json_option
def cancel(
    tournament: str, reason: str, url: str | None, key: str | None, *, as_json: bool
) -> None:
    """End TOURNAMENT for good; finished games stay."""
    with host_of(url, key, None) as (host, _workers):
        _said(host.act(tournament, "cancel", {"reason": reason}), as_json=as_json)


@click.command("extend", short_help="Ask for more games.")
@click.argument("tournament")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    required=True,
    metavar="N",
    help="The number of games to add.",
)
@parameters.url_option
@parameters.key_option
@parameters.json_option
def extend(tournament: str, games: int, url: str | None, key: str | None, *, as_json: bool) -> None:
    """Extend TOURNAMENT, which must be running, by more games."""
    with host_of(url, key, None) as (host, _workers):
        _said(host.act(tournament, "extend", {"games": games}), as_json=as_json)


@click.command("withdraw", short_help="Take an entry out.")
@click.argument("tournament")
@click.argument("entry")
@parameters.url_option
@parameters.key_option
@parameters.json_option
def withdraw(
    tournament: str, entry: str, url: str | None, key: str | None, *, as_json: bool
) -> None:
    """Withdraw ENTRY, by its name in the table, from TOURNAMENT, in which the others play on.

    Its finished blocks stay; its other blocks do not count.
    """
    with host_of(url, key, None) as (host, _workers):
        found = host.report(tournament, wait=False)
        names = [each["name"] for each in found["plan"]["entries"]]
        if entry not in names:
            raise common.Failure(
                f"There is no entry {entry!r}; there are {', '.join(names)}."
                f"{common.did_you_mean(entry, names)}"
            )
        _said(host.act(tournament, "withdraw", {"entry": names.index(entry)}), as_json=as_json)


@click.command("export", short_help="Write a tournament's record, or its report.")
@click.argument("tournament")
@outputs.output_option
@parameters.url_option
@parameters.key_option
def export(tournament: str, outputs_: tuple[Path, ...], url: str | None, key: str | None) -> None:
    """Export the record of TOURNAMENT and all its games, for `lonja verify`.

    The suffix of an output file decides what is written: the record (.ndjson, .ndjson.gz), the
    report (.json, .csv, .html, .ratings.svg, .ranks.svg), or a table of all games (.games.csv).
    """
    if not outputs_:
        raise common.Failure("Name a file: --output tournament.ndjson.gz.")
    with host_of(url, key, None) as (host, _workers):
        found = host.report(tournament, wait=True)
        for path in outputs_:
            with console.progress() as progress:
                lines = partial(_record, host, tournament, progress, str(path))
                outputs.write(path, found, lines, partial(host.games, tournament))
            told = f"{path}: {found['games']['played']} games, {found['status']}."
            click.echo(told, err=common.is_stdout(path))


def _record(host: Host, tournament: str, progress: Progress, label: str) -> Iterator[JsonObject]:
    """Yield the record, and show how many of its games are written."""
    games = progress.add_task(label, total=None)
    for line in host.record(tournament):
        if "report" in line:
            progress.update(games, total=line["games"])
        elif "export" in line:
            progress.advance(games)
        yield line


def _said(found: JsonObject, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(found))
        return
    click.echo(f"{found['id']} is {found['status']}: {found['games']['played']} games played.")


COMMANDS = (list_, show, start, pause, resume, cancel, extend, withdraw, export)
