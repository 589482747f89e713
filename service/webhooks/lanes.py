"""The queues of webhooks: one for each address, in one of two lanes.

A person with many keys still creates webhooks from one address. So webhooks wait in *groups*, one
queue for each address, and groups take turns. A queue is a sorted set of webhooks by the time (ms)
of the next attempt. A time with half a millisecond added marks a webhook that a sender has taken:
no other sender takes it until that time. A lane is a sorted set of groups by the time of their
turn.

Quick receivers have their own lane; new and failing receivers wait in the other lane, so that they
delay no quick receiver. A webhook is in one queue of one lane at a time.
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
    """Return the group of an address; computing it needs the installation's secret."""
    return mac(secret_of(redis), f"webhooks {address}".encode()).hex()[:16]


def script(redis: Redis, name: str) -> Script:
    """Return a Lua script of this folder that works on lanes."""
    texts = (resources.files("service.webhooks").joinpath(f"{n}.lua") for n in ("lanes", name))
    return Script(redis, "".join(text.read_text() for text in texts))
