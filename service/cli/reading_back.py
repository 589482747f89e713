"""Checks a backup in one process for each core, and reports its contents."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.cli import common, console
from service.cli.sharing import shared
from service.ledger.vault import Vault
from service.settings import Settings
from service.upkeep import backup_check, backup_file
from service.upkeep.backup_check import Copy
from service.upkeep.backup_file import Manifest
from service.upkeep.inspection import Finding

AT_ONCE = 50
AT_ONCE_BYTES = 4 * 1024 * 1024
"""Limits of a piece of work, in streams and bytes."""


class ReadBackResult(NamedTuple):
    """The findings in some streams."""

    findings: list[Finding]
    streams: int


def read_back(path: Path) -> tuple[Manifest, list[Finding]]:
    """Read a backup to its end, and refold all its streams; return the manifest and the findings.

    Raises:
        BackupError, OSError: it is not a backup, or is incomplete.
        Failure: the settings cannot be used, or one of the checking processes was killed.
    """
    manifest = backup_file.check_whole(path)
    findings: list[Finding] = []
    with console.progress(auto_refresh=False) as progress:
        task = progress.add_task("Checking", total=streams_in(manifest))
        for found in _refold(path, manifest):
            findings += found.findings
            progress.update(task, advance=found.streams, refresh=True)
    return manifest, findings


def _refold(path: Path, manifest: Manifest) -> Iterator[ReadBackResult]:
    found = common.load_settings()
    common.registry_of(found)  # raises for bad settings before any process starts
    return shared(_check, _pieces(backup_check.copies(path, manifest.packed)), _open, found)


def _pieces(copies: Iterable[Copy | Finding]) -> Iterator[list[Copy | Finding]]:
    piece: list[Copy | Finding] = []
    size = 0
    for copy in copies:
        piece.append(copy)
        if isinstance(copy, Copy):
            size += sum(len(page.line) for page in copy.pages)
        if len(piece) == AT_ONCE or size >= AT_ONCE_BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


_parts: list[tuple[Vault, Registry]] = []
"""The parts with which a process of the pool checks."""


def _open(settings: Settings) -> None:
    _parts.append((Vault(settings.secrets_key), common.registry_of(settings)))


def _check(piece: Sequence[Copy | Finding]) -> ReadBackResult:
    vault, registry = _parts[-1]
    findings: list[Finding] = []
    for copy in piece:
        findings += (
            [copy] if isinstance(copy, Finding) else backup_check.check(copy, vault, registry)
        )
    return ReadBackResult(findings, sum(isinstance(copy, Copy) for copy in piece))


# Output


def tell_findings(findings: Sequence[Finding], *, err: bool = False) -> None:
    """Print each finding in a line."""
    for found in findings:
        click.echo(f"{found.game_id}: {found.problem}: {found.detail}", err=err)


def in_words(counts: JsonObject) -> str:
    """Return a backup's counts in words."""
    return (
        f"{counts['games']} games, {counts['tournaments']} tournaments, {counts['events']} events,"
        f" {counts['players']} players"
    )


def streams_in(manifest: Manifest) -> int:
    """Return the number of games and tournaments in a backup."""
    return manifest.counts["games"] + manifest.counts["tournaments"]


def manifest_json(manifest: Manifest) -> JsonObject:
    """Return a backup's manifest as JSON."""
    return manifest._asdict()
