"""``lonja worker``: one worker process."""

import sys

import click

from service.catalogue.bots import LIVE
from service.cli import common, console, parameters
from service.turns.queue import QUEUES

WORKER = (*common.PYTHON, "workers.worker")
"""The command line of a worker's process; the service itself never imports its workers."""


@click.command("worker", short_help="Run one worker.")
@click.option("--burst", is_flag=True, help="Stop when the queue is empty.")
@click.option(
    "--queue",
    type=parameters.NearestChoice(QUEUES),
    default=LIVE,
    show_default=True,
    help="Which turns to play: in live games, of bots that think for seconds, or in tournaments.",
)
@click.option("--exhibit", is_flag=True, help="Keep an exhibition game between bots going.")
def command(*, burst: bool, queue: str, exhibit: bool) -> None:
    """Run one worker, which plays the bots' seats and watches the clocks.

    Run as many workers as you like, on any machine that reaches the service's Redis. SIGTERM ends a
    worker after its current move.
    """
    common.local_settings()  # raises if there is no service to work for
    if sys.stderr.isatty():
        console.say(
            f"Works on the queue `{queue}`. Ctrl-C ends it after the move that it is at; what is"
            " left waits for other workers, or for the next `lonja worker`.",
            err=True,
        )
    common.run_on_redis(*WORKER, *["--burst"] * burst, "--queue", queue, *["--exhibit"] * exhibit)
