"""The function that every job of ``service.turns.queue`` calls.

Its argument is the name of a queue.
"""

import time
from collections.abc import Callable

import structlog
from redis.exceptions import RedisError

from service.games.analyses import is_analysis
from service.games.hints import is_hint
from service.metrics import TURN_CPU, TURN_SECONDS
from service.process import logs
from service.turns.queue import TOURNAMENTS
from service.turns.schedule import FinishedTurn, Turn
from workers import process
from workers.beats import JOBS
from workers.process import Process
from workers.slices import spent_ns

log = structlog.get_logger(__name__)

SECONDS = 5.0
"""Time after which a job ends and another follows, so that RQ gets a heartbeat of this worker."""


def take_turns(queue: str) -> None:
    """Take turns of a queue, one after another, until none is left or the time is over.

    Raises:
        Exception: a turn failed; its game or tournament is still due.
    """
    parts = process.current()
    jobs = parts.runtime.jobs
    ends = time.monotonic() + SECONDS
    served: FinishedTurn | None = None
    turn: Turn | None = None
    try:
        try:
            while not parts.stopping and time.monotonic() < ends:
                turn = jobs.next(queue, served)
                served = None
                if turn is None:
                    return
                parts.beats.note(JOBS)
                began, again = spent_ns(), False
                try:
                    again = _play(parts, queue, turn)
                finally:
                    spent = spent_ns() - began
                    TURN_CPU.labels(queue).inc(spent / 1e9)
                    served = FinishedTurn(turn, spent // 1000, again)
        finally:
            if served is not None or parts.stopping:
                jobs.leave(queue, served)
    except RedisError as error:  # all these turns are still due, and are queued again at once
        log.warning("store_unavailable", queue=queue, error=str(error))
        if turn is not None and not is_analysis(turn.thing):
            parts.undone.add(turn.thing)


def _play(parts: Process, queue: str, turn: Turn) -> bool:
    """Play a turn, and log it under the id of the request that caused it, if there is one."""
    logs.about(turn.request_id)
    try:
        return _timed(parts, queue, turn, log.debug if turn.request_id is None else log.info)
    finally:
        logs.about(None)


def _timed(parts: Process, queue: str, turn: Turn, tell: Callable[..., object]) -> bool:
    began = time.perf_counter()
    again = _serve(parts, queue, turn)
    seconds = time.perf_counter() - began
    TURN_SECONDS.labels(queue).observe(seconds)
    tell("turn", queue=queue, thing=turn.thing, ms=round(seconds * 1000, 2), again=again)
    return again


def _serve(parts: Process, queue: str, turn: Turn) -> bool:
    if queue == TOURNAMENTS:
        return parts.matches.play(turn.thing)
    if is_hint(turn.thing):
        parts.hints.make(turn.thing)
        return False
    if is_analysis(turn.thing):
        return parts.analyses.make(turn.thing)
    return parts.turns.play(turn.thing, queue)
