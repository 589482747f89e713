"""The file of engines of strangers: found, or told in a sentence; and the digest of a folder."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.catalogue.bots import BOTS, ENGINE, HEAVY, engines_of, installed, playing
from service.catalogue.engines import (
    BadFolderError,
    EngineLimits,
    FolderWatch,
    folder_digest,
)
from service.games.analyses import judges
from service.settings import SettingsError, load
from tests.running import ROOT
from tests.sealed import RULESET as SEALED

LEAST = """
[[engine]]
name = "first"
version = "1"
command = ["python3", "first.py"]
folder = "first"
digest = "DIGEST"
""".replace("DIGEST", "ab" * 32)
MORE = """
[[engine]]
name = "second"
version = "2.1"
command = ["./second", "--quick"]
folder = "/srv/second"
digest = "DIGEST"
rulesets = ["sealed"]
queue = "heavy"
settings = { nodes = 500 }
limits = { memory_mb = 1024, threads = 4 }
""".replace("DIGEST", "cd" * 32)


Write = Callable[[str], dict[str, str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str) -> dict[str, str]:
        (tmp_path / "engines.toml").write_text(text)
        return {"LONJA_ENGINES": str(tmp_path / "engines.toml")}

    return write


def test_engines_are_offered_as_bots_are(write: Write, tmp_path: Path) -> None:
    found = load(write(LEAST + MORE))
    first, second = engines_of(found)
    assert (first.folder, first.rulesets, first.limits) == (
        tmp_path / "first",
        None,
        EngineLimits(),
    )
    assert (second.folder, second.limits) == (Path("/srv/second"), EngineLimits(1024, 4))
    offers = installed(found)
    assert offers.keys() == {*BOTS, "first", "second"}
    assert (offers["second"].kind, offers["second"].queue) == (ENGINE, HEAVY)
    assert offers["second"].holder(SEALED) == {
        "bot": "second", "version": "2.1", "settings": {"nodes": 500},
    }  # fmt: skip
    names = [offer.name for offer in playing(offers, "ragusa")]
    assert names == [*BOTS, "first"]
    assert "second" not in judges(offers), "an engine judges no games"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[engine]", "cannot be read"),
        ("[[engine]]\nname = 'a b'", "engine.0.name: String does not match"),
        ("[[engine]]\nname = 'a'", "engine.0.command: Missing data"),
        (LEAST + "uid = 3", "engine.0.uid: Unknown field"),
        (LEAST + "limits = { memory_mb = 1 }", "engine.0.limits.memory_mb: Must be greater"),
        (LEAST + "queue = 'fast'", "the queue of first is 'fast', not live or heavy"),
        (LEAST.replace("ab" * 32, "abc"), "engine.0.digest: It is no digest"),
        (LEAST + LEAST, "has two engines 'first'"),
        (LEAST.replace('"first"', '"greedy"', 1), "there is a bot of that name already"),
    ],
)
def test_what_is_no_engine_is_told(write: Write, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match="LONJA_ENGINES") as refused:
        installed(load(write(text)))
    assert told in str(refused.value)


def test_the_file_must_be_there() -> None:
    with pytest.raises(SettingsError, match="LONJA_ENGINES is '/no/such/file'"):
        load({"LONJA_ENGINES": "/no/such/file"})


def test_the_file_that_is_shown_has_the_digest_of_the_engine_that_is_shown(
    write: Write, tmp_path: Path
) -> None:
    page = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (file,) = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "first.py").write_text(program)
    (engine,) = engines_of(load(write(file)))
    alone = tmp_path / "first"
    alone.mkdir()
    (tmp_path / "first.py").rename(alone / "first.py")
    assert folder_digest(alone) == engine.digest


# folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "engine"
    (found / "data").mkdir(parents=True)
    (found / "run").write_text("#!/bin/sh\n")
    (found / "data" / "weights").write_bytes(b"\0\1")
    (found / "link").symlink_to("data/weights")
    return found


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda folder: (folder / "data" / "weights").write_bytes(b"\0\2"),
    "name": lambda folder: (folder / "run").rename(folder / "runs"),
    "may be executed": lambda folder: (folder / "run").chmod(0o755),
    "more": lambda folder: (folder / "data" / "more").write_text(""),
    "less": lambda folder: (folder / "link").unlink(),
    "another link": lambda folder: relink(folder / "link", "run"),
    "a link to a folder": lambda folder: relink(folder / "link", "data"),
}


def relink(link: Path, target: str) -> None:
    link.unlink()
    link.symlink_to(target)


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_of_a_folder_changes_its_digest(change: str, folder: Path) -> None:
    watch = FolderWatch(folder)
    before = folder_digest(folder)
    assert watch.digest() == before == watch.digest()
    CHANGES[change](folder)
    assert watch.digest() == folder_digest(folder) != before


def test_a_folder_is_read_again_only_after_a_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = FolderWatch(folder)
    before = watch.digest()
    monkeypatch.setattr("service.catalogue.engines.folder_digest", lambda _folder: "read")
    assert watch.digest() == before
    os.utime(folder / "run")
    assert watch.digest() == "read"


def test_what_has_no_digest_is_told(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadFolderError, match="pipe is neither a file nor a link nor a folder"):
        folder_digest(folder)
    with pytest.raises(BadFolderError, match="cannot be read"):
        folder_digest(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadFolderError, match="is empty"):
        FolderWatch(tmp_path / "empty").digest()
