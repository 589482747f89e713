"""What hosts ask for, wherever they ask: the API and the command line share it."""

from collections.abc import Callable

from rules.kernel.canonical import JsonObject
from service.runtime import Runtime
from service.tournaments import report
from service.tournaments.director import Director
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.plan import Plan, make
from service.tournaments.tournament import Tournament

VERBS = ("pause", "resume", "cancel", "extend")


def plan_of(asked: JsonObject, runtime: Runtime) -> Plan:
    """Return the plan that a request of the right shape asks for. Raises BadPlanError."""
    plan = make(asked, runtime.registry, runtime.bots, OPTIONS)
    format_of(plan).check(plan)
    return plan


def act(
    director: Director, tournament_id: str, verb: str, body: JsonObject, by: JsonObject
) -> Tournament:
    """Do one of ``VERBS``; raises as the director does."""
    acts: dict[str, Callable[[], Tournament]] = {
        "pause": lambda: director.pause(tournament_id, by),
        "resume": lambda: director.resume(tournament_id, by),
        "cancel": lambda: director.cancel(tournament_id, body.get("reason", "cancelled"), by),
        "extend": lambda: director.extend(tournament_id, body["games"], by),
    }
    return acts[verb]()


def summary(tournament: Tournament) -> JsonObject:
    """Return how a tournament stands."""
    return report.summary(tournament)
