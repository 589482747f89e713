"""A bot that decides by a policy: docs/learning.md, "At a table".

This module needs neither PettingZoo nor Gymnasium, so that a bot starts fast and its folder is
small.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

import orjson

from lonja_learning.policies import Policy, choose
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.numbering.numbers import Numbers
from rules.registry import PACKAGES

PROTOCOL = 1
"""The version of the protocol that docs/engines.md defines."""


def bot(
    policy: Policy,
    *,
    name: str = "policy",
    version: str = "1",
    rulesets: Sequence[str] | None = None,
    seats: Sequence[int] | None = None,
    deterministic: bool = False,
) -> "PolicyBot":
    """Return a bot that decides by ``policy``.

    The other arguments are what its hello says: ``rulesets`` and ``seats`` are the games and the
    numbers of seats that it plays (None for all). ``deterministic`` says that equal observations
    and masks get equal actions, so that its decisions can be repeated.
    """
    hello = {
        "protocol": PROTOCOL,
        "name": name,
        "version": version,
        "deterministic": deterministic,
        **({} if rulesets is None else {"rulesets": [*rulesets]}),
        **({} if seats is None else {"seats": [*seats]}),
    }
    return PolicyBot(policy, hello)


class PolicyBot:
    """Answers questions (docs/engines.md) by a policy."""

    def __init__(self, policy: Policy, hello: JsonObject) -> None:
        self.hello = hello
        self._policy = policy
        self._registry = Registry(PACKAGES)
        self._numbers: dict[tuple[str, str], Numbers] = {}

    def choose(self, question: JsonObject) -> int:
        """Return an index into the legal moves of a question.

        Raises:
            ForbiddenActionError: the policy has chosen an action that the mask forbids.
            UnknownRulesetError: this package cannot play the rules that the question names.
        """
        ruleset = self._registry.find(question["ruleset"], question["rules_version"])
        legal = [ruleset.recorded_move(move) for move in question["legal"]]
        numbers = self._numbers_of(ruleset, question["options"])
        return legal.index(choose(self._policy, numbers, question["view"], legal))

    def run(self) -> None:
        """Answer the questions on the standard input on the standard output, until there are none.

        In the meantime, whatever is printed goes to the standard error.
        """
        with os.fdopen(os.dup(1), "wb", buffering=0) as told:
            os.dup2(2, 1)
            try:
                self._answer(sys.stdin.buffer, told)
            finally:
                os.dup2(told.fileno(), 1)

    def _answer(self, asked: BinaryIO, told: BinaryIO) -> None:
        for line in asked:
            message = orjson.loads(line)
            if "hello" in message:
                reply: JsonObject = {"hello": self.hello}
            elif "question" in message:
                reply = self._reply(message["question"])
            else:
                continue
            told.write(orjson.dumps(reply) + b"\n")

    def _reply(self, question: JsonObject) -> JsonObject:
        try:
            return {"answer": {"id": question["id"], "move": self.choose(question)}}
        except Exception as error:  # noqa: BLE001 - a policy may raise anything, and is told of
            message = f"{type(error).__name__}: {error}"
            failure = {"id": question["id"], "code": "crashed", "message": message, "again": False}
            return {"error": failure}

    def _numbers_of(self, ruleset: Ruleset[Any], options: JsonObject) -> Numbers:
        edition = ruleset.edition(options)
        key = ruleset.info.id, edition.id
        if key not in self._numbers:
            self._numbers[key] = Numbers(ruleset, edition)
        return self._numbers[key]
