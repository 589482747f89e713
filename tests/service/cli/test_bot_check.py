"""``lonja bot check``: each fault of a bot is named, with messages that show it again."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.running import ROOT
from tests.service.cli.conftest import Lonja

BOT = """
import json, os, sys, time

def say(kind, **more):
    print(json.dumps({kind: {"id": question["id"], **more}}), flush=True)

hello = {"protocol": 1, "name": "b", "version": "1", "deterministic": True, "rulesets": ["sealed"]}
seen = {}
START
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print(json.dumps({"hello": hello}), flush=True)
    elif "question" in message:
        question = message["question"]
        known = seen.setdefault(question["game"], [])
        QUESTION
        known.append(question["version"])
        say("answer", move=0)
    elif "error" in message:
        seen.clear()
        ERROR
    else:
        OTHER
END
"""
FAULTS = {
    "another protocol": ("hello", {"START": 'hello["protocol"] = 2'}, "protocol 2, not 1"),
    "a wish unheard of": ("hello", {"START": 'hello["wants"] = ["wrods"]'}, "'wrods'"),
    "a claim": ("hello", {"START": 'hello["rulesets"] = ["chess"]'}, "'chess'"),
    "an endless loop": ("time", {"QUESTION": "while True: pass"}, "no answer within 1 s"),
    "an exit": (
        "crash", {"QUESTION": 'if question["seats"] == 3: sys.exit(5)'},
        "In sealed with 3 seats",
    ),
    "a flood": ("output", {"QUESTION": 'print("{}\\n" * 2_000_000)'}, "more than 4194304 bytes"),
    "an index": ("answer", {"QUESTION": 'say("answer", move=1000)'}, "1000, and has"),
    "a move": ("legal", {"QUESTION": 'say("answer", move={"type": "fly"})'}, "no legal move"),
    "a memory": (
        "restart", {"QUESTION": 'if not known and question["version"] > 12: sys.exit(5)'},
        "after a kill",
    ),
    "an oath": ("retry", {"ERROR": "sys.exit(5)"}, "After an error"),
    "a dislike": ("unknown", {"OTHER": "sys.exit(5)"}, "what a later version may add"),
    "a strictness": (
        "unknown", {"QUESTION": 'if "unknown_member" in question: sys.exit(5)'},
        "what a later version may add",
    ),
    "an impatience": (
        "cut", {"QUESTION": 'if question["version"] in known: sys.exit(5)'}, "once more",
    ),
    "a mood": (
        "deterministic",
        {"QUESTION": 'say("answer", move=sum(map(len, seen.values())) % len(question["legal"]))'},
        "first it answers",
    ),
    "a long life": ("end", {"END": "time.sleep(1000)"}, "runs on"),
}  # fmt: skip
"""Each planted fault: the check that names it, where it is planted, and what is told of it."""


def folder_of(folder: Path, **planted: str) -> Path:
    """Write a bot with a fault into a folder that everybody may read."""
    text = BOT
    for place in ("START", "QUESTION", "ERROR", "OTHER", "END"):
        text = text.replace(place, planted.get(place, "pass"))
    (folder / "bot.py").write_text(text)
    (folder / "bot.toml").write_text('name = "b"\nversion = "1"\ncommand = ["python3", "bot.py"]\n')
    return folder


def command_of(folder: Path) -> str:
    return shlex.join([sys.executable, str(folder / "bot.py")])


def checked(lonja: Lonja, *arguments: object, exit_code: int) -> Any:
    done = lonja("bot", "check", *arguments, "--seconds", "1", "--seed", "1", "--json")
    assert done.exit_code == exit_code, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("planted", FAULTS)
def test_a_planted_fault_is_named(
    lonja: Lonja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    monkeypatch.setattr("workers.engines.checks.END_SECONDS", 0.3)
    name, places, told = FAULTS[planted]
    bot = command_of(folder_of(tmp_path, **places))
    report = checked(lonja, bot, "-o", tmp_path / "fault.ndjson", exit_code=1)
    assert report["fault"]["check"] == name, report["fault"]["message"]
    assert told in report["fault"]["message"]
    assert [check for check, passed in report["checks"].items() if passed is False] == [name]
    lines = (tmp_path / "fault.ndjson").read_bytes()
    assert [json.loads(line) for line in lines.splitlines()] == report["fault"]["messages"]
    if "sys.exit" in "".join(places.values()):
        again = subprocess.run(shlex.split(bot), input=lines, capture_output=True, check=False)
        assert again.returncode == 5, "the same lines show it again"


def test_the_smallest_question_that_shows_it_is_told(lonja: Lonja, tmp_path: Path) -> None:
    bot = command_of(folder_of(tmp_path, QUESTION="sys.exit(5)"))
    fault = checked(lonja, bot, exit_code=1)["fault"]
    _hello, shown = fault["messages"]
    bot = command_of(folder_of(tmp_path, QUESTION='if question["decision"] > 9: sys.exit(5)'))
    later = checked(lonja, bot, exit_code=1)["fault"]["messages"][1]
    assert shown["question"]["decision"] < 9 < later["question"]["decision"]
    assert len(json.dumps(shown)) <= len(json.dumps(later))


def test_a_bot_without_a_fault_passes(lonja: Lonja, tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    report = checked(lonja, folder, "--seats", "2", exit_code=0)
    assert report["fault"] is None
    assert {*report["checks"].values()} == {True}
    done = lonja("bot", "check", command_of(folder), "--ruleset", "pig")
    assert done.exit_code == 2


def test_what_is_claimed_is_asked(lonja: Lonja, tmp_path: Path) -> None:
    """Members that it wants; and a bot that promises nothing need not keep it."""
    start = 'hello.update(wants=["words", "mask"], seats=[2], deterministic=False)'
    needs = 'assert question["words"] and question["mask"] and question["seats"] == 2'
    folder = folder_of(tmp_path, START=start, QUESTION=needs)
    report = checked(lonja, folder, exit_code=0)
    assert report["checks"]["deterministic"] is None


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH")
def test_the_sandbox_has_the_limits_of_a_service(lonja: Lonja) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        Path(place).chmod(0o755)
        folder = folder_of(Path(place), QUESTION='open("mark", "w").close()')
        checked(lonja, folder, exit_code=0)
        fault = checked(lonja, folder, "--sandbox", exit_code=1)["fault"]
        assert fault["check"] == "crash"
        assert "Read-only file system" in fault["message"]


def test_wrong_use_is_told_apart(lonja: Lonja, tmp_path: Path) -> None:
    bot = command_of(folder_of(tmp_path))
    for arguments, sentence in (
        (["/no/such/bot"], "cannot be started: No such file or directory"),
        (["'"], "cannot be read: No closing quotation"),
        ([tmp_path.parent], "has no bot.toml"),
        ([bot, "--ruleset", "seald"], "Did you mean 'sealed'?"),
        ([bot, "--seats", "9"], "nothing to ask"),
        ([bot, "--sandbox"], "needs the bot's folder"),
    ):
        done = lonja("bot", "check", *arguments)
        assert done.exit_code == 2, arguments
        assert sentence in " ".join(done.stderr.split())
    (tmp_path / "bot.toml").write_text('name = "b"')
    done = lonja("bot", "check", tmp_path)
    assert done.exit_code == 2
    assert "command: Missing data for required field." in " ".join(done.stderr.split())


def test_the_engine_that_the_page_shows_passes(lonja: Lonja, tmp_path: Path) -> None:
    page = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```python\n# first.py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "bot.py").write_text(text)
    checked(lonja, command_of(tmp_path), "--ruleset", "sealed", exit_code=0)
