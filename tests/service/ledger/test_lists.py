"""Lists are always current, and lose no entry of the same millisecond."""

from typing import Any

import pytest
from redis import Redis

from rules.kernel.contract.seats import Seat
from service import ids
from service.games.commands import TableCommands
from service.games.listing import GameList
from service.ids import shard_of
from service.ledger import lists
from service.ledger.ledger import Ledger
from service.ledger.lists import LISTS, TOURNAMENTS, games_list, id_at, newest, place_of
from service.ledger.store import Store
from service.redis.keys import shard_key
from tests.service.ledger.conftest import PLAYERS, REGISTRY, play, seat_all, start

AT = "2026-11-20T21:29:00.123Z"
EVERY = games_list(None, None)


def fill(redis: Redis, name: str, places: list[str]) -> None:
    pipe = redis.pipeline(transaction=False)
    for place in places:
        pipe.zadd(shard_key(shard_of(id_at(place)), LISTS), {f"{name}:{place}": 0})
    pipe.execute()


@pytest.mark.parametrize(
    ("name", "new_id", "limit"),
    [
        (TOURNAMENTS, ids.new_tournament_id, 7),
        (TOURNAMENTS, ids.new_tournament_id, 500),
        (EVERY, ids.new_game_id, 100),
        (EVERY, ids.new_game_id, 5000),
    ],
)
def test_a_thousand_of_one_millisecond_are_all_met(
    redis_client: Redis, name: str, new_id: Any, limit: int
) -> None:
    equal = [place_of(AT, new_id()) for _ in range(1000)]
    around = [place_of(f"2026-11-20T21:29:00.{ms}Z", new_id()) for ms in (122, 124)]
    fill(redis_client, name, equal + around)
    fill(redis_client, f"{name}x", [place_of(AT, new_id()) for _ in range(10)])
    met: list[str] = []
    after = None
    while page := newest(redis_client, name, limit, after):
        assert len(page) == min(limit, 1002 - len(met))
        met += page
        after = page[-1]
    assert met == sorted(equal + around, reverse=True)


def test_what_is_skewed_to_one_shard_is_met_too(redis_client: Redis) -> None:
    places = [place_of(AT, f"g07-{ids.new_game_id()[4:]}") for _ in range(300)]
    fill(redis_client, EVERY, [*places, other := place_of(AT, "g63-" + "a" * 20)])
    assert newest(redis_client, EVERY, 301) == sorted([*places, other], reverse=True)


def test_a_reader_pays_for_its_page_alone(own_client: Redis) -> None:
    tables = TableCommands(Ledger(Store(own_client), REGISTRY))
    games = GameList(own_client, tables.ledger)
    made = [start(tables).id for _ in range(30)]
    own_client.config_resetstat()
    assert {game["id"] for game in games.page(100).games} == set(made)
    stats: Any = own_client.info("commandstats")
    found = {name.removeprefix("cmdstat_"): one["calls"] for name, one in stats.items()}
    read = {"zrevrangebylex", "hget", "hexists", "config|resetstat"}
    assert set(found) <= read, "no stream is read and nothing is written"
    assert found["hget"] == len(made)
    assert found["hexists"] == 1, "whether games have left the lists"


def test_a_list_is_as_new_as_the_game(tables: TableCommands, redis_client: Redis) -> None:
    games = GameList(redis_client, tables.ledger)

    def listed(status: str | None = None, player: str | None = None) -> list[str]:
        return [game["id"] for game in games.page(9, status=status, player=player).games]

    done: Any = tables.create(PLAYERS[0], "sealed", {}, [*seat_all(1), None])
    name = done.game.id
    assert listed(status="lobby") == listed(player=PLAYERS[0]) == [name]
    tables.sit(name, Seat(1), {"player": PLAYERS[1]}, PLAYERS[1])
    assert listed(status="lobby") == []
    assert listed(status="running", player=PLAYERS[1]) == [name]
    over = play(tables, name, 1000)
    assert listed(status="running") == []
    (found,) = games.page(9, status="ended").games
    assert (found["result"], found["changed_at"]) == (over.result, over.at)


def test_what_left_its_seat_leaves_its_list(tables: TableCommands, redis_client: Redis) -> None:
    games = GameList(redis_client, tables.ledger)
    done: Any = tables.create(PLAYERS[0], "sealed", {}, [*seat_all(1), None, None])
    tables.sit(done.game.id, Seat(1), {"player": PLAYERS[1]}, PLAYERS[1])
    tables.stand(done.game.id, Seat(1), PLAYERS[1])
    assert games.page(9, player=PLAYERS[1]).games == []
    assert len(games.page(9).games) == 1


def test_a_table_cancelled_before_its_start_is_among_the_aborted_alone(
    tables: TableCommands, redis_client: Redis
) -> None:
    games = GameList(redis_client, tables.ledger)
    waiting: Any = tables.create(PLAYERS[0], "sealed", {}, [*seat_all(1), None])
    tables.abort(waiting.game.id, PLAYERS[0])
    bots: Any = tables.create(PLAYERS[0], "sealed", {}, [{"bot": "random", "version": "1"}] * 2)
    tables.abort(bots.game.id, PLAYERS[0])

    def listed(status: str | None = None) -> set[str]:
        return {game["id"] for game in games.page(9, status=status).games}

    assert listed("aborted") == {waiting.game.id, bots.game.id}
    assert listed() == {bots.game.id}


def test_an_older_listing_does_not_undo_an_append(
    tables: TableCommands, redis_client: Redis
) -> None:
    games = GameList(redis_client, tables.ledger)
    done: Any = tables.create(PLAYERS[0], "sealed", {}, [*seat_all(1), None])
    before = lists.game_listing(done.game)
    tables.sit(done.game.id, Seat(1), {"player": PLAYERS[1]}, PLAYERS[1])
    games._put(done.game.id, before)
    assert games.page(9, status="lobby").games == []
    assert len(games.page(9, status="running").games) == 1
