"""A process never replaces a cached game by an older state."""

from collections.abc import Callable
from typing import Any

import pytest

from service.games.commands import TableCommands
from service.ledger.ledger import Ledger
from service.ledger.store import Store
from tests.service.ledger.conftest import play, start


def test_a_slow_reader_takes_nothing_newer_out_of_the_cache(
    tables: TableCommands, new_ledger: Callable[[], Ledger], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its read and its fold, others play on, and it reads those events, too."""
    game_id = start(tables).id
    ledger = new_ledger()
    ledger.table(game_id)
    play(tables, game_id, 1, "early")
    look, newest = Store.look, 0

    def slow(store: Store, *asked: Any) -> Any:
        nonlocal newest
        found = look(store, *asked)
        monkeypatch.setattr(Store, "look", look)
        play(tables, game_id, 3, "late")
        newest = ledger.table(game_id).game.version
        return found

    monkeypatch.setattr(Store, "look", slow)
    assert ledger.table(game_id).game.version < newest
    monkeypatch.delattr(Store, "look")  # the cached state is new enough, so no process reads again
    assert ledger.table(game_id, at_least=newest).game.version == newest
