"""``lonja backup`` and ``lonja restore``: files, refusals, and the restored store."""

import gzip
import math
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import PROVED
from service import settings
from service.administration.journal import Journal, Who
from service.clock import TOLERANCE_MS
from service.games.admission import Claimant
from service.ids import shard_of
from service.ledger import raw, streams
from service.ledger.store import RepeatedRequest
from service.ledger.terms import PRIVATE, TableTerms
from service.players.players import Players
from service.records import tournament_file
from service.redis.client import make_client
from service.redis.format import FORMAT_KEY, NEWEST, begin_restoring
from service.redis.keys import WRITABLE, game_key, meta_key, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from service.upkeep import backup_file, maintenance
from service.upkeep.backup import Backup
from service.webhooks.records import EVENTS
from tests import running
from tests.running import ME, PLAYER, bot, open_game
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
OTHER = {"player": "p-bbbbbbbbbbbbbbbb"}
KEY = "5c" * 32
NOT_COPIED = (
    "tail", "snapshots", "damage", "server", "writable", "confirmed", "notices", "followed",
    "told", "public_log",
)  # fmt: skip
"""Endings of keys that a restored store lacks, or makes again when they are needed."""
PASSING = (":report_3", ":drawn:", ":lease:", ":cpu_us:", ":once:")


@pytest.fixture(scope="module")
def other_server(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None
) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("elsewhere"), binary=redis_binary) as server:
        yield server


@pytest.fixture
def elsewhere(other_server: RedisServer) -> Iterator[Redis]:
    """An empty store to restore into."""
    with make_client(other_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis) -> Hall:
    return hall_on(redis_server.url)


@pytest.fixture
def service(hall: Hall) -> Runtime:
    return hall.runtime


@pytest.fixture
def backup(
    lonja: Lonja, service: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., JsonObject]:
    """Back the test's Redis up to a file; return the report."""

    def backup(*arguments: object, code: int = 0, name: str = "backup.gz") -> JsonObject:
        monkeypatch.setenv("REDIS_URL", service.settings.redis_url or "")
        result = lonja("backup", tmp_path / name, "--json", *arguments)
        assert result.exit_code == code, result.output
        told: JsonObject = orjson.loads(result.stdout)
        return told

    return backup


@pytest.fixture
def restore(
    lonja: Lonja, other_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Restore a file into the other Redis; return the result."""

    def restore(*arguments: object, name: str = "backup.gz") -> Any:
        monkeypatch.setenv("REDIS_URL", other_server.url)
        return lonja("restore", tmp_path / name, *arguments)

    return restore


def play(runtime: Runtime, game_id: str) -> None:
    Turns(runtime, seconds=math.inf).play(game_id)


def furnish(hall: Hall) -> dict[str, str]:
    """Store objects of every kind; return the games and tournaments by their kind."""
    runtime = hall.runtime
    ended = open_game(runtime, "sealed", GREEDY, GREEDY)
    play(runtime, ended)
    running_ = open_game(runtime, "sealed", GREEDY, ME, clock={"decision_seconds": 600})
    play(runtime, running_)
    owed = open_game(runtime, "sealed", GREEDY, ME)
    terms = TableTerms(PRIVATE, "Tea", ("tea",), lobby_seconds=600, reserved=((1, "p-somebody"),))
    lobby = runtime.tables.create(PLAYER, "sealed", {}, [ME, None], terms=terms)
    assert not isinstance(lobby, RepeatedRequest)
    rated = runtime.tables.create(PLAYER, "sealed", {}, [ME, OTHER], terms=TableTerms(rated=True))
    assert not isinstance(rated, RepeatedRequest)
    for seat, player in enumerate((PLAYER, OTHER["player"])):
        runtime.tables.resign(rated.game.id, Seat(seat), player)
    play(runtime, rated.game.id)
    over = hall.hold(seed="over")
    going = hall.open(seed="going")
    hall.matches.seconds = 0.0  # for a move or two
    hall.matches.play(going.id)
    hall.matches.seconds = math.inf
    Players(runtime.redis).create("Ana", kind="bot")
    runtime.webhooks.make(Claimant(PLAYER, "127.0.0.1"), "https://example.org/", EVENTS, None)
    clock = runtime.ledger.store.clock
    Journal(runtime.redis).note(clock.now(), Who("Eva"), "requeue", ended, "it was stuck")
    return {
        "ended": ended, "running": running_, "owed": owed, "lobby": lobby.game.id,
        "over": over.id, "going": going.id,
    }  # fmt: skip


def dump(redis: Redis) -> dict[str, Any]:
    """Return all of Lonja's data in a store, except temporary ones."""
    read: dict[bytes, Callable[[bytes], Any]] = {
        b"string": redis.get,
        b"stream": redis.xrange,
        b"hash": redis.hgetall,
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
    }
    passing = (
        "lonja:{turns", "lonja:{rate}", "lonja:{quota}", "lonja:{meta}:webhook_",
        "lonja:{meta}:backed_up",
    )  # fmt: skip
    return {
        name: read[redis.type(key)](key)  # type: ignore[index]  # answers are bytes
        for key in redis.scan_iter("lonja:*")
        if not (name := key.decode()).startswith(passing)
        and not name.endswith(NOT_COPIED)
        and not any(part in name for part in PASSING)
    }


def test_all_comes_back(
    hall: Hall,
    backup: Callable[..., JsonObject],
    restore: Callable[..., Any],
    elsewhere: Redis,
    other_server: RedisServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stored data are equal byte for byte, derived data are equal, and games play on and verify."""
    monkeypatch.setattr(raw, "PAGE", 3)  # several pages for each stream
    named = furnish(hall)
    hall.runtime.ratings.catch_up()
    time.sleep(TOLERANCE_MS / 1000)  # until rated games count
    hall.runtime.player_ratings.catch_up(hall.runtime.ledger.store.clock.ask())
    assert hall.runtime.player_ratings.of(PLAYER)["sealed"].games == 1
    told = backup()
    path = tmp_path / "backup.gz"
    assert told["findings"] == []
    assert told["counts"]["tournaments"] == 2
    assert told["counts"]["players"] == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert told["bytes"] == path.stat().st_size

    checked = restore("--dry-run")
    assert checked.exit_code == 0, checked.output
    assert "It can be restored" in checked.stdout
    assert elsewhere.dbsize() == 0
    result = restore()
    assert result.exit_code == 0, result.output
    assert "every game folds to what was recorded" in result.stdout
    before, after = dump(hall.runtime.redis), dump(elsewhere)
    for name in before:
        if name.endswith(":due"):  # sweeps postpone the time
            before[name], after[name] = ([m for m, _ in found[name]] for found in (before, after))
        if ":tournament:" in name and name.endswith(":index"):  # additional entries do no harm
            after[name] = {field: after[name][field] for field in before[name]}
    assert after == before

    new = hall_on(other_server.url)
    assert [*maintenance.check(new.runtime.ledger.store, new.runtime.registry)] == (
        [None] * told["counts"]["games"]
    )
    play(new.runtime, named["owed"])
    new.finish(new.runtime.director.find(named["going"]))
    lines = [*export.lines(new.runtime, new.runtime.director.find(named["over"]))]
    assert lines == [*export.lines(hall.runtime, hall.runtime.director.find(named["over"]))]


def test_a_backup_under_play_fits_together(
    hall: Hall,
    backup: Callable[..., JsonObject],
    restore: Callable[..., Any],
    elsewhere: Redis,
    other_server: RedisServer,
    redis_server: RedisServer,
) -> None:
    """Games and tournaments begin, go on and end meanwhile; after a restore all can go on."""
    named = furnish(hall)
    stop = threading.Event()

    def go_on() -> None:
        busy = hall_on(redis_server.url)
        number = 0
        while not stop.is_set():
            number += 1
            busy.finish(busy.open(seed=f"busy {number}"))
            play(busy.runtime, open_game(busy.runtime, "sealed", GREEDY, GREEDY))

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        running.wait_for(lambda: len([*streams.tournament_ids(hall.runtime.redis)]) > 2)
        told = [backup(name=f"{number}.gz") for number in range(3)]
    finally:
        stop.set()
        thread.join()
    assert [each["findings"] for each in told] == [[], [], []]
    assert restore(name="2.gz").exit_code == 0
    new = hall_on(other_server.url)
    for name in [*streams.tournament_ids(elsewhere)]:
        tournament = new.finish(new.runtime.director.find(name))
        assert tournament.status == "ended"
    assert named["going"] in [*streams.tournament_ids(elsewhere)]
    assert not any(maintenance.check(new.runtime.ledger.store, new.runtime.registry))


def test_games_of_a_block_that_is_newer_are_left_out(
    hall: Hall,
    restore: Callable[..., Any],
    elsewhere: Redis,
    other_server: RedisServer,
    tmp_path: Path,
) -> None:
    """A tournament that went on after it was copied plays the missing blocks again."""
    swiss = {"type": "swiss", "rounds": 3}  # no round is paired before the last one is over
    going = hall.open(seed="going", format=swiss)
    known = {name for block in going.blocks.values() for name in going.game_ids(block)}
    backup = Backup(hall.runtime.ledger.store, hall.runtime.signer.public_key.hex())
    with backup_file.writing(tmp_path / "backup.gz") as file:
        for name in backup.write(file):
            if name == going.id:
                hall.finish(going)
                hall.hold(seed="newer")
    finished = hall.find(going)
    assert finished.blocks.keys() > going.blocks.keys()
    result = restore("--json")
    assert result.exit_code == 0, result.output
    assert set(streams.game_ids(elsewhere)) == known
    new = hall_on(other_server.url)
    again = new.finish(new.runtime.director.find(going.id))
    assert [*again.results] == [*finished.results]
    path = tmp_path / "again.ndjson"
    tournament_file.write(path, export.lines(new.runtime, again))
    with tournament_file.reading(path) as found:
        report = verify_tournament(found, new.runtime.registry)
    assert report.verdict == PROVED, report.to_json()


def test_what_is_damaged_is_told_and_comes_back_as_it_is(
    hall: Hall,
    backup: Callable[..., JsonObject],
    restore: Callable[..., Any],
    elsewhere: Redis,
) -> None:
    named = furnish(hall)
    redis = hall.runtime.redis
    torn, shortened = named["running"], named["ended"]
    redis.xdel(game_key(torn, "events"), "4-0")
    newest = hall.runtime.ledger.store.newest(shortened)
    redis.xdel(game_key(shortened, "events"), f"{newest}-0")
    strange = open_game(hall.runtime, "sealed", GREEDY, ME)
    redis.delete(game_key(strange, "events"))
    redis.set(game_key(strange, "events"), "no stream")
    lost = open_game(hall.runtime, "sealed", GREEDY, ME)
    redis.delete(game_key(lost, "secrets"))
    told = backup(code=1)
    problems = {found["game_id"]: found["problem"] for found in told["findings"]}
    expected = {torn: "gap", strange: "wrong_type", lost: "no_secrets"}
    assert {name: problems[name] for name in expected} == expected
    assert shortened in problems
    result = restore("--json")
    assert result.exit_code == 1
    restored = orjson.loads(result.stdout)
    assert {found["game_id"] for found in restored["findings"]} == {torn, shortened, lost}
    for name in (torn, shortened):
        assert elsewhere.get(game_key(name, "damage")) is not None
    assert elsewhere.get(FORMAT_KEY) == NEWEST.encode()


def test_a_file_is_whole_or_not_there(
    service: Runtime, lonja: Lonja, backup: Callable[..., JsonObject], tmp_path: Path
) -> None:
    path = tmp_path / "backup.gz"
    path.write_bytes(b"mine")
    result = lonja("backup", path)
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert path.read_bytes() == b"mine"
    path.unlink()
    service.redis.rpush(meta_key("list"), "x")
    service.redis.set(WRITABLE, b"")
    result = lonja("backup", path)
    assert "REDIS_URL" in result.output  # no service runs here
    service.redis.delete(meta_key("list"))
    backup("--no-check")
    assert [found.name for found in tmp_path.iterdir() if "backup" in found.name] == ["backup.gz"]


def test_what_no_backup_can_have_is_no_backup(
    service: Runtime, lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.redis.rpush(meta_key("a_list"), "x")
    monkeypatch.setenv("REDIS_URL", service.settings.redis_url or "")
    result = lonja("backup", tmp_path / "backup.gz")
    assert result.exit_code == 2
    assert "lonja:{meta}:a_list is a list, which no backup has" in result.output
    assert not [*tmp_path.glob("*backup*")]
    service.redis.expire(meta_key("a_list"), 60)  # keys that expire are left out
    assert lonja("backup", tmp_path / "backup.gz").exit_code == 0


Change = Callable[[list[bytes]], list[bytes]]


def _changed(number: int, old: bytes, new: bytes) -> Change:
    def change(lines: list[bytes]) -> list[bytes]:
        assert old in lines[number]
        return [*lines[:number], lines[number].replace(old, new), *lines[number:][1:]]

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: lines[:-1], "it is cut: it has no manifest"),
        (lambda lines: [*lines, lines[-1]], "something follows its manifest"),
        (lambda lines: [*lines[:2], *lines[3:]], "its part installation is not what"),
        (lambda lines: [b"[]\n", *lines], "a line of it is not a JSON object"),
        (lambda lines: [b"{\n", *lines], "a line of it is not JSON"),
        (lambda lines: lines[1:], "is no header of a backup"),
        (_changed(0, b"backup/1", b"backup/2"), "'lonja-backup/2', and this Lonja reads"),
        (_changed(0, b"lonja/2", b"lonja/3"), "the format 'lonja/3', and this Lonja plays"),
        (lambda lines: [x for x in lines if b'"part":"players"}' not in x[:20]], "it has not the"),
    ],
    ids=["cut", "longer", "lacking", "list", "json", "headless", "newer", "format", "part"],
)
def test_what_is_no_whole_backup_is_refused(
    service: Runtime,
    backup: Callable[..., JsonObject],
    restore: Callable[..., Any],
    elsewhere: Redis,
    tmp_path: Path,
    change: Change,
    why: str,
) -> None:
    Players(service.redis).create("Ana")
    open_game(service, "sealed", GREEDY, ME)
    backup("--no-check")
    path = tmp_path / "backup.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(change(lines))))
    for more in ([], ["--dry-run"]):
        result = restore(*more)
        assert result.exit_code == 2
        assert why in result.output
    assert elsewhere.dbsize() == 0


def test_a_damaged_file_is_refused(
    backup: Callable[..., JsonObject], restore: Callable[..., Any], tmp_path: Path
) -> None:
    backup("--no-check")
    path = tmp_path / "backup.gz"
    raw = path.read_bytes()
    for spoilt in (raw[:-20], b"no gzip", raw[:100] + b"\x00\x00\x00" + raw[103:], b""):
        path.write_bytes(spoilt)
        result = restore()
        assert result.exit_code == 2, result.output
        assert "cannot be restored" in result.output


@pytest.mark.parametrize("name", ["format", "public_key", "parts"])
def test_a_file_with_a_line_that_lacks_something_is_refused(
    backup: Callable[..., JsonObject], restore: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    """Bytes that were changed may leave a line that is JSON, before gzip finds the change."""
    backup("--no-check")
    path = tmp_path / "backup.gz"
    whole = gzip.decompress(path.read_bytes())
    spoilt = whole.replace(f'"{name}":'.encode(), f'"not {name}":'.encode())
    assert spoilt != whole
    path.write_bytes(gzip.compress(spoilt))
    result = restore()
    assert result.exit_code == 2, result.output
    assert f"it is damaged: a line of it has no {name}" in result.output


def test_a_store_that_is_in_use_is_refused(
    service: Runtime,
    backup: Callable[..., JsonObject],
    restore: Callable[..., Any],
    elsewhere: Redis,
    other_server: RedisServer,
) -> None:
    backup()
    elsewhere.set("somebody:else", "x")
    running.runtime_on(other_server.url)  # a process that opens a store leaves a key there
    result = restore()
    assert result.exit_code == 2
    assert "into an empty store alone, and this one is not: it holds lonja:{meta}:" in result.output
    elsewhere.flushall()
    begin_restoring(elsewhere, "another")
    assert "it holds lonja:{meta}:format" in restore().output


def test_secrets_stay_wrapped(
    backup: Callable[..., JsonObject],
    lonja: Lonja,
    restore: Callable[..., Any],
    elsewhere: Redis,
    redis_server: RedisServer,
    other_server: RedisServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = running.environment(redis_server.url, LONJA_SECRETS_KEY=KEY)
    wrapping = open_runtime(settings.load(env), announce=False)
    game_id = open_game(wrapping, "sealed", GREEDY, ME)
    secrets = wrapping.ledger.store.secrets(game_id)
    assert secrets is not None
    told = backup(code=1)  # without the key this is unknown
    assert [found["problem"] for found in told["findings"]] == ["no_secrets"]
    monkeypatch.setenv("LONJA_SECRETS_KEY", KEY)
    backup(name="checked.gz")
    plain = orjson.dumps(secrets.salt.decode("latin-1")).strip(b'"')
    assert plain not in gzip.decompress((tmp_path / "checked.gz").read_bytes())
    assert restore(name="checked.gz").exit_code == 0
    due = shard_key(shard_of(game_id), "due")
    assert elsewhere.zscore(due, game_id) is not None
