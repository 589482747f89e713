"""Ratings of bots over all rated tournaments of a ruleset, in the order in which they ended."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject, encode
from service.tournaments.director import Director
from service.tournaments.plan import Entry
from service.tournaments.ratings import Rating, games_of, rate
from service.tournaments.tournament import ENDED, Tournament

PAGE = 500
DIGITS = 4


class Rated(NamedTuple):
    """The ratings after some tournaments; bots are named by ``_key``."""

    tournaments: tuple[str, ...]
    ratings: dict[str, Rating]
    games: Counter[str]

    def to_json(self, ruleset: str) -> JsonObject:
        """Return the list, the best first."""
        ranked = sorted(self.ratings.items(), key=lambda item: (-item[1].mu, item[0]))
        return {
            "ruleset": ruleset,
            "tournaments": len(self.tournaments),
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


_NONE = Rated((), {}, Counter())


class GlobalRatings:
    """The ratings of every ruleset; they follow from the streams, and are remembered here."""

    def __init__(self, director: Director) -> None:
        self._director = director
        self._known: dict[str, Rated] = {}

    def of(self, ruleset: str) -> Rated:
        """Return a ruleset's ratings as of now."""
        found = self._ended(lambda t: t.plan.rated and t.plan.ruleset == ruleset)
        known = self._known.get(ruleset, _NONE)
        if known.tournaments != tuple(t.id for t in found[: len(known.tournaments)]):
            known = _NONE  # one that ended earlier was still in the air
        for tournament in found[len(known.tournaments) :]:
            known = _with(known, tournament)
        self._known[ruleset] = known
        return known

    def _ended(self, wanted: Callable[[Tournament], bool]) -> list[Tournament]:
        found = []
        before: float | None = None
        while page := self._director.newest(PAGE, before):
            for name, before in page:  # noqa: B007 - the last place is where the next page begins
                tournament = self._director.find(name)
                if tournament.status == ENDED and wanted(tournament):
                    found.append(tournament)
        return sorted(found, key=lambda tournament: (tournament.at, tournament.id))


def _with(known: Rated, tournament: Tournament) -> Rated:
    names = [_key(entry) for entry in tournament.plan.entries]
    games = games_of(tournament.outcomes(), names)
    counted = Counter(known.games)
    for seated, _ranks in games:
        counted.update(seated)
    return Rated((*known.tournaments, tournament.id), rate(games, known.ratings), counted)


def _key(entry: Entry) -> str:
    bot = {"bot": f"{entry.bot}@{entry.version}", "settings": entry.settings}
    return encode(bot).decode()
