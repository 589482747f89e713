"""The endless tournament: a ladder that plays on in parts, each a tournament by itself.

Blocks are paired one by one. Who waits for a game, and whose rating is uncertain, comes first; then
those sit down from whose results the most can be learned. Players are paired when they are present,
which the stream records (``available``). Bots of the service can always play: they are the fixed
points that connect all others, and the first one is the anchor with the rating 0.
"""

from collections.abc import Callable, Iterable, Sequence
from math import exp, fsum, inf
from typing import NamedTuple

from rules.kernel.contract.fields import Integer
from rules.kernel.contract.ruleset import Option
from service.tournaments.figures import tally
from service.tournaments.figures.tally import Tally
from service.tournaments.formats.format import Format, Round, Verdict, blocks_for, games_in_block
from service.tournaments.luck import Luck
from service.tournaments.plan import ENDLESS, BadPlanError, BotEntry, Plan, PlayerEntry
from service.tournaments.tournament import FULL, Tournament

PART_GAMES = 10_000
"""Maximum number of games of a part."""

PROVISIONAL = 30
"""Number of games before which an entry is provisional, and meets only bots of the service."""

HOUSE_AHEAD = 8
"""Maximum number of open blocks at which bots of the service are paired among themselves."""

REFIT = 8
"""Number of blocks after which line-ups are chosen by new ratings."""

_DIGITS = 6
"""Digits to which values are compared, so that all machines choose the same line-up."""


class Endless(Format):
    """Players meet whom they can learn from, whenever they are present."""

    type = ENDLESS
    doc = (
        "A ladder that never ends, in parts: whoever is present and has waited, and whose rating is"
        " uncertain, plays next, against opponents from whom the most is learned."
    )
    options = (
        Option("games", PART_GAMES, Integer(1, PART_GAMES), "How many games a part has."),
        Option(
            "house_games",
            300,
            Integer(1, 1_000_000),
            "How many games each bot of the service plays, in all parts, to be rated among its"
            " like; after them it plays only with players.",
        ),
    )
    foresees = True

    def check(self, plan: Plan) -> None:
        if len(plan.bots()) < plan.seats:
            message = f"{plan.seats} seats need {plan.seats} bots of the service or more"
            raise BadPlanError("entries", message, len(plan.bots()))
        if not isinstance(plan.entries[0], BotEntry):
            raise BadPlanError("entries.0", "the first entry is the anchor, a bot of the service")
        if plan.rated:
            raise BadPlanError("rated", "it has ratings of its own", plan.rated)

    def can_go_on(self, tournament: Tournament) -> bool:
        return True  # others may be entered

    def total_blocks(self, tournament: Tournament) -> int:
        return blocks_for(tournament.plan, tournament.plan.format["games"])

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        if self._is_full(tournament):
            return None
        lineup = _Matching(tournament, luck).lineup()
        return None if lineup is None else Round((lineup,))

    def places(self, tournament: Tournament) -> list[Sequence[int]]:
        """Return the entries by rating; those without opponents come next, and who is out last."""
        rated = tally.of(tournament).ratings()
        places: dict[tuple[bool, float], list[int]] = {}
        for entry, rating in enumerate(rated):
            value = -inf if rating is None else round(rating, _DIGITS)
            places.setdefault((entry not in tournament.disqualified, value), []).append(entry)
        return [places[place] for place in sorted(places, reverse=True)]

    def decided(self, tournament: Tournament) -> Verdict | None:
        blocks = len(tournament.blocks)
        over = self._is_full(tournament) and tournament.settled() == blocks
        return Verdict(FULL, blocks) if over else None

    def _is_full(self, tournament: Tournament) -> bool:
        """Whether no more blocks are paired in this part."""
        return tournament.is_filled or len(tournament.blocks) >= self.total_blocks(tournament)


class Experience(NamedTuple):
    """The games of each entry in all parts, and the last block of this part that it was paired for.

    ``blocks`` is the number of blocks that are counted. Blocks count as soon as they are paired.
    """

    blocks: int
    games: tuple[int, ...]
    last: tuple[int, ...]


def experience(tournament: Tournament) -> Experience:
    """Return the experience of the entries; each block is looked at once."""
    known: Experience | None = tournament.kept.get("experience")
    if known is None:
        before = () if tournament.part is None else tuple(tournament.part.games)
        known = Experience(0, before, ())
    entries, blocks = len(tournament.plan.entries), len(tournament.blocks)
    if known.blocks == blocks and len(known.last) == entries:
        return known
    games = [*known.games, *[0] * (entries - len(known.games))]
    last = [*known.last, *[0] * (entries - len(known.last))]
    of_block = games_in_block(tournament.plan)
    for number in range(known.blocks + 1, blocks + 1):
        for entry in tournament.blocks[number].lineup:
            games[entry] += of_block
            last[entry] = number
    found = tournament.kept["experience"] = Experience(blocks, tuple(games), tuple(last))
    return found


class _Strengths(NamedTuple):
    """Ratings, and what is known of each, by entry. An entry without games has the mean rating.

    ``known`` is the Fisher information about a rating: the inverse of its variance, if all others
    were exact. ``tallied`` is the tally that they were computed from.
    """

    tallied: Tally
    ratings: tuple[float, ...]
    known: tuple[float, ...]


def _rated_by(tournament: Tournament) -> int:
    """Return the block up to which results decide the next line-up of bots of the service.

    It depends only on the number of blocks, not on which of the open blocks ended first.
    """
    return max(0, len(tournament.blocks) - HOUSE_AHEAD) // REFIT * REFIT


def _strengths(tournament: Tournament) -> _Strengths:
    """Return the ratings for the next line-up, as far as they are known."""
    block = min(_rated_by(tournament), tournament.settled() // REFIT * REFIT)
    tallied = tally.up_to(tournament, block, "matching").tally
    kept: _Strengths | None = tournament.kept.get("strengths")
    if kept is not None and kept.tallied is tallied:
        return kept
    found = tallied.ratings()
    of_all = [rating for rating in found if rating is not None]
    middle = fsum(of_all) / max(1, len(of_all))
    rated = [middle if rating is None else rating for rating in found]
    known = [0.5] * len(rated)  # of the game won and the game lost that every rating begins with
    for first, second, ahead, behind in tallied.comparisons:
        more = (ahead + behind) * _learned(rated[first], rated[second])
        known[first] += more
        known[second] += more
    strengths = tournament.kept["strengths"] = _Strengths(tallied, tuple(rated), tuple(known))
    return strengths


def _learned(one: float, other: float) -> float:
    """Return the information in a comparison of two entries with these ratings: at most 1/4."""
    ahead = 1 / (1 + exp(other - one))
    return ahead * (1 - ahead)


class _Matching:
    """Chooses the entries of the next block."""

    def __init__(self, tournament: Tournament, luck: Luck) -> None:
        self._tournament = tournament
        self._plan = tournament.plan
        self._experience = experience(tournament)
        self._strengths = _strengths(tournament)
        left = tournament.entries_left()
        drawn = luck.shuffled("lineups", tournament.rounds + 1, left)
        self._drawn = drawn
        self._house = [one for one in drawn if isinstance(self._plan.entries[one], BotEntry)]
        self._players = [one for one in drawn if one in tournament.available]

    def lineup(self) -> tuple[int, ...] | None:
        """Return the entries of the next block; None if nobody can play, or has to, now."""
        tables = (self._table(first) for first in self._in_need())
        return next((table for table in tables if table is not None), None)

    def _table(self, first: int) -> tuple[int, ...] | None:
        """Return an entry with its opponents; None if there are too few for it."""
        table = [first]
        while len(table) < self._plan.seats:
            others = [one for one in self._others(first) if self._may_sit(one, table)]
            if not others:
                return None
            table.append(_best(others, lambda one: self._taught(one, table)))
        return tuple(table)

    def _in_need(self) -> list[int]:
        """Return the entries that need a game, who needs it most first, and players before bots."""
        bots: list[int] = []
        is_free = len(self._tournament.open_blocks()) < HOUSE_AHEAD
        if is_free and self._tournament.settled() >= _rated_by(self._tournament):
            wanted = self._plan.format["house_games"]
            bots = [one for one in self._house if self._experience.games[one] < wanted]
        return [*_ordered(self._players, self._needs), *_ordered(bots, self._needs)]

    def _needs(self, entry: int) -> float:
        return self._waited(entry) / self._strengths.known[entry]

    def _waited(self, entry: int) -> int:
        return 1 + self._experience.blocks - self._experience.last[entry]

    def _taught(self, entry: int, table: Iterable[int]) -> float:
        """Return how much a table learns from an entry, times how long the entry has waited."""
        rated = self._strengths.ratings
        return self._waited(entry) * sum(_learned(rated[entry], rated[one]) for one in table)

    def _others(self, first: int) -> list[int]:
        """Return whom an entry may meet. Provisional entries meet bots of the service."""
        if first in self._house or self._is_provisional(first):
            return self._house
        known = {*self._house, *(one for one in self._players if not self._is_provisional(one))}
        return [one for one in self._drawn if one in known]

    def _is_provisional(self, entry: int) -> bool:
        return self._experience.games[entry] < PROVISIONAL

    def _may_sit(self, entry: int, table: list[int]) -> bool:
        owners = {self._owner(one) for one in table} - {None}
        return entry not in table and self._owner(entry) not in owners

    def _owner(self, entry: int) -> str | None:
        found = self._plan.entries[entry]
        return found.owner if isinstance(found, PlayerEntry) else None


def _ordered(entries: Iterable[int], value: Callable[[int], float]) -> list[int]:
    """Return the entries by value, the highest first; equal ones keep their order."""
    return sorted(entries, key=lambda entry: -round(value(entry), _DIGITS))


def _best(entries: Iterable[int], value: Callable[[int], float]) -> int:
    """Return the entry of the highest value, the first of several."""
    return _ordered(entries, value)[0]
