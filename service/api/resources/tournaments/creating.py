"""Creating tournaments, and the formats for it."""

from flask import Response

from rules.kernel.canonical import digest
from service.api.http.access import ANY_CALLER, HOSTS
from service.api.http.context import Caller
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.limits import CREATION
from service.api.http.requests import fingerprint_bytes
from service.api.http.responses import answer, checked
from service.api.resources.tournaments.common import answer_change, blueprint, offered
from service.api.schemas import tournaments as shapes
from service.problems import Problem, field_error
from service.redis.format import NEWEST, level_of
from service.tournaments import requests
from service.tournaments.formats import FORMATS
from service.tournaments.plan import BadPlanError, Plan, PlayerOffer, TournamentRequest


@blueprint.operation(
    "POST",
    "/v1/tournaments",
    "createTournament",
    security=HOSTS,
    body=True,
    problems=[
        "bad_tournament",
        "too_many_tournaments",
        "storage_nearly_full",
        "invalid_header",
        "idempotency_key_reused",
        "tournament_damaged",
        "conflict",
        "upgrade_unfinished",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.TournamentRequestSchema)
@blueprint.response(
    201, shapes.TournamentSchema, description="The tournament; it starts by itself."
)
def create_tournament(caller: Caller, body: TournamentRequest) -> Response:
    """Create a tournament.

    It starts by itself as soon as every entry that committed to entropy has revealed it. If a
    request with an `Idempotency-Key` is repeated, the answer is the same tournament.
    """
    player, runtime = caller.me, caller.runtime
    key, fingerprint = (
        caller.idempotency_key,
        digest(fingerprint_bytes("tournaments", caller.loaded)),
    )
    made = runtime.director.create(
        _plan(caller, body),
        {"player": player.id},
        seed=body.seed,
        key=key,
        fingerprint=fingerprint,
        admit=caller.services.admission.tournament(caller.claimant),
    )
    response = answer_change(caller, made, 201)
    response.headers["Location"] = f"/v1/tournaments/{made.tournament.id}"
    return response


@blueprint.operation(
    "POST",
    "/v1/tournaments/preview",
    "previewTournament",
    security=ANY_CALLER,
    body=True,
    problems=["bad_tournament"],
)
@blueprint.arguments(shapes.TournamentRequestSchema)
@blueprint.response(
    200, shapes.TournamentPreviewSchema, description="The tournament that the request would make."
)
def preview_tournament(caller: Caller, body: TournamentRequest) -> Response:
    """Preview a tournament, without creating it.

    The answer is the plan with its defaults filled in, its number of games, and an estimate of what
    they cost and of how wide their bands are. The errors are those of `createTournament`.
    """
    runtime = caller.runtime
    workers = runtime.settings.tournament_workers
    return answer(requests.preview(_plan(caller, body), runtime.registry, workers))


@blueprint.operation(
    "GET",
    "/v1/tournament_formats",
    "listTournamentFormats",
    security=ANY_CALLER,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.FormatListSchema, description="The formats.")
def list_formats(_caller: Caller) -> Response:
    """List the formats of tournaments.

    Each format has the JSON Schema of its options; a request names the format's `type` in `format`.
    """
    found = [
        {
            "type": made.type,
            "description": made.doc,
            "options": {option.name: option.schema() for option in made.options},
        }
        for made in FORMATS.values()
    ]
    return checked({"formats": found})


def _plan(caller: Caller, body: TournamentRequest) -> Plan:
    """Return the requested plan. Raises Problem (``bad_tournament``)."""
    runtime = caller.runtime
    try:
        by_wall = level_of(runtime.redis) != NEWEST
        return requests.plan_of(
            body, runtime.registry, runtime.bots, by_wall=by_wall,
            players=_players(caller, body), host=caller.id,
        )  # fmt: skip
    except BadPlanError as error:
        errors = [field_error(error.field, str(error), error.value)]
        raise Problem("bad_tournament", f"{error.field}: {error}", errors=errors) from None


def _players(caller: Caller, body: TournamentRequest) -> dict[str, PlayerOffer]:
    """Return the bot accounts that a request names, by id."""
    named = [entry.player for entry in body.entries if entry.player is not None]
    return offered(caller, caller.services.bots.of_ids(named).values())
