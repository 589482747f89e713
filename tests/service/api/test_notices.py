"""All games of a player on one connection: the notices, once each, and resuming."""

from typing import Any

import pytest
from flask import Flask

from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import entropy_commitment
from service.ids import shard_of
from service.ledger import notices
from service.ledger.notices import LOWS, notices_key
from service.live.hub import Hub
from service.players.bans import BANS
from service.redis.format import FORMAT_KEY
from service.redis.keys import ALL_SHARDS, shard_key
from service.runtime import Runtime
from tests.running import all_told, due_notices, wait_for
from tests.service.api.people import House, Person, data, play_on, problem
from tests.service.api.test_stream import Reader, streaming
from workers.process import make
from workers.sweeper import Sweeper

pytestmark = pytest.mark.usefixtures("following")
INBOX = "/v1/players/me/stream"
DAY = {"decision_seconds": 86_400}


class Message(dict[str, Any]):
    """The data of a message; ``kind`` is its type and ``id`` its id."""

    kind: str
    id: str


def message(reader: Reader) -> Message:
    """Return the next message; skip comments and the retry time."""
    while True:
        lines = dict(line.split(": ", 1) for line in reader.message().splitlines())
        if "data" in lines:
            found = Message(reader.answer.json_module.loads(lines["data"]))
            found.kind, found.id = lines["event"], lines.get("id", "")
            return found


def messages(reader: Reader, many: int) -> list[Message]:
    return [message(reader) for _ in range(many)]


def opened(reader: Reader) -> str:
    """Skip the first messages, and return the id from which the stream continues."""
    first = message(reader)
    assert first.kind == "resync"
    assert first == {"read": "/v1/games?player=me&asked=true"}
    return first.id


def told(found: list[Message]) -> list[tuple[str, int, int]]:
    return [(one.kind, one["seat"], one["version"]) for one in found]


def test_a_player_hears_of_all_his_games_and_of_no_others(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    with streaming(ana, INBOX) as stream, streaming(bea, INBOX) as other:
        assert stream.answer.mimetype == "text/event-stream"
        opened(stream)
        opened(other)
        first = house.table(ana, bea, table={"visibility": "unlisted"})
        second = house.table(bea, bea, clock=DAY)
        ids = [url.rpartition("/")[2] for url in (first, second)]
        play_on(first, [ana, bea])
        due = due_notices(runtime, ids[0], ana.id)
        found = messages(stream, len(due))
        assert told(found) == due
        assert {one["game_id"] for one in found} == {ids[0]}
        assert [one.kind for one in found[:2]] == ["started", "asked"]
        assert found[1] == {
            "game_id": ids[0],
            "ruleset": "sealed",
            "seat": 0,
            "version": found[1]["version"],
            "at": found[1]["at"],
            "decision": found[1]["version"],
            "deadline": None,
        }
        assert (found[-1].kind, found[-1]["status"]) == ("ended", "ended")
        due = [
            *due_notices(runtime, ids[0], bea.id)[:1],
            *due_notices(runtime, ids[1], bea.id),
            *due_notices(runtime, ids[0], bea.id)[1:],
        ]
        assert told(messages(other, len(due))) == due
    with streaming(house.player(), INBOX) as stranger:
        opened(stranger)


def test_a_notice_of_another_form_is_not_sent(house: House, runtime: Runtime) -> None:
    """Whoever wrote it, the client gets ``resync`` instead, and goes on after it."""
    ana = house.player("Ana")
    with streaming(ana, INBOX) as stream:
        begin = opened(stream)
    url = house.table(ana, house.player("Bea"))
    due = due_notices(runtime, url.rpartition("/")[2], ana.id)
    wait_for(lambda: len(notices.kept(runtime.redis, ana.id)) == len(due))
    key = notices_key(ana.id)
    wrong: Any = runtime.redis.xadd(key, {"k": "asked", "b": b'{"game_id": "g00", "seat": "0"}'})
    with streaming(ana, f"{INBOX}?after={begin}") as stream:
        assert told(messages(stream, len(due))) == due
        instead = message(stream)
        assert (instead.kind, instead.id) == ("resync", wrong.decode())
        assert instead == {"read": "/v1/games?player=me&asked=true"}


def test_who_owes_entropy_is_told_so_and_nobody_else(house: House, runtime: Runtime) -> None:
    ana, bea, own = house.player("Ana"), house.player("Bea"), bytes(32)
    mine = {"holder": "me", "entropy_commitment": entropy_commitment(None, 0, own).hex()}
    seats = [mine, {"holder": "open"}]
    with streaming(ana, INBOX) as stream, streaming(bea, INBOX) as other:
        opened(stream)
        opened(other)
        game = data(ana.post("/v1/games", {"ruleset": "sealed", "seats": seats}))
        url = f"/v1/games/{game['id']}"
        closed = data(bea.put(f"{url}/seats/1"))
        heard = message(stream)
        assert (heard.kind, heard["seat"], heard["version"]) == ("closed", 0, closed["version"])
        assert heard["entropy_until"] == closed["entropy_until"]
        data(ana.post(f"{url}/seats/0/entropy", {"entropy": own.hex()}))
        due = due_notices(runtime, game["id"], ana.id)
        assert told([heard, *messages(stream, len(due) - 1)]) == due
        assert message(other).kind == "started"


def test_whoever_comes_back_misses_nothing_and_hears_nothing_twice(
    house: House, runtime: Runtime
) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game = house.table(ana, bea)
    with streaming(ana, INBOX) as stream:
        place = opened(stream)
    play_on(game, [ana, bea], at_most=4)
    heard: list[Message] = []
    due = [
        one
        for one in due_notices(runtime, game.rpartition("/")[2], ana.id)
        if one[2]
        > max(v for _k, _s, v in due_notices(runtime, game.rpartition("/")[2], ana.id)[:2])
    ]
    with streaming(ana, f"{INBOX}?after={place}") as stream:
        heard.append(message(stream))
    while len(heard) < len(due):
        with streaming(ana, f"{INBOX}?after=1-1", Last_Event_ID=heard[-1].id) as stream:
            heard.append(message(stream))
    assert told(heard) == due
    assert [one.id for one in heard] == sorted({one.id for one in heard})
    assert to_ms(heard[-1]["at"]) <= int(heard[-1].id.partition("-")[0])


@pytest.mark.parametrize("place", ["1-1", "0-0", "99999999999999-0"])
def test_whoever_was_away_for_too_long_is_told_to_read_the_games(
    house: House, runtime: Runtime, place: str
) -> None:
    ana = house.player("Ana")
    house.table(ana, house.player())
    with streaming(ana, INBOX, Last_Event_ID=place) as stream:
        now = opened(stream)
        house.table(ana, house.player())
        assert message(stream).kind == "started"
    runtime.redis.xtrim(notices_key(ana.id), maxlen=1, approximate=False)
    with streaming(ana, INBOX, Last_Event_ID=now) as stream:
        opened(stream)


def test_notices_are_kept_for_a_week_and_not_without_end(house: House, runtime: Runtime) -> None:
    ana = house.player("Ana")
    key = notices_key(ana.id)
    for n in range(900):
        runtime.redis.xadd(key, {"k": "asked", "b": "{}"}, id=f"{n + 1}-0")
    house.table(ana, ana)
    all_told(runtime)
    assert 500 <= runtime.redis.xlen(key) < 620  # Redis drops old entries in whole blocks
    week = 7 * 24 * 3600
    runtime.redis.expire(key, 60)
    with streaming(ana, INBOX, Last_Event_ID=notices.kept(runtime.redis, ana.id)[-1].id) as stream:
        house.table(ana, ana)
        assert message(stream).kind == "started"
        assert week - 60 < runtime.redis.ttl(key) <= week


def test_of_players_who_do_not_listen_nothing_is_kept(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    notices.listen(runtime.redis, bea.id)
    house.table(ana, bea)
    assert not runtime.redis.exists(notices_key(ana.id))
    assert kinds(runtime, bea) == {"listening", "started"}


def test_whom_a_rematch_keeps_a_seat_for_is_invited(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    old = house.table(ana, bea)
    play_on(old, [ana, bea])
    with streaming(bea, INBOX) as stream, streaming(ana, INBOX) as other:
        opened(stream)
        opened(other)
        new = data(ana.post(f"{old}/rematch"))["id"]
        told = message(stream)
        assert told.kind == "invited"
        assert told == {
            "game_id": new,
            "ruleset": "sealed",
            "seat": 0,
            "version": told["version"],
            "at": told["at"],
            "by": ana.id,
            "rematch_of": old.rpartition("/")[2],
        }
        data(bea.post(f"{old}/rematch"))
        assert {message(one).kind for one in (stream, other)} == {"started"}


def test_what_fails_to_be_told_fails_no_move(house: House, runtime: Runtime) -> None:
    ana = house.player("Ana")
    runtime.redis.set(notices_key(ana.id), "no stream")
    for shard in ALL_SHARDS:
        runtime.redis.set(shard_key(shard, LOWS), "no set")
    play_on(house.table(ana, ana, clock=DAY), [ana, ana])
    all_told(runtime)


# Clocks


@pytest.fixture
def sweep(runtime: Runtime) -> Sweeper:
    return Sweeper(make(runtime))


def lows(runtime: Runtime) -> dict[str, int]:
    pipe = runtime.redis.pipeline()
    for shard in ALL_SHARDS:
        pipe.zrange(shard_key(shard, LOWS), 0, -1, withscores=True)
    return {member.decode(): int(at) for found in pipe.execute() for member, at in found}


def kinds(runtime: Runtime, person: Person) -> set[str]:
    """Return the kinds of a client's notices."""
    all_told(runtime)
    found: Any = runtime.redis.xrange(notices_key(person.id))
    return {fields[b"k"].decode() for _id, fields in found}


def lows_key(member: str) -> str:
    return shard_key(shard_of(member), LOWS)


def run_down(runtime: Runtime, member: str) -> None:
    """Make the time for decisions short."""
    assert runtime.redis.zadd(lows_key(member), {member: 1}, xx=True, ch=True)


@pytest.mark.parametrize(("seconds", "left"), [(100, 20), (5 * 3600, 3600), (86_400, 3600)])
def test_a_clock_is_low_at_a_fifth_or_an_hour(
    house: House, runtime: Runtime, seconds: int, left: int
) -> None:
    ana = house.player("Ana")
    url = house.table(ana, ana, clock={"decision_seconds": seconds})
    (decision,) = data(ana.get(url))["decisions"]
    low = to_ms(decision["deadline"]) - 1000 * left
    assert lows(runtime) == {f"{url.rpartition('/')[2]}:{decision['seat']}": low}
    play_on(url, [ana, ana])
    assert lows(runtime) == {}


def test_a_low_clock_is_told_once_a_decision(
    house: House, runtime: Runtime, sweep: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "LOW_PART", 1)  # each decision has little time at once
    monkeypatch.setattr(notices, "LOW_MS", 86_400_000)
    ana = house.player("Ana")
    url = house.table(ana, ana, clock=DAY)
    (decision,) = data(ana.get(url))["decisions"]
    with streaming(ana, INBOX) as stream:
        opened(stream)
        sweep.sweep()
        sweep.sweep()
        runtime.ledger.change(url.rpartition("/")[2], lambda batch: batch.suspend({"admin": "ana"}))
        runtime.ledger.change(url.rpartition("/")[2], lambda batch: batch.resume({"admin": "ana"}))
        sweep.sweep()
        assert lows(runtime) == {}
        ana.move(url, decision["seat"])
        first, *others = messages(stream, 3)
    assert first.kind == "clock_low"
    assert first == {
        "game_id": url.rpartition("/")[2],
        "ruleset": "sealed",
        "seat": decision["seat"],
        "version": first["version"],
        "at": first["at"],
        "decision": decision["id"],
        "deadline": decision["deadline"],
    }
    assert {one.kind for one in others} == {"asked"}


def test_what_was_decided_in_time_is_not_told(
    house: House, runtime: Runtime, sweep: Sweeper
) -> None:
    ana = house.player("Ana")
    notices.listen(runtime.redis, ana.id)
    url = house.table(ana, ana, clock=DAY)
    (decision,) = data(ana.get(url))["decisions"]
    (member,) = lows(runtime)
    ana.move(url, decision["seat"])
    others = [seat["seat"] for seat in data(ana.get(url))["decisions"]]
    for seat in others:
        ana.move(url, seat)  # one bid of each seat; then the other seat leads
    for late in (member, "g00-aaaaaaaaaaaaaaaaaaaa:0"):
        runtime.redis.zadd(lows_key(late), {late: 1})
    sweep.sweep()
    assert {"clock_low"}.isdisjoint(kinds(runtime, ana))
    assert 1 not in lows(runtime).values()


def test_while_a_game_is_suspended_no_clock_gets_low(
    house: House, runtime: Runtime, sweep: Sweeper
) -> None:
    ana = house.player("Ana")
    notices.listen(runtime.redis, ana.id)
    url = house.table(ana, ana, clock=DAY)
    game_id = url.rpartition("/")[2]
    ((member, low),) = lows(runtime).items()
    runtime.ledger.change(game_id, lambda batch: batch.suspend({"admin": "ana"}))
    run_down(runtime, member)
    sweep.sweep()
    assert lows(runtime) == {}
    assert "clock_low" not in kinds(runtime, ana)
    runtime.ledger.change(game_id, lambda batch: batch.resume({"admin": "ana"}))
    assert lows(runtime)[member] >= low


# Access and limits


def test_notices_are_for_players_with_a_key_or_a_ticket(house: House) -> None:
    ana = house.player("Ana")
    problem(house.visitor.get(INBOX), 401, "key_required")
    refused = problem(ana.get(f"{INBOX}?after=7"), 422, "invalid_query")
    assert refused["errors"][0]["value"] == "7"
    ticket = data(ana.post("/v1/stream_tickets"))["ticket"]
    assert house.client.head(f"{INBOX}?ticket={ticket}").status_code == 200
    with streaming(house.visitor, f"{INBOX}?ticket={ticket}") as stream:
        opened(stream)
        house.table(ana, house.player())
        assert message(stream).kind == "started"
    problem(house.visitor.get(f"{INBOX}?ticket={ticket}"), 401, "unknown_ticket")


def test_notices_take_places_as_all_streams_do(house: House) -> None:
    hub: Hub = house.app.extensions["lonja"].hub
    hub.heartbeat = 0.05
    hub.shares = hub.shares._replace(per_key=1)
    ana = house.player("Ana")
    with streaming(ana, INBOX) as stream:
        opened(stream)
        assert stream.message() == ": keep-alive"
        assert hub.count == 1
        problem(ana.get(INBOX), 429, "stream_share_used")
    assert hub.count == 0


def test_whoever_is_banned_hears_no_more(house: House, app: Flask, runtime: Runtime) -> None:
    hub: Hub = app.extensions["lonja"].hub
    hub.heartbeat = 0.05
    ana: Person = house.player("Ana")
    with streaming(ana, INBOX) as stream:
        opened(stream)
        runtime.redis.hset(BANS, ana.id, "2026-11-22T10:00:00.000Z")
        app.extensions["lonja"].bans.look_again()
        last = message(stream)
        assert (last.kind, last) == ("revoked", {})
        with pytest.raises(StopIteration):
            stream.message()
    problem(ana.get(INBOX), 403, "banned")


def test_there_are_no_notices_while_an_older_release_may_play(
    house: House, runtime: Runtime
) -> None:
    runtime.redis.set(FORMAT_KEY, "lonja/2")
    told = problem(house.player().get(INBOX), 409, "upgrade_unfinished")
    assert told["level"] == "lonja/2"


# Stored notices


def test_what_a_player_was_told_is_exported_and_goes_with_him(
    house: House, runtime: Runtime
) -> None:
    ana = house.player("Ana")
    notices.listen(runtime.redis, ana.id)
    game = house.table(ana, ana)
    all_told(runtime)
    told = data(ana.get("/v1/players/me/export"))["notices"]
    assert [one["kind"] for one in told][:2] == ["started", "started"]
    assert {one["game_id"] for one in told} == {game.rpartition("/")[2]}
    left = house.client.delete(
        "/v1/players/me", json={"id": ana.id, "resign": True}, headers=ana.headers
    )
    assert left.status_code == 204, left.text
    assert not runtime.redis.exists(notices_key(ana.id))


def test_a_revoked_key_hears_no_more(house: House) -> None:
    ana = house.player("Ana")
    made = data(ana.post("/v1/players/me/keys", {"name": "phone", "scope": "read"}))
    phone = Person(house, {"Authorization": f"Bearer {made['key']}"}, ana.id, made["key"])
    with streaming(phone, INBOX) as stream:
        opened(stream)
        assert ana.delete(f"/v1/players/me/keys/{made['id']}").status_code == 204
        problem(phone.get(INBOX), 401, "unknown_key")
        assert message(stream).kind == "revoked"
        with pytest.raises(StopIteration):
            stream.message()
