"""Takes a game out of a store into a pack, as far as reading it again is concerned."""

from redis import Redis

from rules.kernel.canonical import JsonObject
from service.archive.archive import Archive
from service.archive.beside import packed
from service.archive.catalogue import Catalogue
from service.archive.files import Folder
from service.ledger.places import HEAD_BYTES, NOTED, PackedStream, PackPlace, PackPlaces
from service.ledger.raw import RawStreams
from service.records.game_file import Record
from service.redis.keys import game_key
from service.upkeep.besides import beside_of

OF_A_GAME = ("events", "secrets", "index", "snapshots", "table", "imported")


def take_out(redis: Redis, folder: Folder, game_id: str, lines: list[JsonObject]) -> None:
    """Put a game, which has these lines of a record, into a pack of its own; remove its keys.

    It stays in lists.
    """
    with Archive.at_work(folder, Catalogue(folder.path / "catalogue.db")) as archive:
        archive.add(Record(lines[0], lines[1:]))
        written = archive.finish()
    assert written is not None
    folder.put_beside(written.name, packed([beside_of(RawStreams(redis), game_id)]))
    (row,) = written.rows
    places, head = PackPlaces(redis), bytes.fromhex(row.facts["head"])
    place = PackPlace(places.number(written.name), row.offset, row.length, head[:HEAD_BYTES])
    assert places.note([PackedStream(game_id, row.facts["version"], head, place)]) == [NOTED]
    redis.delete(*(game_key(game_id, name) for name in OF_A_GAME))
