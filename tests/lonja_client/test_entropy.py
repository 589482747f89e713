"""The client stores entropy on disk before it commits to it, or does not commit."""

import os
from pathlib import Path
from typing import Any

import pytest
from lonja_client.entropy import KEPT_SECONDS, Entropies

from rules.kernel.record.secrets import entropy_commitment


def entropies(folder: Path) -> Entropies:
    return Entropies(folder / "entropy", pytest.fail)


def test_it_is_on_the_disk_when_it_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    sync = os.fsync

    def note(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").readlink())
        sync(file)

    monkeypatch.setattr(os, "fsync", note)
    mine = entropies(tmp_path)
    commitment = mine.bring("g00-x", 1)["entropy_commitment"]
    file = tmp_path / "entropy" / commitment
    assert [path.name for path in synced] == [f"{commitment}.part", "entropy"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert mine.bring("g00-x", 1) == {"entropy_commitment": commitment}, "as often as asked"
    others = [mine.bring(game, seat) for game, seat in (("g00-x", None), ("g00-y", 1))]
    opening = [mine.bring(None, 1) for _ in range(2)]
    assert len({one["entropy_commitment"] for one in (*others, *opening)}) == 4

    seat = {"seat": 1, "entropy": {"commitment": commitment, "revealed": None}}
    game: Any = {"status": "closed", "seats": [seat]}
    (due,) = mine.due(game)
    assert entropy_commitment("g00-x", 1, bytes.fromhex(due.entropy)).hex() == commitment
    assert mine.due(game | {"status": "lobby"}) == []
    long_ago = file.stat().st_mtime - KEPT_SECONDS - 1
    os.utime(file, (long_ago, long_ago))
    assert mine.due(game) == []
    assert not file.exists()


def test_what_cannot_be_kept_is_not_promised(tmp_path: Path) -> None:
    (tmp_path / "entropy").write_text("in the way")
    told: list[str] = []
    assert Entropies(tmp_path / "entropy", told.append).bring(None, 0) == {}
    assert "entropy: " in told[0]
