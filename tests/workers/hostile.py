"""Engines that attack what is around them, and what becomes of them in a sandbox."""

import os
import pickle
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from service.catalogue.engines import EngineLimits
from service.process.limits import Limit
from workers.engines.engine import Engine
from workers.engines.protocol import EngineAnswer
from workers.engines.sandbox import SandboxedProcess

T = TypeVar("T")

SOMEBODY = 65533
"""A user without rights."""

GREETING = """
import ctypes, json, mmap, os, resource, signal, socket, sys, threading, time

def answer(**thoughts):
    told = {"id": question["id"], "move": 0, "thoughts": thoughts}
    print(json.dumps({"answer": told}), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print(json.dumps({"hello": {"protocol": 1, "deterministic": True}}), flush=True)
    else:
        question = message["question"]
        break
"""
"""What each engine does first: it says hello, and waits for a question."""

DELIVERED = """
for line in sys.stdin:
    question = json.loads(line)["question"]
    answer(again=1)
"""
"""What an engine does that goes on to play."""

PROGRAMS = {
    "forks": "while True: os.fork()",
    "forks and does not mind": """
while True:
    try: os.fork()
    except OSError: pass
""",
    "starts threads": """
count = 1
try:
    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        count += 1
except RuntimeError:
    answer(threads=count)
""",
    "takes 10 GB": "taken = b'1' * (10 << 30)",
    "takes 10 GB that do not count": """
c = ctypes.CDLL(None)
c.mmap.restype = ctypes.c_void_p
c.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
c.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
for _ in range(640):
    at = c.mmap(None, 16 << 20, 3, 0x22, -1, 0)
    ctypes.memset(at, 1, 16 << 20)
    c.mprotect(at, 16 << 20, 1)
""",
    "shares memory": "mmap.mmap(-1, 1 << 20)",
    "never ends": "while True: pass",
    "never ends, in C": "sum(iter(int, 1))",
    "catches everything": """
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    "ignores signals": """
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
""",
    "sleeps": "time.sleep(1000)",
    "prints a gigabyte": "for _ in range(1 << 14): sys.stdout.write('x' * (1 << 16))",
    "complains by the gigabyte": "for _ in range(1 << 14): sys.stderr.write('x' * (1 << 16))",
    "prints line by line": "while True: print('{}')",
    "fills the disk": """
written = 0
try:
    with open("/tmp/big", "wb", buffering=0) as file:
        while written < 1 << 30:
            written += file.write(b"1" * (1 << 16))
except OSError as error:
    answer(bytes=written, error=error.errno)
""",
    "makes files": """
for number in range(10_000_000):
    os.mkdir(f"/tmp/{number}")
""",
    "kills everybody": """
killed = []
for pid in (-1, *range(1, 65536)):
    if pid not in (os.getpid(), -1):
        try:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
        except OSError: pass
answer(killed=killed, own=os.getpid(), parent=os.getppid())
""" + DELIVERED,
    "kills itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "leaves": "os._exit(0)",
    "crashes": "ctypes.string_at(1)",
    "calls out": """
refused = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
    try: socket.socket(family)
    except OSError as error: refused.append(error.errno)
answer(refused=refused)
""",
    "asks for more": """
for limit in (resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
    try: resource.setrlimit(limit, (1 << 40, 1 << 40))
    except (OSError, ValueError): pass
c = ctypes.CDLL(None, use_errno=True)
calls = {  # by their numbers on x86-64
    "mount": 165, "ptrace": 101, "unshare": 272, "keyctl": 250, "bpf": 321, "setns": 308,
    "memfd_create": 319, "io_uring_setup": 425, "process_vm_readv": 310, "perf_event_open": 298,
}
got = [name for name, number in calls.items() if c.syscall(number, 0, 0, 0, 0, 0) != -1]
answer(got=got, memory=resource.getrlimit(resource.RLIMIT_DATA)[1],
       files=resource.getrlimit(resource.RLIMIT_NOFILE)[1])
""",
    "works between questions": """
worked = [0]
def work():
    while True: worked[0] += 1
threading.Thread(target=work, daemon=True).start()
answer()
for line in sys.stdin:
    question = json.loads(line)["question"]
    answer(seconds=round(time.process_time()))
""",
    "looks around": """
def look(top):
    for above, folders, files in os.walk(top):
        for name in files:
            try:
                with open(os.path.join(above, name), "rb") as file: file.read(1)
                yield os.path.join(above, name)
            except OSError: pass

def may_write(folder):
    try:
        with open(os.path.join(folder, "mine"), "w") as file: file.write("1")
        return True
    except OSError: return False

system = {"usr", "bin", "lib", "lib32", "lib64", "sbin", "proc"}
files = [path for top in sorted(set(os.listdir("/")) - system) for path in look("/" + top)]
folders = ("/", "/dev", "/etc", "/engine", "/tmp", "/proc/self", "/usr", "/usr/bin")
bounds = [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapBnd")]
answer(
    top=sorted(os.listdir("/")), files=sorted(files), writable=[*filter(may_write, folders)],
    environment=[name for name in os.environ if name != "LC_CTYPE"],  # Python sets it
    descriptors=[int(name) for name in os.listdir("/proc/self/fd")][:-1],
    kinds=[os.readlink(f"/proc/self/fd/{number}").split(":")[0] for number in range(3)],
    processes=sorted(int(name) for name in os.listdir("/proc") if name.isdigit()), own=os.getpid(),
    user=os.getuid(), groups=sorted({os.getgid(), *os.getgroups()}),
    networks=[line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]],
    capabilities=bounds, found=[path for path in WANTED if os.path.exists(path)],
)
""",
}  # fmt: skip
"""Each engine, by what it does when it is asked."""


class Outcome(NamedTuple):
    """What became of an engine."""

    error: str
    """The error's type; empty if the engine answered."""
    told: str
    """The error's text."""
    thoughts: dict[str, Any]
    seconds: float
    spent: float
    """Processor seconds."""


@contextmanager
def folder_of(program: str, wanted: tuple[str, ...] = ()) -> Iterator[Path]:
    """Make the folder of an engine, which everybody may read."""
    folder = Path(tempfile.mkdtemp(prefix="engine-", dir="/tmp"))
    try:
        (folder / "engine.py").write_text(f"{GREETING}\nWANTED = {wanted!r}\n{PROGRAMS[program]}\n")
        folder.chmod(0o755)
        (folder / "engine.py").chmod(0o644)
        yield folder
    finally:
        shutil.rmtree(folder)


def engine_in(folder: Path, meanwhile: Callable[[], None] = lambda: None) -> Engine:
    """Return an engine in a sandbox."""
    limits = EngineLimits(memory_mb=128, threads=8)
    command = ["python3", "engine.py"]
    return Engine(lambda: SandboxedProcess(command, folder, limits), meanwhile)


def face(program: str, seconds: float, wanted: tuple[str, ...] = ()) -> Outcome:
    """Ask an engine once, with so many processor seconds; return what became of it."""
    with folder_of(program, wanted) as folder:
        engine = engine_in(folder)
        began = time.monotonic()
        error, thoughts = None, {}
        try:
            answered: EngineAnswer = engine.ask({"legal": [Move().to_json()]}, Limit(seconds))
            thoughts = answered.thoughts
        except BaseException as raised:  # noqa: BLE001 - some of them are no Exception
            error = raised
        finally:
            engine.close()
        return Outcome(
            "" if error is None else type(error).__name__,
            "" if error is None else str(error),
            thoughts,
            time.monotonic() - began,
            engine.spent_ns / 1e9,
        )


class Move:
    """The only legal move."""

    def to_json(self) -> dict[str, str]:
        return {"type": "pass"}


def as_user(user: int, call: Callable[[], T], *, always: bool = False) -> T:
    """Call as another user, in another process, which there is ``always`` if wanted.

    As somebody else than root, nobody can be another user. Raises EOFError: the process was killed.
    """
    other = os.geteuid() == 0 and user != 0
    if not (other or always):
        return call()
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which the child lacks
        child = os.fork()
    if child == 0:
        try:
            if other:
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            os.write(writer, pickle.dumps(call()))
        except BaseException as error:  # noqa: BLE001 - it ends here
            os.write(writer, pickle.dumps(RuntimeError(repr(error))))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        said = told.read()
    os.waitpid(child, 0)
    found = pickle.loads(said)
    if isinstance(found, RuntimeError):
        raise found
    return found  # type: ignore[no-any-return]
