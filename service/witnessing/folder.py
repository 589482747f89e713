"""The folder of a witness.

- ``key`` has the private key, of which there must be one copy in use.
- ``policy`` has the logs that may be co-signed and perhaps other witnesses, as in
  c2sp.org/tlog-policy. People write it.
- ``state`` is what was co-signed (``service.witnessing.state``).
"""

import os
import stat
from pathlib import Path

from service.process.disk import appearing
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm
from service.tlog.policies import MOST_BYTES, TrustPolicy
from service.tlog.private_keys import SigningKey
from service.witnessing.errors import UnusableError
from service.witnessing.state import StateFile

_POLICY = """\
# The logs that this witness co-signs, one in a line, in the form of c2sp.org/tlog-policy:
#
#   log VKEY URL
#
# VKEY is the key of the log's signature (`lonja log key` prints it first), and URL the address at
# which the log is served: there the witness looks at its start for what it has co-signed. Another
# witness, which is asked for the same, has a line `witness NAME VKEY URL`.

quorum none
"""


class WitnessFolder:
    """The files of the witness in the folder ``path``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.policy_file, self._key, self._state = (
            path / name for name in ("policy", "key", "state")
        )

    def make(self, name: str) -> SigningKey:
        """Make the folder, with a new key called ``name``; return the key.

        Raises:
            UnusableError: the folder has a witness, or no key may have this name.
            OSError: it cannot be written.
        """
        for path in (self._key, self._state):
            if path.exists():
                raise UnusableError(
                    f"{path} is there: a key that has co-signed must never begin anew. Name another"
                    " folder for another witness."
                )
        try:
            key = SigningKey.generate(name, Algorithm.COSIGNATURE_V1)
        except TlogError as error:
            raise UnusableError(f"{error}.") from None
        self.path.mkdir(parents=True, exist_ok=True)
        if not self.policy_file.exists():
            with appearing(self.policy_file) as file:
                file.write(_POLICY.encode())
        StateFile.make(self._state, key.verifier)
        with appearing(self._key, 0o600) as file:
            file.write(f"{key.dump()}\n".encode())
        return key

    def key(self) -> SigningKey:
        """Return the key. Raises UnusableError: it is missing, damaged or open to others."""
        _need_own(self._key, stat.S_IRWXG | stat.S_IRWXO)
        try:
            key = SigningKey.parse(self._key.read_text().removesuffix("\n"))
        except (TlogError, UnicodeDecodeError):
            raise UnusableError(f"{self._key} is no private key: restore it.") from None
        if key.algorithm is not Algorithm.COSIGNATURE_V1:
            raise UnusableError(f"{self._key} is a key of a log, and not of a witness.")
        return key

    def policy(self) -> TrustPolicy:
        """Return the policy. Raises UnusableError: it cannot be read, or anybody can write it."""
        _need_own(self.policy_file, stat.S_IWGRP | stat.S_IWOTH)
        try:
            with self.policy_file.open("rb") as file:
                policy = TrustPolicy.parse(file.read(MOST_BYTES + 1))
        except TlogError as error:
            raise UnusableError(f"{self.policy_file} cannot be read: {error}.") from None
        own = self.key().verifier.public_key
        for key in (*policy.logs, *policy.witnesses.values()):
            if key.public_key == own:
                raise UnusableError(
                    f"{self.policy_file} names this witness's own key, {key}: take the line out."
                )
        return policy

    def state(self) -> StateFile:
        """Open the state.

        Raises:
            UnusableError: it is missing, of another key, or others can write it.
        """
        if not self._state.exists():
            raise UnusableError(
                f"{self._state} is missing: without it this witness does not know what it has"
                " co-signed, and might co-sign a second history. Bring the newest one back. If it"
                " is lost, retire the key: make another witness by `lonja witness new`, and tell"
                " those who trust the key."
            )
        _need_own(self._state, stat.S_IWGRP | stat.S_IWOTH)
        return StateFile(self._state, self.key().verifier)


def _need_own(path: Path, forbidden: int) -> None:
    """Raise UnusableError if a file is missing, of another user, or open to others."""
    try:
        found = path.stat()
    except FileNotFoundError:
        raise UnusableError(
            f"{path} is missing: `lonja witness new` makes the folder of a witness."
        ) from None
    if found.st_uid not in (os.geteuid(), 0) or found.st_mode & forbidden:
        raise UnusableError(
            f"{path} is open to others (mode {stat.S_IMODE(found.st_mode):04o}): it has to belong"
            f" to this user, with a mode such as {_mode(forbidden):04o}."
        )


def _mode(forbidden: int) -> int:
    return 0o600 if forbidden & stat.S_IRGRP else 0o644
