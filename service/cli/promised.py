"""``lonja verify --log``: whether a public log keeps the promise of a receipt."""

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple, NoReturn

import click
import orjson
from lonja_client import Client, Refused

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.proof.shape import is_digest
from rules.kernel.record.instants import from_ms
from service.cli import console, witnessed
from service.cli.common import Failure
from service.cli.inputs import STDIN
from service.cli.kept import read_record
from service.cli.logs import is_url, opened_log, service_of
from service.cli.remote import failures, service_at
from service.cli.witnessed import WitnessReport
from service.ledger.terms import PUBLIC
from service.process.disk import appearing
from service.records import evidence
from service.records.game_file import Record
from service.records.leaves import CREATED, Leaf
from service.records.promises import (
    BROKEN,
    KEPT,
    LATE,
    LOST,
    NOT_YET,
    UNTOLD,
    Judgement,
    LoggedLeaf,
    LogView,
    NoPromiseError,
    Promise,
    UnservedError,
    judge,
    named_twice,
)
from service.records.receipts import is_genuine, key_id_of
from service.records.statements import Statements
from service.tlog.checkpoints import OpenedCheckpoint
from service.tlog.errors import TlogError
from service.tlog.keys import VerifierKey
from service.tlog.policies import TrustPolicy
from service.tlog.reading import LogReader, read_checkpoint
from service.tlog.rotations import followed

UNWITNESSED = "unwitnessed"
"""The verdict on a promise that the log keeps, which too few witnesses have seen."""
EXIT_CODES = {KEPT: 0, BROKEN: 1, LOST: 3, NOT_YET: 3, LATE: 3, UNTOLD: 3, UNWITNESSED: 3}
_PAGE = 1000
_OVER = frozenset(("ended", "aborted"))
_SENTENCES = {
    KEPT: "The promise is kept.",
    BROKEN: "The promise is BROKEN.",
    LOST: "The event is lost.",
    NOT_YET: "Not yet.",
    LATE: "The log is late.",
    UNTOLD: "It cannot be told.",
    UNWITNESSED: "Too few witnesses saw that the promise is kept.",
}


class PromiseOptions(NamedTuple):
    """The options of ``lonja verify --log``.

    ``record`` is the record of the game, of which the headers are taken; None: the service is asked
    for them, with the player's ``key``. ``public_key`` (hex) is the one that must have signed the
    receipt, and ``policy`` says whose co-signatures the log must have.
    """

    receipt: JsonObject
    log: str
    log_keys: Sequence[VerifierKey]
    record: str | None = None
    public_key: str | None = None
    key: str | None = None
    evidence: Path | None = None
    policy: TrustPolicy | None = None


class SignedBy(NamedTuple):
    """The key (hex) that has signed the receipt, and whether the caller trusts it."""

    public_key: str
    trusted: bool

    def to_json(self) -> JsonObject:
        """Return the key, its id, and whether it is trusted."""
        key_id = key_id_of(bytes.fromhex(self.public_key))
        return {"public_key": self.public_key, "key_id": key_id, "trusted": self.trusted}


def log_json(opened: OpenedCheckpoint) -> JsonObject:
    """Return what a checkpoint says of its log."""
    return {
        "origin": opened.checkpoint.origin,
        "size": opened.checkpoint.size,
        "root": opened.checkpoint.root.hex(),
        "at": None if opened.seen_ms is None else from_ms(opened.seen_ms),
    }


def tell(asked: PromiseOptions, *, as_json: bool) -> NoReturn:
    """Print whether the promise is kept, write the evidence if it is broken, and exit."""
    try:
        promise = Promise.of(asked.receipt)
    except NoPromiseError as error:
        raise Failure(f"The receipt promises nothing: {error}.") from None
    record = None if asked.record is None else _record(asked.record, promise.id)
    with ExitStack() as stack:
        at = service_at(service_of(asked.log), asked.key) if is_url(asked.log) else None
        client = None if at is None else stack.enter_context(at)
        signed = _signed(asked, record, client)
        read = stack.enter_context(opened_log(asked.log))
        try:
            keys = followed(asked.log_keys, read)
            opened = evidence.opened_log(read_checkpoint(read), keys)
            seen = witnessed.report(opened.note, asked.policy, keys)
            reader = LogReader(opened.checkpoint, read)
            signed_ms = opened.seen_ms
            judged = judged_by(promise, reader, ServedHeaders(promise, record, client), signed_ms)
            proof = evidence.to_json(asked.receipt, signed.public_key, opened, judged, reader)
        except TlogError as error:
            raise Failure(f"{asked.log} is no log that is whole: {error}.") from None
    if judged.verdict == KEPT and not seen.is_enough:
        judged = judged._replace(verdict=UNWITNESSED, why=f"But for that: {judged.why}")
    written = _written(asked.evidence, proof) if judged.verdict == BROKEN else None
    told: JsonObject = {
        "verdict": judged.verdict,
        "why": judged.why,
        "id": promise.id,
        "seq": promise.seq,
        "hash": promise.hash,
        "name": promise.name,
        "due": from_ms(promise.due_ms),
        "seconds_left": judged.left,
        "signed_by": signed.to_json(),
        "log": log_json(opened),
        "witnesses": seen.to_json(),
        "leaves": proof["leaves"],
        "evidence": None if written is None else str(written),
    }
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        _say(told, seen)
    sys.exit(EXIT_CODES[judged.verdict])


def _say(told: JsonObject, seen: WitnessReport) -> None:
    log, key = told["log"], told["signed_by"]
    console.say(f"Event {told['seq']} of {told['id']}, promised for {told['due']}.")
    signed = "" if log["at"] is None else f", signed at {log['at']}"
    console.say(f"{log['origin']} has {log['size']} leaves{signed}.")
    console.say(f"{_SENTENCES[told['verdict']]} {told['why']}")
    if told["name"] != told["id"]:
        console.say(
            f"Note: the table is not public, and the log has it as {told['name']}. Compare that"
            " with the others who sit there: who has another name of it may be shown another"
            " history, which no log tells."
        )
    if not key["trusted"]:
        console.say(
            f"Note: nobody vouches here for the key {key['key_id']} that signed the receipt"
            " (--public-key)."
        )
    console.say(seen.sentence())
    if told["evidence"] is not None:
        console.say(f"{told['evidence']} has what convinces others.")


# What was given


def _record(file: str, game_id: str) -> Record:
    record = read_record(file)
    if record.game_id != game_id:
        raise Failure(f"{file} is the record of {record.game_id}, and the receipt is of {game_id}.")
    return record


def _signed(asked: PromiseOptions, record: Record | None, client: Client | None) -> SignedBy:
    """Return the key that has signed the receipt. Raises Failure: it has not."""
    key_id = asked.receipt["key_id"]
    if asked.public_key is not None:
        found = SignedBy(asked.public_key, trusted=True)
    elif record is not None:
        found = SignedBy(str(record.header["public_key"]), trusted=False)
    elif client is not None:
        with failures(client):
            keys = client.get("/signing_keys")["keys"]
        own = [key["public_key"] for key in keys if key["key_id"] == key_id]
        if not own:
            raise Failure(
                f"The service does not know the key {shown(key_id)} that signed the receipt: name"
                " the key that you trust (--public-key)."
            )
        found = SignedBy(own[0], trusted=False)
    else:
        raise Failure("Name the key that signed the receipt (--public-key), or the record, FILE.")
    if not is_digest(found.public_key) or not is_genuine(
        asked.receipt, bytes.fromhex(found.public_key)
    ):
        raise Failure(
            f"The receipt is not signed with the key {shown(found.public_key)}: it promises nothing"
            " in the name of this service."
        )
    return found


# What the log and the service have


class ServedHeaders:
    """The headers of a game or tournament, from its record or from the service."""

    def __init__(self, promise: Promise, record: Record | None, client: Client | None) -> None:
        self._id = promise.id
        self._is_public = promise.is_public
        self._record = record
        self._client = client
        self.lacking = ""
        if record is not None and record.header["status"] not in _OVER:
            self.lacking = f"The record ends at event {len(record.copies)}: save it again."

    def __call__(self, after: int, until: int | None) -> Sequence[JsonObject]:
        what = "" if until is None else f" event {until}"
        if self._record is not None:
            copies = self._record.copies
            if until is not None and len(copies) < until:
                raise UnservedError(
                    UNTOLD,
                    f"The record ends at event {len(copies)}, and the log has event {until}: save"
                    " the record again.",
                )
            return copies[after:until]
        if self._client is None:
            raise UnservedError(
                UNTOLD,
                f"The log has{what or ' later events'}, and a folder has no headers that lead"
                " there: name the record of the game, FILE.",
            )
        return self._asked(self._client, after, until)

    def _asked(self, client: Client, after: int, until: int | None) -> list[JsonObject]:
        is_game = self._id.startswith("g")
        path = f"/games/{self._id}/headers" if is_game else f"/tournaments/{self._id}/events"
        found: list[JsonObject] = []
        at = after
        while until is None or at < until:
            limit = _PAGE if until is None else min(_PAGE, until - at)
            page = _get(client, path, after=at, limit=limit)
            has = "The log has the game" if until is None else f"The log has event {until}"
            if isinstance(page, Refused):
                # Damaged, or sealed until its block is over.
                is_told = page.status != HTTPStatus.CONFLICT
                if is_told and until is None and not client.key:
                    is_told, has = False, "The game may be private: name your key (--key)"
                verdict = BROKEN if is_told else UNTOLD
                raise UnservedError(verdict, f"{has}, and the service serves no headers: {page}.")
            if not page["events"]:
                if until is None:
                    break
                raise UnservedError(BROKEN, f"{has}, and the service has none after {at}.")
            found += page["events"]
            at += len(page["events"])
        return found

    def seen_by_all(self) -> Judgement | None:
        """Return the judgement if the service shows everybody a game that its receipt says is none.

        Of a public game the log has its own id, where strangers look for it.
        """
        if self._is_public or self._client is None:
            return None
        game = _get(self._client, f"/games/{self._id}")
        if isinstance(game, Refused) or (game["table"] or {}).get("visibility") != PUBLIC:
            return None
        return Judgement(
            BROKEN,
            "The service says that the table is public, and by the receipt the log has it under a"
            " pseudonym, where nobody else can look for it.",
        )

    def absent(self) -> str:
        """Return why a log without this id need not hide it; "" if it must have it."""
        if self._client is None:
            return (
                "The log has no leaf of this id. If its table is not public, it stands there under"
                " a pseudonym, which this receipt does not open."
            )
        if self._id.startswith("t"):
            return ""
        game = _get(self._client, f"/games/{self._id}")
        if isinstance(game, Refused):
            if self._client.key:
                return ""
            return (
                "The log has no leaf of this id, and the service shows no such game to everybody."
                " If its table is private, name your key (--key)."
            )
        if (game["table"] or {}).get("visibility") != PUBLIC:
            return (
                "The table is not public: the log has it under a pseudonym, which this receipt"
                " does not open."
            )
        return "The game was imported, and such games are not in the log." * bool(game["imported"])


def _get(client: Client, path: str, **query: object) -> JsonObject | Refused:
    """Return an answer, or the refusal if this caller gets none. Raises Failure."""
    with failures(client):
        try:
            found: JsonObject = client.get(path, **query)
        except Refused as error:
            if error.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
                raise
            return error
    return found


def judged_by(
    promise: Promise, reader: LogReader, headers: ServedHeaders, signed_ms: int | None
) -> Judgement:
    """Read the log, the newest leaves first, as far as the judgement needs it. Raises TlogError."""
    now_ms = time.time_ns() // 1_000_000
    leaves: list[LoggedLeaf] = []
    view = LogView(leaves, Statements(signed_ms), signed_ms)
    names = {name: name.encode() for name in (promise.name, promise.id)}
    for first, entries in reader.bundles():
        found: dict[str, list[LoggedLeaf]] = {name: [] for name in names}
        for number, entry in enumerate(entries, first):
            view.statements.take(number, entry)
            for name, written in names.items():
                if written in entry and (leaf := Leaf.parse(entry)) and leaf.id == name:
                    found[name].append(LoggedLeaf(number, leaf))
        if not promise.is_public and found[promise.id]:
            return named_twice(found[promise.id][-1])
        leaves[:0] = found[promise.name]
        # Before its creation, an id has leaves only if it was lost wholly, and created again.
        if any(one.leaf.kind == CREATED for one in found[promise.name]):
            judged = judge(promise, view, headers, now_ms)
            if judged.verdict != BROKEN:
                return headers.seen_by_all() or judged
    if not leaves and promise.is_public and (why := headers.absent()):
        return Judgement(UNTOLD, why)
    return judge(promise, view, headers, now_ms)


# Evidence


def _written(file: Path | None, proof: JsonObject) -> Path | None:
    if file is None:
        return None
    raw = orjson.dumps(proof, option=orjson.OPT_APPEND_NEWLINE)
    try:
        if str(file) == STDIN:
            click.echo(raw, nl=False)
        else:
            with appearing(file) as opened:
                opened.write(raw)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror or error}.") from None
    return file
