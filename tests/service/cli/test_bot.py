"""``lonja bot run``: programs of strangers play at a service, whatever they do."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lonja_client import ME, Client, Table, challenge

from rules.kernel.record.instants import moved_on, to_ms
from service import settings
from service.clock import TOLERANCE_MS
from service.records import tournament_file
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from tests.faults import processes
from tests.faults.people import Client as Visitor
from tests.running import environment, patient_matches, wait_for
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.places import PIG, service
from tests.service.cli.terminal.screens import LONJA
from tests.service.tournaments.forging import File
from tests.service.tournaments.test_other_verifier import Judge, judge
from tests.service.verifier.programs import standing

__all__ = ["judge"]

PLAYS = """
import json, os, sys, time

def once(path):
    try:
        return not os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False

def say(kind, **more):
    print(json.dumps({kind: {"id": question["id"], **more}}), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        hello = {"protocol": 1, "name": "Strange", "wants": ["words", "flying"]}
        print(json.dumps({"hello": hello}), flush=True)
    elif "error" in message:
        print(json.dumps(message), file=sys.stderr, flush=True)
    elif "question" in message:
        question = message["question"]
        assert len(question["words"]) == len(question["legal"]), question
        assert len(question["seed"]) == 64 and question["settings"] == {}, question
        FAULT
        say("answer", move=0, thoughts={"much": "x" * 5_000 * (question["id"] % 2)})
"""
FAULTS = {
    "no JSON": ('print("hm", flush=True); continue', "bad_answer", ""),
    "an illegal move": ('say("answer", move={"type": "fly"}); continue', "illegal", ""),
    "an end": ("sys.exit(3)", "", ""),
    "a silence": ("time.sleep(100)", "", "no answer within"),
    "a wish to be asked again": ('say("error", message="later", again=True); continue', "", ""),
    "a failure": ('say("error", message="dizzy", again=False); continue', "", "dizzy"),
}
"""What an engine does once instead of an answer, of which error it is told, and what is told."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@pytest.fixture(scope="module")
def port(store: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    found = processes.free_port()
    with service(tmp_path_factory.mktemp("service"), store, found):
        yield found


@pytest.fixture
def player(port: int) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{port}") as visitor, visitor.sign_up("R", kind="bot") as found:
        yield found


def engine(folder: Path, fault: str = "pass") -> str:
    """Write an engine with a fault; return its command."""
    program = folder / "engine.py"
    program.write_text(PLAYS.replace("FAULT", fault))
    return f"{sys.executable} {program}"


@contextmanager
def running(player: Client, command: str, folder: Path, *more: str) -> Iterator[Any]:
    """Run the command; it is ended afterwards, as a supervisor ends it."""
    arguments = ("bot", "run", "--engine", command, "--url", player.url, "--json", *more)
    with (
        (folder / "err").open("w") as err,
        subprocess.Popen(
            [LONJA, *arguments],
            stdout=subprocess.PIPE, stderr=err, text=True,
            env={**os.environ, "LONJA_KEY": player.key or ""},
        ) as process,
    ):  # fmt: skip
        try:
            yield process
        finally:
            process.terminate()


def told(process: Any, kind: str) -> Any:
    """Return the next line of a kind."""
    assert process.stdout is not None
    for line in process.stdout:
        found = json.loads(line)
        if kind in found:
            return found[kind]
    raise AssertionError("it has ended")


def moves(table: Table) -> int:
    return sum(event["kind"] == "moved" for event in table.events())


def test_it_comes_to_the_tables_that_challenge_its_account(port: int, tmp_path: Path) -> None:
    with Client(f"http://127.0.0.1:{port}") as visitor, visitor.sign_up("Ana") as ana:
        robbie = ana.make_bot("Robbie", "1", {"pig": [2]})
        with running(robbie, engine(tmp_path), tmp_path) as process:
            told(process, "listening")
            wait_for(lambda: bool(ana.bots("pig", 2)))
            table = ana.open("pig", [ME, challenge(robbie.player_id)])
            assert told(process, "came")["game"] == table.id
            assert table.game()["status"] == "running"
        robbie.close()


def test_it_seeks_others_again_and_again(player: Client, tmp_path: Path) -> None:
    with (
        player.make_bot("Robbie", "1", {"pig": [2]}, concurrency=2) as robbie,
        running(robbie, engine(tmp_path), tmp_path, "--seeks", "pig=2"),
    ):
        for _game in range(2):
            table = player.seek("pig", 2, decision_seconds=60)
            assert table is not None
            players = {seat["player"] for seat in table.game()["seats"]}
            assert players == {player.player_id, robbie.player_id}


def test_a_bot_that_takes_no_such_games_does_not_seek(
    player: Client, lonja: Lonja, tmp_path: Path
) -> None:
    with player.make_bot("Robbie", "1", {"pig": [2]}) as robbie:
        run = ("bot", "run", "--engine", engine(tmp_path), "--url", robbie.url)
        done = lonja(*run, "--key", robbie.key or "", "--seeks", "pig=3")
    assert done.exit_code == 2
    assert "bot_does_not_play" in done.output


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_an_engine_costs_at_most_its_decision(
    player: Client, tmp_path: Path, fault: str
) -> None:
    """Whether it is asked again, it is told; another game goes on, and a new start repeats all."""
    does, code, failure = FAULTS[fault]
    tables = [player.open("pig", [ME, ME]) for _ in range(2)]
    marked = f"if once({str(tmp_path / 'done')!r}): {does}"
    command = engine(tmp_path, marked)
    with running(player, command, tmp_path, "--seconds", "2") as process:
        if failure:
            assert failure in told(process, "failed")["failure"]
        for _ in range(4):
            told(process, "answered")
    assert process.wait() == 128 + signal.SIGTERM
    heard = (tmp_path / "err").read_text()
    assert (f'"code": "{code}"' in heard) == bool(code), heard
    assert not code or '"again": true' in heard
    with running(player, command, tmp_path) as process:
        for _ in range(4):
            told(process, "answered")
    assert sum(moves(table) for table in tables) >= 8


def test_a_move_that_was_taken_back_is_asked_again(player: Client, tmp_path: Path) -> None:
    """The decision has its old number then."""
    table = player.open("ragusa", [ME, {"holder": "open"}], take_back=True)
    with Client(player.url) as visitor, visitor.sign_up("Ana") as ana:
        other = ana.table(table.id)
        other.sit(1)
        legal = other.legal_moves(1)
        if legal["moves"]:
            other.move(legal["moves"][0], seat=1, expected_version=legal["version"])
        with running(player, engine(tmp_path), tmp_path) as process:
            wait_for(lambda: {one["seat"] for one in table.state(0)["decisions"]} == {1})
            table.take_back(table.state(0)["ways_back"][-1], seat=0)
            answered: list[int] = []
            while len({*answered}) == len(answered):
                answered.append(told(process, "answered")["decision"])


def test_a_kill_of_the_bridge_loses_and_doubles_nothing(player: Client, tmp_path: Path) -> None:
    table = player.open("pig", [ME, ME])
    command = engine(tmp_path)
    decisions = []
    for _ in range(3):
        with running(player, command, tmp_path) as process:
            decisions += [told(process, "answered")["decision"] for _ in range(5)]
            process.kill()
    moved = [event for event in table.events() if event["kind"] == "moved"]
    assert sorted({*decisions}) == decisions, "no decision was answered twice"
    assert len(moved) >= len(decisions)
    kept = {"thoughts" in event["audiences"] for event in moved}
    assert kept == {True, False}, "thoughts go with the move, unless they are too large"


def test_after_kills_of_the_bridge_budgets_are_what_the_record_says(
    player: Client, tmp_path: Path
) -> None:
    """At this table one seat has a decision at a time, and all time is its."""
    table = player.open("pig", [ME, ME], budget_seconds=600, increment_seconds=1)
    command = engine(tmp_path)
    for _ in range(2):
        with running(player, command, tmp_path) as process:
            for _ in range(4):
                told(process, "answered")
            process.kill()
    left = {0: 600_000, 1: 600_000}
    for seat, _decision, took in decided(table.events()):
        left[seat] += 1_000 - took
    assert {one["seat"]: one["left_ms"] for one in table.state(0)["budgets"]} == left


def decided(events: Iterable[Any]) -> Iterator[tuple[int, int, int]]:
    """Yield seat, decision and time (ms) of each move; only one seat is asked at a time."""
    since = decision = 0
    for event in events:
        at = to_ms(event["at"])
        if event["kind"] == "interrupted":
            away = event["body"]["interruption"]
            since = moved_on(since, to_ms(away["from"]), to_ms(away["to"]))
            continue
        if event["kind"] == "moved":
            yield event["by"]["seat"], decision, at - since
        since, decision = at, event["seq"]


def test_a_tournament_on_budgets_goes_on_after_a_kill_of_the_bridge(
    store: RedisServer, port: int, tmp_path: Path, judge: Judge
) -> None:
    """Each question tells the engine what its budget has left, and it answers each in time."""
    runtime = open_runtime(settings.load(environment(store.url, **PIG)), announce=False)
    matches, asked = patient_matches(runtime), tmp_path / "asked"
    noted = "json.dumps([question[name] for name in ('game', 'decision', 'limit')])"
    command = engine(tmp_path, f"print({noted}, file=open({str(asked)!r}, 'a'))")
    with Client(f"http://127.0.0.1:{port}") as visitor, visitor.sign_up("Ana") as ana:
        robbie = ana.make_bot("Robbie", "1", {"pig": [2]})
        plan = {
            "ruleset": "pig", "seats": 2, "options": {"target": 10},
            "entries": [{"player": robbie.player_id}, {"bot": "random"}],
            "format": {"type": "round_robin", "games": 2},
            "clock": {"budget_seconds": 600, "increment_seconds": 30, "grace_ms": 1},
        }  # fmt: skip
        host = Visitor(port).known_as(ana.key or "", ana.player_id or "")
        cup = host.post("/v1/tournaments", plan)["id"]
        patient = ("--seconds", "3600")
        with running(robbie, command, tmp_path, *patient) as process:
            matches.play(cup)
            told(process, "answered")
            process.kill()
        with running(robbie, command, tmp_path, *patient), robbie:

            def is_over() -> bool:
                matches.play(cup)
                return runtime.director.find(cup).over

            wait_for(is_over)
    lines = list(export.lines(runtime, runtime.director.find(cup)))
    assert "timed_out" not in {line.get("kind") for line in lines}
    limits: dict[tuple[str, int], list[int]] = {}
    for line in asked.read_text().splitlines():
        game, decision, limit = json.loads(line)
        limits.setdefault((game, decision), []).append(limit["wall_ms"])
    for game in File.of(lines).games:
        left = 600_000
        for _seat, decision, took in decided(game.copies):
            for told_ms in limits.get((game.game_id, decision), ()):
                assert left - took - TOLERANCE_MS <= told_ms <= left + TOLERANCE_MS
            if (game.game_id, decision) in limits:
                left += 30_000 - max(0, took - 1)
    assert standing(judge(lines)) == "sound"
    record = tmp_path / "cup.ndjson"
    tournament_file.write(record, lines)
    with tournament_file.reading(record) as found:
        assert verify_tournament(found, runtime.registry).ok


def test_a_key_file_is_made_once(player: Client, lonja: Lonja, tmp_path: Path) -> None:
    key = tmp_path / "engine.key"
    players = []
    for _ in range(2):
        more = ("--key-file", str(key))
        with running(player, engine(tmp_path), tmp_path, *more) as process:
            players.append(told(process, "listening")["player"])
    assert players[0] == players[1] != player.me()["id"]
    assert key.stat().st_mode & 0o777 == 0o600
    with player.with_key(key.read_text().strip()) as found:
        me = found.me()
        assert (me["name"], me["kind"]) == ("Strange", "bot")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("/no/such/engine", "cannot be started: No such file or directory"),
        (f"{sys.executable} -c pass", "does not say hello: its process ended with exit code 0"),
        ("'", "cannot be read: No closing quotation"),
    ],
)
def test_an_engine_that_does_not_start_is_named(
    lonja: Lonja, player: Client, command: str, sentence: str
) -> None:
    done = lonja("bot", "run", "--engine", command, "--url", player.url, "--key", player.key)
    assert done.exit_code == 2
    assert sentence in " ".join(done.stderr.split())


def test_without_a_key_there_is_no_player(lonja: Lonja, player: Client, tmp_path: Path) -> None:
    done = lonja("bot", "run", "--engine", engine(tmp_path), "--url", player.url)
    assert done.exit_code == 2
    assert "--key-file" in done.stderr
