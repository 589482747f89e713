"""Lines to and from a process; neither process blocks the other."""

import os
import selectors
import subprocess
from contextlib import suppress

_PIECE = 1 << 16

MOST_COMPLAINTS = 2_000
"""Bytes that are kept of what a process writes to its standard error after a message."""


class PipeClosedError(Exception):
    """The process has closed its output, or ended."""


class Pipes:
    """The standard input and output of a process that was started with pipes for both.

    Its standard error is read, too, if it is a pipe.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None  # noqa: S101 - see above
        assert process.stdout is not None  # noqa: S101 - see above
        self._input, self._output = process.stdin, process.stdout
        self._to_say = self._heard = b""
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._output, selectors.EVENT_READ)
        self._errors = process.stderr
        if self._errors is not None:
            self._ready.register(self._errors, selectors.EVENT_READ)
        for pipe in (self._input, self._output, self._errors):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        self.told = 0
        """Number of bytes that the process has written since the last message to it."""
        self.complaints = b""
        """The first bytes that it has written to its standard error since then."""

    def say(self, said: bytes) -> None:
        """Send a message to the process.

        Earlier messages that are not sent yet are dropped. Only the first unsent line is kept and
        sent first, because a part of it may have been sent already.
        """
        if not self._to_say:
            self._ready.register(self._input, selectors.EVENT_WRITE)
        begun = self._to_say[: self._to_say.find(b"\n") + 1]
        self._to_say, self.told, self.complaints = begun + said, 0, b""
        self._write()

    def lines(self, seconds: float) -> list[bytes]:
        """Return the complete lines received within ``seconds``.

        Raises:
            PipeClosedError: there will be no more lines.
        """
        lines: list[bytes] = []
        for key, _events in self._ready.select(seconds):
            if key.fileobj is self._input:
                self._write()
                continue
            if key.fileobj is self._errors:
                self._read_errors()
                continue
            piece = os.read(self._output.fileno(), _PIECE)
            if not piece:
                raise PipeClosedError
            self.told += len(piece)
            *lines, self._heard = (self._heard + piece).split(b"\n")
        return lines

    def has_more(self) -> bool:
        """Whether there is an unread message."""
        return any(key.fileobj is self._output for key, _events in self._ready.select(0))

    def end_input(self) -> None:
        """Close the process's input, so that it reads the end of a file."""
        if self._to_say:
            self._ready.unregister(self._input)
            self._to_say = b""
        self._input.close()

    def close(self) -> None:
        """Close both pipes."""
        self._ready.close()
        self._input.close()
        self._output.close()
        if self._errors is not None:
            self._errors.close()

    def read_last_errors(self) -> None:
        """Read what is left of the standard error of a process that has ended."""
        if self._errors is not None and self._errors in self._ready.get_map():
            with suppress(BlockingIOError):  # a descendant that lives has the pipe still
                self._read_errors()

    def _read_errors(self) -> None:
        assert self._errors is not None  # noqa: S101 - it has been registered
        piece = os.read(self._errors.fileno(), _PIECE)
        if not piece:
            self._ready.unregister(self._errors)
        self.told += len(piece)
        self.complaints = (self.complaints + piece)[:MOST_COMPLAINTS]

    def _write(self) -> None:
        try:
            self._to_say = self._to_say[os.write(self._input.fileno(), self._to_say) :]
        except BlockingIOError:
            return  # the pipe is full
        except BrokenPipeError:
            self._to_say = b""  # the engine has stopped reading, but may have written an answer
        if not self._to_say:
            self._ready.unregister(self._input)
