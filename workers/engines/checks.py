"""The checks of ``lonja bot check``: what every engine must do, whoever asks it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.move import MalformedMove
from rules.kernel.contract.registry import Registry
from service.cli.bot.sample import SampleQuestion
from service.process.limits import STARVED, Limit, StoppedError, TookTooLongError
from workers.engines import greeting, protocol
from workers.engines.engine import Engine
from workers.engines.engine_process import EngineFailedError, EngineProcess
from workers.engines.protocol import BAD_ANSWER, CRASHED, FLOODED, EngineAnswer

HELLO, RESTART, CUT, RETRY = "hello", "restart", "cut", "retry"
UNKNOWN, DETERMINISTIC, END = "unknown", "deterministic", "end"
TIME, CRASH, OUTPUT, ANSWER, LEGAL = "time", "crash", "output", "answer", "legal"
CHECKS = {
    HELLO: "it says hello, and what it says of itself is well formed",
    TIME: "it answers each question in time",
    CRASH: "it answers each question without an error",
    OUTPUT: "it writes no more than it may",
    ANSWER: "its answers are well formed",
    LEGAL: "its moves are legal",
    RESTART: "after a kill, a new process answers in the midst of a game",
    CUT: "it answers a question that comes once more, as after a cut connection",
    RETRY: "after an error, it answers the question that comes again",
    UNKNOWN: "it ignores unknown messages and members",
    DETERMINISTIC: "it gives equal answers to equal questions",
    END: "it ends when its input is closed",
}
"""Each check, in its order, and what is true of an engine that passes it."""

PATIENCE = 60.0
"""The ``patience`` of limits, because nobody waits who would be wronged by a busy machine."""
END_SECONDS = 5.0
"""Time that an engine may take to end after its input was closed."""
SHRINKING_SECONDS = 20.0
"""Time of the search for a smaller question that shows the same fault."""
TRIAL = "this is a trial by lonja bot check; the question comes again"
NEWS = {"unknown_message": {"from": "a later version"}}
MORE = {"unknown_member": ["from", "a later version"]}

_CHECK_OF = {CRASHED: CRASH, BAD_ANSWER: ANSWER, FLOODED: OUTPUT}


class EngineFaultError(Exception):
    """What an engine does wrong.

    ``check`` names the check; ``messages`` are what the engine has to read to show the fault.
    """

    def __init__(self, check: str, told: str, messages: Sequence[JsonObject]) -> None:
        super().__init__(told)
        self.check = check
        self.messages = messages


class TooBusyError(Exception):
    """The machine is too busy to judge an engine."""


class _WallLimit(Limit):
    """A limit of wall time as an engine reads it; but a busy machine must not matter here."""

    def to_json(self) -> JsonObject:
        return {"wall_ms": round(1000 * self.seconds)}


class Examination:
    """The examination of one engine, which ``start`` starts.

    Each check raises EngineFaultError at the first fault, and TooBusyError.
    """

    def __init__(
        self, start: Callable[[], EngineProcess], seconds: float, registry: Registry
    ) -> None:
        def begin() -> EngineProcess:
            process = start()
            process.start = Limit(seconds, patience=PATIENCE)
            return process

        self._engine = Engine(begin)
        self._seconds = seconds
        self._registry = registry
        self._answers: list[EngineAnswer] = []

    def close(self) -> None:
        """Kill the engine."""
        self._engine.close()

    def hello(self) -> JsonObject:
        """Start the engine, and return its hello, which is well formed."""
        self._start(HELLO)
        told = greeting.fault(self._engine.hello, self._registry)
        if told is not None:
            raise EngineFaultError(HELLO, told, self._messages())
        return self._engine.hello

    def answers(self, questions: Sequence[SampleQuestion]) -> Iterator[None]:
        """Ask all questions in one process; yield after each.

        The fault has the smallest of the questions that shows it alone, in a new process.
        """
        for number, question in enumerate(questions):
            try:
                self._answers.append(self._ask(question))
            except EngineFaultError as fault:
                raise self._smallest(fault, questions, number) from None
            yield

    def restart(self, questions: Sequence[SampleQuestion]) -> Iterator[None]:
        """Kill the engine while it thinks, and ask a new process; yield after each question."""
        for question in questions:
            with self._named(RESTART, "Asked by this alone after a kill", question):
                self._start(RESTART)
                self._engine.tell("question", self._numbered(question, 0))
                self.close()
                self._ask(question)
            yield

    def cut(self, question: SampleQuestion) -> None:
        """Ask the same question again, as after a cut of the connection to a service."""
        with self._named(CUT, "When the question comes once more", question, question):
            self._ask(question)
            self._ask_same(question)

    def retry(self, question: SampleQuestion) -> None:
        """Tell the engine of an error, and ask it again."""
        error = {"id": 1, "code": BAD_ANSWER, "message": TRIAL, "again": True}
        with self._named(RETRY, "After an error", question, {"error": error}, question):
            self._ask(question)
            self._engine.refuse(BAD_ANSWER, TRIAL, again=True)
            self._ask_same(question)

    def unknown(self, question: SampleQuestion) -> None:
        """Send an unknown message, and a question with an unknown member."""
        stranger = SampleQuestion({**question.body, **MORE}, question.by_wall)
        with self._named(UNKNOWN, "With what a later version may add", NEWS, stranger):
            self._start(UNKNOWN)
            for kind, body in NEWS.items():
                self._engine.tell(kind, body)
            self._ask_same(stranger)

    def deterministic(self, questions: Sequence[SampleQuestion]) -> Iterator[None]:
        """Ask all questions again in a new process, in the opposite order; yield after each."""
        self.close()
        for question, before in zip(questions[::-1], self._answers[::-1], strict=True):
            with self._named(DETERMINISTIC, "Asked again in a new process", question):
                now = self._ask(question)
            if now != before:
                told = f"{_where(question)}: first it answers {_told(before)}, then {_told(now)}."
                raise EngineFaultError(DETERMINISTIC, told, self._messages(question, question))
            yield

    def end(self) -> None:
        """Close the engine's input."""
        self._start(END)
        if not self._engine.ends(END_SECONDS):
            told = f"It runs on for {END_SECONDS:g} s after its input was closed."
            raise EngineFaultError(END, told, self._messages())

    def _start(self, check: str) -> None:
        """Start the engine if it does not run."""
        try:
            self._engine.start()
        except (TookTooLongError, EngineFailedError, StoppedError) as error:
            _need_calm(error)
            told = f"It does not say hello: {error}."
            raise EngineFaultError(check, told, self._messages()) from None

    def _ask(self, question: SampleQuestion) -> EngineAnswer:
        """Ask a question and return the answer, which is a legal move."""
        try:
            answer = self._engine.ask(question.body, self._limit(question))
        except TookTooLongError as error:
            raise self._fault(TIME, question, str(error)) from None
        except EngineFailedError as error:
            raise self._fault(_CHECK_OF[error.code], question, str(error)) from None
        except StoppedError as error:
            _need_calm(error)
            raise self._fault(CRASH, question, str(error)) from None
        if not self._is_legal(question, answer.move):
            told = f"it answers {shown(answer.move)}, which is no legal move"
            raise self._fault(LEGAL, question, told)
        return answer

    def _ask_same(self, question: SampleQuestion) -> None:
        """Ask the process that runs; it has failed if another one had to be started."""
        before = self._engine.pid
        self._ask(question)
        if self._engine.pid != before:
            raise self._fault(CRASH, question, "its process had ended")

    def _is_legal(self, question: SampleQuestion, move: JsonObject) -> bool:
        legal = question.body["legal"]
        if move in legal:
            return True
        try:  # it may be written in another way
            written = self._registry.find(question.body["ruleset"]).recorded_move(move).to_json()
        except (KeyError, TypeError, MalformedMove):
            return False
        return written in legal

    def _smallest(
        self, fault: EngineFaultError, questions: Sequence[SampleQuestion], number: int
    ) -> EngineFaultError:
        """Return the fault with the smallest question that shows it in a new process.

        If no question shows it alone, the fault has all questions up to the one with this number.
        """
        until = time.monotonic() + SHRINKING_SECONDS
        smaller = [each for each in questions if _size(each) < _size(questions[number])]
        for question in (*sorted(smaller, key=_size), questions[number]):
            if time.monotonic() > until and question is not questions[number]:
                continue
            self.close()
            try:
                self._ask(question)
            except EngineFaultError as found:
                if found.check == fault.check:
                    return found
        told = f"{fault} It needs the questions before this one to show it."
        return EngineFaultError(fault.check, told, self._messages(*questions[: number + 1]))

    @contextmanager
    def _named(self, check: str, when: str, *sent: SampleQuestion | JsonObject) -> Iterator[None]:
        """Give a fault in the context the name of this check, and the messages that show it."""
        try:
            yield
        except EngineFaultError as fault:
            raise EngineFaultError(check, f"{when}: {fault}", self._messages(*sent)) from None

    def _fault(self, check: str, question: SampleQuestion, told: str) -> EngineFaultError:
        return EngineFaultError(check, f"{_where(question)}: {told}.", self._messages(question))

    def _messages(self, *sent: SampleQuestion | JsonObject) -> list[JsonObject]:
        """Return what an engine reads: a hello, and messages, in which questions have numbers."""
        messages: list[JsonObject] = [{"hello": protocol.service_hello()}]
        for one in sent:
            if isinstance(one, SampleQuestion):
                messages.append({"question": self._numbered(one, len(messages))})
            else:
                messages.append(one)
        return messages

    def _numbered(self, question: SampleQuestion, number: int) -> JsonObject:
        return {"id": number, **question.body, "limit": self._limit(question).to_json()}

    def _limit(self, question: SampleQuestion) -> Limit:
        kind = _WallLimit if question.by_wall else Limit
        return kind(self._seconds, patience=PATIENCE)


def _need_calm(error: BaseException) -> None:
    """Raise TooBusyError if the machine is to blame for an engine's failure."""
    if isinstance(error, StoppedError) and error.reason == STARVED:
        raise TooBusyError(str(error)) from None


def _where(question: SampleQuestion) -> str:
    asked = question.body
    return (
        f"In {asked['ruleset']} with {asked['seats']} seats, seat {asked['seat']}, decision"
        f" {asked['decision']}"
    )


def _told(answer: EngineAnswer) -> str:
    return shown({"move": answer.move, "nodes": answer.nodes, "thoughts": answer.thoughts})


def _size(question: SampleQuestion) -> int:
    return len(orjson.dumps(question.body))
