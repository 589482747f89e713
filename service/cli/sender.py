"""``lonja sender``: the process that sends webhooks."""

import click

from service.cli import common

SENDER = (*common.PYTHON, "gevent.monkey", "--module", "workers.sender")
"""Its command line; by name, because the service never imports its workers.

On gevent, waiting for a receiver holds no thread.
"""


@click.command("sender", short_help="Send to webhooks.")
def command() -> None:
    """Send notices of players' games to their webhooks.

    One is enough; with two, sending continues when a machine fails. SIGTERM ends it once open
    requests are answered, after ten seconds at most.
    """
    common.run_on_redis(*SENDER)
