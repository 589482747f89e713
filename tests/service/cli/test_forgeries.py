"""A forger who knows every secret changes a record: it is never proved."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.shapes import GAME_KINDS
from rules.kernel.proof.steps import batches_of
from rules.kernel.proof.verdicts import FAILED, NEWER, NOT_WHOLLY, PROVED, Report
from rules.kernel.record.events import from_copy
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms, to_ms
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from service.records.receipts import Signer
from tests.service.cli import records
from tests.service.cli.test_verify import nth

KEY = records.SIGNER.public_key.hex()
STRANGER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x02" * 32))


def found(record: Record, asked: VerifyOptions | None = None) -> Report:
    return verify_game(record, asked or VerifyOptions(), records.REGISTRY)


def failing(record: Record, asked: VerifyOptions | None = None) -> set[str]:
    report = found(record, asked)
    assert report.verdict == FAILED, report.verdict
    return {check.name for check in report.checks if not check.ok}


# Every value of every kind of event

_LEFT_OUT = object()
_NOT_TOLD_BY_RULES = (
    ("created", "body", "game", "rules_digest"),
    ("created", "body", "game", "clock", "decision_seconds"),
    ("created", "body", "game", "entropy", "seconds"),
    ("created", "by", "player"),
    ("suspended", "by", "admin"),
    ("resumed", "by", "admin"),
    ("moved", "body", "bot", "digest"),
    ("moved", "body", "bot", "nodes"),
    ("seated", "body", "seat", "holder", "settings", "nodes"),
    ("moved", "body", "bot", "thoughts"),
    ("bot_failed", "body", "error"),
    ("ended", "body", "salt", "salt_secret"),
    ("entropy_revealed", "by", "player"),
    ("seated", "body", "seat", "holder", "player"),
)
"""Paths of values that follow from no others: with another value, it is another honest record.

Only a receipt shows the change, or a bot that decides again.
"""


def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(child, (*path, key))


def others(value: Any) -> Iterator[Any]:
    """Yield values of other types, out of range, with more and with fewer members."""
    yield _LEFT_OUT
    yield from (other for other in (None, -1, 1.5, "") if other != value)
    if isinstance(value, int):
        yield from (float(value), str(value), 2**53, not value)
    if isinstance(value, str):
        yield from ([value], 7, value + "\ud7ff" * 70)
    if isinstance(value, list):
        yield from ([*value, 0], [*value, *value] or [1], dict.fromkeys(map(str, value)))
    if isinstance(value, dict):
        yield from ({**value, "origin": 1}, [value])


_FREE = {"options", "move", "settings", "thoughts", "breakdown"}
"""Objects whose fields the ruleset or the bot defines."""


def adds_a_field(path: tuple[Any, ...]) -> bool:
    """Whether the change only adds an unknown field, as a later release could."""
    _kind, name, *inner, other = path
    in_a_value = name == "by" or (name == "body" and inner != [])
    return isinstance(other, dict) and "origin" in other and in_a_value and not _FREE & {*inner}


def forged_places(
    record: Record, kinds: set[str], most: int
) -> Iterator[tuple[tuple[Any, ...], Record]]:
    """Change each value in the first event of each kind, in at most so many ways."""
    seen: set[str] = set(EVERY_KIND) - kinds
    for index, event in enumerate(record.copies):
        if event["kind"] in seen:
            continue
        seen.add(event["kind"])
        for path in [
            p for name in ("by", "body", "audiences") for p in places(event[name], (name,))
        ]:
            value = event
            for key in path:
                value = value[key]
            ways = [*others(value)]
            for other in random.Random(str(path)).sample(ways, min(most, len(ways))):
                named = (event["kind"], *path)
                told = any(named[: len(free)] == free for free in _NOT_TOLD_BY_RULES)
                if told and (type(other) is type(value) or len(named) > 4):
                    continue
                if named[1:] == ("body", "client") and other is _LEFT_OUT:
                    continue  # values that a client may omit
                changed = records.alone(record)
                _put(changed.copies[index], path, other)
                yield (*named, other), changed


def _put(event: JsonObject, path: tuple[Any, ...], other: object) -> None:
    inner: Any = event
    for key in path[:-1]:
        inner = inner[key]
    if other is not _LEFT_OUT:
        inner[path[-1]] = other
        return
    del inner[path[-1]]
    if path[0] == "body" and len(path) == 2:
        for name in ("parts", "nonces", "audiences"):
            del event[name][path[1]]


def sealed_anew(changed: Record) -> Record:
    """Forge the record; return it unchanged if a value has no canonical form."""
    try:
        return records.forge(changed)
    except Exception:  # noqa: BLE001 - not even its forger can commit to that
        return changed


HONEST: dict[str, Callable[[], Record]] = {
    "ended": lambda: records.finished("sealed"),
    "entropy": lambda: records.record_of(records.play_on(records.with_entropy(0, 1))),
    "lenient": lambda: records.record_of(records.play_on(records.lenient(0))),
    "drawn": lambda: records.record_of(records.play_on(records.drawn())),
    "block": lambda: records.record_of(records.of_a_block()),
    "suspended": lambda: records.record_of(records.play_on(records.late(records.suspended()))),
}


KINDS: dict[str, set[str]] = {
    "ended": {
        "created", "seated", "started", "moved", "defaulted", "chanced", "timed_out", "bot_failed",
        "resigned", "ended", "chance_revealed",
    },
    "entropy": {"left", "closed", "entropy_revealed"},
    "lenient": {"started"},
    "drawn": {"seated"},
    "block": {"created", "chance_revealed"},
    "suspended": {"suspended", "resumed"},
}  # fmt: skip
EVERY_KIND = {kind for kinds in KINDS.values() for kind in kinds}


@pytest.fixture(params=HONEST)
def honest(request: pytest.FixtureRequest) -> Record:
    return records.alone(HONEST[request.param]())


def test_honest_games_are_proved(honest: Record) -> None:
    report = found(honest)
    assert report.verdict == PROVED, [*report.missing, *[c.failures for c in report.checks]]
    assert records.forge(honest) == honest


@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("most", [2, pytest.param(99, marks=pytest.mark.campaign("forgeries"))])
def test_no_place_can_be_changed_and_sealed_anew(name: str, most: int) -> None:
    kinds = KINDS[name] if most == 2 else EVERY_KIND
    wrong = {}
    for path, changed in forged_places(records.alone(HONEST[name]()), kinds, most):
        verdict = found(sealed_anew(changed)).verdict
        if verdict != (NEWER if adds_a_field(path) else FAILED):
            wrong[path[:-1]] = verdict
    assert wrong == {}


def test_every_kind_that_is_written_is_among_these() -> None:
    """Some kinds have tests of their own: in `verifier`, and in `test_beacon.py`."""
    others = {"aborted", "undone", "hinted", "interrupted", "beacon_drawn", "key_changed"}
    assert EVERY_KIND | others == set(GAME_KINDS)


# The checks, one by one


def drop(record: Record, kind: str, part: str) -> None:
    event = nth(record, kind)
    for name in ("body", "parts", "nonces", "audiences"):
        del event[name][part]


@pytest.mark.parametrize("value", [None, "", "ab", "AB" * 32, 7])
@pytest.mark.parametrize("moves", ["legal", "illegal"])
def test_a_finished_game_opens_its_salt(value: Any, moves: str) -> None:
    changed = records.finished("santiago_de_cuba")
    if moves == "illegal":
        nth(changed, "moved", 1)["body"]["move"] = {"type": "drive_car", "steps": 77}
    salt = bytes.fromhex(nth(changed, "ended")["body"]["salt"]["salt_secret"])
    if value is None:
        drop(changed, "ended", "salt")
    else:
        nth(changed, "ended")["body"]["salt"]["salt_secret"] = value
    assert "shapes" in failing(records.forge(changed, salt))


@pytest.mark.parametrize(
    ("kind", "part"),
    [("moved", "move"), ("moved", "bot"), ("chanced", "picks"), ("chanced", "draw"),
     ("ended", "result"), ("chance_revealed", "chance"), ("bot_failed", "failure"),
     ("bot_failed", "error"), ("bot_failed", "bot"), ("timed_out", "time_out"),
     ("defaulted", "move"), ("seated", "seat")],
)  # fmt: skip
def test_no_part_that_a_kind_must_have_is_left_out(kind: str, part: str) -> None:
    changed = records.finished("sealed")
    drop(changed, kind, part)
    assert failing(sealed_anew(changed))


def test_the_luck_of_a_players_game_cannot_be_kept() -> None:
    """A game with visibility `block` and a foreign scope would never have to reveal its dice."""
    changed = HONEST["block"]()
    records.events(changed).pop()
    nth(changed, "created")["by"] = {"player": "p-x"}
    for event in changed.copies:
        if event["kind"] == "seated":
            event["by"] = {"player": "p-x"}
    assert "shapes" in failing(records.forge(changed))


def test_a_game_whose_block_goes_on_is_not_wholly_proved() -> None:
    report = found(records.record_of(records.of_a_block(open_luck=False)))
    assert report.verdict == NOT_WHOLLY
    assert any("chance" in missing for missing in report.missing)


def test_a_game_that_ended_opens_its_luck() -> None:
    changed = records.finished("sealed")
    records.events(changed).pop()
    changed.copies[-1]["last"] -= 1
    assert "shapes" in failing(records.forge(changed))


# Time


def test_a_table_is_opened_by_one_caller() -> None:
    record = records.finished("sealed")
    seated = next(e for e in record.copies if e["body"].get("seat", {}).get("seat") == 1)
    seated["by"] = seated["body"]["seat"]["holder"]  # later it would have been allowed
    assert "table" in failing(records.forge(record))


def shift(record: Record, first: int, milliseconds: int) -> None:
    """Shift all times from an event on."""
    for event in record.copies[first - 1 :]:
        event["at"] = from_ms(to_ms(event["at"]) + milliseconds)


def test_a_time_out_before_its_time_is_found() -> None:
    """The clock has a minute; the recorded time-out is a millisecond later."""
    honest = records.finished("sealed")
    late = nth(honest, "timed_out")
    for milliseconds, verdict in ((-1, FAILED), (-59_000, FAILED), (60_000, PROVED)):
        changed = records.alone(honest)
        shift(changed, late["seq"], milliseconds)
        times = [event["at"] for event in changed.copies]
        assert times == sorted(times)
        assert found(records.forge(changed)).verdict == verdict, milliseconds


@pytest.mark.parametrize("milliseconds", [0, 1])
def test_a_move_after_its_time_is_found(milliseconds: int) -> None:
    """A move exactly at the deadline is in time."""
    changed = records.finished("sealed")
    game = Game(changed.game_id, records.REGISTRY)
    moved = next(e for e in changed.copies if e["kind"] == "moved" and "bot" not in e["parts"])
    for event in changed.copies[: moved["seq"] - 1]:
        game.apply(from_copy(event))
    wait = to_ms(moved["at"]) - to_ms(game.asked_at[Seat(1)])
    shift(changed, moved["seq"], 60_000 - wait + milliseconds)
    report = found(records.forge(changed))
    assert report.verdict == (FAILED if milliseconds else PROVED)
    assert all(check.ok == (not milliseconds) for check in report.checks if check.name == "play")


def test_time_never_falls() -> None:
    changed = records.finished("sealed")
    *_before, batch = batches_of(changed.copies)
    earlier = changed.copies[batch[0]["seq"] - 2]
    for event in batch:
        event["at"] = from_ms(to_ms(earlier["at"]) - 1)
    assert "chain" in failing(records.forge(changed))


@pytest.mark.parametrize("seen", ["nothing", "itself"])
def test_what_a_player_had_seen_was_in_the_history(seen: str) -> None:
    changed = records.finished("sealed")
    event = next(e for e in changed.copies if "client" in e["parts"])
    event["body"]["client"]["expected_head"] = "ab" * 32 if seen == "nothing" else event["hash"]
    assert "chain" in failing(records.forge(changed))


@pytest.mark.parametrize(
    "at",
    ["2026-02-30T00:00:00.000Z", "2999-01-01T00:00:00Z", "2999-01-01T00:00:00.000+00:00",
     "2999-01-01 00:00:00.000Z", "~", "", 7, None],
)  # fmt: skip
def test_times_are_written_as_times(at: Any) -> None:
    changed = records.finished("sealed")
    for event in changed.copies[20:]:
        event["at"] = at
    assert "shapes" in failing(sealed_anew(changed))


def test_a_batch_has_one_time() -> None:
    changed = records.finished("sealed")
    ended = nth(changed, "ended")
    shift(changed, ended["seq"], 1)
    assert "batches" in failing(records.forge(changed))


def test_entropy_comes_in_time_and_is_withheld_after_it() -> None:
    table = records.with_entropy(0, 1, reveal=False)
    closed = to_ms(table.game.closed_at)
    record = records.record_of(records.with_entropy(0, 1))
    revealed = [event for event in record.copies if event["kind"] == "entropy_revealed"]
    shift(record, revealed[1]["seq"], 300_001)
    salt = table.secrets.salt
    assert "table" in failing(records.forge(record, salt))

    table.now = lambda: from_ms(closed + 300_001)
    table.change(lambda b: b.abort("entropy_withheld", {"service": "clock"}, [Seat(1)]))
    withheld = records.record_of(table)
    assert found(withheld).verdict == PROVED
    early = records.alone(withheld)
    shift(early, nth(early, "aborted")["seq"], -1)
    assert "table" in failing(records.forge(early))
    other = records.alone(withheld)
    nth(other, "aborted")["body"]["aborted"]["withheld_by"] = [0]
    assert "table" in failing(records.forge(other))


@pytest.mark.parametrize(
    ("reason", "by"),
    [("cancelled", {"player": "p-host"}), ("cancelled", {"admin": "x"}),
     ("entropy_withheld", {"service": "clock"}), ("tournament_cancelled", {"player": "p-host"}),
     ("ended_by_operator", {"player": "p-host"}), ("ended_by_operator", {"service": "clock"}),
     ("damaged", {"admin": "x"}), ("out of boredom", {"admin": "x"})],
)  # fmt: skip
def test_a_game_that_has_begun_is_not_just_ended(reason: str, by: JsonObject) -> None:
    table = records.with_entropy()
    record = records.record_of(table)
    running = len(record.copies)
    table.change(lambda b: b.abort("cancelled", {"player": "p-host"}))
    record = records.alone(records.record_of(table))
    aborted = record.copies[running]
    aborted["by"] = by
    aborted["body"]["aborted"]["reason"] = reason
    if reason == "damaged":
        sound = record.copies[running - 2]
        aborted["body"]["aborted"]["sound"] = {"seq": sound["seq"], "hash": sound["hash"]}
    assert failing(records.forge(record))


def test_an_operator_may_end_it_and_suspend_it_once() -> None:
    table = records.suspended()
    table.change(lambda b: b.suspend(records.ADMIN))
    table.change(lambda b: b.abort("ended_by_operator", records.ADMIN))
    record = records.record_of(table)
    assert found(record).verdict == PROVED
    cancelled = records.alone(record)
    nth(cancelled, "aborted")["body"]["aborted"]["reason"] = "cancelled"
    nth(cancelled, "aborted")["by"] = record.copies[0]["by"]
    assert "table" in failing(records.forge(cancelled))
    for kind, other in (("suspended", "resumed"), ("resumed", "suspended")):
        changed = records.alone(record)
        nth(changed, kind)["kind"] = other
        assert "table" in failing(records.forge(changed))


def test_the_time_that_a_game_stood_still_counts_for_nobody() -> None:
    table = records.suspended()
    while 0 not in table.game.asked:
        records.move(table, Seat(1))
    table.change(lambda b: b.suspend(records.ADMIN))
    seconds = iter((3_600, 3_661))
    began = to_ms(table.game.at)
    table.now = lambda: from_ms(began + 1_000 * next(seconds))
    table.change(lambda b: b.resume(records.ADMIN))
    table.change(lambda b: b.time_out(Seat(0)))
    record = records.record_of(table)
    assert all(check.ok for check in found(record).checks)
    early = records.alone(record)
    shift(early, nth(early, "timed_out")["seq"], -2_000)
    assert "table" in failing(records.forge(early, table.secrets.salt))


def test_who_opened_a_game_of_bots_alone_may_end_it_as_it_is_played() -> None:
    table = records.with_entropy(bots=True)
    running = len(records.record_of(table).copies)
    table.change(lambda b: b.abort("cancelled", {"player": "p-host"}))
    record = records.record_of(table)
    assert found(record).verdict == PROVED
    other = records.alone(record)
    other.copies[running]["by"] = {"player": "p-guest"}
    assert "table" in failing(records.forge(other))
