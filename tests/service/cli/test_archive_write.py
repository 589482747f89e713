"""`lonja archive write` on a store: what goes into packs, and what stays out."""

import gzip
import math
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive.archive import Archive
from service.archive.beside import AnsweredRequest, Beside, players_in
from service.archive.beside import read as read_beside
from service.archive.catalogue import Catalogue
from service.archive.files import Folder
from service.archive.pack import Pack
from service.ledger.origin import IMPORTED, Origin
from service.ledger.raw import RawStreams
from service.ledger.store import RepeatedRequest, Retry
from service.ledger.terms import DEFAULT_TERMS, PRIVATE, UNLISTED, TableTerms
from service.players import departed
from service.players.players import Players
from service.records import game_file
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.upkeep import archiving
from service.upkeep.besides import beside_of
from tests.running import ME, PLAYER, bot, open_game
from tests.service.archive.packing import put
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.tournaments.conftest import Hall, hall_on
from workers.turns import Turns

GREEDY = bot("greedy")
SOMEBODY = "p-" + "b" * 16


@pytest.fixture
def hall(redis_server: RedisServer, redis_client: Redis) -> Hall:
    return hall_on(redis_server.url)


@pytest.fixture
def runtime(hall: Hall) -> Runtime:
    return hall.runtime


@pytest.fixture
def archive(lonja: Lonja, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run `lonja archive write` on the test's Redis; games need not rest."""
    monkeypatch.setenv("REDIS_URL", runtime.settings.redis_url or "")
    monkeypatch.setattr(archiving, "REST_MS", 0)

    def write(*, exit_code: int = 0) -> JsonObject:
        result = lonja("archive", "write", tmp_path / "packs", "--json")
        assert result.exit_code == exit_code, result.output
        found: JsonObject = orjson.loads(result.stdout)
        return found

    return write


def played(
    runtime: Runtime, terms: TableTerms = DEFAULT_TERMS, player: str = PLAYER, **more: Any
) -> str:
    created = runtime.tables.create(player, "sealed", {}, [GREEDY, GREEDY], terms=terms, **more)
    assert not isinstance(created, RepeatedRequest)
    Turns(runtime, seconds=math.inf).play(created.game.id)
    return created.game.id


def ids(folder: Path) -> list[str]:
    """Return the ids in packs, in the order of the file's names."""
    files = Folder(folder)
    return [row.id for name in files.names() for row in Pack(files.source(name)).rows]


def test_public_games_that_are_over_go_into_a_pack(
    archive: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id, folder = played(runtime), tmp_path / "packs"
    played(runtime, TableTerms(visibility=PRIVATE))
    played(runtime, TableTerms(visibility=UNLISTED, title="Friends"))
    open_game(runtime, "sealed", GREEDY, ME)
    told = archive()
    assert (told["records"], told["later"], told["left_out"]) == (1, 0, [])
    assert ids(folder) == [game_id]
    assert lonja("verify", folder).exit_code == 0
    out, again = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    assert lonja("export", game_id, "-o", out).exit_code == 0
    assert lonja("archive", "export", game_id, folder, "-o", again).exit_code == 0
    assert out.read_bytes() == again.read_bytes()
    assert runtime.ledger.table(game_id).game.over  # nothing left the store


@pytest.mark.parametrize("command", ["write", "move"])
def test_a_full_disk_is_told_with_its_folder_and_loses_nothing(
    archive: Any,
    lonja: Lonja,
    runtime: Runtime,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    game_id, folder = played(runtime), tmp_path / "packs"
    monkeypatch.setenv("LONJA_ARCHIVE", str(folder))
    with monkeypatch.context() as patched, Path("/dev/full").open("wb") as full:
        patched.setattr(Folder, "draft", lambda _folder: full)
        named = [folder] if command == "write" else []
        failed = lonja("archive", command, *named)
    assert failed.exit_code == 2
    assert f"Error: {folder}: No space left on device. Games that are in no" in failed.output
    assert runtime.ledger.table(game_id).game.over
    assert ids(folder) == []
    assert (archive()["records"], ids(folder)) == (1, [game_id])


def test_what_is_there_is_not_written_again(archive: Any, runtime: Runtime, tmp_path: Path) -> None:
    first = played(runtime)
    archive()
    told = archive()
    assert (told["records"], told["packs"]) == (0, [])
    second = played(runtime)
    assert archive()["records"] == 1
    assert sorted(ids(tmp_path / "packs")) == sorted([first, second])


def test_names_of_players_and_words_of_tables_are_in_no_pack(
    archive: Any, runtime: Runtime, tmp_path: Path
) -> None:
    player, _key = Players(runtime.redis).create("Zacarias")
    game_id = played(
        runtime, TableTerms(title="Table of Zacarias", tags=("zacarias",)), player=player.id
    )
    archive()
    (path,) = (tmp_path / "packs").glob("*.pack")
    text = gzip.decompress(path.read_bytes())
    assert player.id.encode() in text
    assert b"acarias" not in text
    (beside,) = besides(tmp_path / "packs")
    assert beside.id == game_id
    assert "Table of Zacarias" in beside.table["terms"]
    assert player.name not in beside.to_json().values()


def besides(folder: Path) -> list[Beside]:
    """Return what is beside the only pack of a folder."""
    files = Folder(folder)
    (name,) = files.names()
    raw = files.beside(name)
    return [] if raw is None else [*read_beside(raw)]


def test_what_is_in_no_record_goes_beside(archive: Any, runtime: Runtime, tmp_path: Path) -> None:
    terms = TableTerms(title="Friends", tags=("x",))
    game_id = played(runtime, terms, idempotency_key="k", fingerprint=b"f" * 16)
    other = played(runtime)
    runtime.redis.hset(game_key(other, "table"), "rematch", "g00-rematch")
    assert archive()["beside"] == {"written": 1, "rewritten": 0, "lacking": []}
    found = {each.id: each for each in besides(tmp_path / "packs")}
    retry = Retry.of(PLAYER, "k", b"f" * 16)
    assert found[game_id].requests == (AnsweredRequest(1, PLAYER, retry),)
    raw = {name: value.encode() for name, value in found[game_id].table.items()}
    assert TableTerms.load(raw["terms"]) == terms
    assert found[other].table == {"rematch": "g00-rematch"}
    assert archive()["beside"] == {"written": 0, "rewritten": 0, "lacking": []}


def test_an_imported_game_keeps_its_origin(archive: Any, runtime: Runtime, tmp_path: Path) -> None:
    game_id = played(runtime)
    receipt, key = {"key_id": "0" * 16}, "0" * 64
    origin = Origin("root", "2026-01-01T00:00:00.000Z", key, receipt, is_own=False)
    runtime.redis.set(game_key(game_id, IMPORTED), origin.dump())
    assert beside_of(RawStreams(runtime.redis), game_id) == Beside(game_id, origin=origin._asdict())


def test_who_leaves_is_taken_out_of_what_is_beside(
    archive: Any, runtime: Runtime, tmp_path: Path
) -> None:
    terms = TableTerms(title="Friends")
    played(runtime, terms, idempotency_key="k", fingerprint=b"f" * 16)
    played(runtime, terms, SOMEBODY, idempotency_key="k", fingerprint=b"f" * 16)
    archive()
    folder = tmp_path / "packs"
    pack = next(folder.glob("*.pack")).read_bytes()
    runtime.redis.execute_command(*departed.note(PLAYER))
    assert archive()["beside"] == {"written": 0, "rewritten": 1, "lacking": []}
    asked = [each.player for one in besides(folder) for each in one.requests]
    assert asked == [SOMEBODY]
    assert all("Friends" in each.table["terms"] for each in besides(folder))
    assert archive()["beside"]["rewritten"] == 0
    assert next(folder.glob("*.pack")).read_bytes() == pack
    played(runtime, idempotency_key="k2", fingerprint=b"f" * 16)  # of one who has left before
    archive()
    files = Folder(folder)
    raws = [files.beside(name) or b"" for name in files.names()]
    assert len(raws) == 2
    assert not any(PLAYER in players_in(raw) for raw in raws)


def test_a_file_beside_that_is_lost_is_written_again_as_long_as_the_store_has_its_games(
    archive: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id, folder = played(runtime, TableTerms(title="Friends")), tmp_path / "packs"
    archive()
    (path,) = (folder / "beside").glob("*.beside")
    raw = path.read_bytes()
    path.unlink()
    assert lonja("verify", folder).exit_code == 0
    listed = lonja("archive", "ls", folder)
    assert listed.exit_code == 0
    assert "No file is beside 1 of 1 pack: their records are whole, but titles," in listed.stdout
    assert archive()["beside"]["written"] == 1
    assert path.read_bytes() == raw
    assert "No file is beside" not in lonja("archive", "ls", folder).stdout
    path.unlink()
    runtime.redis.delete(game_key(game_id, "events"))
    lacking = archive(exit_code=1)["beside"]["lacking"]
    why = "the store does not have all of its records"
    assert lacking == [{"name": f"{path.stem}.pack", "why": why}]
    assert not path.exists()


def test_a_game_rests_before(
    archive: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(archiving, "REST_MS", 600_000)
    played(runtime)
    told = archive()
    assert (told["records"], told["later"]) == (0, 1)
    assert ids(tmp_path / "packs") == []


def test_a_tournament_goes_with_all_of_its_games(
    archive: Any, lonja: Lonja, hall: Hall, tmp_path: Path
) -> None:
    cup = hall.hold(
        entries=[{"bot": "greedy"}, {"bot": "random"}], format={"type": "round_robin", "games": 2}
    )
    folder, out, again = tmp_path / "packs", tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    told = archive()
    assert told["records"] == 3
    assert ids(folder)[0] == cup.id
    assert lonja("verify", folder).exit_code == 0
    assert lonja("tournament", "export", cup.id, "-o", out).exit_code == 0
    assert lonja("archive", "export", cup.id, folder, "-o", again).exit_code == 0
    assert out.read_bytes() == again.read_bytes()
    assert archive()["records"] == 0


def test_a_tournament_of_which_a_part_was_written_is_completed(
    archive: Any, runtime: Runtime, hall: Hall, tmp_path: Path
) -> None:
    cup = hall.hold(
        entries=[{"bot": "greedy"}, {"bot": "random"}], format={"type": "round_robin", "games": 2}
    )
    archive()
    folder = tmp_path / "packs"
    (path,) = folder.glob("*.pack")
    pack = Pack(Folder(folder).source(path.name))
    kept = [pack.record(row) for row in pack.rows[:2]]
    path.unlink()
    with Archive.at_work(Folder(folder), Catalogue(tmp_path / "catalogue.db")) as writer:
        for record in kept:
            writer.add(record)
        writer.finish()
    assert archive()["records"] == 1
    assert len(ids(folder)) == len(set(ids(folder))) == 3
    assert cup.id in ids(folder)


def test_damaged_games_stay_out_and_are_told(archive: Any, runtime: Runtime) -> None:
    game_id = played(runtime)
    newest = runtime.ledger.store.newest(game_id)
    runtime.redis.xdel(game_key(game_id, "events"), f"{newest - 3}-0")
    told = archive(exit_code=1)
    assert told["records"] == 0
    assert [each["id"] for each in told["left_out"]] == [game_id]
    assert "damaged" in told["left_out"][0]["why"]


def test_another_history_in_a_pack_is_told(
    archive: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    game_id, out = played(runtime), tmp_path / "game.ndjson"
    assert lonja("export", game_id, "-o", out).exit_code == 0
    other = game_file.read(out)
    records.events(other)[-1]["at"] = "2040-01-01T00:00:00.000Z"
    (tmp_path / "packs").mkdir()
    path = put(tmp_path / "packs", [records.forge(other)])
    told = archive(exit_code=1)
    (left,) = told["left_out"]
    assert (left["id"], left["other_history"]) == (game_id, True)
    assert path.name in left["why"]


def test_it_is_told_in_words(archive: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path) -> None:
    played(runtime)
    result = lonja("archive", "write", tmp_path / "packs")
    assert "1 records, " in result.stdout
    assert "1 records were written. The run took " in result.stdout
    (tmp_path / "file").write_text("")
    assert lonja("archive", "write", tmp_path / "file").exit_code == 2


def test_packs_are_compared_with_the_store(
    archive: Any, lonja: Lonja, runtime: Runtime, tmp_path: Path
) -> None:
    same, lost, rewound, other = (played(runtime) for _ in range(4))
    archive()
    store, redis, folder = runtime.ledger.store, runtime.redis, tmp_path / "packs"
    whole = lonja("archive", "check", folder)
    assert whole.exit_code == 0
    assert "4 of 4 records are in the store." in whole.stdout
    redis.delete(game_key(lost, "events"))
    for game_id in (rewound, other):
        newest = store.newest(game_id)
        redis.xdel(game_key(game_id, "events"), *(f"{newest - n}-0" for n in range(3)))
    first, last = store.newest(rewound), store.newest(other)
    entries: Any = redis.xrevrange(game_key(other, "events"), count=1)
    redis.xadd(game_key(other, "events"), {**entries[0][1], "p": bytes(64)}, f"{last + 3}-1")
    result = lonja("archive", "check", folder, "--json")
    assert result.exit_code == 1
    told = orjson.loads(result.stdout)
    assert told["counts"] == {"same": 1, "archived": 0, "missing": 1, "rewound": 1, "other": 1}
    assert {(one["id"], one["found"]) for one in told["different"]} == {
        (lost, "missing"), (rewound, "rewound"), (other, "other"),
    }  # fmt: skip
    shown = lonja("archive", "check", folder)
    assert (
        f"REWOUND  {rewound}: the store has its first {first} of {first + 3} events" in shown.stdout
    )
    assert same not in shown.stdout
