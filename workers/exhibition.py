"""The exhibition: a series of games between bots, one after the other, for everybody to watch."""

import secrets
from typing import Any

from rules.kernel.canonical import digest, encode
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from service.catalogue.bots import BOTS
from service.games.exhibition import GAME_KEY, NUMBER_KEY, OPENER, SERIES_KEY, current
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.store import RepeatedRequest
from service.ledger.terms import DEFAULT_TERMS, TableTerms
from service.redis.format import NEWEST, level_of
from service.runtime import Runtime

PACE_MS = 1_000
"""Pause between two moves, so that people can follow."""

SHOW_RESULT_MS = 30_000
"""Time after the end of a game until the next one begins."""

SEATS = 3
MAX_LEVEL = 2
"""Maximum level of the bots; stronger bots would keep a processor busy all the time."""

TAGGED = TableTerms(tags=("exhibition",))
"""Terms with the tag of exhibition games; not used while an older release uses the store."""


def pace_ms(game: Game) -> int:
    """Return the pause between two moves of a game: 0, except in an exhibition."""
    return PACE_MS if game.created_by == {"player": OPENER} else 0


def keep_going_if_room(runtime: Runtime) -> None:
    """Keep an exhibition game going, if the store has room for new games at the moment."""
    if runtime.health.nearly_full() is None:
        keep_going(runtime)


def keep_going(runtime: Runtime) -> str:
    """Return the id of the exhibition game; if the last game is over, create the next one.

    Several processes may do this at once. They create the game with the same idempotency key, so
    all of them get the same game.
    """
    game_id = current(runtime.redis)
    if game_id is not None:
        try:
            table = runtime.ledger.table(game_id)
        except (GameNotFoundError, GameDamagedError, UnknownRulesetError):
            pass
        else:
            game = table.game
            age = runtime.ledger.store.clock.now_ms() - to_ms(game.at)
            if table.damage is None and (not game.over or age < SHOW_RESULT_MS):
                return game_id
    number: Any = runtime.redis.get(NUMBER_KEY)
    game_id = _create(runtime, int(number or 0) + 1)
    runtime.redis.mset({GAME_KEY: game_id, NUMBER_KEY: int(number or 0) + 1})
    return game_id


def _create(runtime: Runtime, number: int) -> str:
    rulesets: list[Ruleset[Any]] = list(runtime.registry)
    ruleset = rulesets[number % len(rulesets)]
    info = ruleset.info
    seats = max(info.min_seats, min(SEATS, info.max_seats))
    offers = [offer for offer in BOTS.values() if (offer.level or 0) <= MAX_LEVEL]
    holders = [offers[-1 - (seat + number) % len(offers)].holder(ruleset) for seat in range(seats)]
    is_newest = level_of(runtime.redis) == NEWEST
    appended = runtime.tables.create(
        OPENER,
        info.id,
        {},
        list(holders),
        idempotency_key=f"exhibition {_series(runtime)} {number}",
        fingerprint=digest(encode(number)),
        terms=TAGGED if is_newest else DEFAULT_TERMS,
    )
    return appended.game_id if isinstance(appended, RepeatedRequest) else appended.game.id


def _series(runtime: Runtime) -> str:
    """Return the name of this installation's series of exhibition games."""
    runtime.redis.set(SERIES_KEY, secrets.token_hex(8), nx=True)
    found: Any = runtime.redis.get(SERIES_KEY)
    return str(found.decode())
