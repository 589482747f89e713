"""Starts a process: settings, logging, the store, and the exit code if any of these fails."""

import os
import sys
import time
from collections.abc import Callable

import structlog
from redis.exceptions import RedisError

from service import settings
from service.process import logs
from service.process.notify import WATCHDOG, notify
from service.redis.client import UnsuitableServerError
from service.runtime import Runtime, open_for_play
from service.settings import Settings
from workers.port import PortTakenError

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 1.0
"""Seconds between two attempts to reach a Redis that does not answer."""


def exit_code_of(work: Callable[[Settings], None]) -> int:
    """Do ``work`` with the environment's settings; if an error prevents it, print the error."""
    try:
        found = settings.load(os.environ)
        logs.configure(found)
        work(found)
    except settings.SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (UnsuitableServerError, PortTakenError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except RedisError as error:
        sys.stderr.write(f"The Redis at REDIS_URL does not answer: {error}\n")
        return 1
    except KeyboardInterrupt:  # the signal came before its handler was installed
        return 0
    return 0


def open_store(found: Settings, *, wait: bool) -> Runtime:
    """Open the store and what depends on it; if ``wait``, wait until Redis answers."""
    while True:
        try:
            return open_for_play(found, announce=False)
        except RedisError as error:
            if not wait:
                raise
            log.warning("store_unavailable", again_in=PAUSE_SECONDS, error=str(error))
            notify(WATCHDOG)
            time.sleep(PAUSE_SECONDS)
