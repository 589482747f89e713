"""Acts of admins, and their journal. No player's key opens these operations."""

from collections.abc import Callable, Iterable

from flask import Response

from service.administration.acts import ActTerms
from service.administration.journal import Act, Who
from service.api.http.access import ADMINS
from service.api.http.context import Caller
from service.api.http.guards import ADMINS_GAME, TOURNAMENT, Guard
from service.api.http.headers import IDEMPOTENCY_KEY
from service.api.http.operations import Blueprint, View
from service.api.http.responses import NO_HEADERS, answer
from service.api.resources.games import REPLAYED, retry_of
from service.api.schemas import admin as shapes
from service.api.schemas.queries import ActsQuery, ActsQuerySchema
from service.ids import PLAYER_ID

blueprint = Blueprint("admin", __name__, description="For whoever runs the service.")

_GAME = ("unknown_game", "game_damaged", "rules_version_unavailable", "conflict", "unconfirmed")


def _act(path: str, name: str, *problems: str, sees: Guard | None = None) -> Callable[[View], View]:
    """Declare an act: the body gives its reason, and the answer is its entry in the journal."""

    def declare(view: View) -> View:
        view = blueprint.response(
            200, shapes.AdminActSchema, description="The act, as it was noted."
        )(view)
        view = blueprint.arguments(shapes.ActRequestSchema)(view)
        return blueprint.operation(
            "POST", path, name, security=ADMINS, sees=sees, body=True,
            problems=["invalid_header", "idempotency_key_reused", *problems],
            headers=[IDEMPOTENCY_KEY],
        )(view)  # fmt: skip

    return declare


def _request(caller: Caller, body: shapes.ActRequest) -> ActTerms:
    key = caller.own_admin
    return ActTerms(
        Who(key.name, key.id), body.reason, retry_of(caller, f"admin:{key.id}", caller.loaded)
    )


def _players(subjects: Iterable[str]) -> list[str]:
    return [subject for subject in subjects if PLAYER_ID.match(subject)]


def _answer(noted: tuple[Act, bool]) -> Response:
    act, replayed = noted
    return answer(act.to_json(), headers=REPLAYED if replayed else NO_HEADERS)


@blueprint.operation("GET", "/v1/admin/me", "getAdmin", security=ADMINS)
@blueprint.response(200, shapes.AdminSchema, description="The key.")
def get_admin(caller: Caller) -> Response:
    """Identify the owner of this key.

    This is the cheapest way to check a key; `expires_at` says when it expires.
    """
    return answer(caller.own_admin.to_json())


@_act(
    "/v1/admin/games/<game_id>/end",
    "endGame",
    *_GAME,
    "game_over",
    "tournament_game",
    sees=ADMINS_GAME,
)
def end_game(caller: Caller, body: shapes.ActRequest, game_id: str) -> Response:
    """End a game without a result.

    The game is `aborted` in the admin's name, with the reason `ended_by_operator`; a damaged game
    has the reason `damaged`.
    """
    return _answer(caller.services.administration.end(game_id, _request(caller, body)))


@_act(
    "/v1/admin/games/<game_id>/suspend",
    "suspendGame",
    *_GAME,
    "game_over",
    "game_suspended",
    "tournament_game",
    "upgrade_unfinished",
    sees=ADMINS_GAME,
)
def suspend_game(caller: Caller, body: shapes.ActRequest, game_id: str) -> Response:
    """Suspend a game.

    Until the game is resumed or ended, no clock runs, no bot moves, and every change is refused
    with 409 `game_suspended`.
    """
    return _answer(caller.services.administration.suspend(game_id, _request(caller, body)))


@_act(
    "/v1/admin/games/<game_id>/resume",
    "resumeGame",
    *_GAME,
    "game_over",
    "not_suspended",
    sees=ADMINS_GAME,
)
def resume_game(caller: Caller, body: shapes.ActRequest, game_id: str) -> Response:
    """Resume a suspended game.

    Open decisions have as much time left as when the game was suspended.
    """
    return _answer(caller.services.administration.resume(game_id, _request(caller, body)))


@_act("/v1/admin/games/<game_id>/requeue", "requeueGame", *_GAME, sees=ADMINS_GAME)
def requeue_game(caller: Caller, body: shapes.ActRequest, game_id: str) -> Response:
    """Requeue a game for the workers.

    Its bots' turns and deadlines are restored from its events.
    """
    return _answer(caller.services.administration.requeue(game_id, _request(caller, body)))


@_act(
    "/v1/admin/tournaments/<tournament_id>/requeue",
    "requeueTournament",
    "unknown_tournament",
    "tournament_damaged",
    sees=TOURNAMENT,
)
def requeue_tournament(caller: Caller, body: shapes.ActRequest, tournament_id: str) -> Response:
    """Requeue a tournament for the workers.

    Its pending work is restored from its events.
    """
    return _answer(caller.services.administration.requeue(tournament_id, _request(caller, body)))


@_act("/v1/admin/players/<player_id>/ban", "banPlayer", "unknown_player")
def ban_player(caller: Caller, body: shapes.ActRequest, player_id: str) -> Response:
    """Ban a player.

    Within seconds the player's keys get 403 `banned` everywhere. The player's games go on. In a
    game with a clock, the service plays the default move of the rules when the player's time is up.
    In a game without a clock, the other players have to wait.
    """
    noted = caller.services.administration.ban(player_id, _request(caller, body))
    caller.services.bans.look_again()
    return _answer(noted)


@_act("/v1/admin/players/<player_id>/unban", "unbanPlayer", "unknown_player")
def unban_player(caller: Caller, body: shapes.ActRequest, player_id: str) -> Response:
    """Lift a ban.

    The same keys work again within seconds.
    """
    noted = caller.services.administration.unban(player_id, _request(caller, body))
    caller.services.bans.look_again()
    return _answer(noted)


@_act("/v1/admin/players/<player_id>/erase_name", "erasePlayersName", "unknown_player")
def erase_name(caller: Caller, body: shapes.ActRequest, player_id: str) -> Response:
    """Erase a player's name.

    The name is empty at once; records hold only the id. Everything else stays as it is.
    """
    return _answer(caller.services.administration.erase_name(player_id, _request(caller, body)))


@blueprint.operation(
    "GET", "/v1/admin/acts", "listActs", security=ADMINS, problems=["invalid_query"]
)
@blueprint.arguments(ActsQuerySchema, location="query")
@blueprint.response(200, shapes.ActListSchema, description="The acts.")
def list_acts(caller: Caller, query: ActsQuery) -> Response:
    """Read the journal of admins' acts, with their reasons.

    The outcome of an act on a game is in the game's own events.
    """
    limit = query.limit
    found = caller.services.administration.journal.read(query.after, limit)
    return answer(
        {
            "acts": [entry.act.to_json() for entry in found],
            **caller.named(_players(entry.act.subject for entry in found)),
            "next_after": found[-1].place if len(found) == limit else None,
        }
    )
