"""``lonja games`` and ``lonja watch``, with a real service behind a simulated network."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from service.redis.server import RedisServer
from tests.faults import processes
from tests.faults.people import Client as People
from tests.faults.proxy import Network
from tests.running import wait_for
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import PIG, Place, service, table
from tests.service.cli.terminal.screens import LONJA, Size
from tests.service.cli.terminal.screens import lonja as in_terminal

COLUMNS = ("id", "game", "status", "opened at (UTC)", "players")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder, found = tmp_path_factory.mktemp("service"), processes.free_port()
    with RedisServer(folder / "redis") as redis, service(folder, redis, found):
        yield found


@pytest.fixture
def asked(lonja: Lonja, monkeypatch: pytest.MonkeyPatch, port: int) -> Lonja:
    """Run a command with the service's URL; Pig is installed for the command, too."""
    monkeypatch.setenv("LONJA_EXTRA_RULESETS", "tests.pig")
    monkeypatch.delenv("LONJA_KEY", raising=False)
    return lambda *arguments: lonja(*arguments, "--url", f"http://127.0.0.1:{port}")


@pytest.fixture(scope="module")
def place(port: int) -> Place:
    """A table that no test changes."""
    return table(port)


def id_of(place: Place) -> str:
    return place.game.rpartition("/")[2]


def turn(place: Place) -> None:
    """Make the deciding seat roll, and then hold if that is still legal."""
    for person, seat in ((place.ana, 0), (place.bob, 1)):
        for kind in ("roll", "hold"):
            move(person, place, seat, kind)


def move(person: People, place: Place, seat: int, kind: str) -> None:
    legal = person.get(f"{place.game}/legal_moves?seat={seat}")
    if {"type": kind} in legal["moves"]:
        form = {"seat": seat, "move": {"type": kind}, "expected_version": legal["version"]}
        person.post(f"{place.game}/moves", form)


# games


def test_games_are_listed_in_words_and_for_programs(asked: Lonja, place: Place) -> None:
    head, *rows = asked("games").stdout.splitlines()
    assert tuple(head.split("  ")[0:1]) == ("id",)
    (row,) = [row for row in rows if row.startswith(id_of(place))]
    assert [cell.strip() for cell in row.split("  ") if cell][1:3] == ["Pig", "goes on"]
    assert row.rstrip().endswith("Ana, Bob")
    spanish = asked("games", "--lang", "es").stdout
    assert "sigue" in spanish
    assert "jugadores" in spanish
    told = json.loads(asked("games", "--json", "--limit", 1).stdout)
    assert [*map(len, told["games"])]
    assert len(told["games"]) == 1


def test_games_are_filtered_and_told_page_by_page(
    asked: Lonja, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.games.PAGE", 1)
    mine = [table(port) for _ in range(2)][-1]
    found = json.loads(asked("games", "--json", "--limit", 2).stdout)
    assert found["more"] is True
    assert len(found["games"]) == 2
    assert found["games"][0]["id"] == id_of(mine)
    assert "--limit lists more" in asked("games", "--limit", 2).stdout
    assert asked("games", "--ruleset", "macao").stdout == "There are no such games.\n"
    assert id_of(mine) in asked("games", "--player", mine.ana.id).stdout
    own = json.loads(asked("games", "--mine", "--asked", "--key", mine.ana.key, "--json").stdout)
    assert [game["id"] for game in own["games"]] == [id_of(mine)]
    assert own["more"] is False


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("games", "--mine"), "say it with --key"),
        (("games", "--mine", "--key", "x", "--player", "p-x"), "--mine and --player p-x"),
        (("games", "--tag", "A B"), "tag: "),
        (("games", "--from", "monday"), "from: "),
        (("games", "--mine", "--key", "nobody", "--lang", "es"), "No conoce tu clave"),
        (("watch", "g00-aaaaaaaaaaaaaaaaaaaa"), "refuses g00-aaaaaaaaaaaaaaaaaaaa: It has no such"),
        (("watch", "g00-a", "--lang", "es"), "El servicio rechaza g00-a: No tiene esa partida"),
    ],
)
def test_what_a_service_refuses_is_told_in_a_sentence(
    asked: Lonja, arguments: tuple[str, ...], told: str
) -> None:
    result = asked(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("columns", [40, 80])
def test_a_list_is_aligned_at_every_width(
    place: Place, port: int, tmp_path: Path, columns: int
) -> None:
    size: Size = (columns, 50)
    url = f"http://127.0.0.1:{port}"
    with in_terminal("games", "--url", url, folder=tmp_path, size=size, env=PIG) as screen:
        assert screen.end() == 0
        lines = [line for line in screen.lines if line]
    assert all(cell_len(line) <= columns for line in lines)
    (row,) = [line for line in lines if id_of(place) in line]
    at = lines[0].index("game")
    assert row[at:].startswith("Pig")
    assert ("opened" in lines[0]) == (columns >= 80)


# watch


def test_a_game_is_followed_to_its_end(port: int, tmp_path: Path) -> None:
    """In words with boards, and as JSON lines, with interruptions: each event comes once."""
    place = table(port, target=10)
    with Network(port) as network:
        url = f"http://127.0.0.1:{network.port}"
        asked = [str(LONJA), "watch", id_of(place), "--url", url, "--board"]
        env = {**os.environ, **PIG, "LONJA_GAMES_DIR": str(tmp_path), "LANG": "es_ES.UTF-8"}
        env.pop("LC_ALL", None)
        words, lines = (tmp_path / name for name in ("words", "lines"))
        with words.open("w") as told, lines.open("w") as sent:
            watching = [
                subprocess.Popen(asked, env=env, stdout=told),
                subprocess.Popen([*asked, "--json"], env=env, stdout=sent),
            ]
            wait_for(lambda: "Empieza la partida" in words.read_text() and lines.read_text() != "")
            network.cut()
            while place.ana.get(place.game)["status"] == "running":
                turn(place)
            assert [process.wait(60) for process in watching] == [0, 0]
    found = words.read_text()
    events = [json.loads(line) for line in lines.read_text().splitlines()]
    version = place.ana.get(place.game)["version"]
    assert [event["seq"] for event in events] == [*range(1, version + 1)]
    assert events[-1]["kind"] == "chance_revealed"
    assert events[-1]["state"]["status"] == "ended"
    for event in events:
        if event["kind"] == "moved":
            assert all(text in found for text in event["words"])
    assert found.count("La mesa se abre") + found.count("Se abre la mesa") == 1
    assert "Puntos" in found
    assert "Termina la partida" in found
    assert found.rstrip().splitlines()[-1].startswith("  2. ")


def test_a_private_game_needs_a_key(asked: Lonja, place: Place) -> None:
    ana, form = place.ana, {"ruleset": "pig", "options": {"target": 10}}
    seats = [{"holder": "me"}, {"holder": "me"}]
    game = ana.post("/v1/games", {**form, "table": {"visibility": "private"}, "seats": seats})["id"]
    mine = place._replace(bob=ana, game=f"/v1/games/{game}")
    while ana.get(mine.game)["status"] == "running":
        turn(mine)
    assert asked("watch", game).exit_code == 2
    told = asked("watch", game, "--key", ana.key, "--last", 3)
    assert told.exit_code == 0, told.output
    assert "The table is opened" not in told.stdout
    assert "The game ends" in told.stdout


def test_an_aborted_game_has_an_exit_code_of_its_own(asked: Lonja, place: Place) -> None:
    form = {"ruleset": "pig", "options": {}, "seats": [{"holder": "me"}, {"holder": "open"}]}
    game = place.ana.post("/v1/games", form)["id"]
    assert place.ana.ask("DELETE", f"/v1/games/{game}").status == 200
    for more in ((), ("--json",)):
        assert asked("watch", game, *more).exit_code == 1
    assert "its host has cancelled it" in asked("watch", game).stdout


def test_whoever_stops_watching_is_told_how_to_come_back(
    place: Place, port: int, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{port}"
    told = tmp_path / "told"
    with told.open("w") as output:
        watching = subprocess.Popen(
            [LONJA, "watch", id_of(place), "--url", url],
            env={**os.environ, **PIG},
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for(lambda: told.read_text() != "")
        watching.send_signal(signal.SIGINT)
        _, said = watching.communicate(timeout=60)
    assert watching.returncode == 130
    assert said == (f"You stopped watching; `lonja watch {id_of(place)} --url {url}` comes back.\n")
    assert "Traceback" not in told.read_text()
