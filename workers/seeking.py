"""The seeks of a store, as a worker matches them."""

from service.games.admission import Admission
from service.games.listing import GameList
from service.games.seeks import Seeks
from service.players.bot_accounts import BotAccounts
from service.players.keys import PlayerKeys
from service.players.players import Players
from service.runtime import Runtime


def seeks_of(runtime: Runtime) -> Seeks:
    """Return the seeks of a runtime's store."""
    redis, store = runtime.redis, runtime.ledger.store
    now_ms = store.clock.now_ms
    games = GameList(redis, runtime.ledger)
    bots = BotAccounts(redis, Players(redis), PlayerKeys(redis, now_ms), now_ms)
    admission = Admission(
        redis, store, games, runtime.director, runtime.health, runtime.settings, runtime.jobs
    )
    usual = runtime.settings.decision_seconds
    return Seeks(redis, runtime.tables, runtime.player_ratings, games, bots, admission, usual)
