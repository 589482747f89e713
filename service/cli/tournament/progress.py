"""Progress of a tournament."""

import sys
import time
from contextlib import ExitStack
from typing import Self

from redis.exceptions import RedisError
from rich.console import Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from rules.kernel.canonical import JsonObject
from service.cli import console
from service.cli.tournament import words
from service.cli.tournament.hosts import Host
from service.process.terminal import printable

LOOK_SECONDS = 1.0
_BAR = 40
HINT = "Ctrl-C stops watching, and says how to come back."
QUIET_SECONDS = 15.0
"""Seconds between lines of progress where the output cannot be redrawn."""


def announce(created: JsonObject, costs: JsonObject) -> None:
    """Print the plan, and how long its games take by the estimate of its ``costs``."""
    plan, planned = created["plan"], created["games"]["planned"]
    games = planned - created["games"]["played"]
    text = f"{created['id']}: {games} games of {plan['ruleset']}, {plan['seats']} seats"
    if games and costs["seconds"] is not None:
        text += f"; about {words.time_with(costs, costs['seconds'] * games / planned)}"
    console.say(text + ".", err=True)


class Progress:
    """Shows progress at intervals.

    On a terminal, the display is drawn again each time. Elsewhere, a line is printed each time.
    """

    def __init__(self, host: Host, tournament_id: str, hint: str = HINT) -> None:
        self._host = host
        self._hint = hint
        self._id = tournament_id
        self._began = time.monotonic()
        self._first: int | None = None
        self._next = 0.0
        self._last = ""
        self.found: JsonObject | None = None
        """The report that was seen last."""
        self._until_left = ExitStack()
        self._live = Live(
            console=console.watcher(),
            auto_refresh=False,
            redirect_stdout=False,
            # The bars vanish at the end, because the standard output then gets the same table.
            transient=sys.stdout.isatty(),
        )

    def __enter__(self) -> Self:
        if self._live.console.is_interactive:
            self._until_left.enter_context(console.unechoed())
            self._until_left.callback(self._live.stop)
            try:
                self._live.start()
            except KeyboardInterrupt:
                self._until_left.close()
                raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._until_left.close()

    def clear(self) -> None:
        """Stop drawing, and erase the display."""
        self._live.stop()

    def look(self) -> bool:
        """Update the display; return whether the tournament is over or paused by its host."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + LOOK_SECONDS
        try:
            found = self._host.report(self._id, wait=False)
        except RedisError:  # the store is restarting
            return False
        self.found = found
        over = found["status"] in ("ended", "cancelled") or words.is_given_up(found)
        line = self._line(found, now, over=over)
        if self._live.is_started:
            self._live.update(self._drawn(found, line), refresh=True)
        elif over or now - self._began >= QUIET_SECONDS or not self._last:
            if line != self._last:
                console.say(line, err=True)
            self._last = line
            self._next = now + (LOOK_SECONDS if over else min(QUIET_SECONDS, 5 * LOOK_SECONDS))
        return over

    def _drawn(self, found: JsonObject, line: str) -> Group:
        """Return the display.

        The table comes last, because a terminal with few lines cuts off the end.
        """
        games = found["games"]
        bar = ProgressBar(total=max(games["planned"], 1), completed=games["played"], width=_BAR)
        hint = Text(self._hint, "dim")
        return Group(Text(printable(line)), Padding(bar, 0), hint, words.table(found))

    def _line(self, found: JsonObject, now: float, *, over: bool) -> str:
        """Return a line with the progress, the speed and the time left."""
        played = found["games"]["played"]
        if self._first is None:
            self._first = played
        line = f"{played} of {found['games']['planned']} games, {found['status']}"
        if played > self._first:
            rate = (played - self._first) / (now - self._began)
            line += f", {rate:.1f} a second"
            if not over:
                left = (found["games"]["planned"] - played) / rate
                line += f", about {words.duration(left)} left"
        if found["waits_for"]:
            line += f", waiting: {found['waits_for']}"
        return line
