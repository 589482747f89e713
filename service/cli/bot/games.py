"""Games that a bot opens to test itself, one after the other."""

from collections.abc import Sequence

from lonja_client import ME, Client, Message, bot

from rules.kernel.canonical import JsonObject


class OwnGames:
    """Opens ``number`` games of ``ruleset`` against bots of the service, with a ``clock``."""

    def __init__(
        self,
        player: Client,
        number: int,
        ruleset: str,
        bots: Sequence[str],
        clock: JsonObject,
    ) -> None:
        self._player = player
        self._left = number
        self._ruleset = ruleset
        self._bots = bots
        self._clock = clock
        self._game = ""

    @property
    def opened(self) -> bool:
        """Whether a game was opened."""
        return bool(self._game)

    def open_next(self) -> str | None:
        """Open a game and return its id; None if all were played. Raises LonjaError."""
        if not self._left:
            return None
        self._left -= 1
        holders = [ME, *map(bot, self._others())]
        self._game = self._player.open(self._ruleset, holders, **self._clock).id
        return self._game

    def ended(self, message: Message) -> JsonObject | None:
        """Return the game that was opened last, if a message says that it is over.

        Raises LonjaError.
        """
        if message.event == "resync" and self._game:
            found = self._player.table(self._game).game()
            return {**found} if found["status"] in ("ended", "aborted") else None
        if message.event == "ended" and message.data["game_id"] == self._game:
            return {**self._player.table(self._game).game()}
        return None

    def _others(self) -> list[str]:
        """Return bots for the other seats, at least as many as the game needs.

        If too few bots were named, the last one takes several seats.
        """
        needed = self._player.get(f"/rulesets/{self._ruleset}")["min_seats"] - 1
        return [*self._bots, *[self._bots[-1]] * (needed - len(self._bots))]
