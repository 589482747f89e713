"""Games: open a table, list and read games, cancel a game."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from flask import Response

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.record.batch import beacon_terms, entropy_terms
from rules.kernel.record.beacons import ABORT, AHEAD_MS, BEACON
from rules.kernel.record.events import Event
from rules.kernel.record.game import ENDED, Game
from service.api.http.access import ANY_CALLER, HOSTS
from service.api.http.context import Caller
from service.api.http.cursors import BadCursorError
from service.api.http.guards import GAME
from service.api.http.headers import (
    ACCEPT_LANGUAGE,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    INVITATION,
    LINK,
)
from service.api.http.limits import CREATION
from service.api.http.operations import Blueprint
from service.api.http.requests import fingerprint_bytes, shown
from service.api.http.responses import (
    NO_HEADERS,
    answer,
    checked,
    etag_of,
    tagged,
    to_next,
    unchanged,
)
from service.api.http.viewers import seats_of
from service.api.schemas import games as shapes
from service.api.schemas.queries import GamesQuery, GamesQuerySchema
from service.api.schemas.tables import TableRequest
from service.catalogue.bots import BotOffer, called, playing
from service.games.present import game_json, named_json, player_ids, player_json, table_json
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import AlreadyAnsweredError
from service.ledger.ledger import AppendedBatch
from service.ledger.lists import Span
from service.ledger.origin import Origin
from service.ledger.store import RepeatedRequest, Retry
from service.ledger.terms import PUBLIC, RANDOM, UNRATED, Challenge, TableTerms
from service.players.bot_accounts import MOST_PRESENT, BotAccount
from service.players.players import Player
from service.problems import Problem, field_error, invalid

blueprint = Blueprint("games", __name__, description="Tables to sit down at, and their games.")

_TRIED = 20
"""Maximum number of present bots of which a challenge to any bot asks whether they are free."""
REPLAYED = {"Idempotent-Replayed": "true"}

CHANGES = (
    "unknown_game",
    "game_damaged",
    "game_suspended",
    "invalid_header",
    "idempotency_key_reused",
    "conflict",
    "unconfirmed",
    "rules_version_unavailable",
)
"""Problems of all operations that change a game."""

SIGNING_KEYS = ("signing_key_missing", "signing_key_weak", "no_signatures")
"""Problems of all operations by which players take seats, with keys to sign with."""


@blueprint.operation(
    "POST",
    "/v1/games",
    "createGame",
    security=HOSTS,
    body=True,
    problems=[
        "unknown_ruleset",
        "bad_options",
        "unknown_bot",
        *SIGNING_KEYS,
        "rated_table",
        "bot_absent",
        "bot_busy",
        "bot_does_not_play",
        "invalid_header",
        "idempotency_key_reused",
        "upgrade_unfinished",
        "too_many_games",
        "storage_nearly_full",
        "conflict",
        "unconfirmed",
    ],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.GameRequestSchema)
@blueprint.response(
    201, shapes.ChangedGameSchema, description="The game; it starts when all seats are held."
)
def create_game(caller: Caller, body: shapes.GameRequest) -> Response:
    """Open a table.

    With an `Idempotency-Key`, repeating the request answers with the same game. A seat of the
    caller may bring 32 bytes of entropy, on which every draw then depends. Store the bytes before
    you commit to them, and reveal them when the game is `closed`.

    A seat for the holder `challenged` is kept for a bot account, which is told by the notice
    `invited` and comes with `takeSeat`, or declines (/docs/engines).
    """
    player, key = caller.me, caller.idempotency_key
    challenges = challenges_of(caller, body)
    admit = caller.services.admission.table(caller.claimant)

    def admit_all(game: Game) -> None:
        need_free(caller, challenges, game)
        admit(game)

    holders = [
        _holder(caller, seat, player.id, f"seats.{n}", body.ruleset)
        for n, seat in enumerate(body.seats)
    ]
    try:
        done = caller.runtime.tables.create(
            player.id,
            body.ruleset,
            body.options,
            holders,
            clock_limits=_clock(caller, body),
            entropy=_entropy(caller, body),
            take_back=body.take_back,
            hints=body.hints,
            signatures=body.signatures is not None,
            commitments=[seat.entropy_commitment for seat in body.seats],
            keys=[seat.signing_key for seat in body.seats],
            idempotency_key=key,
            fingerprint=digest(fingerprint_bytes("games", caller.loaded)),
            admit=admit_all,
            terms=_terms(caller, body.table)._replace(challenges=challenges),
        )
    except UnknownRulesetError as error:
        raise _unknown_ruleset(error, body.ruleset) from None
    except BadOptions as error:
        raise bad_options(error, len(body.seats), body.options) from None
    return answer_change(caller, done, 201)


MARGIN_SECONDS = 30
"""Minimum time (s) for which a beacon is waited for once its round is out."""


def _entropy(caller: Caller, body: shapes.GameRequest) -> JsonObject:
    """Return the terms of entropy of a new game. Raises Problem (``invalid_body``)."""
    if body.entropy_mode != BEACON:
        return entropy_terms(body.entropy_mode, body.entropy_seconds)
    offered = caller.runtime.beacons
    if not offered:
        message = "this service offers no beacon (LONJA_BEACONS)"
        raise invalid("body", [field_error("entropy_mode", message, BEACON)])
    asked = body.beacon or {}
    hash_ = asked.get("chain", next(iter(offered)))
    if hash_ not in offered:
        message = f"one of {', '.join(offered)}"
        raise invalid("body", [field_error("beacon.chain", message, hash_)])
    chain = offered[hash_].chain
    terms = beacon_terms(chain.pinned(), asked.get("late", ABORT), body.entropy_seconds)
    least = AHEAD_MS // 1000 + chain.period + MARGIN_SECONDS
    if terms["seconds"] < least:
        message = f"at least {least}, for the round is {AHEAD_MS // 1000} s ahead"
        raise invalid("body", [field_error("entropy_seconds", message, terms["seconds"])])
    return terms


def _terms(caller: Caller, table: TableRequest) -> TableTerms:
    """Return the terms of the requested table. Raises Problem (``invalid_body``)."""
    hours, wanted = caller.runtime.settings.table_hours, table.lobby_seconds
    if wanted is not None and wanted > 3600 * hours:
        message = f"at most {3600 * hours}: LONJA_TABLE_HOURS is {hours}"
        raise invalid("body", [field_error("table.lobby_seconds", message, wanted)])
    return TableTerms(**{**asdict(table), "tags": tuple(dict.fromkeys(table.tags))})


def _clock(caller: Caller, body: shapes.GameRequest) -> JsonObject | None:
    """Return the clock of a new game.

    A table for strangers, people or challenged bots, needs one, so that nobody blocks it.

    Raises:
        Problem: ``invalid_body``.

    """
    most = caller.runtime.settings.decision_seconds
    is_public = body.table.visibility == PUBLIC
    challenged = any(seat.holder == "challenged" for seat in body.seats)
    people = any(seat.holder != "bot" for seat in body.seats)
    if isinstance(body.clock, dict):
        return body.clock
    if not ((is_public or challenged) and people and most):
        return None
    if body.clock == shapes.UNLIMITED:
        message = "at a public table where people sit, somebody could hold the game for ever"
        if not is_public:
            message = "a challenged bot could hold the game for ever"
        raise invalid("body", [field_error("clock", message, body.clock)])
    return {"decision_seconds": most}


def bad_options(error: BadOptions, seats: int, options: Mapping[str, object]) -> Problem:
    """Return the problem of a game that a ruleset does not offer."""
    field, value = f"options.{error.option}", shown(options.get(error.option))
    if error.option == "seats":
        field, value = "seats", seats
    return Problem("bad_options", str(error), errors=[field_error(field, str(error), value)])


def _holder(
    caller: Caller, seat: shapes.SeatRequest, player_id: str, field: str, ruleset: str
) -> JsonObject | None:
    if seat.holder in {"open", "challenged"}:
        return None
    if seat.holder == "me":
        return {"player": player_id}
    found = ruleset_of(caller, ruleset)
    return bot_of(caller, seat, field, ruleset).holder(found)


def challenges_of(caller: Caller, body: shapes.GameRequest) -> tuple[Challenge, ...]:
    """Return the challenges of a new table.

    Raises:
        Problem: ``unknown_bot``, ``unknown_ruleset``; ``bot_absent``: no bot account is present for
            a challenge to any; ``invalid_body``: seats are drawn.
    """
    found: list[Challenge] = []
    for number, seat in enumerate(body.seats):
        if seat.holder != "challenged":
            continue
        if body.table.seating == RANDOM:
            message = "seats that are kept for bots are not drawn"
            raise invalid("body", [field_error("table.seating", message, RANDOM)])
        field, instead = f"seats.{number}", None
        ruleset = ruleset_of(caller, body.ruleset)
        if seat.bot is not None:
            instead = bot_of(caller, seat, field, body.ruleset).holder(ruleset)
        player = seat.player
        if player == shapes.ANY_BOT:
            player = _any_bot(caller, body, number, {one.player for one in found})
        elif player is None or caller.services.bots.find(player) is None:
            message = f"there is no bot account {player!r}"
            errors = [field_error(f"{field}.player", message, player)]
            raise Problem("unknown_bot", message, errors=errors, bots=[])
        found.append(Challenge(number, player, instead))
    return tuple(found)


def _any_bot(caller: Caller, body: shapes.GameRequest, seat: int, taken: Collection[str]) -> str:
    """Return a bot account that is present and free for a seat of a new table, by lot.

    Raises Problem: ``bot_absent``.
    """
    bots = caller.services.bots
    fitting = [
        one
        for one in bots.all_present(MOST_PRESENT)
        if one.id not in taken and one.plays(body.ruleset, len(body.seats))
    ]
    secrets.SystemRandom().shuffle(fitting)
    for one in fitting[:_TRIED]:
        if caller.services.games.unfinished(one.id, one.concurrency, "") < one.concurrency:
            return one.id
    message = f"no bot account for {body.ruleset} with {len(body.seats)} seats is present and free"
    raise Problem("bot_absent", message, seat=seat)


def need_free(caller: Caller, challenges: Sequence[Challenge], game: Game) -> None:
    """Check that challenged bots can come to a new game.

    Raises:
        Problem: ``bot_does_not_play``, ``bot_absent``, ``bot_busy``.
    """
    bots = caller.services.bots
    accounts = bots.of_ids(one.player for one in challenges)
    present = bots.present(accounts)
    for seat, player, _instead in challenges:
        account = accounts.get(player)
        if account is None or player not in present:
            raise Problem("bot_absent", f"{player} does not listen for questions", seat=seat)
        ruleset, seats = game.created["ruleset"], len(game.seats)
        if not account.plays(ruleset, seats):
            detail = f"{player} does not take {ruleset} with {seats} seats"
            raise Problem("bot_does_not_play", detail, seat=seat)
        need_concurrency(caller, account, game, seat)


def need_concurrency(caller: Caller, account: BotAccount, game: Game, seat: int) -> None:
    """Raise Problem (``bot_busy``) if a bot plays as many games as it takes, besides ``game``."""
    most = account.concurrency
    if caller.services.games.unfinished(account.id, most, game.id) >= most:
        raise Problem("bot_busy", f"{account.id} takes {most} games at once", seat=seat)


def ruleset_of(caller: Caller, ruleset_id: str) -> Ruleset[Any]:
    """Return a ruleset. Raises Problem (``unknown_ruleset``)."""
    try:
        return caller.runtime.registry.find(ruleset_id)
    except UnknownRulesetError as error:
        raise _unknown_ruleset(error, ruleset_id) from None


def _unknown_ruleset(error: UnknownRulesetError, ruleset_id: str) -> Problem:
    errors = [field_error("ruleset", str(error), ruleset_id)]
    return Problem("unknown_ruleset", str(error), errors=errors)


def bot_of(
    caller: Caller, seat: shapes.SeatRequest | shapes.SitRequest, field: str, ruleset: str
) -> BotOffer:
    """Return the bot that a seat names, for games of ``ruleset``.

    Raises Problem (``unknown_bot``) if there is no such bot, or if the bot does not play
    ``ruleset``.
    """
    known = caller.runtime.bots
    bots = {bot.name: bot for bot in playing(known, ruleset)}
    bot = bots.get(seat.bot or "")
    if bot is None:
        message = f"there is no bot {seat.bot!r}"
        if seat.bot in known:
            message = f"the bot {seat.bot!r} does not play {ruleset}"
        errors = [field_error(f"{field}.bot" if field else "bot", message, seat.bot)]
        raise Problem("unknown_bot", message, errors=errors, bots=sorted(bots))
    return bot


@blueprint.operation(
    "GET",
    "/v1/games",
    "listGames",
    security=ANY_CALLER.for_bots,
    problems=["invalid_query", "invalid_cursor", "key_required", "upgrade_unfinished"],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(GamesQuerySchema, location="query")
@blueprint.response(200, shapes.GameListSchema, description="The games.")
def list_games(caller: Caller, query: GamesQuery) -> Response:
    """List games, newest first.

    A game is listed as soon as it exists. A game aborted before its start is listed only with
    `status=aborted`. Tables that are not public are listed only for those who sit there, with
    `player=me` or `asked=true`.
    """
    viewer, player = caller.player, query.player
    if player == "me":
        player = caller.me.id
    if query.asked is not None:
        player = caller.me.id if player is None else player
        if player != caller.me.id:
            message = "only the games that wait for you: `player` is you, or left out"
            raise invalid("query", [field_error("asked", message, player)])
    scope: list[object] = [query.ruleset, query.status, player]
    more = {
        "tag": query.tag, "bot": query.bot, "from_": query.from_, "to": query.to,
        "asked": query.asked,
    }  # fmt: skip
    if given := [[name, value] for name, value in more.items() if value is not None]:
        scope.append(given)
    cursors, after = caller.services.cursors, None
    if query.cursor is not None:
        try:
            after = cursors.read(scope, query.cursor)
        except BadCursorError as error:
            raise Problem("invalid_cursor", str(error)) from None
    page = caller.services.games.page(
        query.limit,
        after=after,
        ruleset=query.ruleset,
        status=query.status,
        player=player,
        tag=query.tag,
        bot=query.bot,
        span=Span(query.from_, query.to),
        viewer=None if viewer is None else viewer.id,
        asked=query.asked is not None,
    )
    cursor = None if page.place is None else cursors.write(scope, page.place)
    return checked(
        {**_with_names(caller, page.games), "next_cursor": cursor}, to_next(cursor=cursor)
    )


def _with_names(caller: Caller, games: list[JsonObject]) -> JsonObject:
    """Return the summaries of games with the names of all players and rulesets in them."""
    sitting = [seat.get("player") for game in games for seat in game["seats"]]
    players = caller.players_of([*sitting, *(game["created_by"] for game in games)])
    listed = [
        {
            **game,
            "seats": [_with_name(seat, players) for seat in game["seats"]],
        }
        for game in games
    ]
    return {"games": listed, **named_json(players)}


def _with_name(seat: JsonObject, players: Mapping[str, Player]) -> JsonObject:
    """Return the seat of a summary with the name of its holder."""
    if "bot" in seat:
        return {**seat, "name": called(seat["bot"])}
    return {**seat, **player_json(seat["player"], players)} if "player" in seat else seat


@blueprint.operation(
    "GET",
    "/v1/games/<game_id>",
    "getGame",
    security=ANY_CALLER.seated.for_bots,
    sees=GAME,
    problems=["unknown_game", "game_damaged", "rules_version_unavailable"],
    headers=[ACCEPT_LANGUAGE, IF_NONE_MATCH, INVITATION],
)
@blueprint.response(200, shapes.GameSchema, description="The game.")
def get_game(caller: Caller, game_id: str) -> Response:
    """Read a game, without its state.

    The answer has its seats, status, open decisions, and the result when it has ended.
    """
    table, tongue = caller.runtime.ledger.table(game_id), caller.language
    game, damage = table.game, table.damage
    wait = bots_wait(caller, game)
    beside, rated = _table(caller, game), _rated_seats(caller, game)
    players = _named_by(caller, game, beside)
    etag = etag_of(game.version, game.at, tongue, damage, wait, named_json(players), beside, rated)
    if same := unchanged(etag):
        return same
    origin = origin_of(caller, game)
    return tagged(game_json(game, players, tongue, damage, wait, origin, beside, rated), etag)


def _table(caller: Caller, game: Game) -> JsonObject:
    """Return the table's own fields that the caller may see.

    That a game is not rated tells that two of its players share an address: only they and the
    other seats, and the host, learn it.
    """
    runtime, player = caller.runtime, caller.player
    guests = runtime.tables.guests
    host, rematch = guests.host_and_rematch(game)
    hosts = player is not None and player.id == host and caller.seat_key is None
    invitations = guests.invitations(game) if hosts else []
    terms = runtime.ledger.terms(game)
    if terms.rating_rule == UNRATED and not hosts and not seats_of(game, caller):
        terms = terms._replace(rating_rule=None)
    declined = guests.declined(game, terms)
    return table_json(game, terms, host, rematch, invitations, declined)


def _rated_seats(caller: Caller, game: Game) -> Sequence[JsonObject] | None:
    """Return each seat's rating before and after a rated game; None until the game is counted."""
    runtime = caller.runtime
    if game.status != ENDED or not runtime.ledger.terms(game).rated:
        return None
    return runtime.player_ratings.of_game(game.id)


def _named_by(caller: Caller, game: Game, table: JsonObject) -> dict[str, Player]:
    """Return all players whom a game and its table name."""
    challenged = (one["player"] for one in table["challenges"])
    return caller.players_of([*player_ids(game), table["host"], *table["reserved"], *challenged])


def origin_of(caller: Caller, game: Game) -> Origin | None:
    """Return an imported game's origin; None if it was played here. Imported games are finished."""
    return caller.runtime.ledger.store.origin(game.id) if game.over else None


def bots_wait(caller: Caller, game: Game) -> int | None:
    """Return when (ms since 1970) the bots get their next budget; None if they do not wait."""
    return caller.runtime.jobs.held_until(game) if game.automatic_seats() else None


@blueprint.operation(
    "DELETE",
    "/v1/games/<game_id>",
    "cancelGame",
    security=HOSTS,
    sees=GAME,
    problems=[*CHANGES, "not_your_table", "not_in_lobby", "game_over"],
    headers=[ACCEPT_LANGUAGE, IDEMPOTENCY_KEY],
)
@blueprint.response(200, shapes.ChangedGameSchema, description="The game, which stays.")
def cancel_game(caller: Caller, game_id: str) -> Response:
    """Cancel a game before it starts, or one in which only bots sit.

    Only the opener of the table may cancel it. Nothing is deleted: the game is `aborted`, and
    listed with `status=aborted`.
    """
    player = caller.me
    retry = retry_of(caller, player.id)
    return answer_change(caller, caller.runtime.tables.abort(game_id, player.id, retry))


def retry_of(caller: Caller, player_id: str, *facts: Any) -> Retry:
    """Return the ``Retry`` by which the store recognises this request if it is repeated.

    ``facts`` (JSON) distinguish the request from others with the same method and path. If the
    request has no ``Idempotency-Key``, the ``Retry`` is unique. It then serves only when the
    service repeats a command because the store's answer was lost.
    """
    key = caller.idempotency_key
    if key is None:
        return Retry.own()
    same = digest(fingerprint_bytes(caller.request.method, caller.request.path, *facts))
    return Retry.of(player_id, key, same)


def answer_done(act: Callable[[], object]) -> Response:
    """Call ``act``, and answer with 204; a repeated request is marked, because nothing is done."""
    try:
        act()
    except AlreadyAnsweredError:
        return Response(status=204, headers=REPLAYED)
    return Response(status=204)


def answer_change(
    caller: Caller, done: AppendedBatch | RepeatedRequest, status: int = 200
) -> Response:
    """Answer with the game after a change; a repeated request gets the same answer."""
    if isinstance(done, RepeatedRequest):
        found = caller.runtime.ledger.replay(*done)
        batch = [event for event, _prev_hash in found.chained]
        return answer_game(caller, found.game, batch, status, REPLAYED)
    return answer_game(caller, done.game, done.events, status)


def answer_game(
    caller: Caller,
    game: Game,
    batch: Sequence[Event] = (),
    status: int = 200,
    headers: Mapping[str, str] = NO_HEADERS,
) -> Response:
    """Answer with a game and a receipt.

    The receipt is for ``batch``, or for the game's head if ``batch`` is empty.
    """
    beside = _table(caller, game)
    players = _named_by(caller, game, beside)
    receipt = receipt_of(caller, game, batch) if batch else signed_head(caller, game.id)
    wait, rated = bots_wait(caller, game), _rated_seats(caller, game)
    seen = game_json(game, players, caller.language, bots_wait=wait, table=beside, rated=rated)
    told = {**seen, "receipt": receipt}
    response = answer(told, status, headers)
    if status == 201:
        response.headers["Location"] = f"/v1/games/{game.id}"
    return response


def receipt_of(caller: Caller, game: Game, batch: Sequence[Event]) -> JsonObject:
    """Return the receipt for the ``batch`` that answers the request."""
    runtime = caller.runtime
    opening = runtime.ledger.pseudonym_key(game)
    return runtime.signer.receipt(game.id, batch, caller.idempotency_key, opening)


def signed_head(caller: Caller, game_id: str) -> JsonObject:
    """Return the receipt for a game's head, once enough replicas hold it.

    An imported game has the receipt that came with it.

    Raises:
        GameDamagedError: the head of a damaged game is not signed.
    """
    runtime = caller.runtime
    table = runtime.ledger.table(game_id)
    if table.damage is not None:
        raise GameDamagedError(game_id, table.damage)
    runtime.ledger.store.confirm(game_id, table.game.version, table.game.head)
    origin = origin_of(caller, table.game)
    if origin is not None:
        return origin.receipt
    return runtime.signer.head(table.game, runtime.ledger.pseudonym_key(table.game))
