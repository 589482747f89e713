"""What the operations on tournaments have in common."""

from collections.abc import Collection

from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.context import Caller
from service.api.http.operations import Blueprint
from service.api.http.responses import NO_HEADERS, answer
from service.api.resources.games import REPLAYED
from service.players.bot_accounts import BotAccount
from service.tournaments import requests
from service.tournaments.director import Change
from service.tournaments.plan import PlayerOffer
from service.tournaments.standing import TournamentStanding

blueprint = Blueprint("tournaments", __name__, description="Bots against bots, by the thousand.")

ONE = ("unknown_tournament", "tournament_damaged")
"""Problems of all operations on one tournament."""


def offered(caller: Caller, accounts: Collection[BotAccount]) -> dict[str, PlayerOffer]:
    """Return bot accounts as entries need them, by id."""
    players = caller.services.players.by_ids([one.id for one in accounts])
    return {
        one.id: PlayerOffer(
            one.id,
            one.owner,
            players[one.id].name,
            one.version,
            {taken.ruleset: taken.seats for taken in one.takes},
        )
        for one in accounts
    }


def standing_of(caller: Caller, tournament_id: str) -> TournamentStanding:
    """Return the standing of a tournament, and see to it that the store has it."""
    return looked_after(caller, caller.runtime.standings.of(tournament_id))


def looked_after(caller: Caller, standing: TournamentStanding) -> TournamentStanding:
    """Return ``standing``. If the store does not have all of it yet, queue work for a worker.

    The worker continues the tournament, and stores the standing.
    """
    if not standing.is_kept:
        caller.runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    return standing


def answer_change(caller: Caller, done: Change, status: int = 200) -> Response:
    """Answer with the tournament after a change; a repeated request gets the same answer."""
    found = with_names(caller, requests.summary(done.tournament, caller.runtime.redis))
    return answer(found, status, REPLAYED if done.replayed else NO_HEADERS)


def with_names(caller: Caller, found: JsonObject) -> JsonObject:
    """Return the summary of a tournament with the names of its people, and its leaders."""
    (leaders,) = caller.runtime.reports.leaders([found["id"]])
    owners = [entry["owner"] for entry in found["plan"]["entries"] if "owner" in entry]
    named = caller.named([found["created_by"], *owners])
    return {**found, **named, "leaders": leaders}
