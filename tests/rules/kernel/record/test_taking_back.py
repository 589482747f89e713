"""A seat takes back its moves: the game is what it was, and the stream has all that happened."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from laws.streams import SECRETS
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.move import Move
from rules.kernel.contract.seats import Seat
from rules.kernel.record import snapshot
from rules.kernel.record.batch import Batch, RefusedError
from rules.kernel.record.clocks import next_deadline
from rules.kernel.record.events import Event, copy_for, genesis
from rules.kernel.record.game import MOST_MOVES_BACK, MOST_TAKEN_BACK, Game, counting
from tests.contract.tables import REGISTRY, RULESETS
from tests.rules.kernel.record.test_batch import BY, SECONDS, Table

FOLDED = (
    "asked", "asked_at", "at", "counts", "head", "question", "sealed", "last_by_seat", "taken_back",
    "turn", "version",
)  # fmt: skip


class Revocable(Table):
    """A table at which moves may be taken back."""

    def __init__(self, ruleset: str = "sealed", seats: int = 2) -> None:
        super().__init__(*[BY] * seats, ruleset=ruleset, take_back=True)

    def plays(self, seat: Seat, index: int = 0) -> list[Event]:
        move = self.game.ruleset.legal_moves(self.game.state, seat)[index].to_json()
        batch = self.batch()
        batch.move(seat, move, {"seat": seat})
        return self.take(batch)

    def takes_back(self, seat: Seat, to: int) -> Event:
        batch = self.batch()
        batch.take_back(seat, to, {"seat": seat})
        (event,) = self.take(batch)
        return event

    def refused(self, seat: Seat, to: int) -> RefusedError:
        with pytest.raises(RefusedError) as error:
            self.batch().take_back(seat, to, {})
        return error.value


def state_of(game: Game) -> bytes:
    return encode(game.ruleset.to_json(game.state))


def facts(game: Game) -> dict[str, Any]:
    """Return whatever folding knows, in values that can be compared."""
    points = [(p.to, p.seat, encode(game.ruleset.to_json(p.state)), *p[3:]) for p in game.points]
    return {"state": state_of(game), "points": points, **{n: getattr(game, n) for n in FOLDED}}


def folded(events: list[Event]) -> Game:
    game = Game("g00-table", REGISTRY)
    for event in events:
        game.take(event)
    return game


@pytest.mark.parametrize("ruleset", [ruleset.info.id for ruleset in RULESETS])
def test_the_game_is_what_it_was(ruleset: str) -> None:
    """In random games it is so wherever a seat may go back; folding and snapshots agree."""
    table = Revocable(ruleset, max(2, REGISTRY.find(ruleset).info.min_seats))
    rng, taken = random.Random(ruleset), 0
    then: dict[int, tuple[object, ...]] = {}
    for _ in range(150):
        game = table.game
        if game.over:
            break
        then[game.counts] = (state_of(game), game.asked, game.asked_at, game.turn, game.question)
        point = rng.choice(game.points) if game.points and rng.random() < 0.4 else None
        if point is None or game.taken_back.get(point.asked[point.seat], 0) == MOST_TAKEN_BACK:
            seat = rng.choice(sorted(game.asked))
            table.plays(seat, rng.randrange(len(game.ruleset.legal_moves(game.state, seat))))
            continue
        deadline = next_deadline(game)
        undone = table.takes_back(point.seat, point.to)
        game, taken = table.game, taken + 1
        assert undone.body["undo"].value == {"to": point.to}
        now = (state_of(game), game.asked, game.asked_at, game.turn, game.question)
        assert now == then[point.to]
        assert game.version == undone.seq
        ends = next_deadline(game)
        assert deadline is None or (ends is not None and ends <= deadline), "no time is won"
        again = snapshot.restore(game.id, snapshot.take(game), REGISTRY)
        assert again is not None
        again.turn = game.turn  # the next event that changes the state sets it
        assert facts(again) == facts(game)
    assert taken or ruleset == "pig", "a draw, or another seat, follows each of its moves"
    assert facts(folded(table.events)) == facts(table.game)
    plain = Game("g00-table", REGISTRY)
    for event in counting(table.events):
        plain.apply(event)
    assert state_of(plain) == state_of(table.game), "what was taken back changes nothing"


def test_only_own_moves_that_showed_nothing_can_be_taken_back() -> None:
    table = Revocable()
    leader, other = Seat(0), Seat(1)
    start = table.game.version
    assert table.refused(leader, start).details == {"seat": 0, "to": start, "possible": []}
    (stored,) = table.plays(leader)
    assert table.refused(other, start).code == "not_to_take_back"
    (bid,) = table.plays(leader)
    assert bid.body["move"].audience == "seat:0"
    assert table.refused(leader, bid.seq).details["possible"] == [start, stored.seq]
    table.takes_back(leader, stored.seq)
    assert table.game.asked == {leader: stored.seq, other: stored.seq}
    table.plays(leader)
    opened = table.plays(other)
    assert "opens" in opened[0].body
    assert table.refused(other, table.game.version).details["possible"] == []
    assert table.refused(leader, start).details["possible"] == []


def test_a_move_of_another_is_never_taken_back() -> None:
    table = Revocable(seats=3)
    (stored,) = table.plays(Seat(0))
    table.plays(Seat(1))
    table.plays(Seat(2))
    assert table.refused(Seat(1), stored.seq).details["possible"] == []
    table.takes_back(Seat(2), stored.seq + 1)
    assert sorted(table.game.asked) == [0, 2]


def test_a_table_allows_it_or_not() -> None:
    table = Table(BY, BY, ruleset="sealed")
    assert "take_back" not in table.game.created
    move = table.game.ruleset.legal_moves(table.game.state, Seat(0))[0].to_json()
    start = table.game.version
    batch = table.batch()
    batch.move(Seat(0), move, {})
    table.take(batch)
    with pytest.raises(RefusedError, match="no move is taken back at this table"):
        table.batch().take_back(Seat(0), start, {})


def test_three_times_a_decision() -> None:
    table = Revocable()
    start, leader, other = table.game.version, Seat(0), Seat(1)
    table.plays(leader)
    to = table.game.counts
    for _ in range(MOST_TAKEN_BACK):
        table.plays(leader)
        table.takes_back(leader, to)
    table.plays(leader)
    refused = table.refused(leader, to)
    assert (refused.code, refused.details) == ("taken_back_often", {"seat": 0, "decision": to})
    assert table.game.ways_back(leader) == [start]
    table.takes_back(leader, start)
    table.plays(leader)
    assert table.game.asked[leader] > to, "it is another decision"
    table.plays(leader)
    table.takes_back(leader, table.game.points[-1].to)
    table.plays(other)
    decision = table.game.asked[leader]
    assert table.game.taken_back[decision] == 1, "the move of another does not change it"


def test_who_chose_at_a_state_that_was_taken_back_chooses_again() -> None:
    table = Revocable()
    leader, other = Seat(0), Seat(1)
    start = table.game.version
    table.plays(leader)
    seen = table.game.version
    assert table.game.is_current(leader, seen)
    table.takes_back(leader, start)
    assert not table.game.is_current(leader, seen)
    assert table.game.is_current(leader, table.game.version)
    assert not table.game.is_current(other, seen)
    table.plays(leader)
    assert not table.game.is_current(other, seen)
    assert table.game.is_current(other, table.game.version)


def test_time_that_was_up_does_not_come_back() -> None:
    table = Revocable()
    start = table.game.version
    table.plays(Seat(0))
    late = table._ms + 1_000 * SECONDS
    with pytest.raises(RefusedError) as error:
        table.batch(late).take_back(Seat(0), start, {})
    assert error.value.code == "too_late"


def a_suspension(batch: Batch) -> None:
    batch.suspend({"admin": "ana"})


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (a_suspension, "game_suspended"),
        (lambda batch: batch.resign(Seat(0), {}), "seat_resigned"),
        (lambda batch: batch.resign(Seat(1), {}), "not_to_take_back"),
        (lambda batch: batch.abort("cancelled", BY), "game_over"),
    ],
)
def test_what_else_happened_stays(act: Callable[[Batch], None], code: str) -> None:
    table = Revocable()
    start = table.game.version
    table.plays(Seat(0))
    batch = table.batch()
    act(batch)
    table.take(batch)
    assert table.refused(Seat(0), start).code == code


def test_a_long_row_of_moves_is_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.kernel.record.game.MOST_MOVES_BACK", 1)
    table = Revocable()
    start = table.game.version
    table.plays(Seat(0))
    table.plays(Seat(0))
    assert table.refused(Seat(0), start).details["possible"] == [start + 1]
    assert MOST_MOVES_BACK == 32


def test_a_move_that_reveals_something_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Revocable()
    start = table.game.version
    move: Move[Any] = table.game.ruleset.legal_moves(table.game.state, Seat(0))[0]
    monkeypatch.setattr(type(move), "reveals", True)
    table.plays(Seat(0))
    assert table.refused(Seat(0), start).details["possible"] == []


def test_what_was_sealed_and_taken_back_stays_sealed() -> None:
    """No other sees it until the end: not even once the next such part is opened, or restored."""
    table = Revocable()
    leader, other = Seat(0), Seat(1)
    (stored,) = table.plays(leader)
    (bid,) = table.plays(leader, -1)
    table.takes_back(leader, stored.seq)
    (again,) = table.plays(leader)
    opening, *_ = table.plays(other)
    opened = [one["seq"] for one in opening.body["opens"].value]
    assert opened == [again.seq, opening.seq]
    game = table.game
    restored = snapshot.restore(game.id, snapshot.take(game), REGISTRY)
    assert restored is not None

    def seen(game: Game, viewer: Seat | None) -> JsonObject:
        copy = copy_for(viewer, bid, genesis(game.id), SECRETS.salt, game.access, game.version)
        body: JsonObject = copy["body"]
        return body

    for one in (game, restored, folded(table.events)):
        assert "move" not in seen(one, other)
        assert "move" not in seen(one, None)
        assert "move" in seen(one, leader)
    batch = table.batch()
    batch.abort("cancelled", BY)
    table.take(batch)
    assert "move" in seen(table.game, None)
