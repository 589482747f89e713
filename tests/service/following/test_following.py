"""Notices are written once for each append, whoever leads and whatever the feed has dropped."""

from collections.abc import Sequence
from typing import Any

import orjson
import pytest
from redis import Redis

from service.following import follower, lease
from service.following.consumer import Lead, LostLeadError, Renewed, StreamAdvance
from service.following.cursors import FOLLOWED, FeedCursors, behind_since
from service.following.follower import Follower
from service.following.telling import NoticeWriter
from service.ids import shard_of
from service.ledger import notices
from service.ledger.feeds import TAILS, TOLD
from service.redis.keys import ALL_SHARDS, shard_key
from service.redis.server import RedisServer
from service.runtime import Runtime
from tests import running
from tests.running import ME, PLAYER, due_notices, follower_of


@pytest.fixture
def runtime(redis_server: RedisServer, redis_client: Redis) -> Runtime:
    found = running.runtime_on(redis_server.url)
    notices.listen(redis_client, PLAYER)
    return found


def play(runtime: Runtime, game_id: str, moves: int) -> None:
    for _ in range(moves):
        game = running.game(runtime, game_id)
        seat = next(iter(game.asked), None)
        if seat is None:
            break
        move = game.ruleset.legal_moves(game.state, seat)[0]
        runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)


def told(runtime: Runtime, game_id: str) -> list[tuple[str, int, int]]:
    """Return the player's notices about a game, in the form of ``due_notices``."""
    kept = [(one.kind, orjson.loads(one.body)) for one in notices.kept(runtime.redis, PLAYER)]
    return [
        (kind, body["seat"], body["version"]) for kind, body in kept if body["game_id"] == game_id
    ]


def tail_of(game_id: str) -> str:
    return TAILS[shard_of(game_id)]


def test_what_comes_again_changes_nothing(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 4)
    with monkeypatch.context() as patched:
        patched.setattr(FeedCursors, "move", lambda *_: None)  # it died before that
        follower_of(runtime).catch_up()
    due = due_notices(runtime, game_id, PLAYER)
    assert told(runtime, game_id) == due
    assert behind_since(runtime.redis, NoticeWriter.name) is not None
    again = follower_of(runtime)
    monkeypatch.setattr(again, "_lease", _of_another(runtime))
    again.catch_up()
    assert told(runtime, game_id) == due
    assert behind_since(runtime.redis, NoticeWriter.name) is None


def test_a_lost_cursor_is_stored_again_and_nothing_is_told_twice(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 4)
    leader = follower_of(runtime)
    leader.catch_up()
    due = due_notices(runtime, game_id, PLAYER)
    for again in (leader, follower_of(runtime)):
        for shard in ALL_SHARDS:
            runtime.redis.hdel(shard_key(shard, FOLLOWED), NoticeWriter.name)
        assert behind_since(runtime.redis, NoticeWriter.name) is not None
        if again is not leader:
            monkeypatch.setattr(again, "_lease", _of_another(runtime))
        again.catch_up()
        assert told(runtime, game_id) == due
        assert behind_since(runtime.redis, NoticeWriter.name) is None


def test_much_to_tell_one_player_is_looked_for_at_once(runtime: Runtime) -> None:
    """A script must not block the store: it reads the player's notices only once."""
    now = runtime.ledger.store.clock.now_ms()
    news = [
        StreamAdvance(now, f"g00-{'a' * 20}", version, b"", notices.dump([_asked(version)]))
        for version in range(40)
    ]
    telling, lead = NoticeWriter(runtime.redis, runtime.ledger), Lead(1, now + 60_000)
    for _again in range(2):
        runtime.redis.config_resetstat()
        telling.take(news, lead)
        assert runtime.redis.info("commandstats")["cmdstat_xrange"]["calls"] <= 2
    bodies = [one.body for one in notices.kept(runtime.redis, PLAYER)]
    assert [orjson.loads(body)["version"] for body in bodies] == [*range(40)]


def test_what_nobody_listens_to_costs_the_store_no_write(runtime: Runtime) -> None:
    """Such writes would delay moves, if each is synced; players with a webhook are woken."""
    now = runtime.ledger.store.clock.now_ms()
    silent, hooked = (f"p-{letter * 16}" for letter in "xy")
    telling, lead = NoticeWriter(runtime.redis, runtime.ledger), Lead(1, now + 60_000)

    def tell(*players: str) -> set[str]:
        """Return the commands to the store that write or run a script."""
        runtime.redis.config_resetstat()
        asked = notices.dump(
            [_asked(number)._replace(player=p) for number, p in enumerate(players)]
        )
        telling.take([StreamAdvance(now, f"g00-{'a' * 20}", 1, b"", asked)], lead)
        stats = runtime.redis.info("commandstats")
        return {name for name in ("xadd", "zadd", "evalsha") if f"cmdstat_{name}" in stats}

    assert tell(silent, silent, hooked) == set()
    assert tell(silent, PLAYER) == {"xadd", "zadd", "evalsha"}
    runtime.redis.zadd(notices.LISTENERS, {hooked: 0})  # and the player's notices were lost
    tell(silent, hooked)
    assert runtime.redis.zscore(notices.LISTENERS, hooked) == now
    woken: Any = runtime.redis.xrange(TOLD)
    assert [fields[b"p"].decode() for _place, fields in woken] == [PLAYER, hooked]


def _asked(version: int) -> notices.Notice:
    body: notices.GameNotice = {
        "game_id": f"g00-{'a' * 20}",
        "ruleset": "sealed",
        "seat": 0,
        "version": version,
        "at": "2026-11-20T21:29:00.123Z",
    }
    return notices.Notice(PLAYER, "asked", body)


def _of_another(runtime: Runtime) -> lease.Lease:
    """Return the lease of another process, after the previous lease was given back."""
    runtime.redis.hset(lease.lease_of(NoticeWriter.name), "until", 0)
    return lease.Lease(runtime.redis, NoticeWriter.name)


def test_one_process_leads_and_who_has_lost_it_writes_nothing(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "LEASE_MS", 200)
    game_id = running.open_game(runtime, "sealed", ME, ME)
    first, second = (lease.Lease(runtime.redis, NoticeWriter.name) for _ in range(2))
    lost = first.take()
    assert lost is not None
    assert second.take() is None
    monkeypatch.setattr(lease, "LEASE_MS", 60_000)
    running.wait_for(second.take)
    lead = second.renewed()
    assert lead.token > lost.token
    assert first.take() is None
    with pytest.raises(LostLeadError):
        first.renewed()
    cursors = FeedCursors(runtime.redis, NoticeWriter.name)
    cursors.claim(lead)
    with pytest.raises(LostLeadError):
        cursors.move(lost, {0: "7-0"})
    (place, entry), *_ = _entries(runtime, game_id)
    late = StreamAdvance(int(place.partition("-")[0]), game_id, 1, b"", entry[b"n"])
    with pytest.raises(LostLeadError):
        NoticeWriter(runtime.redis, runtime.ledger).take([late], lost)
    assert told(runtime, game_id) == []
    second.give_back()
    assert first.take() is not None


def _entries(runtime: Runtime, game_id: str) -> list[tuple[str, dict[bytes, bytes]]]:
    found: Any = runtime.redis.xrange(tail_of(game_id))
    return [(place.decode(), fields) for place, fields in found if b"n" in fields]


def test_what_the_feed_has_dropped_is_read_from_the_streams(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "PAGE", 2)
    first, second = (running.open_game(runtime, "sealed", ME, ME) for _ in range(2))
    follower_of(runtime).catch_up()
    play(runtime, first, 5)
    play(runtime, second, 2)
    low = running.open_game(runtime, "sealed", ME, ME, clock={"decision_seconds": 10})
    for game_id in (first, second, low):
        runtime.redis.xtrim(tail_of(game_id), maxlen=2, approximate=False)
    monkeypatch.setattr(notices, "LOW_PART", 1)  # decisions have little time at once
    again = follower_of(runtime)
    monkeypatch.setattr(again, "_lease", _of_another(runtime))
    again.catch_up()
    for game_id in (first, second):
        assert sorted(told(runtime, game_id)) == sorted(due_notices(runtime, game_id, PLAYER))
    play(runtime, second, 100)
    again.catch_up()
    assert sorted(told(runtime, second)) == sorted(due_notices(runtime, second, PLAYER))


def test_a_feed_that_was_rewound_is_followed_on(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 3)
    follower_of(runtime).catch_up()
    last: Any = runtime.redis.xrevrange(tail_of(game_id), count=1)
    ahead = f"{int(last[0][0].partition(b'-')[0]) + 3_600_000}-0"
    runtime.redis.hset(
        TAILS[shard_of(game_id)].replace(":tail", ":followed"), NoticeWriter.name, ahead
    )
    play(runtime, game_id, 2)
    again = follower_of(runtime)
    monkeypatch.setattr(again, "_lease", _of_another(runtime))
    again.catch_up()
    assert told(runtime, game_id) == due_notices(runtime, game_id, PLAYER)


def test_a_rewound_feed_moves_no_cursor_forward(runtime: Runtime) -> None:
    """What a consumer has only gathered is read again after a kill, however old it is."""

    class Gathering:
        name = "gathering"

        def take(self, news: Sequence[StreamAdvance], _lead: Lead) -> None: ...

        def missed(self, stream_id: str, _since: int, _lead: Lead) -> None: ...

        def is_durable(self, _renewed: Renewed) -> bool:
            return False

    game_id = running.open_game(runtime, "sealed", ME, ME)
    feed = tail_of(game_id)
    known: Any = runtime.redis.xrevrange(feed, count=1)
    followed_at = int(known[0][0].partition(b"-")[0])
    for place in followed_at + 200_000, followed_at + 400_000:
        runtime.redis.xadd(feed, known[0][1], id=f"{place}-0")
    followed = feed.replace(":tail", ":followed")
    runtime.redis.hset(followed, Gathering.name, f"{followed_at}-0")
    one = Follower(runtime.redis, runtime.ledger.store, Gathering())
    one.catch_up()
    runtime.redis.xdel(feed, f"{followed_at + 400_000}-0")
    one.catch_up()
    assert runtime.redis.hget(followed, Gathering.name) == b"%d-0" % followed_at


def test_a_consumer_is_a_few_lines(runtime: Runtime) -> None:
    class Heads:
        name = "heads"

        def __init__(self) -> None:
            self.known: dict[str, int] = {}

        def take(self, news: Sequence[StreamAdvance], _lead: Lead) -> None:
            self.known |= {moved.stream_id: moved.version for moved in news}

        def missed(self, stream_id: str, _since: int, _lead: Lead) -> None:
            self.known[stream_id] = runtime.ledger.store.newest(stream_id)

        def is_durable(self, _renewed: Renewed) -> bool:
            return True

    heads = Heads()
    game_id = running.open_game(runtime, "sealed", ME, ME)
    play(runtime, game_id, 3)
    Follower(runtime.redis, runtime.ledger.store, heads).catch_up()
    assert heads.known == {game_id: running.game(runtime, game_id).version}
