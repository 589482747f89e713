"""The seeks of a bot that runs: each is made anew when it has ended."""

import threading
from collections.abc import Sequence
from contextlib import suppress

from lonja_client import Client, LonjaError

LOOK_SECONDS = 5.0
"""Interval at which the bot looks whether its seeks still wait."""
SECONDS = 3_600
"""Time for which a seek waits."""


class StandingSeeks:
    """Seeks games of these rulesets and numbers of seats, again and again.

    The service matches a bot account while it plays fewer games than its ``concurrency``. Any other
    player seeks only while it plays none.
    """

    def __init__(self, player: Client, wanted: Sequence[tuple[str, int]]) -> None:
        self._player = player
        self._wanted = wanted
        self._is_account = player.me()["key"]["scope"] == "bot"

    def begin(self) -> None:
        """Seek, and go on in the background. Raises LonjaError if the service refuses a seek."""
        self.renew()
        threading.Thread(target=self._go_on, name="seeks", daemon=True).start()

    def renew(self) -> None:
        """Make those seeks that do not wait. Raises LonjaError."""
        if not self._is_account and any(self._player.games(player="me", status="running")):
            return
        waiting = self._player.get("/seeks", player="me")["seeks"]
        known = {(seek["ruleset"], seek["seats"]) for seek in waiting}
        for ruleset, seats in self._wanted:
            if (ruleset, seats) not in known:
                self._player.post(
                    "/seeks", {"ruleset": ruleset, "seats": seats, "seconds": SECONDS}
                )

    def _go_on(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            with suppress(LonjaError):  # the next look tries again
                self.renew()
