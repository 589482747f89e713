"""Receipts that are kept, and what is held against them.

That the service tells one history takes hashes alone. Whether it signed a receipt is for a third
one to judge, and for whoever has ``cryptography`` installed (the extra ``signatures``).
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
_SIGNED = ("game_id", "seq", "hash", "at", "request", "idempotency_key", "key_id")


class CheckResult(NamedTuple):
    """What was found right: so many events, receipts that fit, and signatures that hold."""

    events: int
    receipts: int
    signatures: int


class BadSignature(LonjaError):
    """A receipt is not signed by a key that is trusted; ``receipt`` is the one."""

    def __init__(self, why: str, receipt: Receipt) -> None:
        super().__init__(f"the receipt of event {receipt['seq']} of {receipt['game_id']} {why}")
        self.receipt = receipt


class BrokenChain(LonjaError):
    """An event does not follow from the one before; ``event`` is the one."""

    def __init__(self, game_id: str, event: Event) -> None:
        super().__init__(f"event {event['seq']} of {game_id} does not follow from the one before")
        self.event = event


class Receipts:
    """The receipts of one game, by the number of their event; in a file, if there is a place."""

    def __init__(
        self, game_id: str, file: Path | None = None, warn: Callable[[str], None] = _LOG.warning
    ) -> None:
        """What the file has is read; raises OSError. ``warn`` is told why it takes no more."""
        self._game_id = game_id
        self._file = file
        self._warn = warn
        self._kept: dict[int, Receipt] = {}
        self._lost: list[Receipt] = []
        text = file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
        self._torn = bool(text) and not text.endswith("\n")
        """Whether a crash cut the last line."""
        for line in text.splitlines():
            with suppress(json.JSONDecodeError):
                self._take(json.loads(line))

    def __iter__(self) -> Iterator[Receipt]:
        """Yield the receipts in the order of their events."""
        return iter([self._kept[seq] for seq in sorted(self._kept)])

    def __len__(self) -> int:
        """Return the number of receipts."""
        return len(self._kept)

    def keep(self, receipt: Receipt) -> None:
        """Keep a receipt.

        Raises Contradiction: there is another of the same event, and both are kept.
        """
        other = self._kept.get(receipt["seq"])
        self._take(receipt)
        if receipt != other and self._file is not None:
            try:
                self._write(self._file, receipt)
            except OSError as error:  # what it acknowledges is done all the same
                self._warn(f"{self._file}: {error.strerror}")
        if other is not None:
            _hold(other, receipt)

    def compare(self, event: Mapping[str, Any]) -> None:
        """Hold an event, a head or a receipt against the receipt of its number.

        Raises Contradiction.
        """
        kept = self._kept.get(event["seq"])
        if kept is not None:
            _hold(kept, event)

    def rewind(self, version: int) -> list[Receipt]:
        """Set aside what the service says it has lost; return the receipts after a version.

        Nothing but ``check`` is held against them any more.
        """
        lost = [self._kept.pop(seq) for seq in sorted(self._kept) if seq > version]
        self._lost += lost
        return lost

    def check(
        self, events: Iterable[Event], head: Receipt, trusted: Mapping[str, str] | None
    ) -> CheckResult:
        """Hold all receipts against the whole log and its head.

        ``trusted`` are public keys by their ids, both in hex.

        Raises:
            Contradiction: an event has another hash, or the log ends before a receipt.
            BrokenChain: an event does not follow from the one before.
            BadSignature: with ``trusted``, a receipt that none of these has signed.

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
        """Take a receipt, and set aside one of the same event and another history."""
        other = self._kept.get(receipt["seq"])
        if other is not None and other["hash"] != receipt["hash"]:
            self._lost.append(other)
        self._kept[receipt["seq"]] = receipt


def _hold(receipt: Receipt, found: Mapping[str, Any]) -> None:
    """Hold a receipt against what was found in its place. Raises Contradiction."""
    if receipt["hash"] != found["hash"]:
        raise Contradiction("two histories", receipt, found)


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _genesis(game_id: str) -> str:
    return hashlib.sha256(_canonical(["lonja/2", "genesis", game_id])).hexdigest()


def _follows(before: str, event: Mapping[str, Any]) -> str:
    """Return the hash that an event has after one with the hash ``before``."""
    header = _canonical({name: event[name] for name in _CHAINED})
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
    fields: Mapping[str, Any] = receipt
    said = _canonical(["lonja/2", "receipt", {name: fields[name] for name in _SIGNED}])
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(receipt["sig"]), said
        )
    except (InvalidSignature, ValueError):
        raise BadSignature("has a signature that does not hold", receipt) from None
