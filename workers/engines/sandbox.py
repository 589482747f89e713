"""The sandbox of an engine: it sees nothing but its own folder and the system's programs.

bubblewrap makes the sandbox out of namespaces of the kernel, seccomp limits the system calls
(``seccomp``), and prlimit limits the resources that the kernel counts. Memory is measured here as
well, because the kernel's limit does not count all of it. docs/engines.md has the limits.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shutil import which
from typing import Any

import structlog

from service.catalogue.engines import EngineLimits
from service.process import procfs
from service.process.limits import Limit
from service.process.stopwatch import family_seconds
from workers.engines import seccomp
from workers.engines.engine_process import EXIT_SECONDS, EngineFailedError, EngineProcess

log = structlog.get_logger(__name__)

PROGRAMS = {"bwrap": "bubblewrap", "prlimit": "util-linux", "choom": "util-linux"}
"""The programs that a sandbox needs, and Debian's packages that have them."""

OLDEST_KERNEL = (5, 14)
"""Since then, the limit of threads counts for each user namespace."""

INSIDE = "/engine"
"""The path of the engine's folder in the sandbox."""

NOBODY = 65534
"""The user and the group of an engine; the kernel does not limit the threads of root."""

TEMPORARY_BYTES = 64 << 20
MOST_TEMPORARY_FILES = 10_000
MOST_OPEN_FILES = 64
STACK_BYTES = 8 << 20

LOOK_SECONDS = 0.05
"""The longest interval between two checks of an engine's memory."""

PROBE_SECONDS = 60.0

LAST_WORDS = 200
"""How many characters of an engine's standard error the reason of its failure may have."""

_MIB = 1 << 20
_SYSTEM_LINKS = ("bin", "lib", "lib32", "lib64", "sbin")
_DEVICES = ("null", "random", "urandom")
_ETC = ("alternatives", "ld.so.cache")  # without these, some programs of /usr are not found
_MEMORY = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")


class SandboxError(Exception):
    """There is no sandbox on this machine; the message has a sentence with the reason."""


class SandboxedProcess(EngineProcess):
    """The process of an engine in a sandbox. It is one process, which may have threads.

    It does not run between two questions. Raises SandboxError.
    """

    start = Limit(10.0)
    longest_look = LOOK_SECONDS

    def __init__(self, command: Sequence[str], folder: Path, limits: EngineLimits) -> None:
        self._name = folder.name
        self._limits = limits
        need_programs()
        with _Filter() as filter_:
            super().__init__(
                command_line(command, folder, limits, filter_),
                {},
                stderr=subprocess.PIPE,
                pass_fds=[filter_],
                **_identity(),
            )

    def wake(self) -> None:
        """Let the engine run."""
        self._signal(signal.SIGCONT)

    def rest(self) -> None:
        """Stop the engine until it is asked again; log what it has written to standard error."""
        self._signal(signal.SIGSTOP)
        if self.pipes.complaints:
            log.info("engine_wrote", engine=self._name, text=self._complaints())
            self.pipes.complaints = b""

    def spent_ns(self) -> int:
        """Return the processor time of all that is in the sandbox, as far as it is known."""
        with suppress(OSError):
            self._spent_ns = max(self._spent_ns, round(1e9 * family_seconds(self.process.pid)))
        return self._spent_ns

    def end(self) -> None:
        """Kill all that is in the sandbox; a second call does nothing."""
        if self.process.returncode is None:
            # With its first process, the kernel ends all others of the sandbox, and bwrap sees it.
            for first in procfs.children(self.process.pid):
                with suppress(OSError):
                    os.kill(first, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(EXIT_SECONDS)
                self.pipes.close()
        super().end()

    def judge(self) -> None:
        """Raise EngineFailedError if the engine uses too much memory or has too many files."""
        pid = self._pid()
        if pid is None:
            return
        used = _memory(pid)
        if used > self._limits.memory_mb * _MIB:
            raise EngineFailedError(f"it uses more than {self._limits.memory_mb} MB of memory")
        with suppress(OSError):
            found = os.statvfs(f"/proc/{pid}/root/tmp")
            if found.f_files - found.f_ffree > MOST_TEMPORARY_FILES:
                raise EngineFailedError(f"it has more than {MOST_TEMPORARY_FILES} temporary files")

    def _pid(self) -> int | None:
        """Return the engine's own process: the child of bwrap's child; None before there is one."""
        for first in procfs.children(self.process.pid):
            for second in procfs.children(first):
                return second
        return None

    def _signal(self, number: int) -> None:
        with suppress(OSError):
            if not self.has_ended() and (pid := self._pid()) is not None:
                os.kill(pid, number)

    def _ended_with(self, code: int) -> str:
        """Return a sentence for an exit code; bwrap adds 128 to the number of a signal."""
        with suppress(ValueError):
            return f"its process ended with {signal.Signals(code - 128).name}"
        told = self._complaints()
        return super()._ended_with(code) + (f": {told[-LAST_WORDS:]}" if told else "")

    def _complaints(self) -> str:
        """Return what the engine has written to its standard error, on one line."""
        told = self.pipes.complaints.decode(errors="replace")
        return "".join(char if char.isprintable() else " " for char in told).strip()


def command_line(
    command: Sequence[str], folder: Path, limits: EngineLimits, filter_: int
) -> list[str]:
    """Return the command line that runs ``command`` in ``folder``, in a sandbox.

    ``filter_`` is an open file with the filter of system calls. When this process ends, the kernel
    kills bwrap. When bwrap ends, the kernel kills every process in the sandbox.
    """
    return [
        "choom", "-n", "1000", "--",  # when memory runs out, engines are killed first
        "bwrap",
        "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
        "--unshare-cgroup-try", "--die-with-parent", "--new-session",
        "--uid", str(NOBODY), "--gid", str(NOBODY), "--cap-drop", "ALL", "--hostname", "engine",
        *_system(),
        *(word for name in _ETC for word in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")),
        *(word for name in _DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
        "--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp",  # noqa: S108 - the sandbox's own
        "--ro-bind", str(folder), INSIDE, "--chdir", INSIDE,
        "--proc", "/proc", "--remount-ro", "/proc", "--remount-ro", "/",
        "--seccomp", str(filter_), "--",
        # These limits apply inside: outside, bwrap itself would need threads.
        "env", "-i",
        "prlimit", f"--nproc={limits.threads + 1}", f"--data={limits.memory_mb * _MIB}",
        f"--nofile={MOST_OPEN_FILES}", f"--stack={STACK_BYTES}", "--core=0", "--memlock=0",
        "--sigpending=64", "--nice=0", "--rtprio=0", "--",
        *command,
    ]  # fmt: skip


def probe(folder: Path, limits: EngineLimits) -> None:
    """Check that engines in ``folder`` can be run in a sandbox here. Raises SandboxError."""
    need_programs()
    with _Filter() as filter_:
        try:
            found = subprocess.run(
                command_line(["true"], folder, limits, filter_),
                env={},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_SECONDS,
                check=False,
                pass_fds=[filter_],
                **_identity(),
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise SandboxError(f"bubblewrap does not work here: {error}") from None
    if found.returncode:
        told = found.stderr.decode(errors="replace").strip() or f"exit code {found.returncode}"
        raise SandboxError(f"bubblewrap does not work here: {told}")


def need_programs() -> None:
    """Check that this machine has what a sandbox needs. Raises SandboxError."""
    missing = {package for program, package in PROGRAMS.items() if which(program) is None}
    try:
        seccomp.program()
    except seccomp.NoSeccompError:
        missing.add("libseccomp2")
    if missing:
        raise SandboxError(
            "there is no sandbox, because programs are missing: install"
            f" {' and '.join(sorted(missing))}"
        )
    kernel = tuple(map(int, os.uname().release.split(".")[:2]))
    if kernel < OLDEST_KERNEL:
        raise SandboxError(f"the sandbox needs Linux 5.14 or newer, not {os.uname().release}")


def _system() -> list[str]:
    """Return the arguments that make the system's programs and libraries visible in the sandbox."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    return words


def _identity() -> dict[str, Any]:
    """Return the arguments with which Popen starts a process as the user nobody.

    Only root can do that, so for any other user there are no arguments.
    """
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def _memory(pid: int) -> int:
    """Return the memory of a process and its page tables in bytes; 0 if it has ended."""
    kilobytes = 0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            if line.startswith(_MEMORY):
                kilobytes += int(line.split()[1])
    return 1024 * kilobytes


class _Filter:
    """The filter of system calls, as an open file. A child process may inherit the file."""

    def __enter__(self) -> int:
        self._file = os.memfd_create("seccomp", 0)
        os.write(self._file, seccomp.program())
        os.lseek(self._file, 0, os.SEEK_SET)
        return self._file

    def __exit__(self, *_error: object) -> None:
        os.close(self._file)
