"""Whose co-signatures a checkpoint of a public log must have: ``--witness-key``, ``--policy``."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.cli import parameters
from service.cli.common import Failure
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.notes import Note
from service.tlog.policies import MOST_BYTES, TrustPolicy

ALONE = "nobody but the operator saw this log: it may show others another one."
"""What is said if no witness is asked for."""


def _read_keys(
    _context: click.Context, _option: click.Parameter, keys: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    try:
        return tuple(map(VerifierKey.parse, keys))
    except TlogError as error:
        raise click.BadParameter(f"{error}.") from None


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that ``wanted`` takes."""
    for option in (
        click.option(
            "--policy",
            type=parameters.input_file(),
            metavar="FILE",
            help="The witnesses of a public log that you trust, the hosts of one operator as one,"
            " and the quorum, as c2sp.org/tlog-policy has them.",
        ),
        click.option(
            "--quorum",
            type=click.IntRange(1, 100),
            metavar="N",
            help="How many of these witnesses must have co-signed; without it, all of them.",
        ),
        click.option(
            "--witness-key",
            "witness_keys",
            multiple=True,
            metavar="KEY",
            callback=_read_keys,
            help="The key of a witness that must have co-signed the public log, from a source that"
            " you trust. Give one for each operator.",
        ),
    ):
        command = option(command)
    return command


def wanted(
    keys: Sequence[VerifierKey], quorum: int | None, file: Path | None
) -> TrustPolicy | None:
    """Return the policy that the options name; None if they ask for no witness.

    Raises:
        Failure: they contradict each other, or the file is no policy.
    """
    if file is not None and (keys or quorum is not None):
        raise Failure("Name the witnesses either in the --policy or by --witness-key and --quorum.")
    if quorum is not None and not keys:
        raise Failure("--quorum counts the witnesses that --witness-key names: name some.")
    try:
        if file is not None:
            with file.open("rb") as opened:
                return TrustPolicy.parse(opened.read(MOST_BYTES + 1))
        return TrustPolicy.of(keys, quorum or len(keys)) if keys else None
    except TlogError as error:
        raise Failure(f"The policy of witnesses cannot be used: {error}.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None


def log_keys(keys: tuple[VerifierKey, ...], policy: TrustPolicy | None) -> tuple[VerifierKey, ...]:
    """Return the keys of the log, those in the policy included.

    Raises:
        Failure: the policy names logs, and not this one; or a key of the log is one of a witness.
    """
    if policy is None:
        return keys
    for key in keys:
        if key.public_key in {one.public_key for one in policy.witnesses.values()}:
            raise Failure(f"{key} is a key of the log, which is no witness of itself.")
        if key.algorithm is Algorithm.ED25519 and policy.logs and key not in policy.logs:
            raise Failure(f"The policy names other logs than {key}.")
    if any(key.algorithm is Algorithm.ED25519 for key in keys):
        return keys
    return (*policy.logs, *keys)


class WitnessReport(NamedTuple):
    """Which witnesses have seen a checkpoint, by the names of a policy, and when (s since 1970).

    ``strangers`` are the names of keys that have signed, it says, and that the policy does not
    have.
    """

    policy: TrustPolicy | None
    seen: Mapping[VerifierKey, int]
    strangers: Sequence[str]

    @property
    def is_enough(self) -> bool:
        """Whether the policy's quorum has seen it; True without a policy."""
        return self.policy is None or self.policy.is_met(self.seen)

    def to_json(self) -> JsonObject | None:
        """Return who has seen it; None without a policy."""
        if self.policy is None:
            return None
        at = None if self.policy.quorum is None else self.policy.met_at(self.seen)
        return {
            "enough": self.is_enough,
            "at": None if at is None else from_ms(1000 * at),
            "seen": [
                {"name": name, "key": str(key), "at": from_ms(1000 * self.seen[key])}
                for name, key in self.policy.witnesses.items()
                if key in self.seen
            ],
            "missing": [
                name for name, key in self.policy.witnesses.items() if key not in self.seen
            ],
        }

    def sentence(self) -> str:
        """Return who saw the log, in words."""
        told = self.to_json()
        if told is None or self.policy is None or self.policy.quorum is None:
            if not self.strangers:
                return f"Note: {ALONE}"
            names = ", ".join(self.strangers)
            return (
                f"Note: {ALONE} Its checkpoint has co-signatures of {names}; nobody vouches for"
                " their keys here (--witness-key, --policy)."
            )
        names = ", ".join(f"{one['name']} at {one['at']}" for one in told["seen"])
        if self.is_enough:
            return f"Witnesses saw this log: {names}. Who asks for the same is shown no other one."
        missing = ", ".join(told["missing"])
        seen = f" {names} saw it, but" if names else ""
        return (
            f"Too few witnesses:{seen} not {missing}. Ask again in some minutes. Until then, others"
            " may be shown another log."
        )


def report(note: Note, policy: TrustPolicy | None, own: Collection[VerifierKey]) -> WitnessReport:
    """Return which witnesses have co-signed the checkpoint of the log with the keys ``own``.

    Raises:
        TlogError: a signature by one of the policy's keys is wrong.
    """
    names = {one.name for one in own}
    keys = () if policy is None else policy.witnesses.values()
    seen: dict[VerifierKey, int] = {}
    if {(one.name, one.key_id) for one in note.signatures} & {(key.name, key.id) for key in keys}:
        seen = {key: at for key, at in note.verify(keys).items() if at is not None}
    known = {key.name for key in keys} | names
    strangers = [one.name for one in note.signatures if one.name not in known]
    return WitnessReport(policy, seen, [*dict.fromkeys(strangers)])
