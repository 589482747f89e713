"""Keeps receipts, and compares events with them.

The hashes of events are enough to show that the service tells one history. To check that the
service signed a receipt, ``cryptography`` must be installed (the extra ``signatures``).
"""

import hashlib
import json
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lonja_client.answers import Event, Receipt
from lonja_client.errors import Contradiction, LonjaError

_LOG = logging.getLogger("lonja_client")
_CHAINED = ("seq", "kind", "by", "at", "last", "parts", "state_proof")

_PRIME = (1 << 255) - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset((0, 1, _ORDER_8, _PRIME - _ORDER_8, _PRIME - 1, _PRIME, _PRIME + 1))
"""The y-coordinates of the points of small order, in all their encodings."""


class CheckResult(NamedTuple):
    """How many events were checked, how many receipts fit, and how many signatures are valid."""

    events: int
    receipts: int
    signatures: int


class BadSignature(LonjaError):
    """None of the trusted keys has signed ``receipt``."""

    def __init__(self, why: str, receipt: Receipt) -> None:
        super().__init__(f"the receipt of event {receipt['seq']} of {receipt['game_id']} {why}")
        self.receipt = receipt


class BrokenChain(LonjaError):
    """``event`` does not follow from the event before."""

    def __init__(self, game_id: str, event: Event) -> None:
        super().__init__(f"event {event['seq']} of {game_id} does not follow from the one before")
        self.event = event


class Receipts:
    """The receipts of one game.

    If there is a ``file``, the receipts are kept in it; otherwise they are only in memory.
    """

    def __init__(
        self, game_id: str, file: Path | None = None, warn: Callable[[str], None] = _LOG.warning
    ) -> None:
        """Read the receipts in ``file``; ``warn`` gets a message if the file cannot be written.

        Raises OSError: the file cannot be read.
        """
        self._game_id = game_id
        self._file = file
        self._warn = warn
        self._kept: dict[int, Receipt] = {}
        self._lost: list[Receipt] = []
        self._seen: tuple[int, str] | None = None
        text = file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
        self._torn = bool(text) and not text.endswith("\n")
        """Whether the last line is incomplete, because a crash cut it."""
        for line in text.splitlines():
            with suppress(json.JSONDecodeError):
                self._take(json.loads(line))

    def __iter__(self) -> Iterator[Receipt]:
        """Yield the receipts in the order of their events."""
        return iter([self._kept[seq] for seq in sorted(self._kept)])

    def __len__(self) -> int:
        """Return the number of receipts."""
        return len(self._kept)

    @property
    def head(self) -> str | None:
        """The hash of the newest event that was compared; None if there was none."""
        return None if self._seen is None else self._seen[1]

    def keep(self, receipt: Receipt) -> None:
        """Keep a receipt.

        Raises Contradiction: another receipt of the same event has another hash; both are kept.
        """
        other = self._kept.get(receipt["seq"])
        self._take(receipt)
        self._seen = max(self._seen or (0, ""), (receipt["seq"], receipt["hash"]))
        if receipt != other and self._file is not None:
            try:
                self._write(self._file, receipt)
            except OSError as error:  # only warn, because the request itself has succeeded
                self._warn(f"{self._file}: {error.strerror}")
        if other is not None:
            _hold(other, receipt)

    def compare(self, event: Mapping[str, Any]) -> None:
        """Compare an event, a head or a receipt with the receipt of the same number.

        Raises Contradiction.
        """
        kept = self._kept.get(event["seq"])
        if kept is not None:
            _hold(kept, event)
        if "hash" in event:  # which not every service of the standard sends
            self._seen = max(self._seen or (0, ""), (event["seq"], event["hash"]))

    def rewind(self, version: int) -> list[Receipt]:
        """Set aside the receipts after ``version``, whose events the service has lost; return them.

        After that, only ``check`` uses them.
        """
        self._seen = None
        lost = [self._kept.pop(seq) for seq in sorted(self._kept) if seq > version]
        self._lost += lost
        return lost

    def check(
        self, events: Iterable[Event], head: Receipt, trusted: Mapping[str, str] | None
    ) -> CheckResult:
        """Compare all receipts with the whole log and its head.

        ``trusted`` maps the ids of public keys to the keys, both in hex. If ``trusted`` is None, no
        signature is checked.

        Raises:
            Contradiction: the hash of an event differs from the hash in its receipt, or the log
                ends before an event that has a receipt.
            BrokenChain: an event does not follow from the one before.
            BadSignature: none of the ``trusted`` keys has signed a receipt.
        """
        last: Mapping[str, Any] = {"seq": 0, "hash": _genesis(self._game_id)}
        acknowledged = sorted([*self, *self._lost], key=lambda receipt: receipt["seq"])
        held = deque(acknowledged)
        for event in events:
            if event["hash"] != _follows(last["hash"], event):
                raise BrokenChain(self._game_id, event)
            while held and held[0]["seq"] == event["seq"]:
                _hold(held.popleft(), event)
            if event["seq"] == head["seq"] and event["hash"] != head["hash"]:
                raise Contradiction("the head is of another history", head, event)
            last = event
        if held:
            raise Contradiction("the log has lost what was acknowledged", held[0], last)
        signed = [*acknowledged, head] if trusted is not None else []
        for receipt in signed:
            _check_signature(receipt, trusted or {})
        return CheckResult(last["seq"], len(acknowledged), len(signed))

    def _write(self, path: Path, receipt: Receipt) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" * self._torn + json.dumps(receipt) + "\n")
        self._torn = False

    def _take(self, receipt: Receipt) -> None:
        """Take a receipt instead of an earlier receipt with the same number.

        If the two receipts have different histories, the earlier receipt is set aside.
        """
        other = self._kept.get(receipt["seq"])
        if other is not None and other["hash"] != receipt["hash"]:
            self._lost.append(other)
        self._kept[receipt["seq"]] = receipt


def _hold(receipt: Receipt, found: Mapping[str, Any]) -> None:
    """Compare a receipt with ``found``, which has the same number. Raises Contradiction."""
    if receipt["hash"] != found["hash"]:
        raise Contradiction("two histories", receipt, found)


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value from an answer (docs/format.md, "Canonical JSON")."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _genesis(game_id: str) -> str:
    return hashlib.sha256(canonical(["lonja/2", "genesis", game_id])).hexdigest()


def _follows(before: str, event: Mapping[str, Any]) -> str:
    """Return the hash of an event whose predecessor has the hash ``before``."""
    header = canonical({name: event[name] for name in _CHAINED})
    return hashlib.sha256(bytes.fromhex(before) + header).hexdigest()


def _check_signature(receipt: Receipt, trusted: Mapping[str, str]) -> None:
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    except ImportError:
        raise LonjaError("to check signatures, install lonja-client[signatures]") from None
    key = trusted.get(receipt["key_id"])
    if key is None:
        raise BadSignature(f"names the key {receipt['key_id']}, which is not trusted", receipt)
    if _is_weak(bytes.fromhex(key)):
        why = f"names the key {receipt['key_id']}, for which anybody can sign"
        raise BadSignature(why, receipt)
    signed = {name: value for name, value in receipt.items() if name != "sig"}
    said = canonical(["lonja/2", "receipt", signed])
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(receipt["sig"]), said
        )
    except (InvalidSignature, ValueError):
        raise BadSignature("has a signature that does not hold", receipt) from None


def _is_weak(key: bytes) -> bool:
    """Whether a key is a point of small order (RFC 8032, 5.1.3)."""
    return int.from_bytes(key, "little") % (1 << 255) in _SMALL_ORDER
