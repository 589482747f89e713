"""The round of a public beacon that goes into a game's luck (docs/format.md, "Beacons").

A beacon publishes random values that nobody can choose or know before their time. Its chain is one
of drand's, described by a JSON object with ``chain`` (its hash), ``scheme``, ``public_key`` (hex),
``period`` (s) and ``genesis`` (s since 1970). Round ``n`` is published at ``genesis + (n - 1) *
period``. Whether a signature is the chain's is checked outside of the rules.
"""

from rules.kernel.canonical import JsonObject, digest

BEACON = "beacon"
"""The mode of entropy in which a round of a beacon goes into the key of all draws."""
BEACON_DRAWN = "beacon_drawn"
START, ABORT = "start", "abort"
LATE = (START, ABORT)
"""The outcomes of a late beacon: the game starts without its round, or is aborted."""
AHEAD_MS = 30_000
"""Minimum time between ``closed`` and the round: when all seats are held, nobody knows the round.
"""


def round_after(chain: JsonObject, closed_ms: int) -> int:
    """Return the first round that is published ``AHEAD_MS`` or more after a time (ms since 1970).

    Time for which the game is suspended counts like any other. Otherwise an operator could suspend
    a game when its round is out, and so get another round.
    """
    passed = closed_ms + AHEAD_MS - 1000 * int(chain["genesis"])
    return max(1, -(-passed // (1000 * int(chain["period"]))) + 1)


def round_ms(chain: JsonObject, number: int) -> int:
    """Return when a round is published (ms since 1970)."""
    return 1000 * (int(chain["genesis"]) + (number - 1) * int(chain["period"]))


def randomness(signature: str) -> str:
    """Return the random value of a round, by its signature; both in hex."""
    return digest(bytes.fromhex(signature)).hex()
