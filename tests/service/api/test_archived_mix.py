"""The keys that stay in the store when games of all kinds are archived: their places alone."""

import gzip
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.api.app import create_app
from service.clock import TOLERANCE_MS
from service.games.exhibition import GAME_KEY
from service.ids import is_tournament
from service.redis.keys import ACTS, game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.skill.progress import COUNTED
from service.tournaments.record.export import game_ids
from tests.running import patient_matches
from tests.service.api.archiving import lonja, moved, reopening
from tests.service.api.people import House, Person, data
from tests.service.api.resources.test_leaving import leave
from tests.service.archive.packing import KEPT
from tests.service.cli.test_archive_uncounted import keys_of
from tests.service.tournaments.conftest import HOST, Hall
from workers import exhibition
from workers.process import make
from workers.sweeper import Sweeper
from workers.turns import Turns

BOTS = [{"holder": "bot", "bot": "random"}, {"holder": "bot", "bot": "random"}]
LOBBY = [{"holder": "me"}, {"holder": "open"}]
IMPORTED = ("0.2.0-cancelled", "0.2.0-cup-round-robin")
TWO_GAMES: JsonObject = {
    "entries": [{"bot": "greedy"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 2},
}


@pytest.fixture
def runtime(
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Runtime:
    keys = {"LONJA_ARCHIVE_KEYS": "0f" * 32}
    return reopening(redis_server.url, tmp_path, monkeypatch, **keys)()


class Played:
    """Games that are over in all the ways in which a game may end, by what they are."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.house = House(create_app(runtime))
        self.ana, self.bea = self.house.player("Ana"), self.house.player("Bea")
        self.ids = dict[str, str]()

    def of_bots(self, what: str, **table: Any) -> None:
        self._opened(what, seats=BOTS, table=table)
        self._finish(what)

    def cancelled(self, what: str, seats: list[Any], **table: Any) -> None:
        url = self._opened(what, seats=seats, table=table)
        if table:
            data(self.ana.post(f"{url}/invitations", {}))
        assert self.ana.delete(url).status_code == 200

    def resigned(self, what: str, other: Person, **table: Any) -> None:
        url = self.house.table(self.ana, other, table=table)
        self.ids[what] = url.rpartition("/")[2]
        data(self.ana.post(f"{url}/seats/0/keys", {"name": "page", "days": 1}))
        for seat, person in enumerate((self.ana, other)):
            data(person.post(f"{url}/resignations", {"seat": seat}))
        self._finish(what)

    def ended_by_operator(self, what: str) -> None:
        url = self.house.table(self.ana, self.bea)
        self.ids[what] = url.rpartition("/")[2]
        for act in ("suspend", "end"):
            lonja("admin", act, self.ids[what], "--by", "Eva", "--reason", "a bug")

    def withheld(self, what: str) -> None:
        seats = [{"holder": "me", "entropy_commitment": "ab" * 32}, BOTS[0]]
        self._opened(what, seats=seats, entropy_mode="reveal", entropy_seconds=1)
        time.sleep(1.1)
        Sweeper(make(self.runtime)).sweep()

    def exhibited(self, what: str) -> None:
        self.ids[what] = exhibition.keep_going(self.runtime)
        self._finish(what)

    def held(self) -> None:
        hall = Hall(self.runtime, patient_matches(self.runtime))
        held, begun = hall.hold(**TWO_GAMES), hall.open(**TWO_GAMES)
        owing = {**TWO_GAMES["entries"][0], "entropy_commitment": "ab" * 32}
        unbegun = hall.open(**{**TWO_GAMES, "entries": [owing, TWO_GAMES["entries"][1]]})
        hall.matches.seconds = 0.0  # for a move
        hall.matches.play(begun.id)
        hall.matches.seconds = 60.0
        for cup in (begun, unbegun):
            self.runtime.director.cancel(cup.id, "enough", HOST)
        for number, cup in enumerate((held, begun, unbegun)):
            hall.matches.play(cup.id)
            self.ids[f"tournament {number}"] = cup.id

    def imported(self, name: str) -> None:
        path = KEPT / f"{name}.ndjson.gz"
        first = _first_line(path)
        key = first["public_key"]
        lonja("import", str(path), "--by", "Eva", "--public-key", key)
        self.ids[name] = first.get("game_id") or first["tournament_id"]

    def every(self) -> Iterator[str]:
        """Yield the ids of all games in the store, and of the tournaments."""
        for id_ in self.ids.values():
            yield id_
            if is_tournament(id_):
                cup = self.runtime.director.find(id_)
                each = (name for block in cup.blocks.values() for name in cup.game_ids(block))
                yield from {*game_ids(cup), *each}

    def _opened(self, what: str, **more: Any) -> str:
        made = self.ana.post("/v1/games", {"ruleset": "sealed", **more})
        self.ids[what] = data(made)["id"]
        return f"/v1/games/{self.ids[what]}"

    def _finish(self, what: str) -> None:
        Turns(self.runtime, seconds=math.inf).play(self.ids[what])


def _first_line(path: Path) -> JsonObject:
    with path.open("rb") as file, gzip.open(file) as lines:
        first: JsonObject = orjson.loads(lines.readline())
    return first


def test_of_every_kind_of_game_the_store_keeps_its_place_alone(
    runtime: Runtime, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhibition, "PACE_MS", 0)
    played = Played(runtime)
    for what, table in (
        ("public", {}), ("tagged", {"title": "Friends", "tags": ["eve"]}),
        ("private", {"visibility": "private"}), ("unlisted", {"visibility": "unlisted"}),
    ):  # fmt: skip
        played.of_bots(what, **table)
    played.cancelled("a table", LOBBY)
    played.cancelled("a private table", LOBBY, visibility="private")
    played.cancelled("a game in play", BOTS)
    cas = played.house.player("Cas")
    played.resigned("people's", cas)
    played.resigned("rated", played.bea, rated=True)
    played.ended_by_operator("ended by an operator")
    played.withheld("entropy withheld")
    played.exhibited("exhibition")
    played.held()
    for name in IMPORTED:
        played.imported(name)
    assert leave(cas).status_code == 204
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)
    runtime.ratings.catch_up()
    ids = [*played.every()]
    begun = [id_ for id_ in ids if redis_client.exists(game_key(id_, "events"))]
    gone, unlisted = moved(runtime)
    assert (gone, unlisted) == (len({*begun}), len(played.ids))
    # What is about operators, players and the service grows with these, not with games.
    elsewhere = {
        ACTS, GAME_KEY, COUNTED,
        *(key.decode() for key in redis_client.scan_iter("lonja:{meta}:key:*")),
    }  # fmt: skip
    assert {key.decode() for key in keys_of(runtime, ids)} - elsewhere == set()
