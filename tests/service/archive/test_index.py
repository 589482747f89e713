"""The index of packs: lists of the games in them, in SQLite."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rules.kernel.record.instants import from_ms
from service.archive.beside import Beside
from service.archive.index import INDEX, PackedListing, PackIndex, listings
from service.archive.pack import TOURNAMENT, Pack, Row
from service.ledger.lists import Span, place_of
from service.ledger.terms import SETTLED, TERMS, TableTerms
from service.process.database import DamagedDatabaseError
from tests.service.archive.packing import Bytes, cup, games, packed

ENDED = ["games:*:ended"]
ANA = "p-" + "a" * 16


@pytest.fixture
def index(tmp_path: Path) -> PackIndex:
    return PackIndex(tmp_path / "data" / INDEX)


def row(number: int, created: int, head: str = "aa", **facts: object) -> Row:
    """Return the row of a game in a pack."""
    told = {
        "kind": "game", "id": f"g00-{number:020d}", "ruleset": "sealed", "rules_version": "1.0.0",
        "tournament": None, "entropy": "reveal", "started": True, "status": "ended",
        "holders": [{"player": ANA}, None], "result": None, "version": 9, "head": head * 32,
        "at": from_ms(created + 5), "created_at": from_ms(created), "created_by": {"player": ANA},
    }  # fmt: skip
    return Row(0, 1, {**told, **facts})


def listed(*rows: Row, beside: tuple[Beside, ...] = ()) -> list[PackedListing]:
    pack: Any = SimpleNamespace(rows=rows)  # records of games are not read
    return [*listings(pack, {one.id: one for one in beside})]


def numbers(index: PackIndex, names: list[str], limit: int = 9, **which: object) -> list[int]:
    """Return the numbers of the games of lists in the index."""
    found = index.newest(names, limit, **which)  # type: ignore[arg-type]
    return [int(game.id[4:]) for game in found.games]


def test_lists_are_ordered_by_time_and_id_over_all_packs(index: PackIndex) -> None:
    index.put("one", "", listed(row(1, 1_000), row(5, 3_000), row(2, 2_000)))
    index.put("two", "", listed(row(3, 2_000), row(4, 1_500, status="aborted")))
    everything = ["games:*:*"]
    assert numbers(index, everything) == [5, 3, 2, 4, 1]
    assert numbers(index, ENDED) == [5, 3, 2, 1]
    assert numbers(index, [f"games:{ANA}:aborted"]) == [4]
    assert numbers(index, ["games:@sealed:ended", "games:@nim:ended"], 2) == [5, 3]
    after = place_of(from_ms(2_000), "g00-" + "3".zfill(20))
    assert numbers(index, everything, 2, after=after) == [2, 4]
    assert numbers(index, everything, span=Span(1_500, 2_000)) == [4]
    assert numbers(index, everything, after=after, span=Span(1_000, 1_500)) == [1]


def test_games_of_tournaments_are_in_no_list() -> None:
    _name, raw = packed((*games()[:1], *cup()))
    pack = Pack(Bytes(raw))
    found = {one.id: one.listing for one in listings(pack, {})}
    assert [*found] == [pack.rows[0].id, pack.rows[1].id]
    assert pack.rows[1].kind == TOURNAMENT


def test_a_table_that_was_cancelled_is_among_the_aborted_alone(index: PackIndex) -> None:
    index.put("one", "", listed(row(1, 1_000, status="aborted", started=False)))
    assert numbers(index, ["games:*:*"]) == []
    assert numbers(index, ["games:*:aborted"]) == [1]


def test_titles_and_tags_come_from_the_file_beside(index: PackIndex) -> None:
    terms = TableTerms(title="Friends", tags=("eve",), rated=True).dump()[TERMS].decode()
    own = Beside(row(1, 1_000).id, table={TERMS: terms, SETTLED: "1"})
    index.put("one", "d1", listed(row(1, 1_000), beside=(own,)))
    (found,) = index.newest(["games:#eve:ended"], 9).games
    assert (found.summary["title"], found.summary["rated"]) == ("Friends", True)
    assert index.contents().packs == {"one": "d1"}


def test_a_pack_is_put_in_again_only_for_another_file_beside(index: PackIndex) -> None:
    assert index.put("one", "d1", listed(row(1, 1_000), row(2, 2_000)))
    assert not index.put("one", "d1", listed(row(3, 3_000)))
    assert numbers(index, ENDED) == [2, 1]
    assert index.put("one", "d2", listed(row(1, 1_000)))
    assert numbers(index, ENDED) == [1]
    assert index.put("one", "d2", listed(row(4, 4_000)), again=True)
    assert numbers(index, ENDED) == [4]


def test_a_pack_is_put_in_as_a_whole_or_not_at_all(index: PackIndex) -> None:
    index.put("one", "d1", listed(row(1, 1_000)))

    def cut() -> Iterator[PackedListing]:
        yield from listed(row(2, 2_000))
        raise OSError("cut")

    for name in ("one", "two"):
        with pytest.raises(OSError, match="cut"):
            index.put(name, "d2", cut())
    assert numbers(index, ENDED) == [1]
    assert index.contents().packs == {"one": "d1"}


def test_two_histories_of_a_game_do_not_hide_each_other(index: PackIndex) -> None:
    index.put("one", "", listed(row(1, 1_000, "aa")))
    index.put("two", "", listed(row(1, 1_000, "bb")))
    heads = {game.head[0] for game in index.newest(ENDED, 9).games}
    assert heads == {game.head[0] for game in index.find([row(1, 0).id]).games} == {0xAA, 0xBB}


def test_readers_do_not_wait_while_a_pack_is_put_in(index: PackIndex) -> None:
    index.put("one", "", listed(row(1, 1_000)))

    def slowly() -> Iterator[PackedListing]:
        yield from listed(*(row(number, number) for number in range(2, 3_000)))
        assert numbers(index, ENDED) == [1]

    index.put("two", "", slowly())
    assert numbers(index, ENDED, 2) == [2_999, 2_998]


@pytest.mark.parametrize("what", ["lost", "no database", "damaged", "of another release"])
def test_what_cannot_be_used_is_made_anew(index: PackIndex, tmp_path: Path, what: str) -> None:
    index.put("one", "d1", listed(*(row(number, number) for number in range(200))))
    id_ = index.contents().id
    file = tmp_path / "data" / INDEX
    if what == "lost":
        file.unlink()
    elif what == "no database":
        file.write_bytes(b"?" * 5_000)
    elif what == "damaged":
        raw = file.read_bytes()
        file.write_bytes(raw[:100] + bytes(len(raw) - 100))
    else:
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA user_version = 99")
    try:
        contents = index.contents()
    except DamagedDatabaseError:
        contents = index.contents()  # the damage was found while it was read
    assert contents.packs == {}
    assert contents.id != id_
    assert index.put("one", "d1", listed(row(1, 1_000)))
    assert numbers(index, ENDED) == [1]
