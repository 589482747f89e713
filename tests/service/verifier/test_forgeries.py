"""The verifier in TypeScript finds all forgeries that need no rules, and fails no honest record."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED
from service.cli.verifying import UNREADABLE
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.test_forgeries import (
    EVERY_KIND,
    HONEST,
    KINDS,
    adds_a_field,
    forged_places,
    found,
    sealed_anew,
)
from tests.service.cli.test_verify import FORGERIES, flip, kinds_of_places
from tests.service.verifier.programs import reports, standing, text_of

Changed = tuple[tuple[Any, ...], Record]
THE_RULES_ALONE = (
    ("created", "body", "game", "data", "edition"),
    ("created", "body", "game", "options"),
    ("moved", "body", "move"),
    ("moved", "audiences", "move"),
    ("chanced", "audiences", "picks"),
    ("defaulted", "body", "move"),
    ("defaulted", "audiences", "move"),
    ("ended", "body", "result", "reason"),
    ("ended", "body", "result", "standings"),
)
"""Paths where only a verifier with the rules finds a forgery with computed hashes."""

BY_THE_RULES_ALONE = {
    "sealed": {"change_score", "show_move_to_nobody", "other_options"},
    "santiago_de_cuba": {
        "change_score", "show_move_to_nobody", "other_options",
        "change_default", "illegal_move", "no_such_move",
    },
}  # fmt: skip


LONG = [pytest.mark.campaign("forgeries"), pytest.mark.timeout(0)]


@pytest.mark.parametrize("ruleset", ["sealed", pytest.param("santiago_de_cuba", marks=LONG)])
def test_each_kind_of_tampering(ruleset: str, tmp_path: Path) -> None:
    forged = []
    for tamper in FORGERIES:
        changed = records.finished(ruleset)
        tamper(changed)
        forged.append(text_of(records.forge(changed)))
    told = zip(FORGERIES, reports(tmp_path, forged), strict=True)
    missed = {tamper.__name__ for tamper, report in told if report["verdict"] != "failed"}
    # The previous decision may have been opened in the same millisecond.
    assert missed - {"time_out_of_another"} == BY_THE_RULES_ALONE[ruleset]


def changes(names: list[str], most: int, kinds: dict[str, set[str]]) -> Iterator[Changed]:
    for name in names:
        honest = records.alone(HONEST[name]())
        for path, changed in forged_places(honest, kinds[name], most):
            yield path, sealed_anew(changed)


@pytest.mark.parametrize(
    ("names", "most", "kinds"),
    [
        (["entropy", "suspended"], 1, KINDS),
        pytest.param([*HONEST], 99, dict.fromkeys(HONEST, EVERY_KIND), marks=LONG),
    ],
    ids=["some", "all"],
)
def test_every_place_that_is_changed_and_sealed_anew(
    names: list[str], most: int, kinds: dict[str, set[str]], tmp_path: Path
) -> None:
    forged = [*changes(names, most, kinds)]
    told = reports(tmp_path, (text_of(record) for _, record in forged))
    wrong = {
        path[:-1]: report["verdict"]
        for (path, _), report in zip(forged, told, strict=True)
        if report["verdict"] != ("newer" if adds_a_field(path) else "failed") and not by_rules(path)
    }
    assert wrong == {}
    accused = [
        path
        for (path, record), report in zip(forged, told, strict=True)
        if report["verdict"] == "failed" and found(record).verdict != FAILED
    ]
    assert accused == [], "`lonja verify` finds nothing there"


def by_rules(path: tuple[Any, ...]) -> bool:
    return any(path[: len(place)] == place for place in THE_RULES_ALONE)


@pytest.mark.parametrize("most", [60, pytest.param(10_000, marks=LONG)])
def test_every_place_that_is_just_changed(most: int, tmp_path: Path) -> None:
    """No hash is computed again, so the chain shows the change, except of audiences."""
    record = records.finished("sealed")
    paths = kinds_of_places(record)
    paths = random.Random(most).sample(paths, min(most, len(paths)))
    told = reports(tmp_path, (text_of(flip(record, path)) for path in paths))
    missed = [p for p, report in zip(paths, told, strict=True) if not is_refused(report)]
    newer = {p for p, report in zip(paths, told, strict=True) if report["verdict"] == "newer"}
    assert newer <= {(0, "status")}, "another word for how a game stands may be of a later release"
    missed = [path for path in missed if path not in newer]
    assert all(path[2:] in {("audiences", "move"), ("audiences", "picks")} for path in missed)


@pytest.mark.parametrize("times", [100, pytest.param(5_000, marks=LONG)])
def test_any_bit_that_is_flipped(times: int, tmp_path: Path) -> None:
    text = text_of(records.finished("sealed"))
    chance = random.Random(times)
    flipped = [
        text[:place] + bytes([text[place] ^ 1 << chance.randrange(8)]) + text[place + 1 :]
        for place in chance.sample(range(len(text)), times)
    ]
    honest, *told = reports(tmp_path, [text, *flipped])
    assert standing(honest) == "sound"
    missed = [other for other, report in zip(flipped, told, strict=True) if not is_refused(report)]
    assert all(without_audiences(other) == without_audiences(text) for other in missed)


def is_refused(report: JsonObject) -> bool:
    """Whether a record is failed or unreadable."""
    return report["verdict"] in {FAILED, UNREADABLE}


def without_audiences(text: bytes) -> list[JsonObject]:
    """Return a record without audiences, which are not in the chain."""
    return [{**orjson.loads(line), "audiences": None} for line in text.splitlines()]
