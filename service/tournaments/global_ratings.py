"""Ratings of bots over all rated tournaments of a ruleset, whatever the order in which they ended.

How often each bot was ahead of each other one is all that they take, and tournaments add up; those
that were imported do not count. They follow from the streams. Workers bring them up to date when a
tournament ends, and keep them; losing them loses nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, cast

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject, encode
from service.ledger.lists import id_at
from service.redis.keys import meta_key
from service.tournaments.director import Director
from service.tournaments.plan import Entry
from service.tournaments.ratings import Comparisons, Pair, elo, ratings
from service.tournaments.standing import Standing, Standings
from service.tournaments.tournament import (
    ENDED,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)

KEPT = meta_key("ratings_2")
"""Where they are kept; another form gets another name."""

LOCK = meta_key("ratings_lock")
LOCK_SECONDS = 300
PAGE = 500
DIGITS, ELO_DIGITS = 4, 1


class Rated(NamedTuple):
    """What some tournaments of one ruleset have come to.

    ``bots`` are named by ``_key``; ``pairs`` and ``ratings`` go by their place among them.
    """

    tournaments: int
    bots: list[str]
    games: list[int]
    pairs: list[Pair]
    ratings: list[float | None]

    def to_json(self, ruleset: str) -> JsonObject:
        """Return the list, the best first; who met only itself is not rated, and comes last."""
        rows = zip(self.bots, self.games, self.ratings, strict=True)
        ranked = sorted(rows, key=lambda row: (row[2] is None, -(row[2] or 0.0), row[0]))
        return {
            "ruleset": ruleset,
            "tournaments": self.tournaments,
            "ratings": [
                {
                    **orjson.loads(bot),
                    "games": games,
                    "rating": None if rating is None else round(rating, DIGITS) + 0.0,
                    "elo": None if rating is None else round(elo(rating), ELO_DIGITS),
                }
                for bot, games, rating in ranked
            ],
        }


_NONE = Rated(0, [], [], [], [])


class GlobalRatings:
    """The ratings of every ruleset of one store."""

    def __init__(self, redis: Redis, director: Director, standings: Standings) -> None:
        self._redis = redis
        self._standings = standings
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
            over = list(self._all(without=counted))
            new = list(self._found(one.id for one in over if one.origin is None))
            for ruleset in sorted({t.plan.ruleset for t in new if _counts(t)}):
                more = [t for t in new if _counts(t) and t.plan.ruleset == ruleset]
                rated[ruleset] = _with(rated.get(ruleset, _NONE), more)
            counted.update(tournament.id for tournament in new)
            counted.update(one.id for one in over if one.origin is not None)
            if over:
                self._redis.set(KEPT, orjson.dumps([sorted(counted), rated], default=list))

    def _kept(self) -> tuple[set[str], dict[str, Rated]]:
        """Return the tournaments that were counted, and what came of it by ruleset."""
        kept = cast("bytes | None", self._redis.get(KEPT))
        if kept is None:
            return set(), {}
        counted, rated = orjson.loads(kept)
        return set(counted), {ruleset: _read(Rated(*fields)) for ruleset, fields in rated.items()}

    def _found(self, names: Iterable[str]) -> Iterator[Tournament]:
        """Yield these tournaments; one that is damaged counts as soon as it is restored."""
        for name in names:
            with suppress(TournamentDamagedError, TournamentNotFoundError):
                yield self._director.find(name)

    def _all(self, without: set[str]) -> Iterator[Standing]:
        """Yield how all other tournaments that are over stand."""
        after: str | None = None
        while page := self._director.newest(PAGE, after):
            others = [name for name in map(id_at, page) if name not in without]
            for standing in self._standings.of_all(others):
                if standing.over:
                    yield standing
            after = page[-1]


def _counts(tournament: Tournament) -> bool:
    return tournament.plan.rated and tournament.status == ENDED


def _read(kept: Rated) -> Rated:
    return kept._replace(pairs=[Pair(*pair) for pair in kept.pairs])


def _with(known: Rated, tournaments: Sequence[Tournament]) -> Rated:
    """Return what the tournaments come to with the known ones."""
    games = Counter(dict(zip(known.bots, known.games, strict=True)))
    named = [[_key(entry) for entry in tournament.plan.entries] for tournament in tournaments]
    bots = sorted({*known.bots, *(bot for names in named for bot in names)})
    place = {bot: index for index, bot in enumerate(bots)}
    moved = [place[bot] for bot in known.bots]
    comparisons = Comparisons(
        pair._replace(first=moved[pair.first], second=moved[pair.second]) for pair in known.pairs
    )
    for tournament, names in zip(tournaments, named, strict=True):
        for outcome in tournament.outcomes():
            seated = tuple(place[names[entry]] for entry in outcome.seating)
            comparisons.add([outcome._replace(seating=seated)])
            games.update(bots[bot] for bot in seated)
    pairs = list(comparisons)
    return Rated(
        known.tournaments + len(tournaments),
        bots,
        [games[bot] for bot in bots],
        pairs,
        ratings(len(bots), pairs),
    )


def _key(entry: Entry) -> str:
    bot = {"bot": f"{entry.bot}@{entry.version}", "settings": entry.settings}
    return encode(bot).decode()
