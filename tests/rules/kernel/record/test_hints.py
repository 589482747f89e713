"""A seat asks for a hint at a table that has them: all see that, and nothing else changes."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.kernel.canonical import digest, encode
from rules.kernel.contract.seats import Seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.events import Event
from rules.kernel.record.game import counting
from rules.kernel.record.requests import request_digest
from service.catalogue.bots import BOTS
from tests.contract.tables import REGISTRY
from tests.rules.kernel.record.test_batch import BY, Table
from tests.rules.kernel.record.test_taking_back import facts, folded
from tests.sealed import RULESET as SEALED

ANA, BOB = Seat(0), Seat(1)
BOT = BOTS["greedy"].holder(SEALED)


class Hinting(Table):
    """A table of two with hints, at which moves may be taken back."""

    def __init__(self, *holders: Any, hints: bool = True) -> None:
        super().__init__(*(holders or (BY, BY)), ruleset="sealed", take_back=True, hints=hints)

    def hints(self, seat: Seat, decision: int | None = None) -> Event:
        batch = self.batch()
        batch.hint(seat, self.game.asked[seat] if decision is None else decision, {"seat": seat})
        (event,) = self.take(batch)
        return event

    def plays(self, seat: Seat) -> None:
        move = self.game.ruleset.legal_moves(self.game.state, seat)[0].to_json()
        batch = self.batch()
        batch.move(seat, move, {"seat": seat})
        self.take(batch)


def test_all_see_who_asks_for_which_decision_and_nothing_else_changes() -> None:
    table = Hinting()
    before, decision = facts(table.game), table.game.asked[ANA]
    event = table.hints(ANA)
    assert (event.kind, event.by) == ("hinted", {"seat": 0})
    part = event.body["hint"]
    assert (part.value, part.audience) == ({"decision": decision}, "public")
    after = facts(table.game)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"at", "head", "version"}
    assert table.game.hinted == {(ANA, decision)}
    asked = {"kind": "hint", "seat": 0, "decision": decision, "idempotency_key": "k"}
    assert request_digest([event], "k") == digest(encode(asked))


def test_folding_and_snapshots_know_who_asked() -> None:
    table = Hinting()
    table.hints(ANA)
    assert facts(folded(table.events)) == facts(table.game)
    assert folded(table.events).hinted == table.game.hinted
    again = snapshot.restore(table.game.id, snapshot.take(table.game), REGISTRY)
    assert again is not None
    assert again.hinted == table.game.hinted
    assert "hinted" not in {event.kind for event in counting(table.events)}


def test_moves_before_a_hint_can_still_be_taken_back() -> None:
    table = Hinting()
    start = table.game.version
    table.plays(ANA)
    assert ANA in table.game.asked
    table.hints(ANA)
    table.plays(ANA)
    assert table.game.ways_back(ANA) == [start, start + 1]
    batch = table.batch()
    batch.take_back(ANA, start, {"seat": ANA})
    table.take(batch)
    assert table.game.asked[ANA] == start
    assert facts(folded(table.events)) == facts(table.game)
    table.hints(ANA)


def test_who_may_not() -> None:
    def refused(table: Hinting, ask: Callable[[Batch], None]) -> str:
        with pytest.raises(RefusedError) as error:
            ask(table.batch())
        return error.value.code

    table = Hinting()
    decision = table.game.asked[ANA]
    assert refused(table, lambda batch: batch.hint(ANA, decision - 1, {})) == "not_asked"
    assert refused(table, lambda batch: batch.hint(Seat(2), decision, {})) == "unknown_seat"
    table.hints(ANA)
    assert refused(table, lambda batch: batch.hint(ANA, decision, {})) == "hinted_before"
    without = Hinting(hints=False)
    assert "hints" not in without.game.created
    decision = without.game.asked[ANA]
    assert refused(without, lambda batch: batch.hint(ANA, decision, {})) == "no_hints"
    of_bot = Hinting(BOT, BY)
    decision = of_bot.game.asked[ANA]
    assert refused(of_bot, lambda batch: batch.hint(ANA, decision, {})) == "no_hints"
    batch = table.batch()
    batch.resign(ANA, {"seat": ANA})
    table.take(batch)
    assert refused(table, lambda batch: batch.hint(ANA, decision, {})) == "seat_resigned"
