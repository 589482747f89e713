"""Games over HTTP, from creation to ``lonja verify``.

Every game is played at the most seats, and alone if it can be; the campaign ``playouts`` plays at
the other numbers of seats, too.
"""

import math
import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.api.app import create_app
from service.api.schemas.examples import camel
from service.cli import main
from service.redis.server import RedisServer
from tests.running import runtime_on
from tests.service.api.document import validator
from tests.service.api.people import House, Person, asked, data
from workers.turns import Turns

TABLES = [
    (ruleset.info.id, seats)
    for ruleset in Registry(PACKAGES)
    for seats in range(ruleset.info.min_seats, ruleset.info.max_seats + 1)
]
BOTS = ("greedy", "random")
OFTEN = 0.2
"""The share of moves that people take back, if that is possible."""
OTHERS = pytest.mark.campaign("playouts")
MOST = dict(TABLES)
"""The most seats of each game."""


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        pytest.param(ruleset, seats, marks=() if seats in (1, MOST[ruleset]) else OTHERS)
        for ruleset, seats in TABLES
    ],
)
def test_people_and_bots_play_a_game_that_verifies(
    ruleset: str,
    seats: int,
    redis_server: RedisServer,
    redis_client: Redis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(create_app(runtime_on(redis_server.url, announce=False)))
    turns = Turns(runtime_on(redis_server.url, announce=False), seconds=math.inf)
    people = [house.player("Ana"), house.player("Bob")][: max(1, seats - 1)]
    url = open_table(ruleset, seats, people)
    game_id = url.rpartition("/")[2]
    # In a game that one plays alone, a draw for the others follows each move: none is taken back.
    rng, taken_back = random.Random(f"{ruleset} {seats}"), int(seats == 1)
    while data(house.visitor.get(url))["status"] == "running":
        turns.play(game_id)
        for seat in asked(url, house.visitor):
            if seat < len(people):
                listed = people[seat].legal(url, seat)
                move = rng.choice(listed["moves"])
                before = state_of(people[seat], url, seat) if rng.random() < OFTEN else None
                form = {"seat": seat, "move": move, "expected_version": listed["version"]}
                foreseen = before and data(people[seat].post(f"{url}/preview", form))
                answer = people[seat].move(url, seat, move)
                assert answer.status_code == 201, answer.text
                if before and foreseen:
                    can = takes_back(people[seat], url, seat, before)
                    assert can == foreseen["can_take_back"], move
                    taken_back += can
    assert taken_back
    ended = data(house.visitor.get(url))
    assert ended["status"] == "ended"
    ranks = [row["rank"] for row in ended["result"]["standings"]]
    assert min(ranks) == 1
    assert len(ranks) >= seats
    for language in ("en", "es"):
        told = data(house.visitor.get(f"{url}/log?limit=1000", Accept_Language=language))
        for effect in told["effects"]:
            assert effect["text"] or says_nothing(effect), effect
            typed = validator(f"{camel(effect['ruleset'])}{camel(effect['type'])}Effect")
            assert typed.is_valid(effect), effect
    course = data(house.visitor.get(f"{url}/scores?limit=1000"))
    final = {row["side"]: row["score"] for row in ended["result"]["standings"]}
    assert dict(zip(course["sides"], course["scores"][-1]["scores"], strict=True)) == final
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    assert verified(game_id, tmp_path / "game.ndjson") == {"ok": True, "skipped": []}


def state_of(person: Person, url: str, seat: int) -> JsonObject:
    return data(person.get(f"{url}/state?seat={seat}"))


def takes_back(person: Person, url: str, seat: int, before: JsonObject) -> bool:
    """Take back the last move, if that is possible; the state is then that of ``before``."""
    now = state_of(person, url, seat)
    if now["ways_back"] in ([], before["ways_back"]):
        return False
    answer = person.post(f"{url}/take_backs", {"seat": seat, "to": now["ways_back"][-1]})
    assert answer.status_code == 201, answer.text
    after = state_of(person, url, seat)
    assert after == {**before, "version": now["version"] + 1, "ways_back": after["ways_back"]}
    assert set(after["ways_back"]) <= set(before["ways_back"])
    return True


def says_nothing(effect: JsonObject) -> bool:
    """Whether an effect has the amount 0; only such effects have no sentence."""
    return any(value in (0, [], None) for value in effect["data"].values())


def open_table(ruleset: str, seats: int, people: list[Person]) -> str:
    """Open a table for these players and bots, and return its URL."""
    holders: list[dict[str, Any]] = [{"holder": "me"}, *[{"holder": "open"}] * (len(people) - 1)]
    holders += [
        {"holder": "bot", "bot": BOTS[seat % len(BOTS)]} for seat in range(len(people), seats)
    ]
    form = {"ruleset": ruleset, "seats": holders, "take_back": True}
    opened = people[0].post("/v1/games", form)
    assert opened.status_code == 201, opened.text
    url = opened.headers["Location"]
    for seat, person in enumerate(people[1:], 1):
        assert person.put(f"{url}/seats/{seat}").status_code == 200
    return url


def verified(game_id: str, path: Path) -> dict[str, Any]:
    """Export the game and verify the file with its bots; return the result."""
    run = CliRunner().invoke
    exported = run(main, ["export", game_id, "--output", str(path)])
    assert exported.exit_code == 0, exported.output
    report = orjson.loads(run(main, ["verify", str(path), "--bots", "--json"]).stdout)
    skipped = [check["name"] for check in report["checks"] if check["skipped"]]
    return {"ok": report["verdict"] != "failed", "skipped": skipped}
