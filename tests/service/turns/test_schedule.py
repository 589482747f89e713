"""The order of turns, on a real Redis; the tests count turns, not seconds."""

from collections import Counter

import pytest
from redis import Redis

from service.settings import Budget
from service.turns.schedule import FinishedTurn, Schedule, Turn, held_until, note_address

WINDOW = 3600
FLOOD = 200


@pytest.fixture
def schedule(redis_client: Redis) -> Schedule:
    return Schedule(redis_client, "live", ("people", "bots"))


@pytest.fixture
def frugal(redis_client: Redis) -> Schedule:
    return Schedule(redis_client, "live", ("people", "bots"), Budget(2, WINDOW))


def ask(redis: Redis, schedule: Schedule, *turns: Turn, times: int = 1) -> None:
    with redis.pipeline() as pipe:
        for turn in turns:
            schedule.ask(pipe, turn, times)
        pipe.execute()


def serve(schedule: Schedule, turns: int) -> list[Turn]:
    """Take several turns, one after another; after each, the game has another turn."""
    taken: list[Turn] = []
    served: FinishedTurn | None = None
    for _ in range(turns):
        turn, _held = schedule.next(served)
        if turn is None:
            break
        taken.append(turn)
        served = FinishedTurn(turn, 1, again=True)
    schedule.leave(served)
    return taken


def flood(owner: str, things: int, ring: str = "bots") -> list[Turn]:
    return [Turn(ring, owner, f"{owner}-{n}") for n in range(things)]


def test_a_newcomer_waits_one_turn_of_each_other_owner(
    schedule: Schedule, redis_client: Redis
) -> None:
    ask(redis_client, schedule, *flood("a", FLOOD), *flood("c", FLOOD))
    serve(schedule, 11)
    newcomer = Turn("bots", "b", "b-0")
    ask(redis_client, schedule, newcomer)
    for _ in range(10):  # and each time again
        order = [turn.owner for turn in serve(schedule, 3)]
        assert Counter(order) == {"a": 1, "b": 1, "c": 1}


def test_who_leaves_and_comes_back_gains_nothing(schedule: Schedule, redis_client: Redis) -> None:
    ask(redis_client, schedule, *flood("z", FLOOD))
    owners = []
    served: FinishedTurn | None = None
    for number in range(40):
        ask(redis_client, schedule, Turn("bots", "a", f"a-{number}"))
        turn, _ = schedule.next(served)
        assert turn is not None
        owners.append(turn.owner)
        served = FinishedTurn(turn, 1, again=turn.owner == "z")
    assert Counter(owners) == {"a": 20, "z": 20}


def test_the_games_of_an_owner_take_turns(schedule: Schedule, redis_client: Redis) -> None:
    ask(redis_client, schedule, *flood("a", 5))
    served = [turn.thing for turn in serve(schedule, 15)]
    assert served == [f"a-{n}" for n in range(5)] * 3


def test_games_with_people_go_first_and_the_others_go_on(
    schedule: Schedule, redis_client: Redis
) -> None:
    ask(redis_client, schedule, *flood("a", FLOOD), *flood("b", FLOOD, "people"))
    rings = Counter(turn.ring for turn in serve(schedule, 80))
    assert rings == {"people": 70, "bots": 10}


def test_games_between_bots_never_cost_a_person_another_turn_of_an_owner(
    schedule: Schedule, redis_client: Redis
) -> None:
    """An owner with games of both kinds once came before others when the first ring yielded."""
    with_people = [Turn("people", owner, f"people-{owner}") for owner in "abc"]
    ask(redis_client, schedule, *flood("a", FLOOD), *with_people)
    owners = "".join(turn.owner for turn in serve(schedule, 90))
    assert all(sorted(owners[at : at + 3]) == ["a", "b", "c"] for at in range(0, 90, 3))


def test_an_owner_of_games_of_both_kinds_plays_both(
    schedule: Schedule, redis_client: Redis
) -> None:
    ask(redis_client, schedule, Turn("people", "a", "people-a"), *flood("a", 9), *flood("b", 9))
    rings = Counter((turn.owner, turn.ring) for turn in serve(schedule, 160))
    assert rings["a", "people"] == 140
    assert rings["a", "bots"] + rings["b", "bots"] == 20


def test_one_turn_is_given_to_one_worker_however_often_it_is_asked_for(
    schedule: Schedule, redis_client: Redis
) -> None:
    turn = Turn("people", "a", "a-0")
    ask(redis_client, schedule, turn, turn)
    ask(redis_client, schedule, turn)
    assert schedule.look(["a-0", "b-0"]) == (1, ["b-0"])
    assert schedule.next() == (turn, None)
    assert schedule.next() == (None, None)
    assert schedule.look(["a-0"]) == (0, ["a-0"])


def test_many_workers_may_be_at_one_thing(schedule: Schedule, redis_client: Redis) -> None:
    turn = Turn("people", "a", "a-0")
    ask(redis_client, schedule, turn, times=3)
    ask(redis_client, schedule, turn, times=2)  # no more than that
    assert [schedule.next()[0] for _ in range(4)] == [turn, turn, turn, None]


def test_who_has_spent_the_budget_waits_and_nobody_else_does(
    frugal: Schedule, redis_client: Redis
) -> None:
    ask(redis_client, frugal, *flood("a", 3), *flood("b", 5))
    first, held = frugal.next()
    assert (first, held) == (Turn("bots", "a", "a-0"), None)
    second, held = frugal.next(FinishedTurn(Turn("bots", "a", "a-0"), 1_999_999, again=True))
    assert (second, held) == (Turn("bots", "b", "b-0"), None)
    third, held = frugal.next(FinishedTurn(Turn("bots", "a", "a-0"), 1, again=True))
    assert held is not None
    assert held.owner == "a"
    seconds, _ = redis_client.time()
    assert held.until == (seconds // WINDOW + 1) * WINDOW * 1000
    assert held_until(redis_client, "a") == held.until
    assert held_until(redis_client, "b") is None
    assert third == Turn("bots", "b", "b-1")
    _, again = frugal.next(FinishedTurn(Turn("bots", "a", "a-1"), 5, again=False))
    assert again is None  # it is reported once
    assert {turn.owner for turn in serve(frugal, 10)} == {"b"}
    assert frugal.look(["a-0", "a-1", "a-2"])[1] == []  # no turn is lost


def test_a_new_window_is_a_new_budget(frugal: Schedule, redis_client: Redis) -> None:
    ask(redis_client, frugal, *flood("a", 2))
    frugal.next()
    nobody, held = frugal.next(FinishedTurn(Turn("bots", "a", "a-0"), 2_000_000, again=True))
    assert nobody is None
    assert held is not None
    assert frugal.look() == (0, [])  # no worker is called for it
    assert 0 < redis_client.pttl("lonja:{turns_2}:spent:a") <= WINDOW * 1000
    redis_client.delete("lonja:{turns_2}:spent:a")  # as the passing time does
    redis_client.zadd("lonja:{turns_2}:held", {"a": 1})
    assert frugal.look()[0] == 2
    assert {turn.thing for turn in serve(frugal, 2)} == {"a-0", "a-1"}


def test_queues_share_the_budget_and_nothing_else(redis_client: Redis) -> None:
    live, heavy = (
        Schedule(redis_client, name, ("people", "bots"), Budget(1, WINDOW))
        for name in ("live", "heavy")
    )
    turn = Turn("bots", "a", "a-0")
    ask(redis_client, live, turn)
    ask(redis_client, heavy, turn)
    assert heavy.next()[0] == turn
    heavy.leave(FinishedTurn(turn, 1_000_000, again=False))
    assert live.next()[0] is None
    assert live.look(["a-0"]) == (0, [])


@pytest.mark.parametrize(("hosts", "each", "times"), [(1, 20, 4), (20, 1, 25)])
def test_a_small_tournament_is_not_kept_waiting_by_large_ones(
    redis_client: Redis, hosts: int, each: int, times: int
) -> None:
    """The limit is the number of slices that it needs alone, counted from its request."""
    schedule = Schedule(redis_client, "tournaments", ("hosts",), several=True)
    large = [
        Turn("hosts", f"host-{host}", f"t-{host}-{number}")
        for host in range(hosts)
        for number in range(each)
    ]
    ask(redis_client, schedule, *large, times=16)
    serve(schedule, 50)
    small = Turn("hosts", "newcomer", "small")
    alone = 4
    ask(redis_client, schedule, small, times=alone)
    taken = [place for place, turn in enumerate(serve(schedule, 200), 1) if turn == small]
    assert taken[alone - 1] <= times * alone


def test_a_thing_that_wants_nothing_more_keeps_no_turns(redis_client: Redis) -> None:
    """Turns of finished tournaments once took rounds of their host."""
    schedule = Schedule(redis_client, "tournaments", ("hosts",), several=True)
    over = [Turn("hosts", "a", f"over-{number}") for number in range(3)]
    ask(redis_client, schedule, *over, times=16)
    for thing in over:
        turn, _ = schedule.next()
        assert turn == thing
        schedule.leave(FinishedTurn(turn, 1, again=False))
    assert schedule.look(["over-0"]) == (0, ["over-0"])
    ask(redis_client, schedule, over[0], times=2)  # a worker has found more work
    assert [schedule.next()[0] for _ in range(3)] == [over[0], over[0], None]


def test_what_is_asked_for_during_the_last_turn_is_not_lost(
    schedule: Schedule, redis_client: Redis
) -> None:
    turn = Turn("people", "a", "a-0")
    ask(redis_client, schedule, turn)
    assert schedule.next()[0] == turn
    ask(redis_client, schedule, turn)
    schedule.look()  # another process has read it
    assert schedule.next(FinishedTurn(turn, 1, again=False))[0] == turn


def test_who_was_not_served_lately_goes_first(schedule: Schedule, redis_client: Redis) -> None:
    """Otherwise a game that needs one turn would wait for one turn of every other address."""
    for owner in "acdefg":
        ask(redis_client, schedule, *flood(owner, 2))
    serve(schedule, 15)
    ask(redis_client, schedule, Turn("bots", "b", "b-0"))
    assert [turn.owner for turn in serve(schedule, 14)].index("b") == 0


def test_who_comes_back_again_and_again_has_no_more_turns_than_others(
    schedule: Schedule, redis_client: Redis
) -> None:
    for owner in "acdef":
        ask(redis_client, schedule, *flood(owner, 1))
    owners = Counter[str]()
    served: FinishedTurn | None = None
    for number in range(120):
        ask(redis_client, schedule, Turn("bots", "b", f"b-{number}"))
        turn, _ = schedule.next(served)
        assert turn is not None
        owners[turn.owner] += 1
        served = FinishedTurn(turn, 1, again=turn.owner != "b")
    assert owners == dict.fromkeys("abcdef", 20)


def test_nobody_is_remembered_whom_it_would_not_help(
    schedule: Schedule, redis_client: Redis
) -> None:
    """Each new key is an owner, so owners are not stored for ever."""
    ask(redis_client, schedule, *flood("a", 2))
    for number in range(50):
        ask(redis_client, schedule, Turn("bots", f"b-{number}", f"thing-{number}"))
        for _ in range(2):
            turn, _held = schedule.next()
            assert turn is not None
            schedule.leave(FinishedTurn(turn, 1, again=turn.owner == "a"))
    assert redis_client.zcard("lonja:{turns_2}:live:addresses:bots:served") <= 2


CROWD = [f"key-{number}" for number in range(40)]


@pytest.fixture
def crowd(redis_client: Redis) -> list[Turn]:
    """The requests of forty keys of one address, three for each key."""
    for key in CROWD:
        note_address(redis_client, key, "192.0.2.1")
    return [turn for key in CROWD for turn in flood(key, 3)]


def test_many_keys_of_one_address_have_the_turns_of_one_owner(
    schedule: Schedule, redis_client: Redis, crowd: list[Turn]
) -> None:
    ask(redis_client, schedule, *crowd, *flood("a", 3), *flood("b", 3))
    note_address(redis_client, "a", "192.0.2.2")
    taken = serve(schedule, 120)
    owners = Counter(turn.owner for turn in taken)
    assert (owners["a"], owners["b"]) == (40, 40)
    behind = [turn for turn in taken if turn.owner in CROWD]
    assert Counter(turn.owner for turn in behind) == dict.fromkeys(CROWD, 1)  # and take turns there


def test_the_things_of_each_owner_behind_an_address_take_turns(
    schedule: Schedule, redis_client: Redis, crowd: list[Turn]
) -> None:
    ask(redis_client, schedule, *crowd)
    assert Counter(serve(schedule, len(crowd))) == Counter(crowd)


def test_many_keys_of_one_address_have_one_budget(
    frugal: Schedule, redis_client: Redis, crowd: list[Turn]
) -> None:
    ask(redis_client, frugal, *crowd, *flood("b", 2))
    turn, _ = frugal.next()
    assert turn == crowd[0]
    _, held = frugal.next(FinishedTurn(turn, 2_000_000, again=True))
    assert held is not None
    assert held.owner == CROWD[0]  # which had the next turn
    assert [held_until(redis_client, key) for key in CROWD] == [held.until] * len(CROWD)
    assert held_until(redis_client, "b") is None
    assert {turn.owner for turn in serve(frugal, 10)} == {"b"}


def test_who_moves_on_to_another_address_loses_no_turns(
    schedule: Schedule, redis_client: Redis
) -> None:
    note_address(redis_client, "a", "192.0.2.1")
    ask(redis_client, schedule, *flood("a", 2))
    schedule.look()
    note_address(redis_client, "a", "192.0.2.2")
    later = Turn("bots", "a", "a-2")
    ask(redis_client, schedule, later)
    taken: list[Turn] = []
    while (turn := schedule.next()[0]) is not None:
        taken.append(turn)
    assert taken == [*flood("a", 2), later]
    note_address(redis_client, "a", None)  # with an address of its own again
    ask(redis_client, schedule, later)
    assert schedule.next()[0] == later


def test_an_address_leaves_nothing_behind(redis_client: Redis, crowd: list[Turn]) -> None:
    schedule = Schedule(redis_client, "live", ("people", "bots"), several=True)
    ask(redis_client, schedule, *crowd, times=2)
    served: FinishedTurn | None = None
    while (turn := schedule.next(served)[0]) is not None:
        served = FinishedTurn(turn, 1, again=False)
    left = {key.decode() for key in redis_client.scan_iter("lonja:{turns_2}:live:*")}
    assert left == {"lonja:{turns_2}:live:counts"}
    assert 0 < redis_client.ttl(f"lonja:{{turns_2}}:address:{CROWD[0]}") <= 30 * 24 * 3600
