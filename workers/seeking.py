"""The seeks of a store, as a worker matches them."""

from service.games.listing import GameList
from service.games.seeks import Seeks
from service.players.bot_accounts import BotAccounts
from service.players.keys import PlayerKeys
from service.players.players import Players
from service.runtime import Runtime
from workers.admission import admission_of


def seeks_of(runtime: Runtime) -> Seeks:
    """Return the seeks of a runtime's store."""
    redis, now_ms = runtime.redis, runtime.ledger.store.clock.now_ms
    games = GameList(redis, runtime.ledger)
    bots = BotAccounts(redis, Players(redis), PlayerKeys(redis, now_ms), now_ms)
    admission, usual = admission_of(runtime), runtime.settings.decision_seconds
    return Seeks(redis, runtime.tables, runtime.player_ratings, games, bots, admission, usual)
