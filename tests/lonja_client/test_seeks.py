"""Seeking others with the client, until there is a table or enough is waited."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from lonja_client import Client, client

from tests.running import wait_for


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SEEK_SECONDS", 0.05)


def test_two_who_seek_the_same_get_one_table(players: tuple[Client, Client]) -> None:
    with ThreadPoolExecutor() as pool:
        ana, bob = pool.map(lambda one: one.seek("pig", 2, decision_seconds=60), players)
    assert ana is not None
    assert bob is not None
    assert ana.id == bob.id
    assert ana.game()["status"] == "running"
    ana.resign(0 if ana.game()["seats"][0]["player"] == players[0].player_id else 1)


def test_who_waits_enough_cancels(players: tuple[Client, Client]) -> None:
    ana, _bob = players
    enough = threading.Event()
    with ThreadPoolExecutor() as pool:
        sought = pool.submit(ana.seek, "pig", 3, until=enough)
        wait_for(lambda: bool(ana.get("/seeks")["seeks"]))
        enough.set()
        assert sought.result() is None
    assert ana.get("/seeks", player="me")["seeks"] == []
