"""Honest records with additions of a possible later release, in every place.

Each record is committed to and signed again, as by its operator. A present verifier does not know
the addition, and may not fail the record for it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import FORMAT, JsonObject, encode
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.verifier.honest import Table, views

Add = Callable[[Record], None]

PART = {"flowers": 3}


class Sealed(NamedTuple):
    """An honest record, and the salt of its commitments."""

    record: Record
    salt: bytes

    def with_(self, *changes: Add) -> Record:
        """Return the changed record, with new commitments and signatures."""
        changed = records.alone(self.record)
        for change in changes:
            change(changed)
        header = changed.header
        more = {name: value for name, value in header["receipt"].items() if name not in _SIGNED}
        forged = records.forge(changed, self.salt)
        sign(forged, **more)
        return forged


_KEY = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
"""The signing key of ``records.SIGNER``."""
_SIGNED = ("game_id", "seq", "hash", "at", "request", "idempotency_key", "key_id", "sig")


def sign(record: Record, **more: Any) -> None:
    """Sign a header's receipt again, with further fields."""
    receipt = {name: value for name, value in record.header["receipt"].items() if name != "sig"}
    receipt |= more
    sig = _KEY.sign(encode([FORMAT, "receipt", receipt])).hex()
    record.header["receipt"] = {**receipt, "sig": sig}


def sealed(make: Callable[[], Table]) -> Iterator[Sealed]:
    """Yield the records of an honest shape, by viewer."""
    table = make()
    for _seen, record in views(table):
        yield Sealed(record, table.secrets.salt)


# Events


def nth(record: Record, kind: str) -> JsonObject | None:
    """Return the first event of a kind, by its index."""
    return next((event for event in record.copies if event["kind"] == kind), None)


def the(record: Record, kind: str) -> JsonObject:
    """Return the first event of a kind that the record has."""
    event = nth(record, kind)
    assert event is not None
    return event


def insert(record: Record, index: int, *, inside: bool = False, kind: str = "blessed") -> None:
    """Insert an event of an unknown kind before the event at an index, or into its batch."""
    copies = records.events(record)
    after = copies[min(index, len(copies) - 1)]
    seq = index + 1
    for event in copies:
        event["seq"] += event["seq"] >= seq
        event["last"] += event["last"] >= seq
        for path in (
            ("time_out", "decision"), ("failure", "decision"), ("hint", "decision"), ("undo", "to"),
        ):  # fmt: skip
            _shift(event["body"].get(path[0], {}), path[1], seq)
        for opening in event["body"].get("opens", ()):
            _shift(opening, "seq", seq)
        _shift(event["body"].get("aborted", {}).get("sound", {}), "seq", seq)
    event = {
        "seq": seq, "kind": kind, "by": {"saint": "barbara"}, "at": after["at"],
        "last": after["last"] if inside else seq, "body": {"grace": PART},
        "parts": {"grace": ""}, "nonces": {"grace": ""}, "audiences": {"grace": "public"},
        "state_proof": after["state_proof"], "hash": f"{seq:064x}",
    }  # fmt: skip
    copies.insert(index, event)
    record.header["version"] += 1


def _shift(value: JsonObject, name: str, seq: int) -> None:
    if name in value:
        value[name] += value[name] >= seq


def is_damaged(event: JsonObject) -> bool:
    """Whether an event ends a damaged game, which no later release will do by another kind."""
    return "sound" in event["body"].get("aborted", {})


def add_part(event: JsonObject, name: str, value: object) -> None:
    """Add a public part."""
    event["body"][name] = value
    event["audiences"][name] = "public"
    event["parts"][name] = event["nonces"][name] = ""


def drop_part(event: JsonObject, name: str) -> None:
    for member in ("body", "parts", "nonces", "audiences"):
        event[member].pop(name, None)


# Additions


def at(kind: str, /, *path: str | int, **members: object) -> Add:
    """Set members of an object in the first event of a kind in which it is visible."""

    def add(record: Record) -> None:
        for event in record.copies:
            inner = _inner(event, path) if event["kind"] == kind else None
            if inner is not None:
                inner.update(members)
                return

    return add


def _inner(value: Any, path: Iterable[str | int]) -> JsonObject | None:
    for key in path:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value if isinstance(value, dict) else None


def part(kind: str, name: str = "flowers", value: object = PART) -> Add:
    def add(record: Record) -> None:
        event = nth(record, kind)
        if event is not None:
            add_part(event, name, value)

    return add


def _by(kind: str, by: JsonObject) -> Add:
    def add(record: Record) -> None:
        event = nth(record, kind)
        if event is not None:
            event["by"] = by

    return add


def _header(record: Record, **members: object) -> None:
    record.header.update(members)


def _receipt(record: Record) -> None:
    record.header["receipt"]["witness"] = "w-1"


def _short_thoughts(record: Record) -> None:
    """Record a bot's constant facts only in its ``seated``, not in its moves."""
    for event in record.copies:
        if event["kind"] == "seated":
            event["body"]["seat"]["code"] = {"digest": "0" * 64}
        for name in ("bot", "version", "digest", "settings", "budget"):
            event["body"].get("bot", {}).pop(name, None)


def _other_end(record: Record) -> None:
    """End the game with an event of an unknown kind, which reveals everything."""
    event = nth(record, "ended") or nth(record, "aborted")
    if event is not None and not is_damaged(event):
        event["kind"] = "adjourned"


def _other_reason(record: Record) -> None:
    event = nth(record, "aborted")
    if event is not None and not is_damaged(event):
        event["body"]["aborted"]["reason"] = "oracle_withheld"


def _without_luck(record: Record) -> None:
    """Do not reveal a game's luck, as a new field of its table specifies."""
    if records.events(record)[-1]["kind"] == "chance_revealed":
        at("created", "body", "game", luck={"opens": "never"})(record)
        last = records.events(record).pop()
        for event in record.copies:
            event["last"] -= event["last"] == last["seq"]


def _redacted(record: Record) -> None:
    """Omit a public part, as an earlier event specifies."""
    event = nth(record, "ended")
    if event is not None:
        insert(record, record.copies[0]["last"])
        for name in ("body", "nonces"):
            del event[name]["result"]


_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("created", "body", "game"), ("created", "body", "game", "chance"),
    ("created", "body", "game", "clock"), ("created", "body", "game", "entropy"),
    ("created", "body", "game", "data"), ("seated", "body", "seat"),
    ("seated", "body", "seat", "holder"), ("left", "body", "seat"),
    ("entropy_revealed", "body", "entropy"), ("moved", "body", "client"),
    ("moved", "body", "bot"), ("chanced", "body", "draw"), ("timed_out", "body", "time_out"),
    ("interrupted", "body", "interruption"), ("hinted", "body", "hint"),
    ("bot_failed", "body", "failure"), ("bot_failed", "body", "bot"),
    ("aborted", "body", "aborted"), ("aborted", "body", "salt"), ("ended", "body", "result"),
    ("ended", "body", "result", "standings", 0), ("ended", "body", "salt"),
    ("chance_revealed", "body", "chance"), ("moved", "body", "code"),
    ("moved", "body", "opens", 0),
)  # fmt: skip
KINDS = (
    "created", "seated", "left", "closed", "entropy_revealed", "started", "moved", "defaulted",
    "chanced", "timed_out", "bot_failed", "resigned", "suspended", "resumed", "interrupted",
    "hinted", "aborted", "ended", "chance_revealed",
)  # fmt: skip
_WORDS: Mapping[str, Add] = {
    "mode of entropy": at("created", "body", "game", "entropy", mode="oracle"),
    "visibility": at("created", "body", "game", visibility="friends"),
    "reason of an abort": _other_reason,
    "cause of a failure": at("bot_failed", "body", "failure", cause="out_of_memory"),
    "service of a default": at("defaulted", "by", service="flag_fell"),
    "service of a time-out": at("timed_out", "by", service="arbiter"),
    "service of a start": at("started", "by", service="oracle"),
    "service of a draw": at("chanced", "by", service="oracle"),
    "part that opens": at("moved", "body", "opens", 0, part="note"),
}
_ANOTHER = {f"a new causer of {kind}": _by(kind, {"arbiter": "a-1"}) for kind in KINDS}

IN_PLACE: Mapping[str, Add] = {
    **{f"a new field of {'.'.join(map(str, path))}": at(*path, flowers=PART) for path in _FIELDS},
    **{f"a new field of by in {kind}": at(kind, "by", flowers="red") for kind in KINDS},
    **{f"a new part of {kind}": part(kind) for kind in KINDS},
    **{f"a new field of the line of {kind}": at(kind, flowers=PART) for kind in KINDS},
    **{f"a new {word}": add for word, add in _WORDS.items()},
    **_ANOTHER,
    "a new field of the header": partial(_header, flowers=PART),
    "a new status": partial(_header, status="adjourned"),
    "a new field of the receipt": _receipt,
    "short thoughts": _short_thoughts,
    "another end": _other_end,
    "luck that stays closed": _without_luck,
    "what is left out": _redacted,
}
"""Additions by name; one that a record has no place for leaves it as it is."""


def inserted(record: Record) -> Iterator[tuple[str, Add]]:
    """Yield records with an event of a new kind: between any two events, first, or last."""
    copies = record.copies
    end = next((i for i, event in enumerate(copies) if is_damaged(event)), -1)
    sound = copies[end]["body"]["aborted"]["sound"]["seq"] if end >= 0 else 0
    for index in range(len(copies) + 1):
        if sound <= index <= end:
            continue  # damaged events have no contents
        inside = 0 < index < len(copies) and copies[index - 1]["last"] == copies[index]["last"]
        name = f"a new kind before {index + 1}{', in its batch' * inside}"
        yield name, partial(insert, index=index, inside=inside)
