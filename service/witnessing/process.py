"""The process of a witness: ``python -m gevent.monkey --module … FOLDER HOST PORT PER_MINUTE``."""

import os
import signal
import sys
from pathlib import Path

import gevent
import structlog
from gevent.event import Event

from service import settings
from service.process import logs
from service.process.notify import READY, notify
from service.settings import SettingsError
from service.witnessing.errors import OldStateError, UnusableError
from service.witnessing.folder import WitnessFolder
from service.witnessing.http import ListenAddress, server
from service.witnessing.rates import Rates
from service.witnessing.rotation_check import RotationCheck
from service.witnessing.state_check import StateCheck
from service.witnessing.witness import Witness

log = structlog.get_logger(__name__)

RETRY_SECONDS = 30.0
"""Time after which those are asked again who did not answer, or whose keys may be new."""
OLD_STATE = 3
"""The exit code if the state is older than what was co-signed: starting again does not help."""
_END_SECONDS = 5.0


def run(folder: WitnessFolder, listening: ListenAddress, per_minute: int) -> None:
    """Co-sign until SIGTERM or SIGINT.

    Raises:
        UnusableError: a file cannot be used, or another process listens.
        OldStateError: the state is an older one.
    """
    key, policy, state = folder.key(), folder.policy(), folder.state()
    witness = Witness(policy, key, state, Rates(per_minute))
    check, rotations = StateCheck(witness), RotationCheck(witness)
    for one in policy.logs:
        if one not in policy.urls:
            log.warning("no_url", origin=one.name, reason="nobody can be asked what was co-signed")
    rotations.ask()  # first, for what is shown may be signed by new keys
    asked = check.ask()
    serving = server(listening, witness)
    try:
        serving.start()
    except OSError as error:
        raise UnusableError(f"{listening} cannot be listened at: {error.strerror}.") from None
    stopping = Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(each, stopping.set)
    log.info(
        "witness_begun", key=str(key.verifier), listening=str(listening), logs=len(policy.logs)
    )
    notify(READY)
    while not stopping.wait(RETRY_SECONDS):
        rotations.ask()
        asked = asked or check.ask()
    serving.stop(_END_SECONDS)
    state.close()


def main() -> int:
    """Run with the arguments and the environment; return the exit code."""
    folder, host, port, per_minute = sys.argv[1:]
    try:
        logs.configure(settings.load(os.environ))
        run(WitnessFolder(Path(folder)), ListenAddress(host, int(port)), int(per_minute))
    except (SettingsError, UnusableError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OldStateError as error:
        sys.stderr.write(f"{error}\n")
        return OLD_STATE
    return 0


if __name__ == "__main__":
    sys.exit(main())
