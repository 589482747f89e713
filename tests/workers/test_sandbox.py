"""Engines of strangers in sandboxes: what they see, what they may use, and what ends them.

A sample runs always; the campaign ``sandbox`` has all attacks, as root and as another user.
"""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from service import settings
from service.catalogue.engines import EngineLimits, ForeignEngine, folder_digest
from service.cli import local
from service.process import procfs
from service.process.limits import Limit
from tests import running
from tests.campaigns import Figure
from tests.faults import processes
from tests.running import ROOT
from tests.service.cli import records
from tests.workers import hostile
from tests.workers.hostile import SOMEBODY, Outcome, as_user, face
from workers import bots
from workers.deciding import answer, decide_apart
from workers.engines import pool, sandbox, seccomp, strangers
from workers.recompute import check_bots

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH")

FAILED, TOO_LONG = "EngineFailedError", "TookTooLongError"
RAN_OUT: tuple[str, str, dict[str, Any]] = (TOO_LONG, "of processor time", {})
FLOODED: tuple[str, str, dict[str, Any]] = (FAILED, "it says more than 4194304 bytes", {})
OUTCOMES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "forks": (FAILED, "PermissionError", {}),
    "forks and does not mind": RAN_OUT,
    "starts threads": ("", "", {"threads": 8}),
    "takes 10 GB": (FAILED, "MemoryError", {}),
    "takes 10 GB that do not count": (FAILED, "it uses more than 128 MB of memory", {}),
    "shares memory": (FAILED, "Function not implemented", {}),
    "never ends": RAN_OUT,
    "never ends, in C": RAN_OUT,
    "catches everything": RAN_OUT,
    "ignores signals": RAN_OUT,
    "sleeps": (TOO_LONG, "asleep for", {}),
    "prints a gigabyte": FLOODED,
    "complains by the gigabyte": FLOODED,
    "prints line by line": FLOODED,
    "fills the disk": ("", "", {"bytes": sandbox.TEMPORARY_BYTES, "error": 28}),
    "makes files": (FAILED, "it has more than 10000 temporary files", {}),
    # The first process of a sandbox is bwrap's own, and cannot be killed from within.
    "kills everybody": ("", "", {"killed": [1], "own": 2, "parent": 1}),
    "kills itself": (FAILED, "its process ended with SIGKILL", {}),
    "leaves": (FAILED, "its process ended with exit code 0", {}),
    "crashes": (FAILED, "its process ended with SIGSEGV", {}),
    "calls out": ("", "", {"refused": [1, 1, 1, 1]}),
    "asks for more": ("", "", {"got": [], "memory": 128 << 20, "files": sandbox.MOST_OPEN_FILES}),
}
SAMPLE = (
    "forks", "starts threads", "takes 10 GB that do not count", "never ends, in C",
    "catches everything", "complains by the gigabyte", "kills everybody", "calls out",
    "asks for more",
)  # fmt: skip
USERS = [pytest.param(0, id="as root"), pytest.param(SOMEBODY, id="as somebody")]

FIRST = """
import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        told = {"hello": {"protocol": 1, "deterministic": True}}
    elif "question" in message:
        asked = message["question"]
        move = random.Random(asked["seed"]).randrange(len(asked["legal"]))
        told = {"answer": {"id": asked["id"], "move": move, "thoughts": {"seat": asked["seat"]}}}
    else:
        continue
    print(json.dumps(told), flush=True)
"""
"""An engine that does no harm."""


def expect(found: Outcome, program: str) -> None:
    error, told, thoughts = OUTCOMES[program]
    assert (found.error, found.thoughts) == (error, thoughts), found
    assert told in found.told


def nothing_is_left() -> bool:
    """Whether no process of a sandbox runs that was started here; other tests may have a server."""
    living = [pid for pid in procfs.children(os.getpid()) if procfs.is_alive(pid)]
    return not [pid for pid in living if b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.parametrize("program", SAMPLE)
def test_an_attack_changes_nothing_outside(program: str) -> None:
    expect(face(program, 0.3), program)


@pytest.mark.campaign("sandbox")
@pytest.mark.parametrize("program", OUTCOMES)
@pytest.mark.parametrize("user", USERS)
def test_no_attack_succeeds(program: str, user: int, record_property: Figure) -> None:
    found = as_user(user, partial(face, program, 2.0))
    expect(found, program)
    assert found.spent < 2.5
    record_property("attacks", 1)
    record_property("processor seconds at most", round(found.spent, 2))


@pytest.mark.parametrize("user", USERS)
def test_an_engine_sees_nothing_but_its_folder_and_the_programs_of_the_system(user: int) -> None:
    wanted = ("/root", "/home", "/run", "/var", "/sys", "/etc/passwd", "/etc/hosts", str(ROOT))
    found = as_user(user, partial(face, "looks around", 5.0, wanted))
    assert found.error == "", found
    seen = found.thoughts
    # What is in /etc leads to programs of /usr: Debian's alternatives, and the list of libraries.
    assert {path for path in seen["files"] if not path.startswith("/etc/alternatives/")} <= {
        "/dev/null", "/dev/random", "/dev/urandom", "/engine/engine.py", "/etc/ld.so.cache",
    }  # fmt: skip
    system = {"bin", "lib", "lib32", "lib64", "sbin", "usr", "proc"}
    assert set(seen["top"]) - system == {"dev", "engine", "etc", "tmp"}
    assert seen["found"] == []
    assert seen["writable"] == ["/tmp"]
    assert seen["environment"] == []
    assert (seen["descriptors"], seen["kinds"]) == ([0, 1, 2], ["pipe"] * 3)
    assert seen["processes"] == [1, seen["own"]], "itself, and bwrap's first process"
    assert (seen["user"], seen["groups"]) == (65534, [65534])
    assert seen["networks"] == ["lo"]
    assert seen["capabilities"] == ["0" * 16]


def test_it_does_not_run_between_two_questions() -> None:
    with hostile.folder_of("works between questions") as folder:
        engine = hostile.engine_in(folder)
        try:
            for _ in range(2):
                engine.ask({"legal": [hostile.Move().to_json()]}, Limit(5))
                (first,) = procfs.children(engine.pid or 0)
                (own,) = procfs.children(first)
                while procfs.state(own) != "T":
                    time.sleep(0.01)
        finally:
            engine.close()
    assert nothing_is_left()


@pytest.mark.parametrize("user", USERS)
def test_it_ends_with_its_worker(user: int) -> None:
    """Even one that ignores signals, when its worker is killed without a word."""
    with hostile.folder_of("ignores signals") as folder:

        def work() -> None:
            engine = hostile.engine_in(folder, lambda: os.kill(os.getpid(), signal.SIGKILL))
            engine.ask({"legal": [hostile.Move().to_json()]}, Limit(60))

        with pytest.raises(EOFError):
            as_user(user, work, always=True)
        deadline = time.monotonic() + 30
        while any(str(folder).encode() in told for told in command_lines()):
            assert time.monotonic() < deadline, "it goes on"
            time.sleep(0.1)


def command_lines() -> Iterator[bytes]:
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield file.read_bytes()


# engines of a file


@pytest.fixture
def engine() -> Iterator[ForeignEngine]:
    with hostile.folder_of("leaves") as folder:
        (folder / "engine.py").write_text(FIRST)
        found = ForeignEngine(
            "first", "1", ("python3", "engine.py"), folder, folder_digest(folder), ("sealed",),
            "live", {}, EngineLimits(memory_mb=128),
        )  # fmt: skip
        bots.install((), [found])
        yield found
        del bots.ENGINES["first", "1"]
        pool.close_all()


def open_table() -> local.LocalGame:
    holder = {"bot": "first", "version": "1", "settings": {}}
    return local.start(records.REGISTRY, "sealed", [holder] * 2, {}, "strangers")


def test_it_plays_and_its_moves_are_made_again(engine: ForeignEngine) -> None:
    table = open_table()
    while not table.game.over:
        seat = min(table.game.asked)
        table.change(answer(table.game, seat, table.secrets.salt))
    record = records.alone(records.record_of(table))
    moves = [copy["body"]["bot"] for copy in record.copies if copy["kind"] == "moved"]
    assert {move["digest"] for move in moves if "digest" in move} == {engine.digest}
    check = check_bots(record.game_id, record.copies, records.REGISTRY)
    assert (check.failures, check.skipped, check.checked) == ([], "", len(moves))
    assert len(strangers._used) <= strangers.MOST_PROCESSES
    del moves[0]["thoughts"]["seat"]
    (failure,) = check_bots(record.game_id, record.copies, records.REGISTRY).failures
    assert "plays the same, and thinks something else there" in failure


def test_each_seat_of_each_game_has_a_sandbox_of_its_own(engine: ForeignEngine) -> None:
    ids = []
    for game, seat in (("g1", 0), ("g1", 1), ("g2", 0), ("g1", 0)):
        running = strangers.of(engine, game, seat)  # type: ignore[arg-type]
        running.start()
        ids.append(running.pid)
    assert len(set(ids)) == 3
    assert ids[0] == ids[3]


def test_a_folder_that_has_changed_is_refused(engine: ForeignEngine) -> None:
    table = open_table()
    seat, salt = min(table.game.asked), table.secrets.salt
    decide_apart(table.game, seat, salt, Limit(10))
    (engine.folder / "more.txt").write_text("a book of openings")
    pool.close_all()
    with pytest.raises(bots.UnknownBotError, match=f"has the digest .*, not {engine.digest}"):
        decide_apart(table.game, seat, salt, Limit(10))
    assert f"not {engine.digest}" in (strangers.trouble(engine, records.REGISTRY) or "")
    (engine.folder / "more.txt").unlink()
    decide_apart(table.game, seat, salt, Limit(10))


def test_without_its_programs_engines_are_refused_with_a_sentence(
    engine: ForeignEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("workers.engines.seccomp.LIBRARY", "no-such-library.so")
    seccomp.program.cache_clear()
    told = "there is no sandbox, because programs are missing: install bubblewrap and"
    sentence = f"LONJA_ENGINES: first: {told} libseccomp2 and util-linux."
    with pytest.raises(settings.SettingsError) as refused:
        strangers.need_all([engine], records.REGISTRY)
    assert str(refused.value) == sentence
    table = open_table()
    with pytest.raises(bots.UnknownBotError, match=f"engine first@1: {told}"):
        decide_apart(table.game, min(table.game.asked), table.secrets.salt, Limit(10))


def test_an_engine_of_a_game_that_is_not_here_is_refused(engine: ForeignEngine) -> None:
    wrong = engine._replace(rulesets=("chess",))
    assert "there is no ruleset 'chess'" in (strangers.trouble(wrong, records.REGISTRY) or "")


@pytest.mark.campaign("sandbox")
def test_engines_play_a_tournament_that_anybody_can_recompute(
    tmp_path: Path, engine: ForeignEngine, record_property: Figure
) -> None:
    env = running.environment("", LONJA_DATA_DIR=str(tmp_path / "var"))
    del env["REDIS_URL"]
    (tmp_path / "var").mkdir()
    file, record = tmp_path / "engines.toml", tmp_path / "cup.ndjson"
    file.write_text(
        f'[[engine]]\nname = "first"\nversion = "1"\ncommand = ["python3", "engine.py"]\n'
        f'folder = "{engine.folder}"\ndigest = "{engine.digest}"\nrulesets = ["ragusa"]\n'
    )
    env["LONJA_ENGINES"] = str(file)
    said = processes.lonja(
        "tournament", "run", "--ruleset", "ragusa", "--entrants", "first,random", "--games", "8",
        "--seed", "1", "--workers", "2", "--output", str(record), env=env,
    )  # fmt: skip
    assert "first" in said
    told = orjson.loads(processes.lonja("verify", str(record), "--bots", "--json", env=env))
    assert told["verdict"] == "proved"
    record_property("games", 8)
