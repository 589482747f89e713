"""Bots in processes of their own: they give the same answers, and can always be ended."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from rules.kernel.record.batch import CRASHED, TOO_SLOW
from service import settings
from service.cli import local
from service.process import limits, procfs, stopwatch
from service.process.limits import KILLED, Limit, StoppedError, TookTooLongError
from service.process.stopwatch import ElapsedTime, Stopwatch
from tests.running import ROOT
from tests.service.cli import records
from workers import bots, deciding
from workers.deciding import BotFailure, answer, decide, decide_apart
from workers.engines import modules, pool, protocol
from workers.engines.engine import Engine
from workers.engines.engine_process import EngineFailedError, EngineProcess

OWN = ("crashing", "cheating", "former", "stubborn", "hanging", "killed")


@pytest.fixture(autouse=True)
def _own_bots() -> Iterator[None]:
    bots.install(f"tests.bots.{name}" for name in OWN)
    modules.know_rules(settings.load({"LONJA_EXTRA_RULESETS": "tests.sealed"}))
    yield
    pool.close_all()


def table(bot: str, ruleset: str = "sealed", nodes: int | None = None) -> local.LocalGame:
    """Open a table at which a bot has a choice."""
    settings = {} if nodes is None else {"nodes": nodes}
    holder = {"bot": bot, "version": "1", "settings": settings}
    found = local.start(records.REGISTRY, ruleset, [holder, holder], {}, "engines")
    while len(found.game.ruleset.legal_moves(found.game.state, min(found.game.asked))) == 1:
        found.change(answer(found.game, min(found.game.asked), found.secrets.salt))
    return found


def started_by(*command: str) -> Engine:
    return Engine(lambda: EngineProcess(command, {**os.environ}))


def ask(found: local.LocalGame, limit: Limit) -> BotFailure:
    with pytest.raises(BotFailure) as failed:
        answer(found.game, min(found.game.asked), found.secrets.salt, limit)
    return failed.value


@pytest.mark.parametrize("ruleset", ["sealed", "santiago_de_cuba", "ragusa"])
def test_it_decides_as_it_would_in_our_process(ruleset: str) -> None:
    found = table("former", ruleset, 50)
    for _ in range(12):
        game, salt, seat = found.game, found.secrets.salt, min(found.game.asked)
        apart = decide_apart(game, seat, salt, Limit(10))
        assert apart == decide(game, seat, salt)
        found.change(apart.record)


def test_what_it_raises_and_answers_is_its_own() -> None:
    found = table("crashing")

    def play_on() -> None:
        while not found.game.over:
            found.change(answer(found.game, min(found.game.asked), found.secrets.salt))

    with pytest.raises(BotFailure, match=r"\AZeroDivisionError: a bot's own mistake\Z") as failed:
        play_on()
    assert failed.value.cause == CRASHED
    cheating = table("cheating")
    decided = decide_apart(
        cheating.game, min(cheating.game.asked), cheating.secrets.salt, Limit(10)
    )
    with pytest.raises(BotFailure, match="IllegalMove"):
        cheating.change(decided.record)


def test_one_that_catches_everything_is_ended_by_its_processor_time() -> None:
    found = table("stubborn")
    began, spent = time.monotonic(), pool.spent_ns()
    failure = ask(found, Limit(0.4))
    assert (failure.cause, str(failure)) == (
        TOO_SLOW, "TookTooLongError: no answer within 0.4 s of processor time",
    )  # fmt: skip
    assert pool.spent_ns() - spent > 0.3e9
    assert time.monotonic() - began < 60
    assert modules.of("tests.bots.stubborn").pid is None
    ask(found, Limit(0.1))  # another process


def test_one_that_sleeps_is_ended_though_it_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ASLEEP_SECONDS", 0.2)
    failure = ask(table("hanging"), Limit(0.2))
    assert failure.cause == TOO_SLOW
    assert "asleep for" in str(failure)


def test_who_is_killed_from_outside_has_not_failed() -> None:
    with pytest.raises(StoppedError, match="ended by SIGKILL") as stopped:
        ask(table("killed"), Limit(10))
    assert stopped.value.reason == KILLED


def test_a_process_waits_while_one_of_its_descendants_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """As bwrap, which sleeps while the engine in its sandbox waits for a processor."""
    monkeypatch.setattr(stopwatch, "_family", lambda pid: iter((pid, pid + 1)))
    monkeypatch.setattr(procfs, "processor_seconds", lambda _pid: 0.0)
    monkeypatch.setattr(procfs, "waiting_seconds", lambda _pid: 0.0)
    monkeypatch.setattr(procfs, "state", lambda pid: "S" if pid == 1 else "R")
    watch = Stopwatch(1)
    time.sleep(0.05)
    passed = watch.look(0.05)
    assert passed.waiting >= 0.05
    assert passed.asleep < 0.05


@pytest.mark.parametrize(
    "passed",
    [
        ElapsedTime(processor=9.9, waiting=0, elapsed=9.9),
        ElapsedTime(processor=1, waiting=0, elapsed=12.9),
        ElapsedTime(processor=1, waiting=80, elapsed=90),
    ],
    ids=["works", "sleeps a little", "waits"],
)
def test_a_bot_may_go_on(passed: ElapsedTime) -> None:
    Limit(10).judge(passed)


@pytest.mark.parametrize(
    ("limit", "passed", "error", "told"),
    [
        (
            Limit(10),
            ElapsedTime(10, 90, 100),
            TookTooLongError,
            "no answer within 10 s of processor",
        ),
        (Limit(10), ElapsedTime(1, 0, 13), TookTooLongError, "no answer, asleep for 12 s"),
        (Limit(10), ElapsedTime(1, 100, 102), StoppedError, "waited 100 s of 102 for a processor"),
        (Limit(1, by_wall=True), ElapsedTime(0, 1, 1), TookTooLongError, r"no answer within 1 s\Z"),
    ],
    ids=["took too long", "slept", "starved", "by the wall, whatever it did"],
)
def test_whose_fault_a_stop_is_follows_from_how_a_bot_passed_its_time(
    limit: Limit, passed: ElapsedTime, error: type[BaseException], told: str
) -> None:
    with pytest.raises(error, match=told):
        limit.judge(passed)


def test_who_has_no_processor_is_seen_to_wait() -> None:
    """A process that runs only on an idle processor, beside a busy one."""
    one = {min(os.sched_getaffinity(0))}
    forever = [sys.executable, "-c", "while True: pass"]

    busy, starved = subprocess.Popen(forever), subprocess.Popen(forever)
    asleep = subprocess.Popen(["/bin/sleep", "1000"])
    try:
        os.sched_setaffinity(busy.pid, one)
        os.sched_setaffinity(starved.pid, one)
        os.sched_setscheduler(starved.pid, os.SCHED_IDLE, os.sched_param(0))
        seen = Stopwatch(starved.pid), Stopwatch(asleep.pid)
        time.sleep(1.5)
        waits, sleeps = (each.look(1.5) for each in seen)
    finally:
        for process in (busy, starved, asleep):
            process.kill()
            process.wait()
    assert waits.waiting > 0.75 * waits.elapsed
    assert waits.asleep < 0.3
    assert sleeps.asleep > 1
    assert sleeps.waiting < 0.3


SAYS = """
import json, sys, time
hello = json.loads(sys.stdin.readline())
assert hello["hello"]["protocol"] == 1, hello
print(json.dumps({"hello": {"protocol": 1, "unknown": [1]}, "more": 2}), flush=True)
for line in sys.stdin:
    question = json.loads(line).get("question")
    if question is not None:
        print(json.dumps({"unknown": 1}), json.dumps({"answer": {"id": -1, "move": 0}}), sep="\\n")
        print(json.dumps({"answer": {"id": question["id"], **ANSWER}}), flush=True)
"""


def says(answer_: dict[str, object]) -> Engine:
    """Return an engine that says hello and gives one answer: a program of a stranger."""
    return started_by(sys.executable, "-c", f"ANSWER = {answer_!r}{SAYS}")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"move": 1, "more": None}, ""),
        ({"move": {"type": "bid", "amount": 1}, "thoughts": {"sure": True}, "nodes": 3}, ""),
        ({"move": 99}, "it answers 99, and has 2 legal moves"),
        ({"move": True}, "it answers True"),
        ({"thoughts": {}}, "in which is no move"),
        ({"move": 0, "nodes": -1}, "it counts -1 nodes"),
        ({"move": 0, "thoughts": {"value": 0.5}}, "it answers what no record can hold"),
    ],
)
def test_an_engine_is_any_program_that_answers_in_lines(
    given: dict[str, object], told: str
) -> None:
    found = table("former", nodes=5)
    seat = min(found.game.asked)
    legal = found.game.ruleset.legal_moves(found.game.state, seat)[:2]
    question = deciding.question(found.game, seat, found.secrets.salt, legal)
    engine = says(given)
    try:
        if told:
            with pytest.raises(EngineFailedError, match=told):
                engine.ask(question, Limit(10))
        else:
            answered = engine.ask(question, Limit(10))
            assert answered.thoughts == given.get("thoughts", {})
            move = given["move"]
            assert answered.move == (legal[move].to_json() if isinstance(move, int) else move)
        assert engine.pid is not None, "it may answer the next question"
    finally:
        engine.close()


def test_a_flood_ends_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    flood = "import sys\nsys.stdin.readline()\nwhile True: print('x' * 1000)"
    engine = started_by(sys.executable, "-c", flood)
    with pytest.raises(EngineFailedError, match="it says what is no JSON"):
        engine.ask({"legal": []}, Limit(10))
    monkeypatch.setattr("workers.engines.engine.LONGEST_LINE", 100_000)
    flood = flood.replace("print('x' * 1000)", "sys.stdout.write('x' * 1000)")
    engine = started_by(sys.executable, "-c", flood)
    with pytest.raises(EngineFailedError, match="it says more than 100000 bytes"):
        engine.ask({"legal": []}, Limit(10))
    assert engine.pid is None


def test_an_engine_knows_nothing_of_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://secret")
    monkeypatch.setenv("LONJA_SECRETS_KEY", "ab" * 32)
    told = modules.environment()
    assert "redis://secret" not in orjson.dumps(told).decode()
    assert "ab" * 32 not in told.values()
    assert told["LONJA_EXTRA_RULESETS"] == "tests.sealed"


def test_what_is_called_meanwhile_may_end_the_question() -> None:
    def leave() -> None:
        raise pool.ProcessEndingError

    pool.call_meanwhile(leave)
    try:
        found = table("hanging")
        with pytest.raises(pool.ProcessEndingError):
            answer(found.game, min(found.game.asked), found.secrets.salt, Limit(60))
    finally:
        pool.call_meanwhile(None)
    assert modules.of("tests.bots.hanging").pid is None


def test_it_is_killed_with_its_worker(tmp_path: object) -> None:
    """Even an engine that catches all exceptions, if its worker is killed."""
    worker = f"""
import sys, threading, time
sys.path[:] = {sys.path!r}
from tests.workers.test_engines import table, Limit, answer, bots, modules, pool, settings
bots.install(["tests.bots.stubborn"])
modules.know_rules(settings.load({{"LONJA_EXTRA_RULESETS": "tests.sealed"}}))
found = table("stubborn")
engine = modules.of("tests.bots.stubborn")
pool.call_meanwhile(lambda: print(engine.pid, flush=True))
answer(found.game, min(found.game.asked), found.secrets.salt, Limit(60))
"""
    started = subprocess.Popen([sys.executable, "-c", worker], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    with started.stdout:
        engine = int(started.stdout.readline())
        started.send_signal(signal.SIGKILL)
        started.wait()
    for _ in range(600):
        try:
            os.kill(engine, 0)
        except ProcessLookupError:
            return
        threading.Event().wait(0.05)
    raise AssertionError("it goes on")


PAGE = (ROOT / "docs/engines.md").read_text(encoding="utf-8")


def test_the_engine_that_is_shown_plays(tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "first.py").write_text(program)
    engine = started_by(sys.executable, str(tmp_path / "first.py"))
    found = table("former", nodes=5)
    game, seat = found.game, min(found.game.asked)
    legal = game.ruleset.legal_moves(game.state, seat)
    question = deciding.question(game, seat, found.secrets.salt, legal)
    try:
        first, again = (engine.ask(question, Limit(10)) for _ in range(2))
    finally:
        engine.close()
    assert first == again
    assert first.move in [move.to_json() for move in legal]
    assert engine.hello["name"] == "first"


def test_the_messages_that_are_shown_are_ours() -> None:
    texts = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    hello, own, question, answer_, error = (
        orjson.loads(text) for block in texts for text in block.replace("\n  ", " ").splitlines()
    )
    assert hello["hello"].keys() == protocol.service_hello().keys()
    protocol.need_version(own["hello"])
    found = table("former", nodes=5)
    seat = min(found.game.asked)
    legal = found.game.ruleset.legal_moves(found.game.state, seat)
    asked = deciding.question(found.game, seat, found.secrets.salt, legal)
    assert question["question"].keys() == {"id", "limit", *asked}
    assert question["question"]["limit"] == Limit(10).to_json()
    assert protocol.read_answer(answer_["answer"], asked["legal"]).thoughts == {"sure": True}
    assert error["error"].keys() == {"id", "code", "message", "again"}
