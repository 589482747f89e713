"""``lonja tournament enter``: an owner enters a bot account."""

import time
from urllib.parse import quote

import click
import orjson

from service.cli import console, parameters
from service.cli.remote import failures, service_at

LOOK_SECONDS = 1.0
"""Interval at which the command looks whether the validation game is over."""


@click.command("enter", short_help="Enter a bot account of yours.")
@click.argument("tournament")
@click.argument("bot")
@click.option("--name", metavar="NAME", help="The entry's name; the bot's, if left out.")
@parameters.service_option
@parameters.key_option
@parameters.json_option
def enter(
    tournament: str, bot: str, name: str | None, url: str, key: str | None, *, as_json: bool
) -> None:
    """Enter BOT, a bot account of yours by its id, in TOURNAMENT, which is open for entries.

    The bot has to listen for questions. It plays a validation game first, and this command waits
    until that is over.
    """
    asked = {"player": bot} if name is None else {"player": bot, "name": name}
    path = f"/tournaments/{quote(tournament, safe='')}/entries"
    said = ""
    with service_at(url, key) as service:
        while True:
            with failures(service):
                told = service.post(path, asked)
            if told["status"] == "entered":
                break
            if told["game_id"] != said:
                said = told["game_id"]
                console.say(f"{bot} plays its validation game {said}.", err=True)
            time.sleep(LOOK_SECONDS)
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        click.echo(f"{bot} is entry {told['entry']} of {tournament}.")
