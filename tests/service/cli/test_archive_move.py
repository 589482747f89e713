"""`lonja archive move` on a store: what leaves it, what stays, and what a pack decides."""

import gzip
import math
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy2, copytree, rmtree
from socket import gethostname
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.api.activity import ActivityWindow
from service.archive import pack
from service.archive.files import Folder
from service.archive.index import INDEX, IndexedGames, PackIndex
from service.archive.pack import Row
from service.clock import TOLERANCE_MS
from service.following.telling import NoticeWriter
from service.games.listing import GameList
from service.ids import new_game_id, shard_of
from service.ledger import export, lists
from service.ledger.exits import ASIDE, MOVED
from service.ledger.feeds import TAILS
from service.ledger.ledger import Ledger
from service.ledger.lists import LISTED
from service.ledger.places import PACKS, PackedStream, PackPlace, PackPlaces, buckets, field
from service.ledger.store import Store
from service.ledger.terms import DEFAULT_TERMS, PRIVATE, TableTerms
from service.ledger.unlisting import (
    LIVE_MS,
    MARK,
    RATED_GONE,
    UNLISTED,
    ArchiveBehindError,
    IndexReport,
    ListExits,
)
from service.ledger.vault import Vault
from service.people.hosted import hosted
from service.publishing.heads import Heads
from service.publishing.marker import MARKER, adopt
from service.publishing.marker import NAME as LOG
from service.records import game_file
from service.redis.format import FORMAT_KEY
from service.redis.keys import ALL_SHARDS, game_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import SettingsError, load
from service.skill import repeats
from service.skill.progress import COUNTED, PREFIX
from service.skill.ratings import PlayerRatings
from service.tournaments import games as tournament_games
from service.tournaments import global_ratings, rounds
from service.tournaments.record import export as tournament_export
from service.tournaments.standing import TournamentStandings
from service.tournaments.tournament import Tournament
from service.upkeep import archiving, due, estimate, moving
from service.upkeep.besides import BesideFiles
from service.upkeep.due import LAST_RUN, Due, last_run
from service.upkeep.moving import Mover
from tests import running, stored_keys
from tests.running import ME, PLAYER, bot, open_game
from tests.service.archive import test_index
from tests.service.archive.packing import put
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
PEOPLE: list[JsonObject | None] = [{"player": PLAYER}, {"player": "p-bbbbbbbbbbbbbbbb"}]
FRIENDS = TableTerms(title="Friends")
HEAD = bytes(32)
GAMES = 16
ONE_ROUND: JsonObject = {"type": "round_robin", "games": 2}


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Hall:
    folders = {"LONJA_ARCHIVE": str(tmp_path / "packs"), "LONJA_DATA_DIR": str(tmp_path / "data")}
    return hall_on(redis_server.url, **folders)


@pytest.fixture
def runtime(hall: Hall) -> Runtime:
    return hall.runtime


@pytest.fixture
def move(lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `lonja archive move` on the test's Redis; games need not rest."""
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    monkeypatch.setenv("LONJA_ARCHIVE", str(tmp_path / "packs"))
    monkeypatch.setenv("LONJA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(archiving, "REST_MS", 0)

    def run(*options: str, exit_code: int = 0) -> JsonObject:
        _followed(runtime.redis)
        result = lonja("archive", "move", "--json", *options)
        assert result.exit_code == exit_code, result.output
        found: JsonObject = orjson.loads(result.stdout)
        moved: JsonObject = found["moved"]
        assert {type(moved[name]) for name in ("gone", "unlisted", "noted")} == {int}
        return moved

    return run


def _followed(redis: Redis) -> None:
    """Let the follower have told players of everything."""
    for shard in ALL_SHARDS:
        redis.hset(shard_key(shard, "followed"), NoticeWriter.name, "99999999999999-0")


def played(runtime: Runtime, terms: TableTerms = DEFAULT_TERMS, **more: Any) -> str:
    created: Any = runtime.tables.create(
        PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=terms, **more
    )
    Turns(runtime, seconds=math.inf).play(created.game.id)
    game_id: str = created.game.id
    return game_id


def record(runtime: Runtime, game_id: str) -> list[JsonObject]:
    return [*export.lines(runtime, runtime.ledger.table(game_id), None)]


def stored(redis: Redis, game_id: str) -> list[str]:
    """Return the names of a game's keys, but for leases, which expire by themselves."""
    keys = [key for key in redis.scan_iter(f"*{game_id}*") if redis.ttl(key) == -1]
    return sorted(key.decode().rpartition(":")[2] for key in keys)


def opened(runtime: Runtime) -> Runtime:
    """Return another process of the service."""
    return open_runtime(runtime.settings, announce=False)


def hall_of(runtime: Runtime) -> Hall:
    return Hall(runtime, running.patient_matches(runtime))


def listed(runtime: Runtime, **which: Any) -> list[str]:
    """Return the ids of the games in a list, as the API reads it on a host that is up to date."""
    runtime.ledger.store.past_lists.catch_up(announce=True)
    games = GameList(runtime.redis, runtime.ledger)
    return [game["id"] for game in games.page(99, **{"status": "ended", **which}).games]


def in_store(runtime: Runtime) -> list[str]:
    """Return the ids of the ended games that are in lists of the store."""
    return [lists.id_at(place) for place in lists.newest(runtime.redis, "games:*:ended", 99)]


NOTHING = {"gone": 0, "unlisted": 0, "noted": 0, "aside": [], "stay": [], "listed": []}


def test_a_game_leaves_and_is_read_as_before(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime, FRIENDS, idempotency_key="k", fingerprint=b"f" * 16)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    lines = record(runtime, game_id)
    assert move() == {**NOTHING, "gone": 1, "unlisted": 1}
    assert stored(runtime.redis, game_id) == []
    assert "events" in stored(runtime.redis, going_on)
    assert record(runtime, game_id) == lines
    assert runtime.ledger.terms(runtime.ledger.table(game_id).game) == FRIENDS
    assert listed(runtime) == [game_id]
    again: Any = runtime.tables.create(
        PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=FRIENDS, idempotency_key="k",
        fingerprint=b"f" * 16,
    )  # fmt: skip
    assert (again.game_id, again.first) == (game_id, 1)
    assert move() == NOTHING
    checked = lonja("archive", "check", tmp_path / "packs")
    assert checked.exit_code == 0
    assert "1 have left it, and it knows their packs." in checked.stdout
    assert "Archive: 1 games are read in packs." in lonja("status").stdout
    assert lonja("ledger", "check").exit_code == 0


def test_what_has_left_is_read_with_the_tools_of_everybody(
    move: Any, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    (pack,) = (tmp_path / "packs").glob("*.pack")
    assert said("sha256sum", str(pack)).startswith(pack.stem)
    said("gzip", "-t", "-S", ".pack", str(pack))
    assert game_id in said("gzip", "-dc", "-S", ".pack", str(pack))
    assert game_id.encode() in gzip.decompress(pack.read_bytes())


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, check=True).stdout.decode()


def test_without_a_key_private_games_stay_and_others_leave(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONJA_ARCHIVE_KEYS", "0f" * 32)
    played(runtime, TableTerms(visibility=PRIVATE))
    assert move()["gone"] == 1
    monkeypatch.delenv("LONJA_ARCHIVE_KEYS")
    hidden, public = played(runtime, TableTerms(visibility=PRIVATE)), played(runtime)
    assert move("--again")["gone"] == 1
    assert "events" in stored(runtime.redis, hidden)
    assert stored(runtime.redis, public) == []


def shown(hall: Hall, cup: Tournament) -> list[Any]:
    """Return what a process that has just started shows of a tournament, in every way."""
    runtime = opened(hall.runtime)
    runtime.ledger.store.past_lists.catch_up()
    standing = runtime.standings.of(cup.id)
    every = [*hosted(runtime, PLAYER)]
    now = ActivityWindow(runtime, GameList(runtime.redis, runtime.ledger)).look()
    return [
        [*tournament_export.lines(runtime, runtime.director.find(cup.id))],
        [*tournament_export.of_kept(runtime, standing).lines()],
        standing, runtime.reports.of(standing), runtime.reports.leaders([cup.id]),
        runtime.standings.of_all([cup.id]), [one.id for one in every],
        [*rounds.listed(runtime.standings, standing, 0, 99)],
        [*tournament_games.listed(runtime.standings, standing, 0, 99)],
        [*map(lists.id_at, runtime.director.newest(99))], runtime.ratings.of("sealed", PLAYER),
        None if now is None else now.tournaments,
    ]  # fmt: skip


def test_a_tournament_leaves_with_its_games_and_is_read_as_before(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, tmp_path: Path
) -> None:
    cup, going_on = hall.hold(seed="cup"), hall.open(seed="going on")
    hall.matches.play(cup.id)  # the last work: its report, and ratings
    ids = [*tournament_export.game_ids(cup)]
    before = shown(hall, cup)
    assert move() == {**NOTHING, "gone": len(ids) + 1, "unlisted": 1}
    assert [stored(runtime.redis, id_) for id_ in (*ids, cup.id)] == [[]] * (len(ids) + 1)
    assert lists.sizes(runtime.redis, [lists.TOURNAMENTS]) == [1]
    assert shown(hall, cup) == before
    runtime.ratings.catch_up()
    other = hall_of(opened(runtime))
    other.matches.play(cup.id)
    assert stored(runtime.redis, cup.id) == []
    assert shown(hall, cup) == before
    runtime.ratings.count_again()
    runtime.ratings.catch_up()
    rebuilt = {*GameList(runtime.redis, runtime.ledger).rebuild()}
    assert {*ids, cup.id} <= rebuilt
    assert shown(hall, cup) == before
    assert move() == NOTHING
    assert other.finish(going_on).status == "ended"
    assert lonja("ledger", "check").exit_code == 0
    assert lonja("backup", tmp_path / "backup.gz").exit_code == 0
    assert lonja("archive", "check", tmp_path / "packs").exit_code == 0
    rated_so_far = runtime.ratings.of("sealed", PLAYER)
    assert lonja("archive", "restore", ids[0], cup.id).exit_code == 0
    runtime.ratings.catch_up()
    assert runtime.ratings.of("sealed", PLAYER) == rated_so_far
    assert "events" in stored(runtime.redis, ids[0])
    assert {"events", "kept", "report_3"} <= {*stored(runtime.redis, cup.id)}
    assert shown(hall, cup)[:6] == before[:6]
    assert move("--again")["gone"] >= 2
    assert stored(runtime.redis, cup.id) == []


def test_a_tournament_is_as_before_also_while_it_comes_back(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = hall.hold()
    hall.matches.play(cup.id)
    before = shown(hall, cup)
    move()
    with monkeypatch.context() as killed:
        killed.setattr(TournamentStandings, "make_again", _killed)
        with pytest.raises(OSError, match="killed"):
            lonja("archive", "restore", cup.id)
    assert stored(runtime.redis, cup.id) == ["events", "index", "secrets"]
    assert shown(hall_of(opened(runtime)), cup)[:9] == before[:9]
    assert lonja("archive", "restore", cup.id).exit_code == 0
    assert "kept" in stored(runtime.redis, cup.id)
    assert shown(hall_of(opened(runtime)), cup)[:9] == before[:9]


def _killed(*_arguments: object) -> None:
    raise OSError("killed")


def test_a_tournament_stays_as_long_as_it_is_needed(
    move: Any, lonja: Lonja, runtime: Runtime, hall: Hall
) -> None:
    cup = hall.hold(format=ONE_ROUND)
    due = shard_key(shard_of(cup.id), "due")
    runtime.redis.zadd(due, {cup.id: 1})
    told = move(exit_code=1)
    assert [one["why"] for one in told["stay"]] == ["workers have to conclude it"]
    runtime.redis.zrem(due, cup.id)
    runtime.redis.hset(global_ratings.KEPT, "counted", "[]")
    told = move(exit_code=1)
    assert told["listed"] == [{"why": "it has not counted for ratings yet", "games": 1}]
    assert [*map(lists.id_at, runtime.director.newest(9))] == [cup.id]
    runtime.redis.hset(UNLISTED, mapping={"0": 1, MARK: "other"})
    with pytest.raises(ArchiveBehindError):
        runtime.director.newest(9)  # this process has no index
    runtime.ratings.catch_up()
    assert move()["unlisted"] == 1
    assert cup.id in lonja("tournament", "list", "--json").stdout


def test_a_pack_decides_about_a_tournament_that_goes_on(
    move: Any, runtime: Runtime, hall: Hall
) -> None:
    redis = runtime.redis
    cup = hall.hold(format=ONE_ROUND)
    hall.matches.play(cup.id)
    entries: Any = redis.xrange(game_key(cup.id, "events"))
    kept: Any = redis.hgetall(game_key(cup.id, "secrets"))
    before = shown(hall, cup)
    move()
    rewind(runtime, cup.id, entries[:-2])
    redis.hset(game_key(cup.id, "secrets"), mapping=kept)
    redis.zadd(shard_key(shard_of(cup.id), "due"), {cup.id: 1})
    opened(runtime).standings.make_again(opened(runtime).director.find(cup.id))
    told = move(exit_code=1)
    assert told["aside"] == [cup.id]
    aside = f"aside_{len(entries) - 2}"
    assert stored(redis, cup.id) == [f"{aside}_events", f"{aside}_secrets"]
    assert redis.zscore(shard_key(shard_of(cup.id), "due"), cup.id) is None
    assert shown(hall, cup)[:10] == before[:10]


def test_words_that_change_before_it_leaves_are_in_the_file_beside(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime, FRIENDS)
    assert lonja("archive", "write", tmp_path / "packs").exit_code == 0
    runtime.tables.guests.note_rematch(game_id, "g00-rematch")
    assert move()["gone"] == 1
    game = runtime.ledger.table(game_id).game
    assert runtime.tables.guests.host_and_rematch(game) == (PLAYER, "g00-rematch")
    assert stored(runtime.redis, game_id) == []


def test_a_game_stays_until_players_have_been_told_of_its_end(
    move: Any, lonja: Lonja, runtime: Runtime
) -> None:
    game_id = played(runtime)
    for shard in ALL_SHARDS:
        runtime.redis.hdel(shard_key(shard, "followed"), NoticeWriter.name)
    result = lonja("archive", "move")
    assert result.exit_code == 1
    assert f"STAYS  {game_id}: players have not been told of its end yet" in result.stderr
    assert move()["gone"] == 1


def test_a_game_stays_until_its_end_is_in_the_public_log(
    move: Any, lonja: Lonja, runtime: Runtime
) -> None:
    """An entry of a feed may be a little later than its event."""
    redis, game_id = runtime.redis, played(runtime)
    for shard, feed in enumerate(TAILS):
        newest: Any = redis.xrevrange(feed, count=1)
        for place, fields in newest if shard == shard_of(game_id) else ():
            redis.xdel(feed, place)
            at = int(place.partition(b"-")[0]) + 1_000
            redis.xadd(feed, fields, id=f"{at}-0")
            places: Any = {LOG: f"{at - 1}-0", NoticeWriter.name: f"{at}-0"}
            redis.hset(shard_key(shard, "followed"), mapping=places)
    adopt(redis, keeps_log=False)  # as a restore does, with or without a log
    redis.hset(MARKER, "indexed", 0)
    told = lonja("archive", "move").stderr
    assert f"STAYS  {game_id}: the public log has not its end yet" in told
    redis.hdel(MARKER, "indexed")
    assert move()["gone"] == 1


def rewind(runtime: Runtime, game_id: str, entries: Any) -> None:
    """Let the store be as before the game left, and have these entries of its stream."""
    redis = runtime.redis
    for key in buckets(game_id):
        redis.hdel(key, field(game_id))
    redis.delete(MOVED)
    for place, fields in entries:
        redis.xadd(game_key(game_id, "events"), fields, id=place)


@pytest.mark.parametrize("lost", [0, 3])
def test_a_pack_decides_about_a_game_that_goes_on(move: Any, runtime: Runtime, lost: int) -> None:
    redis = runtime.redis
    game_id = played(runtime)
    lines = record(runtime, game_id)
    entries: Any = redis.xrange(game_key(game_id, "events"))
    kept = redis.hgetall(game_key(game_id, "secrets"))
    move()
    rewind(runtime, game_id, entries[: len(entries) - lost])
    redis.hset(game_key(game_id, "secrets"), mapping=kept)  # type: ignore[arg-type]
    redis.zadd(shard_key(int(game_id[1:3]), "due"), {game_id: 1})
    told = move(exit_code=1 if lost else 0)
    assert (told["gone"], told["aside"]) == ((0, [game_id]) if lost else (1, []))
    aside = f"aside_{len(entries) - lost}"
    assert stored(redis, game_id) == ([f"{aside}_events", f"{aside}_secrets"] if lost else [])
    assert redis.zscore(shard_key(int(game_id[1:3]), "due"), game_id) is None
    assert int(redis.get(ASIDE) or 0) == (1 if lost else 0)
    assert record(runtime, game_id) == lines
    assert listed(runtime) == [game_id]
    assert move() == NOTHING


def test_another_history_of_a_finished_game_is_told_and_nothing_is_removed(
    move: Any, runtime: Runtime
) -> None:
    game_id = played(runtime)
    events = [stored.event for stored in runtime.ledger.store.read_all(game_id)]
    before_last_batch = sum(event.last < len(events) for event in events)
    entries: Any = runtime.redis.xrange(game_key(game_id, "events"))
    kept: Any = runtime.redis.hgetall(game_key(game_id, "secrets"))
    move()
    rewind(runtime, game_id, entries[:before_last_batch])
    runtime.redis.hset(game_key(game_id, "secrets"), mapping=kept)
    Turns(opened(runtime), seconds=math.inf).play(game_id)
    told = move(exit_code=1)
    why = "the store has another history of it"
    assert told["stay"] == [{"id": game_id, "why": why, "other_history": True}]
    assert (told["gone"], told["aside"]) == (0, [])
    assert "events" in stored(runtime.redis, game_id)


def test_the_store_does_not_open_without_its_archive(move: Any, runtime: Runtime) -> None:
    played(runtime)
    move()
    with pytest.raises(SettingsError, match="set LONJA_ARCHIVE to the folder of their packs"):
        open_runtime(load(running.environment(runtime.settings.redis_url or "")))


def test_the_command_needs_a_folder(
    lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    result = lonja("archive", "move")
    assert (result.exit_code, "LONJA_ARCHIVE is missing" in result.stderr) == (2, True)


@pytest.mark.parametrize("is_there", [True, False])
def test_nothing_leaves_into_a_folder_that_has_lost_all_packs(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path, *, is_there: bool
) -> None:
    first = played(runtime)
    move()
    packs = tmp_path / "packs"
    packs.rename(tmp_path / "disk")
    if is_there:
        packs.mkdir()  # where the disk was mounted
    second = played(runtime)
    _followed(runtime.redis)
    result = lonja("archive", "move")
    assert result.exit_code == 2
    assert f"{packs} is empty, or not there, and the Redis knows 1 packs: look" in result.stderr
    assert "events" in stored(runtime.redis, second)
    assert packs.exists() == is_there
    assert not is_there or not [*packs.iterdir()]
    if is_there:
        packs.rmdir()
    (tmp_path / "disk").rename(packs)
    assert move()["gone"] == 1
    told = lonja("archive", "ls", packs).stdout
    assert first in told
    assert second in told


@pytest.fixture
def foreign(
    lonja: Lonja, redis_server: RedisServer, redis_client: Redis, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Path:  # fmt: skip
    """Return the folder of packs of another installation."""
    other = tmp_path / "other"
    played(hall_on(redis_server.url, LONJA_DATA_DIR=str(other / "data")).runtime, FRIENDS)
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setenv("LONJA_DATA_DIR", str(other / "data"))
    monkeypatch.setattr(archiving, "REST_MS", 0)
    assert lonja("archive", "write", other / "packs").exit_code == 0
    redis_client.flushall()
    return other / "packs"


@pytest.mark.parametrize("where", ["first", "instead", "between"])
def test_nothing_leaves_into_a_folder_of_another_installation(
    foreign: Path, lonja: Lonja, move: Any, runtime: Runtime, tmp_path: Path, where: str
) -> None:
    packs, own = tmp_path / "packs", tmp_path / "own"
    (pack,) = foreign.glob("*.pack")
    if where != "first":
        played(runtime)
        move()
    if where == "between":
        copy2(pack, packs)
    else:
        if where == "instead":
            packs.rename(own)
        copytree(foreign, packs)
    before = sorted(packs.rglob("*"))
    game_id = played(runtime)
    _followed(runtime.redis)
    result = lonja("archive", "move")
    assert result.exit_code == 2
    assert f"{packs / pack.name} is of another installation, with the key " in result.stderr
    assert "events" in stored(runtime.redis, game_id)
    assert {*packs.rglob("*")} - {*before} <= {packs / ".lock"}
    # As soon as it is gone, all is as if it never had been there.
    if where == "between":
        (packs / pack.name).unlink()
    else:
        rmtree(packs)
        if where == "instead":
            own.rename(packs)
    assert move()["gone"] == 1
    assert lonja("archive", "scrub").exit_code == 0
    assert lonja("archive", "index").exit_code == 0


def test_what_is_no_pack_is_not_missed_when_it_has_been_taken_away(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    played(runtime)
    move()
    packs = tmp_path / "packs"
    (pack,) = packs.glob("*.pack")
    wrong = packs / f"{'0' * 64}.pack"
    copy2(pack, wrong)
    result = lonja("archive", "move")
    assert result.exit_code == 2
    assert f"{wrong} is not what was written" in result.stderr
    wrong.unlink()
    assert move() == NOTHING
    assert lonja("archive", "scrub").exit_code == 0


def test_a_pack_that_is_damaged_lets_nothing_leave(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    assert lonja("archive", "write", tmp_path / "packs").exit_code == 0
    (pack,) = (tmp_path / "packs").glob("*.pack")
    raw = bytearray(pack.read_bytes())
    raw[100] ^= 1
    pack.chmod(0o644)
    pack.write_bytes(raw)
    _followed(runtime.redis)
    result = lonja("archive", "move")
    assert result.exit_code == 2
    assert "is not what was written" in result.stderr
    assert "events" in stored(runtime.redis, game_id)


def test_a_game_that_leaves_during_a_backup_is_no_fault(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    runtime.redis.xadd(game_key(game_id, "events"), {"e": ""}, "9-0")
    runtime.redis.xdel(game_key(game_id, "events"), "9-0")
    assert lonja("backup", tmp_path / "backup.gz").exit_code == 0


def rows(runtime: Runtime, limit: int = 2, **which: Any) -> list[JsonObject]:
    """Return the rows of a list, read page by page on a host that is up to date."""
    runtime.ledger.store.past_lists.catch_up()
    games, found = GameList(runtime.redis, runtime.ledger), []
    place = None
    while True:
        page, place = games.page(limit, after=place, **which)
        found += page
        if place is None:
            return found


def test_lists_are_as_before_without_entries_in_the_store(move: Any, runtime: Runtime) -> None:
    tagged = played(runtime, TableTerms(title="Friends", tags=("eve",)))
    played(runtime)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    last = played(runtime)
    queries: tuple[dict[str, Any], ...] = (
        {}, {"status": "ended"}, {"player": PLAYER}, {"ruleset": "sealed"}, {"tag": "eve"},
        {"bot": "greedy"}, {"bot": "greedy", "status": "ended"},
        {"tag": "eve", "status": "running"},
    )  # fmt: skip
    before = [rows(runtime, **query) for query in queries]
    assert [row["id"] for row in before[0]][:2] == [last, going_on]
    assert [row["id"] for row in before[4]] == [tagged]
    assert move()["unlisted"] == 3
    assert in_store(runtime) == []
    assert lists.sizes(runtime.redis, ["games:*:*"]) == [1]
    assert [rows(runtime, **query) for query in queries] == before
    assert lists.summaries(runtime.redis, [tagged, last]) == [None, None]


def test_no_page_lacks_a_game_or_repeats_one_while_games_move(
    runtime: Runtime, lonja: Lonja, move: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(moving, "_AT_ONCE", 1)
    ids = [played(runtime) for _ in range(4)]
    expected = sorted(ids, key=lambda id_: place_in_store(runtime, id_), reverse=True)
    assert lonja("archive", "write", tmp_path / "packs").exit_code == 0
    _followed(runtime.redis)
    folder, games = Folder(tmp_path / "packs"), GameList(runtime.redis, runtime.ledger)
    besides = BesideFiles(runtime.ledger.store, folder)
    key = runtime.signer.public_key.hex()
    mover = Mover(runtime.ledger, folder, besides, games.list_again, key)
    for name in folder.names():
        PackPlaces(runtime.redis).number(name)
    runtime.ledger.store.past_lists.catch_up()
    assert index_reads(monkeypatch, lambda: games.page(1, status="ended")) == 1  # not a pack's
    steps, place = mover.move(), None
    found: list[str] = []
    for step in range(8):  # four games leave the store, and then its lists
        next(steps)
        assert listed(runtime) == expected
        if step % 2:
            page, place = games.page(1, after=place, status="ended")
            found += [game["id"] for game in page]
    assert found == expected
    assert in_store(runtime) == []


def index_reads(monkeypatch: pytest.MonkeyPatch, ask: Callable[[], object]) -> int:
    """Return how often the index of packs is read for a list."""
    newest, reads = PackIndex.newest, []

    def counted(self: PackIndex, *arguments: Any) -> IndexedGames:
        reads.append(arguments)
        return newest(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(PackIndex, "newest", counted)
        ask()
    return len(reads)


def test_a_page_costs_little_however_few_games_of_packs_count(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    assert listed(runtime) == [game_id]
    index, late = PackIndex(tmp_path / "data" / INDEX), 4_000_000_000_000
    index.put("foreign", "", test_index.listed(*(row(n, late + n) for n in range(3_000))))
    games, place, found = GameList(runtime.redis, runtime.ledger), None, []

    def page() -> None:
        nonlocal place
        page = games.page(1, after=place, status="ended")
        found.extend(page.games)
        place = page.place

    assert index_reads(monkeypatch, page) < 20
    while place is not None:
        page()
    assert [game["id"] for game in found] == [game_id]


def row(number: int, created: int) -> Row:
    """Return the row of a game in a pack of another installation."""
    name = f"{number:04d}".translate(str.maketrans("0123456789", "abcdefghij"))
    return test_index.row(number, created, id=f"g00-{'z' * 16}{name}")


def test_all_that_stays_of_a_game_is_its_place(move: Any, runtime: Runtime) -> None:
    redis = runtime.redis
    played(runtime)
    move()
    before = contents(redis)
    ids = [played(runtime, FRIENDS), played(runtime)]
    move()
    after = contents(redis)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    of_places = {key for id_ in ids for key in (*buckets(id_), shard_key(int(id_[1:3]), "packed"))}
    of_packs = {PACKS, MOVED, UNLISTED, LAST_RUN}
    assert changed - of_places - of_packs <= {*TAILS}  # the feeds, which have a maximum length


def friends(runtime: Runtime) -> str:
    return played(runtime, FRIENDS)


def rated(runtime: Runtime) -> str:
    """Return a rated game that both of its players have resigned."""
    made: Any = runtime.tables.create(PLAYER, "sealed", {}, PEOPLE, terms=TableTerms(rated=True))
    for seat, holder in enumerate(PEOPLE):
        runtime.tables.resign(made.game.id, Seat(seat), (holder or {})["player"])
    Turns(runtime, seconds=math.inf).play(made.game.id)
    game_id: str = made.game.id
    return game_id


@pytest.mark.parametrize("play", [friends, rated])
def test_what_has_left_takes_at_most_64_bytes_of_all_keys_together(
    move: Any,
    runtime: Runtime,
    hall: Hall,
    play: Callable[[Runtime], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def thirty_days_pass() -> None:
        with monkeypatch.context() as later:
            later.setattr(repeats, "WINDOW_MS", 0)
            assert move()["unlisted"] == 0

    played(runtime, FRIENDS)
    rated(runtime)
    hall.hold(seed="first", format=ONE_ROUND)
    count_ratings(runtime)
    move()
    others = [
        PackedStream(new_game_id(), 1, HEAD, PackPlace(0, 1, 1, HEAD[:8])) for _ in range(999)
    ]
    PackPlaces(runtime.redis).note(others, absent=True)  # so there are hashes in all shards
    for shard in ALL_SHARDS:  # and numbers
        runtime.redis.incrby(shard_key(shard, RATED_GONE), 0)
    thirty_days_pass()
    before = bytes_of_all_keys(runtime.redis)
    for _ in range(GAMES):
        play(runtime)
    cup = hall.hold(seed="second", format=ONE_ROUND)
    count_ratings(runtime)
    assert move()["unlisted"] == GAMES + 1
    runtime.ratings.catch_up()
    thirty_days_pass()
    gone = GAMES + 1 + len([*tournament_export.game_ids(cup)])
    assert 0 < (bytes_of_all_keys(runtime.redis) - before) / gone <= 64


def bytes_of_all_keys(redis: Redis) -> int:
    for feed in TAILS:
        redis.delete(feed)  # it has a maximum length
    found = redis.scan_iter("*", count=10_000)
    keys = [key for key in found if not key.startswith(b"rq:")]  # the job queue may be elsewhere
    assert stored_keys.unknown([key.decode() for key in keys]) == []
    lasting = [key for key in keys if redis.ttl(key) == -1]  # leases expire by themselves
    return sum(int(redis.memory_usage(key, samples=0) or 0) for key in lasting)


def contents(redis: Redis) -> dict[str, bytes | None]:
    return {key.decode(): redis.dump(key) for key in redis.scan_iter("*")}


def place_in_store(runtime: Runtime, game_id: str) -> str:
    (summary,) = lists.summaries(runtime.redis, [game_id])
    assert summary is not None
    return lists.place_of(summary["created_at"], game_id)


def test_a_host_that_is_behind_serves_no_lists_of_what_may_have_left(
    move: Any, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    games = GameList(runtime.redis, runtime.ledger)
    queries: tuple[dict[str, Any], ...] = ({}, {"status": "ended"}, {"player": PLAYER})
    for query in queries:
        with pytest.raises(ArchiveBehindError, match="the index of packs lacks 1 of 1"):
            games.page(9, **query)
    assert games.page(9, status="running").games == []
    assert listed(runtime) == [game_id]
    asked = hashes_read(runtime.redis)
    assert runtime.ledger.store.past_lists.catch_up() == 0
    assert hashes_read(runtime.redis) == asked  # no names of packs, as there are as many
    (tmp_path / "data" / INDEX).unlink()
    with pytest.raises(ArchiveBehindError):
        games.page(9)
    assert listed(runtime) == [game_id]
    without = Store(runtime.redis, Vault(None))
    with pytest.raises(ArchiveBehindError, match="this process has no archive"):
        GameList(runtime.redis, Ledger(without, runtime.registry)).page(9)


def hashes_read(redis: Redis) -> int:
    """Return how many hashes have been read whole."""
    told: Any = redis.info("commandstats")
    number: int = told["cmdstat_hgetall"]["calls"]
    return number


def test_games_stay_in_lists_until_each_live_host_has_them_in_its_index(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "INDEXED_SECONDS", 0)
    game_id = played(runtime)
    runtime.ledger.store.past_lists.catch_up(announce=True)  # a live host
    told = move(exit_code=1)
    why = f"the index of packs is behind on {gethostname()}"
    assert (told["gone"], told["unlisted"]) == (1, 0)
    assert told["listed"] == [{"why": why, "games": 1}]
    assert in_store(runtime) == listed(runtime) == [game_id]
    assert move()["unlisted"] == 1  # as ``listed`` has let the host catch up
    assert in_store(runtime) == []
    assert listed(runtime) == [game_id]


def test_games_stay_in_lists_until_each_live_host_has_folded_the_rated_ones(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "INDEXED_SECONDS", 0)
    rated(runtime)
    count_ratings(runtime)
    assert move()["unlisted"] == 1
    game_id, past = played(runtime), runtime.ledger.store.past_lists
    past.catch_up(announce=True)
    move(exit_code=1)
    past.catch_up(announce=True, complete=False)  # this host has the pack, and not all rows
    told = move(exit_code=1)
    why = f"the index of packs is behind on {gethostname()}"
    assert told["listed"] == [{"why": why, "games": 1}]
    assert in_store(runtime) == [game_id]
    past.catch_up(announce=True)
    assert move()["unlisted"] == 1


def test_a_host_that_has_gone_is_not_waited_for(move: Any, runtime: Runtime) -> None:
    played(runtime)
    now_ms = runtime.ledger.store.clock.ask()
    ListExits(runtime.redis).report("long-gone", IndexReport(now_ms - LIVE_MS - 1_000, "old", {}))
    assert move()["unlisted"] == 1


def count_ratings(runtime: Runtime) -> None:
    """Count all rated games, as a worker does some seconds after their ends."""
    runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)


def test_rated_games_leave_lists_when_they_have_counted(
    move: Any, lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = rated(runtime)
    with monkeypatch.context() as patch:
        patch.setattr(PlayerRatings, "catch_up", lambda *_: True)
        told = move(exit_code=1)
    why = "it has not counted for ratings yet"
    assert told == {**NOTHING, "gone": 1, "listed": [{"why": why, "games": 1}]}
    assert in_store(runtime) == listed(runtime) == [game_id]
    count_ratings(runtime)
    assert move() == {**NOTHING, "unlisted": 1}
    assert (in_store(runtime), listed(runtime)) == ([], [game_id])
    assert lists.sizes(runtime.redis, [lists.RATED]) == [0]
    assert move() == NOTHING
    counted = runtime.redis.get(COUNTED)
    assert lonja("archive", "restore", game_id).exit_code == 0
    count_ratings(runtime)
    assert runtime.redis.get(COUNTED) == counted  # they do not count again


def test_a_listing_of_an_older_release_is_made_anew_before_it_is_compared(
    move: Any, runtime: Runtime
) -> None:
    game_id = played(runtime)
    shard = shard_key(int(game_id[1:3]), LISTED)
    entry: Any = runtime.redis.hget(shard, game_id)
    older = {**orjson.loads(entry), "summary": {"id": game_id}}
    runtime.redis.hset(shard, game_id, orjson.dumps(older))
    assert move()["unlisted"] == 1
    assert listed(runtime) == [game_id]


def test_a_game_that_its_pack_would_list_in_another_way_stays_in_lists(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = played(runtime)
    monkeypatch.setattr(moving, "listing_of", lambda *_: lists.Listing(1, [], {"status": "ended"}))
    told = move(exit_code=1)
    why = "its pack would list it in another way"
    assert told["listed"] == [{"why": why, "games": 1}]
    assert in_store(runtime) == [game_id]


def test_a_rebuild_lists_what_has_left_nowhere_but_in_the_index(
    move: Any, runtime: Runtime
) -> None:
    first, second = played(runtime, FRIENDS), played(runtime)
    move()
    third = played(runtime)
    before = rows(runtime)
    assert sum(1 for _id in GameList(runtime.redis, runtime.ledger).rebuild()) == 3
    assert rows(runtime) == before
    assert sorted(listed(runtime)) == sorted((first, second, third))
    assert in_store(runtime) == [third]


def test_an_index_is_made_again_from_packs(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime, FRIENDS)
    move()
    assert lonja("archive", "index").stdout.startswith("1 packs were indexed in ")
    told = orjson.loads(lonja("archive", "index", "--json").stdout)
    assert (told["packs"], told["lacking"]) == (1, [])
    assert GameList(runtime.redis, runtime.ledger).page(9).games[0]["id"] == game_id
    (pack,) = (tmp_path / "packs").glob("*.pack")
    (tmp_path / "data" / INDEX).unlink()
    pack.rename(tmp_path / "elsewhere")
    lost = lonja("archive", "index")
    assert (lost.exit_code, lost.stderr.strip()) == (1, f"LACKS  {pack.name}: it cannot be read")


def test_a_pack_that_cannot_be_read_again_stays_in_the_index_and_is_told(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id = played(runtime)
    move()
    assert lonja("archive", "index").exit_code == 0
    (pack,) = (tmp_path / "packs").glob("*.pack")
    pack.rename(tmp_path / "elsewhere")
    told = lonja("archive", "index")
    assert told.exit_code == 1
    assert f"KEPT  {pack.name}: it cannot be read again: " in told.stderr
    found = lonja("archive", "index", "--json")
    assert found.exit_code == 1
    named = orjson.loads(found.stdout)
    assert (named["packs"], named["lacking"], named["kept"]) == (0, [], [pack.name])
    assert listed(runtime) == [game_id]


def test_a_catalogue_or_an_index_that_cannot_be_used_is_told(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    played(runtime)
    move()
    data = tmp_path / "data"
    (catalogue,) = data.glob("packed-*.db")
    for file in (catalogue, data / INDEX):
        file.unlink(missing_ok=True)
        file.mkdir()
    told = lonja("archive", "move")
    assert told.exit_code == 2
    assert f"The catalogue of packs in {data} cannot be used: unable to open" in told.stderr
    told = lonja("archive", "index")
    assert told.exit_code == 2
    assert "the index of packs cannot be used: unable to open" in told.stderr


def test_what_is_due_leaves_by_its_age_and_the_oldest_if_the_store_is_full(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (played(runtime) for _ in range(3))
    monkeypatch.setenv("LONJA_ARCHIVE_MEMORY_MARK", "100%")
    assert move("--due") == NOTHING
    excess = iter((1, 0))  # in bytes; that is less than one game has
    monkeypatch.setattr(Due, "excess", lambda *_: next(excess))
    assert move("--due")["gone"] == 1
    assert in_store(runtime) == [third, second]
    assert stored(runtime.redis, first) == []


def test_tournaments_leave_a_store_above_its_mark_with_the_others(
    move: Any, runtime: Runtime, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = hall.hold(format=ONE_ROUND)
    game_id = played(runtime)
    monkeypatch.setattr(pack, "AIM_BYTES", 1)  # so the tournament has a step of its own
    monkeypatch.setenv("LONJA_ARCHIVE_MEMORY_MARK", "1")  # a byte
    runtime.ratings.catch_up()
    assert move("--due")["gone"] == 2 + len([*tournament_export.game_ids(cup)])
    assert stored(runtime.redis, game_id) == []


def test_a_store_above_its_mark_lets_all_leave_that_may(
    move: Any, lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [played(runtime) for _ in range(2)]
    monkeypatch.setenv("LONJA_ARCHIVE_MEMORY_MARK", "1")  # a byte
    assert move("--due")["gone"] == 2
    assert in_store(runtime) == []
    told = last_run(runtime.redis)
    assert told is not None
    assert (told.gone, told.refused) == (2, 0)
    assert "The last run began" in lonja("status").stdout
    monkeypatch.setattr(due, "DAY_MS", 0)
    late = played(runtime)
    monkeypatch.setenv("LONJA_ARCHIVE_MEMORY_MARK", "100%")
    assert move("--due")["gone"] == 1
    assert stored(runtime.redis, late) == []
    assert sorted(listed(runtime)) == sorted((*ids, late))


def test_a_game_that_is_restored_is_as_before_it_left(
    move: Any, lonja: Lonja, runtime: Runtime
) -> None:
    redis = runtime.redis
    ids = [
        played(runtime, FRIENDS, idempotency_key="k", fingerprint=b"f" * 16),
        *(played(runtime) for _ in range(2)),
    ]
    before, kept = rows(runtime), [everything_of(runtime, id_) for id_ in ids]
    entries = [lists.summaries(redis, [id_]) for id_ in ids]
    heads = Heads(runtime.ledger.store)
    assert len(heads.read(ids, 0).drafts) == 3
    move()
    told = lonja("archive", "restore", ids[0], "g00-unknown", "--json")
    assert told.exit_code == 1
    why = "it is not the id of a game or tournament"
    found = orjson.loads(told.stdout)
    assert found == {"restored": 1, "here": 0, "failed": [{"id": "g00-unknown", "why": why}]}
    assert type(found["restored"]) is int  # True would be equal
    assert rows(runtime) == before
    assert in_store(runtime) == ids[:1]
    assert move() == NOTHING
    assert lonja("archive", "restore", "--all").stdout.startswith("2 games are in the Redis again")
    assert [everything_of(runtime, id_) for id_ in ids] == kept
    assert [lists.summaries(redis, [id_]) for id_ in ids] == entries
    assert rows(runtime) == before
    assert heads.read(ids, 0).drafts == []  # the public log does not begin them again
    assert lonja("archive", "restore").exit_code == 2
    assert lonja("ledger", "check").exit_code == 0
    other = opened(runtime)
    again: Any = other.tables.create(
        PLAYER, "sealed", {}, [GREEDY, GREEDY], terms=FRIENDS, idempotency_key="k",
        fingerprint=b"f" * 16,
    )  # fmt: skip
    assert (again.game_id, again.first) == (ids[0], 1)
    assert move("--again")["gone"] == 3
    assert rows(runtime) == before
    assert in_store(runtime) == []


def test_what_was_written_since_a_game_left_stays_when_it_is_restored(
    move: Any, lonja: Lonja, runtime: Runtime
) -> None:
    game_id = played(runtime, FRIENDS)
    move()
    runtime.tables.guests.note_rematch(game_id, "g00-rematch")
    assert lonja("archive", "restore", game_id).exit_code == 0
    game = runtime.ledger.table(game_id).game
    assert runtime.tables.guests.host_and_rematch(game) == (PLAYER, "g00-rematch")
    assert runtime.ledger.terms(game) == FRIENDS


def test_what_had_to_stay_and_left_later_in_the_same_run_is_no_trouble(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack, "AIM_BYTES", 1)  # so each game has a step of its own
    for _ in range(3):
        played(runtime)
    behind = iter([0])
    monkeypatch.setattr(moving, "behind_since", lambda *_: next(behind, None))
    assert move() == {**NOTHING, "gone": 3, "unlisted": 3}


def test_a_run_looks_through_the_folder_once(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, asked = Folder.names, []

    def counted(self: Folder) -> Iterator[str]:
        asked.append(self)
        return names(self)

    monkeypatch.setattr(Folder, "names", counted)
    monkeypatch.setattr(pack, "AIM_BYTES", 1)
    each = []
    for games in (1, 4):
        for _ in range(games):
            played(runtime)
        asked.clear()
        assert move()["gone"] == games
        each.append(len(asked))
    assert each[0] == each[1]


def test_an_adoption_that_was_killed_is_repeated(
    move: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = rated(runtime)
    count_ratings(runtime)
    move()
    rewind(runtime, game_id, [])
    for key in runtime.redis.scan_iter(f"{PREFIX}*"):
        runtime.redis.delete(key)
    count_ratings(runtime)  # before the game is known again
    assert runtime.player_ratings.of(PLAYER) == {}
    with monkeypatch.context() as patch:
        patch.setattr(PlayerRatings, "count_again", killed)
        with pytest.raises(AssertionError, match="killed"):
            move("--adopt")
    assert PackPlaces(runtime.redis).of(game_id) is not None
    move("--adopt")
    assert (in_store(runtime), listed(runtime)) == ([], [game_id])
    count_ratings(runtime)
    assert runtime.player_ratings.of(PLAYER)["sealed"].games == 1


def test_no_pack_is_believed_alone_if_two_have_different_histories(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id, out, packs = played(runtime), tmp_path / "game.ndjson", tmp_path / "packs"
    assert lonja("export", game_id, "-o", out).exit_code == 0
    other = game_file.read(out)
    records.events(other)[-1]["at"] = "2040-01-01T00:00:00.000Z"
    move()
    wrong = put(packs, [records.forge(other, signer=runtime.signer)])
    rewind(runtime, game_id, [])
    stay = move("--adopt", exit_code=1)["stay"]
    assert [(one["id"], one["other_history"]) for one in stay] == [(game_id, True)]
    assert PackPlaces(runtime.redis).of(game_id) is None
    wrong.unlink()
    assert move("--adopt")["noted"] == 1


def killed(*_arguments: object) -> None:
    raise AssertionError("killed")


def everything_of(runtime: Runtime, game_id: str) -> list[Any]:
    """Return what the store itself has of a game, but for marks of requests without a key."""
    store = runtime.ledger.store.here
    events = [
        (event, None if retry is None or retry.is_own else retry)
        for event, retry in store.read_all(game_id)
    ]
    return [events, store.secrets(game_id), store.whole_table(game_id), store.origin(game_id)]


def test_what_would_leave_is_estimated(
    move: Any, lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(estimate, "REST_MS", 0)
    assert lonja("archive", "estimate").stdout.startswith("0 games can leave the Redis; 0 ended")
    assert "nothing can be said" in lonja("archive", "estimate", "--games", "9").stdout
    ids = [played(runtime) for _ in range(2)]
    played(runtime, TableTerms(visibility=PRIVATE))
    told = orjson.loads(lonja("archive", "estimate", "--json").stdout)
    assert (told["games"], told["due"], told["sampled"]) == (2, 0, 2)
    events = sum(int(runtime.redis.memory_usage(game_key(i, "events")) or 0) for i in ids)
    assert events < told["store_bytes"] < 2 * events
    assert "They take " in lonja("archive", "estimate").stdout
    many = "archive", "estimate", "--games", "2000000"
    history = orjson.loads(lonja(*many, "--json").stdout)["history"]
    assert history["store_bytes"] == 64 * 2_000_000
    assert history["pack_bytes"] == 1_000_000 * told["pack_bytes"]
    assert 1_000 < history["index_bytes"] / 2_000_000 < 2_000
    assert "2000000 games like these, once they have left, take at most " in lonja(*many).stdout
    move()
    packs = tmp_path / "packs"
    (pack,) = packs.glob("*.pack")
    stored = pack.stat().st_size + sum(each.stat().st_size for each in packs.glob("beside/*"))
    assert 0.8 < told["pack_bytes"] / stored < 1


def test_packs_of_another_installation_are_not_adopted(
    lonja: Lonja, runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, packs = played(runtime), tmp_path / "packs"
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    monkeypatch.setenv("LONJA_ARCHIVE", str(packs))
    monkeypatch.setattr(archiving, "REST_MS", 0)
    assert lonja("archive", "write", packs).exit_code == 0
    (pack,) = packs.glob("*.pack")
    runtime.redis.flushall()
    opened(runtime)
    told = lonja("archive", "move", "--adopt")
    assert told.exit_code == 2
    assert f"{pack.name} is of another installation, with the key " in told.stderr
    assert PackPlaces(runtime.redis).of(game_id) is None


def test_a_restored_store_knows_what_is_in_packs(
    move: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    gone, file = played(runtime, FRIENDS), tmp_path / "backup.gz"
    move()
    lines = record(runtime, gone)
    going_on = open_game(runtime, "sealed", GREEDY, ME)
    assert lonja("backup", file).exit_code == 0
    late = played(runtime)
    assert move()["gone"] == 1
    runtime.redis.flushall()
    restored = lonja("restore", file)
    assert restored.exit_code == 0, restored.output
    assert runtime.redis.get(FORMAT_KEY) is not None
    assert record(runtime, gone) == lines
    assert runtime.ledger.table(late).game.over
    assert sorted(listed(runtime)) == sorted((gone, late))
    assert "events" in stored(runtime.redis, going_on)
    assert PackPlaces(runtime.redis).count() == 2
    assert move() == NOTHING
