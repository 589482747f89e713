"""A seat takes back its moves over HTTP: who may, what is answered, what everybody sees then."""

import json
from typing import Any

import pytest

from rules.kernel.proof.verdicts import FAILED, PROVED
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from service.records.receipts import is_genuine
from tests.contract.tables import REGISTRY
from tests.service.api.people import House, Json, Person, data, play_on, problem
from tests.service.api.test_follow import patched


class Table:
    """A table of two at ``sealed``: seat 0 stores a card and bids, then seat 1 bids."""

    def __init__(self, house: House, **more: Any) -> None:
        self.people = [house.player("Ana"), house.player("Bob")]
        self.url = house.table(*self.people, take_back=True, **more)
        self.house = house

    def version(self) -> int:
        return int(data(self.house.visitor.get(self.url))["version"])

    def state(self, of: Person, query: str = "") -> Json:
        return data(of.get(f"{self.url}/state?{query}"))

    def takes_back(self, seat: int, to: int, **headers: str) -> Any:
        body = {"seat": seat, "to": to}
        return self.people[seat].post(f"{self.url}/take_backs", body, **headers)


@pytest.fixture
def table(house: House) -> Table:
    return Table(house)


def test_the_state_is_what_it_was(table: Table) -> None:
    ana, bob = table.people
    before, start = table.state(ana, "seat=0"), table.version()
    assert data(ana.get(table.url))["take_back"] is True
    assert before["ways_back"] == []
    data(ana.move(table.url, 0))
    data(ana.move(table.url, 0))
    assert table.state(ana, "seat=0")["ways_back"] == [start, start + 1]
    assert table.state(bob, "seat=1")["ways_back"] == []
    assert table.state(bob, "spectator=true")["ways_back"] == []
    told = data(table.takes_back(0, start))
    assert (told["version"], told["effects"]) == (start + 3, [])
    (event,) = told["events"]
    assert (event["kind"], event["body"]) == ("undone", {"undo": {"to": start}})
    after = table.state(ana, "seat=0")
    assert after == {**before, "version": start + 3}
    assert (told["state"], told["decisions"]) == (before["state"], before["decisions"])
    assert table.state(ana, f"seat=0&at={start + 1}")["state"] != before["state"]
    assert table.state(bob, f"seat=1&at={start + 3}")["state"] == table.state(
        bob, f"seat=1&at={start}"
    )["state"]  # fmt: skip
    log = data(bob.get(f"{table.url}/log?after={start}"))["effects"]
    assert {effect["seq"] for effect in log} == {start + 1}, "what was told stays told"


def test_whoever_asks_again_is_answered_as_before(table: Table) -> None:
    """Both the request that takes back, and the move that was taken back."""
    ana, _bob = table.people
    start = table.version()
    body = {"seat": 0, "index": 0, "expected_version": start}
    moved = ana.post(f"{table.url}/moves", body, Idempotency_Key="the-move")
    undone = table.takes_back(0, start, Idempotency_Key="the-way-back")
    again = ana.post(f"{table.url}/moves", body, Idempotency_Key="the-move")
    assert (again.status_code, data(again)) == (201, data(moved))
    twice = table.takes_back(0, start, Idempotency_Key="the-way-back")
    assert (twice.status_code, data(twice)) == (201, data(undone))
    assert twice.headers["Idempotent-Replayed"] == "true"
    assert table.version() == start + 2
    receipt = data(undone)["receipt"]
    (key,) = data(ana.get("/v1/signing_keys"))["keys"]
    assert is_genuine(receipt, bytes.fromhex(key["public_key"]))
    assert receipt["seq"] == start + 2
    stale = ana.post(f"{table.url}/moves", {**body, "expected_version": start + 1})
    problem(stale, 409, "stale_version")


def test_who_may_not(table: Table, house: House) -> None:
    ana, bob = table.people
    start = table.version()
    refused = problem(table.takes_back(0, start), 409, "not_to_take_back")
    assert (refused["to"], refused["possible"]) == (start, [])
    data(ana.move(table.url, 0))
    problem(table.takes_back(1, start), 409, "not_to_take_back")
    body = {"seat": 0, "to": start}
    url = f"{table.url}/take_backs"
    problem(bob.post(url, body), 403, "not_your_seat")
    problem(house.visitor.post(url, body), 401, "key_required")
    problem(ana.post(url, {"seat": 0, "to": 0}), 422, "invalid_body")
    problem(ana.post(url, {"seat": 7, "to": start}), 404, "unknown_seat")
    for _ in range(3):
        data(table.takes_back(0, start))
        data(ana.move(table.url, 0))
    often = problem(table.takes_back(0, start), 409, "taken_back_often")
    assert often["decision"] == start
    assert table.state(ana, "seat=0")["ways_back"] == []
    data(ana.post(f"{table.url}/resignations", {"seat": 0}))
    problem(table.takes_back(0, start), 409, "seat_resigned")


def test_a_table_allows_it_or_not(house: House) -> None:
    ana = house.player("Ana")
    url = house.table(ana, house.player("Bob"))
    game = data(ana.get(url))
    assert game["take_back"] is False
    data(ana.move(url, 0))
    problem(ana.post(f"{url}/take_backs", {"seat": 0, "to": game["version"]}), 409, "no_take_back")
    seats = [{"holder": "me"}, {"holder": "open"}]
    rated = {"ruleset": "sealed", "seats": seats, "table": {"rated": True}, "take_back": True}
    (error,) = problem(ana.post("/v1/games", rated), 422, "invalid_body")["errors"]
    assert error["field"] == "take_back"


def test_a_rematch_allows_it_too(table: Table) -> None:
    ana, _bob = table.people
    play_on(table.url, table.people)
    again = data(ana.post(f"{table.url}/rematch"))
    assert again["take_back"] is True


def test_the_stream_and_the_record_have_it(table: Table) -> None:
    ana, bob = table.people
    start = table.version()
    data(ana.move(table.url, 0))
    data(table.takes_back(0, start))
    include = "include=effects,state,legal_moves&after=0"
    events = data(bob.get(f"{table.url}/events?{include}&seat=1"))["events"]
    assert [event["kind"] for event in events[-2:]] == ["moved", "undone"]
    assert events[-1]["state"]["state"] == events[start - 1]["state"]["state"]
    for who in ("0", "1", "spectator"):
        _patches_fit(ana if who == "0" else bob, f"{table.url}/events?limit=50&seat={who}")
    half = _record(ana, table.url)
    assert verify_game(half, VerifyOptions(), REGISTRY).verdict != FAILED
    play_on(table.url, table.people)
    assert verify_game(_record(ana, table.url), VerifyOptions(), REGISTRY).verdict == PROVED


def _patches_fit(who: Person, url: str) -> None:
    """Compare the states that follow from the patches with the states."""
    whole, changes = (data(who.get(f"{url}&include={x}"))["events"] for x in ("state", "patch"))
    state: Any = None
    for event, change in zip(whole, changes, strict=True):
        state = patched(state, change["patch"])
        assert state == event["state"], event["seq"]


def _record(of: Person, url: str) -> Record:
    header, *copies = of.get(f"{url}/record").text.splitlines()
    return Record(json.loads(header), [json.loads(copy) for copy in copies])
