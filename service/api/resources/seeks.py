"""Seeks: players who wait for others, of whom the service matches those that suit."""

from flask import Response

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from service.api.http.access import ANY_CALLER, PLAYERS, READERS
from service.api.http.context import Caller
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.limits import CREATION
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, checked
from service.api.resources.games import (
    REPLAYED,
    answer_done,
    bad_options,
    retry_of,
    ruleset_of,
)
from service.api.schemas import seeks as shapes
from service.api.schemas.queries import SeeksQuery, SeeksQuerySchema
from service.games.matching import PEOPLE, Seek
from service.games.seeks import public
from service.ledger.idempotency import AlreadyAnsweredError
from service.ledger.kinds import for_people, need_person
from service.problems import Problem

blueprint = Blueprint("seeks", __name__, description="Players who wait for others to play with.")

_ALL, _ONE = "/v1/seeks", "/v1/seeks/<seek_id>"
SEEK_ID = {
    "in": "path",
    "name": "seek_id",
    "description": "The id of one of your seeks.",
    "schema": {"type": "string", "maxLength": 24},
    "example": shapes.SEEK,
}


@blueprint.operation(
    "GET",
    _ALL,
    "listSeeks",
    security=ANY_CALLER.for_bots,
    problems=["invalid_query", "key_required"],
    headers=[IF_NONE_MATCH],
)
@blueprint.arguments(SeeksQuerySchema, location="query")
@blueprint.response(200, shapes.SeekListSchema, description="The seeks.")
def list_seeks(caller: Caller, query: SeeksQuery) -> Response:
    """List the seeks that wait, those that have waited longest first.

    Only seeks of players who are present are listed. To join one, seek the same.
    """
    seeks = caller.services.seeks
    found = seeks.present() if query.player is None else seeks.of(caller.me.id)
    fitting = [seek for seek in found if query.ruleset in (None, seek.ruleset)][: query.limit]
    told: JsonObject = {
        "seeks": [public(seek) for seek in fitting],
        **caller.named(seek.player for seek in fitting),
    }
    return checked(told)


@blueprint.operation(
    "POST",
    _ALL,
    "createSeek",
    security=PLAYERS.for_bots,
    body=True,
    problems=[
        "unknown_ruleset",
        "bad_options",
        "rated_table",
        "bot_does_not_play",
        "too_many_seeks",
        "storage_nearly_full",
        "upgrade_unfinished",
        "invalid_header",
        "idempotency_key_reused",
        "conflict",
        "unconfirmed",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.SeekRequestSchema)
@blueprint.response(201, shapes.OwnSeekSchema, description="The seek, which may have its game.")
def create_seek(caller: Caller, body: shapes.SeekRequest) -> Response:
    """Seek others to play with.

    As soon as enough seeks suit each other, the service opens a table for them with drawn seats,
    and the game begins: you get the notices `started` and `asked` on your stream. Seeks suit each
    other if they want the same ruleset, seats, options, clock and rating of the game, and if each
    player is one of the opponents that the others want. Those that have waited longest come first.

    You are present while a stream of your notices is open, and for 40 seconds after each `getSeek`,
    which tells what becomes of the seek. While you are absent, the seek waits, and is not matched.
    """
    player, seeks = caller.me, caller.services.seeks
    retry = retry_of(caller, player.id, caller.loaded)
    wanted = _wanted(caller, body)
    try:
        seek_id = seeks.add(wanted, body.seconds, retry)
    except AlreadyAnsweredError as answered:
        headers = {**REPLAYED, "Location": f"{_ALL}/{answered.made}"}
        return answer(seeks.find(answered.made, player.id).to_json(), 201, headers)
    seeks.match(wanted.terms)
    location = {"Location": f"{_ALL}/{seek_id}"}
    return answer(seeks.find(seek_id, player.id).to_json(), 201, location)


@blueprint.operation(
    "GET",
    _ONE,
    "getSeek",
    security=READERS.for_bots,
    problems=["unknown_seek"],
    headers=[IF_NONE_MATCH],
    path_parameters=[SEEK_ID],
)
@blueprint.response(200, shapes.OwnSeekSchema, description="The seek.")
def get_seek(caller: Caller, seek_id: str) -> Response:
    """Look one of your seeks up, for a day after it was made.

    Reading a seek counts as being present, for 40 seconds.
    """
    caller.services.seeks.report(caller.me.id)
    return checked(caller.services.seeks.find(seek_id, caller.me.id).to_json())


@blueprint.operation(
    "DELETE",
    _ONE,
    "cancelSeek",
    security=PLAYERS.for_bots,
    problems=["unknown_seek", "seek_matched", "invalid_header", "idempotency_key_reused"],
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[SEEK_ID],
)
@blueprint.response(204, None, description="The seek does not wait any more.")
def cancel_seek(caller: Caller, seek_id: str) -> Response:
    """Cancel a seek, which can still be read for a day.

    A seek that has ended by itself needs nothing more. One that has found its game is too late.
    """
    retry = retry_of(caller, caller.me.id)
    return answer_done(lambda: caller.services.seeks.cancel(seek_id, caller.me.id, retry))


def _wanted(caller: Caller, body: shapes.SeekRequest) -> Seek:
    """Return the seek of a request, without its id and times.

    Raises:
        Problem: ``unknown_ruleset``, ``bad_options``, ``bot_does_not_play``.
        RefusedError: ``rated_table``: a program seeks a rated game.
    """
    player, address, times = caller.claimant
    options = _options(caller, body)
    account = None if caller.bot_key is None else caller.services.bots.find(player)
    if account is not None and not account.plays(body.ruleset, body.seats):
        detail = f"{player} does not take {body.ruleset} with {body.seats} seats"
        raise Problem("bot_does_not_play", detail)
    if body.rated:
        if account is not None:
            raise for_people()
        need_person(caller.runtime.redis, player)
    opponents = PEOPLE if body.rated else body.opponents
    return Seek(
        "", player, body.ruleset, body.seats, options, body.clock, body.rated, opponents,
        body.min_rating, body.max_rating, 0, 0, address, times,
    )  # fmt: skip


def _options(caller: Caller, body: shapes.SeekRequest) -> JsonObject:
    """Return all options of the wanted game. Raises Problem (``bad_options``)."""
    ruleset = ruleset_of(caller, body.ruleset)
    try:
        return ruleset.parse_options(body.seats, body.options)
    except BadOptions as error:
        raise bad_options(error, body.seats, body.options) from None
