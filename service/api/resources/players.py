"""Players, their keys, and tickets for streams."""

from collections.abc import Callable

from flask import Response

from service.api.http.access import ANY_CALLER, NO_KEY, OWNERS, READERS
from service.api.http.context import Caller
from service.api.http.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, IF_NONE_MATCH, ONCE_KEY
from service.api.http.limits import CREATION, SIGN_UP
from service.api.http.operations import Blueprint
from service.api.http.responses import JSON, answer, checked
from service.api.resources.games import REPLAYED, answer_done, retry_of
from service.api.resources.ratings import ratings_of
from service.api.schemas import players as shapes
from service.ledger.idempotency import AlreadyAnsweredError
from service.players.keys import KeyDraft, PlayerKey
from service.players.players import TICKET_SECONDS
from service.problems import Problem, field_error, invalid

blueprint = Blueprint("players", __name__, description="Players and their keys.")

_ONCE = ("invalid_header", "idempotency_key_reused", "already_answered")
_REPEATED = ("invalid_header", "idempotency_key_reused")


@blueprint.operation(
    "POST",
    "/v1/players",
    "createPlayer",
    security=NO_KEY,
    body=True,
    problems=[*_ONCE, "storage_nearly_full"],
    headers=[ONCE_KEY],
    budget=SIGN_UP,
)
@blueprint.arguments(shapes.PlayerRequestSchema)
@blueprint.response(201, shapes.NewPlayerSchema, description="The player and its key.")
def create_player(caller: Caller, body: shapes.PlayerRequest) -> Response:
    """Become a player.

    The key is shown only in this answer; whoever holds it is this player. A program declares itself
    with `kind`.
    """
    caller.services.admission.need_room()
    retry, kind = retry_of(caller, caller.owner_of_keys, caller.loaded), body.kind
    try:
        player, key = caller.services.players.create(body.name, retry, kind)
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "player") from None
    location = {"Location": f"/v1/players/{player.id}"}
    return answer({**player.to_json(), "key": key}, 201, location)


@blueprint.operation(
    "GET", "/v1/players/me", "getMe", security=READERS.seated.for_bots, headers=[IF_NONE_MATCH]
)
@blueprint.response(200, shapes.MeSchema, description="The player, and the key.")
def get_me(caller: Caller) -> Response:
    """Identify the owner of this key.

    This is the cheapest way to check a key.
    """
    return checked({**caller.me.to_json(), "key": caller.own_key.to_json()})


@blueprint.operation(
    "PATCH",
    "/v1/players/me",
    "changeMe",
    security=OWNERS,
    body=True,
    problems=[*_REPEATED, "bot_for_good", "rated_person", "conflict"],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.ProfileRequestSchema)
@blueprint.response(200, shapes.PlayerSchema, description="The player.")
def change_me(caller: Caller, body: shapes.ProfileRequest) -> Response:
    """Change your name, or declare yourself a program.

    The change applies everywhere, also in finished games, because records hold only the id. A
    program cannot become a person again. A player who has played a rated game as a person, or sits
    at a rated table, cannot become a program.
    """
    player = caller.me
    retry = retry_of(caller, player.id, caller.loaded)
    try:
        changed = caller.services.profiles.change(
            player, caller.own_key, name=body.name, kind=body.kind, retry=retry
        )
    except AlreadyAnsweredError:
        return answer({**player.to_json(), **caller.loaded}, headers=REPLAYED)
    return answer(changed.to_json())


@blueprint.operation(
    "DELETE",
    "/v1/players/me",
    "leave",
    security=OWNERS,
    body=True,
    problems=[*_REPEATED, "still_playing", "conflict", "unconfirmed"],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.LeaveRequestSchema)
@blueprint.response(204, None, description="You have left.")
def leave(caller: Caller, body: shapes.LeaveRequest) -> Response:
    """Delete your account.

    Your name is erased and your keys are revoked; your seats and tables in the lobby are given up.
    Games that you played stay, under your id. A repeated request gets 401 `unknown_key`, which
    means that the account is deleted.
    """
    player = caller.me
    if body.id != player.id:
        raise invalid("body", [field_error("id", f"{player.id}, to confirm it", body.id)])
    retry = retry_of(caller, player.id, caller.loaded)
    departures = caller.services.departures
    departures.leave(player, caller.own_key, resign=body.resign, retry=retry)
    return Response(status=204)


@blueprint.operation("GET", "/v1/players/me/export", "exportMe", security=OWNERS, budget=CREATION)
@blueprint.response(
    200,
    {"type": "object", "examples": [{"player": shapes.PlayerSchema.example, "games": []}]},
    description="What is stored of you (/docs/privacy).",
    content_type=JSON,
)
def export_me(caller: Caller) -> Response:
    """Export your data.

    The data are your name, your keys (without their texts), the requests that were refused to your
    keys, your games and seats, your tables, your tournaments, and admins' acts on you.
    """
    pieces = caller.services.personal_data.of(caller.me, caller.own_key)
    response = Response(pieces, mimetype=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.operation(
    "GET", "/v1/players/me/keys", "listKeys", security=OWNERS, headers=[IF_NONE_MATCH]
)
@blueprint.response(200, shapes.KeyListSchema, description="The keys.")
def list_keys(caller: Caller) -> Response:
    """List your keys.

    The list has all keys that are not revoked, seat keys too. The texts of keys are not stored.
    """
    services = caller.services
    return checked({"keys": services.refusals.listed(services.keys.all(caller.own_key))})


@blueprint.operation(
    "POST",
    "/v1/players/me/keys",
    "createKey",
    security=OWNERS,
    body=True,
    problems=[*_ONCE, "too_many_keys"],
    headers=[ONCE_KEY],
)
@blueprint.arguments(shapes.KeyRequestSchema)
@blueprint.response(201, shapes.NewKeySchema, description="The key, which is told this once.")
def create_key(caller: Caller, body: shapes.KeyRequest) -> Response:
    """Create another key.

    Create one for a bot, for a device, or as a backup: a lost key cannot be recovered.
    """
    player, keys = caller.me, caller.services.keys
    retry = retry_of(caller, player.id, caller.loaded)
    draft = KeyDraft(body.name, body.scope, body.days)
    return answer_key(lambda: keys.make(caller.own_key, draft, retry))


@blueprint.operation(
    "POST",
    "/v1/players/me/keys/<key_id>/rotate",
    "rotateKey",
    security=OWNERS,
    problems=[*_ONCE, "no_such_key", "last_full_key"],
    headers=[ONCE_KEY],
)
@blueprint.response(201, shapes.NewKeySchema, description="The key, which is told this once.")
def rotate_key(caller: Caller, key_id: str) -> Response:
    """Replace the text of a key; its lifetime begins again.

    The old text stops working at once.
    """
    player, keys = caller.me, caller.services.keys
    retry = retry_of(caller, player.id)
    return answer_key(lambda: keys.rotate(caller.own_key, key_id, retry))


@blueprint.operation(
    "DELETE",
    "/v1/players/me/keys/<key_id>",
    "revokeKey",
    security=OWNERS,
    problems=[*_REPEATED, "no_such_key", "last_full_key"],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.response(204, None, description="The key is revoked.")
def revoke_key(caller: Caller, key_id: str) -> Response:
    """Revoke a key at once.

    Streams opened with it end within seconds.
    """
    retry = retry_of(caller, caller.me.id)
    return answer_done(lambda: caller.services.keys.revoke(caller.own_key, key_id, retry))


@blueprint.operation(
    "GET",
    "/v1/players/me/keys/<key_id>/refused_requests",
    "listRefusedRequests",
    security=OWNERS,
    problems=["no_such_key"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.RefusedRequestListSchema, description="The refused requests.")
def list_refused_requests(caller: Caller, key_id: str) -> Response:
    """List the requests of a key that were refused within the last day.

    A refusal is an answer with a problem and the status 4xx. Of refusals for a rate limit only the
    first of each window is listed.
    """
    services = caller.services
    services.keys.need_own(caller.own_key, key_id)
    return checked({"refused_requests": services.refusals.of(key_id)})


@blueprint.operation(
    "GET",
    "/v1/players/<player_id>",
    "getPlayer",
    security=ANY_CALLER.for_bots,
    problems=["unknown_player"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.KnownPlayerSchema, description="The player.")
def get_player(caller: Caller, player_id: str) -> Response:
    """Look a player up.

    Names are not unique; ids are.
    """
    player = caller.services.players.by_id(player_id)
    if player is None:
        raise Problem("unknown_player", f"there is no player {player_id!r}")
    return checked({**player.to_json(), "ratings": ratings_of(caller, player_id)})


@blueprint.operation(
    "POST",
    "/v1/stream_tickets",
    "createStreamTicket",
    security=READERS.seated.for_bots,
    problems=_ONCE,
    headers=[ONCE_KEY, ACCEPT_LANGUAGE],
)
@blueprint.response(201, shapes.StreamTicketSchema, description="The ticket.")
def create_stream_ticket(caller: Caller) -> Response:
    """Create a ticket that opens one stream.

    Browsers need tickets, because their `EventSource` cannot send headers, and keys do not belong
    in URLs. The stream's words are in the language of the request for the ticket, if it names one.
    """
    sent = caller.request
    chosen = "lang" in sent.args or "Accept-Language" in sent.headers
    retry = retry_of(caller, caller.owner_of_keys)
    try:
        language = caller.language if chosen else None
        ticket = caller.services.tickets.issue(caller.own_key, retry, language)
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "ticket") from None
    told = {"id": ticket.id, "ticket": ticket.secret, "expires_in": TICKET_SECONDS}
    return answer(told, 201)


def answer_key(make: Callable[[], tuple[PlayerKey, str]]) -> Response:
    """Answer with a new key and its text."""
    try:
        key, text = make()
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "key") from None
    location = {"Location": "/v1/players/me/keys"}
    return answer({**key.to_json(), "key": text}, 201, location)


def told_before(answered: AlreadyAnsweredError, what: str) -> Problem:
    """Return the Problem that refuses a repeated request whose first answer contained a secret.

    The service shows a secret only once, so it cannot give the same answer again. ``what`` names
    the object that the first request made, and ``answered`` has its id.
    """
    detail = (
        f"an earlier request with this Idempotency-Key made the {what} {answered.made}, and its"
        f" secret was told once: send a new Idempotency-Key to make another {what}"
    )
    return Problem("already_answered", detail, id=answered.made)
