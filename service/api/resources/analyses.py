"""Analyses of finished games: requesting and reading them."""

from collections.abc import Mapping

import orjson
from flask import Response

from rules.kernel.record.game import Game
from service.api.http.access import ANY_CALLER, PLAYERS
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.operations import Blueprint
from service.api.http.responses import NO_HEADERS, answer, checked_bytes
from service.api.resources.games import REPLAYED, retry_of
from service.api.schemas import analyses as shapes
from service.catalogue.bots import BotOffer
from service.games.analyses import AnalysisProgress, TooManyError, judges, name_of, steps_of
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import AlreadyAnsweredError, IdempotencyNotes
from service.problems import Problem, field_error

blueprint = Blueprint("analyses", __name__, description="Judgements of finished games by a bot.")

_OF_A_GAME = (
    "unknown_game", "game_damaged", "game_sealed", "unknown_bot", "rules_version_unavailable",
)  # fmt: skip


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/analysis",
    "requestAnalysis",
    security=PLAYERS,
    sees=GAME,
    body=True,
    problems=[
        *_OF_A_GAME,
        "not_ended",
        "not_running",
        "too_many_analyses",
        "storage_nearly_full",
        "invalid_header",
        "idempotency_key_reused",
    ],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.AnalysisRequestSchema, required=False)
@blueprint.response(
    202,
    shapes.AnalysisSchema,
    description="The analysis, with how far it is; `Location` has its URL.",
)
def request_analysis(caller: Caller, body: shapes.AnalysisQuery, game_id: str) -> Response:
    """Request a bot's analysis of a finished game.

    Repeating the request changes nothing, unless the analysis failed. Analyses wait in the same
    queue as the bots of your games.
    """
    who, bot = caller.claimant, _judge(caller, body.bot)
    game, once = _game(caller, game_id), IdempotencyNotes(caller.runtime.redis)
    name, retry = name_of(game_id, bot), retry_of(caller, who.player, caller.loaded)
    try:
        once.expect_new(retry)
    except AlreadyAnsweredError:
        return _asked(caller, name, REPLAYED)
    steps = _steps(caller, game)
    runtime = caller.runtime
    caller.services.admission.analysis(who)
    try:
        if runtime.analyses.ask(name, bot.holder(game.ruleset), who, steps):
            runtime.jobs.analyse(name, who.player)
    except TooManyError as error:
        raise Problem(
            "too_many_analyses", str(error), scope=error.scope, limit=error.limit
        ) from None
    once.do(retry, name, ())
    return _asked(caller, name)


def _asked(caller: Caller, name: str, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Answer a request for an analysis with the progress of the analysis."""
    found = _find(caller, name)
    where = f"/v1/games/{found.game_id}/analysis?bot={found.holder['bot']}"
    return answer({**found.to_json(), "result": None}, 202, {"Location": where, **headers})


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/analysis",
    "getAnalysis",
    security=ANY_CALLER,
    sees=GAME,
    problems=[*_OF_A_GAME, "no_analysis", "invalid_query"],
    headers=[IF_NONE_MATCH],
)
@blueprint.arguments(shapes.AnalysisQuerySchema, location="query")
@blueprint.response(200, shapes.AnalysisSchema, description="The analysis, as far as it is.")
def get_analysis(caller: Caller, query: shapes.AnalysisQuery, game_id: str) -> Response:
    """Read a bot's analysis of a finished game.

    An analysis is kept for 30 days. Of all games together, the newest 1000 analyses are kept.
    """
    game = _game(caller, game_id)
    found = _find(caller, name_of(game.id, _judge(caller, query.bot)))
    head = orjson.dumps({**found.to_json(), "result": None})
    if found.result is None:
        return checked_bytes(head, "application/json")
    return checked_bytes(head[: -len(b"null}")] + found.result + b"}", "application/json")


def _judge(caller: Caller, name: str) -> BotOffer:
    offers = judges(caller.runtime.bots)
    if name in offers:
        return offers[name]
    known = name in caller.runtime.bots
    message = f"{name!r} tries nothing out" if known else f"there is no bot {name!r}"
    raise Problem(
        "unknown_bot", message, errors=[field_error("bot", message, name)], bots=sorted(offers)
    )


def _game(caller: Caller, game_id: str) -> Game:
    """Return a game that is not sealed; raises Problem (``game_sealed``)."""
    game, _secrets, damage = caller.runtime.ledger.table(game_id)
    if damage is not None:
        raise GameDamagedError(game_id, damage)
    if game.withheld:
        raise Problem("game_sealed")
    return game


def _steps(caller: Caller, game: Game) -> int:
    """Return the number of steps of a finished game: the events that changed its state."""
    if not game.over:
        raise Problem("not_ended")
    if game.state is None:
        raise Problem("not_running", "it was over before it started: there is nothing to analyse")
    ledger = caller.runtime.ledger
    return steps_of(event for event, _prev_hash in ledger.history(game, 0, game.version))


def _find(caller: Caller, name: str) -> AnalysisProgress:
    found = caller.runtime.analyses.find(name)
    if found is None:
        raise Problem("no_analysis")
    return found
