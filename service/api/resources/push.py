"""Push subscriptions: notifications in a player's browsers."""

from flask import Response

from service.api.http.access import OWNERS, READERS
from service.api.http.context import Caller
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH
from service.api.http.limits import CREATION
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, checked
from service.api.resources.games import REPLAYED, answer_done, retry_of
from service.api.schemas import push as shapes
from service.ledger.idempotency import AlreadyAnsweredError
from service.outbound.targets import target_of
from service.problems import field_error, invalid
from service.redis.format import need_newest
from service.webhooks.push import raw_bytes

blueprint = Blueprint(
    "notifications", __name__, description="Notifications of your turns, in your browsers."
)

_ALL = "/v1/players/me/push_subscriptions"
SUBSCRIPTION_ID = {
    "in": "path",
    "name": "subscription_id",
    "description": "The id of one of your push subscriptions.",
    "schema": {"type": "string", "maxLength": 24},
    "example": shapes.SUBSCRIPTION,
}


@blueprint.operation(
    "GET", _ALL, "listPushSubscriptions", security=READERS, headers=[IF_NONE_MATCH]
)
@blueprint.response(200, shapes.PushSubscriptionListSchema, description="The subscriptions.")
def list_push_subscriptions(caller: Caller) -> Response:
    """List the browsers that show you notifications.

    The answer also has the key with which a browser subscribes.
    """
    browsers = caller.runtime.browsers
    found = browsers.subscriptions.all(caller.me.id)
    return checked(
        {
            "application_server_key": browsers.key.text,
            "subscriptions": [one.to_json() for one in found],
        }
    )


@blueprint.operation(
    "POST",
    _ALL,
    "createPushSubscription",
    security=OWNERS,
    body=True,
    problems=[
        "too_many_subscriptions",
        "invalid_header",
        "idempotency_key_reused",
        "upgrade_unfinished",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.PushSubscriptionRequestSchema)
@blueprint.response(201, shapes.PushSubscriptionSchema, description="The subscription.")
def create_push_subscription(caller: Caller, body: shapes.PushSubscriptionRequest) -> Response:
    """Show notifications in a browser.

    The body has the `endpoint` and the `keys` of what the browser's `PushManager.subscribe`
    answers, and a language. The browser is told that it is your turn, that your time is running
    out, that a game of yours has begun, and that a seat is kept for you: the game and the table,
    and no move. A known `endpoint` keeps its id, and gets the new keys and language.
    """
    who = caller.claimant
    need_newest(caller.runtime.redis)
    try:
        target_of(body.endpoint, caller.runtime.settings.outbound)
    except ValueError as error:
        wrong = field_error("endpoint", f"must be {error}", body.endpoint)
        raise invalid("body", [wrong]) from None
    subscriptions = caller.runtime.browsers.subscriptions
    replayed: dict[str, str] = {}
    try:
        made = subscriptions.make(
            who,
            body.endpoint,
            raw_bytes(body.keys.p256dh),
            raw_bytes(body.keys.auth),
            body.language,
            retry_of(caller, who.player, caller.loaded),
            given=[caller.services.keys.is_good(caller.own_key)],
        )
    except AlreadyAnsweredError as answered:
        made, replayed = subscriptions.one(who.player, answered.made), REPLAYED
    return answer(made.to_json(), 201, {**replayed, "Location": f"{_ALL}/{made.id}"})


@blueprint.operation(
    "DELETE",
    f"{_ALL}/<subscription_id>",
    "deletePushSubscription",
    security=OWNERS,
    problems=["unknown_subscription", "invalid_header", "idempotency_key_reused"],
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[SUBSCRIPTION_ID],
)
@blueprint.response(204, None, description="The browser shows no more notifications.")
def delete_push_subscription(caller: Caller, subscription_id: str) -> Response:
    """Show no more notifications in a browser.

    Its page should also end the subscription at the browser (`PushSubscription.unsubscribe`).
    """
    player = caller.me
    retry = retry_of(caller, player.id)
    subscriptions = caller.runtime.browsers.subscriptions
    return answer_done(lambda: subscriptions.remove(player.id, subscription_id, retry))
