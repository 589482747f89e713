"""A table that waits for a beacon is in the public log at once, before its round is out."""

import time
from pathlib import Path

import pytest
from redis import Redis

from service.publishing import collector, witnesses
from service.publishing import kept as keeping
from service.publishing.folder import LogFolder
from service.publishing.kept import KeptCheckpoints
from service.publishing.keys import LogKeys
from service.publishing.marker import DUE
from service.publishing.rotation import rotate
from service.records.game_file import Record
from service.records.inclusion import CLOSED, LogSource, proof_of
from service.records.leaves import CREATED, HEAD
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.checkpoints import open_checkpoint
from service.tlog.keys import Algorithm, cosign
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from service.tlog.reading import LogReader
from tests import running
from tests.running import ME, wait_for
from tests.service.publishing import logs
from tests.service.publishing.closed import NEVER, close, lobby, look, reveal, standing
from tests.service.publishing.logs import Builder
from tests.service.publishing.test_witnesses import House

VISIBILITIES = "public", "private"


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_it_has_a_checkpoint_of_its_own(runtime: Runtime, path: Path, visibility: str) -> None:
    known = lobby(runtime, visibility)
    with standing(runtime, path) as builder:
        before = logs.leaves(path)
        running.open_game(runtime, "sealed", ME, ME)  # this one waits for the minute
        look(builder)
        assert logs.leaves(path) == before
        close(runtime, known)
        head = running.game(runtime, known).head.hex()
        look(builder)
        (leaf,) = logs.leaves(path)[len(before) :]
        assert (leaf.kind, leaf.hash, leaf.id) == (HEAD, head, before[-1].id)
        assert builder.is_behind  # of the other game
        reveal(runtime, known)
        look(builder)
        assert len(logs.leaves(path)) == len(before) + 1
    logs.build(runtime.ledger.store, path)
    found = [one for one in logs.leaves(path) if one.id == leaf.id]
    assert len(found) == (2 if visibility == "private" else 4)
    assert (runtime.redis.zscore(DUE, known) is not None) == (visibility == "private")


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_the_log_may_not_know_it_yet(runtime: Runtime, path: Path, visibility: str) -> None:
    """The log has not its creation; and the seat may give entropy before the log looks."""
    with standing(runtime, path) as builder:
        before = len(logs.leaves(path))
        game_id = lobby(runtime, visibility)
        close(runtime, game_id)
        reveal(runtime, game_id)
        look(builder)
        created, head = logs.leaves(path)[before:]
        assert (created.kind, head.kind, head.id) == (CREATED, HEAD, created.id)
        assert head.hash == running.game(runtime, game_id).head.hex()
        assert (head.id == game_id) == (visibility == "public")


def test_a_builder_that_was_killed_makes_it_once(runtime: Runtime, path: Path) -> None:
    """The next process reads the feeds again, from before the leaf."""
    game_id = lobby(runtime, "private")
    with standing(runtime, path) as builder:
        running.open_game(runtime, "sealed", ME, ME)
        close(runtime, game_id)
        look(builder)
        size = len(logs.leaves(path))
        reveal(runtime, game_id)
    again = Builder.open(runtime.ledger.store, path, interval_ms=NEVER)
    look(again)
    assert len(logs.leaves(path)) == size
    again.die()


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_nothing_that_is_hidden_changes_its_leaves(
    runtime: Runtime, path: Path, visibility: str
) -> None:
    """Twins: other seeds; entropy is promised or not, and given before the log looks or not."""
    with standing(runtime, path) as builder:

        def new(before: int) -> list[str]:
            look(builder)
            return [leaf.kind for leaf in logs.leaves(path)[before:]]

        for gives in ("at once", "later", "never"):
            size = len(logs.leaves(path))
            game_id = lobby(runtime, visibility, gives=gives != "never")
            assert new(size) == []
            close(runtime, game_id)
            if gives == "at once":
                reveal(runtime, game_id)
            assert new(size) == [CREATED, HEAD]
            if gives == "later":
                reveal(runtime, game_id)
            assert new(size) == [CREATED, HEAD]


# The checkpoint is kept, with the co-signatures that it had


@pytest.fixture
def house(tmp_path: Path, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(witnesses, "WAIT_SECONDS", 60.0)
    monkeypatch.setattr(collector, "SECONDS", 60.0)
    return House(tmp_path, runtime)


def kept(path: Path) -> dict[int, Note]:
    """Return the checkpoints that are kept, by the number of the leaf."""
    folder = path / "public/closed"
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {
        int("".join(file.relative_to(folder).parts).replace("x", "")): Note.parse(file.read_bytes())
        for file in files
    }


def names(note: Note) -> set[str]:
    return {one.name for one in note.signatures if "/w" in one.name}


def test_its_checkpoint_is_kept_with_its_co_signatures(house: House, runtime: Runtime) -> None:
    one, two = (house.witnesses[name].name for name in ("one", "two"))
    with house.running("one"), standing(runtime, house.path, house.policy()) as builder:
        game_id = lobby(runtime)
        close(runtime, game_id)
        look(builder)
        ((index, note),) = kept(house.path).items()
        assert logs.leaves(house.path)[index - 1].hash == running.game(runtime, game_id).head.hex()
        assert bytes(note) == (house.path / "public/checkpoint").read_bytes()
        assert names(note) == {one}
    with house.running("one"), house.running("two"), house.building() as again:

        def is_refreshed() -> bool:
            again.build()
            return names(kept(house.path)[index]) == {one, two}

        wait_for(is_refreshed)
        house.game()
        again.build()
    after = kept(house.path)[index]
    assert {*note.signatures} < {*after.signatures}
    assert after.text == note.text != house.opened().note.text


def test_a_log_without_such_tables_keeps_none(runtime: Runtime, path: Path) -> None:
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(runtime.ledger.store, path)
    assert not kept(path)


def test_a_builder_that_was_killed_before_it_published_keeps_it(
    runtime: Runtime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs.build(runtime.ledger.store, path)
    close(runtime, lobby(runtime))
    builder = Builder.open(runtime.ledger.store, path)

    def die(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(LogFolder, "publish", die)
        with pytest.raises(KeyboardInterrupt):
            builder.build()
    builder.die()
    logs.build(runtime.ledger.store, path)
    ((index, note),) = kept(path).items()
    assert logs.parse(bytes(note)).size == index + 1


def test_a_later_co_signature_does_not_replace_an_earlier_one(tmp_path: Path) -> None:
    witness = SigningKey.generate("ana.example/w", Algorithm.COSIGNATURE_V1)
    log = LogKeys.generate("log.example/games")
    text = Note.parse(log.signed(3, bytes(32), 1)).text

    def seen(at: int) -> bytes:
        signed = cosign(text, witness.name, witness.private_key, at)
        return bytes(Note(text, (*log.signatures(text, at), signed)))

    public = tmp_path / "public"
    KeptCheckpoints(public).keep([1, 2], seen(10))
    KeptCheckpoints(public).keep([], seen(70))  # another process, and the same tree
    assert len(kept(tmp_path)) == 2
    for note in kept(tmp_path).values():
        assert note.verify([witness.verifier]) == {witness.verifier: 10}


@pytest.mark.parametrize("has_links", [True, False])
def test_all_tables_that_one_checkpoint_has_first_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    """However many are closed together, none of them loses its witnesses."""
    if not has_links:  # as on some network file systems
        monkeypatch.setattr(Path, "hardlink_to", _refused)
    one, two = (SigningKey.generate(f"{n}/w", Algorithm.COSIGNATURE_V1) for n in ("ana", "bea"))
    log, leaves = LogKeys.generate("log.example/games"), range(300, 1_500)
    note = Note.parse(log.signed(1_500, bytes(32), 1))

    def seen(*witnesses: tuple[SigningKey, int]) -> bytes:
        more = (cosign(note.text, key.name, key.private_key, at) for key, at in witnesses)
        return bytes(note._replace(signatures=(*note.signatures, *more)))

    public = tmp_path / "public"
    keeping_them = KeptCheckpoints(public)
    keeping_them.keep(leaves, seen((one, 10)))
    keeping_them.keep(leaves, seen((one, 20), (two, 30)))
    found = kept(tmp_path)
    assert [*sorted(found)] == [*leaves]
    (same,) = {*found.values()}
    assert same.verify([one.verifier, two.verifier]) == {one.verifier: 10, two.verifier: 30}
    files = {file.stat().st_ino for file in public.rglob("*") if file.is_file()}
    assert len(files) == (1 if has_links else len(leaves))


def _refused(*_arguments: object) -> None:
    raise PermissionError


def test_as_many_are_kept_as_there_is_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST", 3)
    log, public = LogKeys.generate(None), tmp_path / "public"
    found = KeptCheckpoints(public)
    found.keep([5, 6, 7], log.signed(8, bytes(32), 1))
    assert kept(tmp_path).keys() == {5, 6, 7}
    (public / "closed/.006.draft").write_bytes(b"")  # a process was killed here
    found = KeptCheckpoints(public)
    found.keep([998, 1_234], log.signed(2_000, bytes(32), 2))
    assert kept(tmp_path).keys() == {7, 998, 1_234}
    assert (public / "closed/x001/234").is_file()


def test_what_earlier_keys_signed_is_proved_to_whoever_has_them(
    house: House, runtime: Runtime
) -> None:
    """Who has only the keys of after a rotation gets the rest of the proof."""
    game_id = lobby(runtime)
    with house.running("one"), standing(runtime, house.path, house.policy()) as builder:
        close(runtime, game_id)
        look(builder)
    reveal(runtime, game_id)
    logs.build(runtime.ledger.store, house.path)
    folder = LogFolder(house.path)
    rotate(folder, int(time.time()))
    newer = folder.signer.verifiers
    folder.close()
    logs.build(runtime.ledger.store, house.path)
    public = house.path / "public"
    opened = open_checkpoint((public / "checkpoint").read_bytes(), newer[:1], newer[1:])

    def read(name: str, _most: int) -> bytes | None:
        return (public / name).read_bytes() if (public / name).is_file() else None

    copied = running.copies(runtime, game_id)
    record = Record({"game_id": game_id, "version": len(copied), "status": "closed"}, copied)
    for keys, has_it in ((newer, False), ((*house.keys, *newer), True)):
        log = LogSource(opened, LogReader(opened.checkpoint, read), read, keys)
        proof = proof_of(record, log, None)
        assert (CLOSED in proof) == has_it
