"""Collects co-signatures of the log's checkpoints from witnesses, each in a thread of its own.

A witness that does not answer keeps nobody waiting but the checkpoint at which it failed first.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from threading import Condition, Thread
from typing import NamedTuple

import structlog

from service.outbound.asking import Asker, NoAnswerError
from service.outbound.targets import ANYWHERE, Target, target_of
from service.tlog.errors import TlogError
from service.tlog.keys import Signature, VerifierKey
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.submissions import (
    ADD_CHECKPOINT,
    SIZE_TYPE,
    Submission,
    cosignatures,
    size_of,
)

log = structlog.get_logger(__name__)

SECONDS = 10.0
"""Time limit for an answer of a witness."""
FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS = 15.0, 300.0
"""Time after which a witness is asked again, at first and at most; for a new tree it is zero."""
AHEAD_SECONDS = 120
"""How far the clock of a witness may be ahead of this one."""
_ROUNDS = 3
"""How often a witness may name another size in one try."""
_MOST_BYTES = 16 << 10

Prove = Callable[[int, int], Sequence[bytes]]
"""Returns the proof that the tree of the first size is the beginning of that of the second one.

Raises TlogError if it cannot be made now.
"""


class WitnessError(Exception):
    """A witness has not co-signed; ``refuses`` is whether it says that it never will."""

    def __init__(self, why: str, *, refuses: bool = False) -> None:
        super().__init__(why)
        self.refuses = refuses


class WitnessState(NamedTuple):
    """What one witness did last.

    ``at`` is the time of its last co-signature of this process (seconds since 1970), and ``size``
    that of its tree. ``why`` says why it has not co-signed the newest checkpoint, "" if it has.
    """

    name: str
    at: int | None
    size: int | None
    why: str
    refuses: bool


class _Job(NamedTuple):
    number: int
    note: Note
    size: int


class _Found(NamedTuple):
    """A co-signature of the text of a checkpoint."""

    text: str
    signature: Signature
    at: int
    size: int


class Collector:
    """Asks the witnesses of ``policy``, which all have a URL, to co-sign the newest checkpoint."""

    def __init__(self, policy: TrustPolicy, prove: Prove) -> None:
        self.policy = policy
        self._changed = Condition()
        self._job: _Job | None = None
        self._is_closed = False
        self._asked = [
            _Asked(name, key, policy.urls[key], prove) for name, key in policy.witnesses.items()
        ]
        for one in self._asked:
            Thread(
                target=self._follow, args=(one,), name=f"witness {one.name}", daemon=True
            ).start()

    def close(self) -> None:
        """Let the threads end."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def know(self, note: Note, size: int) -> None:
        """Take over the co-signatures of a checkpoint that was published before."""
        with self._changed:
            for one in self._asked:
                one.know(note, size)

    def ask(self, note: Note, size: int) -> None:
        """Let all witnesses co-sign a checkpoint, the newest one from now on; do not wait."""
        with self._changed:
            number = 0 if self._job is None else self._job.number + 1
            self._job = _Job(number, note, size)
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait until all witnesses have answered that did not fail lately, so long at most."""
        with self._changed:
            self._changed.wait_for(self._is_answered, seconds)

    def _is_answered(self) -> bool:
        job = self._job
        return all(job is None or one.done == job.number or one.failures for one in self._asked)

    def cosigned(self, note: Note) -> Note:
        """Return a checkpoint with the co-signatures of it that there are."""
        with self._changed:
            more = [
                one.found.signature
                for one in self._asked
                if one.found is not None and one.found.text == note.text
            ]
        return Note(note.text, (*note.signatures, *more))

    def seen(self, text: str) -> Mapping[VerifierKey, int]:
        """Return the times at which witnesses have co-signed this text."""
        with self._changed:
            return {
                one.key: one.found.at
                for one in self._asked
                if one.found is not None and one.found.text == text
            }

    def states(self) -> list[WitnessState]:
        """Return what each witness did last."""
        with self._changed:
            return [one.state for one in self._asked]

    def _follow(self, one: "_Asked") -> None:
        """Ask one witness until ``close``."""
        while True:
            with self._changed:
                job = self._job
                while not self._is_closed and (job is None or one.rests(job)):
                    self._changed.wait(one.pause(job))
                    job = self._job
                if self._is_closed or job is None:
                    return
            try:
                found, error = one.submit(job), None
            except WitnessError as failed:
                found, error = None, failed
            with self._changed:
                one.note(job, found, error)
                self._changed.notify_all()


class _Asked:
    """One witness: all but ``submit`` is for who holds the collector's lock."""

    def __init__(self, name: str, key: VerifierKey, url: str, prove: Prove) -> None:
        self.name = name
        self.key = key
        self.found: _Found | None = None
        self.failures = 0
        """How often it failed, one after another."""
        self.done: int | None = None
        """The number of the job that it has co-signed."""
        self._tried: int | None = None
        self._retry_at = 0.0
        self._error: WitnessError | None = None
        self._old = 0
        """The size that it has co-signed, as far as is known."""
        self._target: Target = target_of(url.rstrip("/") + ADD_CHECKPOINT, ANYWHERE)
        self._prove = prove
        self._asker = Asker(ANYWHERE, SECONDS)

    @property
    def state(self) -> WitnessState:
        """What it did last."""
        at, size = (None, None) if self.found is None else (self.found.at, self.found.size)
        refuses = self._error is not None and self._error.refuses
        return WitnessState(self.name, at, size, str(self._error or ""), refuses)

    def know(self, note: Note, size: int) -> None:
        """Take over its co-signature of a note, if there is one."""
        for one in note.signatures:
            if (one.name, one.key_id) == (self.key.name, self.key.id):
                try:
                    at = self.key.verify(note.text, one)
                except TlogError:
                    continue
                self.found = _Found(note.text, one, at or 0, size)
                self._old = size

    def rests(self, job: _Job) -> bool:
        """Whether nothing has to be done for a job now."""
        if self._tried != job.number:
            return False
        return self.done == job.number or time.monotonic() < self._retry_at

    def pause(self, job: _Job | None) -> float | None:
        """Return how long to rest (s); None: until there is another job."""
        if job is None or self.done == job.number:
            return None
        return max(self._retry_at - time.monotonic(), 0.0)

    def note(self, job: _Job, found: _Found | None, error: WitnessError | None) -> None:
        """Note how a try ended."""
        before = str(self._error or "")
        self._tried, self._error = job.number, error
        if error is None:
            self.found, self.done, self.failures = found, job.number, 0
            if before:
                log.info("witness_answers", witness=self.name)
            return
        pause = min(FIRST_RETRY_SECONDS * 2**self.failures, LAST_RETRY_SECONDS)
        self._retry_at = time.monotonic() + pause
        self.failures += 1
        if str(error) != before:
            say = log.error if error.refuses else log.warning
            say("witness_fails", witness=self.name, reason=str(error))

    def submit(self, job: _Job) -> _Found:
        """Ask for a co-signature. Raises WitnessError."""
        for _ in range(_ROUNDS):
            try:
                proof = self._prove(self._old, job.size) if 0 < self._old < job.size else ()
            except (TlogError, OSError) as error:
                raise WitnessError(f"the proof cannot be made: {error}") from None
            body = bytes(Submission(min(self._old, job.size), tuple(proof), bytes(job.note)))
            try:
                reply = self._asker.post(self._target, {}, body, _MOST_BYTES)
            except NoAnswerError as error:
                raise WitnessError(f"no answer: {error}") from None
            try:
                if reply.status == HTTPStatus.OK:
                    found = self._checked(job, reply.body)
                    self._old = job.size
                    return found
                if (
                    reply.status == HTTPStatus.CONFLICT
                    and reply.headers.get("content-type") == SIZE_TYPE
                ):
                    self._old = self._named(size_of(reply.body))
            except TlogError as error:
                raise WitnessError(f"no answer of a witness: {error}") from None
            if reply.status != HTTPStatus.CONFLICT:
                raise _refusal(reply.status, reply.body)
            if self._old > job.size:
                raise WitnessError(
                    f"it has co-signed {self._old} leaves, more than the {job.size} here: either"
                    " this log went back, or somebody else signs with its key",
                    refuses=True,
                )
        raise WitnessError("it names another size at each try")

    def _named(self, size: int) -> int:
        """Check the size that it says to have co-signed. Raises WitnessError."""
        known = self.found
        if known is not None and size < known.size:
            raise WitnessError(
                f"it has co-signed {known.size} leaves, and says {size}: it has lost its state, and"
                " its operator has to retire its key",
                refuses=True,
            )
        return size

    def _checked(self, job: _Job, body: bytes) -> _Found:
        """Return its co-signature in an answer. Raises TlogError."""
        for one in cosignatures(body):
            if (one.name, one.key_id) == (self.key.name, self.key.id):
                at = self.key.verify(job.note.text, one)
                if at is None or at > time.time() + AHEAD_SECONDS:
                    raise TlogError(f"its clock is ahead: it says {at}")
                return _Found(job.note.text, one, at, job.size)
        raise TlogError(f"it has not signed with {self.key}")


def _refusal(status: int, body: bytes) -> WitnessError:
    said = body[:200].decode(errors="replace").strip()
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        return WitnessError(f"it has seen another history of this log: {said}", refuses=True)
    if status == HTTPStatus.NOT_FOUND:
        return WitnessError("it does not know this log: give its operator the log's key")
    if status == HTTPStatus.FORBIDDEN:
        return WitnessError(f"it does not take this log's key: {said}")
    return WitnessError(f"it answers {status}: {said}")
