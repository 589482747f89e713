"""Games that start without withheld entropy, and entropy with drawn seats."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import FAILED
from rules.kernel.record.batch import RefusedError
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.cli.test_forgeries import shift
from tests.service.cli.test_verify import nth
from tests.service.verifier.programs import codes, reports, text_of

SEAT_1 = "Committed to, and not given in time: the entropy of seat 1 (player p-1)."


def test_who_withholds_entropy_gives_none() -> None:
    notes = verify_game(lenient(0), VerifyOptions(), records.REGISTRY).notes
    assert SEAT_1 in notes
    assert "Entropy was given by seat 0 (player p-0)." in notes
    notes = verify_game(lenient(), VerifyOptions(), records.REGISTRY).notes
    assert "Nobody gave entropy: the operator could have chosen this seed." in notes
    (started,) = [event for event in lenient(0, 1).copies if event["kind"] == "started"]
    assert started["by"] == {"service": "rules"}


def test_the_other_verifier_names_them_too(tmp_path: Path) -> None:
    bots = records.record_of(records.play_on(records.with_entropy(0, bots=True)))
    told = reports(tmp_path, map(text_of, (lenient(0), lenient(), bots)))
    some, none, of_a_bot = ({one["en"] for one in report["findings"]} for report in told)
    assert {"Seat 0 gave entropy: p-0."} <= some
    assert {"Seat 1 committed to entropy and did not give it in time: p-1."} <= some & none
    assert {"Seat 0 gave entropy: greedy@2."} <= of_a_bot
    found = [codes(report, "note") for report in told]
    assert [bool(one & {"no_entropy", "no_player_entropy"}) for one in found] == [False, True, True]
    assert "no_player_entropy" in found[2]


def lenient(*give: int) -> Record:
    return records.record_of(records.lenient(*give))


def test_the_clock_starts_it_when_the_time_is_up_and_entropy_comes_before() -> None:
    with pytest.raises(RefusedError, match="no time is up"):
        records.lenient(0, late_ms=0)
    table = records.lenient(0)
    with pytest.raises(RefusedError, match="not closed"):
        table.change(lambda batch: batch.reveal_entropy(Seat(1), bytes([1] * 32), {}))
    with pytest.raises(RefusedError, match="not closed"):
        table.change(lambda batch: batch.start_without())


# Forgeries, signed with the service's own key


def at_the_deadline(record: Record) -> None:
    shift(record, nth(record, "started")["seq"], -1)


def a_reveal_after_it(record: Record) -> None:
    shift(record, nth(record, "entropy_revealed")["seq"], 60_001)


def in_the_other_mode(record: Record) -> None:
    nth(record, "created")["body"]["game"]["entropy"]["mode"] = "reveal"


def by_the_rules(record: Record) -> None:
    nth(record, "started")["by"] = {"service": "rules"}


def by_who_withheld_it(record: Record) -> None:
    nth(record, "started")["by"] = {"player": "p-1"}


def aborted_for_it(record: Record) -> None:
    value = nth(record, "aborted")["body"]["aborted"]
    value.update(reason="entropy_withheld", withheld_by=[1])
    nth(record, "aborted")["by"] = {"service": "clock"}


def anothers(record: Record) -> None:
    """Claim that the second player brought the commitment of the first."""
    seated(record, 2)["brought"] = seated(record, 0)["brought"]


def unbound(record: Record) -> None:
    """Move a commitment for a seat as if it named no seat."""
    del seated(record, 0)["brought"]


def never_brought(record: Record) -> None:
    seated(record, 2)["brought"] += 1


def without_any(record: Record) -> None:
    seated(record, 4)["brought"] = nth(record, "closed")["seq"] - 1


def to_two(record: Record) -> None:
    """Let another player sit down with the commitment of the first."""
    first, last = seated(record, 0), seated(record, 4)
    last.update(entropy_commitment=first["entropy_commitment"], brought=first["brought"])


def seated(record: Record, number: int) -> JsonObject:
    found = [event for event in records.events(record) if event["kind"] == "seated"]
    value: JsonObject = found[number]["body"]["seat"]
    return value


FORGERIES: list[tuple[Callable[[Record], None], str, str]] = [
    (at_the_deadline, "table", "started_without"),
    (a_reveal_after_it, "table", "entropy_late"),
    (in_the_other_mode, "table", "started_without"),
    (by_the_rules, "table", "batch_first"),
    (by_who_withheld_it, "shapes", "shape"),
    (aborted_for_it, "table", "aborted"),
    (anothers, "table", "brought"),
    (unbound, "table", "brought"),
    (never_brought, "table", "brought"),
    (without_any, "table", "brought"),
    (to_two, "table", "brought"),
]


def test_both_verifiers_find_what_is_forged(tmp_path: Path) -> None:
    forged = []
    for forge, _check, code in FORGERIES:
        table = records.drawn() if code == "brought" else records.lenient(0)
        if forge is aborted_for_it:
            table = records.lenient(0, starts=False)
            table.change(lambda batch: batch.abort("cancelled", batch.game.created_by))
        record = records.alone(records.record_of(table))
        forge(record)
        forged.append(records.forge(record, table.secrets.salt))
    told = reports(tmp_path, map(text_of, forged))
    for (forge, check, code), record, other in zip(FORGERIES, forged, told, strict=True):
        report = verify_game(record, VerifyOptions(), records.REGISTRY)
        assert report.verdict == FAILED, forge
        assert check in {found.name for found in report.checks if not found.ok}, forge
        assert code in codes(other, "failure"), (forge, other["findings"])
