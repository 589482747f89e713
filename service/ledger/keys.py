"""Names of the ledger's keys. All keys of a shard carry its hash tag: one slot of a cluster."""

from service.ids import SHARDS, shard_of

ALL_SHARDS = range(SHARDS)


def shard_key(shard: int, name: str) -> str:
    """Return a key that belongs to a shard: ``due``, ``deadlines``, ``feed``, ``tail``."""
    return f"lonja:{{s{shard:02d}}}:{name}"


def game_key(game_id: str, name: str) -> str:
    """Return a key that belongs to a game: ``events``, ``secrets``, ``snapshot``."""
    return shard_key(shard_of(game_id), f"game:{game_id}:{name}")


def meta_key(name: str) -> str:
    """Return a key of the whole installation."""
    return f"lonja:{{meta}}:{name}"
