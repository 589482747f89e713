"""``lonja import``: games of other installations, verified before they are stored."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from service.api.app import create_app
from service.cli import local
from service.clock import TOLERANCE_MS
from service.games.listing import GameList
from service.ledger import streams
from service.ledger.lists import games_list, newest
from service.ledger.origin import Origin
from service.ledger.store import RepeatedRequest
from service.ledger.terms import TableTerms
from service.records import game_file
from service.records.game_file import Record
from service.redis.client import make_client
from service.redis.format import check_format
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments.record import export
from service.upkeep import maintenance
from tests import running
from tests.running import ME, PLAYER, bot, open_game
from tests.service.api.people import House, data
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
KEY = records.SIGNER.public_key.hex()
BY = ("--by", "operator")
ID = "g07-abcdefghijklmnopqrst"


@pytest.fixture
def here(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url, announce=False)


@pytest.fixture
def stored(lonja: Lonja, here: Runtime, monkeypatch: pytest.MonkeyPatch) -> Lonja:
    monkeypatch.setenv("REDIS_URL", here.settings.redis_url or "")
    return lonja


@cache
def _played(game_id: str) -> Record:
    table = local.LocalGame(records.REGISTRY, "elsewhere", game_id)

    def act(batch: Batch) -> None:
        batch.create("sealed", 2, {}, ME)
        for seat, holder in by_seat((GREEDY, ME)):
            batch.sit(seat, holder, ME)

    table.change(act)
    return records.record_of(records.play_on(table))


def played(game_id: str = ID) -> Record:
    """Return the record of a game of another installation."""
    return records.alone(_played(game_id))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = played()
    game_file.write(tmp_path / "game.ndjson", found.header, found.copies)
    return tmp_path / "game.ndjson"


def outcome(result: Any, code: int) -> JsonObject:
    assert result.exit_code == code, result.output
    (found,) = orjson.loads(result.stdout)["files"]
    told: JsonObject = found
    return told


def test_an_imported_game_is_shown_as_one_and_exports_to_the_same_record(
    stored: Lonja, here: Runtime, file: Path, tmp_path: Path
) -> None:
    told = outcome(stored("import", file, *BY, "--public-key", KEY, "--json"), 0)
    assert (told["outcome"], told["game_id"]) == ("imported", ID)
    house = House(create_app(here))
    game = data(house.visitor.get(f"/v1/games/{ID}"))
    assert game["status"] == "ended"
    assert game["imported"]["by"] == "operator"
    assert game["imported"]["public_key"] == KEY
    assert game["seats"][1]["name"] is None
    (listed,) = data(house.visitor.get("/v1/games"))["games"]
    assert listed["imported"] == game["imported"]
    assert data(house.visitor.get(f"/v1/games/{ID}/head")) == played().header["receipt"]

    assert stored("export", ID, "--output", tmp_path / "again.ndjson").exit_code == 0
    assert (tmp_path / "again.ndjson").read_bytes() == file.read_bytes()
    findings = [*maintenance.check(here.ledger.store, here.registry)]
    assert findings == [None]
    assert [*GameList(here.redis, here.ledger).rebuild()] == [ID]
    assert data(house.visitor.get("/v1/games"))["games"] == [listed]


def test_a_rated_game_that_is_imported_again_does_not_count(
    stored: Lonja, here: Runtime, tmp_path: Path
) -> None:
    other = {"player": "p-bbbbbbbbbbbbbbbb"}
    made = here.tables.create(PLAYER, "sealed", {}, [ME, other], terms=TableTerms(rated=True))
    assert not isinstance(made, RepeatedRequest)
    game_id, path = made.game.id, tmp_path / "rated.ndjson"
    for seat, player in enumerate((PLAYER, other["player"])):
        here.tables.resign(game_id, Seat(seat), player)
    Turns(here, seconds=math.inf).play(game_id)
    assert stored("export", game_id, "--output", path).exit_code == 0

    def count() -> int:
        here.player_ratings.catch_up(here.ledger.store.clock.ask() + TOLERANCE_MS + 1)
        return len(here.player_ratings.of(PLAYER))

    assert count() == 1
    beside: Any = here.redis.keys(game_key(game_id, "*"))
    for key in beside:
        if not key.endswith(b":table"):  # the host's settings were not lost
            here.redis.delete(key)
    told = outcome(stored("import", path, *BY, "--json"), 0)
    assert told["outcome"] == "imported"
    assert count() == 0
    assert stored("projections", "check").exit_code == 0


def test_what_is_here_already_stays(stored: Lonja, here: Runtime, file: Path) -> None:
    arguments = ("import", file, "--public-key", KEY, "--json")
    assert outcome(stored(*arguments, *BY), 0)["outcome"] == "imported"
    again = outcome(stored(*arguments, "--by", "another"), 0)
    assert again["outcome"] == "already_here"
    origin = Origin.of(here.redis, ID)
    assert origin is not None
    assert origin.by == "operator"
    here.redis.xdel(game_key(ID, "events"), f"{here.ledger.store.newest(ID)}-0")
    told = outcome(stored(*arguments, *BY), 1)
    assert f"another game than {ID}, or another history of it, has its id here" in told["why"][0]


def test_a_players_list_has_no_games_of_another_installation(
    stored: Lonja, here: Runtime, file: Path, tmp_path: Path
) -> None:
    """A signer can name any player in a record; this installation named its own players."""
    assert stored("import", file, *BY, "--public-key", KEY).exit_code == 0
    assert newest(here.redis, games_list(PLAYER, None), 5) == []
    game_id = open_game(here, "sealed", ME, GREEDY)
    here.tables.resign(game_id, Seat(0), PLAYER)
    Turns(here, seconds=math.inf).play(game_id)
    path = tmp_path / "own.ndjson"
    assert stored("export", game_id, "--output", path).exit_code == 0
    here.redis.flushall()  # the store is lost, but a player has kept the record
    check_format(here.redis)
    here.signer.look_again(here.redis)
    assert stored("import", path, *BY).exit_code == 0
    assert [place[-24:] for place in newest(here.redis, games_list(PLAYER, None), 5)] == [game_id]


Change = Callable[[Record], None]


def forged(found: Record) -> None:
    found.copies[-1]["at"] = "2030-01-01T00:00:00.000Z"


def cut(found: Record) -> None:
    records.events(found)[-1:] = []
    found.header["version"] -= 1


@pytest.mark.parametrize(("change", "why"), [(forged, "chain: "), (cut, "")], ids=["forged", "cut"])
def test_what_is_not_proved_is_refused(
    stored: Lonja, here: Runtime, tmp_path: Path, change: Change, why: str
) -> None:
    found = played()
    change(found)
    path = tmp_path / "game.ndjson"
    game_file.write(path, found.header, found.copies)
    told = outcome(stored("import", path, *BY, "--public-key", KEY, "--json"), 1)
    assert told["outcome"] == "refused"
    assert any(line.startswith(why) for line in told["why"])
    assert here.redis.exists(game_key(ID, "events")) == 0


def test_what_is_newer_than_this_program_is_refused(
    stored: Lonja, here: Runtime, tmp_path: Path
) -> None:
    found = played()
    found.copies[0]["body"]["game"]["bots"] = []
    found = records.forge(found)
    path = tmp_path / "game.ndjson"
    game_file.write(path, found.header, found.copies)
    told = outcome(stored("import", path, *BY, "--public-key", KEY, "--json"), 1)
    assert told["outcome"] == "refused"
    (why,) = told["why"]
    assert why == (
        "it is newer than this program: import it with a release that knows event 1: body.game.bots"
    )
    assert here.redis.exists(game_key(ID, "events")) == 0


def test_a_key_that_nobody_vouches_for_is_refused(stored: Lonja, file: Path) -> None:
    told = outcome(stored("import", file, *BY, "--json"), 1)
    (why,) = told["why"]
    assert f"it is signed with the key '{KEY}', which is not this installation's" in why
    result = stored("import", file, *BY, "--public-key", "5f")
    assert result.exit_code == 2
    assert "'5f' is no key" in result.output
    assert "cannot be noted" in stored("import", file, "--by", "a\u202eb").output


def test_what_goes_on_or_is_no_game_of_its_own_is_refused(
    stored: Lonja, here: Runtime, redis_server: RedisServer, tmp_path: Path
) -> None:
    going, path = open_game(here, "sealed", GREEDY, ME), tmp_path / "game.ndjson"
    assert stored("export", going, "--output", path).exit_code == 0
    told = outcome(stored("import", path, *BY, "--json"), 1)
    assert told["why"][0].startswith("it is not wholly proved: ")

    strange = played("g99-abcdefghijklmnopqrst")
    game_file.write(path, strange.header, strange.copies)
    told = outcome(stored("import", path, *BY, "--public-key", KEY, "--json"), 1)
    assert told["why"] == ["no stored game has an id like 'g99-abcdefghijklmnopqrst'"]

    hall = hall_on(redis_server.url)
    cup = hall.hold()
    game_id = next(export.game_ids(cup))
    assert stored("export", game_id, "--output", path).exit_code == 0
    told = outcome(stored("import", path, *BY, "--json"), 1)
    (why,) = told["why"]
    assert why.endswith("whose other games share its luck: import the record of the tournament")


def test_several_files_at_once(stored: Lonja, here: Runtime, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    for number in range(3):
        found = played(f"g{number:02d}-abcdefghijklmnopqrst")
        game_file.write(folder / f"{number}.ndjson.gz", found.header, found.copies)
    (folder / "none.ndjson").write_bytes(b"{}\n")
    result = stored("import", folder, file, tmp_path / "lacks", *BY, "--public-key", KEY)
    assert result.exit_code == 2
    assert "6 records: 4 imported, 0 already here, 0 REFUSED, 2 unreadable." in result.stdout
    assert len([*streams.game_ids(here.redis)]) == 4


def test_a_backup_keeps_the_mark(
    stored: Lonja, here: Runtime, file: Path, tmp_path: Path, redis_binary: Path | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    assert stored("import", file, *BY, "--public-key", KEY).exit_code == 0
    assert stored("backup", tmp_path / "b.gz").exit_code == 0
    with RedisServer(tmp_path / "other", binary=redis_binary) as other:
        monkeypatch.setenv("REDIS_URL", other.url)
        assert stored("restore", tmp_path / "b.gz").exit_code == 0
        with make_client(other.url) as redis:
            assert Origin.of(redis, ID) == Origin.of(here.redis, ID)
        assert stored("export", ID, "--output", tmp_path / "again.ndjson").exit_code == 0
        assert (tmp_path / "again.ndjson").read_bytes() == file.read_bytes()
