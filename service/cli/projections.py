"""``lonja projections``: rebuilds and checks data that are derived from games."""

import sys

import click
import orjson

from service.cli import common, console, parameters
from service.games.listing import GameList
from service.skill import proof
from service.skill.rated_games import RatedGame


@click.group("projections", short_help="Rebuild and check data that are derived from games.")
def command() -> None:
    """Rebuild and check data that are derived from games: lists, and ratings."""


@command.command("rebuild")
@parameters.json_option
def rebuild(*, as_json: bool) -> None:
    """Rebuild the lists of games and tournaments from the events, and then all ratings.

    The service may run meanwhile.
    """
    runtime = common.local_runtime(announce=False)
    rebuilt = GameList(runtime.redis, runtime.ledger).rebuild()
    with console.progress() as progress:
        games = sum(1 for _game_id in progress.track(rebuilt, description="Listing games"))
    runtime.player_ratings.count_again()
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask())
    runtime.ratings.count_again()
    runtime.ratings.catch_up()
    click.echo(orjson.dumps({"games": games}) if as_json else f"{games} games are listed again.")


@command.command("check")
@parameters.json_option
def check(*, as_json: bool) -> None:
    """Compute people's ratings from all rated games, and compare them with the stored ones.

    Once games have left the Redis, what each game did to ratings is in a file of this host, which
    is brought up to date and compared, too.

    The service may run meanwhile; games that ended in the last seconds are left out. The exit code
    is 1 if anything differs; `lonja projections rebuild` repairs it.
    """
    runtime = common.local_runtime(announce=False)
    runtime.ledger.store.past_lists.catch_up()
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask())
    # The ratings are read before the streams, so that the streams have the end of each counted
    # game.
    found = proof.stored(runtime.redis, runtime.host_rows)
    summaries = GameList(runtime.redis, runtime.ledger).ended_rated()
    with console.progress() as progress:
        tracked = progress.track(summaries, description="Folding rated games")
        games = [RatedGame.of(summary) for summary in tracked]
    differing = proof.differing(found, games)
    if as_json:
        click.echo(orjson.dumps({"rated_games": len(games), "differing": differing}))
    else:
        for name in differing:
            click.echo(f"{name} does not hold what the games say.")
        fate = "`lonja projections rebuild` puts it right" if differing else "as the games say"
        click.echo(f"{len(games)} rated games; people's ratings: {fate}.")
    if differing:
        sys.exit(1)
