"""Web push: the subscriptions of browsers, their notifications, and the key of the service."""

from dataclasses import dataclass

from redis import Redis

from service.webhooks.notifications import Notifications
from service.webhooks.push import PushKey
from service.webhooks.subscriptions import PushSubscriptions


@dataclass(frozen=True, slots=True)
class Browsers:
    """The subscriptions of browsers, and what is sent to them.

    ``contact`` is a URL at which push services reach the operator.
    """

    redis: Redis
    subscriptions: PushSubscriptions
    notifications: Notifications
    contact: str | None

    @property
    def key(self) -> PushKey:
        """The key of the installation; the store may have been replaced since it was last read."""
        return PushKey.of(self.redis)
