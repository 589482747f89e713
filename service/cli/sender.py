"""``lonja sender``: the process that sends to webhooks."""

import click

from service.cli import common

SENDER = (*common.PYTHON, "gevent.monkey", "--module", "workers.sender")
"""Its command line; by its name, because the service never imports its workers.

On gevent, a receiver that is waited for holds no thread.
"""


@click.command("sender", short_help="Send to webhooks.")
def command() -> None:
    """Send what happens in players' games to their webhooks.

    One is enough; with two, nothing waits when a machine fails. SIGTERM ends it once what is being
    sent has been answered, after ten seconds at most.
    """
    common.run_on_redis(*SENDER)
