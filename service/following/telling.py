"""The consumer that writes players' notices, and wakes the processes that send them.

A notice is never written twice, because the script that writes it first looks for an identical one.
If a feed has dropped the entry of a notice, the notice is made again from the game's stream. The
function that made the first notice makes this one, too. So the two notices are identical byte for
byte.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import groupby
from typing import Any

import orjson
import structlog
from redis import Redis

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.instants import to_ms
from service.clock import TOLERANCE_MS
from service.following.consumer import Lead, LostLeadError, Renewed, StreamAdvance
from service.ids import is_tournament
from service.ledger import notices
from service.ledger.damage import GameDamagedError
from service.ledger.feeds import TOLD
from service.ledger.ledger import GameNotFoundError, Ledger, RewoundError, is_for_players
from service.ledger.notices import LISTENERS, Notice, notices_key
from service.ledger.vault import VaultError
from service.metrics import NOTICES
from service.redis.commands import Commands, Word, checked
from service.redis.scripts import Script

log = structlog.get_logger(__name__)

_SCRIPT = resources.files("service.following").joinpath("tell.lua").read_text()
_TOLD_KEPT = 1_000
"""Maximum length of the feed of notified players; readers that miss entries check all players."""


class NoticeWriter:
    """Writes the notices of a store's players."""

    name = "notices"

    def __init__(self, redis: Redis, ledger: Ledger) -> None:
        self._ledger = ledger
        self._commands = Commands(redis)
        self._script = Script(redis, _SCRIPT)

    def take(self, news: Sequence[StreamAdvance], lead: Lead) -> None:
        """Write the notices of these advances."""
        found: list[tuple[int, Notice]] = []
        for moved in news:
            if not moved.notices:
                continue
            try:
                found += ((moved.at, notice) for notice in notices.load(moved.notices))
            except (TypeError, ValueError):  # an older release wrote them in another form
                log.error("notices_unreadable", stream=moved.stream_id)  # noqa: TRY400 - as said
        self._tell(found, lead)

    def missed(self, stream_id: str, since: int, lead: Lead) -> None:
        """Write the notices that a game has had since ``since`` (ms since 1970).

        They are the notices about events, and the notices about decisions whose time is running
        out.
        """
        if is_tournament(stream_id):
            return
        try:
            found = [*self._of_events(stream_id, since)]
        except (
            GameDamagedError, GameNotFoundError, RewoundError, UnknownRulesetError, VaultError,
        ) as error:  # fmt: skip
            log.warning("notices_missed", game=stream_id, error=type(error).__name__)
        else:
            told = ((to_ms(notice.body["at"]), notice) for notice in found)
            self._tell(told, lead, TOLERANCE_MS)

    def is_durable(self, renewed: Renewed) -> bool:
        """Return that all is written at once."""
        return True

    def _of_events(self, game_id: str, since: int) -> Iterable[Notice]:
        table = self._ledger.table(game_id)
        game = table.game
        if not is_for_players(game) or table.damage is not None:
            return
        events = [event for event, _prev in self._ledger.history(game, 0, game.version)]
        known = sum(to_ms(event.at) < since for event in events)
        moments = self._ledger.moments(game, known, game.version)
        terms = self._ledger.terms(game)
        for _last, batch in groupby(moments, lambda moment: moment.event.last):
            first, *others = batch
            newest = others[-1] if others else first
            happened = [first.event, *(moment.event for moment in others)]
            yield from notices.of_batch(first.before, newest.game, happened, terms).told
        yield from notices.low_clocks(game, since, self._ledger.store.clock.now_ms())

    def _tell(self, found: Iterable[tuple[int, Notice]], lead: Lead, off: int = 0) -> None:
        """Write the notices in ``found`` that are not written yet.

        Each notice comes with the time (ms since 1970) of what happened. This time may be wrong by
        ``off`` (ms). So the script takes an identical notice for the same one if it was written at
        most ``off`` before this time, or later.
        """
        by_player: dict[str, list[tuple[int, Notice]]] = {}
        for at, notice in found:
            by_player.setdefault(notice.player, []).append((at, notice))
        listening = self._listening([*by_player])
        if not listening:
            return
        answers = self._script.each(
            ([notices_key(player)], [lead.until, off, *_words(by_player[player])])
            for player in listening
        )
        if None in answers:
            raise LostLeadError("the lease was over before all was told")
        newest: list[Word] = []
        for player in listening:
            newest += by_player[player][-1][0], player
        self._ask(
            ("ZADD", LISTENERS, "XX", *newest),
            ("XADD", TOLD, "MAXLEN", "~", _TOLD_KEPT, "*", "p", " ".join(listening)),
        )
        NOTICES.inc(sum(bool(id_) for ids in answers for id_ in ids))

    def _listening(self, players: Sequence[str]) -> list[str]:
        """Return the players whose notices are kept or who have webhooks; most have neither."""
        if not players:
            return []
        kept = [("EXISTS", notices_key(player)) for player in players]
        *are_kept, hooked = self._ask(*kept, ("ZMSCORE", LISTENERS, *players))
        told = zip(players, are_kept, hooked, strict=True)
        return [player for player, is_kept, since in told if is_kept or since is not None]

    def _ask(self, *commands: Sequence[Word]) -> list[Any]:
        return checked(self._commands.ask(*commands))


def _words(told: Iterable[tuple[int, Notice]]) -> Iterator[Word]:
    """Yield the time, the kind and the body of each notice, as the script reads them."""
    for at, notice in told:
        yield from (at, notice.kind, orjson.dumps(notice.body))
