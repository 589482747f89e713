"""Playing: a seat's view, its legal moves, and moves."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from flask import Response

from rules.kernel.canonical import JsonObject, NotCanonicalError, check, decoded
from rules.kernel.contract.effects import Effect
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.preview import Preview
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.events import Proofs
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import Secrets
from service.api.http.access import ANY_CALLER, PLAYERS, READERS
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, etag_of, tagged, unchanged
from service.api.http.viewers import own_seat, viewer
from service.api.resources.games import (
    CHANGES,
    REPLAYED,
    answer_change,
    bots_wait,
    receipt_of,
    retry_of,
)
from service.api.schemas import games as game_shapes
from service.api.schemas import play as shapes
from service.api.schemas.queries import (
    MovesQuery,
    MovesQuerySchema,
    PreviewQuery,
    PreviewQuerySchema,
    StateQuery,
    StateQuerySchema,
    ViewQuery,
    WhyNotQuery,
    WhyNotQuerySchema,
)
from service.games.commands import NoSuchMoveError, StaleVersionError
from service.games.present import (
    NO_PROOFS,
    chain,
    effects_json,
    events_json,
    legal_moves_json,
    preview_json,
    state_json,
    why_not_json,
    words,
)
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import AppendedBatch, ChainedEvent, FoldedGame
from service.ledger.store import RepeatedRequest, Retry
from service.problems import Problem, field_error, invalid

T = TypeVar("T")

blueprint = Blueprint("play", __name__, description="Seeing, choosing and moving.")

_REFUSED = (
    "illegal_move",
    "unknown_head",
    "stale_version",
    "not_your_turn",
    "not_your_seat",
    "seat_resigned",
    "too_late",
    "game_over",
    "not_running",
    "unknown_game",
    "game_damaged",
    "game_suspended",
    "unknown_seat",
    "rules_version_unavailable",
)
"""Exceptions of a move that is refused."""

MISSED_EVENTS = 200
"""Maximum number of missed events in the refusal of a stale move."""


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/state",
    "getState",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "unknown_version",
        "unknown_seat",
        "not_your_seat",
        "game_sealed",
        "invalid_query",
        "rules_version_unavailable",
    ],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH],
)
@blueprint.arguments(StateQuerySchema, location="query")
@blueprint.response(200, shapes.GameStateSchema, description="The state.")
def get_state(caller: Caller, query: StateQuery, game_id: str) -> Response:
    """See a game as a seat or as a spectator.

    The current state, or an earlier version with `at`. `state` is the ruleset's view for this
    viewer.
    """
    ledger, tongue = caller.runtime.ledger, caller.language
    table = ledger.table(game_id)
    game, damage = table.game, table.damage
    eyes = viewer(game, caller, query)
    at, newest = game.version if query.at is None else query.at, game.version
    _need_version(game, at)
    if at != newest:
        game = ledger.earlier(game, at)
    wait = bots_wait(caller, game) if at == newest else None
    etag = etag_of(at, game.at, eyes, tongue, rules_digest(game), damage, wait)
    return unchanged(etag) or tagged(
        state_json(game, eyes, tongue, damage, wait, written=True), etag
    )


def rules_digest(game: Game) -> str:
    """Return the digest of all code that generates a game's views and words."""
    return game.registry.package_digest(game.created["ruleset"])


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/legal_moves",
    "listLegalMoves",
    security=READERS.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "game_damaged",
        "unknown_seat",
        "not_your_seat",
        "invalid_query",
        "rules_version_unavailable",
    ],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH],
)
@blueprint.arguments(MovesQuerySchema, location="query")
@blueprint.response(200, shapes.LegalMovesSchema, description="The moves; none if it is not asked.")
def list_legal_moves(caller: Caller, query: MovesQuery, game_id: str) -> Response:
    """List every move that the caller's seat may play now.

    The list is complete; it is empty when the seat has no decision open. Post one of these moves
    with `playMove`. With `group`, they are also grouped by type and field, for people to choose
    from.
    """
    game, tongue = caller.runtime.ledger.table(game_id).game, caller.language
    seat = own_seat(game, caller, query.seat)
    group = query.group
    etag = etag_of(game.version, game.at, seat, tongue, rules_digest(game), group)
    if same := unchanged(etag):
        return same
    return tagged(legal_moves_json(game, seat, tongue, group=group), etag)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/moves",
    "playMove",
    security=PLAYERS.seated_late.for_bots,
    sees=GAME,
    body=True,
    problems=[
        *_REFUSED,
        "no_signatures",
        "signature_missing",
        "head_missing",
        "decision_not_open",
        "signature_wrong",
        "stale_head",
        "invalid_header",
        "idempotency_key_reused",
        "conflict",
        "unconfirmed",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.MoveRequestSchema)
@blueprint.response(201, shapes.MoveAnswerSchema, description="The move counts; what it led to.")
def play_move(caller: Caller, body: shapes.MoveRequest, game_id: str) -> Response:
    """Play a move, given in full or by its `index`.

    `expected_version` is valid if it is not older than the seat's open decision and the seat has
    not moved since. Moves of other seats do not make it stale.
    """
    player, seat, tables = caller.me, body.seat, caller.runtime.tables
    thoughts = None if body.thoughts is None else decoded(body.thoughts)

    def play(retry: Retry) -> AppendedBatch | RepeatedRequest:
        return tables.move(
            game_id, seat, body.choice, body.expected_version, player.id,
            expected_head=body.expected_head, thoughts=thoughts, signature=body.signature,
            retry=retry,
        )  # fmt: skip

    return _explained(caller, game_id, body, partial(_changed, caller, seat, play))


def _changed(
    caller: Caller, seat: Seat, act: Callable[[Retry], AppendedBatch | RepeatedRequest]
) -> Response:
    """Let a seat change its game by ``act``, once; return the answer."""
    try:
        done = act(retry_of(caller, caller.owner_of_keys, caller.loaded))
    except RefusedError:
        caller.need_seat()
        raise
    if isinstance(done, RepeatedRequest):
        ledger = caller.runtime.ledger
        secrets = ledger.secrets(done.game_id)
        game, chained, effects, _games = ledger.replay(*done)
        told = _moved(caller, game, chained, effects, secrets, seat)
        return answer(told, 201, REPLAYED)
    batch = done.batch
    chained = chain(done.events, batch.base_hash)
    told = _moved(caller, done.game, chained, batch.effects, batch.secrets, seat, batch.proofs)
    return answer(told, 201)


def _explained(caller: Caller, game_id: str, body: shapes.MoveRequest, act: Callable[[], T]) -> T:
    """Return the result of ``act``; raise Problem if it refuses the move in the body."""
    try:
        check(body.move)
        return act()
    except NoSuchMoveError as error:
        raise invalid("body", [field_error("index", str(error), error.index)]) from None
    except NotCanonicalError as error:
        raise invalid("body", [field_error("move", str(error))]) from None
    except StaleVersionError as stale:
        raise _stale(caller, game_id, stale, body.seat, body.expected_version) from None
    except IllegalMove as illegal:
        raise _illegal(caller, game_id, illegal) from None


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/preview",
    "previewMove",
    security=PLAYERS.seated.for_bots,
    sees=GAME,
    body=True,
    problems=[*_REFUSED, "unknown_version", "game_sealed", "invalid_query"],
    headers=[ACCEPT_LANGUAGE],
)
@blueprint.arguments(PreviewQuerySchema, location="query")
@blueprint.arguments(shapes.MoveRequestSchema)
@blueprint.response(200, shapes.PreviewSchema, description="The effects that the move would have.")
def preview_move(
    caller: Caller, query: PreviewQuery, body: shapes.MoveRequest, game_id: str
) -> Response:
    """Preview the effects of a move, without playing it.

    It accepts and refuses the same moves as `playMove`, and appends nothing. The preview holds what
    your seat can know: it stops at the first draw, when something sealed is opened, or at the end
    of the game.

    With `at` it previews a move at an earlier version, from the seat's knowledge at that time. You
    may do so for your own seats, and after the game for any seat.
    """
    seat, chosen = body.seat, (body.choice, body.expected_version)
    head, tables = body.expected_head, caller.runtime.tables

    def look() -> tuple[Game, Preview]:
        if query.at is None:
            return tables.preview(game_id, seat, *chosen, caller.me.id, expected_head=head)
        game = _seen_by(caller, game_id, seat)
        _need_version(game, query.at)
        return tables.hindsight(game, query.at, seat, *chosen, expected_head=head)

    game, found = _explained(caller, game_id, body, look)
    return answer(preview_json(game, found, seat, caller.language))


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>/refusal",
    "explainRefusal",
    security=READERS.seated.for_bots,
    sees=GAME,
    problems=[
        "unknown_game",
        "unknown_seat",
        "not_your_seat",
        "not_your_turn",
        "seat_resigned",
        "too_late",
        "game_over",
        "not_running",
        "game_damaged",
        "game_suspended",
        "invalid_query",
        "rules_version_unavailable",
    ],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH],
)
@blueprint.arguments(WhyNotQuerySchema, location="query")
@blueprint.response(200, shapes.WhyNotSchema, description="The rule that refuses it.")
def explain_refusal(caller: Caller, query: WhyNotQuery, game_id: str) -> Response:
    """Explain which rule refuses an element of the board that no legal move names.

    Only a seat with an open decision may ask. At most 64 moves that refer to the element are tried
    on what the seat knows, as by `previewMove`; the answer is the refusal of the one that passes
    the most checks.
    """
    tables, tongue, element = caller.runtime.tables, caller.language, query.element
    seat = own_seat(tables.ledger.table(game_id).game, caller, query.seat)
    game, found = tables.why_not(game_id, seat, element, caller.me.id)
    etag = etag_of(game.version, game.at, seat, tongue, rules_digest(game), element)
    return unchanged(etag) or tagged(why_not_json(game, found, seat, element, tongue), etag)


def _seen_by(caller: Caller, game_id: str, seat: Seat) -> Game:
    """Return a game that the caller may look at as ``seat``. Raises as ``viewer``."""
    game, _secrets, damage = caller.runtime.ledger.table(game_id)
    if damage is not None:
        raise GameDamagedError(game_id, damage)
    viewer(game, caller, ViewQuery(seat=seat))
    return game


def _need_version(game: Game, at: int) -> None:
    """Raise Problem (``unknown_version``) unless the game has had the version ``at``."""
    newest = game.version
    if not 0 < at <= newest:
        raise Problem(
            "unknown_version", f"the game has versions 1 to {newest}", at=at, version=newest
        )


def _moved(
    caller: Caller,
    game: Game,
    chained: list[ChainedEvent],
    effects: list[tuple[int, Effect]],
    secrets: Secrets,
    seat: Seat,
    proofs: Mapping[int, Proofs] = NO_PROOFS,
) -> JsonObject:
    tongue = caller.language
    seen = state_json(game, seat, tongue, written=True)
    batch, _prev_hashes = zip(*chained, strict=True)
    return {
        "game_id": game.id,
        "version": game.version,
        "status": game.status,
        "seat": seat,
        "receipt": receipt_of(caller, game, batch),
        "events": events_json(chained, game, secrets, seat, game.version, proofs),
        "effects": effects_json(effects, game, seat, tongue),
        "decisions": seen["decisions"],
        "budgets": seen["budgets"],
        "state": seen["state"],
    }


def _stale(
    caller: Caller, game_id: str, stale: StaleVersionError, seat: Seat, expected: int
) -> Problem:
    ledger = caller.runtime.ledger
    table: FoldedGame = ledger.table(game_id, at_least=0)
    game = table.game
    version = game.version
    missed = ledger.history(game, expected, MISSED_EVENTS) if expected < version else []
    return Problem(
        "stale_version",
        str(stale),
        seat=seat,
        expected_version=expected,
        version=version,
        events=events_json(missed, game, table.secrets, seat, version),
    )


def _illegal(caller: Caller, game_id: str, illegal: IllegalMove) -> Problem:
    labels = caller.runtime.ledger.table(game_id, at_least=0).game.ruleset.labels
    return Problem(
        "illegal_move",
        illegal.message,
        reason=illegal.code,
        label=words(labels, f"error.{illegal.code}", caller.language, illegal.said),
        details=illegal.details,
    )


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/resignations",
    "resign",
    security=PLAYERS.for_bots,
    sees=GAME,
    body=True,
    problems=[
        "not_your_seat",
        "already_resigned",
        "game_over",
        "not_running",
        *CHANGES,
        "unknown_seat",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.ResignationRequestSchema)
@blueprint.response(201, game_shapes.ChangedGameSchema, description="The game.")
def resign(caller: Caller, body: shapes.ResignationRequest, game_id: str) -> Response:
    """Resign a seat for good: the rules move for the seat, and it ranks last.

    The player may still look at the game as that seat.
    """
    player = caller.me
    retry = retry_of(caller, player.id, caller.loaded)
    tables = caller.runtime.tables
    return answer_change(caller, tables.resign(game_id, body.seat, player.id, retry), 201)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/take_backs",
    "takeBack",
    security=PLAYERS.seated_late.for_bots,
    sees=GAME,
    body=True,
    problems=[
        "no_take_back",
        "not_to_take_back",
        "taken_back_often",
        "too_late",
        "not_your_seat",
        "seat_resigned",
        "game_over",
        "not_running",
        *CHANGES,
        "unknown_seat",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.TakeBackRequestSchema)
@blueprint.response(201, shapes.MoveAnswerSchema, description="The game is what it was.")
def take_back(caller: Caller, body: shapes.TakeBackRequest, game_id: str) -> Response:
    """Take back all moves of a seat after the event `to`, if the table allows it.

    The state, its decisions and their deadlines are again as they were after `to`. A seat may go
    back to the same decision three times, and only while no draw, no opening of sealed parts and no
    event of another seat has followed. The events stay in the record. Other players still know what
    they saw.
    """
    player, seat, tables = caller.me, body.seat, caller.runtime.tables

    def go_back(retry: Retry) -> AppendedBatch | RepeatedRequest:
        return tables.take_back(game_id, seat, body.to, player.id, retry)

    return _changed(caller, seat, go_back)
