"""Access: the keys and scopes that operations require."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service.players.keys import FULL, HOST, PLAY, READ, SEAT

PLAYERS_KEYS, ADMINS_KEYS = "key", "admin_key"


class Access(NamedTuple):
    """The requirements of an operation for its caller."""

    documented: list[JsonObject]
    """The same requirement, in the form of the OpenAPI document."""
    keys: str | None = PLAYERS_KEYS
    """Keys that open it and count for their holders; None: no key is read."""
    scope: str | None = None
    """The scope that a player's key needs; None: none."""
    of_balancers: bool = False
    """Whether load balancers call it, which have no keys."""
    by_ticket: bool = False
    """Whether a ticket in the query stands for the key that created it."""
    by_seat: bool = False
    """Whether a key for one seat opens it, too, for that seat and no other (``seated``)."""
    judges_seats: bool = False
    """Whether the operation itself refuses a key whose seat is over (``seated_late``)."""

    @property
    def problems(self) -> list[str]:
        """Problem codes for bad or missing keys."""
        if self.keys is None:
            return []
        if self.keys == ADMINS_KEYS:
            return ["admin_key_required", "not_admin"]
        needed = [] if self.scope is None else ["key_required"]
        over = ["seat_key_over"] if self.by_seat else []
        return [*needed, *over, "insufficient_scope", "banned"]

    @property
    def seated(self) -> "Access":
        """The same, open to keys for one seat as well. No operation is unless it says so."""
        return self._replace(documented=[*self.documented, _key(SEAT)], by_seat=True)

    @property
    def seated_late(self) -> "Access":
        """As ``seated``, but a repeated request is answered first, even if the seat is over since.

        The move that ends the game is one of those.
        """
        return self.seated._replace(judges_seats=True)


def _key(*scopes: str) -> JsonObject:
    return {PLAYERS_KEYS: [*scopes]}


UNDECLARED = Access([], keys=None)
"""The default for paths that are no operation: no requirements."""
PROBE = Access([], keys=None, of_balancers=True)
NO_KEY = Access([])
ANY_CALLER = Access([{}, _key()])
READERS = Access([_key(READ)], scope=READ)
PLAYERS = Access([_key(PLAY)], scope=PLAY)
HOSTS = Access([_key(HOST)], scope=HOST)
OWNERS = Access([_key(FULL)], scope=FULL)
ADMINS = Access([{ADMINS_KEYS: []}], keys=ADMINS_KEYS)
TICKETS = Access([{}, _key(), {"ticket": []}], by_ticket=True)
PLAYERS_TICKETS = Access([_key(), {"ticket": []}], scope=READ, by_ticket=True)
