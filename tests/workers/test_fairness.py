"""The order of real bots' turns: no player's games delay those of others."""

import math
from collections import Counter
from functools import partial

import pytest
import structlog

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verify import verify
from rules.kernel.record.instants import to_ms
from service import settings
from service.catalogue.bots import HEAVY, LIVE
from service.ledger.store import RepeatedRequest
from service.redis.keys import game_key
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.tournaments import requests
from service.tournaments.plan import TournamentRequest
from service.turns.queue import TOURNAMENTS
from service.turns.schedule import FinishedTurn
from tests.running import ME, bot, copies, environment, game, kinds, open_game, process, wait_for
from tests.service.tournaments.conftest import SMALL
from workers import bots, jobs
from workers.matches import Matches
from workers.process import Process, make
from workers.turns import Turns

GREEDY, RANDOM = bot("greedy"), bot("random")
VISITOR, OTHER = "p-bbbbbbbbbbbbbbbb", "p-cccccccccccccccc"
THINKING: JsonObject = {"bot": "thinking", "version": "1", "settings": {}}


def open_for(runtime: Runtime, player: str, *holders: JsonObject) -> str:
    created = runtime.tables.create(player, "santiago_de_cuba", {}, list(holders))
    assert not isinstance(created, RepeatedRequest)
    return created.game.id


@pytest.fixture
def here(worker: Runtime, monkeypatch: pytest.MonkeyPatch) -> Process:
    """Make the jobs in this process use the test's runtime, with one decision for each turn."""
    made = make(worker)
    made = Process(worker, Turns(worker, seconds=0), made.matches, made.analyses, made.hints)
    monkeypatch.setattr(jobs, "SECONDS", math.inf)
    monkeypatch.setattr("workers.process._current", made)
    return made


def test_a_flood_of_one_player_keeps_nobody_waiting(
    web: Runtime, redis_server: RedisServer
) -> None:
    """When each game had one job, in order of arrival, the flood was played to its end first."""
    flood = [open_for(web, VISITOR, RANDOM, RANDOM) for _ in range(12)]
    answered = open_for(web, OTHER, GREEDY, RANDOM, ME)
    asked = to_ms(game(web, answered).at)
    start = partial(process, "-m", "workers.worker", env=environment(redis_server.url))
    with start():
        wait_for(lambda: list(game(web, answered).asked) == [2])
    answer = to_ms(game(web, answered).at)
    before = [
        copy
        for game_id in flood
        for copy in copies(web, game_id)
        if copy["kind"] == "moved" and asked <= to_ms(copy["at"]) < answer
    ]
    assert Counter(copy["kind"] for copy in before)["moved"] < 200
    assert not any(game(web, game_id).over for game_id in flood)


def test_a_turn_is_short_and_owners_take_turns(web: Runtime, here: Process) -> None:
    flood = [open_for(web, VISITOR, GREEDY, GREEDY) for _ in range(5)]
    single = open_for(web, OTHER, GREEDY, GREEDY)
    order = []
    play = here.turns.play

    def noted(game_id: str, queue: str) -> bool:
        order.append(game_id)
        here.turns.stopping = len(order) == 8
        return play(game_id, queue)

    here.turns.play = noted  # type: ignore[method-assign, assignment]
    jobs.take_turns(LIVE)
    assert order[1::2] == [single] * 4
    assert order[::2] == flood[:4]
    assert web.jobs.waiting() == 6  # no turn is lost if a worker is told to end
    assert web.jobs.queues[LIVE].count > 0


def test_a_turn_that_raises_leaves_the_others_theirs(
    web: Runtime, here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = open_for(web, VISITOR, RANDOM, RANDOM), open_for(web, OTHER, RANDOM, RANDOM)
    for game_id in (broken, sound):
        here.runtime.ledger.table(game_id)  # folded before the rules break
    ruleset = here.runtime.registry.find("santiago_de_cuba")

    def break_it(*_arguments: object) -> None:
        raise KeyError("the rules' own mistake")

    with monkeypatch.context() as patched:
        patched.setattr(type(ruleset), "reduce", break_it)
        with pytest.raises(KeyError):
            jobs.take_turns(LIVE)
    assert web.jobs.lost(LIVE, [broken, sound]) == [broken]  # it is still due
    assert web.jobs.queues[LIVE].count > 0


def test_a_spent_budget_is_logged_counted_and_ends_by_itself(
    web: Runtime, here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.turns.queue.log", structlog.get_logger())
    game_id = open_for(web, VISITOR, RANDOM, RANDOM)
    turn = web.jobs.next(LIVE, None)
    assert turn is not None
    with structlog.testing.capture_logs() as logs:
        assert web.jobs.next(LIVE, FinishedTurn(turn, 900_000_000, again=True)) is None
    (told,) = logs
    assert (told["event"], told["owner"]) == ("bot_budget_spent", VISITOR)
    before = game(web, game_id).version
    jobs.take_turns(LIVE)
    assert game(web, game_id).version == before
    assert to_ms(told["until"]) == web.jobs.held_until(game(web, game_id))
    web.queue_redis.zadd("lonja:{turns_2}:held", {VISITOR: 1})  # the time has come
    jobs.take_turns(LIVE)
    assert game(web, game_id).over


class TestBotsThatThink:
    """Bots of another queue, with workers of their own."""

    @pytest.fixture
    def runtime(self, web: Runtime, monkeypatch: pytest.MonkeyPatch) -> Runtime:
        env = environment(web.settings.redis_url or "", LONJA_EXTRA_BOTS="tests.bots.thinking")
        monkeypatch.setattr(bots, "FUNCTIONS", dict(bots.FUNCTIONS))
        return open_runtime(settings.load(env))

    @pytest.fixture
    def made(self, runtime: Runtime) -> Process:
        return make(runtime)

    def test_each_queue_answers_for_its_own_bots(self, runtime: Runtime, made: Process) -> None:
        game_id = open_game(runtime, "sealed", GREEDY, THINKING, ME)
        assert [runtime.jobs.waiting(queue) for queue in (LIVE, HEAVY)] == [1, 0]
        while made.turns.play(game_id, LIVE):  # both have decisions: the quick bot goes first
            pass
        assert list(game(runtime, game_id).asked) == [1, 2]
        assert runtime.jobs.waiting(HEAVY) == 1
        while made.turns.play(game_id, HEAVY):
            pass
        assert list(game(runtime, game_id).asked) == [2]

    def test_they_play_a_game_that_verifies(
        self, runtime: Runtime, made: Process, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workers.process._current", made)
        game_id = open_game(runtime, "sealed", GREEDY, THINKING, THINKING)
        for _ in range(100):
            jobs.take_turns(LIVE)
            jobs.take_turns(HEAVY)
        assert game(runtime, game_id).over
        assert "defaulted" not in kinds(runtime, game_id)
        assert verify(game_id, copies(runtime, game_id), runtime.registry).ok

    def test_a_worker_of_their_own_plays_them(
        self, runtime: Runtime, redis_server: RedisServer
    ) -> None:
        game_id = open_game(runtime, "sealed", THINKING, THINKING)
        env = environment(redis_server.url, LONJA_EXTRA_BOTS="tests.bots.thinking")
        with process("-m", "workers.worker", "--queue", "heavy", env=env):
            wait_for(lambda: game(runtime, game_id).over)


def test_a_slice_of_a_tournament_is_short_and_loses_nothing(
    web: Runtime, here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block continues where it was left: from memory here, from the store in other processes."""
    asked = {**SMALL, "format": {"type": "round_robin", "games": 4}}
    plan = requests.plan_of(TournamentRequest.of(asked), web.registry, web.bots)
    peace, cut = (
        web.director.create(plan, {"player": host}, seed="s").tournament
        for host in (VISITOR, OTHER)
    )
    while here.matches.play(peace.id):
        pass
    others = make(here.runtime).matches
    slices = 0
    looks = iter(range(10**6))
    monkeypatch.setattr(Matches, "is_over", lambda _self: next(looks) % 5 == 4)
    while not web.director.find(cut.id).over:
        (here.matches if slices % 3 else others).play(cut.id)
        slices += 1
    ended, undisturbed = web.director.find(cut.id), web.director.find(peace.id)
    assert slices > 2 * len(ended.results)
    assert [o.result.ranks for o in ended.outcomes()] == [
        o.result.ranks for o in undisturbed.outcomes()
    ]
    assert all(sum(o.result.cpu_us) > 0 for o in ended.outcomes())
    assert web.redis.exists(game_key(cut.id, "cpu_us:1"))  # passed on outside of the games


def test_a_small_tournament_ends_beside_large_ones(
    web: Runtime, here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs about twice as many slices as alone, beside another host's tournaments."""
    large, small = (
        requests.plan_of(
            TournamentRequest.of({**SMALL, "format": {"type": "round_robin", "games": games}}),
            web.registry,
            web.bots,
        )
        for games in (600, 10)
    )
    for _ in range(5):
        web.director.create(large, {"player": VISITOR})
    played: list[str] = []
    play = here.matches.play

    def noted(tournament_id: str) -> bool:
        played.append(tournament_id)
        return play(tournament_id)

    here.matches.play = noted  # type: ignore[method-assign]
    looks = iter(range(10**6))
    monkeypatch.setattr(Matches, "is_over", lambda _self: next(looks) % 20 == 19)
    monkeypatch.setattr(jobs, "SECONDS", 0.5)
    found = web.director.create(small, {"player": OTHER}).tournament
    while not web.director.find(found.id).over:
        jobs.take_turns(TOURNAMENTS)
    alone = played.count(found.id)
    until = max(n for n, name in enumerate(played) if name == found.id) + 1
    assert until <= 4 * alone
