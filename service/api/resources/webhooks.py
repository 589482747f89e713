"""Webhooks: the events of a player's games, sent to URLs."""

from flask import Response

from service.api.http.access import OWNERS, READERS
from service.api.http.context import Caller
from service.api.http.headers import IDEMPOTENCY_KEY, IF_NONE_MATCH, ONCE_KEY
from service.api.http.limits import CREATION
from service.api.http.operations import Blueprint
from service.api.http.responses import answer, checked
from service.api.resources.games import REPLAYED, answer_done, retry_of
from service.api.resources.players import told_before
from service.api.schemas import webhooks as shapes
from service.ledger.idempotency import AlreadyAnsweredError
from service.outbound.targets import target_of
from service.problems import field_error, invalid
from service.redis.format import need_newest
from service.webhooks.records import Webhooks

blueprint = Blueprint(
    "webhooks", __name__, description="Messages about your games, sent to your server."
)

_CHANGING = (
    "unknown_webhook",
    "too_many_webhooks",
    "already_answered",
    "invalid_header",
    "idempotency_key_reused",
    "upgrade_unfinished",
)
"""The problems of all changes; the document has them once."""
WEBHOOK_ID = {
    "in": "path",
    "name": "webhook_id",
    "description": "The id of one of your webhooks.",
    "schema": {"type": "string", "maxLength": 24},
    "example": shapes.WEBHOOK,
}
_ALL, _ONE = "/v1/players/me/webhooks", "/v1/players/me/webhooks/<webhook_id>"


@blueprint.operation("GET", _ALL, "listWebhooks", security=READERS, headers=[IF_NONE_MATCH])
@blueprint.response(200, shapes.WebhookListSchema, description="The webhooks.")
def list_webhooks(caller: Caller) -> Response:
    """List your webhooks.

    Their secrets are not shown again.
    """
    found = _webhooks(caller).all(caller.me.id)
    return checked({"webhooks": [listed.to_json() for listed in found]})


@blueprint.operation(
    "POST",
    _ALL,
    "createWebhook",
    security=OWNERS,
    body=True,
    problems=_CHANGING,
    headers=[ONCE_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.WebhookRequestSchema)
@blueprint.response(201, shapes.NewWebhookSchema, description="The webhook and its secret.")
def create_webhook(caller: Caller, body: shapes.WebhookRequest) -> Response:
    """Create a webhook, which sends the notices of your games to a URL.

    It sends the messages of `GET /v1/players/me/stream`, signed by the Standard Webhooks
    specification. It stays when the key that created it is revoked.
    """
    who = caller.claimant
    need_newest(caller.runtime.redis)
    _check_url(caller, body.url)
    try:
        made, secret = _webhooks(caller).make(
            who,
            body.url,
            body.events,
            retry_of(caller, who.player, caller.loaded),
            given=[caller.services.keys.is_good(caller.own_key)],
        )
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "webhook") from None
    location = {"Location": f"{_ALL}/{made.webhook.id}"}
    return answer({**made.to_json(), "secret": secret.text}, 201, location)


@blueprint.operation(
    "GET",
    _ONE,
    "getWebhook",
    security=READERS,
    problems=["unknown_webhook"],
    headers=[IF_NONE_MATCH],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.response(200, shapes.WebhookSchema, description="The webhook.")
def get_webhook(caller: Caller, webhook_id: str) -> Response:
    """Read a webhook.

    The answer has its state of delivery.
    """
    return checked(_webhooks(caller).one(caller.me.id, webhook_id).to_json())


@blueprint.operation(
    "PATCH",
    _ONE,
    "changeWebhook",
    security=OWNERS,
    body=True,
    problems=_CHANGING,
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.arguments(shapes.WebhookChangeSchema)
@blueprint.response(200, shapes.WebhookSchema, description="The webhook.")
def change_webhook(caller: Caller, body: shapes.WebhookChange, webhook_id: str) -> Response:
    """Change a webhook.

    A request may change its URL and events, and disable or enable it.
    """
    _check_url(caller, body.url)
    player = caller.me
    try:
        changed = _webhooks(caller).change(
            player.id, webhook_id, caller.loaded, retry_of(caller, player.id, caller.loaded)
        )
    except AlreadyAnsweredError:
        return answer(_webhooks(caller).one(player.id, webhook_id).to_json(), headers=REPLAYED)
    return answer(changed.to_json())


@blueprint.operation(
    "DELETE",
    _ONE,
    "deleteWebhook",
    security=OWNERS,
    problems=_CHANGING,
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.response(204, None, description="The webhook is gone.")
def delete_webhook(caller: Caller, webhook_id: str) -> Response:
    """Delete a webhook.

    Its deliveries are deleted with it.
    """
    player = caller.me
    retry = retry_of(caller, player.id)
    return answer_done(lambda: _webhooks(caller).remove(player.id, webhook_id, retry))


@blueprint.operation(
    "POST",
    f"{_ONE}/rotate",
    "rotateWebhookSecret",
    security=OWNERS,
    problems=_CHANGING,
    headers=[ONCE_KEY],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.response(201, shapes.NewWebhookSchema, description="The webhook and its secret.")
def rotate_webhook_secret(caller: Caller, webhook_id: str) -> Response:
    """Replace the secret that signs a webhook's messages.

    For a day, messages are signed with the old secret too.
    """
    player = caller.me
    try:
        listed, secret = _webhooks(caller).rotate(
            player.id, webhook_id, retry_of(caller, player.id)
        )
    except AlreadyAnsweredError as answered:
        raise told_before(answered, "secret of") from None
    location = {"Location": f"{_ALL}/{webhook_id}"}
    return answer({**listed.to_json(), "secret": secret.text}, 201, location)


@blueprint.operation(
    "POST",
    f"{_ONE}/ping",
    "pingWebhook",
    security=OWNERS,
    problems=_CHANGING,
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.response(202, shapes.PingSchema, description="The message is about to be sent.")
def ping_webhook(caller: Caller, webhook_id: str) -> Response:
    """Send one test message at once, then the waiting messages.

    `deliveries` shows the outcome.
    """
    player = caller.me
    try:
        ping = _webhooks(caller).ping(player.id, webhook_id, retry_of(caller, player.id))
    except AlreadyAnsweredError as answered:
        return answer({"id": f"{webhook_id}_{answered.made}"}, 202, REPLAYED)
    return answer({"id": f"{webhook_id}_{ping}"}, 202)


@blueprint.operation(
    "POST",
    f"{_ONE}/redeliveries",
    "redeliverMessages",
    security=OWNERS,
    body=True,
    problems=_CHANGING,
    headers=[IDEMPOTENCY_KEY],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.arguments(shapes.RedeliveryRequestSchema)
@blueprint.response(202, shapes.RedeliverySchema, description="The messages are about to be sent.")
def redeliver_messages(caller: Caller, body: shapes.RedeliveryRequest, webhook_id: str) -> Response:
    """Send messages once more: one, or all from a first to a last.

    Each is tried once, before the waiting messages, and keeps its id. A new request cancels what an
    earlier one has not sent yet. `deliveries` shows the outcome.
    """
    player = caller.me
    try:
        ids = _webhooks(caller).redeliver(
            player.id,
            webhook_id,
            body.first,
            body.last or body.first,
            retry_of(caller, player.id, caller.loaded),
        )
    except AlreadyAnsweredError as answered:
        told = [f"{webhook_id}_{notice_id}" for notice_id in answered.made.split()]
        return answer({"ids": told}, 202, REPLAYED)
    return answer({"ids": ids}, 202)


@blueprint.operation(
    "GET",
    f"{_ONE}/deliveries",
    "listDeliveries",
    security=READERS,
    problems=["unknown_webhook"],
    headers=[IF_NONE_MATCH],
    path_parameters=[WEBHOOK_ID],
)
@blueprint.response(200, shapes.DeliveryListSchema, description="The attempts.")
def list_deliveries(caller: Caller, webhook_id: str) -> Response:
    """List a webhook's delivery attempts.

    Each attempt has the status and the first bytes of the receiver's answer.
    """
    return checked({"deliveries": _webhooks(caller).attempts(caller.me.id, webhook_id)})


def _webhooks(caller: Caller) -> Webhooks:
    return caller.runtime.webhooks


def _check_url(caller: Caller, url: str | None) -> None:
    """Raise Problem (``invalid_body``) if the service may not send messages to ``url``."""
    if url is None:
        return
    try:
        target_of(url, caller.runtime.settings.outbound)
    except ValueError as error:
        raise invalid("body", [field_error("url", f"must be {error}", url)]) from None
