"""Events: a game's record, its log in words, and its signed head."""

from collections.abc import Iterator
from typing import Any

import orjson
from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.access import ANY_CALLER
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import ACCEPT_LANGUAGE, IF_NONE_MATCH, LINK
from service.api.http.operations import Blueprint
from service.api.http.responses import (
    JSON,
    NDJSON,
    etag_of,
    tagged,
    tagged_bytes,
    to_next,
    unchanged,
)
from service.api.http.viewers import look_of, viewer
from service.api.resources.games import signed_head
from service.api.resources.play import rules_digest
from service.api.schemas import play as shapes
from service.api.schemas.queries import (
    EventsQuery,
    EventsQuerySchema,
    LogQuery,
    LogQuerySchema,
    RangeQuery,
    RangeQuerySchema,
    ViewQuery,
)
from service.api.schemas.receipts import ReceiptSchema
from service.games import scores
from service.games.present import actors, effects_json, events_json, headers_json
from service.ledger.ledger import ChainedEvent, FoldedGame
from service.live.frames import StreamView, told
from service.problems import Problem
from service.process.fair_queue import paced

PAGE_WITH_MORE, LARGE_PAGE = 200, 50
"""Maximum number of events on a page: with any ``include``, and with a large one."""

blueprint = Blueprint("events", __name__, description="A game's events, and their proofs.")

_READS = (
    "unknown_game",
    "game_damaged",
    "unknown_seat",
    "not_your_seat",
    "game_sealed",
    "invalid_query",
    "rules_version_unavailable",
)


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/events",
    "listEvents",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=_READS,
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH, LINK],
)
@blueprint.arguments(EventsQuerySchema, location="query")
@blueprint.response(200, shapes.EventPageSchema, description="The events, as JSON or one a line.")
@blueprint.alternative(200, {"type": "string", "examples": [""]}, NDJSON)
def list_events(caller: Caller, query: EventsQuery, game_id: str) -> Response:
    """Read events as one viewer may see them (/docs/format).

    As `application/x-ndjson` there is one event on each line and nothing else. A page with
    `include` has at most 200 events. If `include` names `state` or `legal_moves`, the page has at
    most 50 events.
    """
    table = caller.runtime.ledger.table(game_id)
    game, version = table.game, table.game.version
    eyes = viewer(game, caller, query)
    look, media_type = look_of(caller, query.include, eyes), _media_type(caller, query)
    after, limit = query.after, _at_most(query.limit, look)
    chained = caller.runtime.ledger.history(game, after, limit) if after < version else []
    names: JsonObject = {}
    if media_type == JSON:
        names = caller.named(actors(event.by for event, _prev_hash in chained))
    more = [look, table.damage, rules_digest(game)] if look.include else []
    etag = etag_of(version, game.at, eyes, after, limit, media_type, names, *more)
    if same := unchanged(etag):
        return same
    copies = _copies(caller, table, look, chained)
    next_after = _next(after + limit, version)
    if media_type == NDJSON:
        return tagged_bytes(b"".join(_lines(copies)), etag, NDJSON, to_next(after=next_after))
    page = {
        "game_id": game_id,
        "version": version,
        "events": copies,
        **names,
        "next_after": next_after,
    }
    return tagged(page, etag, to_next(after=next_after))


def _at_most(limit: int, look: StreamView) -> int:
    if not look.include:
        return limit
    return min(limit, LARGE_PAGE if look.large else PAGE_WITH_MORE)


def _copies(
    caller: Caller, table: FoldedGame, look: StreamView, chained: list[ChainedEvent]
) -> list[JsonObject]:
    game = table.game
    if look.include and chained:
        after, ledger = chained[0][0].seq - 1, caller.runtime.ledger
        moments = ledger.moments(game, after, len(chained))
        return [told(moment, table, look) for moment in paced(moments)]
    return events_json(chained, game, table.secrets, look.viewer, game.version)


def _media_type(caller: Caller, query: EventsQuery) -> str:
    if query.format is not None:
        return NDJSON if query.format == "ndjson" else JSON
    return caller.request.accept_mimetypes.best_match([JSON, NDJSON], JSON) or JSON


def _lines(copies: list[Any]) -> Iterator[bytes]:
    for copy in copies:
        yield orjson.dumps(copy, option=orjson.OPT_APPEND_NEWLINE)


def _next(until: int, version: int) -> int | None:
    return until if until < version else None


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/headers",
    "listEventHeaders",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "game_sealed",
        "invalid_query",
        "rules_version_unavailable",
    ],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(RangeQuerySchema, location="query")
@blueprint.response(200, shapes.EventHeaderPageSchema, description="The headers.")
def list_event_headers(caller: Caller, query: RangeQuery, game_id: str) -> Response:
    """Read the headers of events, from which everybody can compute their hashes (/docs/format).

    They lead from the head of a receipt to a later head, without the parts of the events. They are
    the same for all who may read the game, and stay when the game is over.
    """
    table = caller.runtime.ledger.table(game_id)
    game, version = table.game, table.game.version
    if game.withheld:
        viewer(game, caller, ViewQuery())
    after, limit = query.after, query.limit
    etag = etag_of("headers", version, game.at, after, limit)
    if same := unchanged(etag):
        return same
    chained = caller.runtime.ledger.history(game, after, limit) if after < version else []
    next_after = _next(after + limit, version)
    page = {
        "game_id": game_id,
        "version": version,
        "events": headers_json(chained, table.secrets.salt),
        "next_after": next_after,
    }
    return tagged(page, etag, to_next(after=next_after))


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/log",
    "readLog",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=_READS,
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH, LINK],
)
@blueprint.arguments(LogQuerySchema, location="query")
@blueprint.response(200, shapes.LogSchema, description="The log.")
def read_log(caller: Caller, query: LogQuery, game_id: str) -> Response:
    """Read the log: the effects of events in words.

    It shows what one viewer may know, in the caller's language.
    """
    ledger, tongue = caller.runtime.ledger, caller.language
    table = ledger.table(game_id)
    version = table.game.version
    eyes = viewer(table.game, caller, query)
    after, until = query.after, min(query.after + query.limit, version)
    etag = etag_of(version, table.game.at, eyes, after, until, tongue)
    if same := unchanged(etag):
        return same
    effects = ledger.effects(table.game, after, until) if after < until else []
    next_after = _next(until, version)
    page = {
        "game_id": game_id,
        "version": version,
        "effects": effects_json(effects, table.game, eyes, tongue),
        "next_after": next_after,
    }
    return tagged(page, etag, to_next(after=next_after))


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/scores",
    "readScores",
    security=ANY_CALLER,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "game_sealed",
        "not_ended",
        "invalid_query",
        "rules_version_unavailable",
    ],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(RangeQuerySchema, location="query")
@blueprint.response(200, shapes.ScoreCourseSchema, description="The scores.")
def read_scores(caller: Caller, query: RangeQuery, game_id: str) -> Response:
    """Read the scores in the course of a finished game.

    They are what each side would have had if the game had ended after the event: with everything
    that is scored at the end, and with what was still hidden from others.
    """
    ledger = caller.runtime.ledger
    game = ledger.table(game_id).game
    if game.withheld:
        raise Problem("game_sealed")
    if not game.over:
        raise Problem("not_ended")
    after, limit = query.after, query.limit
    etag = etag_of(game.version, game.at, after, limit, rules_digest(game))
    if same := unchanged(etag):
        return same
    found = scores.course_of(ledger, game, after, limit) if after < game.version else ()
    next_after = _next(after + limit, game.version)
    page = {
        "game_id": game_id,
        "version": game.version,
        "sides": scores.sides_of(game),
        "scores": [entry._asdict() for entry in found],
        "next_after": next_after,
    }
    return tagged(page, etag, to_next(after=next_after))


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/head",
    "getHead",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=["unknown_game", "game_damaged", "unconfirmed", "rules_version_unavailable"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, ReceiptSchema, description="The signed head.")
def get_head(caller: Caller, game_id: str) -> Response:
    """Read the newest event's hash, signed.

    Whoever keeps this answer can prove a later change of this event or of an earlier one.
    """
    head = signed_head(caller, game_id)
    etag = etag_of(head["seq"], head["at"], head["key_id"])
    return unchanged(etag) or tagged(head, etag)
