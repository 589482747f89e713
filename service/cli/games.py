"""``lonja games``: the games of a service, newest first."""

from collections.abc import Mapping, Sequence
from itertools import islice

import click
import orjson
from lonja_client import Client, GameSummary

from service.cli import completing, console, parameters, words
from service.cli.common import Failure
from service.cli.console import Column, TextTable
from service.cli.remote import failures, service_at
from service.cli.words import word

MOST = 10_000
PAGE = 100
"""Maximum number of games that a service lists at once."""
STATUSES = ("lobby", "closed", "running", "ended", "aborted", "suspended")
ME = "me"


@click.command("games", short_help="List the games of a service.")
@parameters.service_option
@parameters.key_option
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="Only games of this ruleset.",
)
@click.option(
    "--status", type=parameters.NearestChoice(STATUSES), help="Only games with this status."
)
@click.option("--player", metavar="PLAYER", help="Only games of the player with this id.")
@click.option("--mine", is_flag=True, help="Only your own games, private ones too.")
@click.option("--asked", is_flag=True, help="Only games that wait for your move.")
@click.option("--tag", metavar="TAG", help="Only public tables with this tag.")
@click.option("--from", "opened_from", metavar="TIME", help="Only tables opened since this time.")
@click.option("--to", "opened_to", metavar="TIME", help="Only tables opened before this time.")
@parameters.limit_option(MOST)
@parameters.json_option
@parameters.language_option
def command(
    url: str,
    key: str | None,
    ruleset: str | None,
    status: str | None,
    player: str | None,
    tag: str | None,
    opened_from: str | None,
    opened_to: str | None,
    limit: int,
    language: str,
    *,
    mine: bool,
    asked: bool,
    as_json: bool,
) -> None:
    """List the games of the service at URL, newest first.

    A time is written as the service writes it: 2026-11-27T09:00:00Z. Games that were aborted before
    their start are listed only with `--status aborted`. `lonja watch` follows a game.

    With --json, `more` says whether there are more games than were asked for.
    """
    if (mine or asked) and key is None:
        raise Failure("Nobody knows whose games --mine and --asked are: say it with --key.")
    if mine and player not in (None, ME):
        raise Failure(f"Choose one of --mine and --player {player}.")
    filters: dict[str, object] = {
        "ruleset": ruleset, "status": status, "player": ME if mine else player, "tag": tag,
        "from": opened_from, "to": opened_to, "asked": asked or None,
        "limit": min(limit + 1, PAGE),
    }  # fmt: skip
    with service_at(url, key, language=language) as service, failures(service):
        found = [*islice(service.games(**filters), limit + 1)]
        titles = {} if as_json or not found else _titles(service)
    shown, more = found[:limit], len(found) > limit
    if as_json:
        click.echo(orjson.dumps({"games": shown, "more": more}))
        return
    if not shown:
        click.echo(word(language, "no_games"))
        return
    console.show(_table(shown, titles, language))
    if more:
        click.echo(word(language, "more_games", limit=limit))


def _titles(service: Client) -> Mapping[str, str]:
    """Return the titles of the service's rulesets in the client's language."""
    return {
        one["id"]: one["titles"].get(service.language, one["title"]) for one in service.rulesets()
    }


def _table(games: Sequence[GameSummary], titles: Mapping[str, str], language: str) -> TextTable:
    heads = {name: word(language, f"head.{name}") for name in ("game", "status", "at", "players")}
    columns = (
        Column("id", whole=True),
        Column(heads["game"], text=True),
        Column(heads["status"], text=True, left_out=3),
        Column(heads["at"], text=True, left_out=1),
        Column(heads["players"], text=True, left_out=2),
    )
    rows = [
        (
            game["id"],
            titles.get(game["ruleset"], game["ruleset"]),
            word(language, f"status.{game['status']}"),
            game["created_at"][:16].replace("T", " "),
            ", ".join(words.holder_text(seat, language) for seat in game["seats"]),
        )
        for game in games
    ]
    return TextTable(columns, rows)
