"""Notes refused requests for the owners of their keys (``service.players.refusals``)."""

import re
from contextlib import suppress

from flask import g
from redis.exceptions import RedisError

from service.administration.keys import KEY_PREFIX as ADMIN_KEY_PREFIX
from service.api.http.context import Caller
from service.players.keys import KEY_PREFIX
from service.players.players import TICKET_PREFIX
from service.players.refusals import SHOWN, RefusedRequest
from service.problems import Problem
from service.process.terminal import printable
from service.webhooks.records import SECRET_PREFIX

_SECRET = re.compile(
    f"({KEY_PREFIX}|{ADMIN_KEY_PREFIX}|{TICKET_PREFIX}|{SECRET_PREFIX})[A-Za-z0-9_+/=-]+"
)
"""Matches anything like a key, a ticket or a webhook's secret, which a client may misplace."""


def note(caller: Caller, method: str, status: int, problem: Problem, request_id: str) -> None:
    """Store a refused request with the key that was sent, if a player has that key.

    Nothing is stored while the store is nearly full, or cannot count requests. Of the refusals by a
    rate limit, only the first in each window is stored; otherwise a flood of requests would cost
    twice as much, and would push out all other refusals.
    """
    counted, is_flood = "standings" in g, g.get("still_over", False)
    if not counted or is_flood or caller.runtime.health.nearly_full() is not None:
        return
    with suppress(RedisError):
        key = caller.sent_key
        if key is not None:
            refused = RefusedRequest(
                method, _shown(caller.request.path), status,
                problem.code, _shown(problem.detail), _shown(request_id),
            )  # fmt: skip
            caller.services.refusals.note(key, refused)


def _shown(text: str) -> str:
    """Return the beginning of a text, printable and without secrets."""
    told = _SECRET.sub(r"\1…", printable(text))
    return told if len(told) <= SHOWN else f"{told[: SHOWN - 1]}…"
