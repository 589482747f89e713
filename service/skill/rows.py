"""Rows of games that counted for ratings: how they are shown, and where they are.

They are what grows with the number of rated games, and not with that of players. An installation
from which no game has left has them in the store. Once games leave, rows are in a file of each host
instead (``host_rows``), and none in the store, so that nothing of a rated game stays there.
"""

from typing import Any, NamedTuple, Protocol

import orjson
from redis import Redis
from redis.client import Pipeline

from rules.kernel.canonical import JsonObject
from service.skill.fold import DIGITS, CountedGame, rating_json
from service.skill.progress import CountKeys
from service.skill.weng_lin import Rating

SeatRow = list[Any]
"""What a game did to a player: the arguments of ``row_json``."""


class CountedPage(NamedTuple):
    """Some ``games`` of a ruleset that counted; ``total`` is the number of all."""

    games: list[bytes]
    total: int


class GameRows(Protocol):
    """The rows of all games of one computation; a game is the bytes of ``CountedGame.dump``."""

    def history(self, ruleset: str, player: str, after: int, limit: int) -> list[SeatRow]:
        """Return up to ``limit`` rows of a player's games, without the first ``after``."""
        ...

    def of_game(self, game_id: str) -> bytes | None:
        """Return a game; None if it has not counted."""
        ...

    def counted(self, ruleset: str, after: int, limit: int) -> CountedPage:
        """Return up to ``limit`` games of a ruleset, in order, without the first ``after``."""
        ...


class StoreRows:
    """The ``GameRows`` in the store."""

    def __init__(self, redis: Redis, keys: CountKeys) -> None:
        self._redis = redis
        self._keys = keys

    def history(self, ruleset: str, player: str, after: int, limit: int) -> list[SeatRow]:
        key = self._keys.history(ruleset, player)
        found: Any = self._redis.lrange(key, after, after + limit - 1)
        return [*map(orjson.loads, found)]

    def of_game(self, game_id: str) -> bytes | None:
        found: Any = self._redis.hget(self._keys.games, game_id)
        raw: bytes | None = found
        return raw

    def counted(self, ruleset: str, after: int, limit: int) -> CountedPage:
        name = self._keys.counted(ruleset)
        ids: Any = self._redis.lrange(name, after, after + limit - 1)
        games: Any = self._redis.hmget(self._keys.games, ids) if ids else []
        total: Any = self._redis.llen(name)
        return CountedPage(games, total)


def put(pipe: Pipeline, keys: CountKeys, counted: CountedGame) -> None:
    """Add the rows of a game to those in the store, in a transaction."""
    game = counted.game
    pipe.hset(keys.games, game.id, counted.dump())
    pipe.rpush(keys.counted(game.ruleset), game.id)
    for player, row in zip(game.players, counted.rows(), strict=True):
        pipe.rpush(keys.history(game.ruleset, player), row)


def row_json(
    game: str, at: str, weight: float, rank: int,
    before: float, _deviation: float, mean: float, deviation: float,
) -> JsonObject:  # fmt: skip
    """Return the public form of what a game did to one player."""
    told = {"game": game, "at": at, "weight": weight, "rank": rank}
    return {**told, "before": round(before, DIGITS), **rating_json(Rating(mean, deviation))}


def rows_of(raw: bytes) -> list[SeatRow]:
    """Return the rows of a game's seats."""
    found: list[SeatRow] = orjson.loads(raw)[1]
    return found


def game_json(raw: bytes) -> JsonObject:
    """Return the public form of a game that counted, with the stored digits of all ratings."""
    (rule, number, players), rows = orjson.loads(raw)
    game, at, weight, *_more = rows[0]
    seats = [
        {
            "player": player,
            "rank": rank,
            "before": {"rating": before[0], "deviation": before[1]},
            "after": {"rating": after[0], "deviation": after[1]},
        }
        for player, (_game, _at, _weight, rank, *both) in zip(players, rows, strict=True)
        for before, after in [(both[:2], both[2:])]
    ]
    return {
        "game": game, "at": at, "rule": rule, "number": number, "weight": weight, "seats": seats
    }  # fmt: skip
