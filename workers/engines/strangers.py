"""The engines of strangers (``LONJA_ENGINES``): each game and seat has a process of its own.

It runs in a sandbox, so an engine can carry nothing from one game to another, nor from one seat to
another; except the programs that the operator trusts, which have no sandbox.
"""

from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from service.catalogue.engines import BadFolderError, FolderWatch, ForeignEngine
from service.process.limits import StoppedError, TookTooLongError
from service.settings import SettingsError
from workers.engines import modules, pool, sandbox
from workers.engines.engine import Engine
from workers.engines.engine_process import EngineFailedError, EngineProcess
from workers.engines.sandbox import SandboxedProcess, SandboxError

MOST_PROCESSES = 6
"""How many processes of engines a worker keeps; when it needs another one, it ends the one that has
rested longest. Questions contain all that an engine needs, so nothing is lost.
"""


class EngineMissingError(Exception):
    """The engine cannot run here, or its folder does not have the digest that was configured."""

    def __init__(self, engine: ForeignEngine, reason: str) -> None:
        super().__init__(f"engine {engine.name}@{engine.version}: {reason}")
        self.reason = reason


class _Place(NamedTuple):
    """The key of an engine in the pool: who plays which seat of which game."""

    name: str
    version: str
    game: str
    seat: Seat


_used: OrderedDict[_Place, None] = OrderedDict()
_watches: dict[Path, FolderWatch] = {}


def of(engine: ForeignEngine, game_id: str, seat: Seat) -> Engine:
    """Return the engine for a seat of a game. Its ``ask`` raises EngineMissingError, too."""

    def start() -> EngineProcess:
        need(engine)
        try:
            if not engine.sandboxed:
                environment = modules.own_environment()
                return EngineProcess(engine.command, environment, cwd=engine.folder)
            return SandboxedProcess(engine.command, engine.folder, engine.limits)
        except (SandboxError, OSError) as error:
            raise EngineMissingError(engine, str(error)) from None

    key = _Place(engine.name, engine.version, game_id, seat)
    _used[key] = None
    _used.move_to_end(key)
    while len(_used) > MOST_PROCESSES:
        oldest, _ = _used.popitem(last=False)
        pool.close(oldest)
    return pool.engine(key, start)


def repeats(engine: ForeignEngine, game_id: str, seat: Seat) -> bool:
    """Whether an engine says that it is deterministic; False if it does not start.

    Raises EngineMissingError.
    """
    running = of(engine, game_id, seat)
    try:
        running.start()
    except (EngineFailedError, TookTooLongError, StoppedError):
        return False
    return running.hello.get("deterministic") is True


def need(engine: ForeignEngine) -> None:
    """Check that the content of an engine's folder has the digest that was configured.

    Raises EngineMissingError.
    """
    try:
        found = _watches.setdefault(engine.folder, FolderWatch(engine.folder)).digest()
    except BadFolderError as error:
        raise EngineMissingError(engine, str(error)) from None
    if found != engine.digest:
        raise EngineMissingError(
            engine, f"the folder {engine.folder} has the digest {found}, not {engine.digest}"
        )


def trouble(engine: ForeignEngine, registry: Registry) -> str | None:
    """Return the reason why an engine cannot be run here, None if it can."""
    known = [ruleset.info.id for ruleset in registry]
    for ruleset in engine.rulesets or ():
        if ruleset not in known:
            return f"there is no ruleset {ruleset!r}; there are {', '.join(known)}"
    try:
        need(engine)
        if engine.sandboxed:
            sandbox.probe(engine.folder, engine.limits)
    except EngineMissingError as error:
        return error.reason
    except SandboxError as error:
        return str(error)
    return None


def need_all(engines: Iterable[ForeignEngine], registry: Registry) -> None:
    """Check that all engines can be run here. Raises SettingsError."""
    reasons = [(engine.name, trouble(engine, registry)) for engine in engines]
    troubles = [f"LONJA_ENGINES: {name}: {reason}." for name, reason in reasons if reason]
    if troubles:
        raise SettingsError("\n".join(troubles))
