"""One run of an audit: the log first, then what the service says of what is in it."""

import time
from collections.abc import Callable, Sequence

from rich.progress import Progress

from service.auditing.book import Book
from service.auditing.findings import AuditError
from service.auditing.follow import LogStatus, follow_log
from service.auditing.state import State
from service.auditing.tree import Tree
from service.auditing.witnesses import add_cosignatures, is_witnessed
from service.cli.audit.asking import Service
from service.cli.audit.inquiry import Inquiry
from service.tlog.checkpoints import OpenedCheckpoint
from service.tlog.policies import TrustPolicy
from service.tlog.reading import ReadFile

_POLL_SECONDS = 2.0


class Run:
    """The work on one log. Everything that is learnt is remembered at once."""

    def __init__(
        self,
        state: State,
        book: Book,
        read: ReadFile,
        newest: Callable[[], OpenedCheckpoint],
        policy: TrustPolicy | None = None,
    ) -> None:
        """``newest`` reads the log's checkpoint; it raises TlogError.

        ``policy`` says whose co-signatures the checkpoints must have.
        """
        self._state = state
        self._book = book
        self._read = read
        self._newest = newest
        self._policy = policy
        self.followed: LogStatus | None = None
        self.silent = ""
        """Why the service does not answer."""

    def follow(self, progress: Progress) -> bool:
        """Follow the log to its newest checkpoint; False if that is impossible.

        Raises TlogError: there is no signed checkpoint.
        """
        opened = self._newest()
        known = self._state.known("origin")
        origin = opened.checkpoint.origin
        if known not in (None, origin):
            raise WrongLogError(known)
        self._state.know(origin=origin)
        task = progress.add_task("Reading the log", total=opened.checkpoint.size)
        try:
            self.followed = follow_log(
                self._state,
                opened,
                self._read,
                self._book,
                lambda done: progress.update(task, completed=done),
            )
        except AuditError as error:
            self._book.note(error.finding)
            return False
        progress.update(task, completed=opened.checkpoint.size)
        self._add_cosignatures(opened)
        return not self.followed.is_older

    def _add_cosignatures(self, opened: OpenedCheckpoint) -> None:
        if self._policy is not None:
            add_cosignatures(self._state, opened, self._policy)

    def await_quorum(self, seconds: float, progress: Progress) -> bool:
        """Wait until the newest checkpoint has the policy's quorum, at most ``seconds``.

        Witnesses may co-sign a checkpoint after it is published. Return False if the log cannot be
        followed any more. Raises TlogError.
        """
        if self._policy is None:
            return True
        ends = time.time() + seconds
        task = progress.add_task("Waiting for witnesses", total=None)
        while not is_witnessed(Tree(self._state), self._policy):
            if time.time() >= ends:
                break
            time.sleep(_POLL_SECONDS)
            opened = self._newest()
            if opened.checkpoint.size > Tree(self._state).size and not self.follow(progress):
                return False
            self._add_cosignatures(opened)
        progress.remove_task(task)
        return True

    def compare(self, seen: Sequence[tuple[str, OpenedCheckpoint]]) -> list[str]:
        """Compare with checkpoints that others have seen; return those that are newer than ours."""
        tree, newer = Tree(self._state), []
        for name, opened in seen:
            if opened.checkpoint.size > tree.size:
                newer.append(name)
                continue
            try:
                tree.compare(opened.checkpoint, bytes(opened.note))
            except AuditError as error:
                self._book.note(error.finding)
        return newer

    def ask(
        self,
        service: Service,
        public_key: str | None,
        wait: float,
        progress: Progress,
        *,
        with_records: bool,
    ) -> None:
        """Ask the service for the fate of every id, and for the records.

        What may still be a loss that the log confesses is asked again after the next checkpoint, at
        most ``wait`` seconds later.
        """
        inquiry = self._inquiry(service, public_key, progress)
        doubts = inquiry.all(with_records=with_records)
        if doubts:
            self._wait(wait, progress)
            if not self.follow(progress):
                return
            inquiry = self._inquiry(service, public_key, progress)
            doubts = inquiry.again(doubts)
        for doubt in doubts.values():
            self._book.note(doubt.finding, record=doubt.record)
        self.silent = inquiry.silent

    def _inquiry(self, service: Service, public_key: str | None, progress: Progress) -> Inquiry:
        at = self.followed and self.followed.at
        return Inquiry(self._state, service, at or 0, public_key, progress)

    def _wait(self, seconds: float, progress: Progress) -> None:
        """Wait for a checkpoint that is signed after now."""
        now = time.time()
        task = progress.add_task("Waiting for the next checkpoint", total=None)
        while time.time() < now + seconds:
            if min(self._newest().seen.values(), default=0) > now:
                break
            time.sleep(_POLL_SECONDS)
        progress.remove_task(task)


class WrongLogError(Exception):
    """The memory is of another log, the name of which is the message."""
