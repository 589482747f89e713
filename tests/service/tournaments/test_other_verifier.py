"""The verifier in TypeScript agrees with `lonja verify` on records of tournaments."""

import copy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verify import NotARecordError
from rules.kernel.record.secrets import entropy_commitment
from service.records import tournament_file
from service.records.game_file import RecordError
from service.tournaments.record import export
from service.tournaments.tournament import Tournament
from tests.service.tournaments.conftest import HOST, Check, Hall
from tests.service.tournaments.forging import File, Lines, flip, forger_of, places
from tests.service.tournaments.test_forged import (
    FREE,
    WORDS,
    _other_bot,
    _pin,
    _resign,
    later,
    small,
)
from tests.service.verifier.programs import codes, reports, standing

__all__ = ["small"]

Judge = Callable[[Iterable[JsonObject]], JsonObject]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    def judge(lines: Iterable[JsonObject]) -> JsonObject:
        return reports(tmp_path, [text_of(lines)])[0]

    return judge


def text_of(lines: Iterable[JsonObject]) -> bytes:
    return b"".join(orjson.dumps(line, option=orjson.OPT_SORT_KEYS) + b"\n" for line in lines)


@pytest.mark.parametrize(
    ("format_", "rotations", "then"),
    [
        ({"type": "round_robin", "games": 4}, "cyclic", "resign"),
        ({"type": "swiss", "rounds": 2}, "all", "default_move"),
        ({"type": "ladder", "rounds": 3}, "all", "resign"),
    ],
)
def test_honest_tournaments(
    hall: Hall, judge: Judge, format_: JsonObject, rotations: str, then: str, tmp_path: Path
) -> None:
    held = hall.hold(
        seed=None,
        entries=[{"bot": "greedy"}, {"bot": "crashing"}, {"bot": "random"}],
        format=format_,
        rotations=rotations,
        failures={"then": then, "disqualify_after": 2},
    )
    path = tmp_path / "cup.ndjson.gz"
    tournament_file.write(path, export.lines(hall.runtime, held))
    (found,) = reports(tmp_path, [path.read_bytes()])
    assert standing(found) == "sound", [f["en"] for f in found["findings"]]
    assert codes(found) == {"no_entropy", "key_claimed"}
    assert found["counts"]["games"] >= 2  # depends on the disqualification
    assert any(missing.startswith("report: ") for missing in found["missing"])


def test_one_that_goes_on_with_entropy_until_it_is_cancelled(hall: Hall, judge: Judge) -> None:
    entropy = bytes(32)
    committed = entropy_commitment(None, 1, entropy).hex()
    entries = [{"bot": "random"}, {"bot": "random", "entropy_commitment": committed}]
    tournament = hall.open(seed=None, entries=entries, format={"type": "round_robin", "games": 4})
    director = hall.runtime.director

    def found() -> JsonObject:
        told = judge(export.lines(hall.runtime, hall.find(tournament)))
        assert codes(told, "failure") == set(), told["findings"]
        return told

    assert standing(found()) == "open"
    director.reveal_entropy(tournament.id, 1, entropy, HOST)
    hall.matches._play_block(hall.find(tournament), hall.find(tournament).blocks[1])
    director.pause(tournament.id, HOST)
    assert codes(found(), "open") == {"tournament_goes_on"}
    director.resume(tournament.id, HOST)
    director.cancel(tournament.id, "enough", HOST)
    assert standing(found()) == "sound"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_resign, "by"),
        (_pin("clock", {"decision_seconds": 60}), "game_differs"),
        (_pin("entropy", {"mode": "reveal", "seconds": 1}), "game_differs"),
        (_pin("rules_version", "0.9.0"), "game_differs"),
        (_other_bot, "code_undeclared"),
        (lambda game: later(game, 60_000), "game_time"),
    ],
)
def test_games_other_than_the_planned_ones(
    hall: Hall, small: Tournament, judge: Judge, change: Any, code: str
) -> None:
    file = File.of(export.lines(hall.runtime, small))
    forged = forger_of(hall, small).forge_games(file, change)
    assert code in codes(judge(forged.lines()), "failure")


def test_games_that_were_left_out_swapped_or_added(
    hall: Hall, small: Tournament, judge: Judge
) -> None:
    file = File.of(export.lines(hall.runtime, small))
    one, other = file.games
    for games, code in (
        ([one], "file_cut"),
        ([other, one], "game_differs"),
        ([one, other, other], "lines_after"),
    ):
        file.games = games
        assert code in codes(judge(file.lines()), "failure", "unreadable")


FIGURES_ALONE = {
    ("body", "created", "plan", "points"): "how points are counted",
    ("body", "created", "plan", "tie_breaks"): "how the table is ordered",
    ("body", "created", "plan", "format", "games"): "how many line-ups are paired",
    ("body", "created", "plan", "format", "type"): "which line-ups are paired",
    ("body", "paired", "round"): "which line-ups are paired",
    ("body", "paired", "lineups"): "which line-ups are paired: here each entry is the same bot",
    ("body", "paired", "byes"): "which line-ups are paired",
    ("body", "ended", "reason"): "what follows from the plan",
    ("body", "ended", "after_block"): "what follows from the plan",
}
"""Places of the stream that only a verifier which computes pairings and figures can check."""


@pytest.mark.campaign("forgeries")
def test_every_field_of_the_stream(
    hall: Hall, small: Tournament, check: Check, tmp_path: Path
) -> None:
    whole = File.of(export.lines(hall.runtime, small))
    forger = forger_of(hall, small)
    paths: list[tuple[Any, ...]] = []
    forged: list[Lines] = []
    for number, event in enumerate(whole.stream):
        for path in places({name: event[name] for name in ("seq", "kind", "by", "last", "body")}):
            file = copy.deepcopy(whole)
            flip(file.stream[number], path)
            paths.append(path)
            forged.append(forger.forge(file).lines())
    missed = set()
    told = reports(tmp_path, map(text_of, forged))
    for path, lines, report in zip(paths, forged, told, strict=True):
        if report["verdict"] != "failed":
            missed.add(path)
            assert (path in WORDS) == (report["verdict"] == "newer"), (path, report["findings"])
            continue
        try:
            assert not check(lines).ok, (path, report["findings"])
        except (RecordError, NotARecordError):
            continue
    free = {path for path in missed if path[-2:-1] != ("cpu_us",) and path[-1] != "name"}
    known = FREE.keys() | FIGURES_ALONE.keys() | WORDS
    assert {
        path for path in free if not any(path[: len(place)] == place for place in known)
    } == set()
