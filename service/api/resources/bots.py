"""Bot accounts: programs of players, each with a key that only plays."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from rules.kernel.canonical import JsonObject
from service.api.http.access import ANY_CALLER, OWNERS
from service.api.http.context import Caller
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH, ONCE_KEY
from service.api.http.limits import CREATION, SIGN_UP
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, checked
from service.api.resources.games import REPLAYED, answer_done, retry_of
from service.api.resources.players import answer_key, told_before
from service.api.schemas import bots as shapes
from service.api.schemas.players import NewKeySchema
from service.api.schemas.queries import BotsQuery, BotsQuerySchema
from service.games.bot_record import record_of
from service.ledger.idempotency import AlreadyAnsweredError
from service.players.bot_accounts import MOST_PRESENT, BotAccount, Takes
from service.problems import Problem, field_error, invalid

blueprint = Blueprint("bots", __name__, description="Bot accounts: programs that play for people.")

_ALL, _ONE = "/v1/players/me/bots", "/v1/players/me/bots/<bot_id>"
_ONCE = ("invalid_header", "idempotency_key_reused", "already_answered")
_REPEATED = ("invalid_header", "idempotency_key_reused")


@blueprint.operation("GET", _ALL, "listOwnBots", security=OWNERS, headers=[IF_NONE_MATCH])
@blueprint.response(200, shapes.OwnBotAccountListSchema, description="The bots.")
def list_own_bots(caller: Caller) -> Response:
    """List your bots.

    The texts of their keys are not stored.
    """
    bots = caller.services.bots
    told = []
    for one in bots.told(bots.owned_by(caller.me.id)):
        keys = bots.keys_of(one["id"])
        used_on = keys[0].used_on if keys else None
        told.append({**one, "has_key": bool(keys), "last_used_on": used_on})
    return checked({"bots": told})


@blueprint.operation(
    "POST",
    _ALL,
    "createBot",
    security=OWNERS,
    body=True,
    problems=[*_ONCE, "too_many_bots", "unknown_ruleset", "storage_nearly_full"],
    headers=[ONCE_KEY],
    budget=SIGN_UP,
)
@blueprint.arguments(shapes.BotAccountRequestSchema)
@blueprint.response(201, shapes.NewBotAccountSchema, description="The bot and its key.")
def create_bot(caller: Caller, body: shapes.BotAccountRequest) -> Response:
    """Create a bot account, which you own.

    It is a player of the kind `bot`, for good. Its key, which is shown only in this answer, sits
    down, plays and reads, and does nothing else: whoever holds it cannot open tables, make keys or
    delete the account. You can replace and revoke it.
    """
    caller.services.admission.need_room()
    said = _said(caller, caller.loaded, body.takes)
    retry = retry_of(caller, caller.me.id, caller.loaded)
    bots = caller.services.bots
    try:
        _player, account, key = bots.make(caller.own_key, said.pop("name"), said, retry)
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "bot") from None
    location = {"Location": f"/v1/bots/{account.id}"}
    return answer({**_told(caller, account), "key": key}, 201, location)


@blueprint.operation(
    "PATCH",
    _ONE,
    "changeBot",
    security=OWNERS,
    body=True,
    problems=[*_REPEATED, "no_such_bot", "too_many_versions", "unknown_ruleset"],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.arguments(shapes.BotAccountChangeSchema)
@blueprint.response(200, shapes.BotAccountSchema, description="The bot.")
def change_bot(caller: Caller, body: shapes.BotAccountChange, bot_id: str) -> Response:
    """Change what you say about a bot.

    A bot may have two new versions a day. Earlier versions stay listed, with their times.
    """
    said = _said(caller, caller.loaded, body.takes)
    name, bots = said.pop("name", None), caller.services.bots
    retry = retry_of(caller, caller.me.id, caller.loaded)
    try:
        account = bots.change(caller.own_key, bot_id, name, said, retry)
    except AlreadyAnsweredError:
        return answer(_told(caller, bots.own(caller.me.id, bot_id)), headers=REPLAYED)
    return answer({**_told(caller, account), **({} if name is None else {"name": name})})


@blueprint.operation(
    "DELETE",
    _ONE,
    "deleteBot",
    security=OWNERS,
    body=True,
    problems=[*_REPEATED, "no_such_bot", "still_playing", "conflict", "unconfirmed"],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.BotAccountDeletionSchema)
@blueprint.response(204, None, description="The bot is deleted.")
def delete_bot(caller: Caller, body: shapes.BotAccountDeletion, bot_id: str) -> Response:
    """Delete a bot account.

    Its name and what you said about it are erased, and its key is revoked. Games that it played
    stay, under its id.
    """
    if body.id != bot_id:
        raise invalid("body", [field_error("id", f"{bot_id}, to confirm it", body.id)])
    retry = retry_of(caller, caller.me.id, caller.loaded)
    departures = caller.services.departures
    return answer_done(
        lambda: departures.delete_bot(caller.own_key, bot_id, resign=body.resign, retry=retry)
    )


@blueprint.operation(
    "POST",
    f"{_ONE}/key",
    "replaceBotKey",
    security=OWNERS,
    problems=[*_ONCE, "no_such_bot"],
    headers=[ONCE_KEY],
)
@blueprint.response(201, NewKeySchema, description="The key, which is told this once.")
def replace_bot_key(caller: Caller, bot_id: str) -> Response:
    """Create a new key for a bot.

    An older key of the bot stops working at once.
    """
    bots, retry = caller.services.bots, retry_of(caller, caller.me.id)
    return answer_key(lambda: bots.replace_key(caller.own_key, bot_id, retry))


@blueprint.operation(
    "DELETE",
    f"{_ONE}/key",
    "revokeBotKey",
    security=OWNERS,
    problems=[*_REPEATED, "no_such_bot"],
    headers=[IDEMPOTENCY_KEY],
)
@blueprint.response(204, None, description="The bot has no key.")
def revoke_bot_key(caller: Caller, bot_id: str) -> Response:
    """Revoke a bot's key at once.

    Streams opened with it end within seconds. The bot's seats stay; the games' clocks run.
    """
    retry = retry_of(caller, caller.me.id)
    return answer_done(lambda: caller.services.bots.revoke_key(caller.own_key, bot_id, retry))


@blueprint.operation(
    "GET",
    "/v1/bots",
    "listBots",
    security=ANY_CALLER.for_bots,
    problems=["invalid_query"],
    headers=[IF_NONE_MATCH],
)
@blueprint.arguments(BotsQuerySchema, location="query")
@blueprint.response(200, shapes.BotAccountListSchema, description="The bots.")
def list_bots(caller: Caller, query: BotsQuery) -> Response:
    """List the bot accounts that are present.

    They listen for questions now. Bots of the service itself are listed with each ruleset.
    """
    bots = caller.services.bots
    fitting = [
        one for one in bots.all_present(MOST_PRESENT) if one.plays(query.ruleset, query.seats)
    ]
    return checked({"bots": bots.told(fitting[: query.limit])})


@blueprint.operation(
    "GET",
    "/v1/bots/<player_id>",
    "getBot",
    security=ANY_CALLER.for_bots,
    problems=["unknown_player"],
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.KnownBotAccountSchema, description="The bot.")
def get_bot(caller: Caller, player_id: str) -> Response:
    """Look a bot account up.

    What its owner says about it, its versions included, is not checked by anybody. `record` follows
    from its games. `listGames` with `player` lists them.
    """
    account = caller.services.bots.find(player_id)
    if account is None:
        raise Problem("unknown_player", f"there is no bot account {player_id!r}")
    versions = caller.services.bots.versions(player_id)
    record = record_of(caller.services.games, player_id, versions)
    told = {
        **_told(caller, account),
        "versions": [one._asdict() for one in versions],
        "record": [row.to_json() for row in record],
    }
    return checked(told)


def _told(caller: Caller, account: BotAccount) -> JsonObject:
    (told,) = caller.services.bots.told([account])
    return told


def _said(
    caller: Caller, loaded: Mapping[str, Any], takes: Sequence[shapes.TakesRequest] | None
) -> dict[str, Any]:
    """Return the owner's description of a bot: fields of ``BotAccount``, and the name.

    Raises:
        Problem: ``unknown_ruleset``; ``invalid_body``: a ruleset has no such number of seats.
    """
    said = dict(loaded)
    if takes is not None:
        said["takes"] = tuple(
            Takes(one.ruleset, _numbers(caller, place, one)) for place, one in enumerate(takes)
        )
    return said


def _numbers(caller: Caller, place: int, one: shapes.TakesRequest) -> tuple[int, ...]:
    offered = {ruleset.info.id: ruleset.info for ruleset in caller.runtime.registry}
    info = offered.get(one.ruleset)
    if info is None:
        raise Problem(
            "unknown_ruleset", f"there is no ruleset {one.ruleset!r}", ruleset=one.ruleset
        )
    for number in one.seats:
        if not info.min_seats <= number <= info.max_seats:
            rule = f"{info.id} has {info.min_seats} to {info.max_seats} seats, not {number}"
            raise invalid("body", [field_error(f"takes.{place}.seats", rule, number)])
    return tuple(sorted(set(one.seats)))
