"""A scrub finds lost bytes of packs, and heals each of two places from the other."""

from pathlib import Path

import pytest
from redis import Redis

from service.archive.beside import Beside, packed, read
from service.archive.files import Files, Folder, PlaceError
from service.ledger.places import PackPlaces
from service.players import departed
from service.upkeep import scrub
from service.upkeep.scrub import Scrub
from tests.service.archive import packing
from tests.service.archive.packing import kept_games

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
    """Scrub; return what was healed, copied and lost, by the names of files."""
    run = Scrub(redis, files, copy)
    assert [one.name for one in run.run(run.names())] == run.names()
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


def test_a_place_that_is_not_there_is_not_filled(redis_client: Redis, copy: Folder) -> None:
    PackPlaces(redis_client).number("0" * 64 + ".pack")
    with pytest.raises(PlaceError, match="is empty, and the Redis knows 1 packs"):
        scrubbed(redis_client, copy, None)


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
