"""What the store keeps of games in packs: enough to find them, in at most 64 bytes."""

import secrets

import pytest
from redis import Redis

from service.ids import new_game_id, new_tournament_id
from service.ledger import places
from service.ledger.places import (
    ELSEWHERE,
    NOTED,
    OTHER,
    PackedStream,
    PackPlace,
    PackPlaces,
    buckets,
    field,
)
from service.ledger.store import Store
from service.redis.keys import game_key

HEAD = bytes(range(32))
PLACE = PackPlace(3, 70_000_000, 14_000, HEAD[:8])


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


def begun(redis: Redis, stream_id: str, version: int = 7, head: bytes = HEAD) -> str:
    """Store the last event of a stream, as far as the scripts look at it."""
    redis.xadd(game_key(stream_id, "events"), {"e": "{}", "p": bytes(32) + head}, f"{version}-0")
    return stream_id


def test_a_game_is_found_in_its_place(store: Store) -> None:
    kept = PackPlaces(store.redis)
    game, cup = (begun(store.redis, new()) for new in (new_game_id, new_tournament_id))
    other = PLACE._replace(offset=5)
    asked = [PackedStream(game, 7, HEAD, PLACE), PackedStream(cup, 7, HEAD, other)]
    assert kept.note(asked) == [NOTED, NOTED]
    assert kept.note(asked) == [NOTED, NOTED]
    assert (kept.of(game), kept.of(cup), kept.of(new_game_id())) == (PLACE, other, None)
    assert kept.note([PackedStream(game, 7, HEAD, other)]) == [ELSEWHERE]
    assert kept.of(game) == PLACE
    assert (sorted(kept.ids()), kept.count()) == (sorted((game, cup)), 2)


@pytest.mark.parametrize(
    ("version", "head", "damaged"), [(6, HEAD, False), (7, HEAD[::-1], False), (7, HEAD, True)]
)
def test_what_the_store_has_otherwise_is_not_noted(
    store: Store, version: int, head: bytes, *, damaged: bool
) -> None:
    kept, game = PackPlaces(store.redis), begun(store.redis, new_game_id())
    if damaged:
        store.redis.set(game_key(game, "damage"), "x")
    assert kept.note([PackedStream(game, version, head, PLACE)]) == [OTHER]
    assert kept.note([PackedStream(new_game_id(), version, head, PLACE)]) == [OTHER]
    assert kept.of(game) is None


def test_of_what_the_store_has_nothing_a_place_is_noted_if_that_is_asked(store: Store) -> None:
    kept, game = PackPlaces(store.redis), new_game_id()
    assert kept.note([PackedStream(game, 7, HEAD, PLACE)], absent=True) == [NOTED]
    assert kept.of(game) == PLACE
    other = begun(store.redis, new_game_id(), 3)
    assert kept.note([PackedStream(other, 7, HEAD, PLACE)], absent=True) == [OTHER]


def test_games_and_tournaments_have_fields_of_their_own() -> None:
    game = new_game_id()
    assert len(field(game)) == 13
    assert field(game) != field("t" + game[1:])
    assert len({field(new_game_id()) for _ in range(1000)}) == 1000


def test_a_level_is_left_when_its_hashes_are_full(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "IN_A_HASH", 2)
    kept = PackPlaces(store.redis)
    ids = ["g05-" + new_game_id()[4:] for _ in range(80)]
    kept.note([PackedStream(begun(store.redis, id_), 7, HEAD, PLACE) for id_ in ids])
    sizes = [sum(bool(store.redis.hexists(buckets(i)[n], field(i))) for i in ids) for n in range(4)]
    assert sizes == [2, 62, 16, 0]
    assert all(kept.of(id_) == PLACE for id_ in ids)


def test_packs_have_numbers_for_good(store: Store) -> None:
    kept = PackPlaces(store.redis)
    names = [f"{secrets.token_hex(32)}.pack" for _ in range(3)]
    assert [kept.number(name) for name in (*names, names[1])] == [0, 1, 2, 1]
    assert kept.packs() == dict(enumerate(names))


@pytest.mark.parametrize("games", [5_000, 30_000])
def test_a_game_in_a_pack_takes_at_most_64_bytes(store: Store, games: int) -> None:
    redis, kept = store.redis, PackPlaces(store.redis)
    ids = [new_game_id() for _ in range(games)]
    for first in range(0, games, 500):
        page = ids[first : first + 500]
        pipe = redis.pipeline(transaction=False)
        for id_ in page:
            pipe.xadd(game_key(id_, "events"), {"e": "{}", "p": bytes(32) + HEAD}, "7-0")
        pipe.execute()
        assert {*kept.note([PackedStream(id_, 7, HEAD, PLACE) for id_ in page])} == {NOTED}
        redis.unlink(*(game_key(id_, "events") for id_ in page))
    keys = [*redis.scan_iter("lonja:*packed*", count=10_000)]
    taken = sum(int(redis.memory_usage(key, samples=0) or 0) + 60 for key in keys)
    assert taken / games <= 64
