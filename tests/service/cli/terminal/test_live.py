"""A running game of a service in a terminal: following, earlier positions, and its end."""

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lonja_client import Client, NotFound

from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client as People
from tests.running import environment
from tests.service.cli.terminal.places import PIG, Place, seated, service, table
from tests.service.cli.terminal.screens import CTRL_Q, ENTER, ESC, LONJA, lonja

CTRL_P, HOME, END, LEFT = "\x10", "\x1b[H", "\x1b[F", "\x1b[D"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, found = tmp_path_factory.mktemp("service"), processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, found):
        yield found


def scored(text: str) -> tuple[int, int] | None:
    """Red's points and rolls, if a table of the seats is on the screen."""
    row = re.search(r"^\W*Red +([0-9]+) +([0-9]+)\b", text, re.MULTILINE)
    return None if row is None else (int(row[1]), int(row[2]))


def move(person: People, place: Place, seat: int = 0, type_: str = "roll") -> None:
    """Move as another player over the API, if that player has a decision."""
    legal = person.get(f"{place.game}/legal_moves?seat={seat}")
    if {"type": type_} in legal["moves"]:
        form = {"seat": seat, "move": {"type": type_}, "expected_version": legal["version"]}
        person.post(f"{place.game}/moves", form)


def test_one_looks_back_at_a_game_that_goes_on(port: int, tmp_path: Path) -> None:
    """The board is that of the event; new events are announced, and none is lost."""
    place = table(port)
    with seated(place, port, tmp_path) as terminal:
        terminal.shows("? Help")
        before = place.ana.get(place.game)["version"]
        terminal.press(CTRL_P)
        terminal.tells(f"Event {before} of {before} · through the eyes of Red")
        terminal.tells("You are asked: roll again, or hold. Esc goes back to the table.")
        terminal.press(HOME)
        terminal.tells(f"Event 1 of {before} · through the eyes of Red · the game has not begun")
        terminal.until(lambda: "Points  Rolls" not in terminal.text, "an empty board")
        move(place.ana, place)
        now = place.ana.get(place.game)["version"]
        terminal.tells(f"Event 1 of {now}")
        terminal.tells(f"New meanwhile, {now - before}: Red rolls a")
        terminal.press(END)
        terminal.until(lambda: scored(terminal.text) == (0, 1), "a roll")
        terminal.press(LEFT * (now - before))
        terminal.tells(f"Event {before} of {now}")
        terminal.until(lambda: scored(terminal.text) == (0, 0), "no roll yet")
        terminal.press(ESC)
        terminal.until(lambda: scored(terminal.text) == (0, 1), "the roll again")
        terminal.shows("? Help")


def test_the_time_that_is_left_is_told(port: int, tmp_path: Path) -> None:
    """The player's own time if the player has a decision, otherwise that of the deciding seat."""
    place = table(port, {"decision_seconds": 3000})

    def left() -> int:
        found = re.search(r" (\d+):(\d\d) left", terminal.text)
        return 60 * int(found[1]) + int(found[2]) if found else 9999

    with seated(place, port, tmp_path) as terminal:
        terminal.until(lambda: left() <= 3000)
        before = left()
        terminal.until(lambda: left() < before)
        move(place.ana, place)
        move(place.ana, place, type_="hold")  # unless the die was a 1
        terminal.shows("Blue: roll again, or hold")
        terminal.until(lambda: left() <= 3000)


def test_a_spectator_looks_back_too(port: int, tmp_path: Path) -> None:
    place = table(port)
    asked = ("replay", place.game.rpartition("/")[2], "--lang", "es")
    url = ("--url", f"http://127.0.0.1:{port}")
    with lonja(*asked, *url, folder=tmp_path, env=PIG) as terminal:
        terminal.shows("? Ayuda")
        terminal.press(LEFT)
        terminal.tells("con los ojos de un espectador")
        move(place.ana, place)
        terminal.shows("saca un")  # the newest event is followed
        terminal.press(ESC + CTRL_Q)
        assert terminal.end() == 0


def test_a_game_is_played_to_its_end_in_lines(port: int, tmp_path: Path) -> None:
    """Other players' moves are printed as they come, and the result at last."""
    place = table(port, target=10)
    url = ("--url", f"http://127.0.0.1:{port}", "--game", place.game.rpartition("/")[2])
    env = {**environment(""), **PIG, "LONJA_KEY": place.ana.key, "LONJA_GAMES_DIR": str(tmp_path)}
    at = str(place.ana.get(place.game)["version"])
    asked = [
        str(LONJA),
        "replay",
        place.game.rpartition("/")[2],
        "--at",
        at,
        "--seat",
        "0",
        *url[:2],
    ]
    assert scored(subprocess.check_output(asked, env=env, text=True)) == (0, 0)
    with (tmp_path / "told").open("w+") as told:
        playing = subprocess.Popen(
            [LONJA, "play", *url], env=env, stdin=subprocess.PIPE, stdout=told, text=True
        )
        assert playing.stdin is not None
        playing.stdin.write("roll\n" * 500)
        playing.stdin.flush()
        while playing.poll() is None:
            move(place.bob, place, 1)
            time.sleep(0.1)
        playing.stdin.close()
        lines = (tmp_path / "told").read_text().splitlines()
    assert playing.returncode == 0
    assert "The game ends: somebody has reached the target" in lines
    assert lines[-1].strip().startswith("2. ")


def test_a_key_that_is_revoked_is_told_in_words(port: int, tmp_path: Path) -> None:
    place = table(port)
    made = place.ana.post("/v1/players/me/keys", {"name": "lent", "scope": "play"})
    lent = place._replace(ana=place.ana.known_as(made["key"], place.ana.id))
    with seated(lent, port, tmp_path, "--lang", "es") as terminal:
        terminal.shows("? Ayuda")
        assert place.ana.ask("DELETE", f"/v1/players/me/keys/{made['id']}").status == 204
        terminal.press("ti")
        terminal.shows("ti")
        terminal.press(ENTER)
        terminal.tells("Se ha rechazado: No conoce tu clave")
        terminal.press(CTRL_Q)
        assert terminal.end() == 0


def test_streams_that_are_refused_leave_no_connections(port: int) -> None:
    """A client that waits for a stream for hours asks again every few seconds."""
    path = "/games/g00-aaaaaaaaaaaaaaaaaaaa/stream"
    with Client(f"http://127.0.0.1:{port}") as client:
        for _ in range(3):
            with pytest.raises(NotFound), client.connect(path):
                pass
        assert len(client._transport._network._open) <= 1
