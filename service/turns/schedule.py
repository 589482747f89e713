"""Fair scheduling: whose game or tournament in a queue gets the next turn.

The schedule lies beside RQ's queues, in their Redis, and may be lost with them: every turn is also
an obligation (``service.turns.watch``), which a sweep requeues.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis
from redis.client import Pipeline

from service.redis.scripts import Script
from service.settings import Budget

_SCRIPT = resources.files("service.turns").joinpath("schedule.lua").read_text()
SHARED = "lonja:{turns_2}:"
"""The hash tag of all keys, so that a script stays on one slot of a cluster."""

FORGET_S = 30 * 24 * 3600
"""Time after which an owner's address is forgotten."""

_HELD_UNTIL = """
return redis.call("ZSCORE", KEYS[1], redis.call("GET", KEYS[2]) or ARGV[1])
"""


class Turn(NamedTuple):
    """A turn of a game, tournament, analysis or hint (``thing`` is its id or name), and its owner.

    ``request_id``, for the logs, is the id of the newest request for the turn, if any.
    """

    ring: str
    owner: str
    thing: str
    request_id: str | None = None


class FinishedTurn(NamedTuple):
    """A finished turn: its processor time, and whether the game or tournament has another one."""

    turn: Turn
    microseconds: int
    again: bool


class HeldOwner(NamedTuple):
    """An owner who has spent the budget, and the time (ms since 1970) of the next budget."""

    owner: str
    until: int


class Schedule:
    """The turns of one queue.

    Addresses take turns in a ring, least recently served first. Behind each address, its owners
    take turns in the same way, and so do the games of each owner. If there are several ``rings``,
    the first has priority; now and then the turn goes to the address that was served longest ago in
    any ring. An address that has spent the ``budget`` waits for the next window. If ``several`` is
    true, several workers may share a tournament. The first worker that finds nothing to do in a
    tournament then withdraws the tournament's other turns, because each useless turn would cost the
    owner one of his turns.
    """

    def __init__(
        self,
        redis: Redis,
        queue: str,
        rings: Sequence[str],
        budget: Budget | None = None,
        *,
        several: bool = False,
    ) -> None:
        self._redis = redis
        self._prefix = f"{SHARED}{queue}:"
        self._keys = [*(self._prefix + name for name in ("asked", "waiting", "counts")), _HELD]
        self._rings = " ".join(rings)
        self._budget = (0, 0) if budget is None else (
            1_000_000 * budget.seconds, 1000 * budget.window_seconds
        )  # fmt: skip
        self._several = several
        self._script = Script(redis, _SCRIPT)

    def ask(self, pipeline: Pipeline, turn: Turn, turns: int = 1) -> None:
        """Queue ``turns`` turns for the game or tournament of ``turn``.

        If some turns for it wait already, only the difference is added. So no more than ``turns``
        wait, unless more were waiting before.
        """
        if turn.request_id is not None:
            pipeline.hset(self._prefix + "requests", turn.thing, turn.request_id)
        pipeline.rpush(self._prefix + "asked", _line(turn, turns))

    def next(self, served: FinishedTurn | None = None) -> tuple[Turn | None, HeldOwner | None]:
        """Account for the finished turn ``served``, and return the next turn and a held owner.

        The turn is None if none is available. The held owner is the owner of ``served`` if this
        turn used up the owner's budget. It is None if there is budget left, and also if an earlier
        turn used it up.
        """
        held, *taken = self._run("next", *self._account(served))
        if not taken:
            return None, _held(served, held)
        ring, owner, thing, request_id = (part.decode() for part in taken)
        return Turn(ring, owner, thing, request_id or None), _held(served, held)

    def leave(self, served: FinishedTurn | None = None) -> tuple[int, HeldOwner | None]:
        """Account for the finished turn ``served`` without taking a turn.

        Return the number of available turns, and the held owner that ``next`` would return.
        """
        held, ready = self._run("leave", *self._account(served))
        return ready, _held(served, held)

    def look(self, things: Sequence[str] = ()) -> tuple[int, list[str]]:
        """Return the number of available turns, and the ids in ``things`` that have no turn."""
        ready, *waits = self._run("look", *things)
        return ready, [thing for thing, waiting in zip(things, waits, strict=True) if not waiting]

    def _account(self, served: FinishedTurn | None) -> list[Any]:
        if served is None:
            return ["", 0, *self._budget, "", ""]
        turn, spent, again = served
        wants = _line(turn, int(again)) if again or self._several else ""
        return [turn.owner, spent, *self._budget, wants, turn.request_id or ""]

    def _run(self, what: str, *rest: Any) -> Any:
        arguments = [what, SHARED, self._prefix, self._rings, *rest]
        return self._script(self._keys, arguments)


_HELD = f"{SHARED}held"


def length(redis: Redis, queue: str) -> int:
    """Return the number of games or tournaments with a waiting turn in a queue."""
    pipe = redis.pipeline(transaction=False)
    pipe.llen(f"{SHARED}{queue}:asked")
    pipe.hlen(f"{SHARED}{queue}:waiting")
    return sum(pipe.execute())


def held_until(redis: Redis, owner: str) -> int | None:
    """Return the time (ms since 1970) until which an owner's bots wait; None if they do not."""
    found: Any = Script(redis, _HELD_UNTIL)([_HELD, _address_key(owner)], [owner])
    return None if found is None else int(found)


def note_address(redis: Redis, owner: str, address: str | None) -> None:
    """Note an owner's network address. The owners of one address share turns and budget.

    If ``address`` is None, the owner shares them with nobody.
    """
    if address is None:
        redis.delete(_address_key(owner))
    else:
        redis.set(_address_key(owner), address, ex=FORGET_S)


def _address_key(owner: str) -> str:
    return f"{SHARED}address:{owner}"


def _line(turn: Turn, turns: int = 1) -> str:
    return f"{turn.ring} {turn.owner} {turn.thing} {turns}"


def _held(served: FinishedTurn | None, until: Any) -> HeldOwner | None:
    return HeldOwner(served.turn.owner, int(until)) if served is not None and until else None
