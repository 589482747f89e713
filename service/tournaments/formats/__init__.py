"""Formats: the ways to pair a tournament's entries, as pure functions of plan and results."""

from service.tournaments.formats.compare import Compare
from service.tournaments.formats.endless import Endless
from service.tournaments.formats.format import Format
from service.tournaments.formats.knockout import Knockout
from service.tournaments.formats.ladder import Ladder
from service.tournaments.formats.lineups import Gauntlet, RoundRobin
from service.tournaments.formats.swiss import Swiss
from service.tournaments.plan import Plan

FORMATS: dict[str, Format] = {
    made.type: made
    for made in (
        RoundRobin(),
        Gauntlet(),
        Swiss(),
        Knockout(),
        Ladder(),
        Compare(),
        Endless(),
    )
}
OPTIONS = {name: made.options for name, made in FORMATS.items()}


def format_of(plan: Plan) -> Format:
    """Return the format of a plan."""
    return FORMATS[plan.format["type"]]
