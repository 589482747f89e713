"""The messages that seats sign: moves, and changes of keys (docs/format.md, "Signatures").

The rules know which bytes are signed, and who has to sign. Whether a signature is genuine is
checked by their callers.
"""

from rules.kernel.canonical import FORMAT, JsonObject, encode
from rules.kernel.contract.seats import Seat

SIGNATURES, REQUIRED = "signatures", "required"
"""The field of ``created.game`` by which players sign their moves, and its value."""
KEY, SIGNATURE, KEY_CHANGED = "key", "signature", "key_changed"
"""The field of ``seated`` with a seat's key (also the part of an event of the kind ``KEY_CHANGED``
that binds another one), the part of a move with its signature, and this kind of event.
"""


def move_to_sign(game_id: str, seat: Seat, decision: int, head: str, move: JsonObject) -> bytes:
    """Return the message that a seat signs with a move.

    ``decision`` is the id of the seat's open decision, ``head`` the hash (hex) of the newest event
    that its player has seen, and ``move`` the move as recorded.
    """
    value = {"decision": decision, "game_id": game_id, "head": head, "move": move, "seat": seat}
    return encode([FORMAT, "move", value])


def key_to_sign(game_id: str, seat: Seat, head: str, key: str) -> bytes:
    """Return the message by which a seat changes its key to ``key`` (hex), signed by the old key.

    ``head`` is the hash (hex) of the event before the one that binds it.
    """
    return encode([FORMAT, "key", {"game_id": game_id, "head": head, "key": key, "seat": seat}])


def must_sign(pinned: JsonObject, holder: JsonObject | None) -> bool:
    """Whether a seat signs its moves: that of a player, in a game in which players do."""
    return SIGNATURES in pinned and "player" in (holder or {})
