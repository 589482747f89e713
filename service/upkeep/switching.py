"""A planned change of the primary, without loss of acknowledged events.

A plain SENTINEL FAILOVER promotes a replica while the primary still takes writes. Other replicas
confirm these writes, and yet they are lost. So the primary must take no writes until a replica has
all of them. Valkey 9 does that itself (SENTINEL FAILOVER … COORDINATED); on other servers writes
are paused.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from service.ledger.store import online_replicas
from service.redis import sentinel
from service.redis.client import COMMAND_TIMEOUT_S
from service.redis.sentinel import Primary
from service.redis_urls import Address, Sentinels

SECONDS = 20.0
"""Time limit of each step; usually all steps together take a second or two."""

PAUSE_MS = 60_000
"""Maximum pause of writes, in case this process dies and does not end it."""

POLL_SECONDS = 0.02


class NotSwitchedError(Exception):
    """The primary has not changed; the message says why."""


class PrimaryChange(NamedTuple):
    """A change of the primary: the old and the new primary, method, and duration (s)."""

    before: str
    now: str
    coordinated: bool
    seconds: float


def switch(sentinels: Sentinels, *, coordinated: bool = True) -> PrimaryChange:
    """Promote a replica, and return when it is the primary.

    Writes are paused if the servers do not support ``coordinated``.

    Raises:
        NotSwitchedError: no replica is in step, or the sentinels did not change the primary.
        redis.exceptions.RedisError: no sentinel answers, or the primary does not answer.
    """
    return _Switch(sentinels).make(coordinated=coordinated)


class _Switch:
    def __init__(self, sentinels: Sentinels) -> None:
        self._sentinels = sentinels
        self._asked = sentinel.clients(sentinels)
        self._watch = Primary(sentinels)
        self._before = self._watch.find()
        self._began = time.monotonic()

    def make(self, *, coordinated: bool) -> PrimaryChange:
        with self._server(self._before) as old:
            if not online_replicas(old.info("replication")):
                raise NotSwitchedError(f"no replica of {_name(self._before)} is in step")
            _wait(self._is_idle, "the sentinels are at another change")
            coordinated = coordinated and self._ask("COORDINATED")
            now = self._changed() if coordinated else self._change_while_writes_wait(old)
        took = round(time.monotonic() - self._began, 2)
        return PrimaryChange(_name(self._before), _name(now), coordinated, took)

    def _change_while_writes_wait(self, old: Redis) -> Address:
        old.client_pause(PAUSE_MS, all=False)
        try:
            told: Any = old.info("replication")
            written = told["master_repl_offset"]
            _wait(lambda: _all_have(old, written), "its replicas do not get what it has written")
            self._ask()
            now = self._changed()
            # Demote the old primary now, because the sentinels would take ten seconds: clients that
            # do not know of the change must not write to it, and clients that wait for a write must
            # get an error.
            old.replicaof(*map(str, now))
            old.client_kill_filter(_type="normal", skipme=True)
            return now
        finally:
            with suppress(RedisError):
                old.client_unpause()

    def _is_idle(self) -> bool:
        """Whether the sentinel has finished an earlier change."""
        told = self._first_answer("MASTER", self._sentinels.service)
        state = told if isinstance(told, dict) else dict(zip(told[::2], told[1::2], strict=True))
        return "failover_in_progress" not in state["flags"]

    def _ask(self, *how: str) -> bool:
        """Ask a sentinel for the change; False if it does not support ``coordinated``."""
        try:
            self._first_answer("FAILOVER", self._sentinels.service, *how)
        except ResponseError as error:
            if how and ("argument" in str(error) or "option" in str(error)):
                return False
            raise NotSwitchedError(f"the sentinels refuse: {error}") from None
        return True

    def _first_answer(self, *words: str) -> Any:
        for one in self._asked:
            try:
                return one.execute_command("SENTINEL", *words)
            except ResponseError:
                raise
            except RedisError:
                continue
        raise RedisConnectionError("No sentinel answers.")

    def _changed(self) -> Address:
        """Wait until another server is the primary, and return its address."""
        _wait(self._has_changed, "the sentinels have made no other server the primary")
        return self._watch.find()

    def _has_changed(self) -> bool:
        now = self._watch.find()
        if now == self._before:
            return False
        with self._server(now) as new:
            return bool(new.role()[0] == b"master")

    def _server(self, address: Address) -> Redis:
        host, port = address
        timeout = COMMAND_TIMEOUT_S
        options: Any = {**self._sentinels.server_options, "ssl": self._sentinels.tls}
        return Redis(host, port, socket_timeout=timeout, socket_connect_timeout=timeout, **options)


def _all_have(primary: Redis, written: int) -> bool:
    told: Any = primary.info("replication")
    replicas = [told[f"slave{n}"] for n in range(told["connected_slaves"])]
    return all(one["offset"] >= written for one in replicas if one["state"] == "online")


def _wait(what: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        with suppress(RedisError):
            if what():
                return
        if time.monotonic() > deadline:
            raise NotSwitchedError(f"{otherwise}, for {SECONDS:.0f} seconds")
        time.sleep(POLL_SECONDS)


def _name(address: Address) -> str:
    host, port = address
    return f"{host}:{port}"
