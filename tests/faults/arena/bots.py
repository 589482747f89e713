"""Ten bots of an owner: kits in three languages, raw ones, and a faulty one; all may be killed."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from service.cli.bot.new import COMPILE
from tests.faults import processes
from tests.faults.people import Client
from tests.running import ROOT, environment

HERE = Path(__file__).parent
ENGINE_FAULTS = ("engine_crashes", "engine_floods", "engine_lies")
"""The faults of engines, which play by ``lonja bot run``."""
HARMLESS = ("", "floods", "twice", "other_seat", "old_questions", "lies", "engine_floods")
"""The faults that cost a bot no decision."""
FAULTS = (
    "hangs", "crashes", "late", "floods", "twice", "other_seat", "old_questions", "lies",
    *ENGINE_FAULTS,
)  # fmt: skip
RAW = ("raw-1", "raw-2", "raw-3", "raw-4", "raw-5", "raw-6")
FAULTY = "faulty"

_CHOICES = {
    "python": (
        r"(def choose.*?:\n).*?(?=\n\n\n)",
        '    return (len(question["legal"]) ** 2 // 3 + question["seat"]) % len(question["legal"])',
    ),
    "javascript": (
        r"(function choose.*?\{\n).*?(?=\n\}\n)",
        (
            "  const legal = question.legal.length;\n"
            "  return (Math.floor((legal * legal) / 3) + question.seat) % legal;"
        ),
    ),
    "c": (
        r"(static int choose.*?\{\n).*?(?=\n\}\n)",
        (
            '    int legal = json_length(json_member(question, "legal"));\n'
            '    return (legal * legal / 3 + atoi(json_member(question, "seat"))) % legal;'
        ),
    ),
}
"""By language, the body of the kit's function ``choose``, and what its author puts there."""


def choice(seat: int, legal: int) -> int:
    """Return the index that every sound bot chooses, of the number ``legal`` of moves.

    It does not depend on the number of the decision: that is another one after an outage.
    """
    return (legal**2 // 3 + seat) % legal


class Bot(NamedTuple):
    """A bot account, and the command that plays for it."""

    name: str
    id: str
    command: tuple[str, ...]
    said: Path
    """The file to which it writes the answers that were acknowledged."""

    def acknowledged(self) -> list[JsonObject]:
        """Return the game, seat and decision of each acknowledged answer."""
        if not self.said.exists():
            return []
        lines = [orjson.loads(line) for line in self.said.read_bytes().split(b"\n")[:-1] if line]
        found = [line.get("answered", line) for line in lines]
        return [one for one in found if "decision" in one and "failure" not in one]


class Bots:
    """The processes of bots, which are started again when they have ended."""

    def __init__(self, bots: Sequence[Bot], log: Path) -> None:
        self.bots = bots
        self._log = log
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def keep_up(self) -> None:
        """Start every bot that does not run."""
        for bot in self.bots:
            process = self.processes.get(bot.name)
            if process is None or process.poll() is not None:
                with bot.said.open("ab") as said, self._log.open("ab") as log:
                    self.processes[bot.name] = subprocess.Popen(
                        bot.command, env=environment(""), cwd=ROOT, stdin=subprocess.DEVNULL,
                        stdout=said, stderr=log,
                    )  # fmt: skip

    def answers(self) -> int:
        """Return how many answers were acknowledged so far."""
        return sum(len(bot.acknowledged()) for bot in self.bots)

    def kill_one(self, rng: random.Random) -> None:
        """Kill a bot, with its engine or without."""
        process = self.processes[rng.choice(self.bots).name]
        if rng.randrange(2):
            processes.kill_tree(process)
            return
        pids = processes.descendants(process.pid) or [process.pid]
        processes.kill(rng.choice(pids))

    def end(self) -> None:
        for process in self.processes.values():
            processes.kill_tree(process)


def written(folder: Path) -> dict[str, str]:
    """Write a bot of each kit with ``lonja bot new``; return the command lines by language."""
    lines = {}
    for language, (pattern, body) in _CHOICES.items():
        subprocess.run(
            [sys.executable, *processes.LONJA, "bot", "new", language, "--lang", language],
            env=environment(""), cwd=folder, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        program = next(file for file in (folder / language).glob("bot.*") if file.suffix != ".toml")
        text, changed = re.subn(pattern, rf"\g<1>{body}", program.read_text(), flags=re.DOTALL)
        assert changed == 1
        program.write_text(text)
        if language in COMPILE:
            subprocess.run(COMPILE[language].split(), cwd=program.parent, check=True)
        name = {"python": f"{sys.executable} -S {program}", "javascript": f"node {program}"}
        lines[language] = name.get(language, str(program.with_name("bot")))
    return lines


def accounts(owner: Client, folder: Path, fault: str, signal: Path, takes: JsonObject) -> list[Bot]:
    """Make the accounts of ten bots, the last of them faulty; return them in this order."""
    url = f"http://127.0.0.1:{owner.port}"
    engines = written(folder)
    if fault in ENGINE_FAULTS:
        engines[FAULTY] = f"{sys.executable} -S {HERE / 'engine.py.txt'} {fault} {signal}"
    found = []
    for name in ("python", "javascript", "c", *RAW, FAULTY):
        form = {"name": name, "version": "1", "takes": [takes], "concurrency": 4}
        made = owner.post("/v1/players/me/bots", form)
        key, said = folder / f"{name}.key", folder / f"{name}.said"
        key.write_text(made["key"])
        if name in engines:
            command: tuple[str, ...] = (
                sys.executable, *processes.LONJA, "bot", "run", "--engine", engines[name],
                "--url", url, "--key-file", str(key), "--json",
            )  # fmt: skip
        else:
            wrong = fault if name == FAULTY else "none"
            program = str(HERE / "stranger.py.txt")
            command = (
                sys.executable, "-S", program, url, made["key"], str(said), wrong, str(signal),
            )  # fmt: skip
        found.append(Bot(name, made["id"], command, said))
    return found


@contextmanager
def playing(bots: Sequence[Bot], log: Path) -> Iterator[Bots]:
    """Run the bots; kill them afterwards."""
    found = Bots(bots, log)
    try:
        found.keep_up()
        yield found
    finally:
        found.end()
