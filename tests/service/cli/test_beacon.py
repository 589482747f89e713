"""Games that a round of a beacon begins, and forgeries of them, in both verifiers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.remarks import BACKDATED, FORESEEN
from rules.kernel.proof.verdicts import FAILED, PROVED
from rules.kernel.proof.verify import verify
from rules.kernel.record import snapshot
from rules.kernel.record.batch import BEACON_WITHHELD, WITHHELD, RefusedError
from rules.kernel.record.beacons import ABORT, START, round_ms
from rules.kernel.record.clocks import entropy_deadline, next_deadline
from rules.kernel.record.instants import from_ms, to_ms
from service.beacons.chains import QUICKNET
from service.beacons.signatures import LONG
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.beacons import CHAIN, OwnChain
from tests.running import ROOT
from tests.service.cli import records
from tests.service.cli.test_forgeries import shift
from tests.service.cli.test_verify import nth
from tests.service.verifier.honest import (
    ADMIN,
    BEACON,
    CLOCK,
    ENTROPY_SECONDS,
    HOLDERS,
    STRICT_BEACON,
    Course,
    Table,
    at_once,
    draws_the_beacon,
    held,
)
from tests.service.verifier.programs import codes, reports, text_of

VECTORS = json.loads((ROOT / "docs/format_vectors.json").read_text())["beacon"]


def closed(terms: JsonObject = STRICT_BEACON, giving: int = 0) -> Table:
    table = Table("beacon", HOLDERS["people"], terms)
    at_once(table, giving, 2)
    return table


def drawn(own: OwnChain = CHAIN) -> Record:
    table = closed({**STRICT_BEACON, "beacon": own.pinned()}, 1)
    table.reveal(0)
    wait = (round_ms(own.pinned(), table.game.round) - to_ms(table.game.at)) / 1000
    table.does(lambda batch: batch.draw_beacon(own.sign(batch.game.round)), after=wait)
    table.plays_on()
    return records.record_of(table)


def refused(table: Table, act: Callable[[Any], None], at_ms: int) -> str:
    table._ms = at_ms
    with pytest.raises(RefusedError) as error:
        table.change(act)
    return error.value.code


def test_the_round_is_half_a_minute_after_the_table_is_full_and_no_suspension_moves_it() -> None:
    table = closed()
    closed_ms, number = to_ms(table.game.at), table.game.round
    out = round_ms(CHAIN.pinned(), number)
    assert closed_ms + 30_000 <= out < closed_ms + 33_000
    assert next_deadline(table.game) == out
    draw = lambda batch: batch.draw_beacon(CHAIN.sign(number))  # noqa: E731
    assert refused(table, draw, out - 1) == "too_early"
    table.stand_still()
    assert (table.game.round, next_deadline(table.game)) == (number, out)
    assert entropy_deadline(table.game) > closed_ms + 3_600_000  # type: ignore[operator]
    again = snapshot.restore(table.game.id, snapshot.take(table.game), records.REGISTRY)
    assert again is not None
    assert (again.round, again.randomness) == (number, None)
    table.does(draw)
    assert table.game.status == "running"
    assert refused(table, draw, out + 10_000_000) == "not_closed"


def test_seats_may_reveal_until_their_time_is_up_and_then_the_round_goes_without_them() -> None:
    table = closed(giving=2)
    table.reveal(0)
    number, ends = table.game.round, entropy_deadline(table.game)
    assert ends is not None
    assert next_deadline(table.game) == ends
    draw = lambda batch: batch.draw_beacon(CHAIN.sign(number))  # noqa: E731
    assert refused(table, draw, ends) == "too_early"
    late = lambda batch: batch.abort(WITHHELD, CLOCK, [1])  # noqa: E731
    assert refused(table, late, ends + 1) == "lenient"
    table.does(draw)
    table.plays_on()
    report = verify_game(records.record_of(table), VerifyOptions(), records.REGISTRY)
    assert report.verdict == PROVED, report.to_json()
    assert "Committed to, and not given in time: the entropy of seat 1 (player p-bea)." in (
        report.notes
    )


@pytest.mark.parametrize("late", [START, ABORT])
def test_a_table_chooses_what_a_late_beacon_leads_to(late: str) -> None:
    table = closed({**BEACON, "late": late})
    ends = entropy_deadline(table.game)
    assert ends is not None
    start = lambda batch: batch.start_without()  # noqa: E731
    abort = lambda batch: batch.abort(BEACON_WITHHELD, CLOCK)  # noqa: E731
    right, other = (start, abort) if late == START else (abort, start)
    assert refused(table, right, ends) == "not_late"
    assert refused(table, other, ends + 1) in {"not_lenient", "no_beacon_expected"}
    table.does(right)
    table.plays_on()
    report = verify_game(records.record_of(table), VerifyOptions(), records.REGISTRY)
    assert report.verdict == PROVED, report.to_json()
    notes = " ".join(report.notes)
    assert ("the beacon was late" in notes) == (late == START)
    assert FORESEEN not in notes


def test_both_verifiers_say_which_round_decides(tmp_path: Path) -> None:
    found = [drawn(), drawn(OwnChain(LONG))]
    for record, theirs in zip(found, reports(tmp_path, map(text_of, found)), strict=True):
        report = verify_game(record, VerifyOptions(), records.REGISTRY)
        assert report.verdict == PROVED, report.to_json()
        number = nth(record, "beacon_drawn")["body"]["beacon"]["round"]
        assert any(note.startswith(f"Round {number} of the beacon ") for note in report.notes)
        assert {BACKDATED, FORESEEN} <= {*report.notes}
        assert "Entropy was given by seat 0 (player p-ana)." in report.notes
        assert not any("chosen this seed" in note for note in report.notes)
        assert not codes(theirs, "failure")
        told = {"beacon_given", "beacon_unknown", "beacon_foreseen", "entropy_given"}
        assert told <= codes(theirs)


def test_both_verifiers_know_a_public_chain(tmp_path: Path) -> None:
    """A real round of it decides; who has its key is not the operator, but may date back."""
    told = next(each for each in VECTORS["rounds"] if each["chain"] == "quicknet")
    table = Table("beacon", HOLDERS["people"], {**STRICT_BEACON, "beacon": QUICKNET.pinned()})
    table._ms = round_ms(QUICKNET.pinned(), told["round"]) - 31_000
    at_once(table, 0, 2)
    assert table.game.round == told["round"]
    table.does(lambda batch: batch.draw_beacon(told["signature"]), after=31)
    table.plays_on()
    record = records.record_of(table)
    report = verify_game(record, VerifyOptions(), records.REGISTRY)
    assert report.verdict == PROVED, report.to_json()
    assert {BACKDATED, FORESEEN} <= {*report.notes}
    (theirs,) = reports(tmp_path, [text_of(record)])
    assert {"beacon_given", "beacon_dated", "beacon_foreseen"} <= codes(theirs)
    assert not codes(theirs, "failure") | codes(theirs, "open")


def test_what_cannot_be_checked_is_not_passed(tmp_path: Path) -> None:
    """The rules alone have no curve; and there are schemes that no verifier knows."""
    record = drawn()
    alone = verify(record.game_id, record.copies, records.REGISTRY)
    (check,) = [one for one in alone.checks if one.name == "commitments"]
    assert "the beacon's signature" in check.skipped
    chained = forged(a_chained_scheme)
    report = verify_game(chained, VerifyOptions(), records.REGISTRY)
    assert report.verdict == "not_wholly_proved"
    (theirs,) = reports(tmp_path, [text_of(chained)])
    assert "beacon_scheme" in codes(theirs, "open")
    assert not codes(theirs, "failure")


# Forgeries, signed with the service's own key


def a_chained_scheme(record: Record) -> None:
    terms(record)["beacon"]["scheme"] = "pedersen-bls-chained"


def terms(record: Record) -> Any:
    return nth(record, "created")["body"]["game"]["entropy"]


def another_rounds_signature(record: Record) -> None:
    told = nth(record, "beacon_drawn")["body"]["beacon"]
    told["signature"] = CHAIN.sign(told["round"] + 1)


def another_round(record: Record) -> None:
    told = nth(record, "beacon_drawn")["body"]["beacon"]
    told.update(round=told["round"] + 1, signature=CHAIN.sign(told["round"] + 1))


def another_key(record: Record) -> None:
    terms(record)["beacon"]["public_key"] = CHAIN._replace(secret=8).pinned()["public_key"]


def passes_for_quicknet(record: Record) -> None:
    terms(record)["beacon"]["chain"] = QUICKNET.hash


def too_early(record: Record) -> None:
    shift(record, nth(record, "beacon_drawn")["seq"], -1_000)


def without_terms(record: Record) -> None:
    del terms(record)["late"]


def in_another_mode(record: Record) -> None:
    game = nth(record, "created")["body"]["game"]
    game["entropy"] = {"mode": "lenient", "seconds": 300}


def of_a_far_future(record: Record) -> None:
    terms(record)["beacon"]["genesis"] = 2**53 - 1


def by_the_rules(record: Record) -> None:
    nth(record, "beacon_drawn")["by"] = {"service": "rules"}


def with_other_luck(record: Record) -> None:
    game = nth(record, "created")["body"]["game"]
    game["chance"]["scope"], game["visibility"] = "t00-cup/1", "block"
    del game["take_back"], game["hints"]  # for the same reason, it has neither
    nth(record, "created")["by"] = {"tournament": "t00-cup"}


FORGERIES: list[tuple[Callable[[Record], None], str, str]] = [
    (another_rounds_signature, "commitments", "beacon_signature"),
    (another_round, "table", "beacon_round"),
    (another_key, "commitments", "beacon_signature"),
    (passes_for_quicknet, "commitments", "beacon_signature"),
    (too_early, "table", "beacon_early"),
    (without_terms, "shapes", "shape"),
    (in_another_mode, "table", "beacon_round"),
    (of_a_far_future, "table", "beacon_round"),
    (by_the_rules, "shapes", "shape"),
    (with_other_luck, "shapes", "beacon_scope"),
]


def while_seats_may_reveal(record: Record) -> None:
    shift(record, nth(record, "beacon_drawn")["seq"], -2_000)


WITHHELD_FORGERIES: list[tuple[Callable[[Record], None], str, str]] = [
    (in_another_mode, "the game waits for no beacon", "beacon_round"),
    (while_seats_may_reveal, "seats may still reveal entropy", "beacon_early"),
]


def drawn_without_entropy(table: Table) -> None:
    """Let the time for entropy pass, and draw the round."""
    number = table.game.round
    table.does(lambda batch: batch.draw_beacon(CHAIN.sign(number)), after=ENTROPY_SECONDS + 1)
    table.plays_on()


def forged(
    forge: Callable[[Record], None], draw: Callable[[Table], None] = draws_the_beacon
) -> Record:
    table = closed(giving=1)
    draw(table)
    record = records.alone(records.record_of(table))
    forge(record)
    return records.forge(record, table.secrets.salt)


def test_both_verifiers_find_what_is_forged(tmp_path: Path) -> None:
    found = [forged(forge) for forge, _check, _code in FORGERIES]
    told = reports(tmp_path, map(text_of, found))
    for (forge, check, code), record, other in zip(FORGERIES, found, told, strict=True):
        report = verify_game(record, VerifyOptions(), records.REGISTRY)
        assert report.verdict == FAILED, forge
        assert check in {found.name for found in report.checks if not found.ok}, forge
        assert code in codes(other, "failure"), (forge, other["findings"])


def test_both_find_what_is_forged_where_entropy_is_withheld(tmp_path: Path) -> None:
    found = [forged(forge, drawn_without_entropy) for forge, _why, _code in WITHHELD_FORGERIES]
    told = reports(tmp_path, map(text_of, found))
    for (forge, why, code), record, other in zip(WITHHELD_FORGERIES, found, told, strict=True):
        report = verify_game(record, VerifyOptions(), records.REGISTRY)
        failures = [failure for check in report.checks for failure in check.failures]
        assert any(why in failure for failure in failures), failures
        assert code in codes(other, "failure"), (forge, other["findings"])


@pytest.mark.parametrize(
    "end",
    ["waits for a beacon", "starts with a beacon", "starts without a beacon",
     "is aborted without a beacon"],
)  # fmt: skip
def test_honest_games_pass_both(end: str, tmp_path: Path) -> None:
    giving = 1 if end != "starts with a beacon" else 2
    table = held(Course("people" if giving == 2 else "mixed", giving=giving, end=end))
    record = records.record_of(table)
    report = verify_game(record, VerifyOptions(), records.REGISTRY)
    assert not [failure for check in report.checks for failure in check.failures]
    (theirs,) = reports(tmp_path, [text_of(record)])
    assert not codes(theirs, "failure"), theirs["findings"]
    assert ("beacon_late" in codes(theirs)) == (end == "starts without a beacon")


def test_an_operators_suspension_waits_for_all() -> None:
    table = closed()
    table.does(lambda batch: batch.suspend(ADMIN))
    out = round_ms(CHAIN.pinned(), table.game.round)
    assert next_deadline(table.game) is None
    draw = lambda batch: batch.draw_beacon(CHAIN.sign(batch.game.round))  # noqa: E731
    assert refused(table, draw, out) == "game_suspended"
    assert from_ms(out) > table.game.at
    assert Seat(0) not in table.game.asked
