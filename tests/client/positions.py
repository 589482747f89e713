"""Tables in the middle of a game, with fixed luck, ids and moves, the same in every run."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

from service import settings
from service.runtime import open_runtime
from tests.client.services import EXTRA, Service
from tests.faults.people import Client, Json
from tests.running import environment

NAMES = ("Ana", "Bea", "Carla", "Dora", "Eva")
MOVES = 12
"""Minimum number of moves before a position."""


class Position(NamedTuple):
    """A table at which Ana, on seat 0, has a decision, unless the game is over."""

    ruleset: str
    game: str
    people: list[Client]
    choices: random.Random

    @property
    def ana(self) -> Client:
        return self.people[0]

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    @property
    def version(self) -> int:
        version: int = self.ana.get(f"/v1{self.path}")["version"]
        return version

    def asked(self) -> int | None:
        """Return the first seat that has a decision; None at the end."""
        told: Json = self.ana.get(f"/v1{self.path}")
        seats: list[int] = [decision["seat"] for decision in told["decisions"]]
        return min(seats, default=None)

    def play(self, least: int = 0) -> None:
        """Make at least ``moves`` moves for all seats, until Ana has a decision again."""
        made = 0
        while (seat := self.asked()) is not None and (seat != 0 or made < least):
            person = self.people[seat]
            listed = person.get(f"/v1{self.path}/legal_moves?seat={seat}")
            move = self.choices.choice(listed["moves"])
            form = {"seat": seat, "move": move, "expected_version": listed["version"]}
            person.post(f"/v1{self.path}/moves", form)
            made += 1


def position(
    service: Service, ruleset: str, use: str, *, most: bool = False, moves: int = MOVES
) -> Position:
    """Open a table for this ``use``, which is part of its id, and play some moves.

    It has the least seats of the ruleset, or the ``most``.
    """
    client = Client(service.port)
    seats = client.get(f"/v1/rulesets/{ruleset}")["max_seats" if most else "min_seats"]
    people = [client.player(name) for name in NAMES[:seats]]
    game = _opened(service, ruleset, use, people)
    found = Position(ruleset, game, people, random.Random(ruleset))
    found.play(moves)
    return found


class Tables(dict[str, Position]):
    """One table of each game, which no test plays on; it is opened at its first use."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def __missing__(self, ruleset: str) -> Position:
        self[ruleset] = position(self._service, ruleset, "seen")
        return self[ruleset]


def _opened(service: Service, ruleset: str, use: str, people: list[Client]) -> str:
    id_ = f"g07-{use + ruleset.replace('_', ''):a<20.20}"
    holders = [{"player": person.id} for person in people]
    with _no_luck():
        runtime = open_runtime(
            settings.load(environment(service.redis_url, **EXTRA)), announce=False
        )
        runtime.tables.create(people[0].id, ruleset, {}, list(holders), new_id=id_)
    return id_


@contextmanager
def _no_luck() -> Iterator[None]:
    """Give a new game fixed secrets, which determine all its draws."""
    with patch("secrets.token_bytes", bytes):
        yield
