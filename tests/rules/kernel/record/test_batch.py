"""The consequences of a request in its batch: openings, decisions, deadlines."""

import random
from collections.abc import Iterator
from copy import deepcopy

import pytest

from laws.streams import SECRETS
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import NONE
from rules.kernel.contract.seats import Seat, all_seats, by_seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import Batch
from rules.kernel.record.clocks import next_deadline, seat_deadline
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms, to_ms
from tests.contract.tables import REGISTRY, RULESETS

BY: JsonObject = {"player": "p-ana"}
BOT: JsonObject = {"bot": "random", "version": "1", "settings": {}}
SECONDS = 60


class Table:
    """A game of two seats, with one second between batches."""

    def __init__(
        self,
        *holders: JsonObject | None,
        ruleset: str = "pig",
        clock: JsonObject | None = None,
        **more: object,
    ) -> None:
        self.game = Game("g00-table", REGISTRY)
        self.events: list[Event] = []
        self._ms = 1_767_225_600_000
        clock = clock or {"decision_seconds": SECONDS}
        batch = self.batch()
        batch.create(ruleset, len(holders), {}, BY, clock=clock, **more)  # type: ignore[arg-type]
        for seat, holder in by_seat(holders):
            if holder is not None:
                batch.sit(seat, holder, holder)
        self.take(batch)

    def batch(self, at: int | None = None) -> Batch:
        """Return a batch one second later, or at ``at`` (ms since 1970)."""
        self._ms = self._ms + 1_000 if at is None else at
        return Batch(self.game, SECRETS, from_ms(self._ms))

    def take(self, batch: Batch) -> list[Event]:
        events = batch.seal()
        self.game, self.events = batch.game, self.events + events
        return events

    def moves(self, most: int = 100) -> Iterator[tuple[int, Game, list[Event]]]:
        """Play some random moves; yield the moving seat, the game before it, and the events."""
        rng = random.Random(1)
        while not self.game.over and (most := most - 1):
            before, seat = self.game, rng.choice(sorted(self.game.asked))
            batch = self.batch()
            move = rng.choice(self.game.ruleset.legal_moves(self.game.state, seat))
            batch.move(seat, move.to_json(), {"seat": seat})
            yield seat, before, self.take(batch)


@pytest.mark.parametrize("started", [True, False], ids=["running", "in the lobby"])
def test_a_game_that_is_aborted_opens_its_secrets(*, started: bool) -> None:
    table = Table(BY, BY if started else None)
    batch = table.batch()
    batch.abort("cancelled", BY)
    aborted, revealed = table.take(batch)
    assert aborted.body["salt"].value == {"salt_secret": SECRETS.salt.hex()}
    assert revealed.kind == "chance_revealed"
    assert revealed.body["chance"].value == {
        "scope": table.game.id,
        "chance_seed": SECRETS.chance_seed.hex(),
    }
    assert table.game.chance_open


def test_a_seed_that_other_games_play_by_stays_closed() -> None:
    table = Table(BY, BY, scope="elsewhere")
    batch = table.batch()
    batch.abort("tournament_cancelled", BY)
    (aborted,) = table.take(batch)
    assert aborted.body["salt"].value == {"salt_secret": SECRETS.salt.hex()}
    assert not table.game.chance_open


def test_who_moved_is_asked_anew_and_the_others_are_not() -> None:
    """If the seat that moved gets the same question, that is a new decision with a new deadline."""
    again = waited = 0
    for info in (ruleset.info for ruleset in RULESETS):
        table = Table(*[BY] * max(2, info.min_seats), ruleset=info.id)
        for mover, before, events in table.moves():
            game = table.game
            for seat, decision in game.asked.items():
                opened = table.events[decision - 1]
                assert game.asked_at[seat] == opened.at
                ends = seat_deadline(game, seat)
                assert ends == to_ms(opened.at) + 1_000 * SECONDS
                if seat == mover and game.question == before.question:
                    again += len(events) == 1  # no other seat and no draw came between
                    assert decision >= events[0].seq
                    assert opened.at == events[0].at
                elif seat in before.asked and game.question == before.question:
                    waited += 1
                    assert decision == before.asked[seat]
                    assert opened.at == before.asked_at[seat]
    assert again > 20
    assert waited > 5


def test_only_who_is_waited_for_has_a_deadline() -> None:
    bots = Table(BOT, BOT, ruleset="sealed")
    assert bots.game.asked
    assert next_deadline(bots.game) is None
    mixed = Table(BOT, BY, ruleset="sealed")
    met = set()
    for _seat, _before, _events in mixed.moves():
        asked = mixed.game.asked
        assert seat_deadline(mixed.game, Seat(0)) is None
        assert (next_deadline(mixed.game) is None) == (1 not in asked)
        met.add(frozenset(asked))
    assert {frozenset({0}), frozenset({1})} & met
    for table in (Table(BY, BY, ruleset="sealed"), Table(BY, BY)):
        batch = table.batch()
        for seat in all_seats(2):
            batch.resign(seat, {"seat": seat})
            assert seat_deadline(batch.game, seat) is None
        assert next_deadline(batch.game) is None


@pytest.mark.parametrize("ruleset", ["pig", "sealed"])
def test_a_fork_shares_nothing_that_changes(ruleset: str) -> None:
    table = Table(BY, BY, ruleset=ruleset)
    for _mover, game, events in table.moves():
        before = deepcopy((snapshot.take(game), game.access))
        fork = game.fork()
        for event in events:
            fork.take(event)
        assert (snapshot.take(game), game.access) == before
        with pytest.raises(AttributeError):
            fork.seats[0].resigned = True  # type: ignore[misc]  # a seat is a value
        fork.access.open(1, "x", 1)
        assert fork.access.sees(None, 1, "x", NONE, 1)
        assert not game.access.sees(None, 1, "x", NONE, 1)
