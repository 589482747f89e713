"""Lines to and from a process; neither process blocks the other."""

import os
import selectors
import subprocess

_PIECE = 1 << 16


class PipeClosedError(Exception):
    """The process has closed its output, or ended."""


class Pipes:
    """The standard input and output of a process that was started with pipes for both."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None  # noqa: S101 - see above
        assert process.stdout is not None  # noqa: S101 - see above
        self._input, self._output = process.stdin, process.stdout
        self._to_say = self._heard = b""
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._output, selectors.EVENT_READ)
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self.told = 0
        """Number of bytes that the process has written since the last message to it."""

    def say(self, said: bytes) -> None:
        """Queue a message for the process, and drop what it has not read of an earlier one."""
        if not self._to_say:
            self._ready.register(self._input, selectors.EVENT_WRITE)
        self._to_say, self.told = said, 0

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
            piece = os.read(self._output.fileno(), _PIECE)
            if not piece:
                raise PipeClosedError
            self.told += len(piece)
            *lines, self._heard = (self._heard + piece).split(b"\n")
        return lines

    def has_more(self) -> bool:
        """Whether there is an unread message."""
        return any(key.fileobj is self._output for key, _events in self._ready.select(0))

    def close(self) -> None:
        """Close both pipes."""
        self._ready.close()
        self._input.close()
        self._output.close()

    def _write(self) -> None:
        try:
            self._to_say = self._to_say[os.write(self._input.fileno(), self._to_say) :]
        except BrokenPipeError:
            self._to_say = b""  # the engine has stopped reading, but may have written an answer
        if not self._to_say:
            self._ready.unregister(self._input)
