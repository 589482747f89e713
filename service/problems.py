"""Problem documents (RFC 9457): every error of the API, from one list of codes."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject

MEDIA_TYPE = "application/problem+json"
PROBLEMS = "x-problems"
"""The member of a response in openapi.yaml that lists the codes of its problems.

The text of this member explains the codes.
"""
ALWAYS: Mapping[str, str] = MappingProxyType(
    {
        "X-Content-Type-Options": "nosniff",  # no content sniffing
        # The address of a game is private, so links from its page must not show it.
        "Referrer-Policy": "no-referrer",
    }
)
"""Headers of every answer, errors and files included."""


class Code(NamedTuple):
    """A stable error code: HTTP status, title, and the remedy for clients."""

    status: int
    title: str
    advice: str


CODES: dict[str, Code] = {
    # Requests
    "not_json": Code(400, "The body is not JSON", "Send one JSON value in UTF-8."),
    "too_deep": Code(400, "The body is nested too deeply", "`limit` says how deep it may be."),
    "too_long": Code(400, "A list or a string is too long", "`limit` says how long it may be."),
    "bad_request": Code(400, "The request cannot be read", "Send a well-formed HTTP request."),
    "range_not_satisfiable": Code(
        416, "There is no such part", "`limit` says how many bytes there are."
    ),
    "uri_too_long": Code(414, "The address is too long", "Shorten the path or the query."),
    "headers_too_large": Code(431, "The headers are too large", "Send fewer or shorter headers."),
    "not_found": Code(404, "There is nothing here", "See the list of paths in openapi.yaml."),
    "method_not_allowed": Code(
        405, "This resource has no such method", "`Allow` lists the methods it has."
    ),
    "too_large": Code(413, "The body is too large", "`limit` says how many bytes it may have."),
    "unsupported_media_type": Code(
        415, "The body is not declared as JSON", "Send `Content-Type: application/json`."
    ),
    "unsupported_encoding": Code(
        415, "The body is compressed or otherwise encoded", "Send it plain."
    ),
    "invalid_body": Code(
        422, "The body is not what this resource takes", "`errors` names each field and its value."
    ),
    "invalid_query": Code(
        422, "The query is not what this resource takes", "`errors` names each parameter."
    ),
    "invalid_header": Code(
        422, "A header is not what this resource takes", "`errors` names the header."
    ),
    "invalid_cursor": Code(
        422, "The cursor is not one of this list", "Start again without a cursor."
    ),
    "bad_options": Code(
        422, "The ruleset does not offer this", "`errors` names the option; see the ruleset."
    ),
    "bad_tournament": Code(
        422, "This tournament cannot be held", "`errors` names the field and its value."
    ),
    "unknown_bot": Code(422, "There is no such bot", "The ruleset lists the bots on offer."),
    # Callers
    "key_required": Code(
        401,
        "This needs a player's key",
        "Send `Authorization: Bearer <key>`; see `POST /v1/players`.",
    ),
    "unknown_key": Code(401, "Nobody has this key", "Check the key; a lost one cannot be found."),
    "key_expired": Code(
        401, "The time of this key is over", "`since` says when. Use or make another one."
    ),
    "seat_key_over": Code(
        401,
        "The game of this key is over for its seat",
        "Read on as a spectator, or with another key; `detail` says what has ended.",
    ),
    "unknown_ticket": Code(
        401, "This ticket is unknown, used or too old", "Ask for a new one: it opens one stream."
    ),
    "token_required": Code(
        401,
        "This is for the operator of the service",
        "Send `Authorization: Bearer <LONJA_METRICS_TOKEN>`.",
    ),
    "admin_key_required": Code(
        401,
        "This needs an admin's key",
        "Send `Authorization: Bearer <key>`; see `lonja admin key`.",
    ),
    "not_admin": Code(
        403, "This is for admins", "Use an admin's key: a player's opens nothing here."
    ),
    "insufficient_scope": Code(
        403,
        "This key is not made for that",
        "Use one with the scope that `needed_scope` names; `key_scope` is what this one has.",
    ),
    "banned": Code(
        403, "This player is banned", "Ask the operator of the service; `since` says when."
    ),
    "not_your_seat": Code(403, "This seat is not yours", "Use a seat that you hold."),
    "not_your_table": Code(
        403, "Somebody else hosts this table", "Ask its host: `table.host` says who."
    ),
    "not_your_tournament": Code(403, "Somebody else holds this tournament", "Ask who made it."),
    "too_many_tournaments": Code(
        429, "You hold too many tournaments at once", "Wait until one of yours is over."
    ),
    "too_many_games": Code(
        429,
        "Too many of your games are unfinished",
        "Finish, resign or cancel one: `GET /v1/games?player=me` lists them.",
    ),
    "too_many_analyses": Code(
        429, "Too many analyses are under way", "Wait until one of yours is done."
    ),
    "too_many_hints": Code(
        429, "Too many hints are under way", "Wait until one of yours is there."
    ),
    "stream_share_used": Code(
        429, "You have as many streams as you may", "Close one of yours first."
    ),
    "too_many_records": Code(
        429,
        "Your address downloads as many records at once as it may",
        "`limit` says how many. Wait until one download has ended.",
    ),
    "too_many_connections": Code(
        429, "Your address has too many connections open", "Close some, and try again."
    ),
    "rate_limited": Code(
        429, "Too many requests", "Wait for the number of seconds in `Retry-After`."
    ),
    # Unknown objects
    "unknown_ruleset": Code(404, "There is no such ruleset", "See `GET /v1/rulesets`."),
    "unknown_edition": Code(404, "There is no such edition", "See the ruleset's `editions`."),
    "unknown_document": Code(
        404, "The ruleset has no such document", "Read it again: `documents` has their digests."
    ),
    "unknown_game": Code(404, "There is no such game", "Check the id."),
    "unknown_tournament": Code(404, "There is no such tournament", "Check the id."),
    "unknown_seat": Code(404, "The game has no such seat", "Seats are numbered from 0."),
    "unknown_webhook": Code(404, "You have no such webhook", "See `GET /v1/players/me/webhooks`."),
    "unknown_subscription": Code(
        404,
        "You have no such push subscription",
        "See `GET /v1/players/me/push_subscriptions`.",
    ),
    "unknown_seek": Code(404, "You have no such seek", "See `GET /v1/seeks?player=me`."),
    "no_such_bot": Code(404, "You have no such bot", "See `GET /v1/players/me/bots`."),
    "unknown_player": Code(404, "There is no such player", "Check the id."),
    "no_analysis": Code(404, "Nobody has asked for this analysis", "Ask for it with `POST`."),
    "no_hint": Code(404, "Nobody has asked for this hint", "Ask for it with `POST`."),
    "no_such_key": Code(404, "You have no such key", "See `GET /v1/players/me/keys`."),
    "unknown_version": Code(
        404, "The game has no such version", "`version` is the newest that it has."
    ),
    # Games
    "illegal_move": Code(
        422, "The rules refuse this move", "`reason` is the rules' own code; see `legal_moves`."
    ),
    "unknown_head": Code(
        422,
        "No event of this game has the hash in `expected_head`",
        "Read the game again; if a receipt has this hash, keep it: there are two histories.",
    ),
    "stale_version": Code(
        409, "The game went on", "Look at the missed `events`, then decide on the newest state."
    ),
    "not_your_turn": Code(409, "This seat is not asked", "Wait until it has a decision."),
    "seat_resigned": Code(409, "This seat has resigned", "It is answered for by default."),
    "already_resigned": Code(409, "This seat has resigned already", "Nothing is left to do."),
    "too_late": Code(409, "The time for this decision is up", "Read the newest state."),
    "no_hints": Code(
        409,
        "At this table no hint is given",
        "`detail` says why: hints are for who is alone with bots, or at a table with `hints`.",
    ),
    "no_signatures": Code(
        409,
        "This seat signs nothing",
        "Players sign where the game has `signatures`; the seats of bots never do.",
    ),
    "signing_key_missing": Code(
        422,
        "Players sign their moves at this table",
        "Send `signing_key`, the public part of an Ed25519 key that you keep.",
    ),
    "signing_key_weak": Code(
        422, "Anybody can sign for this key", "Make another key: this one is of small order."
    ),
    "signature_missing": Code(
        422, "This seat signs its moves", "Send `signature`, made with the key of the seat."
    ),
    "head_missing": Code(
        422, "The signature covers a head", "Send `expected_head`, and sign it, too."
    ),
    "decision_not_open": Code(
        409, "Signed is an answer to another decision", "`decision` is open: decide, and sign it."
    ),
    "signature_wrong": Code(
        422,
        "The key of this seat did not sign this",
        "`signed` is the text to sign, in UTF-8, and `signing_key` the key that the seat has.",
    ),
    "stale_head": Code(
        409, "The signed head is too old", "The game went on: sign `head`, which is the newest."
    ),
    "no_take_back": Code(
        409, "At this table no move is taken back", "`take_back` of the game says whether one is."
    ),
    "not_to_take_back": Code(
        409,
        "This cannot be taken back",
        "`possible` names the events after which it can; after a draw, an opening or a move of"
        " another seat, it cannot.",
    ),
    "taken_back_often": Code(
        409, "This was taken back three times", "Play another move, or go back further."
    ),
    "game_over": Code(409, "The game is over", "Read its result."),
    "not_running": Code(409, "The game has not started", "Wait until all seats are held."),
    "not_in_lobby": Code(409, "The game has left the lobby", "Seats change before the start only."),
    "not_closed": Code(409, "No entropy is awaited", "It is revealed when all seats are held."),
    "no_entropy_expected": Code(409, "This seat owes no entropy", "Nothing is left to do."),
    "other_rematch": Code(
        409,
        "The commitment is for another game",
        "Make the commitment for the id in `rematch`, or for null if `rematch` is null.",
    ),
    "entropy_mismatch": Code(
        422, "This is not the entropy that was committed to", "Send the 32 bytes in hexadecimal."
    ),
    "game_sealed": Code(
        409,
        "Other games with the same luck are being played",
        "It opens when all games of its match block have ended.",
    ),
    "tournament_not_running": Code(409, "The tournament is not running", "Read its `status`."),
    "tournament_not_paused": Code(409, "The tournament is not paused", "Read its `status`."),
    "tournament_over": Code(409, "The tournament is over", "Read its report."),
    "entry_not_playing": Code(
        409, "The entry does not play", "`disqualified` of the tournament says who is out."
    ),
    "no_place_free": Code(
        409,
        "The tournament takes no entries of owners now",
        "Its plan has no `places`, all are taken, or the host has closed it.",
    ),
    "entered_already": Code(409, "The bot is entered already", "Nothing is left to do."),
    "too_few_entries": Code(
        409, "There are too few entries to begin", "Wait for more, or cancel the tournament."
    ),
    "validation_failed": Code(
        409,
        "The bot did not play its validation game to the end in time",
        "Look at the game, mend the bot, and send the request again: it opens another game.",
    ),
    "fixed_length": Code(
        409, "The format fixes the number of games", "Hold another tournament for more."
    ),
    "seat_taken": Code(409, "The seat is taken", "Take an open one."),
    "seat_open": Code(409, "The seat is open already", "Nothing is left to do."),
    "seat_reserved": Code(
        409, "The seat is kept for somebody else", "Take another; `table.reserved` says for whom."
    ),
    "not_challenged": Code(
        409, "No seat is kept for you here", "`table.challenges` says for whom seats are kept."
    ),
    "bot_absent": Code(
        409, "The bot does not listen at the moment", "Choose another: `GET /v1/bots`."
    ),
    "bot_busy": Code(
        409,
        "The bot plays as many games as it takes at once",
        "Wait, or choose another: `GET /v1/bots`.",
    ),
    "seek_matched": Code(
        409, "The seek has found its game", "Play it, or resign: `game_id` says which it is."
    ),
    "too_many_seeks": Code(
        429, "Too many seeks wait", "Cancel one of yours, or wait: `GET /v1/seeks?player=me`."
    ),
    "bot_does_not_play": Code(
        409,
        "The bot does not take such games",
        "`takes` of the bot says which rulesets and numbers of seats it takes.",
    ),
    "rated_table": Code(
        409, "This table is rated", "It is for people, each on one seat, and not for programs."
    ),
    "bot_for_good": Code(
        409, "A program never becomes a person again", "Make another player for the person."
    ),
    "rated_person": Code(
        409,
        "You are rated as a person",
        "Leave the rated tables in `games` that have not begun. Whoever has played rated stays a"
        " person: make another player for the program.",
    ),
    "removed_by_host": Code(
        403, "The host of this table has sent you away", "Ask the host for an invitation."
    ),
    "invitation_refused": Code(
        403, "This invitation opens nothing here", "Ask the host for another; `detail` says why."
    ),
    "too_many_invitations": Code(409, "The table has too many invitations", "Revoke some."),
    "no_player_there": Code(409, "No player holds this seat", "Name the seat of a player."),
    "not_ended": Code(409, "The game has not ended", "Wait for its result."),
    "too_many_keys": Code(409, "You have as many keys as you may", "Revoke one first."),
    "too_many_bots": Code(
        409, "You have as many bots as you may", "`limit` says how many. Delete one."
    ),
    "too_many_versions": Code(
        429,
        "The bot has had as many new versions as it may in a day",
        "`limit` says how many. Wait for the number of seconds in `Retry-After`.",
    ),
    "too_many_webhooks": Code(
        409, "You have as many webhooks as you may", "`limit` says how many. Remove one."
    ),
    "too_many_subscriptions": Code(
        409,
        "You have notifications in as many browsers as you may",
        "`limit` says how many. Remove one.",
    ),
    "last_full_key": Code(
        409,
        "This is your only key with all rights",
        "Make another one with the scope `full` first.",
    ),
    "still_playing": Code(
        409,
        "You are still playing",
        "`games` and `tournaments` name some of what is under way. Send `resign: true` to resign"
        " and cancel them; a `closed` game starts or ends within minutes by itself.",
    ),
    "idempotency_key_reused": Code(
        422, "This Idempotency-Key stands for another request", "Use a new key for a new request."
    ),
    "already_answered": Code(
        409,
        "This request was answered before, with a secret that is told once",
        "`id` names what it made. Send a new `Idempotency-Key` to make another.",
    ),
    "game_suspended": Code(
        409, "An operator has suspended this game", "Wait: nobody's time runs. `since` says when."
    ),
    "not_suspended": Code(409, "This game is not suspended", "Nothing is left to do."),
    "tournament_game": Code(
        409, "A tournament plays this game", "Pause or cancel the tournament instead."
    ),
    "upgrade_unfinished": Code(
        409,
        "An older release may still play on this store",
        "When none does any more: `lonja admin finish-upgrade`.",
    ),
    "rules_version_unavailable": Code(
        409, "No installed rules can play this game", "It waits for its version of the rules."
    ),
    "game_damaged": Code(
        409,
        "The record of this game is damaged",
        "It is suspended until an operator ends it; `damaged` says what is sound.",
    ),
    "tournament_damaged": Code(
        409,
        "The record of this tournament is damaged",
        "Nobody changes it until the operator has restored it.",
    ),
    # Temporary failures
    "unconfirmed": Code(
        503,
        "The change is stored, but not yet as safely as configured",
        "Repeat the request with the same `Idempotency-Key`: nothing is done twice.",
    ),
    "report_unfinished": Code(
        503, "The report of this tournament is being made", "Try again: its record begins with it."
    ),
    "conflict": Code(503, "Others kept changing this game first", "Try again."),
    "too_many_streams": Code(503, "No more streams can be opened here", "Try again later."),
    "storage_nearly_full": Code(
        503,
        "Nothing new can be opened: the storage is nearly full",
        "Play on; what has begun is not affected. Try again later.",
    ),
    "store_unavailable": Code(503, "The games cannot be reached", "Try again."),
    "stopping": Code(503, "This process is about to end", "Try again: another one answers."),
    "internal_error": Code(500, "The service made a mistake", "Report `request_id`."),
}

RETRY_AFTER = {
    "conflict": 1, "unconfirmed": 2, "too_many_streams": 5, "store_unavailable": 2, "stopping": 2,
    "storage_nearly_full": 60, "stream_share_used": 5, "too_many_connections": 5,
    "too_many_records": 5, "report_unfinished": 5,
    "too_many_games": 60, "too_many_tournaments": 60, "too_many_analyses": 30, "too_many_hints": 5,
    "too_many_versions": 3_600, "too_many_seeks": 60,
}  # fmt: skip
"""Seconds after which a retry makes sense, by code; for ``rate_limited`` the window decides."""


MEMBERS: dict[str, tuple[str, ...]] = {
    "too_deep": ("limit",),
    "too_long": ("limit",),
    "too_large": ("limit",),
    "invalid_body": ("errors",),
    "invalid_query": ("errors",),
    "invalid_header": ("errors",),
    "bad_options": ("errors",),
    "bad_tournament": ("errors",),
    "unknown_bot": ("errors", "bots"),
    "key_expired": ("since",),
    "insufficient_scope": ("needed_scope", "key_scope"),
    "banned": ("since",),
    "not_your_seat": ("seat",),
    "too_many_tournaments": ("scope", "limit"),
    "too_many_games": ("scope", "limit"),
    "too_many_analyses": ("scope", "limit"),
    "too_many_hints": ("scope", "limit"),
    "stream_share_used": ("scope", "limit"),
    "rate_limited": ("scope", "limit", "window_seconds", "retry_after"),
    "too_many_records": ("limit",),
    "range_not_satisfiable": ("limit",),
    "unknown_ruleset": ("ruleset", "errors"),
    "unknown_document": ("digest",),
    "unknown_game": ("game_id",),
    "unknown_seat": ("seat",),
    "unknown_version": ("at", "version"),
    "illegal_move": ("reason", "label", "details"),
    "unknown_head": ("expected_head", "version"),
    "stale_version": ("seat", "expected_version", "version", "events"),
    "not_your_turn": ("seat",),
    "seat_resigned": ("seat",),
    "already_resigned": ("seat",),
    "no_signatures": ("seat",),
    "signing_key_missing": ("seat",),
    "signing_key_weak": ("signing_key",),
    "signature_missing": ("seat",),
    "head_missing": ("seat",),
    "decision_not_open": ("seat", "decision"),
    "signature_wrong": ("seat", "signing_key", "signed"),
    "stale_head": ("expected_head", "head", "version"),
    "not_to_take_back": ("seat", "to", "possible"),
    "taken_back_often": ("seat", "decision"),
    "too_late": ("seat", "deadline", "at"),
    "no_entropy_expected": ("seat",),
    "other_rematch": ("rematch",),
    "entropy_mismatch": ("seat",),
    "seat_taken": ("seat",),
    "seat_open": ("seat",),
    "seat_reserved": ("seat",),
    "not_challenged": ("seat",),
    "validation_failed": ("game_id",),
    "bot_absent": ("seat",),
    "bot_busy": ("seat",),
    "bot_does_not_play": ("seat",),
    "seek_matched": ("game_id",),
    "too_many_seeks": ("scope", "limit"),
    "rated_table": ("seat",),
    "invitation_refused": ("seat",),
    "too_many_invitations": ("limit",),
    "no_player_there": ("seat",),
    "too_many_keys": ("limit",),
    "too_many_webhooks": ("limit",),
    "too_many_subscriptions": ("limit",),
    "too_many_bots": ("limit",),
    "too_many_versions": ("limit",),
    "rated_person": ("games",),
    "still_playing": ("games", "tournaments"),
    "already_answered": ("id",),
    "game_suspended": ("since",),
    "upgrade_unfinished": ("level",),
    "game_damaged": ("game_id", "damaged"),
    "too_many_streams": ("limit",),
}
"""The members of problems that hold the offending values, by code."""

MEMBER_MEANINGS = {
    "at": "The requested version; of `too_late`, the present time.",
    "bots": "The bots on offer.",
    "damaged": "The damage of the record, and its last sound event.",
    "deadline": "The deadline that has passed.",
    "decision": "The decision to which moves were taken back three times; of `decision_not_open`,"
    " the open one.",
    "details": "The offending values, by the rules' names for them.",
    "digest": "The document's present digest.",
    "errors": "The faults, each with `field` (a dotted path), `message` and `value`.",
    "events": "The events since `expected_version`, as the caller may see them.",
    "expected_head": "The hash in the request.",
    "expected_version": "The version in the request.",
    "game_id": "The game.",
    "games": "Some of the unfinished games; of `rated_person`, some of the unfinished rated games.",
    "head": "The hash of the game's newest event.",
    "id": "The id of the thing that the earlier request created.",
    "key_scope": "The scope of the key that was sent.",
    "label": "The reason of the refusal, in the caller's language.",
    "level": "The level of the store's format until the upgrade is finished.",
    "limit": "The limit that was exceeded.",
    "needed_scope": "The scope that a key needs.",
    "possible": "The events after which the seat can take back its moves now, in order.",
    "reason": "The rules' own code of the refusal.",
    "rematch": "The id of the open rematch; null if there is none.",
    "retry_after": "Seconds after which to repeat the request, as in the header `Retry-After`.",
    "ruleset": "The requested ruleset.",
    "scope": "The owner of the limit (`key`, `address`, …): see the limits.",
    "seat": "The seat in the request.",
    "signed": "The text to sign, in UTF-8.",
    "signing_key": "The key; of `signature_wrong`, the one that the seat has.",
    "since": "The time at which this state began (RFC 3339).",
    "to": "The event in the request.",
    "tournaments": "Some of the unfinished tournaments.",
    "version": "The game's present version.",
    "window_seconds": "Length of the window in which `limit` requests are allowed.",
}


def type_of(code: str) -> str:
    """Return the URI reference of a problem type: the path of its page, on the same host.

    It is relative, with a full path as RFC 9457 (3.1.1) recommends. So no answer repeats a forged
    ``Host``, and a problem has one type under all names of the service.
    """
    return f"/docs/problems/{code}"


def example_problem(code: str) -> JsonObject:
    """Return an example problem document for this code."""
    known = CODES[code]
    return {
        "type": type_of(code),
        "title": known.title,
        "status": known.status,
        "code": code,
        "detail": known.title,
        "request_id": "3f1c9a52d0b84e6f",
    }


class Problem(Exception):
    """An error in the form that clients get.

    ``code`` is one of CODES; ``members`` (JSON) are extension members (RFC 9457): the offending
    values. They never contain data that the caller may not see.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        headers: dict[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail or CODES[code].title)
        self.code = code
        self.detail = str(self)
        self.headers = headers or {}
        self.members = members

    def to_json(self, request_id: str | None = None) -> JsonObject:
        """Return the problem document."""
        known = CODES[self.code]
        document: JsonObject = {
            "type": type_of(self.code),
            "title": known.title,
            "status": known.status,
            "code": self.code,
            "detail": self.detail,
        }
        if request_id is not None:
            document["request_id"] = request_id
        return {**document, **self.members}

    def raw(self) -> bytes:
        """Return a complete HTTP/1.1 response, for use outside of the application."""
        body, status = encoded(self.to_json()), HTTPStatus(CODES[self.code].status)
        headers = {
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Connection": "close",
            **ALWAYS,
            "Access-Control-Allow-Origin": "*",
            **self.headers,
        }
        if self.code in RETRY_AFTER:
            headers["Retry-After"] = str(RETRY_AFTER[self.code])
        lines = [f"HTTP/1.1 {status.value} {status.phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def encoded(document: JsonObject) -> bytes:
    """Return a problem document as the bytes that are sent."""
    try:
        return orjson.dumps(document, default=str)
    # an offending value may be an integer of more than 64 bits, or half a surrogate pair
    except TypeError:
        return json.dumps(document, default=str).encode()


def invalid(where: str, errors: list[JsonObject]) -> Problem:
    """Return the problem of an invalid ``body``, ``query`` or ``header``, with its ``errors``."""
    first = errors[0]
    return Problem(f"invalid_{where}", f"{first['field']}: {first['message']}", errors=errors)


def field_error(field: str, message: str, value: object = None) -> JsonObject:
    """Return an item of the member ``errors``.

    ``field`` is the dotted path of the field, ``message`` says what is wrong, and ``value`` is the
    value of the field.
    """
    return {"field": field, "message": message, "value": value}
