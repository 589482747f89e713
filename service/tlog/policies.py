"""Policies: known logs, and whose co-signatures a checkpoint needs (c2sp.org/tlog-policy).

A policy lets several hosts of one operator count as one: they are a group of which ``any`` counts.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey

MOST_BYTES = 1 << 18
"""Maximum number of bytes of a policy that is read."""
_NONE = "none"
_CONTROL = re.compile(rb"[^\t\n\x20-\x7e\x80-\xff]")
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


class Group(NamedTuple):
    """A group of witnesses and groups, by their names, of which ``least`` have to co-sign."""

    least: int
    members: tuple[str, ...]


class TrustPolicy(NamedTuple):
    """The keys of logs; the keys of witnesses and their groups, by name; and the quorum's name.

    ``groups`` are in an order in which each has only members that are before it. ``urls`` has the
    addresses of logs and witnesses that have one. ``quorum`` is None if none need co-sign.
    """

    logs: tuple[VerifierKey, ...]
    witnesses: Mapping[str, VerifierKey]
    groups: Mapping[str, Group]
    quorum: str | None
    urls: Mapping[VerifierKey, str]

    @classmethod
    def parse(cls, raw: bytes) -> "TrustPolicy":
        """Read the file of a policy.

        Raises:
            TlogError: it is none, or has a key of a type that is not known here; the message names
                the line.
        """
        return _Reader().read(raw)

    @classmethod
    def of(cls, keys: Sequence[VerifierKey], quorum: int) -> "TrustPolicy":
        """Return the policy by which any ``quorum`` of these witnesses have to co-sign.

        Raises:
            TlogError: there are fewer keys, one is there twice, or is not of a witness.
        """
        reader = _Reader()
        for number, key in enumerate(keys, 1):
            reader.add_witness(f"{number}", key)
        if not 0 < quorum <= len(keys):
            raise TlogError(f"of {len(keys)} witnesses, {quorum} cannot be the quorum")
        names = tuple(reader.witnesses)
        return cls((), reader.witnesses, {"quorum": Group(quorum, names)}, "quorum", {})

    def is_met(self, seen: Collection[VerifierKey]) -> bool:
        """Whether a checkpoint that the keys ``seen`` have co-signed has its quorum."""
        met = {name for name, key in self.witnesses.items() if key in seen}
        for name, group in self.groups.items():
            if sum(member in met for member in group.members) >= group.least:
                met.add(name)
        return self.quorum is None or self.quorum in met

    def met_at(self, seen: Mapping[VerifierKey, int]) -> int | None:
        """Return the first time at which the quorum had seen a checkpoint; None if it has not.

        ``seen`` has the times of co-signatures (seconds since 1970). Without a quorum, that is 0.
        """
        if self.quorum is None:
            return 0
        for at in sorted({*seen.values()}):
            if self.is_met({key for key, time in seen.items() if time <= at}):
                return at
        return None

    def logs_of(self, origin: str) -> tuple[VerifierKey, ...]:
        """Return the keys of the log with this origin."""
        return tuple(key for key in self.logs if key.name == origin)


class _Reader:
    """Reads the lines of a policy."""

    def __init__(self) -> None:
        self.logs: list[VerifierKey] = []
        self.witnesses: dict[str, VerifierKey] = {}
        self.groups: dict[str, Group] = {}
        self.urls: dict[VerifierKey, str] = {}
        self._quorum: str | None = None
        self._keys: set[bytes] = set()
        """The public keys of logs and witnesses: an operator must not be the log's own witness."""
        self._members: set[str] = set()

    def read(self, raw: bytes) -> TrustPolicy:
        """Read a file. Raises TlogError."""
        if len(raw) > MOST_BYTES:
            raise TlogError(f"a policy has {len(raw)} bytes, and {MOST_BYTES} are the most")
        for number, line in enumerate(raw.split(b"\n"), 1):
            try:
                self._line(line)
            except TlogError as error:
                raise TlogError(f"line {number}: {error}") from None
        if self._quorum is None:
            raise TlogError("there is no line `quorum`")
        quorum = None if self._quorum == _NONE else self._quorum
        return TrustPolicy(tuple(self.logs), self.witnesses, self.groups, quorum, self.urls)

    def _line(self, line: bytes) -> None:
        if _CONTROL.search(line):
            raise TlogError(f"{line!r:.80} has a control character")
        # Names may have any bytes; those that are no UTF-8 are shown escaped.
        word, *more = [each.decode(errors="backslashreplace") for each in line.split()] or ["#"]
        if word.startswith("#"):
            return
        if word == "log" and len(more) in (1, 2):
            self._add_log(*more)
        elif word == "witness" and len(more) in (2, 3):
            name, key, *url = more
            self.add_witness(name, VerifierKey.parse(key), *url)
        elif word == "group" and len(more) > 2:
            self._add_group(*more)
        elif word == "quorum" and len(more) == 1 and self._quorum is None:
            self._quorum = more[0] if more[0] == _NONE else self._known(more[0])
        else:
            raise TlogError(f"{' '.join((word, *more))!r:.200} is no line of a policy")

    def _add_log(self, text: str, url: str | None = None) -> None:
        key = VerifierKey.parse(text)
        self._add_key(key, Algorithm.ED25519, url)
        self.logs.append(key)

    def add_witness(self, name: str, key: VerifierKey, url: str | None = None) -> None:
        """Add a witness. Raises TlogError."""
        self._need_new(name)
        self._add_key(key, Algorithm.COSIGNATURE_V1, url)
        self.witnesses[name] = key

    def _add_group(self, name: str, rule: str, *members: str) -> None:
        self._need_new(name)
        least = {"any": 1, "all": len(members)}.get(rule, 0)
        if not least and _NUMBER.fullmatch(rule):
            least = int(rule)
        if not 0 < least <= len(members):
            raise TlogError(f"{rule!r:.80} is not `any`, `all`, or a number up to {len(members)}")
        for member in members:
            if self._known(member) in self._members:
                raise TlogError(f"{member!r:.80} is a member of two groups, or twice of one")
            self._members.add(member)
        self.groups[name] = Group(least, members)

    def _add_key(self, key: VerifierKey, algorithm: Algorithm, url: str | None) -> None:
        if key.algorithm is not algorithm:
            whose = "a log" if algorithm is Algorithm.ED25519 else "a witness"
            raise TlogError(f"{key} is not a key of {whose}")
        if key.public_key in self._keys:
            raise TlogError(f"{key} is there twice: a key counts once, and a log's is no witness's")
        self._keys.add(key.public_key)
        if url is not None:
            self.urls[key] = url

    def _need_new(self, name: str) -> None:
        if name == _NONE or name in self._names():
            raise TlogError(f"the name {name!r:.80} is taken")

    def _known(self, name: str) -> str:
        if name not in self._names():
            raise TlogError(f"no line above names {name!r:.80}")
        return name

    def _names(self) -> Iterable[str]:
        return {*self.witnesses, *self.groups}
