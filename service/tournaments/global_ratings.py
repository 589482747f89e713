"""Ratings of bots over all rated tournaments of a ruleset, in the order in which they ended.

They follow from the streams. Workers bring them up to date when a tournament ends, and keep them;
losing them loses nothing.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject, encode
from service.ledger.keys import meta_key
from service.tournaments.director import Director
from service.tournaments.plan import Entry
from service.tournaments.ratings import Rating, games_of, rate
from service.tournaments.tournament import ENDED, Tournament

KEPT = meta_key("ratings_1")
"""Where they are kept; another form gets another name."""

LOCK = meta_key("ratings_lock")
LOCK_SECONDS = 300
PAGE = 500
DIGITS = 4


class Rated(NamedTuple):
    """The ratings of one ruleset after some tournaments; bots are named by ``_key``.

    ``last`` is when the last of them ended, and its id.
    """

    tournaments: int
    last: tuple[str, str]
    ratings: dict[str, Rating]
    games: Counter[str]

    def to_json(self, ruleset: str) -> JsonObject:
        """Return the list, the best first."""
        ranked = sorted(self.ratings.items(), key=lambda item: (-item[1].mu, item[0]))
        return {
            "ruleset": ruleset,
            "tournaments": self.tournaments,
            "ratings": [
                {
                    **orjson.loads(name),
                    "games": self.games[name],
                    "mu": round(rating.mu, DIGITS),
                    "sigma": round(rating.sigma, DIGITS),
                }
                for name, rating in ranked
            ],
        }


_NONE = Rated(0, ("", ""), {}, Counter())


class GlobalRatings:
    """The ratings of every ruleset of one store."""

    def __init__(self, redis: Redis, director: Director) -> None:
        self._redis = redis
        self._director = director

    def of(self, ruleset: str) -> Rated:
        """Return a ruleset's ratings, as of the last ``catch_up``."""
        return self._kept()[1].get(ruleset, _NONE)

    def catch_up(self) -> None:
        """Count the tournaments that are over and were not counted yet.

        Raises:
            redis.exceptions.LockError: another process was at it for too long.

        """
        with self._redis.lock(LOCK, timeout=LOCK_SECONDS, blocking_timeout=LOCK_SECONDS):
            counted, rated = self._kept()
            new = self._over(without=counted)
            if any(_place(t) < rated.get(t.plan.ruleset, _NONE).last for t in new if _counts(t)):
                counted, rated = set(), {}  # it ended earlier than what was counted: begin again
                new = self._over(without=counted)
            for tournament in new:
                counted.add(tournament.id)
                if _counts(tournament):
                    ruleset = tournament.plan.ruleset
                    rated[ruleset] = _with(rated.get(ruleset, _NONE), tournament)
            if new:
                self._redis.set(KEPT, orjson.dumps([sorted(counted), rated], default=list))

    def _kept(self) -> tuple[set[str], dict[str, Rated]]:
        """Return the tournaments that were counted, and what came of it by ruleset."""
        kept = cast("bytes | None", self._redis.get(KEPT))
        if kept is None:
            return set(), {}
        counted, rated = orjson.loads(kept)
        return set(counted), {ruleset: _rated(*fields) for ruleset, fields in rated.items()}

    def _over(self, without: set[str]) -> list[Tournament]:
        """Return the other tournaments that are over, in the order in which they ended."""
        others = (self._director.find(name) for name in self._all() if name not in without)
        return sorted((t for t in others if t.over), key=_place)

    def _all(self) -> Iterator[str]:
        before: float | None = None
        while page := self._director.newest(PAGE, before):
            for name, before in page:  # noqa: B007 - the last place is where the next page begins
                yield name


def _counts(tournament: Tournament) -> bool:
    return tournament.plan.rated and tournament.status == ENDED


def _place(tournament: Tournament) -> tuple[str, str]:
    return tournament.at, tournament.id


def _rated(tournaments: int, last: Any, ratings: Any, games: Any) -> Rated:
    known = {name: Rating(*rating) for name, rating in ratings.items()}
    return Rated(tournaments, tuple(last), known, Counter(games))


def _with(known: Rated, tournament: Tournament) -> Rated:
    names = [_key(entry) for entry in tournament.plan.entries]
    games = games_of(tournament.outcomes(), names)
    counted = Counter(known.games)
    for seated, _ranks in games:
        counted.update(seated)
    return Rated(known.tournaments + 1, _place(tournament), rate(games, known.ratings), counted)


def _key(entry: Entry) -> str:
    bot = {"bot": f"{entry.bot}@{entry.version}", "settings": entry.settings}
    return encode(bot).decode()
