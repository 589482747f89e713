"""The fold of rated games into ratings: what one game does to the ratings of its players.

It is a function of the games and their order alone, so everybody who folds the same games gets the
same ratings, and the same rows about each game.
"""

from typing import NamedTuple, Self

import orjson

from rules.kernel.canonical import JsonObject
from service.skill import repeats
from service.skill.rated_games import RatedGame
from service.skill.repeats import Ends
from service.skill.weng_lin import NEW, Rating, after_game

DIGITS = 1
"""Number of decimal digits that are shown."""

_BEHIND_ALL = 10**9


class Skill(NamedTuple):
    """A player's rating in one ruleset, and the number of games that it is computed from."""

    rating: Rating = NEW
    games: int = 0

    def dump(self) -> bytes:
        """Return the rating in its stored form."""
        return orjson.dumps([*self.rating, self.games])

    @classmethod
    def load(cls, raw: bytes | None) -> Self:
        """Read the stored form; None gives the skill of a new player."""
        if raw is None:
            return cls()
        mean, deviation, games = orjson.loads(raw)
        return cls(Rating(mean, deviation), games)

    def to_json(self) -> JsonObject:
        """Return the public form."""
        return {**rating_json(self.rating), "games": self.games}


class CountedGame(NamedTuple):
    """A game that counts, with its players' skill before and after, by seat.

    ``number`` is that of ``repeats``.
    """

    game: RatedGame
    number: int
    before: list[Skill]
    after: list[Skill]

    def rows(self) -> list[bytes]:
        """Return the stored row of each seat (``rows``)."""
        of_all = [self.game.id, self.game.ended_at, repeats.weight(self.game.rule, self.number)]
        seats = zip(self.game.ranks, self.before, self.after, strict=True)
        return [orjson.dumps([*of_all, rank, *old.rating, *new.rating]) for rank, old, new in seats]

    def dump(self) -> bytes:
        """Return the game's stored value: its rule, number and players, and its seats' rows."""
        told = orjson.dumps([self.game.rule, self.number, self.game.players])
        return b"[" + told + b",[" + b",".join(self.rows()) + b"]]"


Skills = dict[tuple[str, str], Skill]
"""Ratings by ruleset and player."""


def count(game: RatedGame, known: Skills, ends: Ends) -> CountedGame:
    """Count one game: update ``known`` and ``ends``; return the game with its players' skill."""
    number = repeats.number_in_window(game, ends)
    weight = repeats.weight(game.rule, number)
    names = [(game.ruleset, player) for player in game.players]
    before = [known.get(name, Skill()) for name in names]
    ratings = after_game([one.rating for one in before], game.ranks, weight)
    after = [Skill(new, old.games + 1) for new, old in zip(ratings, before, strict=True)]
    known.update(zip(names, after, strict=True))
    return CountedGame(game, number, before, after)


def place_of(player: str, skill: Skill) -> str:
    """Return a player's place in the order of a ruleset."""
    return f"{_BEHIND_ALL - round(1000 * skill.rating.lower):010d}:{player}"


def rating_json(rating: Rating) -> JsonObject:
    """Return a rating in its public form."""
    return {
        "rating": round(rating.mean, DIGITS),
        "deviation": round(rating.deviation, DIGITS),
        "provisional": rating.provisional,
    }
