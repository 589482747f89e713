"""Entering a bot account in a tournament that is open for entries of owners."""

from flask import Response

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import Game
from service.api.http.access import OWNERS
from service.api.http.context import Caller
from service.api.http.guards import TOURNAMENT
from service.api.http.headers import IDEMPOTENCY_KEY
from service.api.http.limits import CREATION
from service.api.http.responses import NO_HEADERS, answer
from service.api.resources.games import REPLAYED, need_concurrency, retry_of
from service.api.resources.tournaments.common import ONE, blueprint, offered
from service.api.schemas import tournaments as shapes
from service.games.validation import FAILED, VALID, Validation, Validations
from service.players.bot_accounts import BotAccount
from service.problems import Problem
from service.tournaments.director import need_new, need_place
from service.tournaments.plan import BadPlanError, Plan, PlayerEntry, PlayerOffer, player_entry
from service.tournaments.tournament import Tournament

_OPPONENT = "random"
"""The bot of the service against which bots of owners are validated."""


@blueprint.operation(
    "POST",
    "/v1/tournaments/<tournament_id>/entries",
    "enterTournament",
    security=OWNERS,
    sees=TOURNAMENT,
    body=True,
    problems=[
        *ONE,
        "no_place_free",
        "entered_already",
        "no_such_bot",
        "bot_does_not_play",
        "bot_absent",
        "bot_busy",
        "validation_failed",
        "unknown_bot",
        "rules_version_unavailable",
        "too_many_games",
        "storage_nearly_full",
        "upgrade_unfinished",
        "unconfirmed",
        "invalid_header",
        "idempotency_key_reused",
        "conflict",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.EnterRequestSchema)
@blueprint.response(201, shapes.EnteringSchema, description="The bot is entered.")
@blueprint.response(202, shapes.EnteringSchema, description="The bot plays its validation game.")
def enter_tournament(caller: Caller, body: shapes.EnterRequest, tournament_id: str) -> Response:
    """Enter a bot of yours in a tournament that is open for entries of owners.

    The first request opens a validation game: the bot plays one game of the tournament's kind
    against bots of the service, and must not be late or resign. When the game is over, the same
    request enters the bot, with the version that it has then.
    """
    runtime, me = caller.runtime, caller.me
    tournament = runtime.director.find(tournament_id)
    account = caller.services.bots.own(me.id, body.player)
    validations = Validations(runtime.redis, runtime.ledger, runtime.tables)
    found = validations.find(tournament_id, account.id, account.version)
    told: JsonObject = {"tournament_id": tournament_id, "player": account.id}
    if found is None or found.status != VALID:
        need_place(tournament, account.id)
        need_new(tournament, account.id, account.version)
        offer = offered(caller, [account])[account.id]
        _entry_in(tournament.plan, offer, body.name)
        if found is not None and found.status == FAILED:
            validations.forget(tournament_id, account.id)
            why, game = f"{offer.name}: {found.why}", found.game.id
            raise Problem("validation_failed", why, game_id=game)
        if found is None:
            found = _validation(caller, validations, tournament, account, offer.name)
        return answer(
            {**told, "status": "validating", "game_id": found.game.id, "entry": None}, 202
        )
    offer = offered(caller, [account])[account.id]
    done = runtime.director.enter(
        tournament_id,
        lambda plan: _entry_in(plan, offer, body.name),
        found.proof(),
        {"player": me.id},
        retry_of(caller, me.id, caller.loaded),
    )
    entries = done.tournament.plan.entries
    number = max(n for n, one in enumerate(entries) if getattr(one, "player", "") == account.id)
    told |= {"status": "entered", "game_id": found.game.id, "entry": number}
    return answer(told, 201, REPLAYED if done.replayed else NO_HEADERS)


def _entry_in(plan: Plan, offer: PlayerOffer, name: str | None) -> PlayerEntry:
    """Return the entry of a bot in a plan. Raises Problem (``bot_does_not_play``)."""
    try:
        return player_entry(plan, offer, name)
    except BadPlanError as error:
        raise Problem("bot_does_not_play", str(error)) from None


def _validation(
    caller: Caller,
    validations: Validations,
    tournament: Tournament,
    account: BotAccount,
    name: str,
) -> Validation:
    """Open a validation game. Raises Problem: ``bot_absent``, ``bot_busy``, ``unknown_bot``."""
    if not caller.services.bots.present([account.id]):
        raise Problem("bot_absent", f"{name} does not listen for questions")
    opponent = caller.runtime.bots.get(_OPPONENT)
    if opponent is None:
        raise Problem("unknown_bot", f"the service has no bot {_OPPONENT!r}", bots=[])
    admit_table = caller.services.admission.table(caller.claimant, account.id, account.concurrency)

    def admit(game: Game) -> None:
        need_concurrency(caller, account, game, 0)
        admit_table(game)

    return validations.open(
        tournament.id, tournament.plan, caller.me.id, account.id, account.version, opponent, admit
    )
