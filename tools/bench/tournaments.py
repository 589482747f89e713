"""Tournaments: the cost of storing, a second worker, and the effect on live games."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, chance_key, seeded
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Game
from rules.kernel.record.instants import from_ms, to_ms
from rules.kernel.record.secrets import Secrets
from service.clock import StoreClock
from service.ledger.run import BufferedGame
from service.ledger.store import AppendOutcome, AppendSuccess, Store
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.tournaments import requests
from service.tournaments.plan import TournamentRequest
from service.tournaments.tournament import Tournament
from tests.running import (
    ME,
    bot,
    environment,
    game,
    open_game,
    patient_matches,
    process,
    runtime_on,
)
from tools.bench.measure import Row, alternate, at_least, at_most
from workers import bots
from workers.bots.bot import BotRandom
from workers.deciding import decide

HOST: JsonObject = {"player": "p-aaaaaaaaaaaaaaaa"}
SEATS = 3
ROUNDS = 3
GAMES = 24
MANY_GAMES = 240
TURNS = 600
GREEDY = "greedy"
SIGNATURE = "greedy@2"


def measure(rulesets: list[Ruleset[Any]]) -> Iterator[Row]:
    """Yield a row for each figure."""
    yield from storing(rulesets)
    yield scaling()
    yield live_turns()


@contextmanager
def store() -> Iterator[RedisServer]:
    """Run a Redis that acknowledges a write only once it is on disk."""
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "always") as server:
        yield server


def open_tournament(
    runtime: Runtime, ruleset: str, games: int, host: JsonObject = HOST
) -> Tournament:
    """Open a tournament between equal ``greedy`` bots."""
    asked = {
        "ruleset": ruleset,
        "seats": SEATS,
        "entries": [{"bot": GREEDY}] * SEATS,
        "format": {"type": "round_robin", "games": games},
    }
    return runtime.director.create(
        requests.plan_of(TournamentRequest.of(asked), runtime.registry, runtime.bots), host
    ).tournament


def storing(rulesets: list[Ruleset[Any]]) -> Iterator[Row]:
    """Compare the speed of stored games with that of games without a store, on one core.

    There are two kinds of games without a store: games whose events and proofs stay in memory, and
    games without events and proofs.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    recorded, bare, report_ms = {}, {}, {}
    try:
        with store() as server:
            runtime = runtime_on(server.url, announce=False)
            for ruleset in rulesets:
                name, stored = ruleset.info.id, _StoredGames(runtime, ruleset)
                unstored = _RecordedGames(runtime, ruleset).rate
                _, _, recorded[name] = alternate(stored.rate, unstored, ROUNDS)
                _, _, bare[name] = alternate(stored.rate, _BareGames(ruleset).rate, ROUNDS)
                report_ms[name] = stored.report_ms
    finally:
        os.sched_setaffinity(0, cores)
    yield at_least(
        "tournament games of `greedy`, stored, against the same games recorded in one process"
        " without a store, one core, in the slowest ruleset", min(recorded.values()), 0.7,
        by_game=recorded, report_ms_a_game=report_ms,
    )  # fmt: skip
    mean = prod(bare.values()) ** (1 / len(bare))
    name = (
        "the same against rules and bots without events and proofs, geometric mean of the rulesets"
    )
    yield Row(name, mean, "", True, {"by_game": bare})  # noqa: FBT003 - no bound


class _StoredGames:
    def __init__(self, runtime: Runtime, ruleset: Ruleset[Any]) -> None:
        self._runtime = runtime
        self._ruleset = ruleset.info.id
        self.report_ms = 0.0

    def rate(self) -> float:
        """Play a tournament in this process; return games a second, up to the last result.

        ``report_ms`` becomes the time after the last result, in milliseconds for each game; most of
        it is for the bands of the report.
        """
        matches = patient_matches(self._runtime)
        tournament = open_tournament(self._runtime, self._ruleset, GAMES)
        began = time.time()
        while not tournament.over:
            matches.play(tournament.id)
            tournament = self._runtime.director.find(tournament.id)
        over = to_ms(tournament.at) / 1000
        while not self._runtime.reports.final(tournament):
            matches.play(tournament.id)
        self.report_ms = 1000 * (time.time() - over) / GAMES
        return GAMES / (over - began)


class _RecordedGames:
    """The games of a tournament with their events, which are not stored."""

    def __init__(self, runtime: Runtime, ruleset: Ruleset[Any]) -> None:
        self._registry = runtime.registry
        self._ruleset = ruleset.info.id

    def rate(self) -> float:
        """Play the games; return games a second."""
        began = time.perf_counter()
        for number in range(GAMES):
            self._play(number)
        return GAMES / (time.perf_counter() - began)

    def _play(self, number: int) -> None:
        secrets = Secrets(number.to_bytes(32), number.to_bytes(32))
        run = BufferedGame(
            _NullStore(), Game(f"recorded-{number}", self._registry), secrets, from_ms(0)
        )
        run.record(self._open)
        while not run.game.over:
            seat = min(run.game.asked)
            run.record(decide(run.game, seat, secrets.salt).record)
            run.flush_if_much()

    def _open(self, batch: Batch) -> None:
        batch.create(self._ruleset, SEATS, {}, HOST)
        for seat in all_seats(SEATS):
            batch.sit(seat, bot(GREEDY), HOST)


class _NullStore(Store):
    """A store that keeps nothing."""

    def __init__(self) -> None:
        self.clock = StoreClock(lambda: time.time_ns() // 1_000_000)

    def append(self, *_what: Any, **_more: Any) -> AppendOutcome:
        """Pretend that the events are appended."""
        return AppendSuccess()

    def confirm(self, *_what: Any) -> None:
        """Pretend that the events are durable."""


class _BareGames:
    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset = ruleset

    def rate(self) -> float:
        """Let bots play with states only: no events, proofs or store; return games a second."""
        began = time.perf_counter()
        for number in range(GAMES):
            self._play(number)
        return GAMES / (time.perf_counter() - began)

    def _play(self, number: int) -> None:
        rules, choose = self._ruleset, bots.find(GREEDY, "1")
        settings = bot(GREEDY)["settings"]
        nature = seeded(chance_key(number.to_bytes(32), "bare", [None] * SEATS))
        state = rules.initial(SEATS, rules.parse_options(SEATS, {}))
        decisions = 0
        while True:
            turn = rules.turn(state)
            if type(turn) is Chance:
                rules.reduce(state, ChanceEvent(turn.label, turn.n, nature(turn)))
            elif type(turn) is Decision:
                seat = turn.seats[0]
                legal, known = rules.legal_moves(state, seat), rules.information(state, seat)
                chosen = choose(rules, known, seat, legal, BotRandom(decisions), settings)
                rules.reduce(state, MoveEvent(seat, chosen.move))
                decisions += 1
            else:
                return


def scaling() -> Row:
    """Compare two tournament workers with one."""
    shares: list[float] = []
    twos, ones, ratio = alternate(
        lambda: _rate_with(2, shares), lambda: _rate_with(1, shares), ROUNDS
    )
    return at_least(
        "throughput of two tournament workers against one", ratio, 1.6,
        games_a_second=[median(ones), median(twos)], redis_share_of_a_core=shares[::2],
    )  # fmt: skip


def _rate_with(workers: int, shares: list[float]) -> float:
    """Return games a second with this many workers, without the time in which they start."""
    with store() as server, ExitStack() as stack:
        runtime = runtime_on(server.url)
        for _ in range(workers):
            stack.enter_context(tournament_worker(server))
        tournament = open_tournament(runtime, "manila", MANY_GAMES)
        while (played := len(runtime.director.find(tournament.id).results)) < 2 * workers:
            time.sleep(0.01)
        began, before = time.perf_counter(), _cpu_of(runtime)
        while not (ended := runtime.director.find(tournament.id)).over:
            time.sleep(0.05)
        seconds = time.perf_counter() - began
        shares.append((_cpu_of(runtime) - before) / seconds)
        return SEATS * (len(ended.results) - played) / seconds


def tournament_worker(server: RedisServer) -> Any:
    """Run a worker that plays tournaments, configured as by the launcher."""
    return process("-m", "workers.worker", "--queue", "tournaments", env=environment(server.url))


def _cpu_of(runtime: Runtime) -> float:
    found: Any = runtime.redis.info("cpu")
    return float(found["used_cpu_sys"] + found["used_cpu_user"])


def live_turns() -> Row:
    """Compare how long people wait for a bot's answer with and without a running tournament."""
    with store() as server, ExitStack() as stack:
        runtime = runtime_on(server.url)
        stack.enter_context(process("-m", "workers.worker", env=environment(server.url)))
        for _ in range(2):
            stack.enter_context(tournament_worker(server))
        waits(runtime, 50)  # until both workers have started
        beside, alone, ratio = alternate(
            lambda: _p99_beside(runtime), lambda: p99(waits(runtime, TURNS)), ROUNDS
        )
    return at_most(
        "99th percentile of the time of a bot's turn in a live game beside a tournament, against"
        " without one",
        ratio, 2.0,
        p99_ms=[1000 * median(alone), 1000 * median(beside)],
    )  # fmt: skip


def _p99_beside(runtime: Runtime) -> float:
    tournament = open_tournament(runtime, "manila", 100_000)
    while not runtime.director.find(tournament.id).results:
        time.sleep(0.05)
    found = waits(runtime, TURNS)
    runtime.director.cancel(tournament.id, "measured", HOST)
    cancelled = runtime.director.find(tournament.id)
    # Writing the final report is the last thing that workers do for a tournament.
    while not runtime.reports.final(cancelled):
        time.sleep(0.05)
    return p99(found)


def waits(runtime: Runtime, count: int, name: str = "random") -> list[float]:
    """Play games against a bot; return the seconds from a person's move to the bot's answer."""
    found: list[float] = []
    game_id = ""
    while len(found) < count:
        if not game_id or game(runtime, game_id).over:
            game_id = open_game(runtime, "santiago_de_cuba", ME, bot(name))
        now = game(runtime, game_id)
        if 0 not in now.asked:
            time.sleep(0.0005)
            continue
        move = now.ruleset.legal_moves(now.state, Seat(0))[-1].to_json()
        began = time.perf_counter()
        runtime.tables.move(game_id, Seat(0), move, now.version, ME["player"])
        after = game(runtime, game_id)
        if 1 in after.asked:
            while 1 in game(runtime, game_id).asked:
                time.sleep(0.0005)
            found.append(time.perf_counter() - began)
    return found


def p99(values: list[float]) -> float:
    """Return the 99th percentile."""
    return quantiles(values, n=100)[98]
