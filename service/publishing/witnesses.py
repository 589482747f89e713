"""The witnesses of this log: their co-signatures of its newest tree, and figures of them.

The figures are in the store for whoever watches the service; nothing is decided by them.
"""

import time
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from service.outbound.targets import ANYWHERE, target_of
from service.publishing.collector import Collector
from service.publishing.folder import LogFolder
from service.publishing.tree import SignedTree
from service.redis.keys import meta_key
from service.tlog.errors import TlogError
from service.tlog.merkle import consistency_proof
from service.tlog.notes import Note
from service.tlog.policies import TrustPolicy
from service.tlog.tiles import nodes_of

WITNESSES = meta_key("public_log_witnesses")
"""The figures of the witnesses, as JSON."""
WAIT_SECONDS = 5.0
"""Time that a checkpoint waits for witnesses, of which all have answered before, at most."""


class WitnessFigures(NamedTuple):
    """One witness: its last co-signature (seconds since 1970), and why it lacks the newest one.

    ``why`` is "" if it does not; ``refuses`` is whether it says that this log has two histories, or
    has lost its own state.
    """

    name: str
    at: int | None
    size: int | None
    why: str
    refuses: bool


class WitnessedFigures(NamedTuple):
    """All witnesses; and since when (seconds since 1970) the newest tree lacks the quorum.

    ``since`` is None if it has it, or if no quorum is asked for.
    """

    witnesses: tuple[WitnessFigures, ...]
    since: int | None

    @classmethod
    def read(cls, redis: Redis) -> Self | None:
        """Return what the process that builds has told last; None without witnesses."""
        found: Any = redis.get(WITNESSES)
        if found is None:
            return None
        told = orjson.loads(found)
        return cls(tuple(WitnessFigures(*one) for one in told["witnesses"]), told["since"])


class Witnesses:
    """The witnesses of the log in ``folder``."""

    def __init__(self, policy: TrustPolicy, folder: LogFolder, redis: Redis) -> None:
        """Raises TlogError: a witness has no URL, or is the log itself."""
        own = {key.public_key for key in folder.signer.verifiers}
        for name, key in policy.witnesses.items():
            if key.public_key in own:
                raise TlogError(f"the witness {name!r:.80} has a key of the log itself")
            url = policy.urls.get(key)
            if url is None:
                raise TlogError(f"the witness {name!r:.80} has no URL")
            try:
                target_of(url, ANYWHERE)
            except ValueError as error:
                raise TlogError(f"the URL of the witness {name!r:.80} has to be {error}") from None
        self._policy = policy
        self._folder = folder
        self._redis = redis
        self._collector = Collector(policy, self._prove)
        self._published: Note | None = None
        self._since: int | None = int(time.time())
        self._told = b""

    def close(self) -> None:
        """Ask nobody any more."""
        self._collector.close()

    def cosigned(self, signed: SignedTree) -> bytes:
        """Return the checkpoint of the newest tree, with the co-signatures that come in time."""
        note = Note.parse(signed.note)
        self._collector.ask(note, signed.size)
        self._collector.wait(WAIT_SECONDS)
        return self._publishing(note)

    def resume(self, known: SignedTree, published: bytes | None) -> None:
        """Ask for co-signatures of the newest tree, and take over those in its checkpoint."""
        note = Note.parse(known.note)
        if published is not None:
            self._published = Note.parse(published)
            self._collector.know(self._published, known.size)
        self._collector.ask(note, known.size)

    def more(self, known: SignedTree) -> bytes | None:
        """Return the checkpoint with the co-signatures that there are; None if it is published."""
        note = self._collector.cosigned(Note.parse(known.note))
        if note == self._published:
            self._tell(note)
            return None
        return self._publishing(Note.parse(known.note))

    def _publishing(self, note: Note) -> bytes:
        self._published = self._collector.cosigned(note)
        self._tell(self._published)
        return bytes(self._published)

    def _tell(self, note: Note) -> None:
        """Let the store have the newest figures, if they are others."""
        if self._policy.met_at(self._collector.seen(note.text)) is not None:
            self._since = None
        elif self._since is None:
            self._since = int(time.time())
        states = [[*one] for one in self._collector.states()]
        told = orjson.dumps({"witnesses": states, "since": self._since})
        if told != self._told:
            self._redis.set(WITNESSES, told)
            self._told = told

    def _prove(self, old: int, new: int) -> list[bytes]:
        return consistency_proof(old, new, nodes_of(new, self._folder.tile))
