"""The interface of both programs for scripts: exit codes, and `--json` in one shape."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from rules.kernel.canonical import JsonObject
from service.cli import main
from tests.sentences import note_codes
from tests.service.cli import records
from tests.service.verifier.programs import SCHEMA, codes, run, text_of

KEY = records.SIGNER.public_key.hex()
Program = Callable[..., tuple[int, list[JsonObject]]]


def lonja(*arguments: str) -> tuple[int, list[JsonObject]]:
    extra = {"LONJA_EXTRA_RULESETS": "tests.pig"}
    done = CliRunner(env=extra).invoke(main, ["verify", *arguments, "--json"])
    return done.exit_code, [orjson.loads(line) for line in done.stdout.splitlines()]


def node(*arguments: str) -> tuple[int, list[JsonObject]]:
    done = run(*arguments, "--json")
    assert done.stderr == ""
    told = [orjson.loads(line) for line in done.stdout.splitlines()]
    note_codes({code for one in told if "findings" in one for code in codes(one)})
    return done.returncode, told


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("records")
    whole = records.finished("pig")
    wrong = records.alone(whole)
    wrong.copies[3]["hash"] = "0" * 64
    text = text_of(whole)
    made = {
        "whole": text,
        "running": text_of(records.record_of(records.played("pig", moves=3))),
        "wrong": text_of(wrong),
        "cut": text[: text.rindex(b"\n", 0, -1) + 1],
        "other": b"MZ\x90\x00 no record\n",
        "empty": b"",
    }
    for name, content in made.items():
        (folder / name).write_bytes(content)
    return {name: str(folder / name) for name in (*made, "nothing")}


OUTCOMES = {
    "whole": ((0, "proved"), (3, "not_wholly_proved")),
    "running": ((3, "not_wholly_proved"), (3, "not_wholly_proved")),
    "wrong": ((1, "failed"), (1, "failed")),
    "cut": ((2, "unreadable"), (2, "unreadable")),
    "other": ((2, "unreadable"), (2, "unreadable")),
    "empty": ((2, "unreadable"), (2, "unreadable")),
    "nothing": ((2, "unreadable"), (2, "unreadable")),
}
"""For each file, the exit code and verdict of `lonja verify`, and those of `verify.mjs`."""


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_file_is_an_exit_code_and_a_line(files: dict[str, str], name: str) -> None:
    of_each = []
    for program, wanted in zip((lonja, node), OUTCOMES[name], strict=True):
        code, (told,) = program(files[name], "--public-key", KEY)
        SCHEMA.validate(told)
        assert (code, told["verdict"]) == wanted
        assert ("error" in told) == (told["verdict"] == "unreadable")
        of_each.append(told)
    ours, theirs = of_each
    for field in ("file", "id", "kind", "version", "status", "signed_by"):
        assert ours[field] == theirs[field] or ours["verdict"] == "unreadable", field


@pytest.mark.parametrize("program", [lonja, node])
def test_many_files_are_as_many_lines_and_the_worst_counts(
    files: dict[str, str], program: Program
) -> None:
    def told(*names: str) -> tuple[int, list[Any]]:
        code, lines = program(*(files[name] for name in names))
        assert [line["file"] for line in lines] == [files[name] for name in names]
        return code, [line["verdict"] for line in lines]

    whole = OUTCOMES["whole"][program is node][1]
    assert told("whole", "nothing", "wrong") == (1, [whole, "unreadable", "failed"])
    assert told("running", "empty", "whole") == (2, ["not_wholly_proved", "unreadable", whole])
    assert told("running", "whole") == (3, ["not_wholly_proved", whole])


def test_a_checkers_own_limit_is_nobodys_fault(tmp_path: Path) -> None:
    """A game that is too large for the program's memory is not failed."""
    lines = text_of(records.finished("pig")).splitlines(keepends=True)
    event = orjson.loads(lines[2])
    event["by"] = {"service": "x" * 4_000_000}
    large = orjson.dumps(event, option=orjson.OPT_SORT_KEYS) + b"\n"
    path = tmp_path / "large.ndjson"
    path.write_bytes(lines[0] + large * min(20, len(lines) - 1))
    code, (told,) = node(str(path))
    assert (code, told["verdict"]) == (2, "unreadable")
    assert [finding["code"] for finding in told["findings"]] == ["game_size"]
