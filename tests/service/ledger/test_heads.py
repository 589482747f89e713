"""The hashes in a game's history, which ``expected_head`` may name."""

from typing import Any

import pytest

from rules.kernel.record.batch import RefusedError
from service.games.commands import TableCommands
from service.ledger.ledger import AppendedBatch
from service.ledger.store import Store
from tests.service.ledger.conftest import PLAYERS, choose, play, start


@pytest.fixture
def looks(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of events that each read of the stream returns."""
    found: list[int] = []
    read = store.read

    def counted(*arguments: Any) -> Any:
        events = read(*arguments)
        found.append(len(events))
        return events

    monkeypatch.setattr(store, "read", counted)
    return found


def test_any_head_costs_two_looks_at_most(
    tables: TableCommands, store: Store, looks: list[int]
) -> None:
    """For a game of any length, and any ``expected_head``."""
    game = play(tables, start(tables, "santiago_de_cuba").id, 60)
    hashes = [event.hash for event, _prev_hash in tables.ledger.events(game.id, 0, 1_000)]
    newest = len(hashes)
    assert newest > 60
    for version in range(1, newest + 1):
        looks.clear()
        assert store.seq_of(game.id, hashes[version - 1], version, newest) == version
        assert looks == [1]
        looks.clear()
        assert store.seq_of(game.id, hashes[version - 1], newest, newest) == version
        assert looks in ([1], [1, 1])
    of_another_end = hashes[3][:-1] + bytes([hashes[3][-1] ^ 1])
    for strange in (bytes(32), hashes[3][:8] + bytes(24), of_another_end):
        looks.clear()
        assert store.seq_of(game.id, strange, newest, newest) is None
        assert sum(looks) <= 2
    assert store.seq_of(game.id, hashes[-1], newest - 1, newest - 1) is None


def test_an_older_head_is_taken_and_a_strange_one_refused(tables: TableCommands) -> None:
    game = play(tables, start(tables).id, 3)
    old = tables.ledger.events(game.id, 1, 1)[0][0].hash
    seat = min(game.asked)
    move, player = choose(game, seat), PLAYERS[seat]
    done = tables.move(game.id, seat, move, game.version, player, expected_head=old.hex())
    assert isinstance(done, AppendedBatch)


def test_nothing_is_played_on_another_history(tables: TableCommands) -> None:
    game = play(tables, start(tables).id, 3)
    seat = min(game.asked)
    move, player = choose(game, seat), PLAYERS[seat]
    for strange in ("ab" * 32, "00" * 32):
        with pytest.raises(RefusedError, match="its history is another one") as refused:
            tables.move(game.id, seat, move, game.version, player, expected_head=strange)
        assert refused.value.code == "unknown_head"
    assert tables.ledger.table(game.id).game.version == game.version
    done = tables.move(game.id, seat, move, game.version, player, expected_head=game.head.hex())
    assert isinstance(done, AppendedBatch)
    assert done.events[0].body["client"].value == {"expected_head": game.head.hex()}
