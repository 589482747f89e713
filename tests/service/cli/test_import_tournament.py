"""``lonja import``: a tournament of another installation, with all its games."""

from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.api.app import create_app
from service.cli.common import Failure
from service.cli.importing.admission import ImportOptions
from service.cli.importing.tournaments import TournamentFile
from service.ledger.ledger import GameNotFoundError
from service.records import tournament_file
from service.records.game_file import RecordError
from service.redis.client import make_client
from service.redis.format import FORMAT_KEY, LEVELS
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.record import export
from service.upkeep import maintenance
from tests import running
from tests.service.api.people import House, data
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import HOST, Hall, hall_on
from tests.service.tournaments.forging import File

BY = ("--by", "operator")
SIX: JsonObject = {"format": {"type": "round_robin", "games": 6}, "seed": None, "rated": True}


class Elsewhere:
    """Another installation, on the same Redis before it was emptied; ``path`` has its record."""

    def __init__(self, redis: Redis, url: str, path: Path) -> None:
        self._redis = redis
        self.hall = hall_on(url)
        self.key = self.hall.runtime.signer.public_key.hex()
        self.path = path
        self.id = ""

    def ends(self, tournament_id: str) -> None:
        """Write the record of a tournament, then empty the store."""
        self.id = tournament_id
        runtime = self.hall.runtime
        lines = export.lines(runtime, runtime.director.find(tournament_id))
        tournament_file.write(self.path, lines)
        self._redis.flushall()

    @property
    def file(self) -> File:
        return File.of(map(orjson.loads, self.path.read_bytes().splitlines()))


@pytest.fixture
def elsewhere(redis_server: RedisServer, redis_client: Redis, tmp_path: Path) -> Elsewhere:
    return Elsewhere(redis_client, redis_server.url, tmp_path / "cup.ndjson")


@pytest.fixture(scope="module")
def held(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    redis_server.start()
    with make_client(redis_server.url) as client:
        made = Elsewhere(client, redis_server.url, tmp_path_factory.mktemp("held") / "cup.ndjson")
        made.ends(made.hall.hold(**SIX).id)
    return made


@pytest.fixture
def cup(held: Elsewhere, redis_client: Redis, tmp_path: Path) -> Elsewhere:
    """A tournament whose record the test may change."""
    mine = copy(held)
    mine.path = tmp_path / "cup.ndjson"
    mine.path.write_bytes(held.path.read_bytes())
    return mine


@pytest.fixture
def stored(lonja: Lonja, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Lonja:
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    return lonja


OpenHere = Callable[[], Hall]


@pytest.fixture
def here(redis_server: RedisServer) -> OpenHere:
    """Return a function that opens this installation, after the other has ended."""
    return lambda: hall_on(redis_server.url)


def outcome(result: Any, code: int) -> JsonObject:
    assert result.exit_code == code, result.output
    (found,) = orjson.loads(result.stdout)["files"]
    told: JsonObject = found
    return told


def import_(stored: Lonja, cup: Elsewhere, code: int = 0) -> JsonObject:
    return outcome(stored("import", cup.path, *BY, "--public-key", cup.key, "--json"), code)


def game_ids(cup: Elsewhere) -> list[str]:
    return [game.game_id for game in cup.file.games]


def test_an_imported_tournament_is_read_like_any_that_is_over(
    stored: Lonja, cup: Elsewhere, here: OpenHere, tmp_path: Path
) -> None:
    told = import_(stored, cup)
    assert (told["outcome"], told["tournament_id"], told["game_id"]) == ("imported", cup.id, None)
    runtime, file = here().runtime, cup.file
    house = House(create_app(runtime))
    url = f"/v1/tournaments/{cup.id}"
    (listed,) = data(house.visitor.get("/v1/tournaments"))["tournaments"]
    assert listed == data(house.visitor.get(url))
    assert listed["status"] == "ended"
    assert {name: listed["imported"][name] for name in ("by", "public_key")} == {
        "by": "operator", "public_key": cup.key,
    }  # fmt: skip
    assert data(house.visitor.get(f"{url}/head")) == file.header["receipt"]
    report = data(house.visitor.get(f"{url}/report"))
    assert report["samples"] == 2000
    assert {name: report[name] for name in file.header["report"]} == file.header["report"]
    games = data(house.visitor.get(f"{url}/games"))["games"]
    assert [game["id"] for game in games] == game_ids(cup)
    assert data(house.visitor.get(f"{url}/events"))["events"] == file.stream
    assert "event: end" in house.visitor.get(f"{url}/stream").text
    assert house.visitor.get(f"{url}/ranks.svg").status_code == 200
    game = data(house.visitor.get(f"/v1/games/{games[0]['id']}"))
    assert game["imported"] == listed["imported"]
    head = data(house.visitor.get(f"/v1/games/{games[0]['id']}/head"))
    assert head == file.games[0].header["receipt"]
    assert data(house.visitor.get("/v1/games"))["games"] == []
    assert (
        f"by operator at {listed['imported']['at']}" in stored("tournament", "show", cup.id).output
    )

    again = tmp_path / "again.ndjson"
    assert stored("tournament", "export", cup.id, "--output", again).exit_code == 0
    assert again.read_bytes() == cup.path.read_bytes()
    assert [*maintenance.check(runtime.ledger.store, runtime.registry)] == [None] * 6


def test_it_counts_for_no_rating_and_leaves_workers_nothing_to_do(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    import_(stored, cup)
    hall = here()
    assert hall.runtime.jobs.waiting("tournaments") == 0
    assert not [*hall.runtime.redis.scan_iter("*:due")]
    before = contents(hall.runtime.redis)
    assert not hall.matches.play(cup.id)  # an operator may request it
    assert contents(hall.runtime.redis) == before
    assert hall.hold(**SIX).plan.rated
    hall.runtime.ratings.catch_up()
    (rated,) = hall.runtime.ratings.of("sealed", running.PLAYER).values()
    assert (rated.tournaments, sum(rated.games)) == (1, 12)


def test_the_same_again_does_nothing_and_another_history_is_refused(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    import_(stored, cup)
    redis = here().runtime.redis
    before = contents(redis)
    assert import_(stored, cup)["outcome"] == "already_here"
    assert contents(redis) == before
    redis.xtrim(game_key(cup.id, "events"), maxlen=0)
    redis.xadd(game_key(cup.id, "events"), {"e": b"{}", "p": bytes(64)}, id="99-0")
    why = import_(stored, cup, 1)["why"]
    assert why == [f"another tournament than {cup.id}, or another history of it, has its id here"]


def contents(redis: Redis) -> dict[bytes, Any]:
    """Return all streams and the data beside them, without the order of hashes.

    The followers' cursors are left out, because followers go on meanwhile.
    """
    return {
        key: redis.hgetall(key) if redis.type(key) == b"hash" else redis.dump(key)
        for key in redis.scan_iter("lonja:{s*")
        if not key.endswith(b":followed")
    }


def test_nothing_is_stored_if_a_game_of_it_is_here_with_another_history(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    redis, last = here().runtime.redis, game_ids(cup)[-1]
    redis.xadd(game_key(last, "events"), {"e": b"{}", "p": bytes(64)}, id="1-0")
    before = contents(redis)
    assert import_(stored, cup, 1)["why"] == [f"another history of its game {last} is here"]
    assert contents(redis) == before


Change = Callable[[File], None]


def without_a_game(file: File) -> None:
    del file.games[2]
    file.header["games"] -= 1


def with_another_result(file: File) -> None:
    file.header["report"]["table"][0]["points"] += 1.0


def with_another_move(file: File) -> None:
    file.games[3].copies[-1]["at"] = "2030-01-01T00:00:00.000Z"


@pytest.mark.parametrize("change", [without_a_game, with_another_result, with_another_move])
def test_what_is_not_proved_is_refused(
    stored: Lonja, cup: Elsewhere, here: OpenHere, change: Change
) -> None:
    file = cup.file
    change(file)
    tournament_file.write(cup.path, file.lines())
    before = contents(here().runtime.redis)
    assert import_(stored, cup, 1)["outcome"] == "refused"
    assert contents(here().runtime.redis) == before


def test_a_key_that_nobody_vouches_for_is_refused(stored: Lonja, cup: Elsewhere) -> None:
    (why,) = outcome(stored("import", cup.path, *BY, "--json"), 1)["why"]
    assert f"it is signed with the key '{cup.key}'" in why


def test_a_store_of_an_older_level_takes_none(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    here().runtime.redis.set(FORMAT_KEY, LEVELS[0])
    (why,) = import_(stored, cup, 1)["why"]
    assert "finish the upgrade first" in why


def test_one_that_goes_on_is_refused_and_one_that_was_cancelled_is_not(
    stored: Lonja, elsewhere: Elsewhere, here: OpenHere, tmp_path: Path
) -> None:
    hall = elsewhere.hall
    running_ = hall.open(**SIX)
    hall.matches._play_block(running_, running_.blocks[2])
    path = elsewhere.path
    tournament_file.write(path, export.lines(hall.runtime, hall.find(running_)))
    (why,) = outcome(stored("import", path, *BY, "--json"), 1)["why"]
    assert why.startswith("it is not wholly proved: ")

    hall.runtime.director.cancel(running_.id, "enough", HOST)
    hall.matches.play(running_.id)
    elsewhere.ends(running_.id)
    assert import_(stored, elsewhere)["outcome"] == "imported"
    runtime = here().runtime
    found = runtime.standings.of(elsewhere.id).summary()
    assert (found["status"], found["reason"], found["blocks"]["played"]) == (
        "cancelled", "enough", 1,
    )  # fmt: skip
    again = tmp_path / "again.ndjson"
    assert stored("tournament", "export", elsewhere.id, "--output", again).exit_code == 0
    assert again.read_bytes() == path.read_bytes()
    assert [*maintenance.check(runtime.ledger.store, runtime.registry)] == [None] * 2


def test_its_games_are_shown_to_nobody_before_it_is_there(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    """Meanwhile nobody can create a tournament with the same id."""
    runtime, (first, *others) = here().runtime, game_ids(cup)
    asked = ImportOptions("operator", frozenset((cup.key,)))

    def stop_at_the_last(games: Iterator[Any], _count: int, label: str) -> Iterator[Any]:
        for number, game in enumerate(games):
            if label == "Storing" and number == len(others):
                raise KeyboardInterrupt
            yield game

    with pytest.raises(KeyboardInterrupt):
        TournamentFile(cup.path, asked, runtime, stop_at_the_last).store()
    assert runtime.ledger.store.newest(first) > 0
    with pytest.raises(GameNotFoundError):
        runtime.ledger.table(first)
    house = House(create_app(runtime))
    assert house.visitor.get(f"/v1/games/{first}").status_code == 404
    assert house.visitor.get(f"/v1/tournaments/{cup.id}").status_code == 404
    assert data(house.visitor.get("/v1/tournaments"))["tournaments"] == []
    assert runtime.redis.get(game_key(cup.id, "tombstone")) == b"importing"

    assert import_(stored, cup)["outcome"] == "imported"
    assert data(house.visitor.get(f"/v1/games/{first}"))["status"] == "ended"
    assert not runtime.redis.exists(game_key(cup.id, "tombstone"))


def test_a_file_that_is_changed_after_it_was_proved_is_not_stored(
    cup: Elsewhere, here: OpenHere
) -> None:
    runtime, file = here().runtime, cup.file
    with_another_move(file)

    def track(games: Iterator[Any], _count: int, label: str) -> Iterator[Any]:
        yield from games
        if label == "Verifying":
            tournament_file.write(cup.path, file.lines())

    asked = ImportOptions("operator", frozenset((cup.key,)))
    with pytest.raises(RecordError, match=f"it was changed meanwhile: {game_ids(cup)[3]}"):
        TournamentFile(cup.path, asked, runtime, track).store()
    assert runtime.ledger.store.newest(game_ids(cup)[3]) == 0
    assert runtime.ledger.store.newest(cup.id) == 0


def test_with_games_at_once_and_from_a_backup(
    stored: Lonja, cup: Elsewhere, here: OpenHere, tmp_path: Path, redis_binary: Path | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A backup keeps the mark of the import, and a restored store exports the same record."""
    (tmp_path / "none.ndjson").write_bytes(b"{}\n")
    result = stored("import", cup.path, tmp_path / "none.ndjson", *BY, "--public-key", cup.key)
    assert result.exit_code == 2
    assert "2 records: 1 imported, 0 already here, 0 REFUSED, 1 unreadable." in result.stdout
    origin = here().runtime.standings.of(cup.id).origin
    assert stored("backup", tmp_path / "b.gz").exit_code == 0
    with RedisServer(tmp_path / "other", binary=redis_binary) as other:
        monkeypatch.setenv("REDIS_URL", other.url)
        assert stored("restore", tmp_path / "b.gz").exit_code == 0
        restored: Runtime = running.runtime_on(other.url, announce=False)
        assert restored.standings.of(cup.id).origin == origin
        assert restored.ratings.of("sealed", running.PLAYER) == {}
        again = tmp_path / "again.ndjson"
        assert stored("tournament", "export", cup.id, "--output", again).exit_code == 0
        assert again.read_bytes() == cup.path.read_bytes()
        assert import_(stored, cup)["outcome"] == "already_here"


def test_a_game_that_a_failover_loses_meanwhile_is_missed(
    stored: Lonja, cup: Elsewhere, here: OpenHere
) -> None:
    runtime, first = here().runtime, game_ids(cup)[0]

    def losing(games: Iterator[Any], _count: int, label: str) -> Iterator[Any]:
        yield from games
        if label == "Storing":
            runtime.redis.delete(*(game_key(first, name) for name in ("events", "secrets")))

    asked = ImportOptions("operator", frozenset((cup.key,)))
    with pytest.raises(Failure, match=f"its game {first} was lost .* Repeat the command"):
        TournamentFile(cup.path, asked, runtime, losing).store()
    assert runtime.ledger.store.newest(cup.id) == 0
    assert import_(stored, cup)["outcome"] == "imported"
