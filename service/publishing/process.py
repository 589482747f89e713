"""The process that builds the public log.

It imports little of the service, because nearly every installation runs it.
"""

import os
import signal
import sys
from threading import Event as Signal
from types import FrameType

import structlog
from redis.exceptions import RedisError

from service import settings
from service.following.follower import Follower
from service.ledger.store import Store
from service.ledger.vault import Vault
from service.process import logs
from service.process.notify import READY, notify
from service.publishing.builder import BLOCK_MS, GATHER_SECONDS, LEASE_MS, LogBuilder
from service.publishing.errors import UnfitError
from service.publishing.folder import FolderBusyError, LogFolder
from service.publishing.witnesses import Witnesses
from service.redis.client import UnsuitableServerError, make_client
from service.redis.format import check_format
from service.settings import Settings, SettingsError
from service.tlog.errors import TlogError
from service.tlog.policies import TrustPolicy

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0


class LogProcess:
    """Builds the log in the folder that settings name, until SIGTERM or SIGINT."""

    def __init__(self, found: Settings) -> None:
        """Raises SettingsError: ``found`` names no store, or no folder."""
        path = found.log_folder
        if found.redis_url is None or path is None:
            raise SettingsError(
                "The public log needs a Redis in REDIS_URL, and a folder in LONJA_PUBLIC_LOG."
            )
        self._settings = found
        self._path = path
        self._redis = make_client(found.redis_url)
        self._stopping = Signal()
        self._follower: Follower | None = None

    def run(self) -> None:
        """Build; wait while the store does not answer, or while another process has the folder."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        notify(READY)
        folder = self._folder()
        if folder is None:
            return
        found = self._settings
        store = Store(self._redis, Vault(found.secrets_key), replicas=found.replicas_to_wait)
        builder = LogBuilder(store, folder, witnesses=self._witnesses(folder))
        self._follower = Follower(
            self._redis,
            store,
            builder,
            block_ms=BLOCK_MS,
            gather_seconds=GATHER_SECONDS,
            lease_ms=LEASE_MS,
        )
        if not self._stopping.is_set():
            self._follower.run()
        if builder.witnesses is not None:
            builder.witnesses.close()
        folder.close()

    def _witnesses(self, folder: LogFolder) -> Witnesses | None:
        """Return the witnesses that the settings name. Raises SettingsError."""
        path = self._settings.witnesses
        if path is None:
            return None
        try:
            policy = TrustPolicy.parse(path.read_bytes())
            return Witnesses(policy, folder, self._redis)
        except (OSError, TlogError) as error:
            raise SettingsError(f"LONJA_WITNESSES: {path} cannot be used: {error}.") from None

    def _stop(self, _signum: int, _frame: FrameType | None) -> None:
        self._stopping.set()
        if self._follower is not None:
            self._follower.stop()

    def _folder(self) -> LogFolder | None:
        """Return the folder as soon as this process may have it; None if the process is to end."""
        complaint = ""
        while not self._stopping.is_set():
            try:
                check_format(self._redis)
                return LogFolder(self._path, self._settings.public_log_name)
            except (
                FolderBusyError,
                OSError,
                RedisError,
                UnfitError,
                UnsuitableServerError,
            ) as error:
                if str(error) != complaint:
                    complaint = str(error)
                    log.warning("public_log_waits", reason=complaint)
            self._stopping.wait(RETRY_SECONDS)
        return None


def main() -> int:
    """Build with the settings of the environment; return the exit code."""
    try:
        found = settings.load(os.environ)
        logs.configure(found)
        LogProcess(found).run()
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
