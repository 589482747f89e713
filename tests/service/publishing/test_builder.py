"""The log has what happened, in one chain an id, whoever builds it and whatever it is killed by."""

import base64
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from rules.kernel.record.instants import to_ms
from service.following import lease as leases
from service.following.consumer import Lead, LostLeadError
from service.following.cursors import FeedCursors
from service.following.lease import Lease, lease_of
from service.ledger import streams
from service.ledger.feeds import TAILS
from service.ledger.places import HEAD_BYTES, PackedStream, PackPlace, PackPlaces
from service.ledger.streams import StreamScan
from service.ledger.terms import TableTerms
from service.publishing import builder as publishing
from service.publishing import checking, heads, marker, presence, publisher, tree
from service.publishing.errors import UnfitError
from service.publishing.folder import FolderBusyError, LogFolder
from service.publishing.index import Entry, LogIndex, logged_key
from service.publishing.marker import (
    DIVERGED,
    DUE,
    MARKER,
    NAME,
    BeingBuiltError,
    Mark,
    Marker,
    MarkerMovedError,
    adopt,
)
from service.publishing.presence import Head, StoredHeads
from service.records.leaves import CREATED, ENDED, HEAD, HOUR_MS, REWOUND, Leaf, next_due
from service.records.statements import BEGUN, BEHIND, RESTARTED
from service.redis.commands import Commands
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.checkpoints import open_checkpoint
from service.tlog.tiles import tiles_of
from tests import running
from tests.running import ME, PLAYER
from tests.service.ledger.conftest import Moment
from tests.service.publishing import logs
from tests.service.publishing.logs import Builder

PRIVATE = TableTerms(visibility="private")


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


def play(runtime: Runtime, game_id: str, moves: int) -> int:
    """Play some moves; return the version."""
    for _ in range(moves):
        game = running.game(runtime, game_id)
        seat = next(iter(game.asked), None)
        if seat is None:
            break
        move = game.ruleset.legal_moves(game.state, seat)[-1]
        runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)
    return running.game(runtime, game_id).version


def test_a_game_is_in_the_log_from_its_creation_to_its_end(runtime: Runtime, path: Path) -> None:
    store = runtime.ledger.store
    game_id, still = (running.open_game(runtime, "sealed", ME, ME) for _ in range(2))
    builder = Builder.open(store, path)
    builder.build()
    begun = running.game(runtime, game_id)
    events = [event for event, _prev in runtime.ledger.events(game_id, 0, 100)]
    created, head = logs.chains(path)[game_id]
    assert (created.kind, created.seq, created.hash) == (CREATED, 1, events[0].hash.hex())
    assert created.more == {"commitment": events[0].body["game"].value["chance"]["commitment"]}
    assert (head.kind, head.seq, head.hash) == (HEAD, begun.version, begun.head.hex())
    before = logs.entries(path)
    builder.build()
    assert logs.entries(path) == before
    moved = play(runtime, game_id, 2)
    builder.build()
    last = play(runtime, game_id, 10_000)
    builder.build()
    assert [(one.kind, one.seq) for one in logs.chains(path)[game_id]] == [
        (CREATED, 1), (HEAD, begun.version), (HEAD, moved), (ENDED, last),
    ]  # fmt: skip
    assert len(logs.chains(path)[still]) == 2
    log, time = builder.folder.signer.verifiers
    opened = open_checkpoint((path / "public/checkpoint").read_bytes(), [log], [time])
    assert abs(opened.seen[time] * 1000 - store.clock.now_ms()) < 60_000
    assert opened.checkpoint.origin == log.name
    builder.close()


def test_a_log_says_when_it_began_and_what_it_lacks(
    runtime: Runtime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = runtime.ledger.store
    builder, before = Builder.open(store, path), store.clock.now_ms()
    builder.build()
    (begun,) = logs.statements(path)
    assert (begun.kind, before <= to_ms(begun.at) <= store.clock.now_ms()) == (BEGUN, True)
    first, second = (running.open_game(runtime, "sealed", ME, ME) for _ in range(2))
    opened, now = store.clock.now_ms(), store.clock.now_ms() + 600_000
    with monkeypatch.context() as patched:  # nothing was built for ten minutes
        patched.setattr(store.clock, "now_ms", lambda: now)
        patched.setattr(publishing, "AT_ONCE", 1)
        builder.follower.catch_up()
        assert len(logs.chains(path)) == 1
        _begun, behind = logs.statements(path)
        assert behind.kind == BEHIND
        assert to_ms(behind.at) <= opened
        log, time = builder.folder.signer.verifiers
        raw = (path / "public/checkpoint").read_bytes()
        signed = open_checkpoint(raw, [log], [time]).seen[time]
        assert behind.until is not None
        assert signed == to_ms(behind.until) // 1000
        builder.build()
    assert logs.chains(path).keys() == {first, second}
    said = logs.statements(path)
    play(runtime, first, 1)
    builder.build()
    assert logs.statements(path) == said
    builder.close()


def test_a_private_game_has_a_pseudonym_and_a_leaf_an_hour(
    runtime: Runtime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = runtime.ledger.store
    game_id = running.open_game(runtime, "sealed", ME, ME, terms=PRIVATE)
    builder = Builder.open(store, path)
    builder.build()
    ((name, chain),) = logs.chains(path).items()
    assert name.startswith("~")
    assert [(one.kind, one.seq) for one in chain] == [(CREATED, 1)]
    play(runtime, game_id, 1)
    builder.build()
    play(runtime, game_id, 1)
    builder.build()
    assert len(logs.leaves(path)) == 1
    due: Any = store.redis.zrange(DUE, 0, -1, withscores=True)
    ((waits, at),) = due
    now = store.clock.now_ms()
    assert waits.decode() == game_id
    assert now < at <= now + HOUR_MS + 2_000
    first, _prev = runtime.ledger.events(game_id, 1, 2)[0]
    assert at == next_due(name, to_ms(first.at))
    builder.die()
    with monkeypatch.context() as patched:  # an hour later
        patched.setattr(heads, "next_due", lambda _name, at: at)
        store.redis.zadd(DUE, {game_id: now})
        builder = Builder.open(store, path)
        builder.build()
    moved = running.game(runtime, game_id)
    (head,) = logs.chains(path)[name][1:]
    assert (head.kind, head.seq, head.hash) == (HEAD, 2, moved.head.hex())
    assert not store.redis.exists(DUE)
    play(runtime, game_id, 10_000)
    builder.build()
    assert [(one.kind, one.seq) for one in logs.chains(path)[name]][2:] == [(ENDED, 3)]
    assert game_id.encode() not in b"".join(logs.entries(path))
    builder.close()


def test_where_a_private_game_stands_does_not_follow_from_its_id(
    runtime: Runtime, redis_client: Redis, path: Path
) -> None:
    """Who sees the log would otherwise learn how its id begins."""
    store, then = runtime.ledger.store, Moment(redis_client)
    for number in range(12):
        terms = PRIVATE if number % 2 else TableTerms()
        running.open_game(runtime, "sealed", ME, ME, terms=terms)
    logs.build(store, path)
    found = [leaf.id for leaf in logs.leaves(path)]
    assert found == sorted(found)
    then.come_back()
    adopt(redis_client, keeps_log=True)
    logs.build(store, path)
    lost = [leaf.id for leaf in logs.leaves(path)[len(found) :]]
    assert lost == sorted(set(found))


def test_a_full_tile_replaces_partial_ones(runtime: Runtime, path: Path) -> None:
    store, builder = runtime.ledger.store, Builder.open(runtime.ledger.store, path)
    size = 0
    while size < 260:
        for _ in range(40):
            running.open_game(runtime, "sealed", ME, ME)
        builder.build()
        size = len(logs.entries(path))
    builder.die()
    assert (path / "public/tile/0/000").stat().st_size == 256 * 32
    assert not (path / "public/tile/0/000.p").exists()
    assert not (path / "public/tile/entries/000.p").exists()
    assert (path / f"public/tile/0/001.p/{size - 256}").exists()
    assert (path / "public/tile/1/000.p/1").exists()
    adopt(store.redis, keeps_log=True)
    logs.build(store, path)  # reads all that it has signed, partial tiles or not
    assert len(logs.entries(path)) == size + 1
    assert logs.statements(path)[-1].kind == RESTARTED  # to adopt is to say that something is lost


def test_one_process_builds_in_a_folder(runtime: Runtime, path: Path) -> None:
    first = LogFolder(path, "log.example/games")
    with pytest.raises(FolderBusyError):
        LogFolder(path)
    first.close()
    with pytest.raises(UnfitError, match=r"log\.example/games, not other"):
        LogFolder(path, "other")
    again = LogFolder(path, "log.example/games")
    assert again.signer.origin == "log.example/games"
    again.close()


def test_two_builders_sign_one_successor(
    runtime: Runtime, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host stands still when it has just signed; another one has a copy of its folder."""
    store = runtime.ledger.store
    game_id = running.open_game(runtime, "sealed", ME, ME)
    first = Builder.open(store, path)
    first.build()
    copied = tmp_path / "copy"
    shutil.copytree(path, copied)
    play(runtime, game_id, 1)
    second = Builder.open(store, copied)
    signed: list[bytes] = []
    move = Marker.move

    def stand_still(marker: Marker, lead: Lead, known: Mark | None, new: Mark) -> None:
        if not signed:
            signed.append(new.note)
            store.redis.hset(lease_of(NAME), "until", 0)
            play(runtime, game_id, 1)
            second.build()
        move(marker, lead, known, new)

    with monkeypatch.context() as patched:
        patched.setattr(Marker, "move", stand_still)
        with pytest.raises(LostLeadError):
            first.build()
    newest: Any = store.redis.hget(MARKER, "note")
    assert newest != signed[0]
    assert logs.parse(newest).size == logs.parse(signed[0]).size
    assert (copied / "public/checkpoint").read_bytes() == newest
    assert logs.checkpoint(path).size < logs.checkpoint(copied).size
    second.die()
    with pytest.raises(UnfitError, match="bring the newer folder back"):
        first.build()  # it leads again, with its older folder
    assert store.redis.hget(MARKER, "note") == newest
    first.close()


def test_the_marker_moves_for_the_leader_and_from_the_newest_tree_alone(runtime: Runtime) -> None:
    redis = runtime.redis
    lease, marker = Lease(redis, NAME), Marker(redis)
    lead = lease.take()
    assert lead is not None
    trees = [Mark(size, bytes([size]) * 32, b"%d" % size) for size in range(3)]
    marker.move(lead, None, trees[0])
    marker.move(lead, trees[0], trees[1])
    marker.move(lead, trees[0], trees[1])  # its answer was lost
    for known in (None, trees[0], trees[2]):
        with pytest.raises(MarkerMovedError):
            marker.move(lead, known, trees[1]._replace(note=b"another"))
    for late in (lead._replace(token=lead.token - 1), lead._replace(token=lead.token + 1)):
        with pytest.raises(LostLeadError):
            marker.move(late, trees[1], trees[2])
    redis.hset(lease_of(NAME), "until", 1)  # stood still for so long, and nobody leads yet
    with pytest.raises(LostLeadError):
        marker.move(lead, trees[1], trees[2])
    assert marker.read().mark == trees[1]


def test_a_store_that_went_back_is_confessed(
    runtime: Runtime, redis_client: Redis, path: Path
) -> None:
    store = runtime.ledger.store
    kept, moved, ended = (running.open_game(runtime, "sealed", ME, ME) for _ in range(3))
    private = running.open_game(runtime, "sealed", ME, ME, terms=PRIVATE)
    logs.build(store, path)
    (name,) = (id_ for id_ in logs.chains(path) if id_.startswith("~"))
    play(runtime, moved, 1)
    logs.build(store, path)
    then, version = Moment(redis_client), running.game(runtime, moved).version
    play(runtime, moved, 3)
    logs.build(store, path)
    lost = logs.chains(path)[moved][-1]
    play(runtime, moved, 1)
    play(runtime, ended, 10_000)
    play(runtime, private, 10_000)
    new = running.open_game(runtime, "sealed", ME, ME)
    logs.build(store, path)
    before = logs.leaves(path)
    last = {leaf.id: leaf for leaf in before}
    then.come_back()
    logs.build(store, path)
    confessed = {leaf.id: leaf for leaf in logs.leaves(path)[len(before) :]}
    assert {leaf.kind for leaf in confessed.values()} == {REWOUND}
    assert confessed.keys() == {moved, ended, new, name}
    for id_, leaf in confessed.items():
        assert (leaf.seq, leaf.hash) == (last[id_].seq, last[id_].hash)
    assert confessed[moved].more["to"] == version < lost.seq
    assert confessed[new].more == {"to": 0, "at": confessed[moved].more["at"]}
    assert len(logs.chains(path)[kept]) == 2
    other = running.runtime_on(runtime.settings.redis_url or "")
    play(other, moved, 2)  # others than those that were lost
    play(other, private, 10_000)
    logs.build(store, path)
    assert logs.chains(path)[moved][-1].hash == running.game(other, moved).head.hex()
    assert logs.chains(path)[name][-1].kind == ENDED


def test_an_emptied_store_is_not_taken_for_a_new_one(
    runtime: Runtime,
    redis_client: Redis,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = runtime.ledger.store
    lost = running.open_game(runtime, "sealed", ME, ME)
    logs.build(store, path)
    signed = (path / "public/checkpoint").read_bytes()
    redis_client.flushall()
    builder = Builder.open(store, path)
    with pytest.raises(UnfitError, match="knows nothing of it"):
        builder.follower.catch_up()
    assert (path / "public/checkpoint").read_bytes() == signed
    monkeypatch.setattr(marker, "_TAKE_SECONDS", 0)
    with pytest.raises(BeingBuiltError):
        adopt(redis_client, keeps_log=True)
    builder.follower._give_back()  # as it does in a process of its own
    adopt(redis_client, keeps_log=True)
    builder.build()
    builder.die()
    assert [leaf.kind for leaf in logs.leaves(path)] == [CREATED, HEAD, REWOUND]
    assert logs.chains(path) == {lost: []}
    with pytest.raises(UnfitError, match="has nothing of it"):
        logs.build(store, tmp_path / "other")


def test_a_stream_that_was_edited_is_not_confessed(runtime: Runtime, path: Path) -> None:
    store = runtime.ledger.store
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 1)
    logs.build(store, path)
    events = game_key(game_id, "events")
    newest: Any = store.redis.xrevrange(events, count=1)
    store.redis.xdel(events, newest[0][0])
    store.redis.xadd(f"lonja:{{s{game_id[1:3]}}}:tail", {"g": game_id, "v": 3, "h": b"", "n": b""})
    before = logs.leaves(path)
    logs.build(store, path)
    assert logs.leaves(path) == before
    assert store.redis.smembers(DIVERGED) == {game_id.encode()}


def test_a_log_begins_with_the_games_that_there_are(
    runtime: Runtime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with those that the feeds do not tell any more, and in several checkpoints."""
    monkeypatch.setattr(publishing, "AT_ONCE", 2)
    store = runtime.ledger.store
    ids = {running.open_game(runtime, "sealed", ME, ME) for _ in range(5)}
    for key in store.redis.scan_iter("*:tail"):
        store.redis.delete(key)
    logs.build(store, path)
    assert logs.chains(path).keys() == ids
    assert Marker(store.redis).read().scanned


def test_what_takes_longer_than_the_lease_is_done(
    runtime: Runtime, redis_client: Redis, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large store is scanned, or compared with the log, while the lead is renewed."""
    store = runtime.ledger.store
    ids = {running.open_game(runtime, "sealed", ME, ME) for _ in range(8)}
    for feed in TAILS:
        redis_client.delete(feed)
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(publishing, "PAGE", 1)
    monkeypatch.setattr(presence, "PAGE", 1)
    ask = Commands.ask

    def slowly(commands: Commands, *all_: Any) -> list[Any]:
        if any(word[0] == "XRANGE" for word in all_):
            time.sleep(0.12)
        return ask(commands, *all_)

    monkeypatch.setattr(Commands, "ask", slowly)
    for adopted in (False, True):
        if adopted:
            adopt(redis_client, keeps_log=True)
        builder = Builder.open(store, path, lease_ms=800)
        builder.build()
        builder.die()
    assert logs.chains(path).keys() == ids
    assert len(logs.leaves(path)) == 2 * len(ids)


def test_what_was_compared_is_not_compared_again(
    runtime: Runtime, redis_client: Redis, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = runtime.ledger.store
    for _ in range(4):
        running.open_game(runtime, "sealed", ME, ME)
    logs.build(store, path)
    adopt(redis_client, keeps_log=True)
    monkeypatch.setattr(presence, "PAGE", 1)
    read, asked = StoredHeads._read, []

    def fail_once(stored: StoredHeads, page: list[Head]) -> None:
        asked.append(page)
        if len(asked) == 3:
            raise RedisError("gone")
        read(stored, page)

    monkeypatch.setattr(StoredHeads, "_read", fail_once)
    builder = Builder.open(store, path)
    with pytest.raises(RedisError):
        builder.build()
    builder.build()
    assert len(asked) == 5
    builder.close()


def test_a_scan_goes_on_where_an_error_ended_it(
    runtime: Runtime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same if more streams have moved than are remembered."""
    monkeypatch.setattr(streams, "_COUNT", 1)
    monkeypatch.setattr(publishing, "MOST_MOVED", 2)
    scan, calls = StreamScan.page, []

    def fail_sometimes(one: StreamScan) -> list[str]:
        calls.append(one)
        if len(calls) == 7:
            raise RedisError("gone")
        return scan(one)

    monkeypatch.setattr(StreamScan, "page", fail_sometimes)
    ids = {running.open_game(runtime, "sealed", ME, ME) for _ in range(4)}
    builder = Builder.open(runtime.ledger.store, path)
    with pytest.raises(RedisError):
        builder.build()
    builder.build()
    assert logs.chains(path).keys() == ids
    assert len({*map(id, calls)}) == 1
    builder.close()


def test_who_has_lost_the_lead_notes_nothing(runtime: Runtime) -> None:
    redis, game_id = runtime.redis, f"g07-{'a' * 20}"
    lease, cursors = Lease(redis, NAME), FeedCursors(redis, NAME)
    lost = lease.take()
    assert lost is not None
    tree = Mark(1, b"r" * 32, b"note")
    Marker(redis).move(lost, None, tree)
    LogIndex(redis).note(lambda: lost, [(game_id, Entry(5, b"h" * 8, 2))])
    redis.hset(lease_of(NAME), "until", 0)
    lead = Lease(redis, NAME).take()
    assert lead is not None
    cursors.claim(lead)
    with pytest.raises(LostLeadError):
        LogIndex(redis).note(lambda: lost, [(game_id, Entry(4, b"h" * 8, 1))])
    with pytest.raises(LostLeadError):
        Marker(redis).note(lost, tree, 1)
    with pytest.raises(MarkerMovedError):
        Marker(redis).note(lead, tree._replace(size=2), 1)
    raw: Any = redis.hget(logged_key(game_id), game_id)
    assert Entry.load(raw) == (5, b"h" * 8, 2)
    assert Marker(redis).read() == (tree, None, False)
    Marker(redis).note(lead, tree, 1, scanned=True)
    assert Marker(redis).read() == (tree, 1, True)


@pytest.mark.parametrize("kind", ["entries", "0"])
def test_nothing_is_signed_if_a_file_of_the_log_is_missing(
    runtime: Runtime, path: Path, kind: str
) -> None:
    store = runtime.ledger.store
    game_id = running.open_game(runtime, "sealed", ME, ME)
    builder = Builder.open(store, path)
    builder.build()
    signed: Any = store.redis.hget(MARKER, "note")
    kept = path / f"public/tile/{kind}/000.p/3"
    raw = kept.read_bytes()
    play(runtime, game_id, 1)
    for damaged in (b"", raw[:-1]):
        kept.write_bytes(damaged)
        with pytest.raises(UnfitError, match=rf"tile/{kind}/000\.p/3 .*|.* bundle of 3 entries"):
            builder.build()
        assert store.redis.hget(MARKER, "note") == signed
    kept.write_bytes(raw)
    builder.build()
    assert len(logs.leaves(path)) == 3
    builder.close()


def test_nothing_is_signed_before_it_is_on_disk(runtime: Runtime, path: Path) -> None:
    redis = runtime.redis
    builder = Builder.open(runtime.ledger.store, path)
    builder.build()
    running.open_game(runtime, "sealed", ME, ME)
    redis.config_set("appendfsync", "everysec")
    redis.execute_command("ACL", "SETUSER", "default", "-waitaof")
    try:
        with pytest.raises(AssertionError):
            builder.build()
    finally:
        redis.execute_command("ACL", "SETUSER", "default", "+@all")
        redis.config_set("appendfsync", "always")
        redis.config_resetstat()  # a server older than 7.2 has not this command
    assert "the store does not say what its disk holds" in builder.log._complaint
    assert logs.checkpoint(path).size == 1
    (answer,) = Commands(redis).ask(("NOSUCHCOMMAND",))
    assert str(answer).startswith(publisher._UNKNOWN)  # as a server older than 7.2 answers
    builder.log._retry_at = 0
    builder.build()
    assert logs.checkpoint(path).size == 3
    builder.close()


def test_a_game_in_a_pack_takes_no_memory_for_the_log(runtime: Runtime, path: Path) -> None:
    store, redis = runtime.ledger.store, runtime.redis
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 10_000)
    logs.build(store, path)
    assert redis.hexists(logged_key(game_id), game_id)
    game = running.game(runtime, game_id)
    head = game.head[:HEAD_BYTES]
    place = PackedStream(game_id, game.version, game.head, PackPlace(0, 0, 1, head))
    PackPlaces(redis).note([place])
    redis.delete(game_key(game_id, "events"))
    adopt(redis, keeps_log=True)
    logs.build(store, path)
    assert len(logs.leaves(path)) == 2
    assert not redis.exists(logged_key(game_id))


def test_what_a_kill_leaves_in_the_folder_is_removed(runtime: Runtime, path: Path) -> None:
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)
    public = path / "public"
    (public / ".checkpoint.x1y2").write_bytes(b"half")
    (public / "tile/0/001.p").mkdir()
    (public / "tile/1/x001").mkdir(parents=True)
    (public / "tile/1/x001/000").write_bytes(b"whole")
    (public / "tile/1/x001/000.p").mkdir()
    (public / "tile/1/x001/000.p/7").write_bytes(b"part")
    LogFolder(path).close()
    left = {str(one.relative_to(public)) for one in public.rglob("*") if one.is_file()}
    tiles = {"tile/0/000.p/3", "tile/entries/000.p/3", "tile/1/x001/000"}
    assert left == {"checkpoint", "public_keys", *tiles}
    assert not (public / "tile/0/001.p").exists()


def test_a_log_that_grew_in_large_steps_is_whole(runtime: Runtime, path: Path) -> None:
    """Tiles that it never published are not missing."""
    folder = LogFolder(path)
    commitment = {"commitment": "c" * 64}
    for old, new in ((0, 600), (600, 601)):
        ids = (base64.b32encode(bytes([n % 256, n // 256, *range(11)])) for n in range(old, new))
        leaves = [
            Leaf(CREATED, f"g00-{id_.decode().lower()[:20]}", 1, "a" * 64, commitment)
            for id_ in ids
        ]
        root = tree.write(folder, old, leaves, {})
        folder.publish(tiles_of(old, new), folder.signer.signed(new, root, 0))
    found = checking.check(folder, runtime.ledger.store)
    assert (found.tree.size, found.ids, len(found.failures)) == (601, 601, 601)
    assert "does not follow" not in "".join(found.failures)
    (path / "public/tile/entries/002.p/88").unlink()
    assert checking.check(folder, runtime.ledger.store).tree.size == 601
    (path / "public/tile/1/000.p/2").write_bytes(bytes(64))
    with pytest.raises(UnfitError):
        checking.check(folder, runtime.ledger.store)
    folder.close()
