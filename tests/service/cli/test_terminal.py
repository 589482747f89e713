"""What comes from strangers does not steer the terminal of whoever looks at it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.cli.tournament import words
from service.record import Record
from service.terminal import printable
from tests.service.cli import records
from tests.service.cli.conftest import Lonja
from tests.service.test_logs import HOSTILE, RAW


def test_printable_text_is_left_alone() -> None:
    for text in ("", "Ana", "Año 1—2 × rum", "日本\u00a0語"):
        assert printable(text) is text or text.count("\u00a0")
        assert printable(text) == text
    assert printable(HOSTILE).startswith("a\\x1b[31m\\x9b2J\\x7f\\r\\n2026")
    assert printable("a\nb\tc", kept="\n") == "a\nb\\tc"


def test_a_table_of_names() -> None:
    assert not RAW.search(words.aligned([[HOSTILE, "x"]]).replace("\n", ""))


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_of_somebody_else(
    lonja: Lonja, write: Callable[[Record, str], Path], tmp_path: Path, command: str
) -> None:
    name = "\x1b[31m\x9b\r.ndjson"
    whole = write(records.finished("sealed"), name)
    broken = tmp_path / f"broken{name}"
    text = whole.read_text(encoding="utf-8").replace("created", "\u202e\x9b", 1)
    broken.write_text(text, encoding="utf-8")
    for files in ([whole], [broken], [whole, broken], [tmp_path / f"nowhere{name}"]):
        if command == "replay" and len(files) > 1:
            continue
        told = lonja(command, *files)
        assert told.output
        assert not RAW.search(told.output), told.output
