"""Time that is given back, and whose fault a time-out is, as both verifiers see them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.proof.verdicts import FAILED, PROVED
from rules.kernel.record.instants import from_ms, to_ms
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.test_forgeries import shift
from tests.service.cli.test_verify import nth
from tests.service.verifier.honest import SHAPES, Course, held
from tests.service.verifier.programs import codes, reports, text_of

NO_RULES = Registry(["tests.pig"])
PEOPLE, OWN, SERVICE = "people", "players, own fault", "players, fault of the service"


@pytest.fixture(scope="module")
def honest() -> dict[str, Record]:
    people = held(Course("people", "at once", 0, (), ("outage", "suspension", "time-out")))
    return {
        PEOPLE: records.record_of(people),
        **{name: records.record_of(SHAPES[name]()) for name in (OWN, SERVICE)},
    }


def test_both_verifiers_follow_it(honest: dict[str, Record], tmp_path: Path) -> None:
    for record, theirs in zip(
        honest.values(), reports(tmp_path, map(text_of, honest.values())), strict=True
    ):
        assert codes(theirs, "failure") == set()
        assert verify_game(record, VerifyOptions(), records.REGISTRY).verdict == PROVED
        assert verify_game(record, VerifyOptions(), NO_RULES).ok


def told(record: Record, number: int = 0) -> JsonObject:
    found: JsonObject = nth(record, "interrupted", number)["body"]["interruption"]
    return found


def moved(name: str, ms: int, number: int, record: Record) -> None:
    """Move a time of an interruption."""
    value = told(record, number)
    value[name] = from_ms(to_ms(value[name]) + ms)


def blamed(fault: str, record: Record) -> None:
    nth(record, "timed_out")["body"]["time_out"]["fault"] = fault


def cancelled(record: Record) -> None:
    nth(record, "aborted")["body"]["aborted"]["reason"] = "tournament_cancelled"


def early(ms: int, record: Record) -> None:
    shift(record, nth(record, "timed_out")["seq"], -ms)


@pytest.mark.parametrize(
    ("of", "change", "code"),
    [
        (PEOPLE, partial(blamed, "seat"), "fault"),
        (PEOPLE, partial(blamed, "service"), "fault"),
        (OWN, partial(blamed, "service"), "must_follow"),
        (SERVICE, partial(blamed, "seat"), "must_follow"),
        (SERVICE, cancelled, "batch_follows"),
        (SERVICE, partial(blamed, "No!"), "shape"),
        (PEOPLE, partial(moved, "to", 2_000, 0), "interrupted"),  # later than its event
        (PEOPLE, partial(moved, "from", -2_000, 1), "interrupted"),  # given back before
        (PEOPLE, partial(moved, "from", 999_000, 0), "interrupted"),
        (PEOPLE, lambda record: told(record).update({"from": "yesterday"}), "shape"),
        (OWN, partial(early, 31_000), "timed_out_early"),
    ],
)
def test_what_cannot_be_is_refused(
    honest: dict[str, Record],
    tmp_path: Path,
    of: str,
    change: Callable[[Record], None],
    code: str,
) -> None:
    changed = records.alone(honest[of])
    change(changed)
    forged = records.forge(changed)
    (theirs,) = reports(tmp_path, [text_of(forged)])
    for registry in (records.REGISTRY, NO_RULES):
        assert verify_game(forged, VerifyOptions(), registry).verdict == FAILED
    assert code in codes(theirs, "failure"), theirs["findings"]
