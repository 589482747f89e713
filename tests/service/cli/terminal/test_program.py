"""The program in use: choosing, scrolling, leaving and resuming."""

import stat
from pathlib import Path

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from tests.service.cli.terminal.screens import (
    CTRL_C,
    CTRL_Q,
    DOWN,
    ENTER,
    ESC,
    Record,
    lonja,
)

REGISTRY = Registry(PACKAGES)
MANILA = ("play", "manila", "--seed", "1", "--pace", "0")


def bids(folder: Path) -> list[int]:
    """The player's saved bids."""
    moves = (
        event.body["move"].value
        for event in Record(folder / "manila-1.lonja", REGISTRY).events
        if event.kind == "moved" and event.by == {"seat": 0}
    )
    return [move["amount"] for move in moves if move["type"] == "bid"]


def test_an_amount_is_typed_and_what_was_picked_is_taken_back(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path) as terminal:
        terminal.shows("Bid: 2 … 54")
        lines = [line.strip() for line in terminal.lines]
        assert lines.index("Pass: bid no more") < lines.index("Pledge 1 share for 12 pesos")
        terminal.press("bid" + ENTER)
        terminal.shows("Type an amount: 2 … 54")
        terminal.press(ESC)
        terminal.shows("Pass: bid no more")
        terminal.press("99")
        terminal.until(lambda: "Pass: bid no more" not in terminal.text, "the empty list")
        terminal.press(ESC)
        terminal.shows("Pass: bid no more")
        terminal.press("10")
        terminal.shows("Bid 10 pesos")
        terminal.shows("→")  # the effects of the move
        terminal.press(ENTER)
        terminal.until(lambda: bids(tmp_path) == [10], "the bid")
        terminal.press(CTRL_Q)
        assert terminal.end() == 0


def test_nothing_is_played_by_an_enter_that_was_meant_for_something_else(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path) as terminal:
        terminal.shows("Pass: bid no more")
        before = Record(tmp_path / "manila-1.lonja", REGISTRY).game.version
        terminal.press(ENTER + ENTER)
        terminal.tells("Nothing is picked yet")
        terminal.press(DOWN)
        terminal.shows("→")  # the effects of the first choice
        assert Record(tmp_path / "manila-1.lonja", REGISTRY).game.version == before


def test_help_rules_and_log_are_read_beside_the_game(tmp_path: Path) -> None:
    with lonja(*MANILA, "--lang", "es", folder=tmp_path) as terminal:
        terminal.shows("Pasar: no pujar más")
        terminal.press("?")
        terminal.shows("Lo que puedes hacer")
        terminal.shows("La subasta")
        terminal.press(ESC)
        terminal.until(lambda: "Se te pide" not in terminal.text, "the table")
        terminal.press("\x12")  # Ctrl-R
        terminal.shows("Las reglas")
        terminal.shows("La subasta")
        terminal.press(ESC)
        terminal.until(lambda: "Las reglas" not in terminal.text, "the table")
        terminal.press("\x0c")  # Ctrl-L
        terminal.shows("Lo que ha pasado")
        terminal.shows("Empieza la partida")
        terminal.press(ESC)
        terminal.shows("Pasar: no pujar más")


def test_a_game_is_left_and_gone_on_with(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path) as terminal:
        terminal.shows("Pass: bid no more")
        terminal.press("10" + ENTER)
        terminal.until(lambda: bids(tmp_path) == [10], "the bid")
        terminal.press(CTRL_C)
        assert terminal.end() == 0
        assert "lonja play --resume manila-1" in terminal.text
    saved = tmp_path / "manila-1.lonja"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    with lonja("play", "--resume", "--pace", "0", folder=tmp_path) as terminal:
        terminal.shows("^Q Quit")
        terminal.press("\x0c")  # Ctrl-L
        terminal.shows("Red: Bid 10 pesos")
    with lonja("play", "--saved", folder=tmp_path) as terminal:
        assert terminal.end() == 0
        assert terminal.text.startswith("manila-1  Manila, ")


def test_a_damaged_game_is_named(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path) as terminal:
        terminal.shows("Pass: bid no more")
    saved = tmp_path / "manila-1.lonja"
    whole = saved.read_bytes()
    saved.write_bytes(whole[:-40])
    with lonja("play", "--resume", "manila-1", folder=tmp_path, size="200x60") as terminal:
        assert terminal.end() == 2
        named = f"{saved} is damaged in line {len(whole.splitlines())}"
        assert named in " ".join(terminal.lines)


def test_what_to_play_is_chosen_with_the_arrow_keys(tmp_path: Path) -> None:
    with lonja("play", folder=tmp_path) as terminal:
        terminal.shows("What do you want to play?")
        terminal.press(DOWN + DOWN + ENTER)
        terminal.shows("Manila · How many play?")
        terminal.press(ENTER)
        terminal.shows("Where do you sit?")
        terminal.press(ENTER)
        terminal.shows("Lola, level 2 of 5: easy, takes what looks best at once")
        terminal.press(ENTER)
        terminal.shows("How fast do they play?")
        terminal.press(ENTER)
        terminal.shows("C Yellow")


def test_without_colours_there_are_none_and_owners_are_still_told(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path, env={"NO_COLOR": "1"}) as terminal:
        terminal.shows("A Red")
        terminal.shows("Pass: bid no more")
        assert terminal.colours == {"default"}
    with lonja(*MANILA, "--shade", "light", folder=tmp_path) as terminal:
        terminal.shows("A Red")
        assert "b3322b" in terminal.colours  # the red of the light board


def test_a_game_that_was_played_is_scrubbed(tmp_path: Path) -> None:
    with lonja(*MANILA, folder=tmp_path) as terminal:
        terminal.shows("Pass: bid no more")
    with lonja("replay", "manila-1.lonja", folder=tmp_path) as terminal:
        terminal.shows("Event ")
        terminal.press("\x1b[H")
        terminal.shows("Event 1 of ")
        terminal.press("\x1b[C\x1b[C")
        terminal.shows("Event 3 of ")
        terminal.press("q")
        assert terminal.end() == 0
