"""``lonja engines``: which engines of strangers there are, and whether they can be run."""

from pathlib import Path

import orjson
import pytest

from service.catalogue.engines import BOT_FILE, BadFolderError, folder_digest, read_folder
from tests.service.cli.conftest import Lonja


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "first.py").write_text("")
    file = tmp_path / "engines.toml"
    file.write_text(
        '[[engine]]\nname = "first"\nversion = "1"\ncommand = ["python3", "first.py"]\n'
        f'folder = "first"\ndigest = "{"0" * 64}"\nrulesets = ["ragusa"]\n'
    )
    monkeypatch.setenv("LONJA_ENGINES", str(file))
    return file


def test_it_tells_what_is_wrong_with_an_engine(lonja: Lonja, file: Path) -> None:
    folder = file.parent / "first"
    digest = folder_digest(folder)
    assert lonja("engines", "--digest", str(folder)).output == f"{digest}\n"
    told = lonja("engines", "--json")
    assert told.exit_code == 1
    (engine,) = orjson.loads(told.output)["engines"]
    reason = f"the folder {folder} has the digest {digest}, not {'0' * 64}"
    assert (engine["name"], engine["trouble"]) == ("first", reason)
    assert reason in " ".join(lonja("engines").output.split())


def test_engines_are_bots_of_their_games(lonja: Lonja, file: Path) -> None:
    assert "first" in lonja("bots", "--ruleset", "ragusa").output
    assert "first" not in lonja("bots", "--ruleset", "macao").output
    refused = lonja("play", "macao", "--bot", "first", "--plain")
    assert "The bot 'first' does not play macao." in refused.stderr


def test_the_service_does_not_start_with_an_engine_that_cannot_be_run(
    lonja: Lonja, file: Path
) -> None:
    refused = lonja("serve", "--port", "1")
    assert refused.exit_code != 0
    assert "LONJA_ENGINES: first: the folder" in refused.stderr


def test_an_operator_may_trust_an_engine_without_a_sandbox(lonja: Lonja, file: Path) -> None:
    digest = folder_digest(file.parent / "first")
    file.write_text(f"{file.read_text().replace('0' * 64, digest)}sandbox = false\n")
    assert "none; it has no sandbox" in lonja("engines").output
    bots = orjson.loads(lonja("bots", "--json").output)["bots"]
    assert bots[-1]["kind"] == "program"
    (engine,) = orjson.loads(lonja("engines", "--json").output)["engines"]
    assert (engine["sandbox"], engine["trouble"]) == (False, None)


def test_a_folder_cannot_leave_the_sandbox_by_itself(tmp_path: Path) -> None:
    command = 'name = "first"\nversion = "1"\ncommand = ["true"]\n'
    (tmp_path / BOT_FILE).write_text(f"{command}sandbox = false\n")
    with pytest.raises(BadFolderError, match="sandbox: Unknown field"):
        read_folder(tmp_path)


def test_without_a_file_there_are_none(lonja: Lonja) -> None:
    assert lonja("engines").output == "LONJA_ENGINES names no engine.\n"
