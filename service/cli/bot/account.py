"""``lonja bot account``: the bot accounts of a player."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import orjson
from lonja_client import BotAccount, Client

from rules.kernel.canonical import JsonObject
from service.cli import console, parameters
from service.cli.common import Failure
from service.cli.console import Column, TextTable
from service.cli.remote import failures, service_at

_OWN = "/players/me/bots"
_DASH = Path("-")


_bot = click.argument("bot_id", metavar="BOT")
_author = click.option("--author", metavar="NAME", help="Who wrote the bot.")
_page = click.option("--page", metavar="URL", help="A page about the bot.")
_concurrency = click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Questions it answers at once."
)
_new_key_file = click.option(
    "--new-key-file",
    "key_file",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    required=True,
    help="A new file for the bot's key; - prints the key instead.",
)


def _version(*, required: bool) -> Callable[[Any], Any]:
    return click.option(
        "--version",
        metavar="NAME",
        required=required,
        help="The name of its version; it may have two new ones a day.",
    )


def _takes(*, required: bool) -> Callable[[Any], Any]:
    return click.option(
        "--takes",
        type=parameters.TakesType(),
        multiple=True,
        required=required,
        metavar="RULESET=SEATS",
        help="A game that it plays, such as RULESET=3-5; may be given several times.",
    )


@click.group("account", short_help="Make and change accounts of your bots.")
def command() -> None:
    """Make and change accounts of your bots.

    A bot account is a player whose key only plays. KEY is a key of yours with the scope `full`:
    keep it away from the bot.
    """


@command.command("create", short_help="Create a bot account.")
@click.argument("name")
@parameters.service_option
@parameters.key_option
@_version(required=True)
@_takes(required=True)
@_author
@_page
@_concurrency
@_new_key_file
@parameters.json_option
def create(
    name: str,
    url: str,
    key: str | None,
    version: str,
    takes: Sequence[JsonObject],
    author: str | None,
    page: str | None,
    concurrency: int | None,
    key_file: Path,
    *,
    as_json: bool,
) -> None:
    """Create a bot account with the name NAME, and keep its key in a file."""
    said = {"author": author, "page": page, "concurrency": concurrency}
    form = {
        "name": name, "version": version, "takes": [*takes],
        **{field: value for field, value in said.items() if value is not None},
    }  # fmt: skip
    with _owner(url, key) as owner, _kept(key_file) as keep:
        made = owner.post(_OWN, form)
        keep(made.pop("key"))
    _tell(made, f"{made['id']}: {name} is created.", key_file, as_json=as_json)


@command.command("list", short_help="List your bots.")
@parameters.service_option
@parameters.key_option
@parameters.json_option
def listing(url: str, key: str | None, *, as_json: bool) -> None:
    """List your bots, oldest first."""
    with _owner(url, key) as owner:
        bots: Sequence[BotAccount] = owner.get(_OWN)["bots"]
    if as_json:
        click.echo(orjson.dumps({"bots": bots}))
    elif bots:
        console.show(_table(bots))
    else:
        console.say("You have no bots.")


@command.command("change", short_help="Change what you say about a bot.")
@_bot
@parameters.service_option
@parameters.key_option
@click.option("--name", metavar="NAME", help="Its new name.")
@_version(required=False)
@_takes(required=False)
@_author
@_page
@_concurrency
@parameters.json_option
def change(
    bot_id: str,
    url: str,
    key: str | None,
    takes: Sequence[JsonObject],
    *,
    as_json: bool,
    **said: object,
) -> None:
    """Change what you say about the bot with the id BOT. What is not given stays as it is."""
    form = {name: value for name, value in {**said, "takes": [*takes] or None}.items() if value}
    if not form:
        raise Failure("Nothing is to be changed: give one of the options.")
    with _owner(url, key) as owner:
        changed = owner.patch(f"{_OWN}/{bot_id}", form)
    _tell(changed, f"{bot_id}: {changed['name']} {changed['version']}", as_json=as_json)


@command.command("key", short_help="Make a new key for a bot.")
@_bot
@parameters.service_option
@parameters.key_option
@_new_key_file
@parameters.json_option
def new_key(bot_id: str, url: str, key: str | None, key_file: Path, *, as_json: bool) -> None:
    """Make a new key for the bot with the id BOT; an older one stops working at once."""
    with _owner(url, key) as owner, _kept(key_file) as keep:
        made = owner.post(f"{_OWN}/{bot_id}/key")
        keep(made.pop("key"))
    _tell(made, f"{bot_id}: it has a new key.", key_file, as_json=as_json)


@command.command("revoke", short_help="Revoke the key of a bot.")
@_bot
@parameters.service_option
@parameters.key_option
@parameters.json_option
def revoke(bot_id: str, url: str, key: str | None, *, as_json: bool) -> None:
    """Revoke the key of the bot with the id BOT: its connections end within seconds."""
    with _owner(url, key) as owner:
        owner.delete(f"{_OWN}/{bot_id}/key")
    _tell({"id": bot_id, "has_key": False}, f"{bot_id}: it has no key now.", as_json=as_json)


@command.command("delete", short_help="Delete a bot account.")
@_bot
@parameters.service_option
@parameters.key_option
@click.option("--resign", is_flag=True, help="Resign the games that it plays.")
@parameters.json_option
def delete(bot_id: str, url: str, key: str | None, *, resign: bool, as_json: bool) -> None:
    """Delete the account of the bot with the id BOT. This cannot be undone."""
    with _owner(url, key) as owner:
        owner.delete(f"{_OWN}/{bot_id}", {"id": bot_id, "resign": resign})
    _tell({"id": bot_id, "deleted": True}, f"{bot_id}: it is deleted.", as_json=as_json)


def _tell(what: Any, text: str, key_file: Path | None = None, *, as_json: bool) -> None:
    """Report what was done; on the standard error if the key is on the standard output."""
    has_key = key_file == _DASH
    if as_json:
        click.echo(orjson.dumps(what), err=has_key)
    else:
        console.say(text, err=has_key)


@contextmanager
def _owner(url: str, key: str | None) -> Iterator[Client]:
    """Yield a client with the owner's key; refusals become the command's Failure."""
    if key is None:
        raise Failure("A key of yours is needed: --key, or LONJA_KEY.")
    with service_at(url, key) as owner, failures(owner):
        yield owner


@contextmanager
def _kept(path: Path) -> Iterator[Callable[[str], object]]:
    """Yield a function that keeps a key in a new file that only you can read, or prints it.

    The file is created first, because the key would be lost without it.
    """
    if path == _DASH:
        yield click.echo
        return
    try:
        path.touch(0o600, exist_ok=False)
    except FileExistsError:
        raise Failure(f"{path} is there already: name another file.") from None
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from None
    try:
        yield lambda key: path.write_text(f"{key}\n", encoding="utf-8")
    except BaseException:
        path.unlink()
        raise


def _table(bots: Sequence[BotAccount]) -> TextTable:
    columns = (
        Column("id", whole=True),
        Column("name", text=True),
        Column("version", text=True),
        Column("takes", text=True, left_out=2),
        Column("here", text=True, left_out=1),
    )
    rows = [
        (
            bot["id"],
            bot["name"],
            bot["version"],
            ", ".join(_takes_text(one) for one in bot["takes"]),
            "yes" if bot["present"] else "no",
        )
        for bot in bots
    ]
    return TextTable(columns, rows)


def _takes_text(takes: Any) -> str:
    return f"{takes['ruleset']}={','.join(map(str, takes['seats']))}"
