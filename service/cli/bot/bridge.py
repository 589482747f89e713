"""Passes questions of a service to an engine on this machine, and its answers to the service."""

import hmac
import os
import queue
import shlex
import threading
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from lonja_client import Client, IllegalMove, LonjaError, Message, Question

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.record.batch import MOST_THOUGHTS
from service.cli.common import Failure
from service.games.questions import INCLUDED
from service.process.limits import Limit, StoppedError, TookTooLongError

ENGINE_MODULE, PROCESS_MODULE = "workers.engines.engine", "workers.engines.engine_process"
PROTOCOL_MODULE = "workers.engines.protocol"
"""Imported by name, because the service never imports its workers."""

ATTEMPTS = 3
"""How often an engine is asked a question, if it fails."""
PAUSE_SECONDS = 0.5
"""The pause before an engine is asked again that has ended."""
RESERVE_SECONDS = 0.25
"""Part of the time of a decision that is kept for the way to the service and back."""
SHORTEST_SECONDS = 0.1


class Outcome(NamedTuple):
    """What became of a question; ``failure`` is empty if the answer counts."""

    question: Question
    seconds: float
    failure: str


class Arrival(NamedTuple):
    """A message of the player's stream, and when it came (``time.monotonic``)."""

    message: Message
    at: float


def started(line: str) -> Any:
    """Start an engine with a command line and return it (``workers.engines.engine.Engine``).

    Raises Failure: there is no such program, or it does not begin as an engine does.
    """
    process = import_module(PROCESS_MODULE)
    try:
        command = shlex.split(line)
        engine = import_module(ENGINE_MODULE).Engine(
            lambda: process.EngineProcess(command, os.environ)
        )
        engine.start()
    except ValueError as error:
        raise Failure(f"The command line {line!r} cannot be read: {error}.") from None
    except OSError as error:
        raise Failure(f"{line} cannot be started: {error.strerror}.") from None
    except (StoppedError, TookTooLongError, process.EngineFailedError) as error:
        raise Failure(f"{line} does not say hello: {error}.") from None
    return engine


class Bridge:
    """Has ``engine`` answer the questions of ``player``.

    The engine gets ``seconds`` for each answer, or less if the clock of the game leaves less.
    """

    def __init__(self, player: Client, engine: Any, seconds: float) -> None:
        self._player = player
        self._engine = engine
        self._seconds = seconds
        self._failed = import_module(PROCESS_MODULE).EngineFailedError
        self._illegal = import_module(PROTOCOL_MODULE).ILLEGAL
        wants = engine.hello.get("wants")
        self._include = [name for name in INCLUDED if isinstance(wants, list) and name in wants]
        self._answered: dict[tuple[str, int], str] = {}
        """The head of each seat's last answered question, which may come again after a cut."""

    def messages(self) -> Iterator[Arrival]:
        """Yield the messages of the player's stream, which is read while the engine thinks.

        Raises LonjaError: the service refuses the stream.
        """
        received: queue.SimpleQueue[Arrival | LonjaError] = queue.SimpleQueue()

        def read() -> None:
            try:
                for message in self._player.notices(questions=True, include=self._include):
                    received.put(Arrival(message, time.monotonic()))
            except LonjaError as error:
                received.put(error)

        threading.Thread(target=read, name="stream", daemon=True).start()
        while True:
            found = received.get()
            if isinstance(found, LonjaError):
                raise found
            yield found

    def come(self, received: Arrival) -> bool:
        """Take the seat that a message offers; return whether it worked. Raises LonjaError."""
        return self._player.come(received.message)

    def answer(self, received: Arrival) -> Outcome | None:
        """Let the engine answer the question in a message, send its answer, and return the Outcome.

        Return None if the message has no question, or if the question was already answered. If the
        move is illegal, the Outcome has a ``failure``.

        Raises:
            LonjaError: the service refuses the answer for another reason.
        """
        question = self._player.question(received.message)
        if question is None:
            return None
        # Numbers would not do: if moves are taken back, or lost, they come once more.
        where, head = (question.table.id, question.seat), question.asked["head"]
        if self._answered.get(where) == head:
            return None
        began = time.monotonic()
        failure = self._ask(question, received.at + self._time_for(question))
        if not failure:
            self._answered[where] = head
        return Outcome(question, time.monotonic() - began, failure)

    def _time_for(self, question: Question) -> float:
        """Return the time limit of a question, in seconds from its arrival."""
        limit: Mapping[str, int] = question.asked["limit"]
        if "wall_ms" not in limit:
            return self._seconds
        return min(self._seconds, limit["wall_ms"] / 1000 - RESERVE_SECONDS)

    def _ask(self, question: Question, until: float) -> str:
        """Answer a question. If the engine gives no answer, return why; otherwise return ""."""
        asked = {**question.asked, "settings": {}, "seed": self._seed(question)}
        failure = ""
        for attempt in range(1, ATTEMPTS + 1):
            is_last = attempt == ATTEMPTS
            left = max(SHORTEST_SECONDS, until - time.monotonic())
            try:
                answer = self._engine.ask(asked, Limit(left, by_wall=True), again=not is_last)
                thoughts = _kept(answer.thoughts)
                return "" if question.answer(answer.move, thoughts) else "it is not open any more"
            except IllegalMove as refused:
                failure = f"the rules refuse its move: {refused}"
                self._engine.refuse(self._illegal, failure, again=not is_last)
            except TookTooLongError as error:
                return str(error)
            except (StoppedError, self._failed) as error:
                failure = str(error)
                if not getattr(error, "again", True):
                    return failure
                if self._engine.pid is None and not is_last:
                    time.sleep(PAUSE_SECONDS)
        return failure

    def _seed(self, question: Question) -> str:
        """Return the seed of the engine's random choices for a decision.

        Only the owner of the player's key can compute this seed.
        """
        asked = question.asked
        which = f"{asked['game']}/{asked['seat']}/{asked['decision']}"
        return hmac.digest((self._player.key or "").encode(), which.encode(), "sha256").hex()


def _kept(thoughts: JsonObject) -> JsonObject | None:
    """Return the thoughts that the service keeps with a move: they are not larger than allowed."""
    return thoughts if thoughts and len(encode(thoughts)) <= MOST_THOUGHTS else None
