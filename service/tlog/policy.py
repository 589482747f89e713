"""Policies: whose signatures a checkpoint needs (c2sp.org/tlog-policy).

A file has lines ``log KEY [URL]``, ``witness NAME KEY [URL]``, ``group NAME K MEMBER…`` (or ``any``
or ``all`` for K) and one ``quorum NAME``. A group counts as one member of another group: so two
hosts of one operator count as one by ``group NAME any HOST HOST``.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from service.tlog.checkpoints import OpenedCheckpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey

NONE = "none"
"""The quorum that asks for no witness."""
MOST = 1_000
"""The largest number of lines; the standard asks for 96 definitions or more."""
_COUNT = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)


class Party(NamedTuple):
    """A log or a witness: its key, and where it is reached, if the policy says so."""

    key: VerifierKey
    url: str | None


class Group(NamedTuple):
    """A group has seen a checkpoint if ``needed`` of its ``members`` have."""

    needed: int
    members: Sequence[str]


class WitnessPolicy(NamedTuple):
    """The logs to accept, and the witnesses of whom the ``quorum`` must have co-signed.

    ``witnesses`` and ``groups`` are by their names in the policy. A group's members come before it.
    """

    logs: Sequence[Party]
    witnesses: Mapping[str, Party]
    groups: Mapping[str, Group]
    quorum: str

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        """Read the file of a policy.

        Raises:
            TlogError: it is none; the message names the line.
        """
        return cls(*_read(raw))

    @classmethod
    def of(cls, log: Iterable[VerifierKey], witnesses: Sequence[VerifierKey], needed: int) -> Self:
        """Return the policy that ``needed`` of these witnesses must have co-signed.

        Raises:
            TlogError: there are not so many witnesses.
        """
        lines = [f"log {key}" for key in log]
        names = [f"w{number}" for number in range(len(witnesses))]
        lines += (f"witness {name} {key}" for name, key in zip(names, witnesses, strict=True))
        if needed:
            lines += f"group all-witnesses {needed} {' '.join(names)}", "quorum all-witnesses"
        else:
            lines += (f"quorum {NONE}",)
        return cls.parse("\n".join(lines).encode())

    def is_met(self, seen: Collection[VerifierKey]) -> bool:
        """Whether the co-signatures of these witnesses are enough."""
        has = {NONE: True} | {name: one.key in seen for name, one in self.witnesses.items()}
        for name, group in self.groups.items():
            has[name] = sum(has[member] for member in group.members) >= group.needed
        return has[self.quorum]

    def open(self, raw: bytes) -> OpenedCheckpoint:
        """Return the checkpoint in a note, if the policy accepts it.

        Raises:
            TlogError: none of the logs has signed it, a signature is wrong, or too few witnesses
                have co-signed it.
        """
        witnesses = [one.key for one in self.witnesses.values()]
        opened = open_checkpoint(raw, [one.key for one in self.logs], witnesses)
        if not self.is_met(opened.seen):
            seen = [name for name, one in self.witnesses.items() if one.key in opened.seen]
            raise TlogError(
                f"the quorum {self.quorum!r:.80} has not seen the checkpoint of"
                f" {opened.checkpoint.size} leaves: {', '.join(seen) or 'no witness'} alone has"
            )
        return opened


def _read(raw: bytes) -> tuple[list[Party], dict[str, Party], dict[str, Group], str]:
    try:
        lines = raw.decode().split("\n")
    except UnicodeDecodeError:
        raise TlogError(f"{raw!r:.80} is no policy: it is not UTF-8") from None
    if len(lines) > MOST:
        raise TlogError(f"a policy has {len(lines)} lines, and {MOST} at most")
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.take(line)
        except TlogError as error:
            raise TlogError(f"line {number} of the policy: {error}") from None
    if reader.quorum is None:
        raise TlogError("a policy needs a line `quorum NAME`")
    return reader.logs, reader.witnesses, reader.groups, reader.quorum


class _Reader:
    """What the lines of a policy have defined so far."""

    def __init__(self) -> None:
        self.logs: list[Party] = []
        self.witnesses: dict[str, Party] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self._members: set[str] = set()

    def take(self, line: str) -> None:
        """Read a line; raises TlogError."""
        if any((char < " " and char != "\t") or char == "\x7f" for char in line):
            raise TlogError(f"{line!r:.200} has a control character")
        match [word for word in re.split(r"[ \t]+", line) if word]:
            case []:
                pass
            case [comment, *_] if comment.startswith("#"):
                pass
            case ["log", key, *url] if len(url) < 2:
                self.logs.append(_party(key, url, Algorithm.ED25519, self.logs))
            case ["witness", name, key, *url] if len(url) < 2:
                self._check_new(name)
                known = self.witnesses.values()
                self.witnesses[name] = _party(key, url, Algorithm.COSIGNATURE_V1, known)
            case ["group", name, needed, *members] if members:
                self._check_new(name)
                self._check_members(members)
                self.groups[name] = Group(_needed(needed, len(members)), members)
            case ["quorum", name]:
                if self.quorum is not None:
                    raise TlogError(f"{name!r:.80} is a second quorum, after {self.quorum!r:.80}")
                if name != NONE:
                    self._check_known(name)
                self.quorum = name
            case _:
                raise TlogError(f"{line!r:.200} defines nothing")

    def _check_new(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            raise TlogError(f"{name!r:.80} has a meaning already")

    def _check_known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise TlogError(f"{name!r:.80} is defined on no line before")

    def _check_members(self, members: Sequence[str]) -> None:
        for member in members:
            self._check_known(member)
            if member in self._members:
                raise TlogError(f"{member!r:.80} is a member already, and would count twice")
            self._members.add(member)


def _party(key: str, url: Sequence[str], algorithm: Algorithm, known: Iterable[Party]) -> Party:
    parsed = VerifierKey.parse(key)
    if parsed.algorithm is not algorithm:
        raise TlogError(
            f"{key!r:.200} has the type {parsed.algorithm:#04x}, and needs {algorithm:#04x} here"
        )
    if any(parsed.public_key == one.key.public_key for one in known):
        raise TlogError(f"{key!r:.200} is the same key as one before")
    return Party(parsed, url[0] if url else None)


def _needed(word: str, members: int) -> int:
    needed = {"any": 1, "all": members}.get(word)
    if needed is None and _COUNT.fullmatch(word):
        needed = int(word)
    if needed is None or needed > members:
        raise TlogError(f"{word!r:.80} is no number of {members} members")
    return needed
