"""Where webhooks wait until it is their turn: those of an address together, in one of two lanes.

Whoever has many webhooks has them by one address, however many keys he makes. So webhooks wait in
*groups*, a queue each, and groups take turns. The queue is a sorted set by when (ms) each is tried;
half a millisecond more says that it is taken, and until when. A lane is a sorted set of groups by
when it is their turn.

What answers quickly has a lane of its own; what is new or fails waits in the other one, so that it
holds up nobody who answers. A webhook is in one queue at a time, in whichever lane.
"""

from importlib import resources

from redis import Redis

from rules.kernel.canonical import mac
from service.redis.keys import meta_key
from service.redis.scripts import Script
from service.redis.secret import secret_of

QUICK, SLOW = LANES = meta_key("webhook_quick"), meta_key("webhook_slow")


def queue_key(lane: str, group: str) -> str:
    """Return the key of the queue of a group in a lane."""
    return f"{lane}:{group}"


def group_of(redis: Redis, address: str) -> str:
    """Return the group of an address, which only the installation's secret tells from another."""
    return mac(secret_of(redis), f"webhooks {address}".encode()).hex()[:16]


def script(redis: Redis, name: str) -> Script:
    """Return a script of this folder that works on lanes."""
    texts = (resources.files("service.webhooks").joinpath(f"{n}.lua") for n in ("lanes", name))
    return Script(redis, "".join(text.read_text() for text in texts))
