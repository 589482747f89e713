"""What a tournament costs, as far as that is known before it begins.

Lengths of games and times of decisions come from ``aids/costs.json`` of the ruleset, which
``python -m tools.costs`` measures. Bots of other authors are in no such file.
"""

from math import ceil, sqrt

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import published
from rules.kernel.contract.registry import Registry
from service.tournaments.figures.bands import NORMAL
from service.tournaments.formats import format_of
from service.tournaments.plan import WINS, BotEntry, Entry, Plan

EVENT_BYTES = 560
"""Bytes that the store needs for an event of a game of bots (docs/numbers.md)."""
BANDS = (0.1, 0.05, 0.02, 0.01)
"""Widths for which the number of games is told: a band of 0.05 is 0.05 to each side."""


def estimate(plan: Plan, games: int, registry: Registry, workers: int) -> JsonObject:
    """Return the costs of ``games`` games, which ``workers`` processes play, and their bands.

    ``games`` is the number of planned games of the whole plan. ``unmeasured`` names the entries
    whose times are unknown; then there is no ``processor_seconds``. With players, there is no
    ``seconds``: they take the time that their clock gives them. ``band`` is the distance of a
    band's ends from an entry's points per game, for the entry with the fewest games, if all entries
    are equally strong; the bands of unequal entries are narrower.
    """
    costs = published.costs(registry.find(plan.ruleset, plan.rules_version))
    length = costs.get("lengths", {}).get(str(plan.seats))
    milliseconds = costs.get("milliseconds", {})
    shares = _shares(plan)
    times = {entry.name: _milliseconds(entry, milliseconds) for entry in plan.entries}
    unmeasured = [name for name, known in times.items() if known is None]
    processor = None
    if length is not None and not unmeasured:
        mean = sum(share * (times[name] or 0) for name, share in shares.items())
        processor = round(games * length["decisions"] * mean / 1000, 1)
    seconds = None if processor is None or not workers else round(processor / workers, 1)
    seats = plan.seats * min(shares.values())
    spread = _spread(plan)
    return {
        "processor_seconds": processor,
        "workers": workers,
        "seconds": None if plan.players() else seconds,
        "stored_bytes": None if length is None else games * length["events"] * EVENT_BYTES,
        "unmeasured": unmeasured,
        "band": round(min(1.0, NORMAL * spread / sqrt(max(1.0, games * seats))), 4),
        "games_for_bands": [
            {"band": band, "games": ceil((NORMAL * spread / band) ** 2 / seats)} for band in BANDS
        ],
    }


def _shares(plan: Plan) -> dict[str, float]:
    """Return each entry's share of all seats of all games, by name."""
    names = [entry.name for entry in plan.entries]
    if not format_of(plan).first_plays_always or len(names) == 1:
        return dict.fromkeys(names, 1 / len(names))
    first = 1 / plan.seats
    return {
        name: first if not i else (1 - first) / (len(names) - 1) for i, name in enumerate(names)
    }


def _milliseconds(entry: Entry, measured: JsonObject) -> float | None:
    """Return the mean processor time of a decision; None if it is unknown.

    Players think elsewhere, so theirs is 0.
    """
    return measured.get(entry.bot) if isinstance(entry, BotEntry) else 0.0


def _spread(plan: Plan) -> float:
    """Return the standard deviation of the points of a game among equally strong entries."""
    if plan.points == WINS:
        return sqrt(1 / plan.seats * (1 - 1 / plan.seats))
    # Points are spread evenly over 0, 1/(n - 1), …, 1.
    return sqrt((plan.seats + 1) / (12 * (plan.seats - 1)))
