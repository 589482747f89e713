"""Players sign their moves: who has to, what is recorded for whom, and other keys."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.events import Event
from rules.kernel.record.requests import request_digest
from rules.kernel.record.signatures import key_to_sign, move_to_sign
from service.catalogue.bots import BOTS
from tests.contract.tables import REGISTRY
from tests.rules.kernel.record.test_batch import BY, Table
from tests.rules.kernel.record.test_taking_back import facts, folded
from tests.rules.kernel.test_format import given
from tests.sealed import RULESET as SEALED

ANA, BOB = Seat(0), Seat(1)
BOT = BOTS["greedy"].holder(SEALED)
KEYS = ["aa" * 32, "bb" * 32]
SIG = "cc" * 64


class Signing(Table):
    """A table at which players sign; the kernel does not ask what a signature is worth."""

    def __init__(self, *holders: JsonObject) -> None:
        super().__init__(*[None] * 2, ruleset="sealed", take_back=True, signatures=True)
        for seat, holder in by_seat(holders or (BY, BY)):
            batch = self.batch()
            batch.sit(seat, holder, BY, key=KEYS[seat] if "player" in holder else None)
            self.take(batch)

    def plays(self, seat: Seat, **other: Any) -> list[Event]:
        move = self.game.ruleset.legal_moves(self.game.state, seat)[0].to_json()
        signed: JsonObject = {"decision": self.game.asked[seat], "sig": SIG}
        asked = {"expected_head": self.game.head.hex(), "signature": signed, **other}
        batch = self.batch()
        batch.move(seat, move, {"seat": seat}, **asked)
        return self.take(batch)


def refused(table: Signing, act: Callable[[Batch], None]) -> str:
    with pytest.raises(RefusedError) as error:
        act(table.batch())
    return error.value.code


def test_the_bytes_that_are_signed_are_those_of_the_format() -> None:
    of = given("signature_of_a_move")
    v = of["of"]
    signed = move_to_sign(v["game_id"], v["seat"], v["decision"], v["head"], v["move"])
    assert signed == of["signed"].encode()
    of = given("another_key")
    v = of["of"]
    assert key_to_sign(v["game_id"], v["seat"], v["head"], v["key"]) == of["signed"].encode()


def test_a_signature_is_for_those_who_see_its_move() -> None:
    table = Signing()
    audiences = set()
    while not table.game.over:
        event = table.plays(min(table.game.asked))[0]
        assert event.body["signature"].audience == event.body["move"].audience
        audiences.add(event.body["move"].audience)
    assert len(audiences) > 1, "the game hides moves"


def test_folding_and_snapshots_know_the_keys() -> None:
    table = Signing()
    batch = table.batch()
    batch.change_key(ANA, "dd" * 32, None, BY)
    (event,) = table.take(batch)
    assert event.body["key"].value == {"seat": 0, "key": "dd" * 32, "sig": None}
    assert [holding.key for holding in table.game.seats] == ["dd" * 32, KEYS[1]]
    assert facts(folded(table.events)) == facts(table.game)
    again = snapshot.restore(table.game.id, snapshot.take(table.game), REGISTRY)
    assert again is not None
    assert again.seats == table.game.seats


def test_receipts_name_what_was_signed() -> None:
    table = Signing()
    head, decision = table.game.head.hex(), table.game.asked[ANA]
    event = table.plays(ANA)[0]
    move = event.body["move"].value
    asked = {
        "kind": "move", "seat": 0, "move": move, "expected_head": head,
        "signature": {"decision": decision, "sig": SIG}, "idempotency_key": "k",
    }  # fmt: skip
    assert request_digest([event], "k") == digest(encode(asked))
    sat = {"kind": "sit", **table.events[1].body["seat"].value, "idempotency_key": None}
    assert sat["key"] == KEYS[0]
    assert request_digest(table.events[1:2], None) == digest(encode(sat))
    batch = table.batch()
    batch.change_key(BOB, "dd" * 32, SIG, BY)
    changed = {"kind": "change_key", "seat": 1, "key": "dd" * 32, "sig": SIG}
    found = request_digest(table.take(batch), "k")
    assert found == digest(encode({**changed, "idempotency_key": "k"}))


def test_who_must_sign_must_sign_all_of_it() -> None:
    table = Signing()
    seat, other = ANA, table.game.asked[ANA] - 1
    for wrong, code in (
        ({"signature": None}, "signature_missing"),
        ({"expected_head": None}, "head_missing"),
        ({"signature": {"decision": other, "sig": SIG}}, "decision_not_open"),
    ):
        with pytest.raises(RefusedError) as error:
            table.plays(seat, **wrong)
        assert error.value.code == code
    lobby = Table(None, None, ruleset="sealed", signatures=True)
    assert refused(lobby, lambda batch: batch.sit(ANA, BY, BY)) == "signing_key_missing"  # type: ignore[arg-type]


def test_who_signs_nothing_has_no_key() -> None:
    table = Signing(BY, BOT)
    assert refused(table, lambda batch: batch.change_key(BOB, KEYS[0], None, BY)) == "no_signatures"
    without = Table(BY, None, ruleset="sealed")
    for act in (
        lambda batch: batch.sit(BOB, BY, BY, key=KEYS[0]),
        lambda batch: batch.change_key(ANA, KEYS[0], None, BY),
    ):
        assert refused(without, act) == "no_signatures"  # type: ignore[arg-type]
    lobby = Table(None, None, ruleset="sealed", signatures=True)
    assert refused(lobby, lambda batch: batch.sit(ANA, BOT, BY, key=KEYS[0])) == "no_signatures"  # type: ignore[arg-type]
    full = Table(BY, BY, ruleset="sealed")
    signed = {"decision": full.game.asked[ANA], "sig": SIG}
    move = full.game.ruleset.legal_moves(full.game.state, ANA)[0].to_json()
    assert refused(full, lambda batch: batch.move(ANA, move, {}, signature=signed)) == (  # type: ignore[arg-type]
        "no_signatures"
    )


def test_a_seat_that_is_gone_binds_no_key() -> None:
    table = Signing()
    batch = table.batch()
    batch.resign(ANA, {"seat": 0})
    table.take(batch)
    assert refused(table, lambda batch: batch.change_key(ANA, KEYS[1], None, BY)) == "seat_resigned"
    batch = table.batch()
    batch.suspend({"admin": "ana"})
    table.take(batch)
    assert refused(table, lambda batch: batch.change_key(BOB, KEYS[1], None, BY)) == (
        "game_suspended"
    )


def test_a_new_key_ends_what_can_be_taken_back() -> None:
    """It counts, as every event does that no move of the seat is."""
    table = Signing()
    table.plays(ANA)
    assert table.game.ways_back(ANA)
    batch = table.batch()
    batch.change_key(BOB, "dd" * 32, None, BY)
    table.take(batch)
    assert not table.game.ways_back(ANA)
