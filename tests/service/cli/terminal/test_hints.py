"""Hints in the terminal: on the screen, in lines, and at a service."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from service.catalogue.bots import LIVE
from service.cli import main
from service.cli.terminal.hints import hint_lines
from service.cli.terminal.pages import HintPage
from service.cli.terminal.table_screen import TableScreen
from service.cli.terminal.tables import MoveRefusedError
from service.cli.terminal.texts import say
from service.redis.server import RedisServer
from tests.faults import processes
from tests.running import environment, process
from tests.service.cli.terminal.places import PIG, seated, service, table
from tests.service.cli.terminal.screens import CTRL_Q
from tests.service.cli.terminal.test_back import ISLANDS, first_move, of_two, said, until
from tests.service.cli.terminal.test_cursor import at

CTRL_G = "\x07"
ESC = "\x1b"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, found = tmp_path_factory.mktemp("service"), processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, found):
        worker = ("-m", "workers.worker", "--queue", LIVE)
        with process(*worker, env={**environment(redis.url), **PIG}):
            yield found


def test_the_words_say_what_is_sure() -> None:
    def move(label: str, lead: int, cost: int, error: int) -> dict[str, object]:
        return {
            "label": label,
            "lead": {"mean": lead, "error": 300},
            "cost": {"mean": cost, "error": error},
        }

    moves = [move("a", 2200, 0, 0), move("b", 1000, 1200, 400), move("c", 2100, 100, 90)]
    assert hint_lines("lookahead", moves, "en") == [
        "Marco would do this: a",
        "expected: 2.2 ± 0.3 points ahead of the mean of the others",
        "b: costs 1.2 ± 0.4 points",
        "c: no difference shows, 0.1 ± 0.1 points",
        "It is a guess of Marco, from what you know.",
    ]
    moves = [move("a", -2200, 0, 0), move("b", -1000, -1200, 400)]
    assert hint_lines("lookahead", moves, "es")[:3] == [
        "Marco haría esto: a",
        "se esperan 2,2 ± 0,3 puntos menos que la media de los demás",
        "b: salió mejor por 1,2 ± 0,4 puntos",
    ]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_key_asks_for_a_hint(size: tuple[int, int]) -> None:
    found = of_two()
    legal = found.position().legal
    assert legal is not None

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+g", "ctrl+g")
        await until(pilot, lambda: said(screen) == [screen.say("hint_asks", who="Marco")])
        await until(pilot, lambda: isinstance(screen.app.screen, HintPage))
        page = screen.app.screen
        assert isinstance(page, HintPage)
        would = say("en", "hint_would", who="Marco", move="")
        assert page._lines[0].removeprefix(would) in legal.texts
        await pilot.press("escape")
        assert screen.is_current

    at(found, test, size)
    assert found.position().legal == legal


def test_who_is_not_asked_gets_none_and_a_dead_process_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = of_two()
    monkeypatch.setattr("service.cli.terminal.deciders.ANSWERING", "workers.nowhere")
    with pytest.raises(MoveRefusedError, match=r"There is no hint: (EOFError|Conn)"):
        found.hint()
    found.close()
    assert found.hint() == []
    while found.position().legal is not None:
        first_move(found)
    with pytest.raises(MoveRefusedError, match="You are not asked now"):
        found.hint()


@pytest.mark.parametrize(("word", "language"), [("h", "en"), ("pista", "es")])
def test_a_word_asks_for_a_hint_in_lines(tmp_path: Path, word: str, language: str) -> None:
    asked = ["play", ISLANDS, "--seed", "1", "--lang", language]
    env = {"LONJA_GAMES_DIR": str(tmp_path)}
    told = CliRunner().invoke(main, asked, input=f"{word}\nq\n", env=env).output
    assert say(language, "hint_would", who="Marco", move="") in told
    assert say(language, "hint_note", who="Marco").split(",")[0] in told
    assert max(map(len, told.splitlines())) <= 80


def test_a_hint_of_a_service(port: int, tmp_path: Path) -> None:
    """Others see that it was asked for; at a table without hints, the program says why."""
    place = table(port, hints=True)
    with seated(place, port, tmp_path) as terminal:
        terminal.press(CTRL_G)
        terminal.tells("Marco would do this:")
        terminal.press(ESC)
        terminal.tells("asks for a hint")
        kinds = [event["kind"] for event in place.bob.events(place.game)]
        assert kinds[-1] == "hinted"
        terminal.press(CTRL_Q)
        assert terminal.end() == 0
    place = table(port)
    with seated(place, port, tmp_path) as terminal:
        terminal.shows("roll again, or hold")
        terminal.press(CTRL_G)
        terminal.tells("not alone with bots")
