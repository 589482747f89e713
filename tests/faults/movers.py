"""Clients that keep playing while servers die, and record all acknowledged moves."""

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple

from tests.faults.people import LOST, Answer, Client, Json

PAUSE_S = 0.02
UNANSWERED = (429, 500, 502, 503)
_keys = count()


class Promise(NamedTuple):
    """An acknowledged move: its game, and the events in the answer."""

    game: str
    events: list[Json]


class Mover(threading.Thread):
    """A client that plays one game after another against a bot, each move at another web node.

    It repeats a request with the same key until there is an answer. It gives up a move that is no
    longer legal, because a failover lost earlier events.
    """

    def __init__(self, places: Sequence[Client], seed: int, ruleset: str = "sealed") -> None:
        super().__init__(daemon=True)
        first = places[0].player()
        self.nodes = [place.known_as(first.key, first.id) for place in places]
        self.asked = 0
        self.unanswered: Counter[str] = Counter()
        """Outcomes of unanswered requests: a status, or the name of an exception."""
        self.promises: list[Promise] = []
        self.times: list[float] = []
        self.games: list[str] = []
        self.surprises: list[object] = []
        self._ruleset = ruleset
        self._rng = random.Random(seed)
        self._ending = threading.Event()

    def run(self) -> None:
        try:
            game: str | None = None
            while not self._ending.is_set():
                game = self._play(game) or self._open()
                time.sleep(PAUSE_S)
        except BaseException as error:  # noqa: BLE001 - the test tells
            self.surprises.append(error)

    def stop(self) -> None:
        """Wait until the current request is answered, then stop."""
        self._ending.set()
        self.join(120)
        assert not self.is_alive()
        assert self.surprises == []

    def _open(self) -> str | None:
        seats = [{"holder": "me"}, {"holder": "bot", "bot": "random"}]
        made = self._send("/v1/games", {"ruleset": self._ruleset, "options": {}, "seats": seats})
        if made is None:
            return None
        self.games.append(f"/v1/games/{made['id']}")
        return self.games[-1]

    def _play(self, game: str | None) -> str | None:
        """Make a move if the client has a decision; return the game, None if it is over or lost."""
        if game is None:
            return None
        node = self._rng.choice(self.nodes)
        try:
            answer = self._ask(node, "GET", f"{game}/legal_moves")
            if answer.status == 404 or (answer.status == 200 and node.is_over(game)):
                return None
        except (*LOST, AssertionError):
            return game
        if answer.status != 200 or not answer.json["moves"]:
            return game
        listed = answer.json
        move = {"seat": listed["seat"], "move": self._rng.choice(listed["moves"])}
        told = self._send(f"{game}/moves", {**move, "expected_version": listed["version"]})
        if told is not None:
            self.promises.append(Promise(game, told["events"]))
            self.times.append(time.monotonic())
        return game

    def _send(self, path: str, body: Any) -> Json | None:
        """Repeat a request, at any node, until it is answered; return None if it was refused."""
        key = f"{self.name}-{next(_keys)}"
        while not self._ending.is_set():
            try:
                node = self._rng.choice(self.nodes)
                answer = self._ask(node, "POST", path, body, Idempotency_Key=key)
            except LOST:
                answer = None
            if answer is None or answer.status in UNANSWERED:
                time.sleep(0.1)
                continue
            found: Json | None = answer.json if answer.status == 201 else None
            if found is None and answer.status not in (404, 409, 422):
                self.surprises.append(answer)
            return found
        return None

    def _ask(
        self, node: Client, method: str, path: str, body: Any = None, **headers: Any
    ) -> Answer:
        self.asked += 1
        try:
            answer = node.ask(method, path, body, timeout=10, **headers)
        except LOST as error:
            self.unanswered[type(error).__name__] += 1
            raise
        if answer.status in UNANSWERED:
            self.unanswered[_cause(answer)] += 1
        return answer

    def lost(self) -> int:
        """Return the number of acknowledged moves that the log lacks; fail if it has one twice."""
        lost = 0
        logs = {game: self._log(game) for game in {promise.game for promise in self.promises}}
        for game, told in self.promises:
            hashes = [event["hash"] for event in logs[game]]
            found = [hashes.count(event["hash"]) for event in told]
            assert max(found) <= 1
            lost += 0 in found
        return lost

    def _log(self, game: str) -> list[Json]:
        if self.nodes[0].ask("GET", game).status == 404:
            return []
        log = self.nodes[0].events(game)
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
        return log


def _cause(answer: Answer) -> str:
    """Return the status, with the problem's code if the answer comes from the service."""
    told = answer.headers.get("Content-Type") == "application/problem+json"
    return f"{answer.status} {answer.json['code']}" if told else str(answer.status)


def pause_after(movers: list[Mover], after: float) -> float:
    """Return the time from that moment to the first acknowledged move."""
    return min(t for mover in movers for t in mover.times if t > after) - after
