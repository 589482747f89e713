"""Rate limits by key and by address, in one round trip a request.

Keys are free, so it is the limits by address that bind somebody who wants more than his share.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import limits
import structlog
from flask import Flask, Response, g, request
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.api.http.context import allowance, hear_of, scrapes
from service.games.invalidation import CHANGED
from service.games.told import Look
from service.metrics import UNCOUNTED
from service.problems import Problem
from service.redis.client import refuses_writes
from service.redis.scripts import Script
from service.settings import Settings

log = structlog.get_logger(__name__)

_UNCOUNTED_PATHS = frozenset(("/healthz", "/readyz"))
"""What balancers ask, all the time."""

_SCRIPT = """
-- Count a request, and tell what processes have to forget.
-- KEYS  counts, then the changes of keys and names    ARGV  the window of each count (ms)
-- Answers each count and what is left of its window, then the place of the newest change.
local answer = {}
for i = 1, #KEYS - 1 do
  local key = KEYS[i]
  local count = redis.call("INCRBY", key, ARGV[1])
  if count == tonumber(ARGV[1]) then redis.call("PEXPIRE", key, ARGV[i + 1]) end
  answer[#answer + 1] = count
  answer[#answer + 1] = redis.call("PTTL", key)
end
local newest = redis.call("XREVRANGE", KEYS[#KEYS], "+", "-", "COUNT", 1)[1]
answer[#answer + 1] = newest and newest[1] or ""
return answer
"""

_ALL = ("key", "address")
"""What every request counts against."""

LARGE_EVENTS = 10
"""So many events that come with the game as it was then cost as much as a request."""

SIGN_UP, CREATION = "sign_up", "creation"
"""Budgets of the address, from which requests that cost more than others are taken as well."""


class _Rule(NamedTuple):
    amount: int
    seconds: int


class _Standing(NamedTuple):
    """How a caller stands with one rule; ``left`` is negative if it was passed."""

    scope: str
    amount: int
    seconds: int
    left: int
    reset: int

    @property
    def policy(self) -> str:
        """Which rule it is, as an item of ``RateLimit-Policy``."""
        return f'"{self._name}";q={self.amount};w={self.seconds}'

    @property
    def limit(self) -> str:
        """How the caller stands with it, as an item of ``RateLimit``."""
        return f'"{self._name}";r={max(self.left, 0)};t={self.reset}'

    @property
    def _name(self) -> str:
        return f"{self.scope}-{self.seconds}s"


class RateLimits:
    """Counts requests in fixed windows, in Redis: all processes count together.

    The script that counts also tells of keys that were revoked: so all processes know before they
    answer, and nobody asks for it. While Redis
    takes no writes nothing is counted, and everybody may go on reading. What a request wants to
    write is refused where it would be stored. Pages and metrics need no Redis: while it does not
    answer they are not counted either.
    """

    def __init__(self, redis: Redis, settings: Settings) -> None:
        self._count = Script(redis, _SCRIPT)
        self._rules = {
            scope: [_Rule(int(rule.amount), rule.get_expiry()) for rule in limits.parse_many(text)]
            for scope, text in (
                ("key", settings.rate_limit),
                ("address", settings.address_rate_limit),
                (SIGN_UP, settings.sign_up_limit),
                (CREATION, settings.creation_limit),
            )
        }
        self._counting = True

    def guard(self, app: Flask) -> None:
        """Count every request but those for health, and tell callers where they stand."""
        app.before_request(self._check)
        app.after_request(self._tell)

    def _check(self) -> None:
        # OPTIONS reads nothing: to count and refuse it would cost more than to answer it.
        if request.path in _UNCOUNTED_PATHS or request.method == "OPTIONS":
            return
        if request.path == "/metrics" and scrapes():  # a store that hangs must not blind it
            return
        self._take(_ALL, 1)
        g.charge = partial(self._take, _ALL)
        g.spend = lambda budget: self._take((budget,), 1)

    def _take(self, scopes: Sequence[str], times: int) -> None:
        """Count the present request as so many (more); raise Problem if that passes a limit."""
        rules = [(scope, rule) for scope in scopes for rule in self._rules[scope]]
        keys = [f"lonja:{{rate}}:{scope}:{_who(scope)}:{rule.seconds}" for scope, rule in rules]
        try:
            windows = [rule.seconds * 1000 for _scope, rule in rules]
            counts: Any = self._count([*keys, CHANGED], [times, *windows])
        except RedisError as error:
            unwritable = isinstance(error, ResponseError) and refuses_writes(error)
            if not unwritable and request.path.startswith("/v1"):
                raise
            UNCOUNTED.inc()
            self._note(counting=False)
            return
        self._note(counting=True)
        hear_of(counts.pop().decode())
        share = allowance()
        standings = [
            _Standing(
                scope, rule.amount * share, rule.seconds,
                rule.amount * share - used, math.ceil(max(ms, 0) / 1000),
            )
            for (scope, rule), used, ms in zip(rules, counts[::2], counts[1::2], strict=True)
        ]  # fmt: skip
        g.standings = {**g.get("standings", {}), **{each.policy: each for each in standings}}
        passed = [standing for standing in standings if standing.left < 0]
        if passed:
            raise _refusal(max(passed, key=lambda standing: standing.reset))

    def _note(self, *, counting: bool) -> None:
        if counting != self._counting:
            self._counting = counting
            log.warning("rate_limits_back" if counting else "rate_limits_off")

    def _tell(self, response: Response) -> Response:
        standings: list[_Standing] = [*g.get("standings", {}).values()]
        if standings:
            tightest = min(standings, key=lambda standing: standing.left)
            headers = response.headers
            headers["RateLimit-Policy"] = ", ".join([s.policy for s in standings])
            headers["RateLimit"] = ", ".join([s.limit for s in standings])
            headers["RateLimit-Limit"] = str(tightest.amount)
            headers["RateLimit-Remaining"] = str(max(tightest.left, 0))
            headers["RateLimit-Reset"] = str(tightest.reset)
        return response


def charge_for(look: Look, events: int) -> None:
    """Count the present request as what it costs: with so many events, as ``look`` asks for them.

    Raises:
        Problem: ``rate_limited``.

    """
    if look.large and events >= LARGE_EVENTS:
        charge(events // LARGE_EVENTS)


def charge(times: int) -> None:
    """Count the present request as so many more; raises as ``charge_for``."""
    take: Callable[[int], None] | None = g.get("charge")
    if take is not None:
        take(times)


def spend(budget: str) -> None:
    """Take the present request from a budget of its address, too; raises as ``charge_for``.

    What is refused for its body has not come so far.
    """
    take: Callable[[str], None] | None = g.get("spend")
    if take is not None:
        take(budget)


def _who(scope: str) -> str:
    if scope != "key":
        return str(g.address)
    known = g.player or g.admin
    return f"none@{g.address}" if known is None else str(known.id)


_WHAT = {
    "key": "requests of one key, or of one address without a key,",
    "address": "requests of one address",
    SIGN_UP: "requests of one address for a player",
    CREATION: "requests of one address for a game, tournament or webhook, to export or to leave",
}


def _refusal(standing: _Standing) -> Problem:
    return Problem(
        "rate_limited",
        f"{standing.amount} {_WHAT[standing.scope]} in {standing.seconds} s are allowed",
        headers={"Retry-After": str(standing.reset)},
        scope=standing.scope,
        limit=standing.amount,
        window_seconds=standing.seconds,
        retry_after=standing.reset,
    )
