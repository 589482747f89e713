"""Whole games on a service: two players in terminals with different languages, and a bot."""

import random
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from service.cli.terminal.choosing import plain
from tests.client.services import serving
from tests.faults.people import Client
from tests.service.cli.terminal.screens import (
    CTRL_Q,
    DOWN,
    EMPTY,
    ENTER,
    ESC,
    QUIET,
    Terminal,
    lonja,
)

KEYS = 100


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ruleset", ["manila", "santiago_de_cuba"])
def test_two_people_and_a_bot_play_a_whole_game(tmp_path: Path, ruleset: str) -> None:
    """While they play, the web process is killed three times; its launcher starts another."""
    chosen = random.Random(ruleset)
    with serving(tmp_path) as service:
        ana, bob = (Client(service.port).player(name) for name in ("Ana", "Bob"))
        url = ("--url", f"http://127.0.0.1:{service.port}", "--pace", "0")
        opened = ("play", ruleset, *url, "--seats", "3", "--people", "2", "--bot", "random")
        with lonja(*opened, folder=tmp_path, env={"LONJA_KEY": ana.key}) as first:
            first.tells("is still free.")
            (game,) = ana.get("/v1/games?player=me")["games"]
            path = f"/v1/games/{game['id']}"
            sits = ("play", *url, "--game", game["id"], "--sit", "--seat", "1", "--lang", "es")
            with lonja(*sits, folder=tmp_path, env={"LONJA_KEY": bob.key}) as second:
                second.shows("? Ayuda")
                moves = 0
                while not ana.is_over(path):
                    for seat, person, terminal in ((0, ana, first), (1, bob, second)):
                        legal = person.get(f"{path}/legal_moves?seat={seat}", **language(seat))
                        if legal["moves"]:
                            play(terminal, person, path, legal, chosen)
                            moves += 1
                            if moves in (5, 15, 30):
                                service.kill_web()
                                terminal.until(lambda: answers(ana))
                        else:
                            terminal.listen()
                for terminal in (first, second):
                    terminal.shows("1. ")
                    terminal.press(ESC)
                    terminal.press(CTRL_Q)
                    assert terminal.end() == 0
            result = ana.get(path)["result"]
            assert len(result["standings"]) == 3


def language(seat: int) -> dict[str, str]:
    return {"Accept_Language": ("en", "es")[seat]}


def answers(person: Client) -> bool:
    try:
        return person.ask("GET", "/readyz").status == 200
    except OSError:
        return False


def play(
    terminal: Terminal, person: Client, path: str, legal: JsonObject, chosen: random.Random
) -> None:
    """Wait for a question, and type a legal move until it is made."""
    index = chosen.randrange(len(legal["moves"]))
    typed = plain(legal["labels"][index])[:30] if chosen.random() < 0.7 else ""
    state = person.get(f"{path}/state?seat={legal['seat']}", **language(legal["seat"]))
    asked = next(d["label"] for d in state["decisions"] if d["seat"] == legal["seat"])
    terminal.until(lambda: plain(asked) in plain(terminal.words), asked)

    def made() -> bool:
        now = person.get(f"{path}/legal_moves?seat={legal['seat']}")
        return bool(now["version"] != legal["version"])

    terminal.press(EMPTY + typed + ENTER)
    pressed = 1
    while not made():
        if not terminal.listen(QUIET):
            late = pressed % 4 == 0  # a rest in the input line may match nothing
            terminal.press((EMPTY if late else "") + DOWN + ENTER)
            pressed += 1
        assert pressed < KEYS, f"{typed!r} played nothing:\n{terminal.text}"
