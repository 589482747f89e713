"""The embedded Redis: a private server process on its own data folder."""

import os
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

import structlog
from redis import exceptions

from service.process.disk import NO_ROOM, is_full
from service.process.launcher import die_with_parent
from service.redis.aof import Tail, tails, what_was_cut
from service.redis.binary import RedisServerError, choose, stamp
from service.redis.client import make_client
from service.redis.lock import Owner, locked

log = structlog.get_logger(__name__)

LOG = "redis.log"
QUOTED_LINES = 8
READY_WAIT_S = 30.0  # the maximum time without an answer; "still loading" is an answer
ANSWER_S = 1.0
STOP_WAIT_S = 30.0
POLL_S = 0.01


class RedisServer:
    """A private Redis on `data_dir`, reached by a unix socket that only this user can open.

    The server ends with the process that started it, even if that is killed, and only one server
    runs on a folder. A server that died can be restarted, and keeps its URL.
    """

    def __init__(
        self,
        data_dir: Path,
        appendfsync: Literal["always", "everysec"] = "always",
        binary: Path | None = None,
    ) -> None:
        self._data_dir = data_dir.absolute()
        self._appendfsync = appendfsync
        self._binary = binary
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: Path | None = None
        self._log_start = 0
        self._before: dict[Path, Tail] = {}
        self._exit_code = 0
        self._silent_at = 0.0
        self._answered = False

    @property
    def url(self) -> str:
        """The unix:// URL, from the first start until the stop."""
        if self._socket is None:
            raise RuntimeError("the Redis server has not been started")
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """The process id, from the first start until the stop."""
        if self._process is None:
            raise RuntimeError("the Redis server has not been started")
        return self._process.pid

    @property
    def exit_code(self) -> int:
        """The exit code, negative for a signal; 0 while the process runs, or if it never ran."""
        return self._exit_code if self._process is None else self._process.poll() or 0

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server and return when it answers; does nothing if it runs.

        Raises the errors of ``begin`` and of ``answers``.
        """
        if self.running:
            return
        self.begin()
        while not self.answers():
            time.sleep(POLL_S)

    def begin(self) -> None:
        """Start the process, unless it runs; ``answers`` reports when it is ready.

        Raises RedisServerError if no program fits, another server uses the folder or its disk is
        full. Call it from the main thread, because the server ends with the thread that starts it.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("start the Redis server from the main thread")
        if self.running:
            return
        with self._or_not_at_all():
            self._make_data_dir()
            with locked(self._data_dir) as lock:
                self._before = tails(self._data_dir)
                self._spawn(lock)
        self._silent_at = time.monotonic() + READY_WAIT_S

    def answers(self) -> bool:
        """Whether the server answers; a new one may still be loading its log.

        Data that the server could not load are logged. Raises RedisServerError if the server has
        ended or does not answer in time.
        """
        with self._or_not_at_all():
            if not self.running:
                raise RedisServerError(self._last_words("ended at its start"))
            if not self._is_ready():
                if time.monotonic() > self._silent_at:
                    raise RedisServerError(self._last_words("does not answer"))
                return False
        self._answered = True
        if cut := what_was_cut(self._before, self._log_lines()):
            log.warning("store_cut", reason=cut)
        return True

    @contextmanager
    def _or_not_at_all(self) -> Iterator[None]:
        """Return the context of a step of the start: an error in it ends the server's process.

        If the server has never answered, its socket is removed as well. The error is raised again;
        an OSError becomes a RedisServerError.
        """
        try:
            yield
        except BaseException as error:
            self._end_process()
            if not self._answered:
                self._remove_socket()
            if isinstance(error, OSError):
                raise RedisServerError(self._why_not(error)) from error
            raise

    def why_it_ended(self) -> str:
        """Return the known cause of an unexpected end of the server."""
        return self._last_words("has ended")

    def stop(self) -> None:
        """End the server and wait for its end; does nothing if it does not run."""
        self._end_process()
        self._remove_socket()
        self._answered = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _make_data_dir(self) -> None:
        try:
            self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            usable = os.access(self._data_dir, os.W_OK | os.X_OK)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise
            usable = False
        if not usable:
            raise RedisServerError(
                f"{self._data_dir} is no folder that this user may write to: set LONJA_DATA_DIR"
                " to one."
            )

    def _why_not(self, error: OSError) -> str:
        if error.errno in NO_ROOM:
            return (
                f"There is no room for {error.filename or self._data_dir} ({error.strerror}): make"
                " some, or set LONJA_DATA_DIR to a folder on another disk."
            )
        return f"Redis cannot start on {self._data_dir}: {error}."

    def _spawn(self, lock: IO[str]) -> None:
        """Start the server's process. It keeps the lock for as long as it runs."""
        binary = choose(self._data_dir, self._binary)
        stamp(self._data_dir, binary.version)
        if self._socket is None:
            previous = Owner.read(lock)
            # The previous server may have been killed before it could clean up. If this folder is a
            # copy of another one, the server that it names may run there.
            if previous and not _answers(previous.socket):
                _remove_folder_of(Path(previous.socket))
            # The socket does not lie beside the data, because its path may have at most 107 bytes.
            self._socket = Path(tempfile.mkdtemp(prefix="lonja-", dir="/tmp"), "r.sock")
        command: list[str | Path] = [binary.path]
        command += ["--port", "0", "--unixsocket", self._socket, "--unixsocketperm", "700"]
        command += ["--dir", self._data_dir, "--daemonize", "no"]
        command += ["--appendonly", "yes", "--appendfsync", self._appendfsync, "--save", ""]
        command += ["--maxmemory-policy", "noeviction"]
        with (self._data_dir / LOG).open("ab") as output:
            self._log_start = output.tell()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[lock.fileno()],
                # The server has its own process group: Ctrl-C reaches only the launcher, which
                # stops the server last.
                process_group=0,
                preexec_fn=die_with_parent(),  # noqa: PLW1509 (only system calls, no locks)
            )
        Owner(self._process.pid, str(self._socket)).write(lock)

    def _is_ready(self) -> bool:
        with make_client(self.url, ANSWER_S) as client:
            try:
                client.ping()
            except exceptions.BusyLoadingError:
                self._silent_at = time.monotonic() + READY_WAIT_S
                return False
            except (exceptions.ConnectionError, exceptions.TimeoutError):
                return False
            except exceptions.ResponseError:  # the server answers that its disk is full
                return True
        return True

    def _last_words(self, what: str) -> str:
        """Return ``what`` with the server's last log lines, and a note if its disk is full."""
        full = " The disk is full: make room on it." if is_full(self._data_dir) else ""
        heading = f"Redis {what}.{full} {self._data_dir / LOG} says:"
        return "\n  ".join([heading, *self._log_lines()[-QUOTED_LINES:]])

    def _log_lines(self) -> list[str]:
        """Return the server's log since it was started."""
        try:
            with (self._data_dir / LOG).open("rb") as file:
                file.seek(self._log_start)
                return file.read().decode(errors="replace").splitlines()
        except OSError:  # somebody has removed the log
            return []

    def _end_process(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._exit_code = self._process.wait(STOP_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._exit_code = self._process.wait()
        self._process = None

    def _remove_socket(self) -> None:
        if self._socket is not None:
            _remove_folder_of(self._socket)
            self._socket = None


def _answers(path: str) -> bool:
    """Whether a server listens on this socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def _remove_folder_of(path: Path) -> None:
    path.unlink(missing_ok=True)
    with suppress(OSError):  # somebody has removed the folder, or put something else into it
        path.parent.rmdir()
