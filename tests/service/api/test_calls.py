"""The number of function calls of a request, which does not depend on the machine's load."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from werkzeug.test import EnvironBuilder

from rules.kernel.canonical import JsonObject
from service.process import fair_queue
from service.runtime import Runtime
from tests.scripted import Script
from tests.service.api.people import House, Person

MOVES = 40
"""Number of moves; those that cause exactly one event are measured."""


@pytest.fixture
def player(house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Person:
    """A player who holds all seats of a started game."""
    monkeypatch.setattr(fair_queue, "STRETCH_NS", 10**15)  # the count makes requests slow
    return house.player()


def test_a_move_and_a_look_at_its_state_take_few_calls(player: Person, runtime: Runtime) -> None:
    script = Script(
        runtime.registry, "santiago_de_cuba", 3, seed=1, holder={"player": player.id}, name="calls"
    )
    moves = script.rehearse(MOVES)
    script.open_in(runtime.ledger.store)
    url, posts, looks = f"/v1/games/{script.id}", [], []
    for number, (seat, move, version, events) in enumerate(moves):
        body = {"seat": seat, "move": move, "expected_version": version}
        posted = calls(player, "POST", f"{url}/moves", body, f"key-{number}")
        looked = calls(player, "GET", f"{url}/state?seat={seat}")
        if events == 1 and number > MOVES // 2:  # by then all cached objects exist
            posts.append(posted)
            looks.append(looked)
    assert len(posts) > 5
    assert max(posts) <= 1_250, posts
    assert max(looks) <= 850, looks


def calls(
    player: Person, method: str, url: str, body: JsonObject | None = None, key: str = ""
) -> int:
    """Return the number of Python function calls for a request."""
    headers = [*player.headers.items(), *([("Idempotency-Key", key)] if key else [])]
    environ = EnvironBuilder(url, method=method, json=body, headers=headers).get_environ()
    statuses: list[str] = []

    def start(status: str, _headers: object, _error: object = None) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda _piece: None

    with counting() as counted:
        answer = player.house.app(environ, start)
        b"".join(answer)
        getattr(answer, "close", lambda: None)()
    assert statuses[0][:1] == "2", statuses
    return counted["call"]


@contextmanager
def counting() -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        counted[event] += 1

    sys.setprofile(note)
    try:
        yield counted
    finally:
        sys.setprofile(None)
