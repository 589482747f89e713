"""Reading tournaments, and the ratings of bots that follow from them."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

import orjson
from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.cursors import BadCursorError
from service.api.http.guards import TOURNAMENT
from service.api.http.headers import IF_NONE_MATCH, LAST_EVENT_ID, LAST_MODIFIED, LINK
from service.api.http.operations import View
from service.api.http.responses import (
    checked,
    checked_bytes,
    encode,
    etag_of,
    tagged,
    tagged_bytes,
    to_next,
    unchanged,
)
from service.api.resources.rulesets import RULESET_ID
from service.api.resources.streams import sse
from service.api.resources.tournaments.common import (
    ONE,
    blueprint,
    looked_after,
    standing_of,
    with_names,
)
from service.api.schemas import tournaments as shapes
from service.api.schemas.queries import (
    BotRatingsQuery,
    BotRatingsQuerySchema,
    PageQuery,
    PageQuerySchema,
    PlotQuery,
    PlotQuerySchema,
    RoundsQuery,
    RoundsQuerySchema,
    TournamentsQuery,
    TournamentsQuerySchema,
    TournamentStreamQuery,
    TournamentStreamQuerySchema,
)
from service.api.schemas.receipts import ReceiptSchema
from service.api.schemas.streams import STREAM
from service.games.present import actors, named_json
from service.live.frames import StreamView
from service.problems import Problem
from service.redis.format import is_indexed
from service.tournaments import listing, report_formats, rounds
from service.tournaments.figures import plots
from service.tournaments.games import listed
from service.tournaments.listing import TournamentFilter

_EVENTS_BYTES = 500_000
"""Size (bytes) at which a page of events ends, because the event of a block may have 120 games."""
_EVENTS_AT_ONCE = 50
"""Number of events that are read at a time for a page."""

_SCOPE = ["tournaments"]


@blueprint.operation(
    "GET",
    "/v1/tournaments",
    "listTournaments",
    security=ANY_CALLER,
    problems=["invalid_query", "invalid_cursor", "key_required"],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(TournamentsQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentListSchema, description="The tournaments.")
def list_tournaments(caller: Caller, query: TournamentsQuery) -> Response:
    """List tournaments, newest first.

    The items are as in `getTournament`, each as of the tournament's newest event. The ladders that
    owners can enter now are `?format=endless&over=false`: the newest part of each.
    """
    cursors, after = caller.services.cursors, None
    wanted = TournamentFilter(
        query.over, query.ruleset, _one_host(caller, query.host), query.format
    )
    scope = _SCOPE if wanted == TournamentFilter() else [*_SCOPE, *wanted]
    if query.cursor is not None:
        try:
            after = cursors.read(scope, query.cursor)
        except BadCursorError as error:
            raise Problem("invalid_cursor", str(error)) from None
    runtime = caller.runtime
    page = listing.page(
        runtime.director, runtime.standings, wanted, query.limit, after,
        indexed=is_indexed(runtime.redis),
    )  # fmt: skip
    found = [looked_after(caller, standing).summary() for standing in page.standings]
    cursor = None if page.place is None else cursors.write(scope, page.place)
    known = caller.players_of(tournament["created_by"] for tournament in found)
    leaders = runtime.reports.leaders([tournament["id"] for tournament in found])
    for tournament, first in zip(found, leaders, strict=True):
        host = tournament["created_by"]
        tournament.update(named_json({host: known[host]} if host in known else {}))
        tournament["leaders"] = first
    return checked({"tournaments": found, "next_cursor": cursor}, to_next(cursor=cursor))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>",
    "getTournament",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=ONE,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament, with its table.")
def get_tournament(caller: Caller, tournament_id: str) -> Response:
    """Read the status of a tournament.

    The status is as of the newest event. The table of results is in `readTournamentReport`.
    """
    found = with_names(caller, standing_of(caller, tournament_id).summary())
    etag = etag_of(found["head"], found["waits_for"], found["players"], found["leaders"])
    return unchanged(etag) or tagged(found, etag)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/report",
    "readTournamentReport",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=ONE,
    headers=[IF_NONE_MATCH, LAST_MODIFIED],
)
@blueprint.response(200, shapes.ReportSchema, description="Every figure, as JSON or as CSV.")
@blueprint.alternative(200, {"type": "string", "examples": ["place,entry"]}, "text/csv")
def read_report(caller: Caller, tournament_id: str) -> Response:
    """Read the table of results, the ratings and all other figures.

    Workers update the figures while they play. `as_of` has the version of the tournament that the
    figures describe. This version is 0 while there are no figures. The status, in contrast, is
    always current. The 95 % bands come soon after the end; `samples` is 0 until then. `text/csv`
    has only the table; `listTournamentGames` has every game.
    """
    found = with_names(caller, _report(caller, tournament_id))
    media = caller.request.accept_mimetypes.best_match(["application/json", "text/csv"])
    as_of = found["as_of"]["version"]
    told = (found["head"], as_of, found["samples"], found["waits_for"], found["players"])
    etag = etag_of(*told, media)
    if same := unchanged(etag):
        return same
    if media == "text/csv":
        table = report_formats.as_csv(found).encode()
        return _dated(tagged_bytes(table, etag, "text/csv"), found["as_of"]["at"])
    return _dated(tagged(found, etag), found["as_of"]["at"])


def _plot_operation(path: str, name: str) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        svg = {"type": "string", "examples": ["<svg/>"]}
        documented = blueprint.response(
            200, svg, content_type="image/svg+xml", description="The plot."
        )(view)
        return blueprint.operation(
            "GET",
            f"/v1/tournaments/<tournament_id>/{path}",
            name,
            security=ANY_CALLER,
            sees=TOURNAMENT,
            problems=ONE,
            headers=[IF_NONE_MATCH, LAST_MODIFIED],
        )(blueprint.arguments(PlotQuerySchema, location="query")(documented))

    return decorate


@_plot_operation("ratings.svg", "plotTournamentRatings")
def plot_ratings(caller: Caller, _query: PlotQuery, tournament_id: str) -> Response:
    """Plot the ratings over the games.

    The answer is a self-contained SVG.
    """
    return _plot(caller, tournament_id, plots.ratings)


@_plot_operation("ranks.svg", "plotTournamentRanks")
def plot_ranks(caller: Caller, _query: PlotQuery, tournament_id: str) -> Response:
    """Plot each entry's distribution of ranks.

    The answer is a self-contained SVG.
    """
    return _plot(caller, tournament_id, plots.ranks)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/games",
    "listTournamentGames",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LAST_MODIFIED, LINK],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentGamesSchema, description="The games, as JSON or as CSV.")
@blueprint.alternative(200, {"type": "string", "examples": ["block,rotation"]}, "text/csv")
def list_tournament_games(caller: Caller, query: PageQuery, tournament_id: str) -> Response:
    """List the games of a tournament by block and rotation, as of its newest event.

    `after` is the number of games to skip. A game can be read as soon as its block has ended.
    `text/csv` has a row for each seat of each played game of this page.
    """
    standing, standings = standing_of(caller, tournament_id), caller.runtime.standings
    after, limit = query.after, query.limit
    games = list(listed(standings, standing, after, limit))
    next_after = after + limit if len(games) == limit else None
    if caller.request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv":
        rows = "".join(report_formats.games_as_csv(games, standing.made["plan"]))
        page = checked_bytes(rows.encode(), "text/csv", to_next(after=next_after))
        return _dated(page, standing.at)
    as_of = {"version": standing.version, "at": standing.at}
    found = {"games": games, "as_of": as_of, "next_after": next_after}
    return _dated(checked(found, to_next(after=next_after)), standing.at)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/rounds",
    "listTournamentRounds",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LAST_MODIFIED, LINK],
)
@blueprint.arguments(RoundsQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentRoundsSchema, description="The rounds.")
def list_tournament_rounds(caller: Caller, query: RoundsQuery, tournament_id: str) -> Response:
    """List the paired rounds, as of the newest event.

    Each round has its pairings, and each entry's points so far. A page has fewer rounds than
    `limit` if they are large; continue with `next_after`. To list the games of a table, call
    `listTournamentGames` with `after` = `(first_block - 1) * games_per_block`.
    """
    standing, standings = standing_of(caller, tournament_id), caller.runtime.standings
    after = query.after
    found = list(rounds.listed(standings, standing, after, query.limit))
    last, paired = after + len(found), int(standing.now["rounds"])
    # An older release paired these rounds and did not store them; a worker has to do so.
    if not found and last < paired:
        caller.runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    next_after = last if found and last < paired else None
    told = {
        "rounds": found,
        "games_per_block": rounds.games_in_block(standings, standing),
        "as_of": {"version": standing.version, "at": standing.at},
        "next_after": next_after,
    }
    return _dated(checked(told, to_next(after=next_after)), standing.at)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/events",
    "listTournamentEvents",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentEventsSchema, description="The events.")
def list_tournament_events(caller: Caller, query: PageQuery, tournament_id: str) -> Response:
    """Read the events of a tournament.

    All of them are public (/docs/tournaments). A page has fewer events than `limit` if blocks
    have very many games; continue with `next_after`.
    """
    director = caller.runtime.director
    newest = director.newest_event(tournament_id)
    version, after = newest.seq, query.after
    found: list[bytes] = []
    who: set[str] = set()
    size = 0
    until = min(version, after + query.limit)
    for copy in director.copies(tournament_id, after, until, at_once=_EVENTS_AT_ONCE):
        found.append(encode(copy))
        who.update(actors([copy["by"]]))
        size += len(found[-1])
        if size >= _EVENTS_BYTES:
            break
    last = after + len(found)
    next_after = last if last < version else None
    page = {
        "tournament_id": tournament_id,
        "version": version,
        "events": list(map(orjson.Fragment, found)),
        **caller.named(who),
        "next_after": next_after,
    }
    return checked(page, to_next(after=next_after))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/head",
    "getTournamentHead",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=ONE,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, ReceiptSchema, description="The signed head.")
def get_tournament_head(caller: Caller, tournament_id: str) -> Response:
    """Read the newest event's hash, signed.

    Whoever keeps this answer can prove a later change of this event or of an earlier one. For an
    imported tournament the answer is the receipt that came with its record, signed by the key that
    `imported` names.
    """
    standing = standing_of(caller, tournament_id)
    if standing.origin is not None:
        return checked(standing.origin.receipt)
    return checked(caller.runtime.signer.head(standing))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/stream",
    "streamTournament",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*ONE, "invalid_query", "stream_share_used", "too_many_streams"],
    headers=[LAST_EVENT_ID],
)
@blueprint.arguments(TournamentStreamQuerySchema, location="query")
@blueprint.response(
    200,
    STREAM,
    content_type="text/event-stream",
    description="The events, as long as the tournament goes on.",
)
def stream_tournament(caller: Caller, query: TournamentStreamQuery, tournament_id: str) -> Response:
    """Follow a tournament (server-sent events).

    Each message is an event as `listTournamentEvents` answers it. The last message is of type
    `end`, or `rewound` as in the stream of a game.
    """
    caller.runtime.director.newest_event(tournament_id)  # raises if there is no such tournament
    return sse(caller, tournament_id, StreamView(None), query.after)


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/ratings",
    "listRatings",
    security=ANY_CALLER,
    problems=["unknown_ruleset", "invalid_query", "key_required"],
    headers=[IF_NONE_MATCH],
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(BotRatingsQuerySchema, location="query")
@blueprint.response(200, shapes.RatingListSchema, description="The ratings.")
def list_ratings(caller: Caller, query: BotRatingsQuery, ruleset_id: str) -> Response:
    """List the ratings of a ruleset's bots.

    They are computed from the games of rated tournaments that have ended. The tournaments of all
    hosts that the operator names count; if `host` is given, only that host's tournaments count. A
    rating is for one version of the rules, one edition and one number of seats; the default is the
    current rules, and the most played edition and number of seats. A tournament counts soon after
    its end.
    """
    if ruleset_id not in {ruleset.info.id for ruleset in caller.runtime.registry}:
        raise Problem("unknown_ruleset", f"there is no ruleset {ruleset_id!r}")
    wanted = {name: value for name, value in asdict(query).items() if value is not None}
    wanted.pop("host", None)
    host = _one_host(caller, query.host)
    return checked(caller.runtime.ratings.to_json(ruleset_id, host, wanted))


def _one_host(caller: Caller, host: str | None) -> str | None:
    return caller.me.id if host == "me" else host


def _report(caller: Caller, tournament_id: str) -> JsonObject:
    """Return the stored report; if it is missing, ask a worker to make it."""
    runtime, standing = caller.runtime, standing_of(caller, tournament_id)
    found = runtime.reports.of(standing)
    is_lost = not found["as_of"]["version"] and standing.now["blocks"]["played"]
    if is_lost or (standing.over and not found["samples"]):
        runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    return found


def _plot(caller: Caller, tournament_id: str, draw: Callable[[JsonObject], str]) -> Response:
    found = _report(caller, tournament_id)
    etag = etag_of(found["head"], found["as_of"]["version"])
    if same := unchanged(etag):
        return same
    return _dated(tagged_bytes(draw(found).encode(), etag, "image/svg+xml"), found["as_of"]["at"])


def _dated(response: Response, at: str | None) -> Response:
    """Add the time of the data as a header, because files and pictures have no place for it."""
    if at is not None:
        response.last_modified = datetime.fromisoformat(at)
    return response
