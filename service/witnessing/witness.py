"""Decides what a witness co-signs (c2sp.org/tlog-witness)."""

import sqlite3
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import NamedTuple

import structlog

from service.tlog.checkpoints import Checkpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Signature, VerifierKey, cosign
from service.tlog.merkle import EMPTY_ROOT, verify_consistency
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.private_keys import SigningKey
from service.tlog.submissions import SIZE_TYPE, Submission, size_body
from service.witnessing.rates import Rates
from service.witnessing.state import CosignedHead, Decision, StateFile

log = structlog.get_logger(__name__)

SAME_SECONDS = 10
"""Time for which a checkpoint that comes again gets the same co-signature, and costs no write."""
BEHIND_SECONDS = 5
"""How far the clock may be set back without a refusal; so much, clocks are corrected."""
_TEXT = "text/plain; charset=utf-8"


class Answer(NamedTuple):
    """An answer over HTTP; ``retry_after`` is in seconds, 0 without it."""

    status: HTTPStatus
    body: bytes
    media_type: str = _TEXT
    retry_after: int = 0


class Witness:
    """Co-signs checkpoints of the logs in ``policy`` with ``key``."""

    def __init__(
        self,
        policy: TrustPolicy,
        key: SigningKey,
        state: StateFile,
        rates: Rates,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.policy = policy
        self.key = key
        self.state = state
        self._rates = rates
        self._now = now
        self.unasked: set[str] = set()
        """The origins of logs that nobody could be asked yet what this witness has co-signed."""
        self.unsigned: set[str] = set()
        """The origins of logs for which somebody sent what no known key has signed."""
        self._followed: tuple[VerifierKey, ...] = ()

    def keys_of(self, origin: str) -> tuple[VerifierKey, ...]:
        """Return the keys of a log: those in the policy, and newer ones that they bind."""
        newer = (key for key in self._followed if key.name == origin)
        return (*self.policy.logs_of(origin), *newer)

    def follow(self, keys: Iterable[VerifierKey]) -> None:
        """Take further keys of logs in the policy."""
        self._followed = (*self._followed, *keys)

    def add_checkpoint(self, body: bytes) -> Answer:
        """Answer a request: co-sign the checkpoint in it, or say why not."""
        try:
            submission = Submission.parse(body)
            note = Note.parse(submission.note)
            checkpoint = Checkpoint.parse(note.text)
        except TlogError as error:
            return _refusal(HTTPStatus.BAD_REQUEST, str(error))
        origin = checkpoint.origin
        keys = self.keys_of(origin)
        if not keys:
            why = f"the log {origin!r:.200} is not known to this witness"
            return _refusal(HTTPStatus.NOT_FOUND, why)
        try:
            open_checkpoint(submission.note, keys)
        except TlogError as error:
            self.unsigned.add(origin)
            return _refusal(HTTPStatus.FORBIDDEN, str(error))
        if submission.old > checkpoint.size:
            why = f"{submission.old} leaves cannot be the beginning of {checkpoint.size}"
            return _refusal(HTTPStatus.BAD_REQUEST, why)
        if origin in self.unasked:
            why = "this witness has still to find out what it has co-signed of this log"
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, why, 30)
        kept = Note(note.text, tuple(one for one in note.signatures if self._is_known(one, note)))
        try:
            with self.state.deciding(origin) as decision:
                return self._decided(submission, checkpoint, kept, decision)
        except sqlite3.Error as error:
            log.critical("state_unwritable", reason=str(error))
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "the state cannot be written", 60)

    def checkpoint(self, origin: str) -> bytes | None:
        """Return the newest checkpoint of a log that was co-signed, with its signatures."""
        seen = self.state.seen(origin)
        return None if seen is None else seen.note

    def _is_known(self, one: Signature, note: Note) -> bool:
        """Whether a signature is of this log or of another witness, and right."""
        for key in (*self.policy.logs, *self._followed, *self.policy.witnesses.values()):
            if (key.name, key.id) == (one.name, one.key_id):
                try:
                    key.verify(note.text, one)
                except TlogError:
                    return False
                return True
        return False

    def _decided(
        self, submission: Submission, new: Checkpoint, note: Note, decision: Decision
    ) -> Answer:
        seen, now = decision.seen, int(self._now())
        size = 0 if seen is None else seen.size
        why = _misfit(submission, new, seen)
        if why:
            decision.refuse(bytes(note), now, why)
            log.warning("checkpoint_refused", origin=new.origin, size=new.size, reason=why)
        if submission.old != size:
            return Answer(HTTPStatus.CONFLICT, size_body(size), SIZE_TYPE)
        if why:
            return _refusal(HTTPStatus.UNPROCESSABLE_ENTITY, why)
        if seen is not None and now < seen.at - BEHIND_SECONDS:
            log.error("clock_behind", origin=new.origin, seconds=seen.at - now)
            why = "the clock of this witness is behind its own last co-signature"
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, why, 60)
        text = note.text
        if seen is not None and now - seen.at < SAME_SECONDS and _text(seen) == text:
            return self._cosignature_in(seen)
        if (wait := self._rates.wait(new.origin)) > 0:
            why = "this log has too many new checkpoints"
            return _refusal(HTTPStatus.TOO_MANY_REQUESTS, why, wait)
        at = now if seen is None else max(now, seen.at)
        own = cosign(text, self.key.name, self.key.private_key, at)
        signed = bytes(Note(text, (*note.signatures, own)))
        decision.cosigned(CosignedHead(new.size, new.root, at, signed))
        return Answer(HTTPStatus.OK, own.line.encode())

    def _cosignature_in(self, seen: CosignedHead) -> Answer:
        own = self.key.verifier
        lines = [
            one.line
            for one in Note.parse(seen.note).signatures
            if (one.name, one.key_id) == (own.name, own.id)
        ]
        return Answer(HTTPStatus.OK, "".join(lines).encode())


def _misfit(submission: Submission, new: Checkpoint, seen: CosignedHead | None) -> str:
    """Return why a checkpoint does not fit to what was seen; "" if it may."""
    if seen is not None and seen.size == new.size and seen.root != new.root:
        return f"this log has signed two trees of {new.size} leaves"
    if new.size == 0 and new.root != EMPTY_ROOT:
        return f"{new.root.hex()} is not the head of a tree without leaves"
    old = 0 if seen is None else seen.size
    if submission.old != old:
        return ""  # it is not compared
    if seen is None or not old:
        return "nothing has to be proved of a tree without leaves" if submission.proof else ""
    try:
        verify_consistency(old, new.size, submission.proof, seen.root, new.root)
    except TlogError as error:
        return str(error)
    return ""


def _text(seen: CosignedHead) -> str:
    return Note.parse(seen.note).text


def _refusal(status: HTTPStatus, why: str, retry_after: int = 0) -> Answer:
    return Answer(status, f"{why}\n".encode(), retry_after=retry_after)
