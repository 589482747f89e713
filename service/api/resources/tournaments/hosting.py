"""Controlling a tournament, for its host."""

from collections.abc import Callable

from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.access import HOSTS
from service.api.http.context import Caller
from service.api.http.guards import TOURNAMENT
from service.api.http.headers import IDEMPOTENCY_KEY
from service.api.http.operations import View
from service.api.resources.games import retry_of
from service.api.resources.tournaments.common import ONE, answer_change, blueprint, standing_of
from service.api.schemas import tournaments as shapes
from service.ledger.store import Retry
from service.problems import Problem

_CHANGES = (
    *ONE,
    "not_your_tournament",
    "invalid_header",
    "idempotency_key_reused",
    "conflict",
)


def _operation_of(
    verb: str, name: str, *, body: bool = False, problems: tuple[str, ...]
) -> Callable[[View], View]:
    return blueprint.operation(
        "POST",
        f"/v1/tournaments/<tournament_id>/{verb}",
        name,
        security=HOSTS,
        sees=TOURNAMENT,
        body=body,
        problems=[*_CHANGES, *problems],
        headers=[IDEMPOTENCY_KEY],
    )


@_operation_of("start", "startTournament", problems=("no_place_free", "too_few_entries"))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def start_tournament(caller: Caller, tournament_id: str) -> Response:
    """Start a tournament with the entries that it has.

    It takes no more entries of owners. If all places are taken, it starts by itself.
    """
    by, retry = _host(caller, tournament_id)
    return answer_change(caller, caller.runtime.director.close_entries(tournament_id, by, retry))


@_operation_of("pause", "pauseTournament", problems=("tournament_not_running",))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def pause_tournament(caller: Caller, tournament_id: str) -> Response:
    """Pause a tournament: begin no more blocks.

    Blocks that have begun are played to the end.
    """
    by, retry = _host(caller, tournament_id)
    return answer_change(caller, caller.runtime.director.pause(tournament_id, by, retry))


@_operation_of("resume", "resumeTournament", problems=("tournament_not_paused",))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def resume_tournament(caller: Caller, tournament_id: str) -> Response:
    """Resume a paused tournament.

    It continues with its open blocks.
    """
    by, retry = _host(caller, tournament_id)
    return answer_change(caller, caller.runtime.director.resume(tournament_id, by, retry))


@_operation_of("cancel", "cancelTournament", body=True, problems=("tournament_over",))
@blueprint.arguments(shapes.CancelRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def cancel_tournament(caller: Caller, body: shapes.CancelRequest, tournament_id: str) -> Response:
    """End a tournament for good.

    Finished blocks stay; games in progress are aborted.
    """
    by, retry = _host(caller, tournament_id)
    director, reason = caller.runtime.director, body.reason
    return answer_change(caller, director.cancel(tournament_id, reason, by, retry))


@_operation_of(
    "extend", "extendTournament", body=True, problems=("tournament_over", "fixed_length")
)
@blueprint.arguments(shapes.ExtendRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def extend_tournament(caller: Caller, body: shapes.ExtendRequest, tournament_id: str) -> Response:
    """Extend a tournament by more games.

    Only the formats round robin, gauntlet and comparison can be extended.
    """
    by, retry = _host(caller, tournament_id)
    director = caller.runtime.director
    return answer_change(caller, director.extend(tournament_id, body.games, by, retry))


@_operation_of(
    "withdraw",
    "withdrawEntry",
    body=True,
    problems=("tournament_over", "entry_not_playing", "upgrade_unfinished"),
)
@blueprint.arguments(shapes.WithdrawRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def withdraw_entry(caller: Caller, body: shapes.WithdrawRequest, tournament_id: str) -> Response:
    """Withdraw an entry: it plays no more.

    Its finished blocks stay, and its other blocks do not count. The other entries play on, if
    enough are left. Before the start, it leaves its place, and a player may be entered again. The
    host may withdraw any entry, and an owner their own bots.
    """
    director = caller.runtime.director
    plan = director.find(tournament_id).plan
    owner = plan.owner_of(body.entry)
    by, retry = (
        ({"player": owner}, retry_of(caller, owner, caller.loaded))
        if owner == caller.me.id
        else _host(caller, tournament_id)
    )
    return answer_change(caller, director.withdraw(tournament_id, body.entry, by, retry))


@_operation_of(
    "entropy",
    "revealTournamentEntropy",
    body=True,
    problems=("no_entropy_expected", "entropy_mismatch"),
)
@blueprint.arguments(shapes.TournamentEntropyRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def reveal_entropy(
    caller: Caller, body: shapes.TournamentEntropyRequest, tournament_id: str
) -> Response:
    """Reveal an entry's entropy.

    The tournament starts when the last entry's entropy is revealed.
    """
    by, retry = _host(caller, tournament_id)
    director = caller.runtime.director
    entropy = bytes.fromhex(body.entropy)
    return answer_change(
        caller, director.reveal_entropy(tournament_id, body.entry, entropy, by, retry)
    )


def _host(caller: Caller, tournament_id: str) -> tuple[JsonObject, Retry | None]:
    """Return ``{"player": ID}`` and the ``Retry`` of this request.

    The dict names the caller in the events of the request, as their causer.

    Raises:
        Problem: ``not_your_tournament``: the caller does not host the tournament.
    """
    player = caller.me
    if standing_of(caller, tournament_id).made["created_by"] != player.id:
        raise Problem("not_your_tournament")
    return {"player": player.id}, retry_of(caller, player.id, caller.loaded)
