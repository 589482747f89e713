"""An independent service follows the standard, and Lonja's clients can play on it."""

import ast
import random
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lonja_client import SPECTATOR, Client, IllegalMove, NotFound, StaleVersion

from laws.standard import misfits
from service.cli import main
from tests.standard.nim import DOCUMENTS
from tests.standard.serving import serving, somebody

NIM = Path(__file__).with_name("nim.py")
INCLUDE = ("effects", "words", "state", "legal_moves", "groups")


def test_it_is_small_and_not_ours() -> None:
    text = NIM.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    named = [node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in imported for alias in node.names} | {*named}
    assert {str(name).partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_all_that_it_answers_fits_the_schemas() -> None:
    with serving() as url, Client(url, "red") as red, Client(url, "black") as black:
        rules = red.get("/rulesets/nim")
        assert misfits("ruleset", rules) == misfits("view", rules["view"]) == []
        assert misfits("board", red.get("/rulesets/nim/board")) == []
        assert misfits("labels", red.get("/rulesets/nim/labels")) == []
        table, rng = red.table("nim"), random.Random(1)
        for mover in (red, black) * 6:
            assert misfits("game", table.game()) == []
            own = mover.table("nim")
            state = own.state()
            assert misfits("state", state) == []
            if state["status"] == "ended":
                break
            legal = own.legal_moves(group=True)
            assert misfits("legal_moves", legal) == []
            move, version = rng.choice(legal["moves"]), legal["version"]
            seat = state["decisions"][0]["seat"]
            with pytest.raises(IllegalMove) as refused:
                own.move({"type": "take", "amount": 13}, seat=seat, expected_version=version)
            assert misfits("problem", refused.value.problem) == []
            with pytest.raises(StaleVersion) as late:
                own.move(move, seat=seat, expected_version=version - 1)
            assert misfits("problem", late.value.problem) == []
            assert misfits("moved", own.move(move, seat=seat, expected_version=version)) == []
        assert table.game()["status"] == "ended"
        assert misfits("game", table.game()) == []
        past = red.get("/games/nim/events", include=",".join(INCLUDE))
        assert misfits("events", past) == []
        followed = [*table.follow(include=INCLUDE)]
        assert followed == past["events"], "it ends with the game"
        watched = [*Client(url).table("nim").follow(seat=SPECTATOR, include=INCLUDE)]
        assert [misfits("event", event) for event in watched] == [[]] * len(followed)
        with pytest.raises(NotFound) as missing:
            red.get("/players/me")
        assert misfits("problem", missing.value.problem) == []


def test_the_client_in_python_plays_a_whole_game(tmp_path: Path) -> None:
    """With a folder for receipts and entropy, which that service does not have."""
    with (
        serving() as url,
        somebody(url, "black") as others,
        Client(url, "red", folder=tmp_path) as client,
    ):
        table, took = client.table("nim"), 0
        for turn in table.turns():
            turn.play(turn.moves[0])
            took += turn.moves[0]["amount"]
        assert table.own_seats() == [0]
        assert len(table.receipts) == 0
        result = table.game()["result"]
    assert result is not None
    assert result["reason"] == "empty"
    assert took + sum(others) == 12


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LONJA_GAMES_DIR", str(tmp_path))


def played(url: str, *options: str) -> Result:
    """Play Red in plain lines, always with the first choice."""
    command = ["play", "--url", url, "--game", "nim", "--key", "red", "--plain", *options]
    return CliRunner().invoke(main, command, input="1\n" * 12)


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_terminal_plays_a_whole_game(language: str) -> None:
    """Its ruleset is not installed, so labels and drawing come from the service, in English."""
    with serving() as url, somebody(url, "black"):
        done = played(url, "--lang", language)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    assert "Sticks: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12" in done.stdout
    assert "Red takes 1" in done.stdout
    assert "Black takes 3" in done.stdout
    assert "No stick is left" in done.stdout
    assert "Nobody is asked" not in done.stdout


@pytest.mark.usefixtures("games")
def test_the_terminal_says_that_a_version_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOCUMENTS["ruleset"], "table_version", 2)
    with serving() as url:
        done = played(url)
    assert done.exit_code == 2
    assert "version 2" in done.stderr
    assert "version 1" in done.stderr
