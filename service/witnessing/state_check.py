"""Finds out at the start whether the state is older than what this witness has co-signed.

A state that was restored from a backup has forgotten co-signatures, and the witness could co-sign
a second history. Logs publish its co-signatures, and other witnesses may have seen them. Who shows
a newer one than the state has proves that the state is old. Who shows none proves nothing.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import NamedTuple

import structlog

from rules.kernel.record.instants import from_ms
from service.outbound.asking import MAX_BYTES, Asker, NoAnswerError
from service.outbound.targets import ANYWHERE, target_of
from service.tlog.checkpoints import open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.policies import TrustPolicy
from service.tlog.reading import CHECKPOINT
from service.tlog.submissions import checkpoint_path
from service.witnessing.errors import OldStateError
from service.witnessing.witness import Witness

log = structlog.get_logger(__name__)

SECONDS = 10.0
"""Time limit for an answer."""
AT_ONCE = 16


class _Place(NamedTuple):
    """An address that may show what was co-signed of the log ``origin``."""

    origin: str
    url: str
    is_log: bool


class StateCheck:
    """Asks others what a witness has co-signed."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._asker = Asker(ANYWHERE, SECONDS)
        self._left = [*dict.fromkeys(_places(witness.policy))]
        self._note_unasked()

    def ask(self) -> bool:
        """Ask those who have not answered yet; return whether all have.

        A log that does not answer is not co-signed until it does. Other witnesses may be away.

        Raises:
            OldStateError: somebody shows a newer co-signature than the state has.
        """
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = [*pool.map(self._answer, self._left)]
        left = []
        for place, answer in zip(self._left, answers, strict=True):
            if answer is None:
                left.append(place)
            elif answer:
                self._compare(place, answer)
        self._left = left
        self._note_unasked()
        return not left

    def _note_unasked(self) -> None:
        self._witness.unasked = {place.origin for place in self._left if place.is_log}

    def _answer(self, place: _Place) -> bytes | None:
        """Return the checkpoint at a place, b"" if there is none, None without an answer."""
        why = ""
        try:
            reply = self._asker.get(target_of(place.url, ANYWHERE), MAX_BYTES)
        except (NoAnswerError, ValueError) as error:
            why = str(error)
        else:
            if reply.status == HTTPStatus.NOT_FOUND:
                return b""
            if reply.status == HTTPStatus.OK:
                return reply.body
            why = f"{reply.status}"
        log.warning("not_asked", url=place.url, origin=place.origin, reason=why)
        return None

    def _compare(self, place: _Place, raw: bytes) -> None:
        witness = self._witness
        own, logs = witness.key.verifier, witness.keys_of(place.origin)
        try:
            shown, _note, seen = open_checkpoint(raw, logs, [own])
        except TlogError as error:
            log.warning("no_checkpoint", url=place.url, origin=place.origin, reason=str(error))
            return
        at, known = seen.get(own), witness.state.seen(place.origin)
        if at is None or (
            known is not None
            and at <= known.at
            and (shown.size < known.size or (shown.size, shown.root) == (known.size, known.root))
        ):
            return
        of = "nothing" if known is None else f"{known.size} at {from_ms(1000 * known.at)}"
        raise OldStateError(
            f"{place.url} shows that this witness has co-signed {shown.size} leaves of"
            f" {place.origin} at {from_ms(1000 * at)}, and its state knows of {of}: the state is an"
            " older one, with which it might co-sign a second history. Bring the newest state back."
            " If it is lost, retire the key: make another witness by `lonja witness new`, and tell"
            " those who trust the key."
        )


def _places(policy: TrustPolicy) -> Iterator[_Place]:
    for log_key in policy.logs:
        origin = log_key.name
        if log_key in policy.urls:
            yield _Place(origin, f"{policy.urls[log_key].rstrip('/')}/{CHECKPOINT}", is_log=True)
        for peer in policy.witnesses.values():
            if peer in policy.urls:
                url = policy.urls[peer].rstrip("/") + checkpoint_path(origin)
                yield _Place(origin, url, is_log=False)
