"""Ids of games, players and other objects. A game's id contains the shard of its keys."""

import base64
import re
import secrets

import orjson

from rules.kernel.canonical import FORMAT, digest

SHARDS = 64
GAME_ID = re.compile(r"g[0-9]{2}-[a-z2-7]{20}\Z")
TOURNAMENT_ID = re.compile(r"t[0-9]{2}-[a-z2-7]{20}\Z")
PLAYER_ID = re.compile(r"p-[a-z2-7]{16}\Z")
KEY_ID = re.compile(r"y-[a-z2-7]{16}\Z")
SEEK_ID = re.compile(r"s-[a-z2-7]{16}\Z")
ADMIN_KEY_ID = re.compile(r"a-[a-z2-7]{16}\Z")


def new_game_id() -> str:
    """Return a game id that nobody can guess."""
    return _sharded("g", secrets.token_bytes(16))


def game_id_for(player_id: str, idempotency_key: str) -> str:
    """Return a game's id, derived from its owner (tournament or player) and a key.

    It depends on no secret, so only releases up to 0.2.0 use it for players' games.
    """
    return _sharded("g", digest(orjson.dumps([FORMAT, "game", player_id, idempotency_key])))


def new_tournament_id() -> str:
    """Return a tournament id that nobody can guess."""
    return _sharded("t", secrets.token_bytes(16))


def tournament_id_for(player_id: str, idempotency_key: str) -> str:
    """Return a tournament's id as releases up to 0.2.0 derive it from caller and key."""
    known = [FORMAT, "tournament", player_id, idempotency_key]
    return _sharded("t", digest(orjson.dumps(known)))


def new_player_id() -> str:
    """Return a player id."""
    return f"p-{_text(secrets.token_bytes(10))}"


def new_key_id() -> str:
    """Return the id of a player's key; the id alone authenticates nobody."""
    return f"y-{_text(secrets.token_bytes(10))}"


def key_id_for(hashed: str) -> str:
    """Return the id of a key that was stored without one, derived from its hash."""
    return f"y-{_text(digest(hashed.encode())[:10])}"


def new_ticket_id() -> str:
    """Return the id of a stream ticket; the id cannot be used as the ticket."""
    return f"k-{_text(secrets.token_bytes(10))}"


def new_webhook_id() -> str:
    """Return the id of a webhook."""
    return f"w-{_text(secrets.token_bytes(10))}"


def is_webhook(receiver_id: str) -> bool:
    """Whether the id of a webhook or push subscription is that of a webhook."""
    return receiver_id.startswith("w-")


def new_subscription_id() -> str:
    """Return the id of a push subscription."""
    return f"d-{_text(secrets.token_bytes(10))}"


def new_ping_id() -> str:
    """Return the id of a test of a webhook."""
    return f"n-{_text(secrets.token_bytes(10))}"


def new_invitation_id() -> str:
    """Return the id of an invitation; the id cannot be used as the invitation's token."""
    return f"i-{_text(secrets.token_bytes(10))}"


def new_seek_id() -> str:
    """Return the id of a seek."""
    return f"s-{_text(secrets.token_bytes(10))}"


def rematch_id(game_id: str, number: int) -> str:
    """Return the id of a game's rematch ``number``.

    It depends on no secret, so it is used only while an older release may use the store.
    """
    return _sharded("g", digest(orjson.dumps([FORMAT, "rematch", game_id, number])))


def new_admin_key_id() -> str:
    """Return the id of an admin's key; the id alone authenticates nobody."""
    return f"a-{_text(secrets.token_bytes(10))}"


def new_act_id() -> str:
    """Return the id of an admin's act."""
    return f"x-{_text(secrets.token_bytes(10))}"


def from_hash(kind: str, source: bytes) -> str:
    """Return the id of a game (``g``) or tournament (``t``) that encodes these 32 bytes."""
    return _sharded(kind, source)


def is_tournament(stream_id: str) -> bool:
    """Whether an id is a tournament's, not a game's."""
    return stream_id.startswith("t")


def shard_of(stream_id: str) -> int:
    """Return the shard of a game or tournament id, 0 to 63."""
    return int(stream_id[1:3])


def _sharded(kind: str, source: bytes) -> str:
    return f"{kind}{source[0] % SHARDS:02d}-{_text(source[1:14])[:20]}"


def _text(raw: bytes) -> str:
    return base64.b32encode(raw).decode().lower().rstrip("=")
