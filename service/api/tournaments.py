"""Tournaments: hold one, watch it, read every figure of it."""

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response, request

from service.api.answers import NO_HEADERS, answer, etag_of, tagged, tagged_bytes, unchanged
from service.api.blueprint import ANY_CALLER, PLAYERS, Blueprint, View
from service.api.context import caller, idempotency_key, services
from service.api.games import REPLAYED
from service.api.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH, LAST_EVENT_ID
from service.api.rulesets import RULESET_ID
from service.api.schemas import play as play_shapes
from service.api.schemas import tournaments as shapes
from service.api.schemas.queries import (
    PageQuery,
    TournamentsQuery,
    TournamentStreamQuery,
)
from service.api.streams import last_event_id, sse
from service.cursors import BadCursorError
from service.problems import Problem, field_error
from service.tournaments import plots, publish
from service.tournaments import request as tournament_request
from service.tournaments.formats import FORMATS
from service.tournaments.plan import BadPlanError
from service.tournaments.report import summary
from service.tournaments.tournament import Tournament

blueprint = Blueprint("tournaments", __name__, description="Bots against bots, by the thousand.")

_SCOPE = ["tournaments"]
_CHANGES = ("unknown_tournament", "not_your_tournament", "conflict")


@blueprint.operation(
    "POST",
    "/v1/tournaments",
    "createTournament",
    security=PLAYERS,
    body=True,
    problems=[
        "bad_tournament",
        "too_many_tournaments",
        "invalid_header",
        "idempotency_key_reused",
    ],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.TournamentRequest)
@blueprint.response(201, shapes.Tournament, description="The tournament; it starts by itself.")
def create_tournament(body: dict[str, Any]) -> Response:
    """Hold a tournament.

    It starts by itself, unless an entry owes entropy. With an `Idempotency-Key`, sending the same
    request again answers the same tournament.
    """
    player, runtime = caller(), services().runtime
    key, seed = idempotency_key(), body.pop("seed", None)
    try:
        plan = tournament_request.plan_of(body, runtime)
    except BadPlanError as error:
        errors = [field_error(error.field, str(error), error.value)]
        raise Problem("bad_tournament", f"{error.field}: {error}", errors=errors) from None
    made, replayed = runtime.director.create(plan, {"player": player.id}, seed=seed, key=key)
    response = answer(summary(made), 201, REPLAYED if replayed else NO_HEADERS)
    response.headers["Location"] = f"/v1/tournaments/{made.id}"
    return response


@blueprint.operation(
    "GET",
    "/v1/tournaments",
    "listTournaments",
    security=ANY_CALLER,
    problems=["invalid_query", "invalid_cursor"],
)
@blueprint.arguments(TournamentsQuery, location="query")
@blueprint.response(200, shapes.TournamentList, description="The tournaments.")
def list_tournaments(query: dict[str, Any]) -> Response:
    """List tournaments, newest first.

    Each as `getTournament` answers it.
    """
    director, cursors = services().runtime.director, services().cursors
    before = None
    if "cursor" in query:
        try:
            before = float(cursors.read(_SCOPE, query["cursor"]))
        except BadCursorError as error:
            raise Problem("invalid_cursor", str(error)) from None
    page = director.newest(query["limit"], before)
    found = [summary(director.find(name)) for name, _place in page]
    more = len(page) == query["limit"]
    cursor = cursors.write(_SCOPE, str(page[-1][1])) if more else None
    return answer({"tournaments": found, "next_cursor": cursor})


@blueprint.operation("GET", "/v1/tournament_formats", "listTournamentFormats", security=ANY_CALLER)
@blueprint.response(200, shapes.Formats, description="The formats.")
def list_formats() -> Response:
    """List the formats in which tournaments can be held.

    Each with the JSON Schema of its options; `format` of a request names its `type`.
    """
    found = [
        {
            "type": made.type,
            "description": made.doc,
            "options": {option.name: option.schema() for option in made.options},
        }
        for made in FORMATS.values()
    ]
    return answer({"formats": found})


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>",
    "getTournament",
    security=ANY_CALLER,
    problems=["unknown_tournament"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.Tournament, description="How it stands.")
def get_tournament(tournament_id: str) -> Response:
    """Read how a tournament stands.

    Without its table: that is `readTournamentReport`.
    """
    tournament = _find(tournament_id)
    etag = etag_of(tournament.head.hex())
    return unchanged(etag) or tagged(summary(tournament), etag)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/report",
    "readTournamentReport",
    security=ANY_CALLER,
    problems=["unknown_tournament"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.Report, description="Every figure, as JSON or as CSV.")
@blueprint.alternative(200, {"type": "string", "examples": ["place,entry"]}, "text/csv")
def read_report(tournament_id: str) -> Response:
    """Read the table, the ratings and all other figures as they stand.

    95 % bands come soon after the end, when a worker has resampled the blocks; `samples` is 0
    until then. As `text/csv` there is the table alone.
    """
    found = _report(tournament_id)
    media = request.accept_mimetypes.best_match(["application/json", "text/csv"])
    etag = etag_of(found["head"], found["samples"], media)
    if same := unchanged(etag):
        return same
    if media == "text/csv":
        return tagged_bytes(publish.as_csv(found), etag, "text/csv")
    return tagged(found, etag)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/ratings.svg",
    "plotTournamentRatings",
    security=ANY_CALLER,
    problems=["unknown_tournament"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(
    200,
    {"type": "string", "examples": ["<svg/>"]},
    content_type="image/svg+xml",
    description="The plot.",
)
def plot_ratings(tournament_id: str) -> Response:
    """Plot the ratings over the games.

    As SVG that needs nothing from elsewhere.
    """
    return _plot(tournament_id, plots.ratings)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/ranks.svg",
    "plotTournamentRanks",
    security=ANY_CALLER,
    problems=["unknown_tournament"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(
    200,
    {"type": "string", "examples": ["<svg/>"]},
    content_type="image/svg+xml",
    description="The plot.",
)
def plot_ranks(tournament_id: str) -> Response:
    """Plot how often each entry came on which rank.

    As SVG that needs nothing from elsewhere.
    """
    return _plot(tournament_id, plots.ranks)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/games",
    "listTournamentGames",
    security=ANY_CALLER,
    problems=["unknown_tournament", "invalid_query"],
)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, shapes.TournamentGames, description="The games.")
def list_tournament_games(query: dict[str, Any], tournament_id: str) -> Response:
    """List the games of a tournament by block and rotation.

    `after` counts games from the first; a game can be read once its block has ended.
    """
    tournament = _find(tournament_id)
    after, limit = query["after"], query["limit"]
    games = list(_games(tournament, after, limit))
    more = len(games) == limit
    return answer({"games": games, "next_after": after + limit if more else None})


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/events",
    "listTournamentEvents",
    security=ANY_CALLER,
    problems=["unknown_tournament", "invalid_query"],
)
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, shapes.TournamentEvents, description="The events.")
def list_tournament_events(query: dict[str, Any], tournament_id: str) -> Response:
    """Read the events of a tournament.

    All of them are public (docs/tournaments.md).
    """
    version = _find(tournament_id).version
    after = query["after"]
    until = min(version, after + query["limit"])
    found = list(services().runtime.director.copies(tournament_id, after, until))
    return answer(
        {
            "tournament_id": tournament_id,
            "version": version,
            "events": found,
            "next_after": until if until < version else None,
        }
    )


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/head",
    "getTournamentHead",
    security=ANY_CALLER,
    problems=["unknown_tournament"],
)
@blueprint.response(200, play_shapes.Receipt, description="The signed head.")
def get_tournament_head(tournament_id: str) -> Response:
    """Read the newest event's hash, signed.

    Whoever keeps it can prove if an earlier event is changed afterwards.
    """
    return answer(services().runtime.signer.head(_find(tournament_id)))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/stream",
    "streamTournament",
    security=ANY_CALLER,
    problems=["unknown_tournament", "invalid_query", "too_many_streams"],
    headers=[LAST_EVENT_ID],
)
@blueprint.arguments(TournamentStreamQuery, location="query")
@blueprint.response(
    200,
    {"type": "string", "examples": ['id: 7\ndata: {"seq": 7, "kind": "block_ended"}\n\n']},
    content_type="text/event-stream",
    description="The events, as long as the tournament goes on.",
)
def stream_tournament(query: dict[str, Any], tournament_id: str) -> Response:
    """Follow a tournament (server-sent events).

    Each message is an event as `listTournamentEvents` answers it; the last one is of type `end`.
    """
    _find(tournament_id)
    return sse(services().hub.open(tournament_id, None, last_event_id(query["after"])))


def _operation_of(
    verb: str, name: str, *, body: bool = False, problems: tuple[str, ...]
) -> Callable[[View], View]:
    return blueprint.operation(
        "POST",
        f"/v1/tournaments/<tournament_id>/{verb}",
        name,
        security=PLAYERS,
        body=body,
        problems=[*_CHANGES, *problems],
    )


@_operation_of("pause", "pauseTournament", problems=("tournament_not_running",))
@blueprint.response(200, shapes.Tournament, description="The tournament.")
def pause_tournament(tournament_id: str) -> Response:
    """Begin no more blocks.

    Those that are being played end.
    """
    return _act(tournament_id, "pause", {})


@_operation_of("resume", "resumeTournament", problems=("tournament_not_paused",))
@blueprint.response(200, shapes.Tournament, description="The tournament.")
def resume_tournament(tournament_id: str) -> Response:
    """Go on after a pause.

    With the blocks that are open.
    """
    return _act(tournament_id, "resume", {})


@_operation_of("cancel", "cancelTournament", body=True, problems=("tournament_over",))
@blueprint.arguments(shapes.CancelRequest)
@blueprint.response(200, shapes.Tournament, description="The tournament.")
def cancel_tournament(body: dict[str, Any], tournament_id: str) -> Response:
    """End a tournament for good.

    Blocks that were played stay; games that had begun are aborted.
    """
    return _act(tournament_id, "cancel", body)


@_operation_of(
    "extend", "extendTournament", body=True, problems=("tournament_over", "fixed_length")
)
@blueprint.arguments(shapes.ExtendRequest)
@blueprint.response(200, shapes.Tournament, description="The tournament.")
def extend_tournament(body: dict[str, Any], tournament_id: str) -> Response:
    """Ask for more games.

    Only round robin, gauntlet and comparison take more.
    """
    return _act(tournament_id, "extend", body)


@_operation_of(
    "entropy",
    "revealTournamentEntropy",
    body=True,
    problems=("no_entropy_expected", "entropy_mismatch"),
)
@blueprint.arguments(shapes.TournamentEntropyRequest)
@blueprint.response(200, shapes.Tournament, description="The tournament.")
def reveal_entropy(body: dict[str, Any], tournament_id: str) -> Response:
    """Open the entropy that an entry committed to.

    The last one starts the tournament.
    """
    by = _holder(tournament_id)
    director = services().runtime.director
    entropy = bytes.fromhex(body["entropy"])
    return answer(summary(director.reveal_entropy(tournament_id, body["entry"], entropy, by)))


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/ratings",
    "listRatings",
    security=ANY_CALLER,
    problems=["unknown_ruleset"],
    path_parameters=[RULESET_ID],
)
@blueprint.response(200, shapes.Ratings, description="The ratings.")
def list_ratings(ruleset_id: str) -> Response:
    """List the ratings of a ruleset's bots.

    Over all rated tournaments that have ended, in the order in which they did. A tournament counts
    soon after its end.
    """
    if ruleset_id not in {ruleset.info.id for ruleset in services().runtime.registry}:
        raise Problem("unknown_ruleset", f"there is no ruleset {ruleset_id!r}")
    return answer(services().runtime.ratings.of(ruleset_id).to_json(ruleset_id))


def _find(tournament_id: str) -> Tournament:
    return services().runtime.director.find(tournament_id)


def _holder(tournament_id: str) -> dict[str, Any]:
    """Return the caller, who must have made the tournament."""
    by = {"player": caller().id}
    if _find(tournament_id).created_by != by:
        raise Problem("not_your_tournament")
    return by


def _act(tournament_id: str, verb: str, body: dict[str, Any]) -> Response:
    by = _holder(tournament_id)
    director = services().runtime.director
    return answer(summary(tournament_request.act(director, tournament_id, verb, body, by)))


def _report(tournament_id: str) -> dict[str, Any]:
    """Return the report as it stands; if the final one is missing, have a worker make it."""
    runtime, tournament = services().runtime, _find(tournament_id)
    found = runtime.reports.of(tournament)
    if tournament.over and not found["samples"]:
        runtime.jobs.tournament_overdue(tournament_id, 1)
    return found


def _plot(tournament_id: str, draw: Callable[[dict[str, Any]], str]) -> Response:
    found = _report(tournament_id)
    etag = etag_of(found["head"])
    return unchanged(etag) or tagged_bytes(draw(found), etag, "image/svg+xml")


def _games(tournament: Tournament, after: int, limit: int) -> Iterator[dict[str, Any]]:
    names = [entry.name for entry in tournament.plan.entries]
    number = 0
    for block in tournament.blocks.values():
        seatings = block.seatings(tournament.plan.rotations)
        if number + len(seatings) <= after:
            number += len(seatings)
            continue
        results = tournament.results.get(block.number)
        for rotation, (seating, game) in enumerate(
            zip(seatings, tournament.game_ids(block), strict=True)
        ):
            number += 1
            if after < number <= after + limit:
                result = None if results is None else results[rotation]
                yield {
                    "id": game,
                    "block": block.number,
                    "rotation": rotation,
                    "seating": [names[entry] for entry in seating],
                    "counts": result is not None and not tournament.is_void(block),
                    "result": None
                    if result is None
                    else {
                        "ranks": result.ranks,
                        "scores": result.scores,
                        "failures": result.failures,
                    },
                }
        if number >= after + limit:
            return
