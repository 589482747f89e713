"""People's ratings: a fold of all rated games, stored with its position.

Only the games determine the ratings, so they can be lost, derived again and compared (``proof``). A
count of some games writes the new ratings and the position in one transaction, unless another
process has counted meanwhile. So each game counts once, even if processes are killed. If the list
shows that a game was skipped (its end was appended with an earlier time, because the store's clock
was set back; or a counted game was later ended as damaged), all games are counted again from the
first, and the old ratings are shown until then.

Games that have counted may leave the store's list, for packs (``counted_until``). How many there
are is compared, too. Who counts all games again reads those that have left in the index of packs.
"""

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import orjson
import structlog
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from rules.kernel.canonical import JsonObject
from service.ledger.unlisting import PastLists
from service.skill import rated_games, repeats
from service.skill.rated_games import RatedGame
from service.skill.repeats import Ends
from service.skill.weng_lin import FORMULA, NEW, Rating, after_game

log = structlog.get_logger(__name__)

PREFIX = f"lonja:{{ratings_{FORMULA}}}:"
"""The prefix of all keys, with their hash tag.

It names the formula: with a new formula, all games are counted again, under new keys.
"""
COUNTED, SHOWN = PREFIX + "counted", PREFIX + "shown"

AT_ONCE = 100
"""Games counted in one transaction."""

DIGITS = 1
"""Number of decimal digits that are shown."""

_BEHIND_ALL = 10**9


class CountKeys(NamedTuple):
    """The names of all keys of one computation of the ratings.

    A computation that starts over gets a new ``number``.
    """

    number: int

    @property
    def all(self) -> str:
        """The prefix of all keys."""
        return f"{PREFIX}{self.number}:"

    @property
    def games(self) -> str:
        """The Redis hash with the weight of each game and the ratings before and after it."""
        return f"{self.all}games"

    def of(self, player: str) -> str:
        """Return the name of the Redis hash that has a player's ratings, by ruleset."""
        return f"{self.all}of:{player}"

    @property
    def ends(self) -> str:
        """The Redis hash with the ends of alike games (``repeats``)."""
        return f"{self.all}ends"

    def counted(self, ruleset: str) -> str:
        """Return the name of the list of a ruleset's games that counted, in their order."""
        return f"{self.all}counted:{ruleset}"

    def order(self, ruleset: str) -> str:
        """Return the name of the sorted set that has the players of a ruleset, best first."""
        return f"{self.all}order:{ruleset}"

    def history(self, ruleset: str, player: str) -> str:
        """Return the name of the list of a player's games that counted, oldest first."""
        return f"{self.all}history:{ruleset}:{player}"


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
        """Return the stored row of each seat."""
        of_all = [self.game.id, self.game.ended_at, repeats.weight(self.game.rule, self.number)]
        seats = zip(self.game.ranks, self.before, self.after, strict=True)
        return [orjson.dumps([*of_all, rank, *old.rating, *new.rating]) for rank, old, new in seats]

    def dump(self) -> bytes:
        """Return the game's stored value: its rule, number and players, and its seats' rows."""
        told = orjson.dumps([self.game.rule, self.number, self.game.players])
        return b"[" + told + b",[" + b",".join(self.rows()) + b"]]"


class RatingPage(NamedTuple):
    """A page of players, best first; ``place`` is where the next page starts, None at the end."""

    players: list[tuple[str, Skill]]
    place: str | None


class _Progress(NamedTuple):
    """The progress of the computation with this ``number`` (``CountKeys``).

    ``games`` is how many games it has counted. ``place`` is the place of the last of them in the
    list of rated games. ``past`` is the number of games that it has counted out of packs, less that
    of all games that had left the store's list when it began.
    """

    number: int = 0
    games: int = 0
    place: str = ""
    past: int = 0


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


class PlayerRatings:
    """The ratings of all players of one store."""

    def __init__(self, redis: Redis, past: PastLists) -> None:
        """``past`` are the lists of the games that have left the store's."""
        self._redis = redis
        self._past = past

    # Counting

    def catch_up(self, now_ms: int, seconds: float = math.inf) -> bool:
        """Count the games that had ended at ``now_ms`` (the store's time).

        Concurrent processes share the work. Return whether all are counted; False if ``seconds``
        did not suffice.

        Raises:
            ArchiveBehindError: all games have to be counted again, and the index of packs here
                lacks some.
        """
        ends = time.monotonic() + seconds
        while self._count_on(now_ms):
            if time.monotonic() > ends:
                return False
        return True

    def count_again(self) -> None:
        """Delete the stored progress, so that the next ``catch_up`` counts every game again."""
        self._redis.delete(COUNTED)

    def counted_until(self) -> str:
        """Return the place of the last game that has counted; "" while all are counted again.

        Games up to this place may leave the store's list.
        """
        raw: Any = self._redis.get(COUNTED)
        progress = _Progress() if raw is None else _Progress(*orjson.loads(raw))
        return progress.place if progress.number == self._shown() else ""

    def _count_on(self, now_ms: int) -> bool:
        """Count the next games; return whether there may be more to do."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.watch(COUNTED)
            raw: Any = pipe.get(COUNTED)
            progress = _Progress() if raw is None else _Progress(*orjson.loads(raw))
            shown = self._shown()
            is_again = shown != progress.number
            if is_again:
                self._past.catch_up()
            past = self._past if is_again else None
            ended = rated_games.ended(self._redis, progress.place, now_ms, AT_ONCE, past)
            before = ended.before + ended.gone + progress.past
            done = False
            pipe.multi()
            if raw is None or before != progress.games:
                if raw is not None:
                    log.warning("rated_game_passed_over", counted=progress.games, of=before)
                progress = _Progress(max(progress.number, shown) + 1, past=-ended.gone)
            elif ended.places:
                self._count(pipe, CountKeys(progress.number), ended.games)
                progress = progress._replace(
                    games=progress.games + len(ended.places),
                    place=ended.places[-1],
                    past=progress.past + ended.past,
                )
            elif shown != progress.number:
                pipe.set(SHOWN, progress.number)
                done = True
            else:
                return False
            pipe.set(COUNTED, orjson.dumps([*progress]))
            try:
                pipe.execute()
            except WatchError:
                return True  # another process has counted them
        if done and progress.number > 1:
            self._forget_before(progress.number)
        return True

    def _count(self, pipe: Pipeline, keys: CountKeys, games: Sequence[RatedGame]) -> None:
        """Add the changes of the next games to a transaction."""
        old = self._skills(
            keys, sorted({(game.ruleset, player) for game in games for player in game.players})
        )
        new = dict(old)
        names = sorted({repeats.alike(game) for game in games})
        raws: Any = self._redis.hmget(keys.ends, names) if names else ()
        ends: Ends = dict(zip(names, map(repeats.load, raws), strict=True))
        for game in games:
            counted = count(game, new, ends)
            pipe.hset(keys.games, game.id, counted.dump())
            pipe.rpush(keys.counted(game.ruleset), game.id)
            for player, row in zip(game.players, counted.rows(), strict=True):
                pipe.rpush(keys.history(game.ruleset, player), row)
        for (ruleset, player), before in old.items():
            skill = new[ruleset, player]
            pipe.zrem(keys.order(ruleset), place_of(player, before))
            pipe.zadd(keys.order(ruleset), {place_of(player, skill): 0})
            pipe.hset(keys.of(player), ruleset, skill.dump())
        for name in names:
            pipe.hset(keys.ends, name, repeats.dump(ends[name]))

    def _forget_before(self, number: int) -> None:
        """Delete the stored data of all computations whose number is below ``number``."""
        for key in self._redis.scan_iter(match=f"{PREFIX}[0-9]*", count=1000):
            if int(key.removeprefix(PREFIX.encode()).partition(b":")[0]) < number:
                self._redis.unlink(key)

    # Reading

    def page(self, ruleset: str, limit: int, after: str | None = None) -> RatingPage:
        """Return up to ``limit`` players of a ruleset, after the place ``after``."""
        keys = CountKeys(self._shown())
        least = "-" if after is None else f"({after}"
        found: Any = self._redis.zrangebylex(keys.order(ruleset), least, "+", 0, limit + 1)
        places = [place.decode() for place in found[:limit]]
        players = [place.partition(":")[2] for place in places]
        skills = self._skills(keys, [(ruleset, player) for player in players])
        return RatingPage(
            [(player, skills[ruleset, player]) for player in players],
            places[-1] if len(found) > limit else None,
        )

    def of(self, player: str) -> dict[str, Skill]:
        """Return a player's skill by ruleset, for rulesets in which he has rated games."""
        found: Any = self._redis.hgetall(CountKeys(self._shown()).of(player))
        return {ruleset.decode(): Skill.load(raw) for ruleset, raw in sorted(found.items())}

    def in_rulesets(self, names: Iterable[tuple[str, str]]) -> Skills:
        """Return the skill of each (ruleset, player); that of a new player if none is known."""
        return self._skills(CountKeys(self._shown()), sorted({*names}))

    def history(self, ruleset: str, player: str, after: int, limit: int) -> list[JsonObject]:
        """Return up to ``limit`` of a player's counted games, skipping the first ``after``."""
        key = CountKeys(self._shown()).history(ruleset, player)
        found: Any = self._redis.lrange(key, after, after + limit - 1)
        return [_row_json(*orjson.loads(row)) for row in found]

    def of_game(self, game_id: str) -> list[JsonObject] | None:
        """Return each seat's rating before and after a game; None if the game was not counted."""
        raw: Any = self._redis.hget(CountKeys(self._shown()).games, game_id)
        return None if raw is None else [_row_json(*row) for row in orjson.loads(raw)[1]]

    def counted(self, ruleset: str, after: int, limit: int) -> tuple[list[JsonObject], int]:
        """Return up to ``limit`` games of a ruleset that counted, skipping the first ``after``.

        The games have the order in which they counted. The second value is the number of all.
        """
        keys = CountKeys(self._shown())
        name = keys.counted(ruleset)
        found: Any = self._redis.lrange(name, after, after + limit - 1)
        raws: Any = self._redis.hmget(keys.games, found) if found else ()
        total: Any = self._redis.llen(name)
        return [_game_json(*orjson.loads(raw)) for raw in raws], total

    def _shown(self) -> int:
        found: Any = self._redis.get(SHOWN)
        return int(found or 0)

    def _skills(self, keys: CountKeys, names: Sequence[tuple[str, str]]) -> Skills:
        pipe = self._redis.pipeline(transaction=False)
        for ruleset, player in names:
            pipe.hget(keys.of(player), ruleset)
        return dict(zip(names, map(Skill.load, pipe.execute()), strict=True))


def _row_json(
    game: str, at: str, weight: float, rank: int,
    before: float, _deviation: float, mean: float, deviation: float,
) -> JsonObject:  # fmt: skip
    told = {"game": game, "at": at, "weight": weight, "rank": rank}
    return {**told, "before": round(before, DIGITS), **rating_json(Rating(mean, deviation))}


def _game_json(
    told: tuple[int, int, list[str]], rows: list[tuple[str, str, float, int, *tuple[float, ...]]]
) -> JsonObject:
    """Return the public form of a game that counted, with the stored digits of all ratings."""
    (rule, number, players), (game, at, weight, *_more) = told, rows[0]
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
