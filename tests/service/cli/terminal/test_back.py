"""Taking back moves in the terminal: on the screen, in lines, and at a service."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from rules.kernel.contract.seats import Seat
from service.cli import local, main
from service.cli.terminal.table_screen import TableScreen
from service.cli.terminal.tables import LocalTable, about_taking_back
from service.cli.terminal.thoughts import RecordedFailure, Thought
from service.redis.server import RedisServer
from tests.faults import processes
from tests.service.cli.terminal.places import Place, seated, service, table
from tests.service.cli.terminal.screens import CTRL_Q, DOWN, ENTER, PATIENCE
from tests.service.cli.terminal.test_cursor import ME, REGISTRY, at, shown

CTRL_Z = "\x1a"
ISLANDS = "santiago_de_cuba"
NONE = {"en": "There is nothing to take back", "es": "No hay nada que retirar"}
NEVER = {"en": "No move can be taken back", "es": "En esta mesa no se retiran jugadas"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, found = tmp_path_factory.mktemp("service"), processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, found):
        yield found


def of_two(language: str = "en", *, take_back: bool = True) -> LocalTable:
    """Return a table of two at which seat 0 is asked first."""
    bot = {"bot": "greedy", "version": "1.0.0", "settings": {}}
    for seed in range(20):
        found = local.start(
            REGISTRY, ISLANDS, [{"player": "you"}, bot], {}, str(seed), take_back=take_back
        )
        while ME not in found.game.asked:
            (seat,) = found.game.asked
            first = found.game.ruleset.legal_moves(found.game.state, seat)[0].to_json()
            found.change(lambda batch, s=seat, m=first: batch.move(s, m, {"seat": s}))  # type: ignore[misc]
        return LocalTable(found, ME, language)
    raise AssertionError


def first_move(found: LocalTable) -> None:
    legal = found.position().legal
    assert legal is not None
    found.play(legal.moves[0])


def said(screen: TableScreen) -> list[str]:
    """Return the notices on the screen, the oldest first."""
    return [notice.message for notice in screen.app._notifications]


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.02)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_key_takes_back_the_last_move(language: str, size: tuple[int, int]) -> None:
    found = of_two(language)
    before, moves = found.position().view, found.position().legal

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        hint = f"^Z {screen.say('key_undo')}"
        assert hint not in shown(screen)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: said(screen) == [screen.say("back_none")])
        await pilot.press("down", "enter")
        await until(pilot, lambda: hint in shown(screen))
        assert len(found.position().ways_back) == 1
        await pilot.press("ctrl+z")
        await until(pilot, lambda: said(screen)[1:] == [screen.say("taken_back")])
        await until(pilot, lambda: hint not in shown(screen))
        assert found.position().view == before
        assert found.position().legal == moves

    at(found, test, size)
    assert found.game.version == found.past().last
    assert "undone" in {event.kind for event in found._local.events}


def test_three_times_and_not_at_a_table_without() -> None:
    found = of_two()
    for _ in range(3):
        first_move(found)
        assert about_taking_back(found) == "Moves that you can take back now: 1."
        found.take_back()
    first_move(found)
    assert about_taking_back(found).startswith(NONE["en"])
    without = of_two(take_back=False)
    first_move(without)
    assert about_taking_back(without).startswith(NEVER["en"])


def test_what_a_bot_thought_before_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """It decided after a move that was taken back while it thought."""
    found = of_two()
    asked = found._decider
    monkeypatch.setattr(
        asked, "ask", lambda seat: Thought(seat, {}, RecordedFailure("crashed", ""))
    )
    while Seat(1) not in found.game.asked:
        first_move(found)
    thought = found.think()
    assert thought is not None
    found.take_back()
    version = found.game.version
    found.take(thought)
    assert found.game.version == version


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_word_takes_back_in_lines(tmp_path: Path, language: str) -> None:
    asked = ["play", ISLANDS, "--seed", "1", "--lang", language]
    runner, env = CliRunner(), {"LONJA_GAMES_DIR": str(tmp_path)}
    told = runner.invoke(main, asked, input="u\n1\nu\nq\n", env=env).output
    said = {"en": "takes back: all is again as after event", "es": "retira jugadas"}[language]
    assert NONE[language] in told
    hint = {"en": "u: take back your last move (1", "es": "u: retirar tu última jugada (se pue"}
    assert told.index(hint[language]) < told.index(said)
    assert max(map(len, told.splitlines())) <= 80
    without = [*asked, "--no-take-back"]
    told = runner.invoke(main, without, input="1\nu\nq\n", env=env).output
    assert NEVER[language] in told


def test_it_is_taken_back_at_a_service(port: int, tmp_path: Path) -> None:
    """Others see it at once; at a table without, the program says so."""
    place = table(port, ruleset=ISLANDS, take_back=True)
    while place.ana.get(place.game)["decisions"][0]["seat"] == 1:
        play_first(place, 1)
    with seated(place, port, tmp_path) as terminal:
        terminal.shows("Yellow:")
        terminal.press(DOWN + ENTER)
        terminal.shows("^Z Undo")
        terminal.press(CTRL_Z)
        terminal.shows("Your last move is taken back.")
        kinds = [event["kind"] for event in place.bob.events(place.game)]
        assert kinds[-2:] == ["moved", "undone"]
        terminal.until(lambda: "^Z Undo" not in terminal.text, "the end of the hint")
        terminal.press(CTRL_Z)
        terminal.shows("There is nothing to")
        terminal.press(CTRL_Q)
        assert terminal.end() == 0
    place = table(port)
    with seated(place, port, tmp_path, "--lang", "es") as terminal:
        terminal.shows("tirar otra vez o plantarse")
        terminal.press(CTRL_Z)
        terminal.shows("En esta mesa no se")


def play_first(place: Place, seat: int) -> None:
    """Play the first legal move of Bob's seat."""
    version = place.bob.get(place.game)["version"]
    form = {"seat": seat, "index": 0, "expected_version": version}
    place.bob.post(f"{place.game}/moves", form)
