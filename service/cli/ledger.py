"""``lonja ledger``: checks and repairs the stored games."""

import sys
from collections.abc import Callable, Iterator

import click
import orjson

from rules.registry import Registry
from service.cli import common
from service.ledger import maintenance
from service.ledger.maintenance import Finding
from service.ledger.store import Store

Sweep = Callable[[Store, Registry], Iterator[Finding | None]]


@click.group("ledger", short_help="Check the stored games, and repair what follows from them.")
def command() -> None:
    """Check the stored games, and repair what follows from them."""


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@command.command("check")
@json_option
def check(*, as_json: bool) -> None:
    """Refold every game and compare all that is derived; the exit code is 1 if anything is off."""
    if _run(maintenance.check, as_json=as_json, repairing=False):
        sys.exit(1)


@command.command("repair")
@json_option
def repair(*, as_json: bool) -> None:
    """Check, and put right what can be; the exit code is 1 if something is left that cannot."""
    if any(
        not finding.repairable
        for finding in _run(maintenance.repair, as_json=as_json, repairing=True)
    ):
        sys.exit(1)


def _run(sweep: Sweep, *, as_json: bool, repairing: bool) -> list[Finding]:
    runtime = common.local_runtime(announce=False)
    findings: list[Finding] = []
    games = 0
    for found in sweep(runtime.ledger.store, runtime.registry):
        if found is None:
            games += 1
            if sys.stderr.isatty():
                click.echo(f"\r{games} games", nl=False, err=True)
            continue
        findings.append(found)
        if not as_json:
            click.echo(
                f"{found.game_id}: {found.problem}: {found.detail} ({_fate(found, repairing)})"
            )
    if as_json:
        listed = [finding.to_json() for finding in findings]
        click.echo(orjson.dumps({"games": games, "findings": listed}))
    else:
        click.echo(f"{games} games, {len(findings)} findings.")
    return findings


def _fate(found: Finding, repairing: bool) -> str:  # noqa: FBT001 - one of two words
    if not found.repairable:
        return "cannot be repaired"
    return "repaired" if repairing else "`lonja ledger repair` puts it right"
