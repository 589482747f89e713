"""Receipts and keys: they show more than the file, and never weaken a verdict."""

from itertools import product
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import FAILED, NOT_WHOLLY, PROVED
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.events import public
from rules.kernel.record.secrets import entropy_commitment
from service.cli import local
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from service.records.receipts import Signer
from tests.service.cli import records
from tests.service.cli.test_forgeries import failing, found
from tests.service.cli.test_verify import FORGERIES, nth

KEY = records.SIGNER.public_key.hex()
STRANGER = Signer(Ed25519PrivateKey.from_private_bytes(b"\x02" * 32))


def answer(table: Any, seq: int, key: str | None = "my key") -> JsonObject:
    """Return the service's receipt for the request that led to the event ``seq``."""
    batch = [event for event in table.events if event.last == table.events[seq - 1].last]
    return records.SIGNER.receipt(table.game.id, batch, key)


@pytest.fixture(scope="module")
def table() -> Any:
    return records.played("sealed")


@pytest.fixture
def record(table: Any) -> Record:
    return records.alone(records.record_of(table))


def first(record: Record, kind: str, n: int = 0) -> int:
    seq: int = nth(record, kind, n)["seq"]
    return seq


def test_a_receipt_answers_each_kind_of_request(table: Any, record: Record) -> None:
    entropy = records.with_entropy(0, 1)
    asked = [(table, record, kind) for kind in ("created", "moved", "resigned")]
    asked += [
        (entropy, records.record_of(entropy), kind)
        for kind in ("created", "seated", "left", "entropy_revealed")
    ]
    for of, honest, kind in asked:
        for key in (None, "k"):
            receipt = answer(of, first(honest, kind), key)
            assert "receipt" not in str(found(honest, VerifyOptions(receipt, KEY)).missing), kind
            report = found(honest, VerifyOptions(receipt, KEY))
            assert report.verdict != FAILED, (kind, [c.failures for c in report.checks])


@pytest.mark.parametrize("name", ["request", "idempotency_key", "seq", "at", "hash", "game_id"])
def test_a_receipt_for_something_else_fails(table: Any, record: Record, name: str) -> None:
    """Even a receipt that the service signed: then the service has signed two histories."""
    receipt = answer(table, first(record, "moved", 2))
    other: Any = {"request": "ab" * 32, "idempotency_key": "another", "seq": 3, "at": "then",
                  "hash": "cd" * 32, "game_id": "g00-other"}[name]  # fmt: skip
    changed = {**receipt, name: other}
    del changed["key_id"], changed["sig"]
    signed = records.SIGNER._sign(
        changed["game_id"], changed["seq"], bytes.fromhex(changed["hash"]), changed["at"],
        bytes.fromhex(changed["request"]), changed["idempotency_key"],
    )  # fmt: skip
    assert failing(record, VerifyOptions(signed, KEY)) == {"receipt"}


def test_a_receipt_for_what_nobody_asked_fails(table: Any, record: Record) -> None:
    for seq in (first(record, "timed_out"), first(record, "chanced")):
        event = record.copies[seq - 1]
        signed = records.SIGNER._sign(
            record.game_id, seq, bytes.fromhex(event["hash"]), event["at"], b"\x00" * 32
        )
        assert failing(record, VerifyOptions(signed, KEY)) == {"receipt"}


def test_a_secret_move_cannot_be_compared_yet() -> None:
    going = records.with_entropy()
    while going.events[-1].body.get("move", public({})).audience == "public":
        records.move(going, min(going.game.asked))
    mover: Seat = going.events[-1].by["seat"]
    receipt = answer(going, going.game.version)
    others = found(records.record_of(going, Seat(1 - mover)), VerifyOptions(receipt, KEY))
    assert others.verdict == NOT_WHOLLY
    assert any(missing.startswith("receipt: the move of event") for missing in others.missing)
    own = found(records.record_of(going, mover), VerifyOptions(receipt, KEY))
    assert own.verdict == NOT_WHOLLY
    assert not any(missing.startswith("receipt") for missing in own.missing)


@pytest.mark.parametrize("change", ["more", "less", "upper", "none"])
def test_receipts_have_their_fields(record: Record, change: str) -> None:
    receipt = dict(record.header["receipt"])
    if change == "more":
        receipt["note"] = "trust me"
    elif change == "less":
        del receipt["request"]
    elif change == "upper":
        receipt["sig"] = receipt["sig"].upper()
    else:
        receipt = {}
    assert failing(record, VerifyOptions(receipt, KEY)) == {"receipt"}
    record.header["receipt"] = receipt
    assert "header" in failing(record)


def evidence(record: Record, table: Any) -> list[VerifyOptions]:
    """Return all evidence: a receipt, the key, and the bots."""
    receipts = [None, answer(table, first(record, "moved", 2)), record.header["receipt"]]
    return [
        VerifyOptions(receipt, key, bots)
        for receipt, key, bots in product(receipts, (None, KEY), (False,))
    ]


@pytest.mark.parametrize("signer", [records.SIGNER, STRANGER], ids=["service", "stranger"])
def test_more_evidence_never_weakens(table: Any, signer: Signer) -> None:
    """What fails without key and receipt fails with them, too; some fails only with the key."""
    honest = records.alone(records.record_of(table))
    for tamper in FORGERIES:
        changed = records.alone(honest)
        tamper(changed)
        changed = records.forge(changed, table.secrets.salt, signer)
        for asked in evidence(honest, table):
            assert found(changed, asked).verdict == FAILED, (tamper.__name__, asked)


def test_every_signature_is_by_the_trusted_key(table: Any) -> None:
    """A kept receipt of unchanged events does not make another signer's file valid."""
    honest = records.alone(records.record_of(table))
    early = answer(table, first(honest, "moved", 0))
    changed = records.alone(honest)
    for event in changed.copies[early["seq"] :]:
        if "bot" in event["body"] and "nodes" in event["body"]["bot"]:
            event["body"]["bot"]["nodes"] += 1
    changed = records.forge(changed, signer=STRANGER)
    assert found(changed).verdict == PROVED  # no trusted key is given
    for receipt in (None, early, changed.header["receipt"]):
        assert failing(changed, VerifyOptions(receipt, KEY)) == {"receipt"}
    changed.header["public_key"] = KEY
    assert "header" in failing(changed)
    assert {"header", "receipt"} <= failing(changed, VerifyOptions(early, KEY))


def test_it_is_said_who_signed_and_who_vouches(record: Record) -> None:
    key_id = records.SIGNER.key_id
    nobody = found(record).signed_by
    assert nobody == {"public_key": KEY, "key_id": key_id, "trusted": False}
    trusted = found(record, VerifyOptions(public_key=KEY)).signed_by
    assert trusted == {"public_key": KEY, "key_id": key_id, "trusted": True}


@pytest.mark.parametrize("key", ["rubbish", "", KEY.upper(), KEY + "00", "0x" + KEY[2:]])
def test_a_key_that_is_none_fails(record: Record, key: str) -> None:
    assert "receipt" in failing(record, VerifyOptions(public_key=key))


# Entropy


def test_it_is_told_who_gave_entropy() -> None:
    of_players = records.record_of(records.play_on(records.with_entropy(0, 1)))
    notes = " ".join(found(of_players).notes)
    assert "Entropy was given by seat 0 (player p-0), seat 1 (player p-1)." in notes
    assert "could have chosen this seed" not in notes


def test_a_bots_entropy_is_the_operators() -> None:
    of_bots = records.record_of(records.play_on(records.with_entropy(0, bots=True)))
    report = found(of_bots)
    assert report.verdict == PROVED
    assert "Entropy was given by seat 0 (bot greedy@2)." in report.notes
    assert "No player gave entropy: the operator could have chosen this seed." in report.notes


def test_one_real_player_is_enough() -> None:
    one = records.record_of(records.play_on(records.with_entropy(1)))
    notes = " ".join(found(one).notes)
    assert "seat 1 (player p-1)" in notes
    assert "seat 0" not in notes
    assert "could have chosen" not in notes


def test_a_commitment_to_no_game_is_for_seats_taken_with_the_table_alone() -> None:
    """A later player knows the game's id; otherwise one entropy would fit many games."""
    entropy = bytes(32)
    committed = entropy_commitment(None, 0, entropy).hex()
    me: JsonObject = {"player": "p-0"}
    for later in (False, True):
        table = local.LocalGame(records.REGISTRY, "later")

        def act(batch: Batch, *, later: bool = later) -> None:
            batch.create("sealed", 2, {}, me)
            if not later:
                batch.sit(Seat(0), me, me, committed)

        table.change(act)
        if later:
            table.change(lambda batch: batch.sit(Seat(0), me, me, committed))
        table.change(lambda batch: batch.sit(Seat(1), me, me))
        if later:
            with pytest.raises(RefusedError, match="committed to other entropy"):
                table.change(lambda batch: batch.reveal_entropy(Seat(0), entropy, me))
        else:
            table.change(lambda batch: batch.reveal_entropy(Seat(0), entropy, me))
            assert found(records.record_of(table)).verdict == NOT_WHOLLY
    forged = records.alone(records.record_of(records.play_on(records.with_entropy(0, 1))))
    seated = [event for event in forged.copies if event["kind"] == "seated"][-1]
    seat = seated["body"]["seat"]["seat"]
    committed = entropy_commitment(None, seat, bytes([seat] * 32)).hex()
    seated["body"]["seat"]["entropy_commitment"] = committed
    assert "commitments" in failing(records.forge(forged))


def test_both_options_stand_for_one_verdict(record: Record) -> None:
    report = verify_game(record, VerifyOptions(record.header["receipt"], KEY), records.REGISTRY)
    assert report.verdict == PROVED
    assert [check.name for check in report.checks][:4] == ["lines", "header", "viewer", "receipt"]
