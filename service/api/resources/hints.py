"""Hints: requesting and reading what a bot would do in one's place."""

from collections.abc import Mapping
from functools import partial

from flask import Response

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import HINTS, Game
from service.api.http.access import PLAYERS, READERS
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.operations import Blueprint
from service.api.http.responses import NO_HEADERS, answer, checked
from service.api.http.viewers import own_seat
from service.api.resources.games import CHANGES, REPLAYED, receipt_of, retry_of
from service.api.schemas import hints as shapes
from service.api.schemas.queries import HintQuery, HintQuerySchema
from service.games.analyses import AnalysisProgress, TooManyError
from service.games.hints import BOT, decision_of, is_secret, name_of
from service.games.present import legal_moves
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import AlreadyAnsweredError, IdempotencyNotes
from service.ledger.ledger import AppendedBatch
from service.ledger.store import RepeatedRequest
from service.problems import Problem

blueprint = Blueprint("hints", __name__, description="What a bot would do in your place, and why.")


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/hint",
    "requestHint",
    security=PLAYERS,
    sees=GAME,
    body=True,
    problems=[
        *CHANGES,
        "unknown_seat",
        "not_your_seat",
        "not_your_turn",
        "seat_resigned",
        "too_late",
        "game_over",
        "not_running",
        "no_hints",
        "too_many_hints",
        "storage_nearly_full",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.HintRequestSchema)
@blueprint.response(202, shapes.AskedHintSchema, description="The hint; `Location` has its URL.")
def request_hint(caller: Caller, body: shapes.HintRequest, game_id: str) -> Response:
    """Request a hint for the open decision of a seat.

    A bot looks for a move from what the seat knows, as soon as a worker is free: read the hint with
    `getHint`. For one decision there is one hint, however often it is requested. Hints are given in
    unrated games, to players who are alone with bots; and at a table with `hints` to all players,
    where an event `hinted` shows everybody that the seat has asked.
    """
    who, runtime = caller.claimant, caller.runtime
    once = IdempotencyNotes(runtime.redis)
    retry = retry_of(caller, who.player, caller.loaded)
    game = runtime.ledger.table(game_id).game
    try:
        once.expect_new(retry)
    except AlreadyAnsweredError as answered:
        return _asked(caller, game, answered.made, headers=REPLAYED)
    if HINTS in game.created:
        ask = partial(_ask, caller, body)
        done = runtime.tables.hint(game_id, body.seat, who.player, ask, retry)
        if not isinstance(done, Game):
            return _seen(caller, done)
        game = done
    else:
        game = runtime.tables.need_hint(game_id, body.seat, who.player)
        _ask(caller, body, game)
    name = name_of(game.id, body.seat, game.asked[body.seat])
    once.do(retry, name, ())
    return _asked(caller, game, name)


def _ask(caller: Caller, body: shapes.HintRequest, game: Game) -> None:
    """Request the hint for the open decision of a seat. Raises Problem."""
    who, runtime = caller.claimant, caller.runtime
    name = name_of(game.id, body.seat, game.asked[body.seat])
    caller.services.admission.analysis(who)
    try:
        if runtime.hints.ask(name, runtime.bots[BOT].holder(game.ruleset), who, steps=1):
            runtime.jobs.hint(name, who.player)
    except TooManyError as error:
        raise Problem("too_many_hints", str(error), scope=error.scope, limit=error.limit) from None


def _seen(caller: Caller, done: AppendedBatch | RepeatedRequest) -> Response:
    """Answer a request for a hint that everybody has seen; with a receipt for its event."""
    if isinstance(done, RepeatedRequest):
        found = caller.runtime.ledger.replay(*done)
        game, batch = found.game, [event for event, _prev_hash in found.chained]
    else:
        game, batch = done.game, [*done.events]
    headers = REPLAYED if isinstance(done, RepeatedRequest) else NO_HEADERS
    (event,) = batch
    name = name_of(game.id, event.by["seat"], event.body["hint"].value["decision"])
    receipt = receipt_of(caller, game, batch)
    return _asked(caller, game, name, receipt, headers)


def _asked(
    caller: Caller,
    game: Game,
    name: str,
    receipt: JsonObject | None = None,
    headers: Mapping[str, str] = NO_HEADERS,
) -> Response:
    """Answer a request for a hint with the hint, as far as it is."""
    found = _find(caller, game, name)
    seat, decision = decision_of(found)
    where = f"/v1/games/{found.game_id}/hint?seat={seat}&decision={decision}"
    told = {**_told(game, found, caller.language), "receipt": receipt}
    return answer(told, 202, {"Location": where, **headers})


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/hint",
    "getHint",
    security=READERS,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "rules_version_unavailable",
        "unknown_seat",
        "not_your_seat",
        "no_hint",
        "invalid_query",
    ],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH],
)
@blueprint.arguments(HintQuerySchema, location="query")
@blueprint.response(200, shapes.HintSchema, description="The hint, as far as it is.")
def get_hint(caller: Caller, query: HintQuery, game_id: str) -> Response:
    """Read the hint for a decision of a seat.

    A hint is kept for a day. When the decision is over, `current` is false.
    """
    game, _secrets, damage = caller.runtime.ledger.table(game_id)
    if damage is not None:
        raise GameDamagedError(game_id, damage)
    seat = own_seat(game, caller, query.seat)
    decision = query.decision
    if decision is None:
        decision = game.asked.get(seat)
    if decision is None:
        raise Problem("no_hint", f"seat {seat} is not asked, so name a decision")
    found = _find(caller, game, name_of(game.id, seat, decision))
    return checked(_told(game, found, caller.language))


def _find(caller: Caller, game: Game, name: str) -> AnalysisProgress:
    found = caller.runtime.hints.find(name)
    if found is None or is_secret(game, found):
        raise Problem("no_hint")
    return found


def _told(game: Game, found: AnalysisProgress, language: str) -> JsonObject:
    """Return a hint as JSON, with its moves in words."""
    seat, decision = decision_of(found)
    told = found.to_json()
    del told["rows"], told["steps"]
    result = found.loaded
    moves = [] if result is None else result["moves"]
    for move in moves:
        move["label"] = move.pop("words")[language]
    return {
        **told,
        "seat": seat,
        "decision": decision,
        "current": _is_current(game, seat, decision, [move["move"] for move in moves[:1]]),
        "result": result,
    }


def _is_current(game: Game, seat: Seat, decision: int, best: list[JsonObject]) -> bool:
    """Whether a decision is open, and the ``best`` move of its hint, if it is known, is legal."""
    if game.asked.get(seat) != decision:
        return False
    legal = {encode(move.to_json()) for move in legal_moves(game, seat)} if best else set()
    return all(encode(move) in legal for move in best)
