"""Tables in the middle of a game, the same in every run: luck, ids and moves are given."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

from service import settings
from service.games import commands
from service.runtime import open_runtime
from tests.faults.people import Client, Json
from tests.running import environment

NAMES = ("Ana", "Bea", "Carla", "Dora", "Eva")
MOVES = 12
"""At least so many moves were made."""


class Position(NamedTuple):
    """A table at which Ana, on seat 0, is asked."""

    ruleset: str
    game: str
    ana: Client
    version: int

    @property
    def path(self) -> str:
        return f"/games/{self.game}"


def position(redis_url: str, port: int, ruleset: str) -> Position:
    """Open a table on the store at ``redis_url``, and play at it by the API."""
    client = Client(port)
    least = client.get(f"/v1/rulesets/{ruleset}")["min_seats"]
    people = [client.player(name) for name in NAMES[:least]]
    game = _opened(redis_url, ruleset, people)
    choices = random.Random(ruleset)
    made = 0
    while (seat := _asked(client, game)) != 0 or made < MOVES:
        person = people[seat]
        listed = person.get(f"/v1/games/{game}/legal_moves?seat={seat}")
        move = choices.choice(listed["moves"])
        form = {"seat": seat, "move": move, "expected_version": listed["version"]}
        person.post(f"/v1/games/{game}/moves", form)
        made += 1
    return Position(ruleset, game, people[0], client.get(f"/v1/games/{game}")["version"])


def _asked(client: Client, game: str) -> int:
    """Return the first seat that is asked."""
    told: Json = client.get(f"/v1/games/{game}")
    seats: list[int] = [decision["seat"] for decision in told["decisions"]]
    return min(seats)


def _opened(redis_url: str, ruleset: str, people: list[Client]) -> str:
    id_ = f"g07-{ruleset.replace('_', ''):a<20.20}"
    holders = [{"player": person.id} for person in people]
    with _no_luck():
        runtime = open_runtime(settings.load(environment(redis_url, **EXTRA)), announce=False)
        runtime.tables.create(people[0].id, ruleset, {}, list(holders), new_id=id_)
    return id_


EXTRA = {"LONJA_EXTRA_RULESETS": "tests.pig"}


@contextmanager
def _no_luck() -> Iterator[None]:
    """Give a new game secrets that are known, from which all its draws follow."""
    with patch.object(commands.os_secrets, "token_bytes", lambda size: bytes(size)):
        yield
