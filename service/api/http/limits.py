"""Rate limits by key and by address, in one round trip a request.

Anybody can get more keys, so only the limits by address enforce a fair share.

A request counts 1 when it arrives. Its cost is known when it is answered: the processor time of
this request alone, in whole units. Units above 1 are added to the caller's next count. Callers
learn only whole units: a unit is far longer than any difference in cost between two states that
differ in something hidden, and fractions are not added up. Whether a cost near the edge of a unit
is rounded up or down is chance, because the cost of one request varies by many times such a
difference. The time that an answer takes reveals at least as much as the units.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple

import limits
import structlog
from flask import Flask, Response, g
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.api.http.context import Caller, scrapes
from service.metrics import UNCOUNTED
from service.players.invalidation import QUESTIONS, StoreNote
from service.problems import Problem
from service.process import task_time
from service.redis.client import refuses_writes
from service.redis.scripts import Script
from service.settings import Settings

log = structlog.get_logger(__name__)

_SCRIPT = """
-- Count a request.
-- KEYS  counts     ARGV  how much is counted, and the window (ms), of each
-- Answers each count and what is left of its window.
local answer = {}
for i, key in ipairs(KEYS) do
  local more = ARGV[2 * i - 1]
  local count = redis.call("INCRBY", key, more)
  if count == tonumber(more) then redis.call("PEXPIRE", key, ARGV[2 * i]) end
  answer[#answer + 1] = count
  answer[#answer + 1] = redis.call("PTTL", key)
end
return answer
"""

UNIT_NS = 5_000_000
"""Processor time of one unit of cost. A usual request takes less than two, and counts 1."""

UNIT_MS = UNIT_NS // 1_000_000

_ALL = ("key", "address")
"""The limits by cost, which apply to every request; all other limits count requests."""

_OWED_KNOWN = 10_000
"""Maximum number of callers whose debts a process remembers."""

SIGN_UP, CREATION = "sign_up", "creation"
"""Further budgets of an address: for signing up, and for costly acts such as creating games."""


class _Rule(NamedTuple):
    amount: int
    seconds: int


class _RuleUse(NamedTuple):
    """A caller's use of one rule; ``left`` is negative if the limit is exceeded."""

    scope: str
    amount: int
    seconds: int
    left: int
    reset: int

    @property
    def policy(self) -> str:
        """The rule as an item of ``RateLimit-Policy``."""
        return _policy(self.scope, self.seconds, self.amount)

    @property
    def limit(self) -> str:
        """The caller's standing as an item of ``RateLimit``."""
        return f'"{self.scope}-{self.seconds}s";r={max(self.left, 0)};t={self.reset}'


_left = attrgetter("left")


@lru_cache
def _policy(scope: str, seconds: int, amount: int) -> str:
    return f'"{scope}-{seconds}s";q={amount};w={seconds}'


class RateLimits:
    """Counts requests in fixed windows, in Redis: all processes count together.

    The same round trip reads which keys were revoked, so a process knows of every revocation before
    it answers. While Redis takes no writes, requests are not counted. Then requests that only read
    are answered, and any other request fails when it writes. While Redis does not answer, only
    pages and metrics are served, and they are not counted either.
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
        self._owed = _Debts()

    def guard(self, app: Flask) -> None:
        """Add the rate-limit headers to every answer of ``app``."""
        app.after_request(self._tell)

    def check(self, caller: Caller) -> None:
        """Count a request, unless it is a health check. Raises Problem: ``rate_limited``."""
        request = caller.request
        # OPTIONS reads nothing: counting and refusing it would cost more than answering.
        if caller.access.of_balancers or request.method == "OPTIONS":
            return
        # Metrics are answered without the store, because it may hang.
        if request.path == "/metrics" and scrapes(caller):
            return
        who = [(scope, _who(scope, caller)) for scope in _ALL]
        g.charge = Charge(self._owed, who, g.watched.began_ns)
        self._take(caller, who)
        caller.take_from = lambda budget: self._take(caller, [(budget, _who(budget, caller))])

    def _take(self, caller: Caller, who: Sequence[tuple[str, str]]) -> None:
        """Count the request and the caller's debts; raise Problem if they exceed a limit."""
        rules: list[tuple[str, _Rule]] = []
        keys: list[str] = []
        each: list[int] = []
        for scope, name in who:
            owed = self._owed.settle(scope, name)
            for rule in self._rules[scope]:
                rules.append((scope, rule))
                keys.append(f"lonja:{{rate}}:{scope}:{name}:{rule.seconds}")
                each += 1 + owed.within(rule.seconds), rule.seconds * 1000
        try:
            counts, *noted = self._count.each([(keys, each)], *QUESTIONS)
        except RedisError as error:
            unwritable = isinstance(error, ResponseError) and refuses_writes(error)
            if not unwritable and caller.access.keys is not None:
                raise
            UNCOUNTED.inc()
            self._note(counting=False)
            return
        self._note(counting=True)
        caller.hear_of(StoreNote.of(*noted))
        share = caller.allowance
        standings = [
            _RuleUse(
                scope, rule.amount * share, rule.seconds,
                rule.amount * share - used, math.ceil(max(ms, 0) / 1000),
            )
            for (scope, rule), used, ms in zip(rules, counts[::2], counts[1::2], strict=True)
        ]  # fmt: skip
        g.standings = {**g.get("standings", {}), **{each.policy: each for each in standings}}
        passed = [standing for standing in standings if standing.left < 0]
        if passed:
            # Only the first refusal of a window is noted for the key's owner (``refused.note``).
            before = [s.left + more for s, more in zip(standings, each[::2], strict=True)]
            g.still_over = not any(
                s.left < 0 <= had for s, had in zip(standings, before, strict=True)
            )
            raise _refusal(max(passed, key=lambda standing: standing.reset))

    def _note(self, *, counting: bool) -> None:
        if counting != self._counting:
            self._counting = counting
            log.warning("rate_limits_back" if counting else "rate_limits_off")

    def _tell(self, response: Response) -> Response:
        standings: list[_RuleUse] = [*g.get("standings", {}).values()]
        if standings:
            tightest = min(standings, key=_left)
            headers = response.headers
            headers.add("RateLimit-Policy", ", ".join([s.policy for s in standings]))
            headers.add("RateLimit", ", ".join([s.limit for s in standings]))
            headers.add("RateLimit-Limit", str(tightest.amount))
            headers.add("RateLimit-Remaining", str(max(tightest.left, 0)))
            headers.add("RateLimit-Reset", str(tightest.reset))
        charge: Charge | None = g.get("charge")
        if charge is not None:
            told = charge.units
            response.headers.add("Server-Timing", f'processor;dur={told * UNIT_MS};desc="{told}"')
            response.call_on_close(charge.settle)
            if response.is_streamed:
                response.response = _counted(response.response, charge)
        return response


class _Debt(NamedTuple):
    """The units of cost that a caller still owes.

    ``since`` is the time when a request last added to the debt (s, monotonic clock).
    """

    units: int
    since: float

    def within(self, seconds: int) -> int:
        """Return the number of units of the debt that count in a window of ``seconds``.

        All units count if the debt is younger than the window; otherwise none counts.
        """
        return self.units if self.units and time.monotonic() - self.since < seconds else 0


_NOTHING = _Debt(0, 0.0)


class _Debts:
    """The debts of callers, by scope and name. Safe for several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], _Debt] = OrderedDict()
        self._lock = Lock()

    def add(self, scope: str, who: str, units: int) -> None:
        """Add units to a caller's debt."""
        with self._lock:
            known = self._known.pop((scope, who), None)
            self._known[scope, who] = _Debt(units + (known.units if known else 0), time.monotonic())
            if len(self._known) > _OWED_KNOWN:
                self._known.popitem(last=False)

    def settle(self, scope: str, who: str) -> _Debt:
        """Return a caller's debt, and clear it."""
        if (scope, who) not in self._known:
            return _NOTHING
        with self._lock:
            return self._known.pop((scope, who), _NOTHING)


class Charge:
    """The cost of a request: processor time in whole units; the first is counted in advance."""

    def __init__(self, debts: _Debts, counts_for: Sequence[tuple[str, str]], began_ns: int) -> None:
        self._debts = debts
        self._counts_for = counts_for
        self._began_ns = began_ns
        self._counted = 1

    @property
    def units(self) -> int:
        """The units so far."""
        return max(1, (task_time.current().settle() - self._began_ns) // UNIT_NS)

    def settle(self) -> None:
        """Add the units that are not counted yet to the caller's debt."""
        more = self.units - self._counted
        if more > 0:
            self._counted += more
            for scope, who in self._counts_for:
                self._debts.add(scope, who, more)


def _counted(pieces: Iterable[Any], charge: Charge) -> Iterator[Any]:
    """Yield the pieces of an answer, and count the cost after each: a stream may last for hours."""
    for piece in pieces:
        yield piece
        charge.settle()


def _who(scope: str, caller: Caller) -> str:
    if scope != "key":
        return caller.address
    if caller.key is not None:
        return caller.key.owner or caller.key.player  # a bot's requests count for its owner
    return f"none@{caller.address}" if caller.admin is None else caller.admin.id


_WHAT = {
    "key": "requests of one key, or of one address without a key,",
    "address": "requests of one address",
    SIGN_UP: "requests of one address for a player",
    CREATION: "requests of one address for a game, tournament, webhook or notifications,"
    " to export or to leave",
}


def _refusal(standing: _RuleUse) -> Problem:
    return Problem(
        "rate_limited",
        f"{standing.amount} {_WHAT[standing.scope]} in {standing.seconds} s are allowed",
        headers={"Retry-After": str(standing.reset)},
        scope=standing.scope,
        limit=standing.amount,
        window_seconds=standing.seconds,
        retry_after=standing.reset,
    )
