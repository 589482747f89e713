"""``lonja sender``: the process that sends to webhooks and browsers."""

import click

from service.cli import common

SENDER = (*common.PYTHON, "gevent.monkey", "--module", "workers.sender")
"""The command line of the sender. It names the module, because the service never imports its
workers.

With gevent no thread is blocked while it waits for a receiver.
"""


@click.command("sender", short_help="Send to webhooks and browsers.")
def command() -> None:
    """Send notices of players' games to their webhooks and browsers.

    One sender is enough; with two, sending continues when a machine fails. SIGTERM ends a sender
    once open requests are answered, after ten seconds at most.
    """
    common.run_on_redis(*SENDER)
