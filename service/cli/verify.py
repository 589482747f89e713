"""``lonja verify``: checks records, using only the files and the rules."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click
import orjson

from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.proof.verdicts import FAILED, NEWER, NOT_WHOLLY, PACK, PROVED, Report
from service.cli import common, completing, console, parameters, witnessed
from service.cli.evidenced import EvidenceOptions
from service.cli.evidenced import read as read_evidence
from service.cli.evidenced import tell as tell_evidence
from service.cli.inputs import PACKS, RECORDS, STDIN, find_files
from service.cli.kept import read_receipt
from service.cli.logs import log_key_option
from service.cli.packs import strange_histories
from service.cli.promised import PromiseOptions
from service.cli.promised import tell as tell_promise
from service.cli.verifying import (
    UNREADABLE,
    FileReport,
    VerifyOptions,
    load,
    verify_file,
    verify_files,
)
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy

SHOWN = 5
EXIT_CODES = {FAILED: 1, UNREADABLE: 2, NEWER: 2, NOT_WHOLLY: 3, PROVED: 0}
"""The exit code of each verdict; of several files, the first verdict in this order decides."""

_MEANINGS = {
    "lines": "the file is written as records are, to the last byte",
    "header": "the first line agrees with the events and is signed",
    "receipt": "the record agrees with the receipt or the key that you have",
    "viewer": "nothing that this viewer may see is left out",
    "shapes": "every event has what its kind must have, and nothing else",
    "chain": "every event follows from the one before; none was edited, moved or removed",
    "batches": "every request stands whole; the record is not cut inside one",
    "parts": "every part of every event is what its header committed to",
    "openings": "what was sealed opened as it was sealed",
    "commitments": "chance was committed to before play and opened as committed",
    "chance": "every draw follows from the committed seed",
    "table": "who sat, moved and gave up might do so, in time and in this order",
    "play": "every move was legal, every state and the result follow from the rules",
    "signatures": "every move of a player is signed with the key of its seat",
    "course": "every pairing, seat and disqualification follows from the seed and the results",
    "games": "every game that had to be played is there, sound, and ended as the table has it",
    "report": "every figure of the published report comes out again",
    "before": "the part begins with what the part before led to",
    "pack": "the pack is what its name says, and its index is what it holds",
    "records": "every record in it passes all of its own checks",
    "bots": "every bot's move is what the bot plays from what its seat knew",
}
_VERDICTS = {
    PROVED: "Every check passed.",
    FAILED: "This record is NOT what it claims to be.",
    NEWER: "NEWER than this program, which finds nothing wrong with what it knows. Unknown to it:",
    NOT_WHOLLY: "NOT wholly proved; not checked:",
}
_IN_SHORT = {
    PROVED: "proved",
    FAILED: "FAILED",
    NEWER: "newer",
    NOT_WHOLLY: "not wholly proved",
    UNREADABLE: "unreadable",
}


def read_key(_context: click.Context, _option: click.Parameter, key: str | None) -> str | None:
    """Return a public key in lower case. Raises click.BadParameter."""
    if key is None or is_digest(key.lower()):
        return key and key.lower()
    raise click.BadParameter(f"{shown(key)} is no key: it has 64 hexadecimal digits.")


@click.command("verify", short_help="Check records of games and tournaments.")
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=completing.files)
@click.option(
    "--receipt",
    type=parameters.input_file(),
    metavar="FILE",
    help="A receipt that you kept, as JSON. It proves the record up to the receipt's event.",
)
@click.option(
    "--public-key",
    metavar="KEY",
    callback=read_key,
    help="The service's key, from a source that you trust: every signature must be by this key.",
)
@click.option(
    "--before",
    type=parameters.input_file(),
    metavar="FILE",
    help="The record of the part before: the part of an endless tournament must follow from it.",
)
@click.option("--bots", is_flag=True, help="Recompute the bots' moves, too. This takes longer.")
@click.option(
    "--log",
    metavar="LOG",
    help="Say whether this public log, a URL or a folder, keeps the promise of --receipt.",
)
@log_key_option(
    "A key of a public log, or of a witness, from a source that you trust; `lonja log key` prints"
    " two: give both. For --log, evidence, and the proof that a record may have."
)
@witnessed.options
@click.option(
    "--evidence",
    type=parameters.OUTPUT_FILE,
    metavar="FILE",
    help="With --log: the file to write if the promise is broken, which convinces others.",
)
@click.option(
    "--key",
    metavar="KEY",
    help="With the URL of a log: your player key, if the game is private. It is sent there.",
)
@parameters.json_option
def command(
    files: tuple[str, ...],
    receipt: Path | None,
    public_key: str | None,
    before: Path | None,
    log: str | None,
    log_keys: tuple[VerifierKey, ...],
    evidence: Path | None,
    key: str | None,
    witness_keys: tuple[VerifierKey, ...],
    quorum: int | None,
    policy: Path | None,
    *,
    bots: bool,
    as_json: bool,
) -> None:
    """Check the record FILE of a game or a tournament; it needs no service and no Redis.

    FILE may also be a pack of the archive: every record in it is checked. A record may be
    compressed with gzip; `-` is the standard input; a folder stands for every *.ndjson,
    *.ndjson.gz, *.pack and *.private below it. Several files are checked at once, on all cores.

    The exit code is 0 if everything is proved, 1 if a check failed, 2 if FILE is not a record,
    cannot be read, or is newer than this program (the report names the unknown parts), and 3 if it
    is not wholly proved: the game goes on, its luck is not revealed yet, the rules or a bot are not
    installed here, or the bot's code differs. For several files it is the first of 1, 2 and 3 that
    any file has, otherwise 0. It is 130 after an interruption.

    With --log, it checks instead whether the public log of the service has the head of --receipt or
    a later one of the same game, to which the headers of the events lead. The service is asked for
    the headers, unless FILE is the record of the game. The exit code is 0 if the promise is kept, 1
    if it is broken, and 3 if neither is so, or not yet, or too few witnesses saw it: those in
    --policy or of --witness-key.

    FILE may also be what --evidence wrote. With the keys of the log (--log-key), and better also
    with the --log, this says what is proved against whom. The exit code is 0 if it is proved, 1 if
    the evidence does not hold, and 3 if the log has to be read.

    With --json, each FILE gets a line as soon as it is checked, in the order of the files: a JSON
    object, as docs/verify.schema.json describes it.
    """
    trusted = witnessed.wanted(witness_keys, quorum, policy)
    log_keys = witnessed.log_keys(log_keys, trusted)
    own = read_evidence(files[0]) if len(files) == 1 and receipt is None else None
    if log is None and trusted is not None and (own is not None or not log_keys):
        raise click.UsageError(
            "--witness-key and --policy are for a --log: name it, too; or for the proof that a"
            " record has, with the --log-key of its log."
        )
    if own is not None:
        options = EvidenceOptions(log_keys, public_key, log, key)
        _need_no_more(log_keys, bots=bots, more=before or evidence)
        tell_evidence(files[0], own, options, as_json=as_json)
    if log is None and (evidence is not None or (log_keys and not files)):
        raise click.UsageError("--log-key and --evidence are for a --log: name it, too.")
    if log is None and not files:
        raise click.UsageError("Name the record, FILE, or the public log (--log).")
    if str(receipt) == STDIN and STDIN in files:
        raise common.Failure("Choose one of FILE and --receipt to be -, the standard input.")
    asked = VerifyOptions(
        None if receipt is None else read_receipt(receipt),
        public_key,
        bots,
        before,
        log_keys,
        trusted,
    )
    if log is not None:
        _tell_promise(asked, log, log_keys, files, key, evidence, trusted, as_json=as_json)
    _verify_records(files, asked, as_json=as_json)


def _need_no_more(log_keys: Sequence[VerifierKey], *, bots: bool, more: Path | None) -> None:
    """Raise UsageError if evidence comes without keys of its log, or with options of records."""
    if not log_keys:
        raise click.UsageError(
            "Evidence needs the keys that `lonja log key` prints on the service (--log-key)."
        )
    if bots or more is not None:
        raise click.UsageError("Evidence takes neither --bots nor --before nor --evidence.")


def _tell_promise(
    asked: VerifyOptions,
    log: str,
    log_keys: Sequence[VerifierKey],
    files: Sequence[str],
    key: str | None,
    evidence: Path | None,
    policy: TrustPolicy | None,
    *,
    as_json: bool,
) -> NoReturn:
    if asked.receipt is None or not log_keys:
        raise click.UsageError(
            "--log needs the --receipt whose promise it is to keep, and the keys that `lonja log"
            " key` prints on the service (--log-key)."
        )
    if len(files) > 1 or asked.bots or asked.before is not None:
        raise click.UsageError("--log takes one FILE at most, and neither --bots nor --before.")
    record = next(iter(files), None)
    promise = PromiseOptions(
        asked.receipt, log, log_keys, record, asked.public_key, key, evidence, policy
    )
    tell_promise(promise, as_json=as_json)


def _verify_records(files: Sequence[str], asked: VerifyOptions, *, as_json: bool) -> NoReturn:
    found = find_files(files, (*RECORDS, *PACKS))
    if not found:
        raise common.Failure(
            "There is no *.ndjson, no *.ndjson.gz, no *.pack and no *.private in"
            f" {', '.join(files)}."
        )
    registry = load(bots=asked.bots)
    if [*files] == found and len(found) == 1:
        try:
            outcome = verify_file(found[0], asked, registry, bar=True)
        except KeyboardInterrupt:
            _tell_stopped(0, 1)
        if as_json:
            _tell_json(outcome)
        elif outcome.report is None:
            raise common.Failure(outcome.error)
        else:
            _tell(outcome.report)
        sys.exit(EXIT_CODES[outcome.verdict])
    _need_one(found, asked)
    strange = strange_histories(found)
    outcomes: list[FileReport] = []
    with suppress(KeyboardInterrupt), console.progress(auto_refresh=False) as progress:
        verified = verify_files(found, asked)
        for outcome in progress.track(verified, len(found), description="Verifying"):
            if outcome.report is not None and outcome.file in strange:
                outcome.report.checks[0].failures += strange[outcome.file]
            outcomes.append(outcome)
            if as_json:
                _tell_json(outcome)
    if outcomes and not as_json:
        _tell_all(outcomes)
    if len(outcomes) < len(found):
        _tell_stopped(len(outcomes), len(found))
    sys.exit(EXIT_CODES[_worst(outcomes)])


def _need_one(found: Sequence[str], asked: VerifyOptions) -> None:
    """Raise Failure if there is more than one record for a file that is compared with one."""
    if len(found) > 1 and asked.receipt is not None:
        raise common.Failure("A receipt is for one record: name one FILE with --receipt.")
    if len(found) > 1 and asked.before is not None:
        raise common.Failure("A part is before one other: name one FILE with --before.")


def _tell_stopped(checked: int, records: int) -> NoReturn:
    console.say(
        f"You stopped it: {checked} of {records} records are checked. Nothing was changed; the same"
        " command checks all of them again.",
        err=True,
    )
    sys.exit(common.INTERRUPTED)


def _worst(outcomes: Sequence[FileReport]) -> str:
    found = {outcome.verdict for outcome in outcomes}
    return next(verdict for verdict in EXIT_CODES if verdict in found)


def _tell_json(outcome: FileReport) -> None:
    click.echo(orjson.dumps(outcome.to_json()))


def _tell_all(outcomes: Sequence[FileReport]) -> None:
    """Print a line for each file, and its failures."""
    counts = {name: sum(o.verdict == name for o in outcomes) for name in EXIT_CODES}
    for outcome in outcomes:
        _say(f"{_IN_SHORT[outcome.verdict]:17}  {outcome.file}")
        for line in _why(outcome):
            _say(f"    {line}")
    console.say(
        f"{len(outcomes)} records: "
        + ", ".join(f"{counts[name]} {_IN_SHORT[name]}" for name in reversed(EXIT_CODES))
        + "."
    )


def _why(outcome: FileReport) -> list[str]:
    report = outcome.report
    if report is None:
        return [outcome.error]
    if report.ok:
        return report.newer.told() or report.missing
    failed = [f"{check.name}: {failure}" for check in report.checks for failure in check.failures]
    more = [f"and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
    return [*failed[:SHOWN], *more]


def _say(line: str) -> None:
    """Print one line, with control characters from names and records escaped."""
    console.say(line)


def _tell(report: Report) -> None:
    status = f", {report.status}" if report.status else ""
    if report.kind is not None:
        _say(f"{report.kind.capitalize()} {report.game_id}, {report.version} events{status}.")
    for check in report.checks:
        mark = "ok     " if check.ok else "FAILED "
        if check.ok and check.skipped:
            mark = "in part" if check.begun else "skipped"
        reason = f" (not checked: {check.skipped})" if check.skipped else ""
        _say(f"  {mark} {check.name}: {_MEANINGS[check.name]}; {check.checked} facts{reason}")
        for failure in check.failures[:SHOWN]:
            _say(f"          {failure}")
        if len(check.failures) > SHOWN:
            _say(f"          and {len(check.failures) - SHOWN} more")
    if report.signed_by is not None:
        _say(f"  {signature(report)}")
    for note in report.notes:
        _say(f"  Note: {note}")
    verdict = _VERDICTS[report.verdict]
    _say(verdict.replace("This record", "This pack") if report.kind == PACK else verdict)
    if report.verdict == NEWER:
        for unknown in report.newer.told():
            _say(f"  {unknown}")
        _say("The newest release of Lonja may know it.")
    if report.verdict == NOT_WHOLLY:
        for missing in report.missing:
            _say(f"  {missing}")


def signature(report: Report) -> str:
    """Return in words which key signed a file, and whether the caller trusts it."""
    key = report.signed_by or {}
    if key.get("trusted"):
        return f"Signed with the key {key['key_id']}, which you trust."
    return (
        f"Signed, it says, with the key {key.get('key_id')}; nobody vouches for that key here"
        " (--public-key)."
    )
