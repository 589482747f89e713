"""Access: the keys and scopes that operations require."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service.players.keys import BOT_KEY, FULL, HOST, PLAY, READ, SEAT

PLAYERS_KEYS, ADMINS_KEYS = "key", "admin_key"


class Access(NamedTuple):
    """The requirements of an operation for its caller."""

    documented: list[JsonObject]
    """The requirements as the OpenAPI document's ``security``."""
    keys: str | None = PLAYERS_KEYS
    """The kind of key that identifies the caller; None: no key is read."""
    scope: str | None = None
    """The scope that a player's key needs; None: no key is needed."""
    of_balancers: bool = False
    """Whether load balancers call the operation; they have no keys."""
    by_ticket: bool = False
    """Whether callers may send a ticket in the query instead of the key that created it."""
    by_seat: bool = False
    """Whether seat keys also open the operation, each only for its own seat (see ``seated``)."""
    judges_seats: bool = False
    """Whether the operation itself refuses a seat key whose game is over (see ``seated_late``)."""
    by_bot: bool = False
    """Whether the keys of bot accounts also open the operation (see ``for_bots``)."""

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
        """The same access, also for seat keys.

        Operations that do not use ``seated`` refuse seat keys.
        """
        return self._replace(documented=[*self.documented, _key(SEAT)], by_seat=True)

    @property
    def seated_late(self) -> "Access":
        """The same access as ``seated``, but seat keys may repeat a request when the game is over.

        The move that ends a game makes its seat keys invalid. If the answer to this move is lost,
        the client repeats the request, and gets the same answer.
        """
        return self.seated._replace(judges_seats=True)

    @property
    def for_bots(self) -> "Access":
        """The same access, also for the keys of bot accounts.

        Operations that do not use ``for_bots`` refuse these keys.
        """
        return self._replace(documented=[*self.documented, _key(BOT_KEY)], by_bot=True)


def _key(*scopes: str) -> JsonObject:
    return {PLAYERS_KEYS: [*scopes]}


UNDECLARED = Access([], keys=None)
"""The default for paths without an operation: it requires nothing."""
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
