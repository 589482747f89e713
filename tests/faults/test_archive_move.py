"""``lonja archive move``, killed at any point: nothing is lost, and the next run ends the work."""

import math
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service import settings
from service.clock import TOLERANCE_MS
from service.following.telling import NoticeWriter
from service.games.listing import GameList
from service.ledger import export, lists
from service.ledger.exits import ASIDE
from service.ledger.places import PackPlaces
from service.ledger.terms import PRIVATE, TableTerms
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.skill import proof
from service.skill.progress import PREFIX, has_rows
from service.skill.rated_games import RatedGame
from service.tournaments.record import export as tournament_export
from service.tournaments.unended import games_without_result
from tests import running
from tests.faults import command
from tests.faults.conftest import Whole
from tests.running import ME, PLAYER, bot, open_game
from tests.service.tournaments.conftest import HOST, Hall
from tests.service.tournaments.test_abandoned import hold_disturbed, once
from workers.turns import Turns

__all__ = ["once"]

GREEDY = bot("greedy")
KILLED = -signal.SIGKILL
FOR_EVER = -1
"""The time to live of a key that does not expire."""
TWO_GAMES = {"type": "round_robin", "games": 2}
LISTS = ("games:*:ended", "hidden:*:ended", "rated", lists.TOURNAMENTS)


PEOPLE: list[JsonObject | None] = [{"player": PLAYER}, {"player": "p-bbbbbbbbbbbbbbbb"}]


def rated_game(runtime: Runtime) -> str:
    """Return a game that both of its players have resigned."""
    made: Any = runtime.tables.create(PLAYER, "sealed", {}, PEOPLE, terms=TableTerms(rated=True))
    for seat, holder in enumerate(PEOPLE):
        runtime.tables.resign(made.game.id, Seat(seat), (holder or {})["player"])
    Turns(runtime, seconds=math.inf).play(made.game.id)
    game_id: str = made.game.id
    return game_id


class Installation:
    """A store with finished games, one of them rated, a game in play, and a folder of packs.

    It has three tournaments that are over, too: one was played as planned, in one a try at a block
    was abandoned, and one was cancelled while a game was played.
    """

    def __init__(self, redis_url: str, redis: Redis, folder: Path, once: Path) -> None:
        self.redis = redis
        self.folder = folder
        self.environment = running.environment(
            redis_url, LONJA_ARCHIVE=str(folder / "packs"), LONJA_DATA_DIR=str(folder / "data"),
            LONJA_ARCHIVE_KEYS="0f" * 32, LONJA_EXTRA_BOTS="tests.bots.killed",
        )  # fmt: skip
        runtime = self.opened()
        self.ids = []
        for terms in (TableTerms(), TableTerms(title="Friends"), TableTerms(visibility=PRIVATE)):
            made: Any = runtime.tables.create(PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=terms)
            Turns(runtime, seconds=math.inf).play(made.game.id)
            self.ids.append(made.game.id)
        self.ids.append(rated_game(runtime))
        hall = Hall(runtime, running.patient_matches(runtime))
        two: JsonObject = {"entries": [{"bot": "greedy"}, {"bot": "random"}], "format": TWO_GAMES}
        cups = hall.hold(**two), hold_disturbed(hall, once, format=TWO_GAMES)
        cancelled = hall.open(**two)
        hall.matches.seconds = 0.0  # for a move
        hall.matches.play(cancelled.id)
        runtime.director.cancel(cancelled.id, "enough", HOST)
        hall.matches.seconds = 60.0
        hall.matches.play(cancelled.id)
        self.cups = [cup.id for cup in (*cups, cancelled)]
        for cup in map(runtime.director.find, self.cups):
            self.ids += tournament_export.game_ids(cup)
            others = [*games_without_result(cup)]
            newest = runtime.ledger.store.newest_events(others)
            begun = [id_ for id_, event in zip(others, newest, strict=True) if event]
            assert bool(begun) == (cup.id != self.cups[0])
            self.ids += begun
        runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)
        self.in_play = open_game(runtime, "sealed", GREEDY, ME)
        for shard in ALL_SHARDS:
            redis.hset(shard_key(shard, "followed"), NoticeWriter.name, "99999999999999-0")
        self.records, self.rows, self.ratings = self.read(), self.listed(), self.rated()
        found = [key for key in redis.scan_iter("lonja:*") if redis.ttl(key) == FOR_EVER]
        self.kept = {key: redis.dump(key) or b"" for key in found}

    def opened(self) -> Runtime:
        return open_runtime(settings.load(self.environment), announce=False)

    def read(self) -> list[list[JsonObject]]:
        """Return all records as a process that has just started reads them."""
        runtime = self.opened()
        tables = [runtime.ledger.table(game_id) for game_id in (*self.ids, self.in_play)]
        games = [[*export.lines(runtime, table, None)] for table in tables]
        cups = map(runtime.director.find, self.cups)
        return [*games, *([*tournament_export.lines(runtime, cup)] for cup in cups)]

    def listed(self) -> list[JsonObject]:
        """Return the rows of all games as a host that is up to date lists them for a player."""
        runtime = self.opened()
        runtime.ledger.store.past_lists.catch_up()
        games = GameList(runtime.redis, runtime.ledger)
        cups = map(lists.id_at, runtime.director.newest(99))
        return [
            *games.page(99).games,
            *games.page(99, player=PLAYER, viewer=PLAYER).games,
            *(runtime.standings.of(cup).summary() for cup in cups),
        ]

    def rated(self) -> dict[str, Any]:
        """Return the ratings as they follow from all games, in the store and in packs."""
        runtime = self.opened()
        runtime.player_ratings.count_again()
        runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)
        found = proof.stored(self.redis, runtime.host_rows)
        summaries = GameList(runtime.redis, runtime.ledger).ended_rated()
        assert proof.differing(found, map(RatedGame.of, summaries)) == []
        return {name.removeprefix(found.keys.all): told for name, told in found.contents.items()}

    def begin_again(self) -> None:
        """Let the store be as before games left, and the folder be empty."""
        self.redis.flushall()
        self.redis.script_flush()  # so that every run sends the same commands
        for key, value in self.kept.items():
            self.redis.restore(key, 0, value, replace=True)  # a server may note that it lives
        for path in [*self.folder.glob("packs/*"), *self.folder.glob("packs/*/*")]:
            if path.is_file():
                path.unlink()

    def move(self, order: str = "") -> tuple[int | None, list[str]]:
        return command.run(
            "archive", "move", environment=self.environment, folder=self.folder, order=order
        )


@pytest.fixture
def installation(
    redis_server: RedisServer, redis_client: Redis, tmp_path: Path, once: Path
) -> Installation:
    return Installation(redis_server.url, redis_client, tmp_path, once)


def torture(
    played: Installation, chosen: Callable[[list[str]], Sequence[int]], whole: Whole
) -> int:
    """Kill the command at each of the chosen points, one at a time; return how often.

    ``chosen`` gives their numbers, of which the first is 1.
    """
    gone = (*played.ids, *played.cups)
    code, points = played.move()
    assert code == 0
    assert PackPlaces(played.redis).count() == len(gone)
    kills = 0
    for point in chosen(points):
        played.begin_again()
        assert played.move(f"{point} after 0")[0] == KILLED, points[point - 1]
        kills += 1
        assert played.read() == played.records, points[point - 1]
        assert played.listed() == played.rows, points[point - 1]
        assert played.rated() == played.ratings, points[point - 1]
        assert played.move()[0] == 0, points[point - 1]
        assert played.rated() == played.ratings, points[point - 1]
        assert played.read() == played.records, points[point - 1]
        assert played.listed() == played.rows, points[point - 1]
        assert PackPlaces(played.redis).count() == len(gone), points[point - 1]
        for id_ in gone:
            assert played.redis.keys(f"*{id_}*") == [], points[point - 1]
        assert lists.sizes(played.redis, [*LISTS]) == [0] * len(LISTS), points[point - 1]
        assert played.redis.get(ASIDE) is None
        keys = played.redis.scan_iter(f"{PREFIX}[0-9]*")
        assert not [key for key in keys if has_rows(key.decode())], points[point - 1]
    whole(played.opened())
    return kills


def test_a_move_that_is_killed_is_repeated(installation: Installation, whole: Whole) -> None:
    """It is killed when it notes places, removes games, marks the pack, and empties the lists.

    It is also killed when some of the rows of ratings have left, and not yet their games.
    """

    def chosen(points: list[str]) -> Sequence[int]:
        rows = [n for n, point in enumerate(points, 1) if point.startswith("UNLINK lonja:{ratings")]
        return [rows[1], rows[-1], *range(1, len(points) + 1)[-20::4]]

    torture(installation, chosen, whole)


PARTS = 12


@pytest.mark.campaign("crashes")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_move_that_is_killed_anywhere_is_repeated(
    installation: Installation, whole: Whole, record_property: Any, part: int
) -> None:
    kills = torture(installation, lambda points: range(1, len(points) + 1)[part::PARTS], whole)
    record_property("kills", kills)
