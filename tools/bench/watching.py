"""What many watchers cost: the delay of their lines, slower moves, and the opening of streams."""

import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.redis.server import RedisServer
from tools.bench.load import RequestTimes, post_on_time
from tools.bench.measure import Row, at_most
from tools.bench.moves import HOST, p99
from tools.bench.scripted_games import Move, ScriptedGames, on_time
from tools.bench.watchers import WatcherLines, watching
from tools.bench.web import WebService

WATCHERS, GAMES = 1_000, 100
MOVES, A_SECOND = 60, 5.0
"""For watched games: the number of moves in a round, and moves a second."""
OTHER_GAMES, OTHER_MOVES, OTHERS_A_SECOND = 16, 23, 30.0
"""For games without watchers: their number, the number of moves in each, and moves a second. The
slowest moves are measured in these games.
"""
ROUNDS = 3
GZIP_WATCHERS, GZIP_A_SECOND, IDLE = 100, 10.0, 1_000
"""In gzip: the watchers of a whole game, its moves a second, and the streams that are only open."""
BOARD = "include=words,patch"
"""What a client asks for that draws a board."""
RULESET = "santiago_de_cuba"
OPENINGS = 500
LONGEST = 2_000
"""More moves than any game has."""


class RoundTimes(NamedTuple):
    """The result of a round, in seconds.

    In games without watchers, ``moves`` are the times from the moment at which a move was due to
    its answer. In watched games, ``lines`` are the times from that moment until a watcher read the
    move, and ``late`` the times from the answer until then. ``share`` is how much of a processor
    the watchers used, and ``spent`` is the processor time of the web processes.
    """

    moves: list[float]
    lines: list[float]
    late: list[float]
    share: float
    spent: float


def measure(registry: Registry, ruleset: str) -> Iterator[Row]:
    """Yield the rows; the first is the cost of opening a stream."""
    crowds = {
        "none": [],
        "one": [1],
        f"{WATCHERS:,} watchers of one game": [WATCHERS],
        f"{WATCHERS:,} watchers of {GAMES} games": [WATCHERS // GAMES] * GAMES,
    }
    found: dict[str, list[RoundTimes]] = {name: [] for name in crowds}
    with _service() as service:
        table = _Table(service, registry, ruleset)
        opening, reading = table.opening()
        yield at_most(
            "milliseconds of a processor to open a stream that begins with the newest event of its"
            " game",
            1000 * opening, 1.5,
            ms_of_the_state_on_a_new_connection=1000 * reading,
        )  # fmt: skip
        table.watch([1])  # one move, so that all caches are warm
        for _ in range(ROUNDS):
            for name, crowd in crowds.items():
                found[name].append(table.watch(crowd))
    none, one, *many = (_pooled(rounds) for rounds in found.values())
    for name, crowded in zip(list(crowds)[2:], many, strict=True):
        yield at_most(
            "99th percentile of the time from the request of a move until a watcher has its line,"
            f" at {name}, each at its own address, against one watcher",
            p99(crowded.lines) / p99(one.lines), 10.0,
            ms=[1000 * p99(one.lines), 1000 * p99(crowded.lines)],
            ms_after_the_answer=[1000 * p99(one.late), 1000 * p99(crowded.late)],
            watchers_share_of_a_processor=crowded.share,
            processor_us_a_line=1e6 * (crowded.spent - none.spent) / len(crowded.lines),
        )  # fmt: skip
        yield at_most(
            f"99th percentile of the time of moves in other games beside {name}, against no"
            " watchers",
            p99(crowded.moves) / p99(none.moves), 5.0,
            ms=[1000 * p99(none.moves), 1000 * p99(one.moves), 1000 * p99(crowded.moves)],
            watchers_share_of_a_processor=crowded.share,
        )  # fmt: skip
    yield from in_gzip(registry)


class FollowingTimes(NamedTuple):
    """A round in which watchers follow a whole game.

    ``lines`` are as in ``RoundTimes``, ``spent`` is the processor time of the web processes in
    seconds, ``events`` the number of events, and ``read`` the mean number of bytes that a watcher
    read.
    """

    lines: list[float]
    spent: float
    events: int
    read: float


def in_gzip(registry: Registry) -> Iterator[Row]:
    """Yield the rows about streams of Macao in gzip, each against the same without it."""
    crowds = {"none": (0, False), "plain": (GZIP_WATCHERS, False), "gzip": (GZIP_WATCHERS, True)}
    found: dict[str, list[FollowingTimes]] = {name: [] for name in crowds}
    with _service() as service:
        table = _Table(service, registry, "macao")
        table.follow(1, gzip=True)  # so that all caches are warm
        for _ in range(ROUNDS):
            for name, (watchers, gzip) in crowds.items():
                found[name].append(table.follow(watchers, gzip=gzip))
    rounds = list(zip(*found.values(), strict=True))
    costs = [
        [one.spent / one.events - none.spent / none.events for one in (plain, coded)]
        for none, plain, coded in rounds
    ]
    plain, coded = found["plain"], found["gzip"]
    times = [p99([seconds for one in each for seconds in one.lines]) for each in (plain, coded)]
    read = [max(one.read for one in each) / 1000 for each in (plain, coded)]
    memory = [_memory_of_a_stream(registry, gzip=gzip) for gzip in (False, True)]
    whole = "with `words` and `patch`, in gzip"
    yield at_most(
        f"kB that a spectator reads of a game of Macao {whole}", read[1], 400.0,
        plain_kb=read[0], events=[one.events for each in (plain, coded) for one in each],
    )  # fmt: skip
    yield at_most(
        f"processor of a line to one of {GZIP_WATCHERS} watchers {whole}, against that of a line"
        " without gzip",
        median(coded / plain for plain, coded in costs), 1.3,
        us=[[1e6 * cost / GZIP_WATCHERS for cost in pair] for pair in costs],
    )  # fmt: skip
    yield at_most(
        "99th percentile of the time from the request of a move until a watcher has its line"
        f" {whole}, against that of a line without gzip",
        times[1] / times[0], 2.0,
        ms=[1000 * seconds for seconds in times],
    )  # fmt: skip
    yield at_most(
        "kB of memory that gzip adds to an open stream", memory[1] - memory[0], 64.0,
        kb_of_a_stream=memory,
    )  # fmt: skip


def _memory_of_a_stream(registry: Registry, *, gzip: bool) -> float:
    """Return the kB that each of many open streams adds to the web processes, which are new."""
    with _service() as service:
        table = _Table(service, registry, "macao")
        game_id = table.begin()
        before = service.kilobytes()
        with watching(service.port, [game_id] * IDLE, f"{BOARD}&last=5", gzip=gzip):
            return (service.kilobytes() - before) / IDLE


def _pooled(rounds: list[RoundTimes]) -> RoundTimes:
    return RoundTimes(
        [seconds for one in rounds for seconds in one.moves],
        [seconds for one in rounds for seconds in one.lines],
        [seconds for one in rounds for seconds in one.late],
        max(one.share for one in rounds),
        sum(one.spent for one in rounds),
    )


@contextmanager
def _service() -> Iterator[WebService]:
    with (
        tempfile.TemporaryDirectory() as name,
        RedisServer(Path(name), "everysec") as redis,
        WebService.running(Path(name), redis, WATCHERS) as service,
    ):
        yield service


class _Table:
    """Plays games while watchers read their streams."""

    def __init__(self, service: WebService, registry: Registry, ruleset: str) -> None:
        self._service = service
        self._games = ScriptedGames(service, registry, ruleset)

    def opening(self) -> tuple[float, float]:
        """Return the mean processor seconds for opening a stream and sending its newest event.

        The second figure is the same for reading a state, on a new connection, too.
        """
        newest = self._games.begun()
        path, is_newest = f"/v1/games/{newest.game_id}", b"id: %d\n" % newest.version
        return (
            self._games.cost(f"{path}/stream?last=1", is_newest, OPENINGS),
            self._games.cost(f"{path}/state", b'"state":', OPENINGS),
        )

    def begin(self) -> str:
        """Play a game for some moves; return its id."""
        return self._games.begun().game_id

    def watch(self, crowd: list[int]) -> RoundTimes:
        """Play a round; ``crowd`` is the number of watchers of each watched game."""
        games = self._games.opened(len(crowd), -(-MOVES // max(len(crowd), 1)))
        watched = [move for turn in zip(*games, strict=True) for move in turn][:MOVES]
        others = self._games.opened(OTHER_GAMES, OTHER_MOVES)
        every = OTHERS_A_SECOND / OTHER_GAMES
        queues = [on_time(moves, every, n / OTHERS_A_SECOND) for n, moves in enumerate(others)]
        queues.append(on_time(watched, A_SECOND))
        names = [
            moves[0].game_id
            for moves, watchers in zip(games, crowd, strict=True)
            for _ in range(watchers)
        ]
        with watching(self._service.port, names) as watchers:
            before = self._service.processor_seconds()
            *rest, moved = post_on_time(HOST, self._service.port, queues)
            time.sleep(1.0)  # the last lines are still under way
            seen = watchers.end()
            spent = self._service.processor_seconds() - before
        read = list(_read(seen.lines, watched, moved))
        return RoundTimes(
            [move.ended - move.due for moves in rest for move in moves],
            [came - move.due for came, move in read],
            [came - move.ended for came, move in read],
            seen.share,
            spent,
        )

    def follow(self, watchers: int, *, gzip: bool) -> FollowingTimes:
        """Play a whole game, with so many watchers who draw it."""
        (moves,) = self._games.opened(1, LONGEST)
        names = [moves[0].game_id] * watchers
        with watching(self._service.port, names, BOARD, gzip=gzip) as crowd:
            before = self._service.processor_seconds()
            (made,) = post_on_time(HOST, self._service.port, [on_time(moves, GZIP_A_SECOND)])
            seen = crowd.end(moves[-1].version)
            spent = self._service.processor_seconds() - before
        return FollowingTimes(
            [came - move.due for came, move in _read(seen.lines, moves, made)],
            spent,
            moves[-1].version,
            sum(line.read for line in seen.lines) / max(watchers, 1),
        )


def _read(
    lines: list[WatcherLines], moves: list[Move], made: list[RequestTimes]
) -> Iterator[tuple[float, RequestTimes]]:
    """Yield when each watcher read each move of its game, with the times of its request.

    Raises:
        RuntimeError: a watcher did not read a move.
    """
    for game_id, came, _bytes in lines:
        seqs = [seq for _time, seq in came]
        for move, timed in zip(moves, made, strict=True):
            if move.game_id == game_id:
                place = bisect_left(seqs, move.version)
                if place == len(came):
                    raise RuntimeError(f"a watcher of {game_id} has not read event {move.version}")
                yield came[place][0], timed


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES), RULESET):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
