"""A scrub finds lost bytes of packs, and heals each of two places from the other."""

from hashlib import sha256
from pathlib import Path

import pytest
from redis import Redis

from service.archive.beside import Beside, packed, read
from service.archive.files import Files, Folder, PlaceError
from service.archive.pack import name_of
from service.ledger.places import PackPlaces
from service.players import departed
from service.upkeep import scrub
from service.upkeep.scrub import Scrub
from tests.service.archive import packing
from tests.service.archive.packing import kept_games

NOW = 1_800_000_000_000
DAY = 86_400_000
SOMEBODY = "p-" + "b" * 16
GAME = "g-" + "a" * 16


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    """A folder of two packs, the second of which the store knows."""
    folder = tmp_path / "packs"
    folder.mkdir()
    for number in range(2):
        packing.put(folder, kept_games()[number : number + 1])
    return Folder(folder)


@pytest.fixture
def copy(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "copy")


def scrubbed(redis: Redis, files: Files, copy: Files | None) -> dict[str, list[str]]:
    """Scrub all; return what was healed, copied and lost, by the names of files."""
    run = Scrub(redis, files, copy, NOW)
    plan = run.all_packs()
    assert [one.name for one in run.run(plan)] == plan.packs
    told = run.to_json()
    found = {name: told[name] for name in ("healed", "copied", "lost")}
    return {name: paths for name, paths in found.items() if paths}


def damage(files: Folder, name: str) -> Path:
    path = files.path / name
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    return path


def test_the_first_scrub_makes_the_copy(redis_client: Redis, place: Folder, copy: Folder) -> None:
    names = [*place.names()]
    place.put_beside(names[0], packed([Beside(GAME, table={"title": "a"})]))
    assert [*scrubbed(redis_client, place, copy)["copied"]] == [
        copy.path_of(names[0]), f"what is beside {copy.path_of(names[0])}", copy.path_of(names[1])
    ]  # fmt: skip
    assert [*copy.names()] == names
    assert copy.beside(names[0]) == place.beside(names[0])
    assert scrubbed(redis_client, place, copy) == {}


def test_each_place_is_healed_from_the_other(
    redis_client: Redis, place: Folder, copy: Folder
) -> None:
    scrubbed(redis_client, place, copy)
    first, second = place.names()
    PackPlaces(redis_client).number(second)
    whole = {name: place.get(name) for name in (first, second)}
    damage(place, first)
    (place.path / second).unlink()
    damage(copy, second)
    damaged = copy.get(second)
    told = scrubbed(redis_client, place, copy)
    assert told["healed"] == [place.path_of(first)]
    # The second one is whole in neither place.
    assert [one.partition(": ")[0] for one in told["lost"]] == [
        place.path_of(second), copy.path_of(second)
    ]  # fmt: skip
    assert (place.get(first), copy.get(first)) == (whole[first], whole[first])
    assert (place.path / f"{first}.damaged").exists()
    assert copy.get(second) == damaged, "what may be needed is left alone"

    (place.path / second).write_bytes(whole[second] or b"")
    assert scrubbed(redis_client, place, copy) == {"healed": [copy.path_of(second)]}
    (place.path / second).unlink()
    (copy.path / first).unlink()
    assert scrubbed(redis_client, place, copy) == {
        "healed": [place.path_of(second)], "copied": [copy.path_of(first)]
    }  # fmt: skip
    assert {name: place.get(name) for name in whole} == whole


def test_without_a_copy_lost_bytes_are_found(redis_client: Redis, place: Folder) -> None:
    first, second = place.names()
    PackPlaces(redis_client).number(second)
    PackPlaces(redis_client).number("0" * 64 + ".pack")
    damage(place, first)
    missing, damaged = scrubbed(redis_client, place, None)["lost"]
    assert missing == f"{place.place}/{'0' * 64}.pack: it is not there"
    assert damaged == f"{place.path_of(first)}: its bytes are not those that were written"
    assert [*place.names()] == [first, second]


def test_what_is_beside_packs_comes_back_without_who_has_left(
    redis_client: Redis, place: Folder, copy: Folder
) -> None:
    (name, _other) = place.names()
    old = packed([Beside(GAME, table={"host": SOMEBODY, f"guest:{SOMEBODY}": "1"})])
    place.put_beside(name, old)
    scrubbed(redis_client, place, copy)
    redis_client.execute_command(*departed.note(SOMEBODY))
    for wrong in (None, old[:-9]):
        (place.path / "beside").joinpath(name.replace(".pack", ".beside")).unlink()
        if wrong is not None:
            place.put_beside(name, wrong)
        told = scrubbed(redis_client, place, copy)
        assert told["healed"] == [f"what is beside {place.path_of(name)}"]
        (found,) = read(place.beside(name) or b"")
        assert found.table == {"host": SOMEBODY}, "the host of a game stays"
        copy.put_beside(name, old, copy.beside(name))
    place.note_left("7-0")
    assert scrubbed(redis_client, place, copy) == {
        "copied": [f"what is beside {copy.path_of(name)}"]
    }
    assert (copy.beside(name), copy.left()) == (place.beside(name), "7-0")


def test_a_file_of_an_older_day_that_is_put_back_loses_who_has_left_since(
    redis_client: Redis, place: Folder
) -> None:
    (name, _other) = place.names()
    old = packed([Beside(GAME, table={"host": SOMEBODY, f"guest:{SOMEBODY}": "1"})])
    now = packed([Beside(GAME, table={"host": SOMEBODY})])
    place.put_beside(name, now)
    redis_client.execute_command(*departed.note(SOMEBODY))
    assert scrubbed(redis_client, place, None) == {}
    place.put_beside(name, old, now)
    run = Scrub(redis_client, place, None, NOW + DAY)
    assert not any(one.lost for one in run.run(run.due(99)))
    assert place.beside(name) == now


def test_a_place_that_is_not_there_is_not_filled(redis_client: Redis, copy: Folder) -> None:
    PackPlaces(redis_client).number("0" * 64 + ".pack")
    with pytest.raises(PlaceError, match="is empty, or not there, and the Redis knows 1 packs"):
        scrubbed(redis_client, copy, None)
    copy.path.touch()
    with pytest.raises(PlaceError, match="copy cannot be read: Not a directory"):
        scrubbed(redis_client, copy, None)


def test_a_copy_that_is_not_there_is_told_and_the_place_is_scrubbed(
    redis_client: Redis, place: Folder, copy: Folder
) -> None:
    scrubbed(redis_client, place, copy)
    copy.path.rename(copy.path.with_name("unmounted"))
    damaged = damage(place, next(place.names()))
    run = Scrub(redis_client, place, copy, NOW + 30 * DAY)
    assert len([*run.run(run.due(7))]) == 2
    lost = run.to_json()["lost"]
    assert lost[0].startswith(f"{copy.place} is empty, or not there, and had 2 packs")
    assert lost[1].startswith(str(damaged))
    assert not copy.path.exists(), "it may be the place where the disk is mounted"
    copy.path.touch()
    assert scrubbed(redis_client, place, copy)["lost"][0] == (
        f"{copy.place} cannot be read: Not a directory"
    )
    copy.path.unlink()
    copy.path.with_name("unmounted").rename(copy.path)
    assert scrubbed(redis_client, place, copy) == {"healed": [str(damaged)]}


def read_on(redis: Redis, files: Folder, copy: Folder | None, day: int) -> list[str]:
    """Return the packs that the scrub of a day reads, of which each is due in three days."""
    run = Scrub(redis, files, copy, NOW + day * DAY)
    return [one.name for one in run.run(run.due(3)) if one.size]


def test_each_pack_is_read_again_within_some_days(redis_client: Redis, place: Folder) -> None:
    made = [*place.names(), *(_other_pack(place, number) for number in range(7))]
    assert sorted(read_on(redis_client, place, None, 0)) == sorted(made), "none was read yet"
    days = [read_on(redis_client, place, None, day) for day in range(1, 13)]
    assert {len(day) for day in days} == {3}
    for first in range(10):
        assert {name for day in days[first : first + 3] for name in day} == {*made}
    assert {*read_on(redis_client, place, None, 99)} == {*made}, "no scrub ran for long"
    new = _other_pack(place, 7)
    assert new in read_on(redis_client, place, None, 100)


def _other_pack(place: Folder, number: int) -> str:
    """Write a file that has the name of its digest: a scrub looks at nothing else in it."""
    raw = b"%d" % number
    name = name_of(sha256(raw).hexdigest())
    (place.path / name).write_bytes(raw)
    return name


def test_packs_that_were_read_while_the_clock_was_ahead_are_read_again(
    redis_client: Redis, place: Folder
) -> None:
    for number in range(4):
        _other_pack(place, number)
    ahead = sorted(read_on(redis_client, place, None, 365))
    assert sorted(read_on(redis_client, place, None, 0)) == ahead == [*place.names()]
    assert len(read_on(redis_client, place, None, 1)) == 2


def test_what_is_not_whole_is_looked_at_every_day(
    redis_client: Redis, place: Folder, copy: Folder
) -> None:
    first, second = place.names()
    PackPlaces(redis_client).number(second)
    for day in range(2):
        read_on(redis_client, place, copy, day)
    assert len(read_on(redis_client, place, copy, 2)) == 1
    (copy.path / first).unlink()
    (place.path / second).unlink()
    assert {*read_on(redis_client, place, copy, 2)} == {first}
    assert ({*place.names()}, {*copy.names()}) == ({first, second}, {first, second})
    for files in (place, copy):
        damage(files, second)
    for day in (6, 7, 8):
        run = Scrub(redis_client, place, copy, NOW + day * DAY)
        [*run.run(run.due(3))]
        assert len(run.to_json()["lost"]) == 2, day


def test_files_beside_packs_are_copied_when_they_have_changed(
    redis_client: Redis, place: Folder, copy: Folder
) -> None:
    read_on(redis_client, place, copy, 0)
    oldest, other = place.names()
    place.put_beside(other, packed([Beside(GAME, table={"title": "a"})]))
    run = Scrub(redis_client, place, copy, NOW + DAY)
    plan = run.due(99)
    assert plan == ([oldest], [other])
    assert [one.copied for one in run.run(plan)][1] == (f"what is beside {copy.path_of(other)}",)
    assert copy.beside(other) == place.beside(other)
    assert Scrub(redis_client, place, copy, NOW + 2 * DAY).due(99) == ([other], [])


def test_a_scrub_of_all_goes_on_where_it_was_interrupted(
    redis_client: Redis, place: Folder
) -> None:
    run = Scrub(redis_client, place, None, NOW)
    first = next(run.run(run.all_packs()))
    again = Scrub(redis_client, place, None, NOW + 1)
    assert [one.name for one in again.run(again.all_packs())] == [
        name for name in place.names() if name != first.name
    ]
    whole = Scrub(redis_client, place, None, NOW + 2)
    assert {one.name for one in whole.run(whole.all_packs())} == {*place.names()}


def test_who_writes_is_not_disturbed(
    redis_client: Redis, place: Folder, copy: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    scrubbed(redis_client, place, copy)
    name = next(place.names())
    damage(place, name)
    monkeypatch.setattr(scrub, "BUSY_SECONDS", 0)
    with place.at_work():
        (lost,) = scrubbed(redis_client, place, copy)["lost"]
    assert "it could not be healed: another process writes packs" in lost
    assert scrubbed(redis_client, place, copy) == {"healed": [place.path_of(name)]}
