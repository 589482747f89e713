"""Ratings of bots over all rated tournaments, by field.

A rating belongs to a bot with its version and settings in a *field*: a ruleset at a version of its
rules, an edition, a number of seats, the usual options. The only input is how often each bot was
ahead of each other bot, so tournaments add up in any order. Imported tournaments do not count.

A host chooses which bots meet, and how often. So the totals of each host's tournaments are kept
separately. The public ratings are computed from the sums of the totals of the hosts that the
operator names. ``greedy`` is rated 1500 in each field, so that numbers are comparable.

The ratings are derived from the streams, so they may be lost. Workers update them when a tournament
ends.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from service.catalogue.bots import BotOffer
from service.ledger.lists import id_at
from service.redis.keys import meta_key
from service.tournaments.director import Director
from service.tournaments.figures.ratings import Comparisons, Pair, elo, ratings
from service.tournaments.plan import BotEntry, Plan, has_usual_options
from service.tournaments.standing import TournamentStanding, TournamentStandings
from service.tournaments.tournament import (
    ENDED,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)

KEPT = meta_key("ratings_3")
"""The key of the Redis hash of stored ratings. If their form changes, so must the key.

The hash has these fields:

- ``counted`` has the ids of the tournaments that were examined, as long as the store lists them.
- ``of:HOST:RULESET`` has a host's totals in one ruleset.
- ``public:RULESET`` has the hosts that the operator names, and the sums of their totals.
"""

LOCK = meta_key("ratings_lock")
LOCK_SECONDS = 300
PAGE = 500
DIGITS, ELO_DIGITS = 4, 1
ANCHOR = "greedy"
"""The bot rated 1500, so that numbers are comparable."""


class Field(NamedTuple):
    """The scope of a bot's rating: comparable games of one ruleset."""

    rules_version: str
    edition: str
    seats: int


class FieldTotals(NamedTuple):
    """Totals of some tournaments in one field.

    ``bots`` has the bots as texts, in the form that ``_key`` returns; ``pairs`` and ``ratings``
    refer to positions in it.
    """

    tournaments: int = 0
    bots: Sequence[str] = ()
    games: Sequence[int] = ()
    pairs: Sequence[Pair] = ()
    ratings: Sequence[float | None] = ()

    @classmethod
    def load(cls, tournaments: int, *rest: Any) -> Self:
        """Read the stored form."""
        bots, games, pairs, found = rest
        return cls(tournaments, bots, games, [Pair(*pair) for pair in pairs], found)

    def to_json(self, anchor: str | None) -> JsonObject:
        """Return ``{"anchor", "ratings"}``, best first.

        A bot that met only itself is unrated, and comes last. ``anchor`` names the bot rated 1500;
        if it did not play, the mean of all bots is 1500.
        """
        known = dict(zip(self.bots, self.ratings, strict=True))
        middle = None if anchor is None else known.get(anchor)
        rows = zip(self.bots, self.games, self.ratings, strict=True)
        ranked = sorted(rows, key=lambda row: (row[2] is None, -(row[2] or 0.0), row[0]))
        return {
            "anchor": None if anchor is None or middle is None else orjson.loads(anchor)["bot"],
            "ratings": [
                {**orjson.loads(bot), "games": games, **_shown(rating, middle or 0.0)}
                for bot, games, rating in ranked
            ],
        }


Fields = dict[Field, FieldTotals]


class GlobalRatings:
    """A store's ratings in all rulesets.

    The public ratings are computed from all tournaments of the players in ``hosts``.
    """

    def __init__(
        self,
        redis: Redis,
        director: Director,
        standings: TournamentStandings,
        registry: Registry,
        bots: Mapping[str, BotOffer],
        hosts: Iterable[str],
    ) -> None:
        self._redis = redis
        self._standings = standings
        self._director = director
        self._registry = registry
        self._bots = bots
        self._hosts = sorted(hosts)

    def of(self, ruleset: str, host: str | None = None) -> Fields:
        """Return a ruleset's ratings by field, as the last ``catch_up`` left them.

        With ``host``, these are the ratings of that host; with None, they are the public ratings.
        """
        if host is not None:
            return _fields(self._kept(_of(host, ruleset)))
        hosts, fields = self._kept(_public(ruleset)) or ([], [])
        return _fields(fields) if hosts == self._hosts else self._added_up(ruleset)

    def to_json(self, ruleset: str, host: str | None, wanted: Mapping[str, Any]) -> JsonObject:
        """Return a list of a ruleset's fields, and the ratings in one of these fields.

        ``host`` is the host whose tournaments count; None means the public ratings. ``wanted`` says
        which field's ratings are returned: it may give the field's ``rules_version``, ``edition``
        and ``seats``. Of the fields that match ``wanted``, the first one is taken. Fields of the
        current version of the rules come first, and among them the field with the most games.

        The result has the members ``ruleset``, ``host``, ``field`` (None if no field matches),
        ``anchor``, ``ratings`` and ``fields``.
        """
        fields = self.of(ruleset, host)
        today = self._registry.find(ruleset).info.version
        order = sorted(
            fields,
            key=lambda field: (field.rules_version != today, -sum(fields[field].games), field),
        )
        asked = [field for field in order if wanted.items() <= field._asdict().items()]
        told = [{**field._asdict(), "tournaments": fields[field].tournaments} for field in order]
        return {
            "ruleset": ruleset,
            "host": host,
            "field": told[order.index(asked[0])] if asked else None,
            **(fields[asked[0]] if asked else FieldTotals()).to_json(self._anchor(ruleset)),
            "fields": told,
        }

    def _anchor(self, ruleset: str) -> str | None:
        """Return the name of the bot rated 1500 in a ruleset; None if the bot is not installed."""
        offer = self._bots.get(ANCHOR)
        if offer is None:
            return None
        settings = offer.settings_in(self._registry.find(ruleset))
        return _key(offer.name, offer.version, settings)

    def catch_up(self) -> None:
        """Count the finished tournaments that were not counted yet.

        The public totals are added up again if the operator names other hosts than before.

        Raises:
            redis.exceptions.LockError: another process held the lock for too long.
            ArchiveBehindError: all have to be counted again, and the index of packs here lacks
                some.
        """
        with self._redis.lock(LOCK, timeout=LOCK_SECONDS, blocking_timeout=LOCK_SECONDS):
            kept = self._kept("counted")
            places = self._places(everywhere=kept is None)
            known = set(kept or ())
            # What has left the store's lists had counted before: nobody asks for it again.
            counted = known.intersection(map(id_at, places))
            over = list(self._over(places, without=known))
            new = list(self._found(one.id for one in over if one.origin is None))
            counted.update(one.id for one in over if one.origin is not None)
            changed: dict[str, Any] = {}
            by_host: dict[tuple[str, str], list[tuple[Field, Tournament]]] = {}
            for tournament in new:
                field = self._field(tournament.plan)
                if field is None:
                    continue  # the tournament counts once its rules are installed
                counted.add(tournament.id)
                if _counts(tournament, self._registry):
                    name = tournament.created_by["player"], tournament.plan.ruleset
                    by_host.setdefault(name, []).append((field, tournament))
            for (host, ruleset), more in by_host.items():
                changed[_of(host, ruleset)] = _dumped(_with(self.of(ruleset, host), more))
            if over or counted != known:
                self._keep({"counted": sorted(counted), **changed})
            moved = {ruleset for _host, ruleset in by_host}
            for ruleset in (each.info.id for each in self._registry):
                kept = self._kept(_public(ruleset))
                if ruleset in moved or (kept is not None and kept[0] != self._hosts):
                    self._keep({_public(ruleset): [self._hosts, _dumped(self._added_up(ruleset))]})

    def count_again(self) -> None:
        """Drop all counts, so that the next catch-up counts every tournament again."""
        count_again(self._redis)

    def _added_up(self, ruleset: str) -> Fields:
        """Return the public totals by field: the sums of the totals of all players in ``hosts``."""
        found: Fields = {}
        for host in self._hosts:
            for field, rated in self.of(ruleset, host).items():
                found[field] = _sum(found[field], rated) if field in found else rated
        return found

    def _field(self, plan: Plan) -> Field | None:
        try:
            ruleset = self._registry.find(plan.ruleset)
        except UnknownRulesetError:
            return None
        edition = plan.tables["edition"] if plan.tables else ruleset.data.id
        return Field(plan.rules_version, edition, plan.seats)

    def _kept(self, name: str) -> Any:
        raw: Any = self._redis.hget(KEPT, name)
        return None if raw is None else orjson.loads(raw)

    def _keep(self, what: Mapping[str, Any]) -> None:
        written: dict[Any, Any] = {
            name: orjson.dumps(value, default=list) for name, value in what.items()
        }
        self._redis.hset(KEPT, mapping=written)

    def _found(self, names: Iterable[str]) -> Iterator[Tournament]:
        """Yield the named tournaments, except for damaged ones.

        A damaged tournament counts after it has been restored.
        """
        for name in names:
            with suppress(TournamentDamagedError, TournamentNotFoundError):
                yield self._director.find(name)

    def _places(self, *, everywhere: bool) -> list[str]:
        """Return the places of the tournaments in the store's lists, or of all tournaments."""
        if everywhere:
            self._director.past_lists.catch_up()
        newest = self._director.newest if everywhere else self._director.newest_here
        found: list[str] = []
        while page := newest(PAGE, found[-1] if found else None):
            found += page
        return found

    def _over(self, places: Sequence[str], without: set[str]) -> Iterator[TournamentStanding]:
        """Yield the standings of those that are over, except those in ``without``."""
        others = [name for name in map(id_at, places) if name not in without]
        for first in range(0, len(others), PAGE):
            for standing in self._standings.of_all(others[first : first + PAGE]):
                if standing.over:
                    yield standing


def counted(redis: Redis) -> frozenset[str]:
    """Return the ids of the tournaments that were examined, and are in the store's lists."""
    raw: Any = redis.hget(KEPT, "counted")
    return frozenset() if raw is None else frozenset(orjson.loads(raw))


def note_counted(redis: Redis, tournament_id: str) -> None:
    """Store that a tournament has counted, unless all have to be counted again."""
    with redis.lock(LOCK, timeout=LOCK_SECONDS, blocking_timeout=LOCK_SECONDS):
        if redis.hexists(KEPT, "counted"):
            known = counted(redis) | {tournament_id}
            redis.hset(KEPT, "counted", orjson.dumps(sorted(known)))


def count_again(redis: Redis) -> None:
    """Drop all counts, so that the next catch-up counts every tournament again."""
    redis.delete(KEPT)


def _counts(tournament: Tournament, registry: Registry) -> bool:
    plan = tournament.plan
    usual = has_usual_options(registry.find(plan.ruleset), plan.seats, plan.options)
    return plan.rated and tournament.status == ENDED and usual


def _of(host: str, ruleset: str) -> str:
    return f"of:{host}:{ruleset}"


def _public(ruleset: str) -> str:
    return f"public:{ruleset}"


def _fields(kept: Any) -> Fields:
    return {Field(*field): FieldTotals.load(*rated) for field, rated in kept or ()}


def _dumped(fields: Fields) -> list[Any]:
    return [[field, rated] for field, rated in sorted(fields.items())]


def _shown(rating: float | None, middle: float) -> JsonObject:
    if rating is None:
        return {"rating": None, "elo": None}
    above = rating - middle
    return {"rating": round(above, DIGITS) + 0.0, "elo": round(elo(above), ELO_DIGITS)}


def _with(known: Fields, tournaments: Iterable[tuple[Field, Tournament]]) -> Fields:
    """Return the fields ``known`` with ``tournaments`` added."""
    found = dict(known)
    for field, tournament in tournaments:
        found[field] = _sum(found.get(field, FieldTotals()), _alone(tournament))
    return found


def _alone(tournament: Tournament) -> FieldTotals:
    """Return the results of one tournament, without ratings."""
    names = [_key_of(entry) for entry in tournament.plan.bots()]  # only bots are rated
    bots = sorted(set(names))
    place = [bots.index(name) for name in names]
    comparisons, games = Comparisons(), [0] * len(bots)
    for outcome in tournament.outcomes():
        seated = tuple(place[entry] for entry in outcome.seating)
        comparisons.add([outcome._replace(seating=seated)])
        for bot in seated:
            games[bot] += 1
    return FieldTotals(1, bots, games, list(comparisons), [None] * len(bots))


def _sum(one: FieldTotals, other: FieldTotals) -> FieldTotals:
    """Return the sum of two totals, with ratings."""
    games = Counter(dict(zip(one.bots, one.games, strict=True)))
    games.update(dict(zip(other.bots, other.games, strict=True)))
    bots = sorted(games)
    place = {bot: index for index, bot in enumerate(bots)}
    pairs = list(
        Comparisons(
            pair._replace(
                first=place[rated.bots[pair.first]], second=place[rated.bots[pair.second]]
            )
            for rated in (one, other)
            for pair in rated.pairs
        )
    )
    return FieldTotals(
        one.tournaments + other.tournaments,
        bots,
        [games[bot] for bot in bots],
        pairs,
        ratings(len(bots), pairs),
    )


def _key_of(entry: BotEntry) -> str:
    return _key(entry.bot, entry.version, entry.settings)


def _key(bot: str, version: str, settings: JsonObject) -> str:
    return encode({"bot": f"{bot}@{version}", "settings": settings}).decode()
