"""Live events."""

import re
from typing import Any

from flask import Response, g, request

from service.api.blueprint import TICKETS, Blueprint
from service.api.context import caller_or_none, services
from service.api.headers import LAST_EVENT_ID
from service.api.schemas.queries import StreamQuery
from service.api.viewers import viewer
from service.problems import Problem
from service.stream import Stream

blueprint = Blueprint("streams", __name__, description="Events as they happen.")

_SEQ = re.compile(r"[0-9]{1,15}\Z")
_EXAMPLE = 'retry: 2000\n\nid: 7\ndata: {"seq": 7, "kind": "moved"}\n\n: keep-alive\n\n'


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/stream",
    "streamEvents",
    security=TICKETS,
    problems=[
        "unknown_game",
        "unknown_seat",
        "not_your_seat",
        "game_sealed",
        "unknown_ticket",
        "invalid_query",
        "too_many_streams",
        "rules_version_unavailable",
    ],
    headers=[LAST_EVENT_ID],
)
@blueprint.arguments(StreamQuery, location="query")
@blueprint.response(
    200,
    {"type": "string", "examples": [_EXAMPLE]},
    content_type="text/event-stream",
    description="The events, as long as the game goes on.",
)
def stream_events(query: dict[str, Any], game_id: str) -> Response:
    """Follow a game (server-sent events).

    Each message is an event as `listEvents` answers it; its `id` is the event's `seq`. Comments
    keep the connection alive. A message of type `end` comes last, when the game is over.
    """
    player = caller_or_none()
    if "ticket" in query:
        player = services().players.redeem_ticket(query["ticket"])
        if player is None:
            raise Problem("unknown_ticket")
        g.player = player
    table = services().runtime.ledger.table(game_id)
    eyes = viewer(table.game, player, query.get("seat"))
    return sse(services().hub.open(game_id, eyes, last_event_id(query["after"])))


def last_event_id(after: int) -> int:
    """Return after which event the caller wants the stream to go on."""
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if _SEQ.match(last) else after


def sse(stream: Stream) -> Response:
    """Answer with a stream, which is closed with the connection."""
    response = Response(iter(stream), mimetype="text/event-stream")
    response.call_on_close(stream.close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
