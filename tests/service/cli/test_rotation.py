"""A log gets new keys: whoever has the old ones goes on verifying, after any kill, too."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis

from service.publishing import tree
from service.publishing.errors import UnfitError
from service.publishing.folder import LogFiles, LogFolder
from service.publishing.rotation import rotate
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tlog.checkpoints import Checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, cosign
from service.tlog.notes import Note
from service.tlog.private_keys import SigningKey
from service.tlog.rotations import Rotation, extensions, followed
from tests import running
from tests.running import ME
from tests.service.auditing.made import KEYS, MadeLog
from tests.service.cli.conftest import Lonja
from tests.service.publishing import logs

AT = 1_790_000_000


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    return running.runtime_on(redis_server.url)


def reader(path: Path) -> Callable[[str, int], bytes | None]:
    def read(name: str, _most: int) -> bytes | None:
        file = path / "public" / name
        return file.read_bytes() if file.is_file() else None

    return read


def words(keys: tuple[VerifierKey, ...]) -> list[str]:
    return [word for key in keys for word in ("--log-key", str(key))]


def test_old_keys_go_on_verifying(
    lonja: Lonja,
    runtime: Runtime,
    redis_server: RedisServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, store = tmp_path / "log", runtime.ledger.store
    monkeypatch.setenv("LONJA_PUBLIC_LOG", str(path))
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(store, path)
    old = LogFiles(path).keys().verifiers
    audit = ["audit", path, *words(old), "--state", tmp_path / "memory", "--json"]
    assert orjson.loads(lonja(*audit).stdout)["verdict"] == "clean"

    busy = LogFolder(path)
    refused = lonja("log", "rotate")
    assert (refused.exit_code, "A process builds" in refused.stderr) == (2, True)
    busy.close()
    told = orjson.loads(lonja("log", "rotate", "--json").stdout)
    new = LogFiles(path).keys().verifiers
    assert [told["log"], told["time"]] == [str(key) for key in new]
    assert told["former"] == [str(key) for key in old]
    assert {*old}.isdisjoint(new)
    # The newest checkpoint is signed by both, the next one by the new keys alone.
    for keys in (old, new):
        assert logs.checkpoint(path, *keys).size == 3
    assert orjson.loads(lonja(*audit).stdout)["verdict"] == "clean"
    game_id = running.open_game(runtime, "sealed", ME, ME)
    receipt = runtime.signer.head(running.game(runtime, game_id))
    logs.build(store, path)
    with pytest.raises(TlogError):
        logs.checkpoint(path, *old)
    assert logs.checkpoint(path, *new).size == 5
    page = orjson.loads(lonja(*audit).stdout)
    assert (page["verdict"], page["log"]["new"]) == ("clean", 2)
    (tmp_path / "receipt.json").write_bytes(orjson.dumps(receipt))
    kept = lonja(
        "verify", "--receipt", tmp_path / "receipt.json", "--log", path, *words(old),
        "--public-key", runtime.signer.public_key.hex(),
    )  # fmt: skip
    assert kept.exit_code == 0, kept.output
    # Once more, and the first keys still lead to the third ones; other keys lead nowhere.
    assert lonja("log", "rotate").exit_code == 0
    third = LogFiles(path).keys().verifiers
    assert {*third} < {*followed(old, reader(path))}
    assert followed(old[:1], reader(path))[-1] == third[0]
    assert followed(KEYS.verifiers, reader(path)) == KEYS.verifiers
    assert lonja("log", "check").exit_code == 0


def test_a_rotation_that_was_killed_is_repeated(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, store = tmp_path / "log", runtime.ledger.store
    running.open_game(runtime, "sealed", ME, ME)
    logs.build(store, path)
    old = LogFiles(path).keys().verifiers
    for step in ("add_rotation", "publish", "take_next_keys"):
        with monkeypatch.context() as patched:
            patched.setattr(LogFolder, step, _killed)
            folder = LogFolder(path)
            with pytest.raises(KeyboardInterrupt):
                rotate(folder, AT)
            folder.close()
        # Meanwhile the log goes on with its old keys.
        running.open_game(runtime, "sealed", ME, ME)
        logs.build(store, path)
        assert logs.checkpoint(path, *old).size == len(logs.entries(path))
    folder = LogFolder(path)
    done = rotate(folder, AT)
    folder.close()
    assert (done.old, len(LogFiles(path).rotations())) == (old, 1)
    assert LogFiles(path).keys().verifiers == done.new
    assert tree.published(LogFiles(path)) is not None
    logs.build(store, path)
    (path / "pending").mkdir()
    folder = LogFolder(path)
    with pytest.raises(UnfitError, match="not published yet"):
        rotate(folder, AT)
    folder.close()


def _killed(*_arguments: Any) -> None:
    raise KeyboardInterrupt


def test_what_binds_no_keys(tmp_path: Path) -> None:
    """Each key that a rotation names has signed it; nobody else can bind a key to it."""
    other = KEYS.generate(KEYS.origin)
    log = MadeLog(tmp_path)
    root = log.sign().checkpoint.root

    def note(lines: tuple[str, ...], *signers: Any) -> bytes:
        text = Checkpoint(KEYS.origin, 0, root, lines).text
        return bytes(Note(text, tuple(s for one in signers for s in one.signatures(text, AT))))

    lines = extensions(KEYS.verifiers, other.verifiers)
    assert Rotation.parse(note(lines, KEYS, other)) == (KEYS.verifiers, other.verifiers)
    for wrong in (
        note(lines, KEYS), note(lines, other), note(lines[:2], KEYS), note(lines[2:], other),
        note((*lines, "more"), KEYS, other), b"none",
    ):  # fmt: skip
        with pytest.raises(TlogError):
            Rotation.parse(wrong)
        (tmp_path / "rotations").mkdir(exist_ok=True)
        (tmp_path / "rotations" / "1").write_bytes(wrong)
        with pytest.raises(TlogError):
            followed(KEYS.verifiers, log.read)


def test_a_log_binds_no_key_of_a_witness() -> None:
    """Witnesses sign whatever lines a log adds to its checkpoint."""
    witness, thief = (
        SigningKey.generate("ana.example/w", Algorithm.COSIGNATURE_V1) for _ in range(2)
    )
    lines = extensions([witness.verifier], [thief.verifier])
    text = Checkpoint(KEYS.origin, 1, bytes(32), lines).text
    seen = (cosign(text, key.name, key.private_key, AT) for key in (witness, thief))
    note = bytes(Note(text, (*KEYS.signatures(text, AT), *seen)))
    with pytest.raises(TlogError, match="none of the log"):
        Rotation.parse(note)
