"""``lonja new``: a package to start from, with labels and a schema derived from its code."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running import ROOT
from tests.service.cli.conftest import Lonja

NAME = "buey"


@pytest.fixture
def written(lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write a package, and change into its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])  # running the package adds its folder
    result = lonja("new", NAME)
    assert result.exit_code == 0, result.output
    monkeypatch.chdir(tmp_path / NAME)
    yield tmp_path / NAME
    sys.modules.pop(NAME, None)


def labels(folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((folder / NAME / "aids/labels.json").read_text())
    return found


def test_what_is_written_keeps_all_laws_and_passes_its_tests(lonja: Lonja, written: Path) -> None:
    result = lonja("check", NAME, "--seeds", 1)
    assert result.exit_code == 0, result.output
    assert pytest.main(["-q", "-p", "no:cacheprovider", f"test_{NAME}.py"]) == 0


def test_one_folder_too_high_one_is_told_where_to_go(
    lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without an `__init__.py` is imported as an empty package."""
    monkeypatch.chdir(tmp_path)
    assert lonja("new", "cabra").exit_code == 0
    sys.modules.pop("cabra", None)
    result = lonja("check", "cabra")
    assert result.exit_code == 2
    assert "cabra is a project with its package inside: `cd cabra` first." in result.output
    sys.modules.pop("cabra", None)


def test_it_is_the_game_of_the_guide(written: Path) -> None:
    guide = (ROOT / "docs" / "games.md").read_text().replace("Puja", "Buey").replace("puja", NAME)
    code = "\n\n".join(re.findall(r"^```python\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE))
    own = (written / NAME / "__init__.py").read_text()
    body = own[own.index("EDITION = ") :]
    left = [line for line in body.splitlines() if line not in code.splitlines()]
    assert left == []


def test_words_follow_from_the_code_and_stay_when_they_are_overwritten(
    lonja: Lonja, written: Path
) -> None:
    derived = labels(written)
    assert derived["en"]["help.bid"] == (
        "Bid coins for the prize, unseen by the others; only the winner pays."
    )
    assert derived["en"]["error.not_your_coins"] == "You do not have[ {amount}] coins"
    assert derived["es"]["seat.0"] == "Rojo"
    words = {**derived, "es": {**derived["es"], "help.bid": "Puja."}}
    del words["en"]["field.amount"]
    del words["es"]["where.prize"]
    words["en"]["effect.sunk"] = words["es"]["effect.sunk"] = "Sunk"
    (written / NAME / "aids/labels.json").write_text(json.dumps(words))
    assert lonja("new", NAME, "--fill").stdout == (
        "Added 2 to aids/labels.json.\n"
        "1 words of es are to be translated, and begin with TODO:\n"
        "Nothing needs these words: effect.sunk.\n"
    )
    assert labels(written)["es"]["where.prize"] == "TODO: Prize"
    check = lonja("check", NAME, "--law", "every_word_is_written")
    assert "in es, ['where.prize'] are to be written" in check.output
    assert labels(written)["es"]["help.bid"] == "Puja."
    assert labels(written)["en"]["field.amount"] == "How many coins"
    assert lonja("new", NAME, "--fill").stdout.startswith(f"{written / NAME} lacks no word.\n")


def test_it_is_played_on_a_low_screen_in_its_own_words(
    lonja: Lonja, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen shows no names of the code, and has room for everything before the move."""
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", NAME)
    monkeypatch.syspath_prepend(written)
    told = lonja("play", NAME, "--seats", 4, "--seed", 8, "--lang", "es", input="q\n").output
    before = told.partition("Tu jugada:")[0].splitlines()
    assert len(before) < 24, told
    assert "        Monedas  Puntos" in before
    assert any(line.startswith("Ronda: 1 · El premio: ") for line in before)
    assert labels(written)["en"]["where.own_bid"] == "Your bid"


def test_a_seat_is_a_seat_in_words_and_schema(lonja: Lonja, written: Path) -> None:
    """Whatever the name of a field is, if its kind, or its type in the state, is that of a seat."""
    game = written / NAME / "__init__.py"
    code = (
        game.read_text()
        .replace("seat=SEAT", "bidder=SEAT")
        .replace("log, seat=seat", "log, bidder=seat")
    )
    code = code.replace("    round: int = 1\n", "    round: int = 1\n    host: Seat = Seat(0)\n")
    code = code.replace('"round": state.round,', '"round": state.round, "host": state.host,')
    code = code.replace('("rounds", "round",', '("rounds", "round", "host",')
    game.write_text(code)
    aids = written / NAME / "aids"
    (aids / "view.json").unlink()
    (aids / "labels.json").write_text('{"en": {}, "es": {}}')
    assert "Added 10 to aids/view.json" in lonja("new", NAME, "--fill").stdout
    view = json.loads((aids / "view.json").read_text())
    assert view["properties"]["host"] == {"$ref": "#/$defs/seat"}
    assert labels(written)["en"]["effect.bid_placed"] == "{bidder:seat}: bid placed"
    assert labels(written)["es"]["seat.none"] == "Nadie"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Puja"], "'Puja' is no name for a package: small letters, digits and _ alone."),
        (["../x"], "'../x' is no name for a package"),
        (["there"], "there is there already; choose another name."),
        (["class"], "class is a keyword of Python; choose another name."),
        (["json"], "json is a module of Python's standard library; choose another name."),
        (["click"], "click is an installed package; choose another name."),
        (["macao"], "macao is an installed ruleset; choose another name."),
        (["missing", "--fill"], "There is no package missing in "),
    ],
)
def test_what_cannot_be_written_is_told(
    lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    result = lonja("new", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
