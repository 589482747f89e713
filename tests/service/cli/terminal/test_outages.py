"""Outages of a service, as a player at one of its tables sees them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.proxy import Network
from tests.running import wait_for
from tests.service.cli.terminal.places import Place, seated, service, table
from tests.service.cli.terminal.screens import CTRL_Q, ENTER, Terminal


@contextmanager
def far_away(folder: Path) -> Iterator[tuple[Place, Network, Terminal]]:
    """Let Ana play at a table of a service behind a simulated network."""
    port = processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, port):
        place = table(port)
        with Network(port) as network, seated(place, network.port, folder) as terminal:
            terminal.shows("? Help")
            yield place, network, terminal


def test_a_service_is_killed_and_comes_back(tmp_path: Path) -> None:
    """The typed text stays, the move is sent once, and the game goes on by itself."""
    port = processes.free_port()
    with RedisServer(tmp_path / "redis") as redis:
        with service(tmp_path, redis, port):
            place = table(port)
            playing = seated(place, port, tmp_path)
            terminal = playing.__enter__()
            terminal.shows("? Help")
            terminal.press("rol")
            terminal.shows("rol")
        try:
            terminal.tells("The service has not answered since")
            terminal.tells("(nothing listens there). It is asked again at")
            assert any(line.strip().split(" ")[0] == "rol" for line in terminal.lines)
            terminal.press(ENTER)
            terminal.tells("Your move is on its way, and counts once.")
            with service(tmp_path, redis, port):
                wait_for(lambda: place.rolls == 1)
                terminal.tells("The service answers again, after")
                terminal.until(lambda: "has not answered" not in terminal.words)
                terminal.press(CTRL_Q)
                assert terminal.end() == 0
                assert place.rolls == 1
        finally:
            playing.__exit__(None, None, None)


def test_a_network_that_loses_answers_and_cuts_streams(tmp_path: Path) -> None:
    """A move whose answer is lost counts once; a fault that is over at once is not shown."""
    with far_away(tmp_path) as (place, network, terminal):
        network.lose_answer(f"POST {place.game}/moves".encode())
        terminal.press("roll" + ENTER)
        wait_for(lambda: place.rolls == 1)
        terminal.tells("Red rolls a")
        # The cut is to meet the stream alone: two failures of one request would be shown.
        assert network.cut(f"GET {place.game}/stream".encode()) == 1
        place.bob.ask("POST", f"{place.game}/resignations", {"seat": 1})
        terminal.tells("Blue resigns")
        assert place.rolls == 1
        assert "does not answer" not in terminal.words
        events = place.bob.events(place.game)
        moved = next(event for event in events if event["kind"] == "moved")
        seen = events[moved["seq"] - 2]
        assert moved["body"]["client"] == {"expected_head": seen["hash"]}


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(600)
def test_a_network_that_falls_silent(tmp_path: Path) -> None:
    """Silent connections are given up after a while; a move made meanwhile counts once."""
    with far_away(tmp_path) as (place, network, terminal):
        network.hush()
        terminal.tells("The service has not answered since")
        terminal.press("roll" + ENTER)
        terminal.tells("Your move is on its way, and counts once.")
        network.speak()
        terminal.tells("The service answers again, after")
        terminal.tells("Red rolls a")
        wait_for(lambda: place.rolls == 1)
        terminal.press(CTRL_Q)
        assert terminal.end() == 0
        assert place.rolls == 1
