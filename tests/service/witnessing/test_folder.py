"""The folder of a witness: who may read it, and what must never begin anew."""

import shutil
from pathlib import Path

import orjson
import pytest

from service.tlog.keys import Algorithm
from service.tlog.private_keys import SigningKey
from tests.service.cli.conftest import Lonja


@pytest.fixture
def folder(lonja: Lonja, tmp_path: Path) -> Path:
    made = lonja("witness", "new", tmp_path / "w", "--name", "here.example/w1")
    assert made.exit_code == 0, made.output
    return tmp_path / "w"


def test_a_new_witness(lonja: Lonja, folder: Path) -> None:
    key = lonja("witness", "key", folder).output.strip()
    assert key.startswith("here.example/w1+")
    assert orjson.loads(lonja("witness", "key", folder, "--json").stdout) == {"key": key}
    assert [(folder / name).stat().st_mode & 0o777 for name in ("key", "state", "policy")] == [
        0o600, 0o600, 0o644,
    ]  # fmt: skip
    assert f"{key}\nIt knows no log: name some in" in lonja("witness", "status", folder).output
    secret = (folder / "key").read_text()
    assert secret.startswith("PRIVATE+KEY+here.example/w1+")
    assert secret.strip()[-20:] not in lonja("witness", "status", folder).output


def test_a_key_never_begins_anew(lonja: Lonja, folder: Path) -> None:
    again = lonja("witness", "new", folder, "--name", "here.example/w1")
    assert again.exit_code == 2
    assert "a key that has co-signed must never begin anew" in again.stderr
    (folder / "state").unlink()
    assert "must never begin anew" in lonja("witness", "new", folder, "--name", "w2").stderr
    lost = lonja("witness", "status", folder)
    assert lost.exit_code == 2
    assert "retire the key: make another witness by `lonja witness new`" in lost.stderr
    assert "is no name of a key" in lonja("witness", "new", folder / "2", "--name", "a b").stderr


def test_the_state_of_another_witness(lonja: Lonja, folder: Path, tmp_path: Path) -> None:
    lonja("witness", "new", tmp_path / "other", "--name", "other.example/w1")
    shutil.copy(tmp_path / "other/state", folder / "state")
    told = lonja("witness", "status", folder).stderr
    assert "is the state of another witness, other.example/w1+" in told
    (folder / "state").write_bytes(b"no database, and more than a few bytes of it" * 100)
    assert "Bring the newest one back" in lonja("witness", "status", folder).stderr


@pytest.mark.parametrize(
    ("name", "mode", "right"),
    [
        ("key", 0o640, "0600"),
        ("key", 0o604, "0600"),
        ("policy", 0o664, "0644"),
        ("state", 0o602, "0644"),
    ],
)
def test_files_that_are_open_to_others(
    lonja: Lonja, folder: Path, name: str, mode: int, right: str
) -> None:
    (folder / name).chmod(mode)
    told = lonja("witness", "status", folder)
    assert told.exit_code == 2
    assert f"{folder / name} is open to others (mode {mode:04o})" in told.stderr.replace("\n", " ")
    assert right in told.stderr


def test_keys_that_it_cannot_take(lonja: Lonja, folder: Path) -> None:
    own = lonja("witness", "key", folder).output.strip()
    (folder / "policy").write_text(f"witness me {own}\nquorum none\n")
    assert "names this witness's own key" in lonja("witness", "status", folder).stderr
    (folder / "policy").write_text("log here\n")
    assert "line 1: 'here' is no verifier key" in lonja("witness", "status", folder).stderr
    log = SigningKey.generate("here.example/w1", Algorithm.ED25519)
    (folder / "key").write_text(f"{log.dump()}\n")
    assert "is a key of a log, and not of a witness" in lonja("witness", "key", folder).stderr
    (folder / "key").write_text(log.dump()[:-4])
    told = lonja("witness", "key", folder).stderr
    assert "is no private key: restore it" in told
    (folder / "key").unlink()
    assert "`lonja witness new` makes" in lonja("witness", "key", folder).stderr
