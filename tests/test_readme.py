"""Runs the program and the commands of the README, and names the tests of each promise."""

import ast
import re
import sys
from pathlib import Path

from tests.faults.processes import free_port
from tests.running import ROOT
from tests.tours import bare_environment, blocks_of, run, serving, set_up

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"^```python\n# (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROMISES = {
    "A move sent twice with one idempotency key counts once, and gets the same answer twice.": (
        "tests/service/api/resources/test_play.py::test_a_repeated_move_gets_the_same_answer",
    ),
    "Verification finds every event of a record that was edited, moved or removed.": (
        "tests/service/cli/test_verify.py::test_every_field_of_every_kind_of_event_is_guarded",
        "tests/service/cli/test_verify.py::test_a_record_cut_inside_a_batch_is_found",
    ),
    "A receipt that you kept shows whether the service has rewritten the game.": (
        "tests/service/cli/test_verify.py::test_a_perfect_forgery_is_found_by_a_kept_receipt",
    ),
    "Witnesses co-sign one history of a service's games, and refuse every other one.": (
        "tests/service/publishing/test_attacks.py::test_two_players_are_shown_two_forks",
        "tests/service/witnessing/test_witness.py::test_a_fork_is_refused_and_kept",
    ),
    "Nobody alone chooses the luck of a game to which a player gave entropy.": (
        "tests/service/api/test_tables.py::test_entropy_from_the_seats",
        "tests/rules/kernel/contract/test_chance.py::test_the_key_binds_scope_and_entropy",
    ),
    "The moves of bots can be computed again from the record.": (
        "tests/service/cli/test_verify.py::test_a_bot_that_was_helped_shows_when_recomputed",
    ),
    "What the rules hide from a player changes no byte of what that player is sent.": (
        "tests/service/api/test_twins.py::test_twins_look_the_same",
    ),
    "A live stream whose connection broke continues without a gap.": (
        "tests/service/api/test_slow_readers.py::test_a_slow_reader_is_cut_and_goes_on_without_a_gap",
    ),
    "What is acknowledged is kept, whatever process is killed.": (
        "tests/faults/test_crash_web.py::test_kill_the_process",
        "tests/faults/test_crash_web.py::test_kill_redis",
        "tests/faults/test_crash_web.py::test_kill_everywhere",
    ),
    "All five games can be played by keyboard alone.": (
        "tests/client/test_play.py::test_a_game_by_keyboard_alone",
        "tests/client/test_play.py::test_every_game",
    ),
    "A client that knows no rules can play every game.": (
        "tests/clients/test_programs.py::test_the_bot_of_the_guide",
    ),
}
"""The tests that hold each promise, by name; some have a campaign beside them."""


def test_the_program_plays_and_its_game_is_proved(
    tmp_path: Path, redis_binary: Path | None
) -> None:
    folder, environment, port = set_up(tmp_path), bare_environment(redis_binary), free_port()
    python = folder / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    ((name, program),) = PROGRAM.findall(README)
    (folder / name).write_text(program.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    assert len(program.split("\n\n", 1)[1].splitlines()) <= 10
    first, *commands = blocks_of(README)
    assert first.commands.startswith("make serve")
    with serving(folder, environment, port):
        outputs = run(commands, folder, environment, port)
    assert "Every check passed." in outputs[-1]
    assert (folder / "ana.ndjson").read_bytes() == (folder / "game.ndjson").read_bytes()


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_each_promise_is_held_by_tests() -> None:
    section = README.partition("\n## What Lonja promises\n")[2].partition("\n## ")[0]
    assert re.findall(r"^- (.*)$", section, re.MULTILINE) == list(PROMISES)
    for names in PROMISES.values():
        for path, _, name in (node.partition("::") for node in names):
            functions = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
            assert name in {f.name for f in functions if isinstance(f, ast.FunctionDef)}, name
