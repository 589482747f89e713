"""Players, their keys, and tickets for streams."""

from typing import Any

from flask import Response

from service.api.answers import answer
from service.api.blueprint import ANY_CALLER, NO_KEY, PLAYERS, Blueprint
from service.api.context import caller, services
from service.api.schemas import players as shapes
from service.players import TICKET_SECONDS
from service.problems import Problem

blueprint = Blueprint("players", __name__, description="Who plays, and with which key.")

_PLAYER_ID = {
    "in": "path",
    "name": "player_id",
    "description": "The id of a player.",
    "schema": {"type": "string"},
    "example": "p-mfrggzdfmztwq2lk",
}


@blueprint.operation("POST", "/v1/players", "createPlayer", security=NO_KEY, body=True)
@blueprint.arguments(shapes.PlayerRequest)
@blueprint.response(201, shapes.NewPlayer, description="The player and its key.")
def create_player(body: dict[str, Any]) -> Response:
    """Become a player.

    The key is told this once; whoever has it is this player.
    """
    player, key = services().players.create(body["name"])
    location = {"Location": f"/v1/players/{player.id}"}
    return answer({**player.to_json(), "key": key}, 201, location)


@blueprint.operation("GET", "/v1/players/me", "getMe", security=PLAYERS)
@blueprint.response(200, shapes.Player, description="The player.")
def get_me() -> Response:
    """Tell whose key this is.

    The cheapest way to check a key.
    """
    return answer(caller().to_json())


@blueprint.operation(
    "GET",
    "/v1/players/<player_id>",
    "getPlayer",
    security=ANY_CALLER,
    problems=["unknown_player"],
    path_parameters=[_PLAYER_ID],
)
@blueprint.response(200, shapes.Player, description="The player.")
def get_player(player_id: str) -> Response:
    """Look a player up.

    Names are not unique; ids are.
    """
    player = services().players.by_id(player_id)
    if player is None:
        raise Problem("unknown_player", f"there is no player {player_id!r}")
    return answer(player.to_json())


@blueprint.operation("POST", "/v1/stream_tickets", "createStreamTicket", security=PLAYERS)
@blueprint.response(201, shapes.StreamTicket, description="The ticket.")
def create_stream_ticket() -> Response:
    """Get a ticket that opens one stream.

    For browsers, whose `EventSource` sends no header: a key never belongs in a URL.
    """
    ticket = services().players.issue_ticket(caller())
    return answer({"ticket": ticket, "expires_in": TICKET_SECONDS}, 201)
