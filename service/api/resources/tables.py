"""Tables: invitations, guests, handover, and rematches."""

from flask import Response

from rules.kernel.contract.errors import BadOptions
from rules.kernel.record.game import Game
from service.api.http.access import HOSTS
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, ONCE_KEY
from service.api.http.operations import Blueprint
from service.api.http.responses import NO_HEADERS, answer
from service.api.resources.games import REPLAYED, SIGNING_KEYS, answer_game, retry_of
from service.api.resources.players import told_before
from service.api.schemas import games as game_shapes
from service.api.schemas import tables as shapes
from service.games.guests import Guests, InvitationTerms
from service.games.rematch import Admissions, BroughtCommitment, Contribution, Rematches
from service.ledger.idempotency import AlreadyAnsweredError
from service.problems import Problem, field_error

blueprint = Blueprint("tables", __name__, description="Hosting a table, and inviting to it.")

_HOSTING = (
    "unknown_game",
    "game_damaged",
    "rules_version_unavailable",
    "not_your_table",
    "unknown_seat",
    "not_in_lobby",
    "conflict",
    "invitation_refused",
    "too_many_invitations",
    "no_player_there",
    "not_ended",
    "tournament_game",
    "upgrade_unfinished",
    "already_answered",
    "invalid_header",
    "idempotency_key_reused",
)
"""The problems of all acts of a host or a guest; the document has them once."""
INVITATION_ID = {
    "in": "path",
    "name": "invitation_id",
    "description": "The id of an invitation.",
    # No pattern: a malformed id gets the same answer as the id of a revoked invitation.
    "schema": {"type": "string"},
    "example": shapes.INVITATION,
}


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/invitations",
    "invite",
    security=HOSTS,
    sees=GAME,
    body=True,
    problems=_HOSTING,
    headers=[ONCE_KEY],
)
@blueprint.arguments(shapes.InvitationRequestSchema, required=False)
@blueprint.response(201, shapes.InvitationSchema, description="The invitation and its token.")
def invite(caller: Caller, body: shapes.InvitationRequest, game_id: str) -> Response:
    """Create an invitation to the caller's table.

    Until the game starts, a holder of the token may see the table, with the header `Invitation`,
    and take a seat, with the field `invitation`. Each player who sits down counts as one use of the
    invitation.
    """
    player = caller.me
    asked = InvitationTerms(body.seat, body.uses, body.expires_in)
    try:
        made, token = _guests(caller).invite(
            game_id, player.id, asked, retry_of(caller, player.id, caller.loaded)
        )
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "invitation") from None
    return answer({**made.to_json(), "token": token}, 201)


@blueprint.operation(
    "DELETE",
    "/v1/games/<game_id>/invitations/<invitation_id>",
    "revokeInvitation",
    security=HOSTS,
    sees=GAME,
    problems=_HOSTING,
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
    path_parameters=[INVITATION_ID],
)
@blueprint.response(200, game_shapes.ChangedGameSchema, description="The game.")
def revoke_invitation(caller: Caller, game_id: str, invitation_id: str) -> Response:
    """Revoke an invitation, if the table has it; `table.invitations` lists those that remain.

    Guests who came by it and hold no seat no longer see a private table.
    """
    player, headers = caller.me, NO_HEADERS
    try:
        _guests(caller).revoke(
            _game(caller, game_id), player.id, invitation_id, retry_of(caller, player.id)
        )
    except AlreadyAnsweredError:
        headers = REPLAYED
    return answer_game(caller, _game(caller, game_id), headers=headers)


@blueprint.operation(
    "PUT",
    "/v1/games/<game_id>/host",
    "handOver",
    security=HOSTS,
    sees=GAME,
    body=True,
    problems=_HOSTING,
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.HostRequestSchema)
@blueprint.response(200, game_shapes.ChangedGameSchema, description="The game.")
def hand_over(caller: Caller, body: shapes.HostRequest, game_id: str) -> Response:
    """Hand the caller's table over to a player who sits there.

    In the record, what the new host does is still attributed to the opener of the table.
    """
    player, headers = caller.me, NO_HEADERS
    try:
        _guests(caller).hand_over(
            game_id, player.id, body.seat, retry_of(caller, player.id, caller.loaded)
        )
    except AlreadyAnsweredError:
        headers = REPLAYED
    return answer_game(caller, _game(caller, game_id), headers=headers)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/rematch",
    "rematch",
    security=HOSTS,
    sees=GAME,
    body=True,
    problems=[
        *_HOSTING,
        "other_rematch",
        *SIGNING_KEYS,
        "rated_table",
        "bad_options",
        "too_many_games",
        "storage_nearly_full",
        "unconfirmed",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(game_shapes.RematchRequestSchema, required=False)
@blueprint.response(
    201, game_shapes.ChangedGameSchema, description="The game; it starts when all seats are held."
)
def rematch(caller: Caller, body: game_shapes.RematchRequest, game_id: str) -> Response:
    """Open or join a rematch of a game that has ended.

    The first request opens a table with the same terms, where everybody sits one seat further. The
    other players' seats are reserved. Each of them takes the reserved seat by sending this request
    too. If a player repeats the request, the answer is the same game.
    """
    runtime, admission, who = caller.runtime, caller.services.admission, caller.claimant
    rematches = Rematches(runtime.tables, runtime.bots)
    player, committed = caller.me, body.entropy_commitment
    commitment = None if committed is None else BroughtCommitment(committed, body.rematch)
    brings = Contribution(commitment, body.signing_key)
    admissions = Admissions(admission.table(who), admission.seat(who), admission.neighbours(who))
    retry = retry_of(caller, player.id, caller.loaded)
    try:
        game = rematches.join(game_id, player.id, admissions, brings, retry)
    except AlreadyAnsweredError as answered:
        return answer_game(caller, _game(caller, answered.made), status=201, headers=REPLAYED)
    except BadOptions as error:
        errors = [field_error(f"options.{error.option}", str(error))]
        raise Problem("bad_options", str(error), errors=errors) from None
    return answer_game(caller, game, status=201)


def _game(caller: Caller, game_id: str) -> Game:
    return caller.runtime.ledger.table(game_id).game


def _guests(caller: Caller) -> Guests:
    return caller.runtime.tables.guests
