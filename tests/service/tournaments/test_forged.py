"""Even a forger with all secrets and the service's key cannot write another history."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED, NEWER
from rules.kernel.proof.verify import NotARecordError
from rules.kernel.record.instants import from_ms, to_ms
from service.records import tournament_file
from service.records.game_file import Record, RecordError
from service.records.receipts import Signer
from service.tournaments.record import export
from service.tournaments.record.verify import verify_tournament
from service.tournaments.tournament import Tournament
from tests.service.cli import records
from tests.service.tournaments.conftest import Check, Hall, failures
from tests.service.tournaments.forging import File, Forger, flip, forger_of, places

OTHER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x07" * 32))
FREE = {
    ("at",): "no clock is proved",
    ("by", "player"): "anybody can be a host",
    ("body", "created", "plan", "name"): "names are free",
    ("body", "created", "plan", "rules_digest"): "digests are only named",
    ("body", "created", "plan", "rated"): "it counts elsewhere, or not",
    ("body", "created", "plan", "failures", "processor_seconds"): "a time by a clock",
    ("body", "created", "plan", "failures", "disqualify_after"): "nobody failed so often",
    ("body", "code_declared", "rules_digest"): "digests are only named",
}
"""Paths of values that could be different in an honest record without any other change."""
WORDS = {
    ("kind",), ("by", "service"), ("body", "ended", "reason"),
    *(("body", "created", "plan", *path) for path in (
        ("entries", 0, "kind"), ("entries", 1, "kind"), ("failures", "then"), ("format", "type"),
        ("points",), ("rotations",), ("tie_breaks", 0), ("tie_breaks", 1), ("tie_breaks", 2),
    )),
}  # fmt: skip
"""Paths whose value is a word of a list: another word may be of a later release."""


def later(game: Record, ms: int = 1000) -> None:
    """Shift a game by a second, so that it is a different valid game."""
    for event in game.copies:
        event["at"] = from_ms(to_ms(event["at"]) + ms)


@pytest.fixture
def small(hall: Hall) -> Tournament:
    return hall.hold(
        entries=[{"bot": "random", "name": "e0"}, {"bot": "random", "name": "e1"}],
        format={"type": "round_robin", "games": 2},
    )


def test_what_is_cut_from_one_game_hides_nothing_in_the_others(hall: Hall, check: Check) -> None:
    held = hall.hold()
    forger, file = forger_of(hall, held), File.of(export.lines(hall.runtime, held))
    first, *others = file.games
    assert records.events(first).pop()["kind"] == "chance_revealed"
    first.header["version"] -= 1
    first.header["receipt"] = forger._sign(first.game_id, first.copies[-1])
    for number, game in enumerate(others, 1):
        later(game)
        file.games[number] = forger.forge_game(game)
    report = check(file.lines())
    assert not report.ok
    told = "\n".join(failures(report)["games"])
    assert "block 1, rotation 0: its block was played, and its luck is not open" in told
    assert told.count("the tournament names another head") == 12


@pytest.mark.parametrize("lacking", ["chance_revealed", "salt"])
def test_what_the_record_lacks_is_a_failure_though_the_stream_agrees(
    hall: Hall, small: Tournament, check: Check, lacking: str
) -> None:
    """Every game lacks the same part, and the stream agrees with the games."""
    forger, file = forger_of(hall, small), File.of(export.lines(hall.runtime, small))

    def cut(game: Record) -> None:
        if lacking == "chance_revealed":
            records.events(game).pop()

    def without_salt(game: Record) -> None:
        for event in game.copies:
            for fields in ("body", "parts", "nonces", "audiences"):
                event[fields].pop("salt", None)

    forger.forge_games(file, cut)
    if lacking == "salt":
        for game in file.games:
            without_salt(game)
        forger.forge(file)
    found = failures(check(file.lines()))["games"]
    if lacking == "chance_revealed":  # this game is valid by itself, and does not reveal its dice
        assert any("chance cannot be checked" in failure for failure in found)
    assert found


def test_every_field_of_the_stream_is_held_by_something(
    hall: Hall, small: Tournament, check: Check
) -> None:
    whole = File.of(export.lines(hall.runtime, small))
    forger = forger_of(hall, small)
    assert forger.forge(copy.deepcopy(whole)).lines() == whole.lines()
    passed, newer = set(), set()
    for number, event in enumerate(whole.stream):
        for path in places({name: event[name] for name in ("seq", "kind", "by", "last", "body")}):
            file = copy.deepcopy(whole)
            flip(file.stream[number], path)
            try:
                verdict = check(forger.forge(file).lines()).verdict
                if verdict == NEWER:
                    newer.add(path)
                elif verdict != FAILED:
                    passed.add(path)
            except (RecordError, NotARecordError):
                continue
    free = {path for path in passed if path[-2:-1] != ("cpu_us",) and path[-1] != "name"}
    assert free <= FREE.keys(), sorted(map(str, free - FREE.keys()))
    assert newer == WORDS


def test_every_field_of_the_header_is_held_by_something(
    hall: Hall, small: Tournament, check: Check
) -> None:
    whole = list(export.lines(hall.runtime, small))
    header = {**whole[0], "report": dict.fromkeys(whole[0]["report"], 0)}
    for path in places(header):
        lines = copy.deepcopy(whole)
        if path[0] == "report":
            lines[0]["report"][path[1]] = 0
        else:
            flip(lines[0], path)
        try:
            expected = NEWER if path == ("status",) else FAILED
            assert check(lines).verdict == expected, path
        except (RecordError, NotARecordError):
            continue


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("status", "running", "the header says"),
        ("rules_version", "9.9.9", "rules_version"),
        ("ruleset", "manila", "ruleset"),
        ("viewer", 0, "viewer"),
        ("public_key", "00" * 32, "signed"),
    ],
)
def test_the_header_of_each_game_is_held_by_something(
    hall: Hall, small: Tournament, check: Check, name: str, value: Any, told: str
) -> None:
    lines = list(export.lines(hall.runtime, small))
    (last,) = [i for i, line in enumerate(lines) if line.get("export") == "lonja/2"][-1:]
    lines[last][name] = value
    assert any(told in failure for failure in failures(check(lines))["games"])


def _resign(game: Record) -> None:
    """Let seat 0 resign at its first decision."""
    first = next(n for n, event in enumerate(game.copies) if event["kind"] == "moved")
    seq = game.copies[first]["seq"]
    resigned = copy.deepcopy(game.copies[first])
    by = {"seat": 0, "bot": "random@1"}
    resigned |= {"kind": "resigned", "by": by, "last": seq}
    resigned |= {"parts": {}, "body": {}, "audiences": {}, "nonces": {}}
    records.events(game).insert(first, resigned)
    for event in game.copies[first + 1 :]:
        event["seq"] += 1
        event["last"] += 1


def _pin(name: str, value: Any) -> Callable[[Record], None]:
    def change(game: Record) -> None:
        game.copies[0]["body"]["game"][name] = value

    return change


def _other_bot(game: Record) -> None:
    for event in game.copies:
        if event["kind"] == "moved" and "digest" in event["body"]["bot"]:
            event["body"]["bot"]["digest"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_resign, "against the plan's policy"),
        (_pin("clock", {"decision_seconds": 60}), "its clock is not the plan's"),
        (_pin("entropy", {"mode": "reveal", "seconds": 1}), "its entropy is not the plan's"),
        (_pin("rules_version", "0.9.0"), "its rules_version is not the plan's"),
        (_other_bot, "code that the tournament did not declare"),
    ],
)
def test_games_other_than_the_planned_ones_are_found(
    hall: Hall, small: Tournament, check: Check, change: Callable[[Record], None], told: str
) -> None:
    """The stream agrees with the games, and everything is signed."""
    file = File.of(export.lines(hall.runtime, small))
    forged = forger_of(hall, small).forge_games(file, change)
    assert any(told in failure for failure in failures(check(forged.lines()))["games"])


def test_code_that_was_declared_later_did_not_play_before(hall: Hall, check: Check) -> None:
    held = hall.hold(format={"type": "round_robin", "games": 6})
    file = File.of(export.lines(hall.runtime, held))
    place = len(file.stream) - 2  # before the end of the last block, which ends the tournament
    late = copy.deepcopy(next(e for e in file.stream if e["kind"] == "code_declared"))
    for bot in late["body"]["code_declared"]["bots"]:
        bot["digest"] = "0" * 64
    for event in file.stream[place:]:
        event["seq"] += 1
        event["last"] += 1
    late |= {"seq": place + 1, "last": place + 1, "at": file.stream[place - 1]["at"]}
    file.stream.insert(place, late)
    told = {}
    for number in (0, len(file.games) - 1):
        forged = copy.deepcopy(file)
        _other_bot(forged.games[number])
        told[number] = failures(
            check(forger_of(hall, held).forge_games(forged, lambda _game: None).lines())
        )
    assert "did not declare" in told[0]["games"][0]
    assert told[len(file.games) - 1] == {}


def test_the_code_of_a_bot_that_failed_is_declared_too(hall: Hall, check: Check) -> None:
    held = hall.hold(entries=[{"bot": "crashing"}, {"bot": "random"}])

    def blame_other_code(game: Record) -> None:
        for event in game.copies:
            if event["kind"] == "bot_failed":
                event["body"]["bot"]["digest"] = "0" * 64

    file = File.of(export.lines(hall.runtime, held))
    forged = forger_of(hall, held).forge_games(file, blame_other_code)
    found = failures(check(forged.lines()))["games"]
    assert any("did not declare" in failure for failure in found)


@pytest.mark.parametrize(
    ("ms", "told"),
    [
        (-25 * 365 * 86_400_000, "its block was paired at"),
        (-60_000, "its block was paired at"),
        (60_000, "its block ended at"),
        (-3_000, None),  # the tolerated difference of two clocks
        (3_000, None),
    ],
)
def test_a_game_was_played_between_its_pairing_and_the_end_of_its_block(
    hall: Hall, small: Tournament, check: Check, ms: int, told: str | None
) -> None:
    file = File.of(export.lines(hall.runtime, small))
    forged = forger_of(hall, small).forge_games(file, lambda game: later(game, ms))
    found = failures(check(forged.lines()))
    assert list(found) == ([] if told is None else ["games"])
    assert told is None or all(told in failure for failure in found["games"])


def test_the_bots_of_the_plan_are_declared_and_no_others(
    hall: Hall, small: Tournament, check: Check
) -> None:
    file = File.of(export.lines(hall.runtime, small))
    (declared,) = [e["body"]["code_declared"] for e in file.stream if e["kind"] == "code_declared"]
    declared["bots"].append({"bot": "greedy", "version": "2", "digest": "0" * 64})
    found = failures(check(forger_of(hall, small).forge(file).lines()))
    assert any("the bots of the plan" in failure for failure in found["course"])


def test_a_tournament_without_its_salt_is_not_whole(
    hall: Hall, small: Tournament, check: Check
) -> None:
    file = File.of(export.lines(hall.runtime, small))
    for fields in ("body", "parts", "nonces", "audiences"):
        del file.stream[-1][fields]["salt"]
    assert "course" in failures(check(forger_of(hall, small).forge(file).lines()))


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        (0, b'"games":2', b'"games":9,"games":2'),
        (0, b'"games":2', b'"games": 2'),
        (3, b'"kind"', b'"at":"","kind"'),
        (-1, b'"kind"', b'"kind":"x","kind"'),
    ],
)
def test_lines_that_say_a_thing_twice_or_are_written_otherwise_are_found(
    hall: Hall, small: Tournament, tmp_path: Path, number: int, old: bytes, new: bytes
) -> None:
    path = tmp_path / "t.ndjson"
    tournament_file.write(path, export.lines(hall.runtime, small))
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    path.write_bytes(b"".join(lines))
    with tournament_file.reading(path) as found:
        assert not verify_tournament(found, hall.runtime.registry).ok


def test_how_often_a_bot_was_too_slow_is_counted_for_nobody_can_tell(
    hall: Hall, check: Check
) -> None:
    held = hall.hold(
        entries=[{"bot": "crashing"}, {"bot": "random"}], failures={"disqualify_after": 0}
    )
    file = File.of(export.lines(hall.runtime, held))
    failed = 0

    def blame_the_clock(game: Record) -> None:
        nonlocal failed
        for event in game.copies:
            if event["kind"] == "bot_failed":
                event["body"]["failure"]["cause"] = "too_slow"
                failed += 1

    report = check(forger_of(hall, held).forge_games(file, blame_the_clock).lines())
    assert report.ok, failures(report)
    assert f"{failed} times a bot took too long, says the operator's clock alone." in report.notes


class TestReceipts:
    """``--receipt`` and ``--public-key`` for tournaments."""

    def test_of_the_tournament_or_of_a_game_hold(
        self, hall: Hall, small: Tournament, check: Check
    ) -> None:
        lines = list(export.lines(hall.runtime, small))
        key = hall.runtime.signer.public_key.hex()
        game = File.of(lines).games[1].header["receipt"]
        for receipt in (lines[0]["receipt"], game):
            report = check(lines, receipt=receipt, public_key=key)
            assert report.ok, failures(report)

    def test_that_the_record_contradicts_fail(
        self, hall: Hall, small: Tournament, check: Check
    ) -> None:
        lines = list(export.lines(hall.runtime, small))
        forger = forger_of(hall, small)
        receipts = [lines[0]["receipt"], File.of(lines).games[1].header["receipt"]]
        file = File.of(lines)
        file.stream[0]["body"]["created"]["plan"]["name"] = "Another cup"
        forged = forger.forge(forger.forge_games(file, later)).lines()
        for receipt in receipts:
            assert list(failures(check(forged, receipt=receipt))) == ["receipt"]

    def test_of_another_stream_prove_nothing(
        self, hall: Hall, small: Tournament, check: Check
    ) -> None:
        lines = list(export.lines(hall.runtime, small))
        other = hall.runtime.signer.head(hall.open(key="other"))
        assert list(failures(check(lines, receipt=other))) == ["receipt"]

    @pytest.mark.parametrize("whose", ["tournament", "game"])
    def test_one_foreign_signature_fails_with_a_trusted_key(
        self, hall: Hall, small: Tournament, check: Check, whose: str
    ) -> None:
        """The forger signs with another key; the kept receipt is genuine."""
        lines = list(export.lines(hall.runtime, small))
        own = Forger(b"", OTHER)
        file = File.of(lines)
        header: JsonObject = file.header if whose == "tournament" else file.games[0].header
        last = file.stream[-1] if whose == "tournament" else file.games[0].copies[-1]
        header["public_key"] = own._signer.public_key.hex()
        header["receipt"] = own._sign(header.get("tournament_id") or header["game_id"], last)
        key = hall.runtime.signer.public_key.hex()
        kept = lines[0]["receipt"]
        for more in ({"public_key": key}, {"public_key": key, "receipt": kept}):
            assert {"header", "games"} & failures(check(file.lines(), **more)).keys()
