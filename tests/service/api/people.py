"""Clients that know only the API."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.problems import MEMBERS

Json = dict[str, Any]
METRICS_TOKEN = "for-the-scraper-alone"
SCRAPER = {"Authorization": f"Bearer {METRICS_TOKEN}"}
_EVERY_PROBLEM = ("type", "title", "status", "code", "detail", "request_id")


class House:
    """The service, and functions that make clients."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self.visitor = Person(self, {})

    def player(self, name: str = "Ana", **more: Any) -> "Person":
        made = self.client.post("/v1/players", json={"name": name, **more}).json
        assert made is not None
        return Person(self, {"Authorization": f"Bearer {made['key']}"}, made["id"], made["key"])

    def table(self, *people: "Person", ruleset: str = "sealed", **more: Any) -> str:
        """Open a table with these players and return its URL.

        Each comes to a rated table from an address of his own.
        """
        first, *others = people
        seats = [{"holder": "me"}, *({"holder": "open"} for _ in others)]
        opened = first.post("/v1/games", {"ruleset": ruleset, "seats": seats, **more})
        assert opened.status_code == 201, opened.text
        url = opened.headers["Location"]
        for seat, person in enumerate(others, 1):
            with self.at(f"192.0.2.{seat}") if more.get("table") else nullcontext():
                assert person.put(f"{url}/seats/{seat}").status_code == 200
        return url

    @contextmanager
    def at(self, address: str) -> Iterator[None]:
        """Let requests come from this address."""
        before = self.client.environ_base["REMOTE_ADDR"]
        self.client.environ_base["REMOTE_ADDR"] = address
        yield
        self.client.environ_base["REMOTE_ADDR"] = before


class Person:
    """A client with or without a key."""

    def __init__(self, house: House, headers: dict[str, str], id_: str = "", key: str = "") -> None:
        self.house = house
        self.headers = headers
        self.id = id_
        self.key = key

    def get(self, url: str, **headers: str) -> TestResponse:
        return self.house.client.get(url, headers=self._with(headers))

    def post(self, url: str, body: Any = None, **headers: str) -> TestResponse:
        return self.house.client.post(url, json=body, headers=self._with(headers))

    def put(self, url: str, body: Any = None, **headers: str) -> TestResponse:
        if body is None:
            return self.house.client.put(url, headers=self._with(headers))
        return self.house.client.put(url, json=body, headers=self._with(headers))

    def patch(self, url: str, body: Any, **headers: str) -> TestResponse:
        return self.house.client.patch(url, json=body, headers=self._with(headers))

    def delete(self, url: str, body: Any = None, **headers: str) -> TestResponse:
        if body is None:
            return self.house.client.delete(url, headers=self._with(headers))
        return self.house.client.delete(url, json=body, headers=self._with(headers))

    def _with(self, headers: dict[str, str]) -> dict[str, str]:
        return {**self.headers, **{name.replace("_", "-"): v for name, v in headers.items()}}

    # Playing

    def legal(self, url: str, seat: int) -> Json:
        return data(self.get(f"{url}/legal_moves?seat={seat}"))

    def move(self, url: str, seat: int, move: Json | None = None, **headers: str) -> TestResponse:
        """Play a move, by default the first legal one."""
        listed = self.legal(url, seat)
        body = {
            "seat": seat,
            "move": listed["moves"][0] if move is None else move,
            "expected_version": listed["version"],
        }
        return self.post(f"{url}/moves", body, **headers)


def data(response: TestResponse) -> Json:
    assert response.status_code < 300, response.text
    found: Json = response.json  # type: ignore[assignment]
    return found


def problem(response: TestResponse, status: int, code: str) -> Json:
    """Check that the answer is this problem, and return its document."""
    assert (response.status_code, response.mimetype) == (status, "application/problem+json"), (
        response.text
    )
    found: Json = response.json  # type: ignore[assignment]
    assert (found["status"], found["code"]) == (status, code), found
    assert found["title"]
    assert found["detail"]
    assert found["type"] == f"/docs/problems/{code}"
    assert found.keys() <= {*_EVERY_PROBLEM, *MEMBERS.get(code, ())}
    return found


def seat_key(of: Person, url: str, seat: int, **more: Any) -> str:
    """Return the text of a new key for a seat of this player in the game at ``url``."""
    made = data(of.post(f"{url}/seats/{seat}/keys", {"name": "page", **more}))
    assert (made["scope"], made["seat"]) == ("seat", seat)
    return str(made["key"])


def asked(url: str, someone: Person) -> list[int]:
    """Return the seats that have a decision."""
    return [decision["seat"] for decision in data(someone.get(url))["decisions"]]


def play_on(url: str, people: list[Person], seed: int = 1, at_most: int = 10_000) -> int:
    """Play random legal moves until the game is over; return their number."""
    rng = random.Random(seed)
    played = 0
    while played < at_most and (seats := asked(url, people[0])):
        seat = rng.choice(seats)
        listed = people[seat].legal(url, seat)
        move = rng.choice(listed["moves"])
        answer = people[seat].move(url, seat, move)
        assert answer.status_code == 201, answer.text
        played += 1
    return played
