"""Seats: take a seat, leave it, reveal its entropy, and create a key for it."""

from flask import Response

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import Game
from service.api.http.access import OWNERS, PLAYERS
from service.api.http.context import Caller
from service.api.http.guards import GAME
from service.api.http.headers import ACCEPT_LANGUAGE, IDEMPOTENCY_KEY, ONCE_KEY
from service.api.http.operations import Blueprint
from service.api.resources.games import (
    CHANGES,
    SIGNING_KEYS,
    answer_change,
    answer_done,
    answer_game,
    bot_of,
    need_concurrency,
    retry_of,
)
from service.api.resources.players import answer_key
from service.api.schemas import games as shapes
from service.api.schemas import players as people
from service.api.schemas import tables as terms
from service.ledger.terms import RANDOM

blueprint = Blueprint("seats", __name__, description="The holders of a game's seats.")


@blueprint.operation(
    "PUT",
    "/v1/games/<game_id>/seats/<int:seat>",
    "takeSeat",
    security=PLAYERS.for_bots,
    sees=GAME,
    body=True,
    problems=[
        *CHANGES,
        "unknown_seat",
        "seat_taken",
        "not_in_lobby",
        *SIGNING_KEYS,
        "not_your_table",
        "unknown_bot",
        "seat_reserved",
        "rated_table",
        "removed_by_host",
        "invitation_refused",
        "too_many_games",
        "bot_busy",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.SitRequestSchema, required=False)
@blueprint.response(
    200, shapes.ChangedGameSchema, description="The game; it starts when all seats are held."
)
def take_seat(caller: Caller, body: shapes.SitRequest, game_id: str, seat: Seat) -> Response:
    """Take a seat, or put a bot on a seat of a table that the caller hosts.

    Taking your own seat again changes nothing. If seats are drawn by lot, that happens when the
    last seat is taken. A bot account sits in as many unfinished games at once as its
    `concurrency` says.
    """
    player = caller.me
    commitment = body.entropy_commitment
    retry = retry_of(caller, player.id, caller.loaded)
    tables, admission = caller.runtime.tables, caller.services.admission
    account = None if caller.bot_key is None else caller.services.bots.find(player.id)

    def admit(game: Game) -> None:
        if account is None:
            admission.seat(caller.claimant)(game)
        else:
            need_concurrency(caller, account, game, seat)
            admission.bots_seat(caller.claimant, account.concurrency)(game)

    neighbours = admission.neighbours(caller.claimant)
    holder: JsonObject = {"player": player.id}
    if body.holder == "bot":
        ruleset = tables.ledger.table(game_id).game.ruleset
        holder = bot_of(caller, body, "", ruleset.info.id).holder(ruleset)
    if body.invitation is not None and not _is_seated(caller, game_id, holder):
        tables.guests.enter(tables.ledger.table(game_id).game, player.id, body.invitation)
    try:
        done = tables.sit(
            game_id, seat, holder, player.id, commitment, retry, admit, neighbours,
            key=body.signing_key,
        )  # fmt: skip
    except RefusedError as refused:
        _note_no_seat(caller, game_id, player.id)
        if refused.code not in {"seat_taken", "not_in_lobby"}:
            raise
        game = tables.ledger.table(game_id).game
        if not 0 <= seat < len(game.seats):
            raise
        held = game.seats[seat]
        brought = held.entropy_commitment, held.key or None
        same = held.holder == holder and brought == (commitment, body.signing_key)
        drawn = tables.ledger.terms(game).seating == RANDOM and "player" in holder
        if game.over or not (same or (drawn and _is_seated(caller, game_id, holder))):
            raise
        return answer_game(caller, game)
    return answer_change(caller, done)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/decline",
    "declineChallenge",
    security=PLAYERS.for_bots,
    sees=GAME,
    body=True,
    problems=[*CHANGES, "not_challenged", "not_in_lobby"],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.arguments(terms.DeclineRequestSchema, required=False)
@blueprint.response(204, None, description="The seat is not kept for you any more.")
def decline_challenge(
    caller: Caller, body: terms.DeclineRequest, game_id: str, seat: Seat
) -> Response:
    """Decline a challenge: the seat is not kept for you any more.

    If the table was opened so, a bot of the service takes it at once.
    """
    player = caller.me
    retry = retry_of(caller, player.id, caller.loaded)
    tables = caller.runtime.tables
    return answer_done(lambda: tables.decline(game_id, seat, player.id, body.reason, retry))


def _is_seated(caller: Caller, game_id: str, holder: JsonObject) -> bool:
    seats = caller.runtime.ledger.table(game_id).game.seats
    return any(holding.holder == holder for holding in seats)


def _note_no_seat(caller: Caller, game_id: str, player_id: str | None) -> None:
    """Let a bot account sit at another table at once if it holds no seat of this game."""
    if player_id is None or caller.services.bots.find(player_id) is None:
        return
    if not _is_seated(caller, game_id, {"player": player_id}):
        caller.services.admission.has_no_seat(player_id, game_id)


@blueprint.operation(
    "DELETE",
    "/v1/games/<game_id>/seats/<int:seat>",
    "leaveSeat",
    security=PLAYERS.for_bots,
    sees=GAME,
    problems=[
        *CHANGES,
        "unknown_seat",
        "seat_open",
        "not_in_lobby",
        "not_your_seat",
        "upgrade_unfinished",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.response(200, shapes.ChangedGameSchema, description="The game.")
def leave_seat(caller: Caller, game_id: str, seat: Seat) -> Response:
    """Leave a seat before the start.

    The host of the table may also remove others; a removed player needs an invitation to return.
    """
    player, tables = caller.me, caller.runtime.tables
    retry = retry_of(caller, player.id)
    held = tables.ledger.table(game_id).game.seats[seat : seat + 1]
    done = tables.stand(game_id, seat, player.id, retry)
    for holding in held:
        _note_no_seat(caller, game_id, (holding.holder or {}).get("player"))
    return answer_change(caller, done)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/entropy",
    "revealEntropy",
    security=PLAYERS.for_bots,
    sees=GAME,
    body=True,
    problems=[
        *CHANGES,
        "unknown_seat",
        "not_your_seat",
        "not_closed",
        "no_entropy_expected",
        "entropy_mismatch",
        "too_late",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.EntropyRequestSchema)
@blueprint.response(
    200, shapes.ChangedGameSchema, description="The game; the last one to reveal starts it."
)
def reveal_entropy(
    caller: Caller, body: shapes.EntropyRequest, game_id: str, seat: Seat
) -> Response:
    """Reveal the entropy that the seat committed to.

    Reveal it when the game is `closed`, that is, when all seats are held. If a seat does not reveal
    its entropy within `entropy_seconds`, the game is aborted or starts without that entropy,
    depending on its `entropy_mode`.
    """
    player = caller.me
    retry = retry_of(caller, player.id, caller.loaded)
    entropy = bytes.fromhex(body.entropy)
    tables = caller.runtime.tables
    return answer_change(caller, tables.reveal_entropy(game_id, seat, entropy, player.id, retry))


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/signing_key",
    "changeSigningKey",
    security=PLAYERS.for_bots,
    sees=GAME,
    body=True,
    problems=[
        *CHANGES,
        "unknown_seat",
        "not_your_seat",
        "seat_resigned",
        "game_over",
        "no_signatures",
        "signing_key_weak",
        "head_missing",
        "stale_head",
        "signature_wrong",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.SigningKeyRequestSchema)
@blueprint.response(201, shapes.ChangedGameSchema, description="The game.")
def change_signing_key(
    caller: Caller, body: shapes.SigningKeyRequest, game_id: str, seat: Seat
) -> Response:
    """Bind another key to a seat whose moves are signed.

    The key before signs the new one, together with the newest head of the game. If the key before
    is lost, send no `sig`: then the record says for good that from here on the service alone says
    who this is. Moves of before keep their signatures.
    """
    player, tables = caller.me, caller.runtime.tables
    retry = retry_of(caller, player.id, caller.loaded)
    told = body.signing_key, body.sig, body.expected_head
    return answer_change(caller, tables.change_key(game_id, seat, *told, player.id, retry), 201)


@blueprint.operation(
    "POST",
    "/v1/games/<game_id>/seats/<int:seat>/keys",
    "createSeatKey",
    security=OWNERS,
    sees=GAME,
    body=True,
    problems=[
        "unknown_game",
        "game_damaged",
        "rules_version_unavailable",
        "unknown_seat",
        "not_your_seat",
        "seat_resigned",
        "game_over",
        "not_running",
        "too_many_keys",
        "invalid_header",
        "idempotency_key_reused",
        "already_answered",
    ],
    headers=[ONCE_KEY],
)
@blueprint.arguments(people.SeatKeyRequestSchema)
@blueprint.response(201, people.NewKeySchema, description="The key, which is told this once.")
def create_seat_key(
    caller: Caller, body: people.SeatKeyRequest, game_id: str, seat: Seat
) -> Response:
    """Create a key for one of your seats in a running game.

    Give it to an embedded board or a helper program. The key sees and moves as this seat until the
    game is over for the seat, and opens nothing else. It is listed, rotated and revoked with your
    other keys.
    """
    retry, keys = retry_of(caller, caller.me.id, caller.loaded), caller.services.seat_keys
    return answer_key(lambda: keys.make(caller.own_key, game_id, seat, body.name, body.days, retry))
