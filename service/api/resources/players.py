"""Players, their keys, and tickets for streams."""

from typing import Any

from flask import Response

from service.api.http.context import caller, owner_of_keys, services
from service.api.http.headers import IF_NONE_MATCH, ONCE_KEY
from service.api.http.operations import ANY_CALLER, NO_KEY, PLAYERS, Blueprint
from service.api.http.responses import answer, checked
from service.api.resources.games import retry_of
from service.api.schemas import players as shapes
from service.games.players import TICKET_SECONDS
from service.ledger.once import AlreadyAnsweredError
from service.problems import Problem

blueprint = Blueprint("players", __name__, description="Who plays, and with which key.")

_ONCE = ("invalid_header", "idempotency_key_reused", "already_answered")


@blueprint.operation(
    "POST",
    "/v1/players",
    "createPlayer",
    security=NO_KEY,
    body=True,
    problems=[*_ONCE, "storage_nearly_full"],
    headers=[ONCE_KEY],
)
@blueprint.arguments(shapes.PlayerRequest)
@blueprint.response(201, shapes.NewPlayer, description="The player and its key.")
def create_player(body: dict[str, Any]) -> Response:
    """Become a player.

    The key is told this once; whoever has it is this player.
    """
    services().admission.need_room()
    try:
        player, key = services().players.create(body["name"], retry_of(owner_of_keys(), body))
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "player") from None
    location = {"Location": f"/v1/players/{player.id}"}
    return answer({**player.to_json(), "key": key}, 201, location)


@blueprint.operation("GET", "/v1/players/me", "getMe", security=PLAYERS, headers=[IF_NONE_MATCH])
@blueprint.response(200, shapes.Player, description="The player.")
def get_me() -> Response:
    """Tell whose key this is.

    The cheapest way to check a key.
    """
    return checked(caller().to_json())


@blueprint.operation(
    "GET",
    "/v1/players/<player_id>",
    "getPlayer",
    security=ANY_CALLER,
    problems=["unknown_player"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.Player, description="The player.")
def get_player(player_id: str) -> Response:
    """Look a player up.

    Names are not unique; ids are.
    """
    player = services().players.by_id(player_id)
    if player is None:
        raise Problem("unknown_player", f"there is no player {player_id!r}")
    return checked(player.to_json())


@blueprint.operation(
    "POST",
    "/v1/stream_tickets",
    "createStreamTicket",
    security=PLAYERS,
    problems=_ONCE,
    headers=[ONCE_KEY],
)
@blueprint.response(201, shapes.StreamTicket, description="The ticket.")
def create_stream_ticket() -> Response:
    """Get a ticket that opens one stream.

    For browsers, whose `EventSource` sends no header: a key never belongs in a URL.
    """
    player = caller()
    try:
        ticket = services().players.issue_ticket(player, retry_of(player.id))
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "ticket") from None
    told = {"id": ticket.id, "ticket": ticket.secret, "expires_in": TICKET_SECONDS}
    return answer(told, 201)


def told_before(answered: AlreadyAnsweredError, what: str) -> Problem:
    """Return what a repeated request is told that made something with a secret."""
    detail = (
        f"an earlier request with this Idempotency-Key made the {what} {answered.made}, and its"
        f" secret was told once: send a new Idempotency-Key to make another {what}"
    )
    return Problem("already_answered", detail, id=answered.made)
