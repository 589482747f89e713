"""Players' entropy: at lenient tables, with drawn seats, and in rematches."""

import os
from datetime import datetime, timedelta
from typing import Any

import pytest

from rules.kernel.canonical import FORMAT
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verify import verify
from rules.kernel.record.secrets import entropy_commitment
from service.redis.format import FORMAT_KEY
from service.runtime import Runtime
from tests.running import copies
from tests.service.api.people import House, Json, Person, data, problem


def committed(game_id: str | None, seat: int | None, entropy: bytes) -> Json:
    return {"entropy_commitment": entropy_commitment(game_id, seat, entropy).hex()}


def opened(person: Person, *others: str, **more: Any) -> tuple[Json, bytes]:
    """Open a lenient table with the host's entropy; return the answer and the entropy."""
    own = os.urandom(32)
    seat = None if more.get("table") else 0
    seats = [{"holder": "me", **committed(None, seat, own)}, *({"holder": one} for one in others)]
    asked = {"ruleset": "sealed", "seats": seats, "options": {"rounds": 2}}
    return data(person.post("/v1/games", {**asked, "entropy_mode": "lenient", **more})), own


def reveal(person: Person, game_id: str, seat: int, entropy: bytes, **more: Any) -> Json:
    url = f"/v1/games/{game_id}/seats/{seat}/entropy"
    return data(person.post(url, {"entropy": entropy.hex()}, **more))


def told(runtime: Runtime, game_id: str) -> list[str]:
    report = verify(game_id, copies(runtime, game_id), runtime.registry)
    assert report.ok, report.to_json()
    return report.notes


def test_a_table_says_what_becomes_of_withheld_entropy(house: House, runtime: Runtime) -> None:
    ana = house.player()
    seats = [{"holder": "me"}, {"holder": "open"}]
    plain = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}))
    assert (plain["entropy_mode"], plain["entropy_seconds"]) == ("reveal", 300)
    lenient, _ = opened(ana, "open")
    assert (lenient["entropy_mode"], lenient["entropy_seconds"]) == ("lenient", 60)
    longer, own = opened(ana, "open", entropy_seconds=3600)
    assert (longer["entropy_seconds"], longer["entropy_until"]) == (3600, None)
    listed = data(house.visitor.get("/v1/games?status=lobby"))["games"]
    assert [game["entropy_mode"] for game in listed] == ["lenient", "lenient", "reveal"]
    url = f"/v1/games/{longer['id']}"
    closed = data(house.player().put(f"{url}/seats/1"))
    assert closed["status"] == "closed"
    since, until = (datetime.fromisoformat(closed[name]) for name in ("at", "entropy_until"))
    assert until - since == timedelta(hours=1)
    assert reveal(ana, longer["id"], 0, own)["entropy_until"] is None
    for wrong in ({"entropy_mode": "strict"}, {"entropy_seconds": 0}, {"entropy_seconds": 86_401}):
        problem(
            ana.post("/v1/games", {"ruleset": "sealed", "seats": seats, **wrong}),
            422,
            "invalid_body",
        )
    runtime.redis.set(FORMAT_KEY, FORMAT)
    asked = {"ruleset": "sealed", "seats": seats}
    problem(ana.post("/v1/games", {**asked, "entropy_mode": "lenient"}), 409, "upgrade_unfinished")
    data(ana.post("/v1/games", {**asked, "entropy_mode": "reveal"}))


def test_what_was_not_answered_is_asked_again(house: House, runtime: Runtime) -> None:
    ana = house.player()
    own = os.urandom(32)
    seats = [{"holder": "me", **committed(None, 0, own)}, {"holder": "bot", "bot": "random"}]
    asked = {"ruleset": "sealed", "seats": seats, "entropy_mode": "lenient"}
    first, again = (data(ana.post("/v1/games", asked, Idempotency_Key="open")) for _ in range(2))
    assert (first["id"], first["status"]) == (again["id"], "closed")
    started = [reveal(ana, first["id"], 0, own, Idempotency_Key="give") for _ in range(2)]
    assert [one["status"] for one in started] == ["running", "running"]
    assert started[0]["receipt"] == started[1]["receipt"]
    assert f"Entropy was given by seat 0 (player {ana.id})." in told(runtime, first["id"])


def test_entropy_goes_with_who_brought_it_where_seats_are_drawn(
    house: House, runtime: Runtime
) -> None:
    moved = False
    for _ in range(20):
        people = [house.player(name) for name in ("Ana", "Bob", "Eve")]
        ana, bob, eve = people
        drawn = {"visibility": "unlisted", "seating": "random"}
        game, own = opened(ana, "open", "open", table=drawn)
        url, brought = f"/v1/games/{game['id']}", {ana.id: own}
        for seat, person in ((1, bob), (2, eve)):
            brought[person.id] = os.urandom(32)
            body = committed(game["id"], None, brought[person.id])
            data(person.put(f"{url}/seats/{seat}", body))
        closed = data(ana.get(url))
        assert closed["status"] == "closed"
        where = {seat["player"]: seat["seat"] for seat in closed["seats"]}
        moved = moved or where[ana.id] != 0
        for person in people:
            reveal(person, game["id"], where[person.id], brought[person.id])
        assert data(ana.get(url))["status"] == "running"
        named = ", ".join(
            f"seat {seat} (player {who})"
            for who, seat in sorted(where.items(), key=lambda at: at[1])
        )
        assert f"Entropy was given by {named}." in told(runtime, game["id"])
        if moved:
            break
    assert moved


def test_seats_that_are_drawn_at_once_take_their_entropy_along(
    house: House, runtime: Runtime
) -> None:
    ana = house.player()
    own = [os.urandom(32), os.urandom(32)]
    seats = [{"holder": "me", **committed(None, None, entropy)} for entropy in own]
    bots = [{"holder": "bot", "bot": "random"}] * 2
    asked = {"ruleset": "sealed", "seats": [*seats, *bots], "table": {"seating": "random"}}
    game = data(ana.post("/v1/games", {**asked, "entropy_mode": "lenient"}))
    mine = [seat["seat"] for seat in game["seats"] if seat["holder"] == "player"]
    for seat, entropy in zip(mine, own, strict=True):
        reveal(ana, game["id"], seat, entropy)
    assert data(ana.get(f"/v1/games/{game['id']}"))["status"] == "running"
    told(runtime, game["id"])


@pytest.mark.parametrize("seating", ["fixed", "random"])
def test_players_bring_entropy_to_a_rematch(house: House, runtime: Runtime, seating: str) -> None:
    ana, bob = house.player("Ana"), house.player("Bob")
    table = {"visibility": "unlisted", "seating": seating}
    game, own = opened(ana, "open", table=table) if seating == "random" else opened(ana, "open")
    data(bob.put(f"/v1/games/{game['id']}/seats/1"))
    where = {
        seat["player"]: seat["seat"] for seat in data(ana.get(f"/v1/games/{game['id']}"))["seats"]
    }
    reveal(ana, game["id"], where[ana.id], own)
    for person in (ana, bob):
        data(person.post(f"/v1/games/{game['id']}/resignations", {"seat": where[person.id]}))
    finish(runtime, game["id"])

    url = f"/v1/games/{game['id']}/rematch"
    turned = {who: (seat + 1) % 2 for who, seat in where.items()}
    bound = {who: None if seating == "random" else seat for who, seat in turned.items()}
    brought = {person.id: os.urandom(32) for person in (ana, bob)}
    early = committed(None, bound[bob.id], brought[bob.id])
    problem(ana.post(url, {**early, "rematch": game["id"]}), 409, "other_rematch")
    body = committed(None, bound[ana.id], brought[ana.id])
    opening, again = (data(ana.post(url, body)) for _ in range(2))
    new = opening["id"]
    assert (again["id"], again["version"]) == (new, opening["version"])
    assert opening["entropy_mode"] == "lenient"
    refused = problem(bob.post(url, early), 409, "other_rematch")
    assert refused["rematch"] == new
    body = committed(new, bound[bob.id], brought[bob.id])
    closed = data(bob.post(url, {**body, "rematch": new}))
    assert closed["status"] == "closed"
    for person in (ana, bob):
        (seat,) = [s["seat"] for s in closed["seats"] if s["player"] == person.id]
        reveal(person, new, seat, brought[person.id])
    assert data(ana.get(f"/v1/games/{new}"))["status"] == "running"
    assert any("seat 0" in note and "seat 1" in note for note in told(runtime, new))


def finish(runtime: Runtime, game_id: str) -> None:
    """Let default moves end a game in which all seats have resigned."""
    while not (game := runtime.ledger.table(game_id).game).over:
        seat = Seat(min(game.asked))
        runtime.ledger.change(game_id, lambda batch, seat=seat: batch.default(seat, "resigned"))  # type: ignore[misc]
