"""Players sign their moves over HTTP: what is refused, what is recorded, and what proves it."""

from typing import Any

import orjson
import pytest

from rules.kernel.proof.verdicts import FAILED, PROVED
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record
from tests.contract.tables import REGISTRY
from tests.service.api.people import House, Json, asked, data, problem
from tests.signing import SeatKey

KEYS = [SeatKey.of(1), SeatKey.of(2)]
WEAK = "01" + 31 * "00"
"""A key of small order."""


class Table:
    """A table of two at ``sealed``, at which both sign."""

    def __init__(self, house: House, **more: Any) -> None:
        self.people = [house.player("Ana"), house.player("Bob")]
        self.keys = [*KEYS]
        ana, bob = self.people
        seats = [{"holder": "me", "signing_key": KEYS[0].public}, {"holder": "open"}]
        form = {"ruleset": "sealed", "seats": seats, "signatures": "required", **more}
        self.game_id = data(ana.post("/v1/games", form))["id"]
        self.url = f"/v1/games/{self.game_id}"
        data(bob.put(f"{self.url}/seats/1", {"signing_key": KEYS[1].public}))

    def game(self) -> Json:
        return data(self.people[0].get(self.url))

    def signed(self, seat: int, **other: Any) -> Json:
        """Return the request of a seat's first legal move, with all that it needs."""
        game = self.game()
        (decision,) = [one["id"] for one in game["decisions"] if one["seat"] == seat]
        move = self.people[seat].legal(self.url, seat)["moves"][0]
        signed = self.keys[seat].move(self.game_id, seat, decision, game["head"], move)
        return {
            "seat": seat, "move": move, "expected_version": game["version"],
            "expected_head": game["head"], "signature": signed, **other,
        }  # fmt: skip

    def plays(self, seat: int, **other: Any) -> Any:
        return self.people[seat].post(f"{self.url}/moves", self.signed(seat, **other))

    def changes(self, seat: int, new: SeatKey, *, signs: bool = True, **other: Any) -> Any:
        head = self.game()["head"]
        body: Json = {"signing_key": new.public}
        if signs:
            sig = self.keys[seat].key(self.game_id, seat, head, new.public)
            body |= {"sig": sig, "expected_head": head}
        return self.people[seat].post(f"{self.url}/seats/{seat}/signing_key", {**body, **other})

    def ends(self) -> None:
        while seats := asked(self.url, self.people[0]):
            data(self.plays(seats[0]))

    def record(self) -> Record:
        lines = self.people[0].get(f"{self.url}/record").data.splitlines()
        header, *copies = map(orjson.loads, lines)
        return Record(header, copies)


@pytest.fixture
def table(house: House) -> Table:
    return Table(house)


def notes_of(record: Record) -> tuple[str, str]:
    report = verify_game(record, VerifyOptions(), REGISTRY)
    return report.verdict, "\n".join(report.notes)


def test_a_signed_game_is_proved_and_says_what_that_is_worth(table: Table) -> None:
    assert table.game()["signatures"] == "required"
    assert [seat["signing_key"] for seat in table.game()["seats"]] == [key.public for key in KEYS]
    data(table.changes(1, SeatKey.of(3)))
    table.keys[1] = SeatKey.of(3)
    table.ends()
    record = table.record()
    verdict, notes = notes_of(record)
    assert verdict == PROVED, notes
    assert "a key is worth what the program is that holds it" in notes
    assert "the service alone" not in notes


def test_who_lost_a_key_goes_on_and_the_record_says_so_for_good(table: Table) -> None:
    changed = data(table.changes(0, SeatKey.of(3), signs=False))
    table.keys[0] = SeatKey.of(3)
    table.ends()
    verdict, notes = notes_of(table.record())
    assert verdict == PROVED, notes
    event = changed["version"]
    assert f"From event {event} on, the service alone says who seat 0 is" in notes


def test_what_is_not_signed_as_it_must_be_is_refused(table: Table) -> None:
    ana, url = table.people[0], f"{table.url}/moves"
    right = table.signed(0)
    version = table.game()["version"]

    def without(name: str) -> Json:
        return {key: value for key, value in right.items() if key != name}

    assert problem(ana.post(url, without("signature")), 422, "signature_missing")["seat"] == 0
    problem(ana.post(url, without("expected_head")), 422, "head_missing")
    other = {**right["signature"], "decision": right["signature"]["decision"] + 1}
    found = problem(ana.post(url, {**right, "signature": other}), 409, "decision_not_open")
    assert found["decision"] == right["signature"]["decision"]
    table.keys[0] = KEYS[1]
    found = problem(table.plays(0), 422, "signature_wrong")
    assert found["signing_key"] == KEYS[0].public
    told = orjson.loads(found["signed"])
    assert (told[:2], told[2]["move"]) == (["lonja/2", "move"], right["move"])
    assert table.game()["version"] == version
    data(ana.post(url, right))


def test_a_move_sent_twice_is_answered_as_before(table: Table) -> None:
    ana, url, body = table.people[0], f"{table.url}/moves", table.signed(0)
    first = ana.post(url, body, Idempotency_Key="the-move")
    again = ana.post(url, body, Idempotency_Key="the-move")
    assert (again.status_code, data(again)) == (201, data(first))
    (event,) = data(first)["events"]
    assert event["body"]["signature"] == body["signature"]


def test_what_was_signed_for_a_move_that_was_taken_back_signs_none_after(house: House) -> None:
    """Otherwise the service could take back a seat's next move, and play the first one again."""
    table = Table(house, take_back=True)
    ana, body = table.people[0], table.signed(0)
    version = body["expected_version"]
    data(ana.post(f"{table.url}/moves", body))
    back = data(ana.post(f"{table.url}/take_backs", {"seat": 0, "to": version}))
    again = {**body, "expected_version": back["version"]}
    found = problem(ana.post(f"{table.url}/moves", again), 409, "stale_head")
    assert (found["expected_head"], found["head"]) == (body["expected_head"], table.game()["head"])
    table.ends()
    assert notes_of(table.record())[0] == PROVED


def test_a_move_by_its_index_is_signed_as_it_is_recorded(table: Table) -> None:
    body = table.signed(0)
    body["index"] = 0
    del body["move"]
    data(table.people[0].post(f"{table.url}/moves", body))


def test_another_key_needs_the_signature_of_the_one_before(table: Table) -> None:
    bob, new = table.people[1], SeatKey.of(3)
    stale = problem(table.changes(0, new, expected_head="00" * 32), 409, "stale_head")
    assert (stale["head"], stale["version"]) == (table.game()["head"], table.game()["version"])
    problem(table.changes(0, new, expected_head=None), 422, "invalid_body")
    own = new.key(table.game_id, 0, table.game()["head"], new.public)
    problem(table.changes(0, new, sig=own), 422, "signature_wrong")
    problem(table.changes(0, new, signs=False, signing_key=WEAK), 422, "signing_key_weak")
    body = {"signing_key": new.public}
    problem(bob.post(f"{table.url}/seats/0/signing_key", body), 403, "not_your_seat")


def test_who_sits_down_brings_a_key(house: House) -> None:
    ana, bob = house.player(), house.player()
    mine: Json = {"holder": "me"}
    form = {"ruleset": "sealed", "seats": [mine, {"holder": "open"}], "signatures": "required"}
    problem(ana.post("/v1/games", form), 422, "signing_key_missing")
    weak = {**form, "seats": [{**mine, "signing_key": WEAK}, {"holder": "open"}]}
    problem(ana.post("/v1/games", weak), 422, "signing_key_weak")
    unsigned = {**form, "seats": [{**mine, "signing_key": KEYS[0].public}, {"holder": "open"}]}
    del unsigned["signatures"]
    problem(ana.post("/v1/games", unsigned), 409, "no_signatures")
    form["seats"] = [{**mine, "signing_key": KEYS[0].public}, {"holder": "open"}]
    url = ana.post("/v1/games", form).headers["Location"]
    problem(bob.put(f"{url}/seats/1"), 422, "signing_key_missing")
    key = {"signing_key": KEYS[1].public}
    data(bob.put(f"{url}/seats/1", key))
    data(bob.put(f"{url}/seats/1", key))
    other = {"signing_key": KEYS[0].public}
    problem(bob.put(f"{url}/seats/1", other), 409, "not_in_lobby")


def test_drawn_seats_and_rematches_keep_keys_and_terms(house: House) -> None:
    table = Table(house, table={"seating": "random"})
    game = table.game()
    keys = {seat["player"]: seat["signing_key"] for seat in game["seats"]}
    ana, bob = table.people
    assert keys == {ana.id: KEYS[0].public, bob.id: KEYS[1].public}
    first = 0 if game["seats"][0]["player"] == ana.id else 1
    if first:
        table.people, table.keys = [bob, ana], [KEYS[1], KEYS[0]]
    table.ends()
    assert notes_of(table.record())[0] == PROVED
    url = f"{table.url}/rematch"
    problem(ana.post(url, {}), 422, "signing_key_missing")
    again = data(ana.post(url, {"signing_key": KEYS[0].public}))
    assert again["signatures"] == "required"
    problem(bob.post(url, {}), 422, "signing_key_missing")
    assert data(bob.post(url, {"signing_key": KEYS[1].public}))["status"] == "running"


def test_bots_and_the_clock_sign_nothing(house: House) -> None:
    ana = house.player()
    seats = [{"holder": "me", "signing_key": KEYS[0].public}, {"holder": "bot", "bot": "greedy"}]
    form = {"ruleset": "sealed", "seats": seats, "signatures": "required"}
    game = data(ana.post("/v1/games", form))
    assert "signing_key" not in game["seats"][1]
    body = {"signing_key": KEYS[1].public}
    url = f"/v1/games/{game['id']}/seats/1/signing_key"
    problem(ana.post(url, body), 403, "not_your_seat")


def test_a_forged_signature_fails(table: Table) -> None:
    table.ends()
    record = table.record()
    moved = next(copy for copy in record.copies if "signature" in copy["body"])
    moved["body"]["signature"]["sig"] = 64 * "00"
    report = verify_game(record, VerifyOptions(), REGISTRY)
    assert report.verdict == FAILED
    told = [said for check in report.checks for said in check.failures]
    assert any(f"event {moved['seq']}: seat 0 did not sign this move" in said for said in told)
