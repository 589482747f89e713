"""The report of a tournament: all published figures, computed from the stream alone.

Figures are exact where possible (points are fractions), and rounded only in the report.
``measured`` holds clock times, which nobody can recompute.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from math import ceil, floor
from typing import Any

from rules.kernel.canonical import JsonObject
from service.tournaments import parts
from service.tournaments.figures import table_bands, tally
from service.tournaments.figures.bands import SAMPLES, Band
from service.tournaments.figures.ladder import LadderFigures
from service.tournaments.figures.points import Score
from service.tournaments.figures.ratings import Comparisons, elo
from service.tournaments.figures.table_bands import Bootstrap, TableBands
from service.tournaments.figures.tally import Tally
from service.tournaments.formats import compare, format_of
from service.tournaments.formats.endless import PROVISIONAL, experience
from service.tournaments.formats.format import games_in_block
from service.tournaments.plan import OPPONENTS, Entry, Plan, PlayerEntry
from service.tournaments.tournament import GameOutcome, Tournament

FIGURES = 1
"""The version of all computations (docs/tournaments.md); a change of them needs another number."""

DIGITS, ELO_DIGITS = 4, 1

WORTH_A_WARNING = 0.01
"""Share of abandoned tries above which the report warns of a busy machine or a useless entry."""


def report(tournament: Tournament, *, samples: int = SAMPLES) -> JsonObject:
    """Return the whole report as JSON; ``samples`` is the number of drawings for the bands."""
    if not samples:
        return figures(tournament, table_bands.none(tournament.plan), 0)
    made = drawing(tournament)
    return figures(tournament, made.bands([made.draw(0, samples)]), samples)


def drawing(tournament: Tournament) -> Bootstrap:
    """Return the bootstrap for the bands of a tournament's report."""
    outcomes = groupby(tournament.outcomes(), _block_of)
    blocks = [list(group) for _block, group in outcomes]
    return Bootstrap(tournament.plan, blocks, tally.of(tournament).ratings(), tournament.scope)


def _block_of(outcome: GameOutcome) -> int:
    return outcome.block


def figures(tournament: Tournament, uncertain: TableBands, samples: int) -> JsonObject:
    """Return the report of a tournament.

    ``uncertain`` has the report's bands, which were computed from ``samples`` drawings.
    """
    tallied = tally.of(tournament)
    rated, found = tallied.ratings(), tally.scores(tournament)
    compared: JsonObject = {}
    if tournament.part is not None:
        blocks = [list(group) for _block, group in groupby(tournament.outcomes(), _block_of)]
        ladder = LadderFigures(rated, tallied.comparisons, blocks)
        uncertain = uncertain._replace(ratings=ladder.bands())
        compared = {"ladder": _ladder(tournament, ladder)}
    return {
        **summary(tournament),
        **compared,
        "figures": FIGURES,
        "table": _table(tournament, tallied, found, rated, uncertain),
        "cross_table": _cross_table(tallied.comparisons, len(tournament.plan.entries)),
        "seats": _seats(tournament.plan, tallied, uncertain),
        "verdict": _verdict(tournament),
        "rating_curve": _curve(tournament.plan, tallied),
        "samples": samples,
        "measured": _measured(tournament, found),
    }


def summary(tournament: Tournament) -> JsonObject:
    """Return the status of a tournament, without the table."""
    return {**made(tournament), **now(tournament)}


def made(tournament: Tournament) -> JsonObject:
    """Return the constant part of a summary."""
    plan = tournament.plan
    return {
        "id": tournament.id,
        "name": plan.name,
        "created_at": tournament.created_at,
        "created_by": tournament.created_by.get("player"),
        "chance": {"scope": tournament.scope, "commitment": tournament.commitment},
        "plan": plan.to_json(),
    }


def now(tournament: Tournament) -> JsonObject:
    """Return the changing part of a summary.

    This takes the same time for few blocks and for many blocks.
    """
    plan, played = tournament.plan, tournament.games_counted()
    first = tournament.blocks.get(1)
    per_block = 1 if first is None else len(first.seatings(plan.rotations))
    if plan.is_endless:
        per_block = games_in_block(plan)  # perhaps nobody has come yet
    total = format_of(plan).total_blocks(tournament) * per_block
    return {
        "status": tournament.status,
        "reason": tournament.reason or None,
        "version": tournament.version,
        "head": tournament.head.hex(),
        "at": tournament.at,
        "rounds": tournament.rounds,
        "games": {"played": played, "planned": played if tournament.over else total},
        "blocks": {"played": len(tournament.results), "open": len(tournament.open_blocks())},
        "disqualified": [
            {"entry": plan.entries[out.entry].name, "after_block": out.block, "reason": out.reason}
            for out in tournament.disqualified.values()
        ],
        **_abandoned(tournament),
        **_part(tournament),
    }


def _part(tournament: Tournament) -> JsonObject:
    """Return ``part``: the parts before and after this one; {} if the tournament has no parts."""
    part = tournament.part
    if part is None:
        return {}
    return {
        "part": {
            "number": part.number,
            "before": None if part.before is None else part.before["tournament_id"],
            "next": parts.next_id(tournament),
        }
    }


def _ladder(tournament: Tournament, ladder: LadderFigures) -> JsonObject:
    """Return who is better than whom in an endless tournament, over all of its parts."""
    names = [entry.name for entry in tournament.plan.entries]
    games = experience(tournament).games
    return {
        "provisional_below": PROVISIONAL,
        "entries": [
            {
                "entry": name,
                "games": played,
                "provisional": played < PROVISIONAL,
                "winning": None
                if first is None
                else {
                    "games": first.games,
                    "wins": _number(first.wins),
                    "promised": _number(first.promised),
                    "z": _number(first.z),
                },
            }
            for name, played, first in zip(names, games, ladder.winners(), strict=True)
        ],
        "better": [
            [None if chance is None else _number(chance) for chance in row]
            for row in ladder.better()
        ],
        "sets": [[names[entry] for entry in entries] for entries in ladder.sets()],
        "dispersion": _number(ladder.dispersion),
        "pairs": [
            {
                "entries": [names[pair.first], names[pair.second]],
                "games": pair.games,
                "ahead": _number(pair.ahead),
                "promised": _number(pair.promised),
                "z": _number(pair.z),
            }
            for pair in ladder.misfits()
        ],
    }


def _abandoned(tournament: Tournament) -> JsonObject:
    """Return ``abandoned``: each entry's number of abandoned tries; {} if there are none."""
    if not tournament.abandoned:
        return {}
    return {
        "abandoned": [
            {
                "entry": tournament.plan.entries[entry].name,
                "tries": tries,
                "blocks": tournament.blocks_of[entry],
                "share": _number(tries / tournament.blocks_of[entry]),
            }
            for entry, tries in sorted(tournament.abandoned.items())
        ]
    }


def _table(
    tournament: Tournament,
    tallied: Tally,
    found: Sequence[Score],
    rated: Sequence[float | None],
    uncertain: TableBands,
) -> list[JsonObject]:
    plan = tournament.plan
    rows = []
    place = 1
    for group in format_of(plan).places(tournament):
        for entry in group:
            score = found[entry]
            rating, rating_band = rated[entry], uncertain.ratings[entry]
            rows.append(
                {
                    "place": place,
                    "entry": plan.entries[entry].name,
                    **_who(plan.entries[entry]),
                    "games": score.games,
                    "points": _number(score.points),
                    "points_per_game": _number(score.rate),
                    "points_band": _band(uncertain.points[entry]),
                    "wins": _number(score.wins),
                    "ranks": score.ranks,
                    "mean_score": _number(score.by_name("mean_score")),
                    "rating": None if rating is None else _number(rating),
                    "rating_band": _band(rating_band),
                    "elo": None if rating is None else _elo(rating),
                    "elo_band": _band(
                        rating_band and Band(*map(elo, rating_band)), digits=ELO_DIGITS
                    ),
                    "by_seat": [
                        {
                            "games": games,
                            "points_per_game": _number(sum_ / games) if games else None,
                        }
                        for games, sum_ in tallied.scoring.by_seat(entry)
                    ],
                    "byes": score.byes,
                    "failures": score.failures,
                    "disqualified": entry in tournament.disqualified,
                }
            )
        place += len(group)
    return rows


def _who(entry: Entry) -> JsonObject:
    """Return the fields of a row that say who plays for an entry."""
    if isinstance(entry, PlayerEntry):
        named = f"{entry.player}@{entry.version}"
        return {"bot": named, "settings": {}, "player": entry.player, "owner": entry.owner}
    return {"bot": f"{entry.bot}@{entry.version}", "settings": entry.settings}


def _cross_table(comparisons: Comparisons, entries: int) -> list[list[JsonObject | None]]:
    """Return a table with a cell for each pair of entries: a row for one, a column for the other.

    A cell has ``games``, the number of games in which both entries played, and ``ahead``, how often
    the entry of the row was ahead. A tie counts half.
    """
    table: list[list[JsonObject | None]] = [
        [None if one == other else {"games": 0, "ahead": 0.0} for other in range(entries)]
        for one in range(entries)
    ]
    for one, other, ahead, behind in comparisons:
        games = round(ahead + behind)
        table[one][other] = {"games": games, "ahead": _number(ahead)}
        table[other][one] = {"games": games, "ahead": _number(behind)}
    return table


def _seats(plan: Plan, tallied: Tally, uncertain: TableBands) -> list[JsonObject]:
    """Return for each seat its points per game, and its advantage over a fair share.

    The points of all entries in a seat are added up.
    """
    fair, games = Fraction(1, 2 if plan.points == OPPONENTS else plan.seats), tallied.games
    return [
        {
            "seat": seat,
            "points_per_game": _number(total / max(1, games)),
            "advantage": _number(total / games - fair) if games else None,
            "band": _band(uncertain.seats[seat]),
        }
        for seat, total in enumerate(tallied.scoring.of_seats())
    ]


def _verdict(tournament: Tournament) -> JsonObject | None:
    """Return the verdict of a comparison, with its reason."""
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
    claimed: JsonObject = {}
    if (percent := compare.claim_percent(plan)) != compare.PAR_PERCENT:
        claimed = {"claim": _number(test.claim)}
        said = {
            "better": f"{first} gets more than {test.claim:g} points a game against {second}:"
            f" whoever bet on that from the first block multiplied the stake by {better:.1f},"
            f" which happens to one who does not at most once in {1 / test.alpha:.0f} tests",
            "not_better": f"{first} gets less than {test.claim + margin:g} points a game against"
            f" {second}: whoever bet on that multiplied the stake by {worse:.1f}, which happens to"
            f" one who does not at most once in {1 / test.beta:.0f} tests",
        }
    undecided = f"neither is shown yet: the stakes stand at {better:.2f} and {worse:.2f}"
    return {
        "verdict": test.verdict or "undecided",
        "blocks": test.blocks,
        "points_per_game": _number(test.mean),
        "fair": _number(test.claim * compare.PAR_PERCENT / percent),
        **claimed,
        "margin": _number(margin),
        "alpha": _number(test.alpha),
        "beta": _number(test.beta),
        "evidence_better": _number(better),
        "evidence_not_better": _number(worse),
        "why": said.get(test.verdict or "", undecided),
    }


def _curve(plan: Plan, tallied: Tally) -> JsonObject:
    """Return the ratings, on Elo's scale, at several times in the tournament.

    ``games`` has the number of games that had ended at each time. Between one time and the next,
    equally many games ended, except before the last time. ``elo`` has the ratings of each entry at
    these times.
    """
    found = tallied.curve()
    return {
        "games": [games for games, _rated in found],
        "elo": {
            entry.name: [
                None if (rating := rated[number]) is None else _elo(rating)
                for _games, rated in found
            ]
            for number, entry in enumerate(plan.entries)
        },
    }


def _measured(tournament: Tournament, found: Sequence[Score]) -> JsonObject:
    names = [entry.name for entry in tournament.plan.entries]
    return {
        "cpu_seconds": {
            name: _number(score.cpu_us / 1e6) for name, score in zip(names, found, strict=True)
        }
    }


def _elo(rating: float) -> float:
    return round(elo(rating), ELO_DIGITS)


def _band(found: Band | None, digits: int = DIGITS) -> list[float] | None:
    """Round a band outwards to the published digits, so that rounding never makes it narrower."""
    if found is None:
        return None
    unit = 10**digits
    return [floor(found.low * unit) / unit, ceil(found.high * unit) / unit]


def _number(value: Any) -> float:
    """Round to the published digits; never to minus zero."""
    return round(float(value), DIGITS) + 0.0
