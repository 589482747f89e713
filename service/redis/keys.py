"""Names of Redis keys. All keys of a shard have its hash tag, so they are in one slot."""

from service.ids import SHARDS, is_tournament, shard_of

ALL_SHARDS = range(SHARDS)


def shard_key(shard: int, name: str) -> str:
    """Return a shard's key with this name, such as ``due``, ``deadlines`` or ``lists``."""
    return f"lonja:{{s{shard:02d}}}:{name}"


def shard_of_key(key: str) -> int:
    """Return the shard of a shard's key."""
    return int(key[len("lonja:{s") :][:2])


def game_key(stream_id: str, name: str) -> str:
    """Return the key ``name`` of a game or tournament, such as ``events`` or ``secrets``."""
    kind = "tournament" if is_tournament(stream_id) else "game"
    return shard_key(shard_of(stream_id), f"{kind}:{stream_id}:{name}")


def lease_key(stream_id: str, what: str) -> str:
    """Return the key of the lease for ``what`` of a game or tournament."""
    return game_key(stream_id, f"lease:{what}")


def player_key(player_id: str, name: str) -> str:
    """Return a player's key with this name, such as ``notices``."""
    return f"lonja:{{{player_id}}}:{name}"


def meta_key(name: str) -> str:
    """Return the installation's key with this name."""
    return f"lonja:{{meta}}:{name}"


SIGNING_KEY = meta_key("signing_key")
"""The key that signs receipts, unless the operator has set one."""

ACTS = meta_key("acts")
"""The journal of admins' acts: a stream."""

BACKED_UP = meta_key("backed_up")
"""The time of the newest backup, or else of the store's creation (ms since 1970)."""

SENDER_SEEN = meta_key("webhook_sender")
"""The time of the last sign of life of a sender of webhooks (ms since 1970)."""

RESTARTS = meta_key("restarts")
"""Counts of restarts of each child of ``lonja serve``: a hash."""

WRITABLE = meta_key("writable")
"""An empty key, for testing whether the store accepts writes."""
