"""Streams of live events."""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from flask import Response

from rules.kernel.contract.seats import Seat
from service.api.http import codings
from service.api.http.access import PLAYERS_TICKETS, TICKETS
from service.api.http.at_work import EVENT_STREAM
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.gzip_stream import gzipped
from service.api.http.headers import ACCEPT_LANGUAGE, LAST_EVENT_ID
from service.api.http.operations import Blueprint
from service.api.http.responses import VARY
from service.api.http.viewers import look_of, seats_of, viewer
from service.api.schemas.queries import (
    NOTICE_ID,
    NoticesQuery,
    NoticesQuerySchema,
    StreamQuery,
    StreamQuerySchema,
)
from service.api.schemas.streams import NOTICE_STREAM, STREAM
from service.live.frames import StreamView
from service.live.hub import LiveStream, ReadGame
from service.live.inbox import open_inbox
from service.live.messages import REVOKED, Written, closing
from service.live.places import Holder
from service.live.questions import Questions
from service.live.streams import Stream
from service.people.seat_keys import is_held
from service.players.keys import PlayerKey
from service.problems import Problem
from service.redis.format import need_newest

blueprint = Blueprint("streams", __name__, description="Events as they happen.")

_NOTICE_ID = re.compile(rf"{NOTICE_ID}\Z")
_SEQ = re.compile(r"[0-9]{1,15}\Z")

L = TypeVar("L", bound=LiveStream)


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/stream",
    "streamEvents",
    security=TICKETS.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "unknown_seat",
        "not_your_seat",
        "game_sealed",
        "unknown_ticket",
        "invalid_query",
        "stream_share_used",
        "too_many_streams",
        "rules_version_unavailable",
    ],
    headers=[ACCEPT_LANGUAGE, LAST_EVENT_ID],
)
@blueprint.arguments(StreamQuerySchema, location="query")
@blueprint.response(
    200,
    STREAM,
    content_type=EVENT_STREAM,
    description="The events, as long as the game goes on.",
)
def stream_events(caller: Caller, query: StreamQuery, game_id: str) -> Response:
    """Follow a game (server-sent events).

    Each message is an event as `listEvents` answers it, with the same `include`; its `id` is the
    event's `seq`. Comments keep the connection alive. The type of the last message says why the
    stream ends. `end`: the game is over. `rewound`: events that were sent are no longer in the log.
    `displaced`: a player, or a caller with fewer streams, was given this stream's slot. `revoked`:
    the key that opened the stream is no longer valid.
    """
    table, seen = caller.services.hub.table(game_id)
    eyes = viewer(table.game, caller, query)
    after = query.after
    if query.last is not None:
        after = max(0, table.game.version - query.last)
    look = look_of(caller, query.include, eyes)
    response = sse(
        caller,
        game_id,
        look,
        after,
        seated=bool(seats_of(table.game, caller)),
        seen=seen,
        allowed=lambda stream: _while_allowed(stream, caller, game_id, eyes),
    )
    return _redeemed(caller, query.ticket, response)


@blueprint.operation(
    "GET",
    "/v1/players/me/stream",
    "streamNotices",
    security=PLAYERS_TICKETS.for_bots,
    problems=[
        "unknown_ticket",
        "invalid_query",
        "stream_share_used",
        "too_many_streams",
        "upgrade_unfinished",
    ],
    headers=[ACCEPT_LANGUAGE, LAST_EVENT_ID],
)
@blueprint.arguments(NoticesQuerySchema, location="query")
@blueprint.response(
    200,
    NOTICE_STREAM,
    content_type=EVENT_STREAM,
    description="The notices, until the client closes.",
)
def stream_notices(caller: Caller, query: NoticesQuery) -> Response:
    """Follow all your games (server-sent events).

    Messages are of the types `invited`, `closed`, `started`, `asked`, `clock_low`, `declined`,
    `ended`. All have `game_id`, `ruleset`, `seat`, `version` and `at`. Also, `asked` and
    `clock_low` have `decision` and `deadline`; `closed` has `entropy_until`, the deadline for
    revealing the seat's entropy; `ended` has `status`; `invited` has `by` and `rematch_of`, which
    is null for a challenge; `declined`, for the host of the table, has `by` and `reason`. The first
    one is `resync` unless the stream resumes where you were; on `resync`, read your games anew. The
    last message is `displaced` when another stream has got this one's slot, or `revoked` when the
    key that opened the stream is no longer valid, or when you are banned.

    With `questions=true`, `asked` has `question`: all that a program needs to decide
    (/docs/engines); null if the decision is closed or the game suspended. Answer with `playMove`.
    On each connection the questions that are still open come first. A bot account is present as
    long as such a stream is open with its key; who seeks others (`createSeek`), as long as any is.
    """
    player, found = caller.me, caller.services
    need_newest(found.runtime.redis)
    last = caller.request.headers.get("Last-Event-ID", "")
    place = last if _NOTICE_ID.match(last) else query.after

    questions = Questions(
        found.runtime.redis, found.runtime.ledger, player.id, caller.language, query.include
    )

    def may_listen() -> bool:
        owner = caller.own_key.owner
        return all(found.bans.since(who) is None for who in (player.id, owner) if who is not None)

    def report() -> None:
        found.seeks.report(player.id)
        if caller.bot_key and query.questions:
            found.bots.report(player.id)

    def opened(holder: Holder) -> LiveStream:
        return open_inbox(
            found.hub,
            found.runtime.redis,
            place,
            may_listen,
            holder._replace(seated=True),
            caller.allowance,
            questions if query.questions else None,
            report,
        )

    return _redeemed(caller, query.ticket, _streamed(caller, opened))


def _redeemed(caller: Caller, ticket: str | None, response: Response) -> Response:
    """Use up the ``ticket`` that opened a stream, if it is not None."""
    if ticket is None or caller.request.method != "GET":
        return response
    if not caller.services.tickets.redeem(ticket):
        response.close()  # another request has used the ticket first
        raise Problem("unknown_ticket")
    return response


def _while_allowed(
    stream: Stream, caller: Caller, game_id: str, eyes: Seat | None
) -> Iterator[Written]:
    """Yield messages as long as the caller may see the game, and holds the seat ``eyes``.

    Before the start the caller may leave or be removed. A spectator by invitation sees the game as
    long as the invitation is valid. A caller with a seat key gets events up to the one that ends
    the game for that seat.
    """
    runtime, key = caller.runtime, caller.seat_key
    guests, invitation = runtime.tables.guests, caller.request.headers.get("Invitation")
    over_at: int | None = None
    for message in stream:
        game = runtime.ledger.table(game_id, at_least=0).game
        if eyes is not None and not game.over and eyes not in seats_of(game, caller):
            return
        if not guests.may_see(game, runtime.ledger.terms(game), caller.id) and (
            invitation is None or not guests.opens(game, invitation)
        ):
            return
        yield message
        if key is None or game.over or is_held(game, key):
            continue
        # The game may be ahead of the stream, and nothing else shows a seat of a private game its
        # last events.
        over_at = over_at or game.version
        if stream.sent >= over_at:
            yield closing(REVOKED, stream.sent)
            return


def _has_gone(caller: Caller, key: PlayerKey) -> bool:
    """Whether a key was revoked after the request began, before the stream was registered."""
    keys = caller.services.keys
    return keys.turn != caller.keys_turn and keys.at(key.selector) is None


def sse(
    caller: Caller,
    stream_id: str,
    look: StreamView,
    after: int,
    *,
    seated: bool = False,
    seen: ReadGame | None = None,
    allowed: Callable[[Stream], Iterator[Written]] = iter,
) -> Response:
    """Answer with a stream of a game or tournament.

    ``seated`` is true if the caller holds a seat in it. ``seen`` is the game as the caller has read
    it, if he has read it already; then the stream need not read it again. ``allowed`` gets the
    stream, and yields those of its messages that may be sent.
    """
    return _streamed(
        caller,
        lambda holder: caller.services.streams.open(
            stream_id,
            look,
            _last_seen(caller, after),
            holder._replace(seated=seated),
            caller.allowance,
            seen,
        ),
        allowed,
    )


def _streamed(
    caller: Caller,
    opened: Callable[[Holder], L],
    allowed: Callable[[L], Iterator[Written]] = iter,
) -> Response:
    """Answer with a stream, which is closed with the connection. HEAD gets an empty answer."""
    response = Response(iter(()), mimetype=EVENT_STREAM)
    response.headers["Vary"] = f"{VARY}, Accept-Encoding"
    is_coded = codings.takes_gzip()
    if is_coded:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    if caller.request.method == "HEAD":
        return response
    key = caller.key
    holder = Holder(caller.address, None, seated=False)
    if key is not None:
        holder = holder._replace(player=key.player, key=key.id, until=key.expires_at)
    stream = opened(holder)
    if key is not None and _has_gone(caller, key):
        stream.end(REVOKED)
    messages = allowed(stream)
    response.response = gzipped(messages, padded=key is not None) if is_coded else messages
    response.call_on_close(stream.close)
    return response


def _last_seen(caller: Caller, after: int) -> int:
    """Return the seq after which a stream resumes: ``Last-Event-ID``, or else ``after``."""
    last = caller.request.headers.get("Last-Event-ID", "")
    return int(last) if _SEQ.match(last) else after
