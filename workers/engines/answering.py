"""The engine of a bot that is a module of Python: ``python -m workers.engines.answering MODULE``.

It runs in a process of its own and without the worker's settings, because each question contains
all that the bot needs.
"""

import ctypes
import os
import signal
import sys
from importlib import import_module
from typing import Any

from rules.kernel.canonical import JsonObject, check
from rules.kernel.contract.registry import Registry
from service import settings
from service.catalogue.rulesets import open_registry
from workers.bots.bot import Bot, BotRandom
from workers.engines import protocol

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(name: str) -> None:
    """Answer questions until there are no more."""
    # The kernel kills this process when the worker ends, even if a bot catches all exceptions.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a bot prints goes to the worker's log
    module = import_module(name)
    registry = open_registry(settings.load(os.environ))
    offer = module.BOT
    own = protocol.hello(name=offer.name, version=offer.version, deterministic=True)
    with asked, told:
        for line in asked:
            message = protocol.read(line)
            if "hello" in message:
                told.write(protocol.line("hello", own))
            elif "question" in message:
                told.write(_answer(module.choose, message["question"], registry))


def _answer(choose: Bot, asked: JsonObject, registry: Registry) -> bytes:
    number = asked["id"]
    try:
        return protocol.line("answer", {"id": number, **_chosen(choose, asked, registry)})
    except Exception as error:  # noqa: BLE001 - a bot may raise anything, and is told of
        told = f"{type(error).__name__}: {error}"
        body = {"id": number, "code": protocol.CRASHED, "message": told, "again": False}
        return protocol.line("error", body)


def _chosen(choose: Bot, asked: JsonObject, registry: Registry) -> JsonObject:
    ruleset: Any = registry.find(asked["ruleset"], asked["rules_version"])
    legal = [ruleset.recorded_move(move) for move in asked["legal"]]
    choice = choose(
        ruleset, asked["information"], asked["seat"], legal, BotRandom(int(asked["seed"], 16)),
        asked["settings"],
    )  # fmt: skip
    move = choice.move.to_json()
    check(move)
    check(choice.thoughts)  # thoughts must be JSON that records can hold
    at = legal.index(choice.move) if choice.move in legal else move
    return {"move": at, "nodes": choice.nodes, "thoughts": choice.thoughts}


if __name__ == "__main__":
    main(sys.argv[1])
