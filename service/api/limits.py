"""Rate limits for each key, or each address without one, in one round trip a request."""

import math
from typing import Any

import limits
from flask import Flask, Response, g, request
from redis import Redis

from service.problems import Problem

_SCRIPT = """
local answer = {}
for i, key in ipairs(KEYS) do
  local count = redis.call("INCR", key)
  if count == 1 then redis.call("PEXPIRE", key, ARGV[i]) end
  answer[#answer + 1] = count
  answer[#answer + 1] = redis.call("PTTL", key)
end
return answer
"""


class RateLimits:
    """Counts requests in fixed windows, in Redis: all processes count together."""

    def __init__(self, redis: Redis, rules: str) -> None:
        self._count = redis.register_script(_SCRIPT)
        self._rules = [(int(rule.amount), rule.get_expiry()) for rule in limits.parse_many(rules)]
        self._windows = [seconds * 1000 for _amount, seconds in self._rules]

    def guard(self, app: Flask) -> None:
        """Count every request to ``/v1`` and tell callers where they stand."""
        app.before_request(self._check)
        app.after_request(self._tell)

    def _check(self) -> None:
        if not request.path.startswith("/v1") or request.method == "OPTIONS":
            return
        who = g.player.id if g.player is not None else f"@{request.remote_addr}"
        keys = [f"lonja:{{rate:{who}}}:{seconds}" for _amount, seconds in self._rules]
        counts: Any = self._count(keys, self._windows)
        standing = None
        for (amount, seconds), used, ms in zip(self._rules, counts[::2], counts[1::2], strict=True):
            left, reset = amount - used, math.ceil(max(ms, 0) / 1000)
            if standing is None or left < standing[1]:
                standing = (amount, left, reset, seconds)
        g.rate_limit = standing
        if standing is not None and standing[1] < 0:
            raise Problem(
                "rate_limited",
                f"{standing[0]} requests in {standing[3]} s are allowed",
                headers={"Retry-After": str(standing[2])},
                limit=standing[0],
                window_seconds=standing[3],
                retry_after=standing[2],
            )

    def _tell(self, response: Response) -> Response:
        standing = g.get("rate_limit")
        if standing is not None:
            amount, left, reset, _seconds = standing
            response.headers["RateLimit-Limit"] = str(amount)
            response.headers["RateLimit-Remaining"] = str(max(left, 0))
            response.headers["RateLimit-Reset"] = str(reset)
        return response
