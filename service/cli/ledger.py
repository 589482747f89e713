"""``lonja ledger``: checks and repairs the stored games."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson
import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.registry import UnknownRulesetError
from service.cli import checking, common, console, parameters
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.ids import GAME_ID
from service.ledger.damage import GameDamagedError
from service.ledger.repository import ConflictError
from service.ledger.store import LOWERED, ONLINE, online_replicas
from service.ledger.vault import VaultError
from service.upkeep import maintenance
from service.upkeep.acknowledged import BadReceiptsError, look_for, read_receipts
from service.upkeep.inspection import Finding
from service.upkeep.maintenance import NotDamagedError

log = structlog.get_logger(__name__)


@click.group("ledger", short_help="Check the stored games, and repair their derived data.")
def command() -> None:
    """Check the stored games, and repair their derived data."""


@command.command("check")
@click.option(
    "--receipts",
    type=parameters.input_file(exists=True),
    metavar="FILE",
    help="Check only whether the events of these receipts are stored.",
)
@parameters.json_option
def check(*, receipts: Path | None, as_json: bool) -> None:
    """Refold every game and compare all derived data; the exit code is 1 if anything differs.

    With --receipts, the exit code is 1 if the event of a receipt is missing.

    All cores are used. Progress is shown on the standard error, if that is a terminal.

    A game with a damaged stream is suspended, and resumed when its stream is sound again.
    """
    if receipts is not None:
        _check_receipts(receipts, as_json=as_json)
    elif _run(as_json=as_json, repairing=False):
        sys.exit(1)


@command.command("repair")
@parameters.json_option
def repair(*, as_json: bool) -> None:
    """Check, and repair the findings; the exit code is 1 if some cannot be repaired."""
    if any(not finding.repairable for finding in _run(as_json=as_json, repairing=True)):
        sys.exit(1)


@command.command("end")
@click.argument("game_id", metavar="GAME")
@parameters.by_option
@parameters.reason_option
@parameters.json_option
def end(*, game_id: str, by: str, reason: str, as_json: bool) -> None:
    """End a damaged game for good: it becomes `aborted`, and its secrets are revealed.

    The record names who ends it.
    """
    if not GAME_ID.match(game_id):
        raise Failure(f"There is no game {game_id!r} here.")
    runtime = common.local_runtime(announce=False)
    try:
        events = maintenance.end_damaged(
            runtime.ledger.store, runtime.registry, game_id, {"admin": by}
        )
    except LookupError:
        raise Failure(f"There is no game {game_id!r} here.") from None
    except NotDamagedError:
        raise Failure(f"{game_id} is not damaged: only damaged games can be ended.") from None
    except (ConflictError, GameDamagedError, UnknownRulesetError, VaultError) as error:
        raise Failure(f"{game_id} cannot be ended now: {error}.") from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    log.warning("game_ended", game=game_id, by=by, reason=reason, seq=events[0].seq)
    sound = events[0].body["aborted"].value["sound"]["seq"]
    if as_json:
        told = {"game_id": game_id, "status": "aborted", "version": events[0].seq, "sound": sound}
        click.echo(orjson.dumps(told))
        return
    click.echo(f"{game_id} is aborted by event {events[0].seq}; {sound} events are sound.")


@command.command("replicas")
@click.argument("number", type=click.IntRange(min=0), required=False, metavar="[N]")
@click.option("--as-set", is_flag=True, help="Use the setting LONJA_REPLICAS_TO_WAIT again.")
@parameters.json_option
def replicas(*, number: int | None, as_set: bool, as_json: bool) -> None:
    """Require at most N replicas to confirm each write; without N, show the limit now in use.

    The limit holds for all processes from now on. N lowers LONJA_REPLICAS_TO_WAIT, and never
    raises it. --as-set restores LONJA_REPLICAS_TO_WAIT; if this setting is `all`, processes wait
    for all replicas that are online now or come online later.
    """
    redis = common.local_runtime(announce=False).redis
    try:
        if as_set:
            redis.delete(LOWERED)
            redis.set(ONLINE, online_replicas(redis.info("replication")))
        elif number is not None:
            redis.set(LOWERED, number)
        found = redis.get(LOWERED)
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    if as_json:
        click.echo(orjson.dumps({"at_most": None if found is None else int(found)}))
        return
    at_most = "" if found is None else f", but {int(found)} at most"
    click.echo(f"Appends wait for LONJA_REPLICAS_TO_WAIT replicas{at_most}.")


def _check_receipts(path: Path, *, as_json: bool) -> None:
    """Print the acknowledged events that are missing; exit with 1 if there are any."""
    try:
        with as_path(path) as file:
            receipts = read_receipts(file)
    except (BadReceiptsError, OSError) as error:
        raise Failure(f"{path} cannot be read: {error}.") from None
    runtime = common.local_runtime(announce=False)
    key = runtime.signer.public_key
    found = [look_for(runtime.ledger.store, key, receipt) for receipt in receipts]
    missing = [one for one in found if one.missing is not None]
    strange = [one for one in found if not one.signed_here]
    if as_json:
        told = [one.to_json() for one in found if one.missing or not one.signed_here]
        click.echo(
            orjson.dumps({"receipts": len(found), "missing": len(missing), "findings": told})
        )
    else:
        for one in missing:
            signed = "" if one.signed_here else "; not signed by this installation's key"
            click.echo(f"{one.game_id}: event {one.seq} is missing: {one.missing}{signed}")
        for one in strange:
            if one.missing is None:
                click.echo(f"{one.game_id}: event {one.seq} is there, but the receipt is not ours")
        click.echo(f"{len(found)} receipts, {len(missing)} of them for events that are missing.")
    if missing:
        sys.exit(1)


def _run(*, as_json: bool, repairing: bool) -> list[Finding]:
    """Check all stored streams, and print each finding at once."""
    runtime = common.local_runtime(announce=False)
    findings: list[Finding] = []
    games = 0
    try:
        with console.progress(auto_refresh=False) as progress:
            total = 0 if progress.disable else checking.count(runtime)
            streams = progress.add_task("Checking", total=total)
            for found in checking.check(runtime, repairing=repairing):
                findings += found.findings
                games += found.games
                if found.findings and not as_json:
                    progress.stop()
                    _tell(found.findings, repairing=repairing)
                    progress.start()
                progress.update(streams, advance=found.streams, refresh=True)
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    if as_json:
        listed = [finding.to_json() for finding in findings]
        click.echo(orjson.dumps({"games": games, "findings": listed}))
    else:
        click.echo(f"{games} games, {len(findings)} findings.")
    return findings


def _tell(findings: Sequence[Finding], *, repairing: bool) -> None:
    for found in findings:
        click.echo(f"{found.game_id}: {found.problem}: {found.detail} ({_fate(found, repairing)})")


def _fate(found: Finding, repairing: bool) -> str:  # noqa: FBT001 - one of two words
    if not found.repairable:
        return "cannot be repaired"
    return "repaired" if repairing else "`lonja ledger repair` puts it right"
