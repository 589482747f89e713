"""A service with objects of every kind, and their owners."""

from typing import Any, NamedTuple

from service.administration.keys import AdminKeys
from service.runtime import Runtime
from tests.service.api.people import House, Person, data
from tests.signing import SeatKey

PAIR: dict[str, Any] = {"ruleset": "sealed", "seats": [{"holder": "me"}, {"holder": "open"}]}
SOLO: dict[str, Any] = {"ruleset": "ragusa", "seats": [{"holder": "me"}]}
CUP = {
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 2},
}
RUNNING = 4
"""Number of games that wait for their only player, who has the next decision after each move."""


class Ground(NamedTuple):
    """The names of the objects; those in ``spent`` may be ended or banned by requests."""

    keys: dict[str, str]
    """Texts of keys by caller; callers with more rights come later."""
    running: list[str]
    tables: list[str]
    ended: str
    resigned: str
    suspended: str
    stopped: str
    signed: list[str]
    """Games whose players sign: a running one, and one in the lobby."""
    cup: str
    spent_cup: str
    players: list[str]
    spent_player: str
    leaving_key: str
    keeping_key: str
    kept_key_ids: list[str]
    invitation: str


def prepare(house: House, runtime: Runtime) -> Ground:
    """Create all objects; the fuzzer's requests come from ``own``."""
    own, stranger, spent = house.player("Own"), house.player("Stranger"), house.player("Spent")
    keeping = house.player("Keeping")
    _made, admin = AdminKeys(runtime.redis, runtime.ledger.store.clock.now_ms).make("ana", 1)
    private = _open(own, {**PAIR, "table": {"visibility": "private"}})
    ended = _open(own, SOLO)
    data(own.post(f"/v1/games/{ended}/resignations", {"seat": 0}))
    cups = [data(own.post("/v1/tournaments", CUP))["id"] for _ in range(2)]
    return Ground(
        keys={"own": own.key, "stranger": stranger.key, "admin": admin},
        running=[_open(own, SOLO) for _ in range(RUNNING)],
        tables=[_open(own, PAIR), _open(stranger, PAIR), private],
        ended=ended,
        resigned=_open(own, SOLO),
        suspended=_open(own, SOLO),
        stopped=_open(own, SOLO),
        signed=[_open(own, signed(SOLO)), _open(own, signed(PAIR))],
        cup=cups[0],
        spent_cup=cups[1],
        players=[own.id, stranger.id],
        spent_player=spent.id,
        leaving_key=spent.key,
        keeping_key=keeping.key,
        kept_key_ids=[_spare_key(keeping) for _ in range(9)],
        invitation=data(own.post(f"/v1/games/{private}/invitations"))["token"],
    )


def signed(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return a request for a table at which players sign their moves."""
    first, *others = wanted["seats"]
    seats = [{**first, "signing_key": SeatKey.of(1).public}, *others]
    return {**wanted, "seats": seats, "signatures": "required"}


def _open(host: Person, wanted: object) -> str:
    made: str = data(host.post("/v1/games", wanted))["id"]
    return made


def _spare_key(person: Person) -> str:
    made: str = data(person.post("/v1/players/me/keys", {"name": "bot", "scope": "play"}))["id"]
    return made
