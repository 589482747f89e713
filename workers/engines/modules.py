"""The engines of bots that are Python modules: one for each module."""

import os
import sys

from service.settings import Settings
from workers.engines import pool
from workers.engines.engine import Engine
from workers.engines.engine_process import EngineProcess

ANSWERING = "workers.engines.answering"
"""The command line of an engine's process."""

_rules: dict[str, str] = {}


def of(module: str) -> Engine:
    """Return the engine of a bot's module."""
    command = [sys.executable, "-P", "-m", ANSWERING, module]
    return pool.engine(module, lambda: EngineProcess(command, environment()))


def environment() -> dict[str, str]:
    """Return the environment of an engine: the paths of code and of installed rules.

    The environment has none of the service's settings, such as the store's address.
    """
    return {**own_environment(), **_rules, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def own_environment() -> dict[str, str]:
    """Return the environment of this process without the service's settings."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LONJA_", "REDIS_", "NOTIFY_"))
    }


def know_rules(settings: Settings) -> None:
    """Note the rulesets that ``settings`` install, so that engines find them."""
    told = {
        "LONJA_EXTRA_RULESETS": ",".join(settings.extra_rulesets),
        "LONJA_EDITIONS": ",".join(map(str, settings.editions)),
    }
    if told != _rules:
        pool.close_all()
        _rules.update(told)
