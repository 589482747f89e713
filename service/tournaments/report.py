"""The report of a tournament: every figure that is published, from the stream alone.

Exact where it can be (points are fractions), rounded where it is printed. ``measured`` holds what
a clock said and nobody can recompute.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import fsum
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from service.tournaments.bands import Band, bands
from service.tournaments.formats import compare, format_of
from service.tournaments.plan import OPPONENTS, Plan
from service.tournaments.points import Score, points, scores, tally
from service.tournaments.ratings import START, RatedGame, Rating, games_of, rate
from service.tournaments.tournament import Outcome, Tournament

SAMPLES = 200
DIGITS = 4
CURVE = 60
"""How many points the curve of ratings has."""


def report(tournament: Tournament, *, samples: int = SAMPLES) -> JsonObject:
    """Return the whole report as JSON; ``samples`` are the resamplings that the bands come from."""
    plan = tournament.plan
    outcomes = list(tournament.outcomes())
    rated, curve = _rated(tournament, outcomes)
    blocks = [list(group) for _block, group in groupby(outcomes, lambda outcome: outcome.block)]
    return {
        **summary(tournament),
        "table": _table(tournament, outcomes, blocks, rated, samples),
        "cross_table": _cross_table(outcomes, len(plan.entries)),
        "seats": _seats(tournament, outcomes, blocks, samples),
        "verdict": _verdict(tournament),
        "rating_curve": curve,
        "samples": samples,
        "measured": _measured(tournament),
    }


def summary(tournament: Tournament) -> JsonObject:
    """Return how a tournament stands, without the table."""
    plan = tournament.plan
    played = sum(1 for _ in tournament.outcomes())
    per_block = [len(b.seatings(plan.rotations)) for b in list(tournament.blocks.values())[:1]]
    total = format_of(plan).total_blocks(tournament) * (per_block[0] if per_block else 1)
    return {
        "id": tournament.id,
        "name": plan.name,
        "status": tournament.status,
        "reason": tournament.reason or None,
        "version": tournament.version,
        "head": tournament.head.hex(),
        "created_at": tournament.created_at,
        "created_by": tournament.created_by.get("player"),
        "chance": {"scope": tournament.scope, "commitment": tournament.commitment},
        "at": tournament.at,
        "plan": plan.to_json(),
        "rounds": tournament.rounds,
        "games": {"played": played, "planned": played if tournament.over else total},
        "blocks": {"played": len(tournament.results), "open": len(tournament.open_blocks())},
        "disqualified": [
            {"entry": plan.entries[out.entry].name, "after_block": out.block, "reason": out.reason}
            for out in tournament.disqualified.values()
        ],
    }


def _table(
    tournament: Tournament,
    outcomes: Sequence[Outcome],
    blocks: Sequence[Sequence[Outcome]],
    rated: Mapping[str, Rating],
    samples: int,
) -> list[JsonObject]:
    plan = tournament.plan
    names = [entry.name for entry in plan.entries]
    found = scores(tournament)
    counted = [
        _Counted.of(tally(block, len(names), plan.points), games_of(block, names))
        for block in blocks
    ]

    def figures(sample: Sequence[_Counted]) -> list[float]:
        after = rate(game for block in sample for game in block.rated)
        return _means(sample) + [after.get(name, START).mu for name in names]

    uncertain = bands(counted, figures, samples, f"{tournament.scope} bootstrap")
    rows = []
    place = 1
    for group in format_of(plan).places(tournament):
        for entry in group:
            score = found[entry]
            rating = rated.get(names[entry], START)
            rows.append(
                {
                    "place": place,
                    "entry": names[entry],
                    "bot": f"{plan.entries[entry].bot}@{plan.entries[entry].version}",
                    "settings": plan.entries[entry].settings,
                    "games": score.games,
                    "points": _number(score.points),
                    "points_per_game": _number(score.rate),
                    "points_band": _band(uncertain, entry),
                    "wins": _number(score.wins),
                    "ranks": score.ranks,
                    "mean_score": _number(score.by_name("mean_score")),
                    "rating": _rating(rating),
                    "rating_band": _band(uncertain, len(names) + entry),
                    "by_seat": _by_seat(outcomes, entry, plan.seats, plan.points),
                    "byes": score.byes,
                    "failures": score.failures,
                    "disqualified": entry in tournament.disqualified,
                }
            )
        place += len(group)
    return rows


class _Counted(NamedTuple):
    """Games in the figures that resampling adds up: a block is drawn again and again.

    ``points`` and ``games`` are of each entry, or of each seat.
    """

    points: list[float]
    games: list[int]
    rated: list[RatedGame]

    @classmethod
    def of(cls, tallied: Sequence[Score], rated: list[RatedGame]) -> "_Counted":
        return cls([float(s.points) for s in tallied], [s.games for s in tallied], rated)


def _means(blocks: Sequence[_Counted]) -> list[float]:
    """Return points a game, in these blocks together."""
    return [
        fsum(worth) / max(1, sum(games))
        for worth, games in zip(
            zip(*[block.points for block in blocks], strict=True),
            zip(*[block.games for block in blocks], strict=True),
            strict=True,
        )
    ]


def _by_seat(outcomes: Sequence[Outcome], entry: int, seats: int, scheme: str) -> list[JsonObject]:
    """Return what an entry did on each seat."""
    games, sums = [0] * seats, [Fraction()] * seats
    for outcome in outcomes:
        if entry in outcome.seating:
            worth = points(outcome.result.ranks, scheme)
            for seat, other in enumerate(outcome.seating):
                if other == entry:
                    games[seat] += 1
                    sums[seat] += worth[seat]
    return [
        {"games": count, "points_per_game": _number(total / count) if count else None}
        for count, total in zip(games, sums, strict=True)
    ]


def _cross_table(outcomes: Sequence[Outcome], entries: int) -> list[list[JsonObject | None]]:
    """Return, for each pair, how often they met and how often the first was ahead; ties halve."""
    met = [[0] * entries for _ in range(entries)]
    ahead = [[Fraction()] * entries for _ in range(entries)]
    for outcome in outcomes:
        sides = list(zip(outcome.seating, outcome.result.ranks, strict=True))
        for one, rank in sides:
            for other, other_rank in sides:
                if one != other:
                    met[one][other] += 1
                    ahead[one][other] += Fraction((rank < other_rank) + (rank <= other_rank), 2)
    return [
        [
            {"games": met[one][other], "ahead": _number(ahead[one][other])}
            if one != other
            else None
            for other in range(entries)
        ]
        for one in range(entries)
    ]


def _seats(
    tournament: Tournament,
    outcomes: Sequence[Outcome],
    blocks: Sequence[Sequence[Outcome]],
    samples: int,
) -> list[JsonObject]:
    """Return what each seat is worth, whoever sits there: more than fair, or less."""
    plan = tournament.plan

    counted = [_seat_totals(block, plan) for block in blocks]
    uncertain = bands(counted, _means, samples, f"{tournament.scope} seats")
    fair = 0.5 if plan.points == OPPONENTS else 1 / plan.seats
    return [
        {
            "seat": seat,
            "points_per_game": _number(value),
            "advantage": _number(value - fair) if outcomes else None,
            "band": _band(uncertain, seat),
        }
        for seat, value in enumerate(_means([_seat_totals(outcomes, plan)]))
    ]


def _seat_totals(outcomes: Sequence[Outcome], plan: Plan) -> _Counted:
    """Return what was won on each seat, whoever sat there."""
    won = zip(*[points(outcome.result.ranks, plan.points) for outcome in outcomes], strict=True)
    worth = [float(sum(column)) for column in won] or [0.0] * plan.seats
    return _Counted(worth, [len(outcomes)] * plan.seats, [])


def _verdict(tournament: Tournament) -> JsonObject | None:
    """Return what a comparison has come to, and why."""
    plan = tournament.plan
    if plan.format["type"] != compare.Compare.type:
        return None
    test = compare.run(tournament)
    first, second = (entry.name for entry in plan.entries)
    margin = plan.format["margin_percent"] / 100
    better, worse = test.evidence
    said = {
        "better": f"{first} is better than {second}: whoever bet on that from the first block"
        f" multiplied the stake by {better:.1f}, which happens to equals at most once in"
        f" {1 / test.alpha:.0f} tests",
        "not_better": f"{first} is not better than {second} by {margin:g} points a game: whoever"
        f" bet on that multiplied the stake by {worse:.1f}, which happens to one that is at most"
        f" once in {1 / test.beta:.0f} tests",
    }
    undecided = f"neither is shown yet: the stakes stand at {better:.2f} and {worse:.2f}"
    return {
        "verdict": test.verdict or "undecided",
        "blocks": test.blocks,
        "points_per_game": _number(test.mean),
        "fair": _number(test.fair),
        "margin": _number(margin),
        "alpha": _number(test.alpha),
        "beta": _number(test.beta),
        "evidence_better": _number(better),
        "evidence_not_better": _number(worse),
        "why": said.get(test.verdict or "", undecided),
    }


def _rated(
    tournament: Tournament, outcomes: Sequence[Outcome]
) -> tuple[dict[str, Rating], JsonObject]:
    """Return the ratings after all games, and their curve: after some games, evenly spread."""
    names = [entry.name for entry in tournament.plan.entries]
    step = max(1, -(-len(outcomes) // CURVE))
    games: list[int] = [0]
    curve: dict[str, list[float]] = {name: [_number(START.mu)] for name in names}
    rated: dict[str, Rating] = {}
    for first in range(0, len(outcomes), step):
        rated = rate(games_of(outcomes[first : first + step], names), rated)
        games.append(min(first + step, len(outcomes)))
        for name in names:
            curve[name].append(_number(rated.get(name, START).mu))
    return rated, {"games": games, "ratings": curve}


def _measured(tournament: Tournament) -> JsonObject:
    names = [entry.name for entry in tournament.plan.entries]
    return {
        "cpu_seconds": {
            name: _number(score.cpu_us / 1e6)
            for name, score in zip(names, scores(tournament), strict=True)
        }
    }


def _rating(rating: Rating) -> JsonObject:
    return {"mu": _number(rating.mu), "sigma": _number(rating.sigma)}


def _band(found: Sequence[Band] | None, index: int) -> list[float] | None:
    return None if found is None else [_number(found[index].low), _number(found[index].high)]


def _number(value: Any) -> float:
    """Round to what is published; never to minus zero."""
    return round(float(value), DIGITS) + 0.0
