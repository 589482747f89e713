"""The slot of a cluster for each script, which all its keys share.

All tests check every call by this table (``tests/conftest.py``).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from redis.crc import key_slot

from service.api.http import limits
from service.games import downloads
from service.players import keys as player_keys
from service.players import refusals
from service.redis.commands import Word
from service.redis.scripts import Call, Script
from service.turns import schedule
from tests.running import ROOT

SHARD, PLAYER, META = "a shard", "a player", "{meta}"
ANALYSES, QUOTA, RATE, TURNS = "{analyses}", "{quota}", "{rate}", "{turns_2}"
SLOTS = {
    "following/cursor": SHARD,
    "following/lease": META,
    "following/tell": PLAYER,
    "games/admission": QUOTA,
    "games/ask_analysis": ANALYSES,
    "games/downloads": RATE,
    "games/end_analysis": ANALYSES,
    "games/enter": SHARD,
    "games/relist": SHARD,
    "http/limits": RATE,
    "ledger/append": SHARD,
    "ledger/claim_parts": META,
    "ledger/bring_back": SHARD,
    "ledger/import": SHARD,
    "ledger/leave": SHARD,
    "ledger/listen": PLAYER,
    "ledger/note_place": SHARD,
    "ledger/obligations": SHARD,
    "ledger/idempotency": f"{META} or {SHARD}",
    "ledger/orphan": SHARD,
    "ledger/outages": META,
    "ledger/refill": SHARD,
    "ledger/settle_parts": META,
    "ledger/take_aside": SHARD,
    "ledger/take_low": SHARD,
    "ledger/unlist": SHARD,
    "players/note_refusal": META,
    "players/touch": META,
    "publishing/logged": SHARD,
    "publishing/marker": META,
    "publishing/noted": META,
    "tournaments/charge_block": PLAYER,
    "tournaments/keep_report": SHARD,
    "tournaments/lay_beside": SHARD,
    "tournaments/move_in": SHARD,
    "tournaments/reserve": SHARD,
    "turns/claim_due": f"{SHARD} or {ANALYSES}",
    "turns/held_until": TURNS,
    "turns/schedule": TURNS,
    "webhooks/poke": META,
    "webhooks/settle": META,
    "webhooks/take": META,
}
"""Each script → the slot of its keys."""

PARTS = ("ledger/in_place", "ledger/lists", "ledger/packed", "webhooks/lanes")
"""The scripts that are included at the beginning of other scripts."""

WITHIN = {
    "games/downloads": downloads._SCRIPT,
    "http/limits": limits._SCRIPT,
    "players/note_refusal": refusals._NOTE,
    "players/touch": player_keys._TOUCH,
    "turns/held_until": schedule._HELD_UNTIL,
}
"""Scripts that have no file of their own."""

_TAG = re.compile(r"\{(.*?)\}")


def files() -> dict[str, str]:
    """Return the texts of all files of scripts, by name."""
    return {
        f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8")
        for path in (ROOT / "service").rglob("*.lua")
    }


@cache
def _name(text: str) -> str | None:
    """Return the name of a script; None for a test's own script."""
    known = {name: found for name, found in files().items() if name not in PARTS} | WITHIN
    return next((name for name, ending in known.items() if text.endswith(ending)), None)


def slot_of(key: str) -> str:
    """Return the table's name for the slot of a key."""
    tag = _TAG.search(key)
    if tag is None:
        return f"of its own: {key}"
    if re.fullmatch(r"s\d\d", tag[1]):
        return SHARD
    return PLAYER if tag[1].startswith("p-") else tag[0]


def need_one(text: str, keys: Sequence[str]) -> None:
    """Raise AssertionError unless the keys of a script's call lie in the slot of the table."""
    slots = {key_slot(key.encode()) for key in keys}
    name = _name(text)
    assert len(slots) == 1, f"{name or 'a script of a test'} works in {len(slots)} slots: {keys}"
    if name is not None:
        assert slot_of(keys[0]) in SLOTS[name].split(" or "), f"{name}: {keys}"


def held() -> Iterator[None]:
    """Check every call of a script by the table."""
    each = Script.each

    def checked(self: Script, calls: Iterable[Call], *beside: Sequence[Word]) -> list[Any]:
        known = [*calls]
        for keys, _args in known:
            need_one(self._text, keys)
        return each(self, known, *beside)

    Script.each = checked  # type: ignore[method-assign]
    yield
    Script.each = each  # type: ignore[method-assign]
