"""Settles, when the game of a rated table starts, whether the game counts for ratings.

It does not count if two of its players opened the table or sat down at it from one address. The
addresses are compared when a player sits down, and only the result is stored: a field beside the
game for each two players who came from one address. Programs do not sit at rated tables at all
(``kinds``), so no game counts in which two bots of one owner meet, or a bot and its owner.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from redis import Redis

from rules.kernel.record.game import Game
from service.ledger.kinds import players_at
from service.ledger.terms import BESIDE, NEWEST_RULE, UNRATED
from service.redis.keys import game_key

_ONE_ADDRESS = "one_address:"


def fields_of(player: str, others: Iterable[str]) -> dict[str, bytes]:
    """Return the fields which say that a player and each of ``others`` came from one address."""
    return {_ONE_ADDRESS + " ".join(sorted((player, other))): b"1" for other in others}


def rule_at_start(redis: Redis, game: Game, new: Mapping[str, bytes]) -> int:
    """Return the rule by which a rated table's game counts, or UNRATED.

    ``new`` has the fields that are stored together with the start.
    """
    players = sorted(players_at(game))
    pairs = {name for place, one in enumerate(players) for name in fields_of(one, players[:place])}
    if pairs & new.keys():
        return UNRATED
    found: Any = redis.hmget(game_key(game.id, BESIDE), sorted(pairs))
    return UNRATED if any(found) else NEWEST_RULE
