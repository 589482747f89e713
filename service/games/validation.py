"""Validation games: what a bot account has to play before its owner may enter it in a tournament.

The bot plays one game of the tournament's kind, against bots of the service, to its end. It is
valid if it is never late and does not resign. Which game it is, is stored beside the tournament.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ENDED, Game
from service.catalogue.bots import BotOffer
from service.games.commands import TableCommands
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import AppendedBatch, GameNotFoundError, Ledger
from service.ledger.terms import UNLISTED, TableTerms
from service.redis.keys import game_key
from service.tournaments.plan import Plan

KEEP_SECONDS = 7 * 24 * 3600
"""Time for which a validation counts."""

PLAYING, VALID, FAILED = "playing", "valid", "failed"


class Validation(NamedTuple):
    """The validation game of a bot, and how it stands.

    ``why`` says why it failed.
    """

    game: Game
    status: str
    why: str = ""

    def proof(self) -> JsonObject:
        """Return the reference to the game in the ``entered`` event of the tournament."""
        return {
            "game_id": self.game.id,
            "version": self.game.version,
            "head": self.game.head.hex(),
        }


class Validations:
    """The validation games of a store's tournaments."""

    def __init__(self, redis: Redis, ledger: Ledger, tables: TableCommands) -> None:
        self._redis = redis
        self._ledger = ledger
        self._tables = tables

    def find(self, tournament_id: str, bot_id: str, version: str) -> Validation | None:
        """Return the newest validation of a bot; None if its present ``version`` has none."""
        raw: Any = self._redis.hget(_key(tournament_id), bot_id)
        found = None if raw is None else orjson.loads(raw)
        if found is None or found["version"] != version:
            return None
        try:
            game, _secrets, damage = self._ledger.table(found["game"])
        except (GameNotFoundError, GameDamagedError):
            return None
        return None if damage is not None else self._judged(game, bot_id)

    def open(
        self,
        tournament_id: str,
        plan: Plan,
        owner: str,
        bot_id: str,
        version: str,
        opponent: BotOffer,
        admit: Callable[[Game], None],
    ) -> Validation:
        """Open a game in which the bot plays against an ``opponent`` on all other seats.

        ``admit`` gets the game before it is stored, and raises to refuse it. Raises the errors of
        ``TableCommands.create``.
        """
        other = opponent.holder(self._ledger.registry.find(plan.ruleset, plan.rules_version))
        holders: list[JsonObject | None] = [{"player": bot_id}, *[other] * (plan.seats - 1)]
        done = self._tables.create(
            owner, plan.ruleset, plan.options, holders, clock_limits=plan.clock, admit=admit,
            terms=TableTerms(UNLISTED),
        )  # fmt: skip
        assert isinstance(done, AppendedBatch)  # noqa: S101 - it has no key, so nothing is repeated
        with self._redis.pipeline() as pipe:
            told = {"game": done.game.id, "version": version}
            pipe.hset(_key(tournament_id), bot_id, orjson.dumps(told))
            pipe.expire(_key(tournament_id), KEEP_SECONDS)
            pipe.execute()
        return Validation(done.game, PLAYING)

    def forget(self, tournament_id: str, bot_id: str) -> None:
        """Forget the validation of a bot, so that the next one begins."""
        self._redis.hdel(_key(tournament_id), bot_id)

    def _judged(self, game: Game, bot_id: str) -> Validation:
        seat = next(n for n, held in enumerate(game.seats) if held.holder == {"player": bot_id})
        for event, _prev in self._ledger.history(game, 0, game.version):
            if event.kind == "timed_out" and event.body["time_out"].value["seat"] == seat:
                return Validation(game, FAILED, f"it was late at event {event.seq}")
            if event.kind == "resigned" and event.by["seat"] == seat:
                return Validation(game, FAILED, f"it resigned at event {event.seq}")
        if not game.over:
            return Validation(game, PLAYING)
        if game.status != ENDED:
            return Validation(game, FAILED, "the game was not played to its end")
        return Validation(game, VALID)


def _key(tournament_id: str) -> str:
    return game_key(tournament_id, "validations")
