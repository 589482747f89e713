"""The loss of a store with an archive: the last backup and the packs bring all back but the rest.

The backup is older than the newest packs, and has games and a tournament in play that have ended in
packs since.
"""

import math
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.clock import TOLERANCE_MS
from service.games.listing import GameList
from service.ids import shard_of
from service.ledger import export, lists
from service.redis.client import make_client
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.skill import proof
from service.skill.progress import COUNTED
from service.tournaments.record import export as tournament_export
from service.upkeep import archiving
from tests.running import ME, PLAYER, bot, open_game
from tests.service.cli.conftest import Lonja
from tests.service.cli.test_archive_move import ONE_ROUND, _followed, played, rated
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns


class Installation:
    """A store, and the folders of packs and of its only host."""

    def __init__(
        self, lonja: Lonja, url: str, folder: Path, data: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings = {"LONJA_ARCHIVE": str(folder / "packs"), "LONJA_DATA_DIR": str(folder / data)}
        for name, value in {**settings, "REDIS_URL": url}.items():
            monkeypatch.setenv(name, value)
        self._lonja, self._url, self._settings = lonja, url, settings
        self.redis = make_client(url)

    def hall(self) -> Hall:
        """Return the service as a process that has just started has it."""
        return hall_on(self._url, **self._settings)

    def run(self, *words: object, exit_code: int = 0) -> Any:
        """Run a command, and return what it tells as JSON."""
        result = self._lonja(*words, "--json")
        assert result.exit_code == exit_code, result.output
        return orjson.loads(result.stdout)

    def move(self) -> JsonObject:
        _followed(self.redis)
        self.count()
        moved: JsonObject = self.run("archive", "move")["moved"]
        return moved

    def count(self) -> None:
        runtime = self.hall().runtime
        runtime.player_ratings.catch_up(runtime.ledger.store.clock.ask() + TOLERANCE_MS + 1)
        runtime.ratings.catch_up()

    def records(self, ids: list[str]) -> list[Any]:
        runtime = self.hall().runtime
        return [_record(runtime, id_) for id_ in ids]

    def listed(self) -> list[JsonObject]:
        """Return the rows of games that are over, and of tournaments."""
        runtime = self.hall().runtime
        runtime.ledger.store.past_lists.catch_up()
        games = GameList(runtime.redis, runtime.ledger).page(99, status="ended").games
        cups = runtime.standings.of_all([*map(lists.id_at, runtime.director.newest(99))])
        return [*games, *(cup.summary() for cup in cups if cup.over)]

    def ratings(self) -> list[Any]:
        runtime = self.hall().runtime
        runtime.ledger.store.past_lists.catch_up()
        people = proof.stored(runtime.redis, runtime.host_rows)
        told = {name.removeprefix(people.keys.all): one for name, one in people.contents.items()}
        return [told, runtime.ratings.of("sealed", PLAYER)]


def _record(runtime: Runtime, id_: str) -> list[JsonObject]:
    if id_.startswith("t"):
        return [*tournament_export.lines(runtime, runtime.director.find(id_))]
    return [*export.lines(runtime, runtime.ledger.table(id_), None)]


def receipts_of(runtime: Runtime, ids: list[str]) -> list[JsonObject]:
    """Return a receipt of the newest event of each game or tournament."""
    newest = zip(ids, runtime.ledger.store.newest_events(ids), strict=True)
    return [
        {"game_id": id_, "seq": event.seq, "hash": event.hash.hex()}
        for id_, event in newest
        if event is not None
    ]


@pytest.mark.campaign("years")
@pytest.mark.timeout(600)
def test_a_lost_store_comes_back_from_its_last_backup_and_its_packs(
    lonja: Lonja,
    redis_server: RedisServer,
    redis_client: Redis,
    redis_binary: Path | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archiving, "REST_MS", 0)
    redis_client.flushall()
    lost = Installation(lonja, redis_server.url, tmp_path, "lost", monkeypatch)
    hall = lost.hall()
    runtime = hall.runtime
    early = [played(runtime), rated(runtime), hall.hold(seed="early", format=ONE_ROUND).id]
    assert lost.move()["gone"] > len(early)
    ending, playing = (open_game(runtime, "sealed", bot("greedy"), ME) for _ in range(2))
    cup = hall.open(seed="going on")
    hall.matches.seconds = 0.0  # for a move or two
    hall.matches.play(cup.id)
    backup = tmp_path / "backup.gz"
    told = lost.run("backup", backup)
    assert (told["findings"], told["counts"]["tournaments"]) == ([], 1)
    small = backup.stat().st_size

    hall = lost.hall()
    hall.finish(hall.find(cup))
    hall.runtime.tables.resign(ending, Seat(1), PLAYER)
    Turns(hall.runtime, seconds=math.inf).play(ending)
    late = [played(hall.runtime), rated(hall.runtime)]
    late.append(hall.hold(seed="late", format=ONE_ROUND).id)
    assert lost.move()["unlisted"] >= len(late)
    packed = [*early, *late, cup.id, ending]
    before = lost.records(packed), lost.listed(), lost.ratings()
    assert lost.run("backup", tmp_path / "later.gz")["counts"]["games"] <= 1
    assert (tmp_path / "later.gz").stat().st_size <= small
    forgotten = [played(hall.runtime), rated(hall.runtime)]
    receipts = tmp_path / "receipts.ndjson"
    known = receipts_of(hall.runtime, [*packed, playing, *forgotten])
    receipts.write_bytes(b"\n".join(map(orjson.dumps, known)))

    with RedisServer(tmp_path / "elsewhere", binary=redis_binary) as server:
        found = Installation(lonja, server.url, tmp_path, "found", monkeypatch)
        assert found.run("restore", backup)["findings"] == []
        assert found.run("archive", "index")["lacking"] == []
        found.count()
        assert (found.records(packed), found.listed(), found.ratings()) == before
        missing = found.run("ledger", "check", "--receipts", receipts, exit_code=1)["findings"]
        assert {one["game_id"] for one in missing if one["missing"]} == {*forgotten}
        assert found.run("ledger", "check")["findings"] == []
        _followed(found.redis)
        assert found.run("archive", "move")["moved"]["stay"] == []
        (tmp_path / "found" / "archive-3.db").unlink()
        assert found.run("archive", "index")["lacking"] == []
        assert (found.records(packed), found.listed(), found.ratings()) == before
        counted = orjson.loads(found.redis.get(COUNTED) or b"")[0]
        assert found.run("archive", "restore", "--all")["failed"] == []
        found.count()
        assert orjson.loads(found.redis.get(COUNTED) or b"")[0] == counted
        assert (found.records(packed), found.listed(), found.ratings()) == before
        assert found.redis.exists(f"lonja:{{s{shard_of(cup.id):02d}}}:tournament:{cup.id}:events")
        found.redis.close()
