"""``kill -9`` to the sender: no message is lost, and a repeated one has the same id or topic."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Any

from service.cli.sender import SENDER
from service.games.admission import Claimant
from service.ledger import notices
from service.redis.server import RedisServer
from service.runtime import Runtime
from service.webhooks.receivers import state_key
from service.webhooks.records import EVENTS
from tests import running
from tests.faults import processes
from tests.faults.crash import wait_until_dead
from tests.faults.people import wait_for
from tests.pushed import PushedBrowser, raw
from tests.receiver import Receiver, Sent
from tests.running import ME, PLAYER, due_notices, hurry_webhooks

KILLS = (0, 2)
"""The numbers of the arriving messages at which the sender is killed, before it gets an answer."""


@contextmanager
def sender(server: RedisServer, log: Path) -> Iterator["Popen[bytes]"]:
    env = running.environment(
        server.url, LONJA_OUTBOUND_NETWORKS="127.0.0.1", LONJA_OUTBOUND_HTTP="yes"
    )
    with processes.started(*SENDER[1:], env=env, log=log) as process:
        yield process


def is_over(process: "Popen[bytes]", runtime: Runtime, webhook_id: str) -> bool:
    """Whether a sender is dead, or has sent all messages."""
    newest = notices.kept(runtime.redis, PLAYER)[-1].id.encode()
    cursor: Any = runtime.redis.hget(state_key(webhook_id), "cursor")
    return process.poll() is not None or cursor == newest


def play(runtime: Runtime, game_id: str, moves: int) -> None:
    for _ in range(moves):
        game = running.game(runtime, game_id)
        seat = next(iter(game.asked))
        move = game.ruleset.legal_moves(game.state, seat)[0]
        runtime.tables.move(game_id, seat, move.to_json(), game.version, PLAYER)


def test_a_killed_sender_loses_nothing(
    server: RedisServer, runtime: Runtime, tmp_path: Path
) -> None:
    victims: list[Popen[bytes]] = []

    def kill(_sent: Sent) -> None:
        if len(receiver.sent) - 1 in KILLS:
            os.kill(victims[-1].pid, signal.SIGKILL)
            wait_until_dead(victims[-1].pid)

    runtime.redis.flushall()
    with Receiver(before=kill) as receiver, running.following(runtime):
        made, _secret = runtime.webhooks.make(
            Claimant(PLAYER, "127.0.0.1"), receiver.url, EVENTS, None
        )
        game_id = running.open_game(runtime, "sealed", ME, ME)
        play(runtime, game_id, 4)
        running.all_told(runtime)
        for _ in range(len(KILLS) + 1):
            with sender(server, tmp_path / "log") as process:
                victims.append(process)
                wait_for(partial(is_over, process, runtime, made.webhook.id))
            hurry_webhooks(runtime.redis, 1.5)  # dead senders' webhooks are free again
    first = list({sent.headers["webhook-id"]: sent.json for sent in receiver.sent}.values())
    told = [(one["type"], one["data"]["seat"], one["data"]["version"]) for one in first]
    assert told == due_notices(runtime, game_id, PLAYER)
    assert len(receiver.sent) == len(first) + len(KILLS)
    assert receiver.most_at_once == 1


def test_a_sender_that_is_told_to_end_hears_the_answer(
    server: RedisServer, runtime: Runtime, tmp_path: Path
) -> None:
    def tell_to_end(_sent: Sent) -> None:
        process.send_signal(signal.SIGTERM)

    runtime.redis.flushall()
    with Receiver(before=tell_to_end) as receiver, running.following(runtime):
        made, _secret = runtime.webhooks.make(
            Claimant(PLAYER, "127.0.0.1"), receiver.url, EVENTS, None
        )
        running.open_game(runtime, "sealed", ME, ME)
        with sender(server, tmp_path / "log") as process:
            assert process.wait(30) == 0
    (attempt,) = runtime.webhooks.attempts(PLAYER, made.webhook.id)
    assert attempt["delivered"]
    assert len(receiver.sent) == 1


def test_a_killed_sender_tells_a_browser_once_more(
    server: RedisServer, runtime: Runtime, tmp_path: Path
) -> None:
    victims: list[Popen[bytes]] = []

    def kill(_sent: Sent) -> None:
        if len(push_service.sent) == 1:
            os.kill(victims[-1].pid, signal.SIGKILL)
            wait_until_dead(victims[-1].pid)

    runtime.redis.flushall()
    browser = PushedBrowser()
    with Receiver(status=201, before=kill) as push_service, running.following(runtime):
        keys = browser.subscription(push_service.url)["keys"]
        made = runtime.browsers.subscriptions.make(
            Claimant(PLAYER, "127.0.0.1"),
            push_service.url,
            raw(keys["p256dh"]),
            raw(keys["auth"]),
            "es",
            None,
        )
        game_id = running.open_game(runtime, "sealed", ME, ME)
        running.all_told(runtime)
        for _ in range(2):
            with sender(server, tmp_path / "log") as process:
                victims.append(process)
                wait_for(partial(is_over, process, runtime, made.id))
            hurry_webhooks(runtime.redis, 1.5)
    told = [browser.read(sent) for sent in push_service.sent]
    assert {(one["game"], one["body"]) for one in told} == {(game_id, "Es tu turno.")}
    assert len({sent.headers["topic"] for sent in push_service.sent}) == 1
    asked = len(running.game(runtime, game_id).asked)
    assert len(told) == asked + 1, "the one in whose answer the sender was killed comes again"
