"""``lonja verify EVIDENCE``: what evidence of a broken promise proves, and against whom."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, NoReturn

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED, NOT_WHOLLY, PROVED
from service.cli import console
from service.cli.common import Failure
from service.cli.inputs import is_piped
from service.cli.logs import is_url, opened_log, service_of
from service.cli.promised import ServedHeaders, SignedBy, judged_by, log_json
from service.cli.remote import service_at
from service.records import evidence
from service.records.evidence import MAX_BYTES, Evidence, NoEvidenceError, Proof
from service.records.leaves import Leaf
from service.records.promises import BROKEN, KEPT, LOST, LoggedLeaf
from service.tlog.checkpoints import OpenedCheckpoint
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.reading import LogReader, read_checkpoint
from service.tlog.rotations import followed

EXIT_CODES = {PROVED: 0, FAILED: 1, NOT_WHOLLY: 3}
_SENTENCES = {
    PROVED: "PROVED.",
    FAILED: "This evidence does NOT prove what it says.",
    NOT_WHOLLY: "NOT wholly proved.",
}
_HEAD_BYTES = 4_096
_UNLESS = (
    " If the log says itself that the event was lost (`rewound`, `restarted`), it was lost by the"
    " operator's own word: --log looks."
)


class EvidenceOptions(NamedTuple):
    """The options of ``lonja verify EVIDENCE``: the keys of the log, and where it is.

    ``public_key`` (hex) is the one that must have signed the receipt, ``key`` that of a player.
    """

    log_keys: Sequence[VerifierKey]
    public_key: str | None = None
    log: str | None = None
    key: str | None = None


def read(file: str) -> JsonObject | None:
    """Return the evidence in a file; None if it is something else. Raises Failure."""
    try:
        if is_piped(file) or not Path(file).is_file():
            return None
        with Path(file).open("rb") as opened:
            if b'"lonja-evidence/' not in (head := opened.read(_HEAD_BYTES)):
                return None
            raw = head + opened.read(MAX_BYTES)
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    if len(raw) > MAX_BYTES:
        raise Failure(f"{file} is no evidence: it has more than {MAX_BYTES} bytes.")
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Failure(f"{file} is no evidence: {error}.") from None
    return found if isinstance(found, dict) else None


def tell(file: str, found: JsonObject, asked: EvidenceOptions, *, as_json: bool) -> NoReturn:
    """Print what evidence proves, and exit."""
    told: JsonObject = {
        "file": file, "verdict": FAILED, "why": "", "id": None, "seq": None, "hash": None,
        "signed_by": None, "log": None,
    }  # fmt: skip
    try:
        proof = evidence.two_trees(found, asked.log_keys)
        if proof is None:
            checked = evidence.check(found, asked.log_keys)
            told |= _known(checked, asked.public_key)
            proof = evidence.weigh(checked)
            if asked.log is None:
                proof = proof._replace(why=proof.why + _UNLESS * proof.is_whole)
            else:
                proof = _read(checked, proof, asked, asked.log)
        told |= {"verdict": PROVED if proof.is_whole else NOT_WHOLLY, "why": proof.why}
    except NoEvidenceError as error:
        told["why"] = f"It is no evidence: {error}."
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        console.say(f"{_SENTENCES[told['verdict']]} {told['why']}")
        if told["signed_by"] is not None and not told["signed_by"]["trusted"]:
            console.say("Note: nobody vouches here for the key of the receipt (--public-key).")
    sys.exit(EXIT_CODES[told["verdict"]])


def _known(checked: Evidence, public_key: str | None) -> JsonObject:
    """Return what checked evidence is about. Raises NoEvidenceError: another key has signed."""
    known: JsonObject = {"log": log_json(checked.opened)}
    if checked.promise is None or checked.public_key is None:
        return known | {"id": next((one.leaf.id for one in checked.leaves), None)}
    if public_key not in (None, checked.public_key):
        raise NoEvidenceError(f"its receipt is signed with {checked.public_key}, not {public_key}")
    promise = checked.promise
    return known | {
        "id": promise.id,
        "seq": promise.seq,
        "hash": promise.hash,
        "signed_by": SignedBy(checked.public_key, public_key is not None).to_json(),
    }


def _read(checked: Evidence, proof: Proof, asked: EvidenceOptions, log: str) -> Proof:
    """Return what evidence proves together with a log.

    Raises:
        NoEvidenceError: the log explains it.
        Failure: the log cannot be read.
    """
    with ExitStack() as stack:
        at = service_at(service_of(log), asked.key) if is_url(log) else None
        client = None if at is None else stack.enter_context(at)
        read_file = stack.enter_context(opened_log(log))
        try:
            keys = followed(asked.log_keys, read_file)
            newest = evidence.opened_log(read_checkpoint(read_file), keys)
            reader = LogReader(newest.checkpoint, read_file)
            if why := _another(checked.opened, newest, reader):
                return Proof(why)
            if checked.promise is None:
                return _followed(checked, proof, reader)
            headers = ServedHeaders(checked.promise, None, client)
            judged = judged_by(checked.promise, reader, headers, newest.seen_ms)
        except TlogError as error:
            raise Failure(f"{log} is no log that is whole: {error}.") from None
    if judged.verdict in (KEPT, LOST):
        raise NoEvidenceError(f"the log explains it. {judged.why.removesuffix('.')}")
    if judged.verdict == BROKEN:
        return Proof(judged.why)
    return proof._replace(why=f"{proof.why} {judged.why}")


def _followed(checked: Evidence, proof: Proof, reader: LogReader) -> Proof:
    """Return the proof of leaves on no one chain, after reading all leaves of their id."""
    name = checked.leaves[0].leaf.id
    leaves: list[LoggedLeaf] = []
    for first, entries in reader.bundles():
        found = []
        for number, entry in enumerate(entries, first):
            leaf = Leaf.parse(entry) if name.encode() in entry else None
            if leaf is not None and leaf.id == name:
                found.append(LoggedLeaf(number, leaf))
        leaves[:0] = found
    if not evidence.fork_of(leaves):
        raise NoEvidenceError("the log has more leaves of the id, with which they are on one chain")
    return proof


def _another(then: OpenedCheckpoint, newest: OpenedCheckpoint, reader: LogReader) -> str:
    """Return why two checkpoints are not of one log; "" if nothing says so. Raises TlogError."""
    old, new = then.checkpoint, newest.checkpoint
    if new.size >= old.size:
        if reader.root(old.size) == old.root:
            return ""
        return (
            f"The log signed a tree of {old.size} leaves that its tree of {new.size} leaves does"
            " not contain: two histories."
        )
    if (newest.seen_ms or 0) <= (then.seen_ms or 0):
        return ""  # an older copy of the log
    return f"The log signed a tree of {new.size} leaves after one of {old.size}: it went back."
