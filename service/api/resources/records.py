"""Records: all events of a game or tournament in one verifiable file."""

from flask import Response

from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.downloads import RecordDownload, send
from service.api.http.guards import GAME, TOURNAMENT
from service.api.http.headers import (
    ACCEPT_RANGES,
    CONTENT_DISPOSITION,
    IF_NONE_MATCH,
    IF_RANGE,
    INVITATION,
    RANGE,
)
from service.api.http.operations import Blueprint
from service.api.http.responses import NDJSON, etag_of
from service.api.http.viewers import viewer
from service.api.schemas.queries import ViewQuery, ViewQuerySchema
from service.ledger import export
from service.tournaments.record import export as tournament_export
from service.tournaments.record.export import ReportUnfinishedError

blueprint = Blueprint(
    "records", __name__, description="Records of games and tournaments, to keep and to verify."
)

_RECORD = {"type": "string", "examples": ['{"export":"lonja/2","game_id":"g07-…"}\n{"at":"…"}\n']}
_SENT = ("too_many_records", "range_not_satisfiable")
_HEADERS = (IF_NONE_MATCH, RANGE, IF_RANGE, ACCEPT_RANGES, CONTENT_DISPOSITION)


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/record",
    "getRecord",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "unknown_seat",
        "not_your_seat",
        "game_sealed",
        "invalid_query",
        "rules_version_unavailable",
        "unconfirmed",
        "conflict",
        *_SENT,
    ],
    headers=[*_HEADERS, INVITATION],
)
@blueprint.arguments(ViewQuerySchema, location="query")
@blueprint.response(200, _RECORD, content_type=NDJSON, description="The record.")
@blueprint.part(_RECORD, NDJSON)
def get_record(caller: Caller, query: ViewQuery, game_id: str) -> Response:
    """Download the record of a game.

    The file is the same as that of `lonja export`, which `lonja verify` checks (/docs/format): a
    header, and the events as one viewer may see them now. After the game the viewer sees
    everything, and an interrupted download can be resumed (`Range`, with the `ETag` in `If-Range`).
    """
    runtime = caller.runtime
    table = runtime.ledger.table(game_id)
    game = table.game
    eyes = viewer(game, caller, query)
    first = export.header(runtime, table, eyes)
    runtime.ledger.store.confirm(game_id, game.version, game.head)
    receipt, key = first["receipt"], first["public_key"]
    return send(
        caller,
        RecordDownload(
            f"{game_id}.ndjson",
            etag_of(first["version"], receipt["at"], first["viewer"], key),
            game.over,
            lambda: export.lines(runtime, table, eyes),
        ),
    )


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/record",
    "getTournamentRecord",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=["unknown_tournament", "tournament_damaged", "report_unfinished", "conflict", *_SENT],
    headers=_HEADERS,
)
@blueprint.response(200, _RECORD, content_type=NDJSON, description="The record.")
@blueprint.part(_RECORD, NDJSON)
def get_tournament_record(caller: Caller, tournament_id: str) -> Response:
    """Download the record of a tournament.

    The file is the same as that of `lonja tournament export` (/docs/tournaments): a header with
    the report, the events, then the record of each game whose block has ended. While the tournament
    runs, the record reaches to the newest report.
    """
    runtime = caller.runtime
    standing = runtime.standings.of(tournament_id)
    try:
        found = tournament_export.of_kept(runtime, standing)
    except ReportUnfinishedError:
        runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
        raise
    then, (_receipt, key) = found.standing, found.signature()
    return send(
        caller,
        RecordDownload(
            f"{tournament_id}.ndjson",
            etag_of(then.version, then.at, found.published["samples"], key),
            then.over,
            found.lines,
        ),
    )
