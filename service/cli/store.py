"""``lonja store``: the servers that hold the events."""

import dataclasses

import click
import orjson
from redis.exceptions import RedisError

from service import redis_urls
from service.cli import common, parameters
from service.cli.common import Failure
from service.process import logs
from service.redis.binary import bundled_path
from service.upkeep.switching import NotSwitchedError, switch


@click.group("store", short_help="Change the primary, and find the path of Valkey.")
def command() -> None:
    """Manage the servers that hold the events."""


@command.command("switch")
@parameters.json_option
def switch_primary(*, as_json: bool) -> None:
    """Make a replica the primary, without losing acknowledged events.

    Run it before you stop the primary to upgrade it or its machine. REDIS_URL must name the
    sentinels. Writes fail for a second or two: meanwhile the answer to a move is 503, and clients
    repeat the move.
    """
    found = common.load_settings()
    logs.configure(dataclasses.replace(found, log_level="error"))
    sentinels = redis_urls.sentinels(found.redis_url or "")
    if sentinels is None:
        raise Failure("REDIS_URL names no sentinels, so there is no primary to change.")
    try:
        done = switch(sentinels)
    except NotSwitchedError as error:
        raise Failure(f"The primary was not changed: {error}.") from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    if as_json:
        click.echo(orjson.dumps(done._asdict()))
        return
    how = "by a coordinated failover" if done.coordinated else "while writes waited"
    click.echo(f"{done.now} is the primary, as {done.before} was: {how}, in {done.seconds:.1f} s.")


@command.command("path")
def path() -> None:
    """Print the path of Lonja's own Valkey, for further servers and sentinels."""
    found = bundled_path()
    if found is None:
        raise Failure(
            "No server comes with Lonja for this machine: install valkey-server, or redis-server"
            " 7.0 or newer."
        )
    click.echo(found)
