"""A game that has left the store is read as before, out of its pack and the file beside it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest
from redis import Redis

import rules.registry
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.events import Event, from_copy
from service.archive.archive import Archive
from service.archive.beside import packed, read
from service.archive.catalogue import Catalogue
from service.archive.files import Folder
from service.archive.past import CURRENT_SECONDS, PackReader
from service.games.commands import TableCommands
from service.ledger import export
from service.ledger.imports import HERE, OTHER, Imports
from service.ledger.ledger import GameNotFoundError, Ledger
from service.ledger.origin import Origin
from service.ledger.past import ArchiveUnreadableError, PastStore
from service.ledger.places import NOTED, PackedStream, PackPlace, PackPlaces
from service.ledger.repository import ConflictError
from service.ledger.snapshots import take
from service.ledger.store import RepeatedRequest, Retry, Store
from service.ledger.terms import TableTerms
from service.records.game_file import secrets_of
from service.records.receipts import Signer
from service.redis.format import check_format
from service.redis.keys import game_key
from tests.service.archive.packing import cup, kept_games
from tests.service.archive.taking import take_out

REGISTRY = Registry((*rules.registry.PACKAGES, "tests.sealed"))
ANA, BEN = "p-" + "a" * 16, "p-" + "b" * 16
ASKED = b"f" * 16
TERMS = TableTerms(title="Friends", tags=("eve",))


class Source(NamedTuple):
    """What is needed to write a record."""

    ledger: Ledger
    signer: Signer

    def lines(self, game_id: str) -> list[JsonObject]:
        return [*export.lines(self, self.ledger.table(game_id), None)]


class Counted(Folder):
    """A folder that counts how often a pack, or a file beside one, is read."""

    reads = 0

    def source(self, name: str):  # type: ignore[no-untyped-def]  # noqa: ANN201 - as inherited
        self.reads += 1
        return super().source(name)

    def beside(self, name: str) -> bytes | None:
        self.reads += 1
        return super().beside(name)


class Service(NamedTuple):
    """A process of a service whose store may have lost a game to packs."""

    tables: TableCommands
    source: Source
    folder: Counted

    @property
    def ledger(self) -> Ledger:
        return self.source.ledger


def opened(redis: Redis, path: Path) -> Service:
    check_format(redis)
    folder = Counted(path)
    ledger = Ledger(PastStore(redis, past=PackReader(redis, folder)), REGISTRY)
    return Service(TableCommands(ledger), Source(ledger, Signer.of(redis)), folder)


@pytest.fixture
def new_service(redis_client: Redis, tmp_path: Path) -> Callable[[], Service]:
    return lambda: opened(redis_client, tmp_path)


def played(service: Service, terms: TableTerms = TERMS) -> str:
    """Play a game of two people, each of whose requests has a key."""
    holders: list[JsonObject | None] = [{"player": ANA}, {"player": BEN}]
    created = service.tables.create(
        ANA, "sealed", {}, holders, terms=terms, idempotency_key="k", fingerprint=ASKED
    )
    assert not isinstance(created, RepeatedRequest)
    game, number = created.game, 0
    while not game.over:
        seat = min(game.asked)
        number += 1
        retry = Retry.of((ANA, BEN)[seat], f"k{number}", ASKED)
        move = game.ruleset.legal_moves(game.state, seat)[-1].to_json()
        service.tables.move(game.id, seat, move, game.version, (ANA, BEN)[seat], retry=retry)
        game = service.ledger.table(game.id).game
    return game.id


def leave(service: Service, game_id: str) -> None:
    take_out(service.ledger.store.redis, service.folder, game_id, service.source.lines(game_id))


def test_a_game_is_read_as_before(new_service: Callable[[], Service], redis_client: Redis) -> None:
    before = new_service()
    game_id = played(before)
    game, secrets, _damage = before.ledger.table(game_id)
    stored, lines = before.ledger.store.read_all(game_id), before.source.lines(game_id)
    half = before.ledger.game_at(game_id, game.version // 2)
    moments = before.ledger.moments(game, 0, game.version)
    leave(before, game_id)

    after = new_service()
    table, store = after.ledger.table(game_id), after.ledger.store
    assert orjson.loads(take(table.game)) == orjson.loads(take(game))
    assert (table.game.version, table.game.head, table.game.status) == (
        game.version, game.head, game.status
    )  # fmt: skip
    assert (table.secrets, table.damage) == (secrets, None)
    assert store.read_all(game_id) == stored
    assert store.read(game_id, 2, 3) == stored[2:5]
    assert store.read(game_id, len(stored), 3) == []
    assert store.newest(game_id) == game.version
    assert [event.seq for event in store.events_at(game_id, [3, 1, 99])] == [1, 3]
    assert store.seq_of(game_id, stored[2].event.hash, 1, game.version) == 3
    assert store.seq_of(game_id, stored[2].event.hash, 1, 2) is None
    assert store.read_before(game_id, game.version, game.head, 1, 2) == stored[1:3]
    assert after.source.lines(game_id) == lines
    then = after.ledger.game_at(game_id, game.version // 2)
    assert orjson.loads(take(then)) == orjson.loads(take(half))
    again = after.ledger.moments(table.game, 0, game.version)
    assert [moment.effects for moment in again] == [moment.effects for moment in moments]
    assert after.ledger.terms(table.game) == TERMS
    assert after.tables.guests.host_and_rematch(table.game) == (ANA, None)
    assert redis_client.keys(f"*{game_id}*") == []


def test_a_game_that_leaves_while_it_is_read_is_not_damaged(
    new_service: Callable[[], Service], redis_client: Redis
) -> None:
    """A read that sees how long the stream was, and then no events, is as that of an empty one."""
    before = new_service()
    game_id = played(before)
    lines = before.source.lines(game_id)
    leave(before, game_id)
    key = game_key(game_id, "events")
    redis_client.xadd(key, {"e": "{}", "p": bytes(64)}, f"{len(lines) - 1}-0")
    redis_client.xdel(key, f"{len(lines) - 1}-0")
    after = new_service()
    assert after.ledger.table(game_id).damage is None
    assert after.source.lines(game_id) == lines
    assert len(after.ledger.store.read_all(game_id)) == len(lines) - 1
    assert not redis_client.exists(game_key(game_id, "damage"))


def test_a_game_is_opened_with_two_reads(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    after = new_service()
    game = after.ledger.table(game_id).game
    after.ledger.terms(game)
    after.tables.guests.host(game)
    after.source.lines(game_id)
    assert after.folder.reads == 2
    with pytest.raises(GameNotFoundError):
        after.ledger.table("g00-" + "a" * 20)
    assert after.folder.reads == 2


def test_whoever_has_the_game_in_memory_goes_on_with_it(
    new_service: Callable[[], Service],
) -> None:
    service = new_service()
    game_id = played(service)
    game = service.ledger.table(game_id).game
    leave(service, game_id)
    assert service.ledger.table(game_id).game is game
    assert len(service.ledger.history(game, 0, 100)) == game.version


def test_repeated_requests_get_their_answer(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    game = before.ledger.table(game_id).game
    first = next(e for e, _prev in before.ledger.events(game_id, 0, 100) if e.kind == "moved")
    leave(before, game_id)

    after = new_service()
    seat = Seat(first.by["seat"])
    player = (ANA, BEN)[seat]

    def move(key: str, asked: bytes = ASKED) -> object:
        retry = Retry.of(player, key, asked)
        return after.tables.move(game_id, seat, {"type": "pass"}, 1, player, retry=retry)

    assert move("k1") == RepeatedRequest(game_id, first.seq, first.last)
    with pytest.raises(RefusedError) as refused:
        move("k1", b"g" * 16)
    assert refused.value.code == "idempotency_key_reused"
    with pytest.raises(RefusedError) as refused:
        move("never")
    assert refused.value.code == "game_over"
    replay = after.ledger.replay(game_id, first.seq, first.last)
    assert replay.game.version == first.last <= game.version


def test_an_archived_id_is_not_given_again(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    holders: list[JsonObject | None] = [{"player": ANA}, {"player": BEN}]
    for service in (before, new_service()):
        create = service.tables.create
        again = create(ANA, "sealed", {}, holders, idempotency_key="k", fingerprint=ASKED)
        assert isinstance(again, RepeatedRequest)
        assert (again.game_id, again.first) == (game_id, 1)
        with pytest.raises(RefusedError) as refused:
            create(ANA, "sealed", {}, holders, idempotency_key="k", fingerprint=b"g" * 16)
        assert refused.value.code == "idempotency_key_reused"


def test_a_process_that_knows_no_archive_puts_nothing_in_the_place_of_a_game(
    new_service: Callable[[], Service], redis_client: Redis
) -> None:
    before = new_service()
    game_id = played(before)
    _first, *copies = before.source.lines(game_id)
    leave(before, game_id)
    blind = Store(redis_client)
    holders: list[JsonObject | None] = [{"player": ANA}, {"player": BEN}]
    create = TableCommands(Ledger(blind, REGISTRY)).create
    with pytest.raises(ConflictError):
        create(ANA, "sealed", {}, holders, idempotency_key="k", fingerprint=ASKED)
    events, origin = (
        [from_copy(copy) for copy in copies],
        Origin("root", "", "", {"key_id": "k"}, is_own=True),
    )

    def put(store: Store, put: Sequence[Event]) -> str:
        return Imports(store, REGISTRY).put(game_id, put, secrets_of(copies), origin)

    seeing = new_service().ledger.store
    assert put(blind, events) == OTHER
    assert put(seeing, events) == HERE
    assert put(seeing, [*events[:-1], events[-1]._replace(hash=bytes(32))]) == OTHER
    assert redis_client.keys(f"*{game_id}*") == []


def test_what_is_noted_later_is_newer(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    after = new_service()
    game = after.ledger.table(game_id).game
    after.tables.guests.note_rematch(game_id, "g00-rematch")
    assert after.tables.guests.host_and_rematch(game) == (ANA, "g00-rematch")
    assert after.ledger.terms(game) == TERMS


def test_what_changes_beside_a_game_in_memory_is_seen(
    new_service: Callable[[], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes if the game comes back into the store, and leaves again."""
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    after, (name,) = new_service(), before.folder.names()
    game = after.ledger.table(game_id).game

    def rematch() -> str | None:
        return after.tables.guests.host_and_rematch(game)[1]

    assert rematch() is None
    raw = before.folder.beside(name) or b""
    changed = [one._replace(table={**one.table, "rematch": "g00-other"}) for one in read(raw)]
    before.folder.put_beside(name, packed(changed), raw)
    now = time.monotonic()
    with monkeypatch.context() as later:
        later.setattr(time, "monotonic", lambda: now + CURRENT_SECONDS)
        later.setattr(Counted, "beside_version", _unreadable)
        assert rematch() is None, "it goes on with what it has"
    with monkeypatch.context() as later:
        later.setattr(time, "monotonic", lambda: now + 3 * CURRENT_SECONDS)
        assert rematch() == "g00-other"
    reads = after.folder.reads
    assert rematch() == "g00-other"
    assert after.folder.reads == reads


def _unreadable(*_arguments: object) -> str:
    raise OSError("no disk")


def test_without_a_file_beside_the_record_is_whole(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    lines = before.source.lines(game_id)
    leave(before, game_id)
    for path in (before.folder.path / "beside").iterdir():
        path.unlink()
    after = new_service()
    assert after.source.lines(game_id) == lines
    assert after.ledger.terms(after.ledger.table(game_id).game) == TableTerms()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda path: path.unlink(), "No such file"),
        (lambda path: path.write_bytes(b"\0" * path.stat().st_size), "what is compressed is damag"),
        (lambda path: path.write_bytes(b""), "does not end where the index says"),
    ],
)
def test_a_pack_that_cannot_be_read_is_a_temporary_failure(
    new_service: Callable[[], Service], change: Callable[[Path], object], why: str
) -> None:
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    (path,) = before.folder.path.glob("*.pack")
    raw = path.read_bytes()
    change(path)
    with pytest.raises(ArchiveUnreadableError, match=f"{game_id} cannot be read from .*{why}"):
        new_service().ledger.table(game_id)
    path.write_bytes(raw)
    assert new_service().ledger.table(game_id).game.over


def test_another_history_than_was_noted_is_not_read(new_service: Callable[[], Service]) -> None:
    before = new_service()
    game_id = played(before)
    leave(before, game_id)
    places = PackPlaces(before.ledger.store.redis)
    place = places.of(game_id)
    assert place is not None
    for key in before.ledger.store.redis.keys("*packed:*"):
        for name in before.ledger.store.redis.hkeys(key):
            before.ledger.store.redis.hset(key, name, place._replace(head=bytes(8)).dump())
    with pytest.raises(ArchiveUnreadableError, match="another history of it than was noted"):
        new_service().ledger.table(game_id)


def test_the_memory_of_a_process_is_bounded(redis_client: Redis, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    records = (*cup(), *kept_games())
    with Archive.at_work(folder, Catalogue(tmp_path / "catalogue.db")) as archive:
        for record in records:
            archive.add(record)
        written = archive.finish()
    assert written is not None
    places = PackPlaces(redis_client)
    number = places.number(written.name)
    for row in written.rows:
        head = bytes.fromhex(row.facts["head"])
        place = PackPlace(number, row.offset, row.length, head[:8])
        redis_client.xadd(
            game_key(row.id, "events"),
            {"e": "{}", "p": bytes(32) + head},
            f"{row.facts['version']}-0",
        )
        assert places.note([PackedStream(row.id, row.facts["version"], head, place)]) == [NOTED]
    past = PackReader(redis_client, folder, kept_events=100)
    for row in written.rows:
        found = past.find(row.id)
        assert found is not None
        assert len(found.events) == row.facts["version"]
        assert found.events[-1].event.hash.hex() == row.facts["head"]
        assert past._kept_events == sum(len(kept.stream.events) for kept in past._kept.values())
        assert past._kept_events <= 100 or len(past._kept) == 1
