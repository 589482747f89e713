"""Whose keys operations take, and which of them they need."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service.players.keys import FULL, HOST, PLAY, READ

PLAYERS_KEYS, ADMINS_KEYS = "key", "admin_key"


class Access(NamedTuple):
    """What an operation demands of whoever calls it."""

    documented: list[JsonObject]
    """The same, as the document says it."""
    keys: str | None = PLAYERS_KEYS
    """Which keys open it, and count for their holders; None: nobody's are looked at."""
    scope: str | None = None
    """What a player's key must allow; None: none is needed."""
    of_balancers: bool = False
    """Whether balancers ask it, which have no keys, all the time."""
    by_ticket: bool = False
    """Whether a ticket in the query stands for the key that it was made with."""

    @property
    def problems(self) -> list[str]:
        """The codes of what may be wrong with a key."""
        if self.keys is None:
            return []
        if self.keys == ADMINS_KEYS:
            return ["admin_key_required", "not_admin"]
        needed = [] if self.scope is None else ["key_required"]
        return [
            *needed,
            *(["insufficient_scope"] if self.scope not in {None, READ} else []),
            "banned",
        ]


def _key(*scopes: str) -> JsonObject:
    return {PLAYERS_KEYS: [*scopes]}


UNDECLARED = Access([], keys=None)
"""What is no operation demands nothing."""
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
