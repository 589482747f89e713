"""``lonja admin``: keys for admins, and admins' acts, which need no key on the host."""

import re
from collections.abc import Callable
from typing import NamedTuple, Self

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.batch import RefusedError
from service.administration.acts import ActTerms, Administration, UnknownPlayerError
from service.administration.journal import Act, Journal, Who
from service.administration.keys import AdminKeys
from service.cli import common, parameters
from service.cli.common import Failure
from service.ids import ADMIN_KEY_ID, GAME_ID, PLAYER_ID, TOURNAMENT_ID
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.ledger.vault import VaultError
from service.players.players import Players
from service.process import logs
from service.runtime import Runtime
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError
from service.upkeep.maintenance import NotDamagedError

DAYS = 90
MAX_DAYS = 3_660


@click.group("admin", short_help="Administer the installation: admins' keys and acts.")
def command() -> None:
    """Manage the keys of admins, and carry out the acts of the admin API on this host.

    Every act is in the journal with its admin and reason; `lonja admin log` shows it.
    """


# Keys


@command.group("key", short_help="Create, list and revoke admins' keys.")
def key() -> None:
    """Create, list and revoke admins' keys, which are valid only for `/v1/admin`."""


@key.command("make")
@click.argument("name", type=parameters.Line(parameters.MAX_NAME))
@click.option(
    "--days", type=click.IntRange(1, MAX_DAYS), default=DAYS, show_default=True, metavar="N",
    help="The number of days for which the key is valid.",
)  # fmt: skip
@parameters.by_option
@parameters.json_option
def make_key(*, name: str, days: int, by: str, as_json: bool) -> None:
    """Create a key for the admin NAME, and print it: it is not shown again.

    NAME is for good in the records of games that this key ends, suspends or resumes, and so in
    packs, which never change. It is public there: choose one that says no more than it must.
    """
    with _Here() as here:
        made, secret = here.keys.make(name, days)
        here.note("make_key", made.id, by, f"for {name}, until {made.expires_at}")
    if as_json:
        click.echo(orjson.dumps({**made.to_json(), "key": secret}))
        return
    click.echo(f"{secret}\nis the key {made.id} of {name}, until {made.expires_at}.")


@key.command("list")
@parameters.json_option
def list_keys(*, as_json: bool) -> None:
    """List all keys that have not been revoked."""
    with _Here() as here:
        found = [(each, here.keys.is_over(each)) for each in here.keys.all()]
    if as_json:
        click.echo(orjson.dumps({"keys": [{**e.to_json(), "expired": over} for e, over in found]}))
        return
    for each, over in found:
        click.echo(f"{each.id}  {'expired' if over else 'until'} {each.expires_at}  {each.name}")
    if not found:
        click.echo("No admin has a key: `lonja admin key make NAME` makes one.")


@key.command("revoke")
@click.argument("key_id", metavar="KEY")
@parameters.by_option
@parameters.reason_option
@parameters.json_option
def revoke_key(*, key_id: str, by: str, reason: str, as_json: bool) -> None:
    """Revoke the key with the id KEY."""
    with _Here() as here:
        revoked = here.keys.revoke(key_id) if ADMIN_KEY_ID.match(key_id) else None
        if revoked is None:
            raise Failure(f"No admin has the key {key_id!r}: `lonja admin key list` has all.")
        here.note("revoke_key", key_id, by, reason)
    if as_json:
        click.echo(orjson.dumps(revoked.to_json()))
        return
    click.echo(f"{key_id}, a key of {revoked.name}, opens nothing any more.")


# Acts

Does = Callable[[Administration, str, ActTerms], tuple[Act, bool]]


class _Subject(NamedTuple):
    """The object of an act: its name on the command line, and the patterns of its ids."""

    metavar: str
    name: str
    ids: tuple[re.Pattern[str], ...]


_GAME = _Subject("GAME", "game", (GAME_ID,))
_STREAM = _Subject("ID", "game or tournament", (GAME_ID, TOURNAMENT_ID))
_PLAYER = _Subject("PLAYER", "player", (PLAYER_ID,))

_ACTS: tuple[tuple[str, _Subject, Does, str, str], ...] = (
    ("end", _GAME, Administration.end, "is aborted",
     "End GAME without a result. It becomes `aborted`, and its secrets are revealed."),
    ("suspend", _GAME, Administration.suspend, "is suspended",
     "Suspend GAME. Its clocks stand still until it is resumed or ended."),
    ("resume", _GAME, Administration.resume, "goes on",
     "Resume GAME after a suspension. Each clock goes on with the time that was left."),
    ("requeue", _STREAM, Administration.requeue, "is waited for again",
     "Queue the pending work of a game or tournament again, as it follows from the events."),
    ("ban", _PLAYER, Administration.ban, "is banned",
     "Refuse PLAYER's keys and tickets. The games go on without the player."),
    ("unban", _PLAYER, Administration.unban, "is not banned any more",
     "Lift the ban of PLAYER. The keys of the player are valid again."),
    ("erase-name", _PLAYER, Administration.erase_name, "has no name any more",
     "Erase the name of PLAYER. Records contain only the id."),
)  # fmt: skip
"""For each command: its name, object and act, the words it prints on success, and its help."""


def _act(name: str, kind: _Subject, does: Does, says: str, about: str) -> None:
    """Add the command for an act."""

    @command.command(name, help=about, short_help=about.partition(".")[0] + ".")
    @click.argument("subject", metavar=kind.metavar)
    @parameters.by_option
    @parameters.reason_option
    @parameters.json_option
    def run(*, subject: str, by: str, reason: str, as_json: bool) -> None:
        if not any(pattern.match(subject) for pattern in kind.ids):
            raise Failure(f"There is no {kind.name} {subject!r} here.")
        with _Here() as here:
            act, _replayed = does(here.administration, subject, ActTerms(Who(by), reason))
        click.echo(orjson.dumps(act.to_json()) if as_json else f"{subject} {says}.")


for _made in _ACTS:
    _act(*_made)


@command.command("finish-upgrade")
@parameters.by_option
@parameters.json_option
def finish_upgrade(*, by: str, as_json: bool) -> None:
    """Raise the store's format to this release's, once no older release runs on it.

    Until you run this command, the service writes no data that the older release does not know:
    games cannot be suspended, and tables have no settings such as `visibility`. Afterwards older
    releases refuse the store. The command computes the missing indexes of lists and the missing
    ratings of bots; if it is interrupted, repeat it.
    """
    with _Here() as here:
        act, _replayed = here.administration.finish_upgrade(
            ActTerms(Who(by), "the upgrade is over")
        )
    if as_json:
        click.echo(orjson.dumps(act.to_json()))
        return
    click.echo(f"The store takes {act.subject}: an older release refuses it from now on.")


@command.command("log")
@parameters.json_option
def show_log(*, as_json: bool) -> None:
    """Show the journal of admins' acts, oldest first; with --json, one object a line."""
    with _Here() as here:
        for entry in Journal(here.runtime.redis).all():
            act = entry.act
            click.echo(
                orjson.dumps(act.to_json())
                if as_json
                else f"{act.at}  {act.by} ({act.key})  {act.act}  {act.subject}  {act.reason}"
            )


class _Here:
    """Gives commands access to the service on this machine, and to the acts of admins.

    Used in a ``with`` statement, it turns errors of the service into failures with a readable
    message.
    """

    def __init__(self) -> None:
        logs.configure(common.load_settings())
        self.runtime: Runtime = common.local_runtime()
        self.administration = Administration(self.runtime, Players(self.runtime.redis))
        self.keys = AdminKeys(self.runtime.redis, self.runtime.ledger.store.clock.now_ms)

    def note(self, act: str, subject: str, by: str, reason: str) -> None:
        self.administration.note(act, subject, ActTerms(Who(by), reason))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        match error:
            case RefusedError():
                raise Failure(f"That cannot be done: {error.message}.") from None
            case GameNotFoundError() | TournamentNotFoundError() | UnknownPlayerError():
                raise Failure(f"There is no {error.args[0]!r} here.") from None
            case NotDamagedError():
                raise Failure(f"{error.args[0]} is over.") from None
            case (
                ConflictError()
                | GameDamagedError()
                | TournamentDamagedError()
                | UnknownRulesetError()
                | VaultError()
            ):
                raise Failure(f"That cannot be done now: {error}.") from None
            case RedisError():
                raise Failure(f"The Redis of the service does not answer: {error}") from None
