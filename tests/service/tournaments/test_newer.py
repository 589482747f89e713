"""Unknown parts of a tournament's record are reported as newer, not as failures."""

import copy
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED, NEWER
from service.records.game_file import Record
from service.tournaments.record import export
from service.tournaments.tournament import Tournament
from tests.service.cli import records
from tests.service.tournaments.conftest import Check, Hall
from tests.service.tournaments.forging import File, Forger, forger_of
from tests.service.tournaments.test_forged import small
from tests.service.tournaments.test_other_verifier import text_of
from tests.service.verifier import additions
from tests.service.verifier.programs import reports

__all__ = ["small"]

Add = Callable[[File], None]
PART = {"flowers": 3}


def event_of(file: File, kind: str) -> JsonObject:
    return next(event for event in file.stream if event["kind"] == kind)


def at(kind: str, /, *path: str | int, **members: object) -> Add:
    """Set members of an object in the first event of a kind."""

    def add(file: File) -> None:
        inner: Any = event_of(file, kind)
        for key in path:
            inner = inner[key]
        inner.update(members)

    return add


def part(kind: str) -> Add:
    return lambda file: additions.add_part(event_of(file, kind), "flowers", PART)


def insert(file: File, index: int) -> None:
    """Insert an event of an unknown kind before the event at an index."""
    stream = file.stream
    seq = index + 1
    after = stream[min(index, len(stream) - 1)]
    inside = index < len(stream) and index > 0 and stream[index - 1]["last"] == after["last"]
    for event in stream:
        event["seq"] += event["seq"] >= seq
        event["last"] += event["last"] >= seq
    blessed = {
        **copy.deepcopy(after), "seq": seq, "kind": "blessed", "by": {"saint": "barbara"},
        "last": after["last"] if inside else seq, "body": {"grace": PART},
        "nonces": {}, "parts": {}, "audiences": {"grace": "public"},
    }  # fmt: skip
    stream.insert(index, blessed)


def tie_break(file: File) -> None:
    event_of(file, "created")["body"]["created"]["plan"]["tie_breaks"].append("fair_play")


PLAN = ("created", "body", "created", "plan")
FIELDS: tuple[tuple[Any, ...], ...] = (
    PLAN, (*PLAN, "entries", 0), (*PLAN, "failures"), (*PLAN, "format"),
    ("created", "body", "created", "chance"), ("code_declared", "body", "code_declared"),
    ("code_declared", "body", "code_declared", "bots", 0), ("paired", "body", "paired"),
    ("block_ended", "body", "block_ended"), ("block_ended", "body", "block_ended", "games", 0),
    ("ended", "body", "ended"), ("ended", "body", "salt"), ("created", "by"), ("paired", "by"),
)  # fmt: skip
KINDS = ("created", "started", "code_declared", "paired", "block_ended", "ended")
ADDITIONS: Mapping[str, Add] = {
    **{f"field of {'.'.join(map(str, path))}": at(*path, flowers=PART) for path in FIELDS},
    **{f"part of {kind}": part(kind) for kind in KINDS},
    **{f"field of the line of {kind}": at(kind, flowers=PART) for kind in KINDS},
    "entry": at(*PLAN, "entries", 1, kind="engine"),
    "rotations": at(*PLAN, rotations="drawn"),
    "points": at(*PLAN, points="goals"),
    "luck": at(*PLAN, luck="week"),
    "tie-break": tie_break,
    "format": at(*PLAN, format={"type": "elimination", "lives": 2}),
    "failures": at(*PLAN, "failures", then="replace"),
    "end": at("ended", "body", "ended", reason="rained_off"),
    "service": at("paired", "by", service="matchmaker"),
    "status": lambda file: file.header.update(status="rained_off"),
    "header": lambda file: file.header.update(flowers=PART),
    "figures": lambda file: file.header["report"].update(figures=2),
    "report": lambda file: file.header["report"].update(flowers=PART),
}
IN_GAMES = {
    name: additions.IN_PLACE[name]
    for name in (
        "a new field of created.body.game", "a new mode of entropy", "a new part of moved",
        "a new status", "a new field of the header", "another end", "luck that stays closed",
    )
}  # fmt: skip


class Cup:
    """A tournament whose record is signed again after a change."""

    def __init__(self, hall: Hall, held: Tournament) -> None:
        self.file = File.of(export.lines(hall.runtime, held))
        self.forger: Forger = forger_of(hall, held)

    def with_(self, *changes: Add) -> File:
        changed = copy.deepcopy(self.file)
        for change in changes:
            change(changed)
        report = changed.header["report"]
        more = {"status": changed.header["status"], "report": report}
        forged = self.forger.forge(changed)
        forged.header.update(more)
        return forged

    def with_games(self, change: Callable[[Record], None]) -> File:
        return self.forger.forge_games(copy.deepcopy(self.file), change)


def test_an_addition_is_newer_and_named_alike_by_both(
    hall: Hall, small: Tournament, check: Check, tmp_path: Path
) -> None:
    cup = Cup(hall, small)
    made = {name: cup.with_(add) for name, add in ADDITIONS.items()}
    made |= {
        f"kind before {index + 1}": cup.with_(partial(insert, index=index))
        for index in range(len(cup.file.stream) + 1)
    }
    made |= {f"{name} in games": cup.with_games(add) for name, add in IN_GAMES.items()}
    theirs = reports(tmp_path, (text_of(file.lines()) for file in made.values()))
    wrong = {}
    for (name, file), their in zip(made.items(), theirs, strict=True):
        our = check(file.lines()).to_json()
        if (our["verdict"], their["verdict"]) != (NEWER, NEWER):
            wrong[name] = [
                *(failure for check in our["checks"] for failure in check["failures"]),
                *(f["en"] for f in their["findings"] if f["severity"] != "note"),
            ]
        elif not our["newer"] == their["newer"] != []:
            wrong[name] = [our["newer"], their["newer"]]
    assert wrong == {}


def other_seed(file: File) -> None:
    event_of(file, "ended")["body"]["ended"]["seed"] = "5eed" * 16


def other_pick(file: File) -> None:
    """Give a game's draw another pick than that of its seed, and sign the game again."""
    event = next(e for e in file.games[0].copies if e["kind"] == "chanced" and e["body"]["picks"])
    picks, sizes = event["body"]["picks"], event["body"]["draw"]["sizes"]
    picks[0] = (picks[0] + 1) % sizes[0]
    file.games[0] = records.forge(file.games[0])


def other_proof(file: File) -> None:
    file.stream[2]["state_proof"] = "0" * 64


def other_causer(file: File) -> None:
    event_of(file, "paired")["by"] = {"player": "p-1"}


@pytest.mark.parametrize("addition", ["entry", "part of paired", "header", "kind"])
def test_what_is_known_is_judged_all_the_same(
    hall: Hall, small: Tournament, check: Check, tmp_path: Path, addition: str
) -> None:
    cup = Cup(hall, small)
    add = ADDITIONS.get(addition, partial(insert, index=5))
    forged = [cup.with_(change, add) for change in (other_seed, other_pick, other_causer)]
    forged.append(cup.with_(add))
    other_proof(forged[-1])
    theirs = reports(tmp_path, (text_of(file.lines()) for file in forged))
    ours = [check(file.lines()).verdict for file in forged]
    assert ours == [FAILED] * 4
    assert [their["verdict"] for their in theirs] == [FAILED] * 4
