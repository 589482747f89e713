"""What hosts ask for, wherever they ask: the API and the command line share it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.kernel.canonical import JsonObject
from service.ledger.store import Retry
from service.tournaments import report, waiting
from service.tournaments.director import Change, Director
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.plan import Plan, make
from service.tournaments.tournament import Tournament

if TYPE_CHECKING:  # the runtime wires all rooms, this one too
    from service.runtime import Runtime

VERBS = ("pause", "resume", "cancel", "extend")


def plan_of(asked: JsonObject, runtime: "Runtime") -> Plan:
    """Return the plan that a request of the right shape asks for. Raises BadPlanError."""
    plan = make(asked, runtime.registry, runtime.bots, OPTIONS)
    format_of(plan).check(plan)
    return plan


def act(
    director: Director,
    tournament_id: str,
    verb: str,
    body: JsonObject,
    by: JsonObject,
    retry: Retry | None = None,
) -> Change:
    """Do one of ``VERBS``; raises as the director does."""
    acts: dict[str, Callable[[], Change]] = {
        "pause": lambda: director.pause(tournament_id, by, retry),
        "resume": lambda: director.resume(tournament_id, by, retry),
        "cancel": lambda: director.cancel(
            tournament_id, body.get("reason", "cancelled"), by, retry
        ),
        "extend": lambda: director.extend(tournament_id, body["games"], by, retry),
    }
    return acts[verb]()


def summary(tournament: Tournament, runtime: "Runtime") -> JsonObject:
    """Return how a tournament stands, and what it waits for.

    That is no part of what anybody could recompute from the record.
    """
    waits_for = waiting.reason(runtime.redis, tournament)
    return {**report.summary(tournament), "waits_for": waits_for}
