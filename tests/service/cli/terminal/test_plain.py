"""A game in plain lines, for pipes, logs and screen readers."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.cli import main

RULESETS = [ruleset.info.id for ruleset in Registry(PACKAGES)]


def play(folder: Path, typed: str, *args: str) -> Result:
    asked = ["play", "--seed", "1", *args]
    return CliRunner().invoke(main, asked, input=typed, env={"LONJA_GAMES_DIR": str(folder)})


def test_an_amount_is_an_amount(tmp_path: Path) -> None:
    told = play(tmp_path, "10\nq\n", "manila").output
    assert "Red: Bid 10 pesos" in told
    assert told.index("  #1  Pass: bid no more") < told.index("  #3  Bid: 2 … 54")
    assert "--resume manila-1" in told.splitlines()[-1]


def test_a_bare_number_is_an_amount_first_and_a_place_with_its_sign(tmp_path: Path) -> None:
    assert "Red: Bid 2 pesos" in play(tmp_path, "2\nq\n", "manila").output
    assert "Red: Pledge 1 share for 12 pesos" in play(tmp_path, "#2\nq\n", "manila").output
    assert "Red: Pass: bid no more" in play(tmp_path, "1\nq\n", "manila").output


def test_one_number_for_ever_comes_to_an_end(tmp_path: Path) -> None:
    """Whatever the number means at first, in the end it is a position in a list."""
    result = play(tmp_path, "1\n" * 2_000, "manila", "--bot", "random")
    assert result.exit_code == 0, result.output[-500:]


def test_what_one_answered_before_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.pig")
    told = play(tmp_path, "=\nroll\n=\n=\nq\n", "pig").output
    assert "You have not made a move here before" in told
    assert told.count("Red rolls") == 3


def test_a_step_is_taken_back_and_what_is_not_there_is_named(tmp_path: Path) -> None:
    told = play(tmp_path, "3\n<\n999\nnothing of this\n?1\nq\n", "manila").output
    assert told.count("  #1  Pass: bid no more") == 2
    assert "999 is neither in the list, #1 to #3, nor an amount that is asked for." in told
    assert "Nothing in the list has “nothing of this” in it." in told
    assert "Then Blue: bid for the office of harbour master" in told


@pytest.mark.parametrize(("seats", "language"), [(2, "en"), (4, "es")])
def test_a_game_that_draws_nothing_itself_fits_a_low_screen_before_the_first_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: int, language: str
) -> None:
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.pig")
    told = play(tmp_path, "q\n", "pig", "--seats", str(seats), "--lang", language).output
    before, asked, _after = told.partition({"en": "Your move:", "es": "Tu jugada:"}[language])
    assert asked
    assert len(before.splitlines()) < 24, told
    assert (
        before.count({"en": "roll again, or hold", "es": "tirar otra vez o plantarse"}[language])
        == 1
    )


@pytest.mark.parametrize(
    "ruleset",
    [
        *RULESETS[:2],
        *(pytest.param(n, marks=pytest.mark.campaign("terminal")) for n in RULESETS[2:]),
    ],
)
def test_a_whole_game_is_played_in_lines_of_eighty_columns(tmp_path: Path, ruleset: str) -> None:
    language = ("en", "es")[RULESETS.index(ruleset) % 2]
    typed = "1\na\n3\n2\n" * 2_000
    result = play(tmp_path, typed, ruleset, "--bot", "random", "--lang", language)
    assert result.exit_code == 0, result.exception
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    last = "".join(lines[-12:])
    assert "1. " in last
    assert "2. " in last
