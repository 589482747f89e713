"""Follows logs to their new keys, which the old ones bind (``service.tlog.rotations``).

A log shows its rotations where the policy says that it is served. So whoever has only stolen a key
leads nobody to another one.
"""

from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import structlog

from service.outbound.asking import Asker, NoAnswerError
from service.outbound.targets import ANYWHERE, target_of
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm
from service.tlog.reading import ReadFile
from service.tlog.rotations import followed
from service.witnessing.witness import Witness

log = structlog.get_logger(__name__)

SECONDS = 10.0
"""Time limit for an answer."""
AT_ONCE = 16


class RotationCheck:
    """Asks the logs of a witness for their new keys."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._asker = Asker(ANYWHERE, SECONDS)

    def ask(self) -> None:
        """Ask those logs that sent what no known key has signed, or were not asked yet."""
        witness = self._witness
        origins = witness.unsigned | witness.unasked
        witness.unsigned -= origins
        places = {
            (key.name, url) for key, url in witness.policy.urls.items() if key.name in origins
        }
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _done in pool.map(lambda place: self._follow(*place), sorted(places)):
                continue

    def _follow(self, origin: str, url: str) -> None:
        known = self._witness.keys_of(origin)
        try:
            found = followed(known, self._reader(url))
        except TlogError as error:
            log.warning("rotations_unread", url=url, origin=origin, reason=str(error))
            return
        new = [key for key in found if key.algorithm is Algorithm.ED25519 and key not in known]
        if new:
            self._witness.follow(new)
            log.warning("log_has_new_keys", origin=origin, keys=[*map(str, new)])

    def _reader(self, url: str) -> ReadFile:
        def read(name: str, most: int) -> bytes | None:
            try:
                target = target_of(f"{url.rstrip('/')}/{name}", ANYWHERE)
                reply = self._asker.get(target, most + 1)
            except (NoAnswerError, ValueError) as error:
                raise TlogError(f"{name}: {error}") from None
            if reply.status == HTTPStatus.NOT_FOUND:
                return None
            if reply.status != HTTPStatus.OK:
                raise TlogError(f"{name}: {reply.status}")
            return reply.body

        return read
