"""The verifier in TypeScript and `lonja verify` agree on honest records, of every ruleset."""

import gzip
import json
from pathlib import Path

import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import NOT_WHOLLY, PROVED
from rules.registry import PACKAGES
from service.cli.verifying import VerifyOptions, verify_game
from tests.service.cli import records
from tests.service.cli.test_evidence import STRANGER, answer
from tests.service.cli.test_forgeries import HONEST
from tests.service.verifier.programs import (
    codes,
    report,
    reports,
    run,
    standing,
    text_of,
)  # fmt: skip

RULESETS = [package.removeprefix("rules.") for package in PACKAGES]
KEY = records.SIGNER.public_key.hex()


@pytest.mark.parametrize("ruleset", [*RULESETS, "sealed", "pig"])
def test_whole_games(ruleset: str, tmp_path: Path) -> None:
    record = records.finished(ruleset)
    found = report(tmp_path, record, "--public-key", KEY)
    assert verify_game(record, VerifyOptions(), records.REGISTRY).verdict == PROVED
    assert standing(found) == "sound", found["findings"]
    assert codes(found) == {"no_entropy", "key_trusted"}
    copies = list(record.copies)
    picks = [event["body"]["picks"] for event in copies if event["kind"] == "chanced"]
    values = sum(len(event["body"]) for event in copies)
    opens = sum(len(event["body"].get("opens", ())) for event in copies)
    assert found["counts"] == {
        "events": len(copies),
        "batches": sum(event["seq"] == event["last"] for event in copies),
        "commitments": values,
        "nonces": values,
        "openings": opens,
        "state_proofs": 4,  # the events before the start: `created`, and three seats
        "draws": len(picks),
        "picks": sum(map(len, picks)),
        "entropy": 0,
        "signatures": 1,
        "signed": 0,
        "games": 1,
        "hidden": 0,
    }


@pytest.mark.parametrize("name", HONEST)
def test_games_with_entropy_of_blocks_and_suspended(name: str, tmp_path: Path) -> None:
    found = report(tmp_path, HONEST[name]())
    assert standing(found) == "sound", found["findings"]
    assert found["counts"]["entropy"] == {"entropy": 2, "lenient": 1, "drawn": 2}.get(name, 0)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_game_that_goes_on_is_open(viewer: Seat | None, tmp_path: Path) -> None:
    running = [
        records.record_of(records.played(ruleset, moves=9), viewer)
        for ruleset in ("sealed", "santiago_de_cuba")
    ]
    for record, found in zip(running, reports(tmp_path, map(text_of, running)), strict=True):
        assert verify_game(record, VerifyOptions(), records.REGISTRY).verdict == NOT_WHOLLY
        assert standing(found) == "open"
        assert codes(found, "failure", "open") == {"goes_on"}
        assert found["counts"]["hidden"] > 0


def test_a_block_that_goes_on_keeps_its_luck(tmp_path: Path) -> None:
    found = report(tmp_path, records.record_of(records.of_a_block(open_luck=False)))
    assert standing(found) == "open"
    assert codes(found, "failure", "open") == {"luck_closed"}


def test_a_gzipped_record(tmp_path: Path) -> None:
    text = text_of(records.finished("sealed"))
    assert standing(reports(tmp_path, [gzip.compress(text)])[0]) == "sound"
    cut = reports(tmp_path, [gzip.compress(text)[:-200], text[:-1], text[:-900], b"", b"{}\n"])
    assert [found["verdict"] for found in cut] == ["unreadable"] * 5
    assert [codes(found, "unreadable") for found in cut] == [
        {"file_read"},
        {"line_end"},
        {"line_end"},
        {"file_empty"},
        {"header"},
    ]


def test_a_receipt_holds_what_a_record_cannot_say_of_itself(tmp_path: Path) -> None:
    table = records.played("sealed")
    record = records.record_of(table)
    moved = next(
        event for event in record.copies if event["kind"] == "moved" and "client" in event["body"]
    )
    receipt = answer(table, moved["seq"])
    kept = tmp_path / "receipt.json"

    def with_receipt(**changed: object) -> set[str]:
        kept.write_text(json.dumps({**receipt, **changed}))
        return codes(report(tmp_path, record, "--receipt", str(kept)), "failure")

    assert with_receipt() == set()
    assert with_receipt(idempotency_key="other") == {"receipt_signature", "receipt_request"}
    assert with_receipt(hash="0" * 64) == {"receipt_signature", "receipt_hash"}
    assert with_receipt(game_id="g00-other") == {"receipt_id"}
    assert with_receipt(sig="00" * 64) == {"receipt_signature"}
    assert with_receipt(sig="") == {"receipt_shape"}
    kept.write_text(json.dumps(receipt))
    forged = records.forge(record, signer=STRANGER)
    found = report(tmp_path, forged, "--receipt", str(kept), "--public-key", KEY)
    assert codes(found, "failure") == {"receipt_key", "receipt_signature", "key_other"}


def test_every_kind_of_request_is_read_from_its_batch(tmp_path: Path) -> None:
    entropy, table = records.with_entropy(0, 1), records.played("sealed")
    for of, kinds in (
        (table, ("created", "moved", "resigned")),
        (entropy, ("created", "seated", "left", "entropy_revealed")),
    ):
        record = records.record_of(of)
        given: list[str] = []
        for kind in kinds:
            seq = next(event["seq"] for event in record.copies if event["kind"] == kind)
            kept = tmp_path / f"{kind}.json"
            kept.write_text(json.dumps(answer(of, seq)))
            given += ["--receipt", str(kept)]
        found = report(tmp_path, record, *given)
        assert codes(found, "failure") == set()
        fits = [finding for finding in found["findings"] if finding["code"] == "receipt_fits"]
        assert len(fits) == len(kinds)


def test_the_program_says_what_it_needs(tmp_path: Path) -> None:
    path, running = tmp_path / "game.ndjson", tmp_path / "running.ndjson"
    path.write_bytes(text_of(records.finished("sealed")))
    running.write_bytes(text_of(records.record_of(records.played("sealed", moves=9))))
    done = run(str(path), "--lang", "es")
    assert done.returncode == 3, "it knows no rules, and never says that all is proved"
    assert "No hay nada mal" in done.stdout
    assert "SIN juzgar: la legalidad" in done.stdout
    assert "No se juzga aquí" in done.stdout
    assert run(str(path), str(running)).returncode == 3
    assert run().returncode == 2
