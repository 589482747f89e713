"""Notes: text that is signed by one or more keys (c2sp.org/signed-note)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from service.tlog.errors import TlogError
from service.tlog.keys import KEY_ID_BYTES, Signature, VerifierKey, from_base64, is_name

MOST_BYTES = 1 << 18
MOST_SIGNATURES = 100
"""Most bytes and signatures of a note that is read; the standard asks for 16 signatures or more."""


class Note(NamedTuple):
    """A text that ends with a line feed, and its signatures, of which nothing is known yet."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        """Read a note.

        Raises:
            TlogError: it is none, or larger than the bounds of this module.
        """
        if len(raw) > MOST_BYTES:
            raise TlogError(f"a note has {len(raw)} bytes, and {MOST_BYTES} are the most")
        try:
            whole = raw.decode()
        except UnicodeDecodeError:
            raise TlogError(f"{raw!r:.80} is no note: it is not UTF-8") from None
        control = next((char for char in whole if char < " " and char != "\n"), None)
        if control is not None:
            raise TlogError(f"{whole!r:.80} is no note: it has the character {control!r}")
        text, blank, signatures = whole.rpartition("\n\n")
        if not blank or not signatures.endswith("\n"):
            raise TlogError(f"{whole!r:.80} is no note: no signatures follow an empty line")
        lines = signatures[:-1].split("\n")
        if len(lines) > MOST_SIGNATURES:
            raise TlogError(f"a note has {len(lines)} signatures, and {MOST_SIGNATURES} at most")
        return cls(text + "\n", tuple(map(parse_signature, lines)))

    def __bytes__(self) -> bytes:
        return "".join([self.text, "\n", *(one.line for one in self.signatures)]).encode()

    def verify(self, keys: Iterable[VerifierKey]) -> Mapping[VerifierKey, int | None]:
        """Return those of ``keys`` that have signed, with the times of co-signatures (seconds).

        Signatures by other keys are ignored. If a key has co-signed more than once, its first time
        counts: since then it has known the text.

        Raises:
            TlogError: none of the keys has signed, or a signature by one of them is wrong.
        """
        known = {(key.name, key.id): key for key in keys}
        signed: dict[VerifierKey, int | None] = {}
        for one in self.signatures:
            key = known.get((one.name, one.key_id))
            if key is not None:
                at = key.verify(self.text, one)
                before = signed.get(key)
                signed[key] = at if at is None or before is None else min(at, before)
        if not signed:
            names = ", ".join(str(key) for key in known.values()) or "no key"
            raise TlogError(f"the note is not signed by {names}")
        return signed


def parse_signature(line: str) -> Signature:
    """Read the line of a signature, without its line feed.

    Raises:
        TlogError: it is none.
    """
    dash, name, encoded = [*line.split(" ", 2), "", ""][:3]
    if dash != "—" or not is_name(name):
        raise TlogError(f"{line!r:.200} is no signature of a note")
    raw = from_base64(encoded)
    if len(raw) <= KEY_ID_BYTES:
        raise TlogError(f"{line!r:.200} has the id of a key and no signature")
    return Signature(name, raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:])
