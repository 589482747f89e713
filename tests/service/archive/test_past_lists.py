"""Lists of games that have left a store: which rows of the index count, and that none is missed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.archive.files import Folder, PackFile
from service.archive.index import INDEX, IndexedGames, PackIndex
from service.archive.pack import Pack, Row
from service.archive.past_lists import PackLists
from service.ledger.places import HEAD_BYTES, PackedStream, PackPlace, PackPlaces
from service.ledger.unlisting import INDEXES, ArchiveBehindError, ListExits
from tests.service.archive import packing, test_index
from tests.service.archive.packing import kept_games
from tests.service.archive.test_index import ENDED, listed

EVERYTHING = ["games:*:*"]


@pytest.fixture
def index(tmp_path: Path) -> PackIndex:
    return PackIndex(tmp_path / "data" / INDEX)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "packs").mkdir()
    return Folder(tmp_path / "packs")


@pytest.fixture
def past(redis_client: Redis, folder: Folder, index: PackIndex) -> PackLists:
    return PackLists(redis_client, folder, index)


def row(number: int, created: int, head: str = "aa") -> Row:
    """Return the row of a game in a pack, with an id that a service could have made."""
    return test_index.row(number, created, head, id=f"g00-{'abcd'[number] * 20}")


def note(redis: Redis, pack: str, *rows: Row) -> None:
    """Let the store know that these games are in a pack, and may have left its lists."""
    places = PackPlaces(redis)
    number = places.number(pack)
    ListExits(redis).mark(number)
    for one in rows:
        head = bytes.fromhex(one.facts["head"])
        place = PackPlace(number, one.offset, one.length, head[:HEAD_BYTES])
        places.note([PackedStream(one.id, one.facts["version"], head, place)], absent=True)


def walked(past: PackLists, limit: int) -> list[str]:
    """Return the ids in a list, read page by page."""
    found, after = [], None
    while True:
        page, after = past.newest(ENDED, limit, after)
        found += [game.summary["id"] for game in page]
        if after is None:
            return found


@pytest.mark.parametrize("limit", [1, 2, 9])
@pytest.mark.parametrize("truth", ["aa", "bb"])
def test_another_history_hides_no_game(
    redis_client: Redis, past: PackLists, index: PackIndex, truth: str, limit: int
) -> None:
    rows = {head: row(2, 2_000, head) for head in ("aa", "bb")}
    for name, head in (("one", "aa"), ("two", "bb")):
        index.put(name, "", listed(rows[head], row(1 if head == "aa" else 3, 1_000)))
    note(redis_client, "one", row(1, 1_000))
    note(redis_client, "two", row(3, 1_000), rows[truth])
    assert walked(past, limit) == [row(number, 0).id for number in (2, 3, 1)]
    assert past.find([row(2, 0).id]).keys() == {row(2, 0).id}


def test_a_page_that_was_read_before_the_index_was_whole_does_not_count(
    redis_client: Redis, past: PackLists, index: PackIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.put("one", "", listed(row(1, 1_000)))
    note(redis_client, "one", row(1, 1_000))
    note(redis_client, "two", row(2, 2_000))
    newest = PackIndex.newest

    def overtaken(self: PackIndex, *arguments: Any) -> IndexedGames:
        page = newest(self, *arguments)
        monkeypatch.setattr(PackIndex, "newest", newest)
        index.put("two", "", listed(row(2, 2_000)))
        assert len(walked(past, 9)) == 2  # another thread finds that the index is whole now
        return page

    monkeypatch.setattr(PackIndex, "newest", overtaken)
    assert len(walked(past, 9)) == 2


def packed(redis: Redis, folder: Folder) -> str:
    """Put finished games into a pack that the store knows, as if nobody had held a tournament."""
    name, raw = packing.packed(kept_games())
    raw = packing.with_rows(raw, lambda rows: [{**row, "tournament": None} for row in rows])
    (folder.path / name).write_bytes(raw)
    note(redis, name, *rows_in(folder))
    return name


def damaged_bytes(file: Path) -> None:
    raw = file.read_bytes()
    file.write_bytes(raw[:100] + bytes(len(raw) - 100))


def changed(*statements: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            for statement in statements:
                other.execute(statement)

    return change


SAME_ROOT = (
    "UPDATE sqlite_master AS one SET rootpage = other.rootpage FROM sqlite_master AS other"
    " WHERE one.name = 'game_with_id' AND other.name = 'empty'"
)
ANOTHER_INDEX = (
    "CREATE INDEX empty ON game (id) WHERE id = ''",
    "PRAGMA writable_schema = ON",
    SAME_ROOT,
    "DELETE FROM sqlite_master WHERE name = 'empty'",
)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b"?" * 5_000),
        damaged_bytes,
        changed("UPDATE game SET summary = CAST('{' AS BLOB)"),
        changed("UPDATE game SET summary = CAST('7' AS BLOB)"),
        changed("UPDATE entry SET place = CAST(x'30ff' AS TEXT)"),
        changed("UPDATE entry SET place = 'nowhere'"),
        changed("UPDATE game SET head = 'text'"),
        changed("DELETE FROM about"),
        changed("DROP TABLE entry"),
        changed(*ANOTHER_INDEX),
    ],
    ids=(
        "no database", "bytes", "no JSON", "other JSON", "no text", "no place", "no hash",
        "no id", "no table", "another index",
    ),
)  # fmt: skip
def test_a_damaged_index_is_made_anew_and_lists_wait_for_it(
    redis_client: Redis,
    past: PackLists,
    folder: Folder,
    tmp_path: Path,
    damage: Callable[[Path], None],
) -> None:
    packed(redis_client, folder)
    past.catch_up()
    ids = [row.id for row in rows_in(folder)]
    before = past.newest(EVERYTHING, 9), past.find(ids)
    assert [game.summary["id"] for game in before[0].games] == ids[::-1]
    damage(tmp_path / "data" / INDEX)
    for _second in range(3):
        with suppress(ArchiveBehindError):
            past.catch_up(again=True)
        with suppress(ArchiveBehindError):
            past.newest(EVERYTHING, 9)
    assert (past.newest(EVERYTHING, 9), past.find(ids)) == before


def rows_in(folder: Folder) -> list[Row]:
    return [row for name in folder.names() for row in Pack(folder.source(name)).rows]


def test_a_pack_that_cannot_be_read_is_tried_again_ever_later(
    redis_client: Redis, past: PackLists, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = packed(redis_client, folder)
    path = folder.path / name
    raw = path.read_bytes()
    path.write_bytes(raw[:-20])
    reads = []
    source = Folder.source

    def counted(self: Folder, name: str) -> PackFile:
        reads.append(name)
        return source(self, name)

    monkeypatch.setattr(Folder, "source", counted)
    for _second in range(9):
        assert past.catch_up() == 0
    assert reads == [name]
    path.write_bytes(raw)
    assert past.catch_up(again=True) == 1


def test_only_a_host_that_serves_lists_says_what_it_has(
    redis_client: Redis, past: PackLists, folder: Folder
) -> None:
    packed(redis_client, folder)
    assert past.catch_up() == 1
    assert redis_client.hlen(INDEXES) == 0
    past.catch_up(announce=True)
    assert redis_client.hlen(INDEXES) == 1


def test_a_host_that_was_heard_before_the_clock_went_back_says_again_what_it_has(
    redis_client: Redis, past: PackLists, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed(redis_client, folder)
    hosts = ListExits(redis_client)
    count, day_ms = PackLists._count, 86_400_000
    with monkeypatch.context() as ahead:
        ahead.setattr(PackLists, "_count", lambda one: _later(count(one), day_ms))
        past.catch_up(announce=True)
    _packs, _moved, now_ms = past._count()
    assert hosts.live(now_ms + day_ms) != []
    assert hosts.live(now_ms) == [], "it may be gone"
    past.catch_up(announce=True)
    assert len(hosts.live(past._count()[2])) == 1


def _later(counted: tuple[int, int, int], span_ms: int) -> tuple[int, int, int]:
    packs, moved, now_ms = counted
    return packs, moved, now_ms + span_ms
