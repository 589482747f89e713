"""Ten thousand watchers at once: the delay of their lines, small requests, and a restart.

It is not a part of `make bench`, because it takes six minutes:
``.venv/bin/python -m tools.bench.crowd``.
"""

import tempfile
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.archive.files import Folder
from service.redis.server import RedisServer
from service.runtime import open_runtime
from service.settings import load
from tests.faults.people import wait_for
from tools.bench.archive import move as move_out
from tools.bench.archive import play
from tools.bench.load import RequestTimes, post_on_time
from tools.bench.measure import Row, at_most
from tools.bench.moves import HOST, p99
from tools.bench.returning import Crowd, SeenEvents, Watch, returning
from tools.bench.scripted_games import Move, ScriptedGames, on_time
from tools.bench.web import WebService

OF_ONE, OF_MANY, GAMES = 5_000, 4_000, 400
"""The watchers of one game, those of many games, and the number of these."""
OF_PAST, PAST = 1_000, 20
"""The readers of games that have left the store, and the number of such games. A stream of such a
game ends when the whole game is sent.
"""
AGAIN_SECONDS = 600.0
"""Time after which each of these readers reads its game again: about two games a second in all. A
whole game with words and patches takes a fifth of a second of processor.
"""
PROCESSES = 2
"""The number of processes of watchers."""
MOVES = 40
"""Moves of the one game, one a second; in the other games ten moves a second are made in turn."""
MANY_A_SECOND = 10
ROUNDS = 2
SMALL = 2_000
"""The number of small requests."""
QUIET_SECONDS = 20.0
"""Time for which the processor is measured without small requests."""
LAST_LINES_SECONDS = 5.0
"""Time after a round of moves for the lines that are still under way."""
BACK_SECONDS = 30.0
"""Time from the order to stop the web processes until moves are made again."""
PATIENCE_SECONDS = 120.0
RULESET = "santiago_de_cuba"
BOARD = "include=words,patch"
"""What a client asks for that draws a board; half of the watchers, in gzip."""


class Round(NamedTuple):
    """What all watchers saw of a round of moves.

    ``seconds`` are the times from the moment at which a move was due until a watcher had read it.
    ``lacking`` is the number of moves that did not come. ``read`` is the number of readings of past
    games, all of them whole.
    """

    seconds: list[float]
    lacking: int
    read: int
    refused: list[str]


def _seen(
    watches: Iterable[tuple[Watch, SeenEvents]],
    made: dict[str, list[tuple[Move, RequestTimes]]],
    past: dict[str, int],
) -> Round:
    """Return what the watchers saw of the moves that were made in each game."""
    seconds: list[float] = []
    refused: list[str] = []
    lacking = read = 0
    for watch, (came, answers) in watches:
        refused += answers
        if watch.game_id in past:
            read += sum(seq == past[watch.game_id] for _time, seq in came)
            continue
        seqs = [seq for _time, seq in came]
        for move, timed in made[watch.game_id]:
            place = bisect_left(seqs, move.version)
            if place == len(came):
                lacking += 1
            else:
                seconds.append(came[place][0] - timed.due)
    return Round(seconds, lacking, read, refused)


class _Hall:
    """The service with its games, and everybody who watches them."""

    def __init__(self, service: WebService, registry: Registry, past: dict[str, int]) -> None:
        self._service = service
        self._games = ScriptedGames(service, registry, RULESET)
        (self._one,) = self._games.opened(1, ROUNDS * MOVES)
        self._many = self._games.opened(GAMES, ROUNDS)
        self._past = past
        self._small = f"/v1/games/{self._games.begun().game_id}/state"
        self._crowds: list[tuple[Crowd, list[Watch]]] = []

    def small_request(self) -> float:
        """Return the processor seconds that a small request takes more than no request."""
        before, began = self._service.processor_seconds(), time.monotonic()
        time.sleep(QUIET_SECONDS)
        quiet = (self._service.processor_seconds() - before) / (time.monotonic() - began)
        before, began = self._service.processor_seconds(), time.monotonic()
        self._games.cost(self._small, b'"state":', SMALL)
        spent = self._service.processor_seconds() - before - quiet * (time.monotonic() - began)
        return spent / SMALL

    def fill(self, stack: ExitStack) -> float:
        """Let the watchers come; return the seconds until all streams of live games are open."""
        began = time.monotonic()
        ids = [
            *([self._one[0].game_id] * OF_ONE),
            *([moves[0].game_id for moves in self._many] * (OF_MANY // GAMES)),
            *([*self._past] * (OF_PAST // PAST)),
        ]
        watches = [
            Watch(
                id_,
                query=BOARD if number % 2 else "",
                address=f"127.1.{1 + number // 250}.{1 + number % 250}",
                gzip=bool(number % 2),
                again=AGAIN_SECONDS if id_ in self._past else None,
            )
            for number, id_ in enumerate(ids)
        ]
        for number in range(PROCESSES):
            own = watches[number::PROCESSES]
            self._crowds.append((stack.enter_context(returning(self._service.port, own)), own))
        self._until_all_are_there()
        return time.monotonic() - began

    def restart(self) -> float:
        """Restart the web processes; return the seconds until all streams are open again."""
        began = time.monotonic()
        self._service.restart()
        self._until_all_are_there()
        back = time.monotonic() - began
        time.sleep(max(0.0, BACK_SECONDS - back))
        return back

    def play(self, number: int) -> Round:
        """Play a round of moves; return what everybody saw of it."""
        for crowd, _own in self._crowds:
            crowd.seen()
        one = self._one[number * MOVES : (number + 1) * MOVES]
        many = [moves[number] for moves in self._many]
        queues = [on_time(one, 1.0), on_time(many, MANY_A_SECOND)]
        of_one, of_many = post_on_time(HOST, self._service.port, queues)
        time.sleep(LAST_LINES_SECONDS)
        made: dict[str, list[tuple[Move, RequestTimes]]] = defaultdict(list)
        for move, timed in [*zip(one, of_one, strict=True), *zip(many, of_many, strict=True)]:
            made[move.game_id].append((move, timed))
        watches = [
            pair for crowd, own in self._crowds for pair in zip(own, crowd.seen(), strict=True)
        ]
        return _seen(watches, made, self._past)

    def _until_all_are_there(self) -> None:
        wait_for(
            lambda: sum(crowd.open_streams() for crowd, _own in self._crowds) >= OF_ONE + OF_MANY,
            PATIENCE_SECONDS,
        )


def measure(registry: Registry) -> Iterator[Row]:
    """Yield the rows."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(RedisServer(folder, "everysec"))
        past = _past(registry, redis.url, folder)
        everybody = OF_ONE + OF_MANY + OF_PAST
        running = WebService.running(folder, redis, everybody, **_archive(folder))
        hall = _Hall(stack.enter_context(running), registry, past)
        alone = hall.small_request()
        yield at_most(
            "seconds until ten thousand watchers have opened their streams", hall.fill(stack), 30.0
        )
        beside = hall.small_request()
        yield at_most(
            "processor of a small request beside ten thousand watchers, against that without them",
            beside / alone, 2.0,
            ms=[1000 * alone, 1000 * beside],
        )  # fmt: skip
        yield from _rows(hall.play(0), "")
        yield at_most(
            "seconds from the order to stop the web processes until new ones have opened the"
            " streams of all watchers of live games again",
            hall.restart(), 30.0,
        )  # fmt: skip
        yield from _rows(hall.play(1), " after a restart")


def _rows(seen: Round, when: str) -> Iterator[Row]:
    yield at_most(
        f"lines that ten thousand watchers lack{when}", seen.lacking, 0.0,
        came=len(seen.seconds), past_games_read=seen.read,
    )  # fmt: skip
    yield at_most(
        f"streams that were refused{when}", len(seen.refused), 0.0,
        answers=sorted(set(seen.refused)),
    )  # fmt: skip
    yield at_most(
        "99th percentile of the seconds from the request of a move until one of ten thousand"
        f" watchers has its line{when}",
        p99(seen.seconds), 1.0,
        median=median(seen.seconds), slowest=max(seen.seconds),
    )  # fmt: skip


def _archive(folder: Path) -> dict[str, str]:
    return {"LONJA_ARCHIVE": str(folder / "packs"), "LONJA_DATA_DIR": str(folder)}


def _past(registry: Registry, redis_url: str, folder: Path) -> dict[str, int]:
    """Play games and move them out of the store; return their versions by id."""
    packs = folder / "packs"
    packs.mkdir()
    runtime = open_runtime(
        load({
            "REDIS_URL": redis_url,
            "LONJA_APPENDFSYNC": "everysec",
            "LONJA_LOG_LEVEL": "error",
            **_archive(folder),
        })
    )  # fmt: skip
    ids = [play(runtime, registry, RULESET) for _ in range(PAST)]
    versions = {id_: runtime.ledger.table(id_).game.version for id_ in ids}
    move_out(runtime, Folder(packs), ids)
    return versions


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES)):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
