"""Whole games in a terminal with the real program, and checks of its screen."""

import random
from pathlib import Path

import pytest

from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.cli import words
from service.cli.terminal.choosing import plain
from service.cli.terminal.saves import SUFFIX
from tests.service.cli.terminal.screens import (
    DOWN,
    EMPTY,
    ENTER,
    QUIET,
    SIZES,
    Record,
    Terminal,
    lonja,
    stands,
)
from tests.service.cli.terminal.sights import missing

REGISTRY = Registry(PACKAGES)
RULESETS = [ruleset.info.id for ruleset in REGISTRY]
ME = Seat(0)
KEYS = 100
"""Number of presses of Enter after which a move is certainly made, even if others move first."""


@pytest.mark.campaign("terminal")
def test_a_whole_game_is_played_on_a_low_and_narrow_screen(tmp_path: Path) -> None:
    play(tmp_path, "manila", "60x20", "en")


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_is_played_in_any_language_and_size(
    tmp_path: Path, ruleset: str, size: str, language: str
) -> None:
    play(tmp_path, ruleset, size, language)


def play(folder: Path, ruleset: str, size: str, language: str) -> None:
    """Play a game by texts, amounts and arrow keys, and check the screen at each decision."""
    chosen = random.Random(ruleset + size)
    seats = str(REGISTRY.find(ruleset).info.max_seats)
    asked = ("play", ruleset, "--seats", seats, "--lang", language, "--seed", "5")
    with lonja(*asked, "--bot", "random", "--pace", "0", folder=folder, size=size) as terminal:
        path = folder / f"{ruleset}-1{SUFFIX}"
        terminal.until(path.exists, "the saved game")
        terminal.until(lambda: "?" in terminal.text, "the table")
        record = Record(path, REGISTRY)
        while not settled(terminal, record).over:
            looks(terminal, record, language)
            before = record.moves(ME)
            if ME not in record.game.asked:  # a late key has answered already
                continue
            typed = answer(record.game, chosen, language)
            terminal.press(EMPTY + typed + ENTER)
            pressed = 1
            while record.moves(ME) == before:
                if not terminal.listen(QUIET):
                    late = pressed % 4 == 0  # a rest in the input line may match nothing
                    terminal.press((EMPTY if late else "") + DOWN + ENTER)
                    pressed += 1
                assert pressed < KEYS, f"{typed!r} played nothing:\n{terminal.text}"
        result = record.game.result
        assert result is not None
        ruled = words.result_lines(record.game.ruleset, result, language)
        terminal.shows(ruled[0][:60])
        terminal.press("\x1b")
        terminal.press("\x11")
        assert terminal.end() == 0
        assert "".join(ruled[-1].split()) in "".join(
            terminal.text.split()
        )  # the last line is the result


def settled(terminal: Terminal, record: Record) -> Game:
    """Wait until the player has a decision, or the game is over."""
    terminal.until(lambda: record.read().over or ME in record.game.asked, "one's turn")
    return record.game


def looks(terminal: Terminal, record: Record, language: str) -> None:
    """Check that the screen has all players' goods, the question, the choices and the board."""

    def right() -> bool:
        game = record.read()  # a late key may have answered meanwhile
        if game.over or ME not in game.asked:
            return True
        drawing = record.drawing(ME, language, terminal.columns - 2)
        shown = terminal.lines
        if not (stands(drawing.heading, shown) and stands(drawing.players, shown)):
            return False
        return not [*missing(game, ME, language, drawing, shown)]

    terminal.until(right, "what the saved game has")


def answer(game: Game, chosen: random.Random, language: str) -> str:
    """Return the text to type for a legal move; "" for the arrow keys."""
    move = chosen.choice(game.ruleset.legal_moves(game.state, ME))
    text = words.move_text(game.ruleset, move, language, game.state, ME)
    return plain(text)[:30] if chosen.random() < 0.7 else ""
