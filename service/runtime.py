"""What one process of the service is made of; the web application, workers and CLI share it."""

from dataclasses import dataclass

from redis import Redis

import rules.registry
from rules.registry import Registry
from service.jobs import Jobs
from service.ledger.ledger import Ledger
from service.ledger.store import Store
from service.ledger.vault import Vault
from service.receipts import Signer
from service.redis_client import blocking_client, make_client
from service.settings import Settings
from service.tables import Tables


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of a process, wired together by ``open_runtime``."""

    settings: Settings
    redis: Redis
    blocking_redis: Redis
    queue_redis: Redis
    registry: Registry
    ledger: Ledger
    tables: Tables
    jobs: Jobs
    signer: Signer


def open_runtime(settings: Settings) -> Runtime:
    """Connect to the Redis that ``settings`` name and wire the parts.

    Raises:
        redis.exceptions.ConnectionError: there is no server.

    """
    redis = make_client(settings.redis_url)
    queue_redis = make_client(settings.queue_redis_url)
    registry = Registry((*rules.registry.PACKAGES, *settings.extra_rulesets))
    jobs = Jobs(queue_redis)
    store = Store(redis, Vault(settings.secrets_key))
    ledger = Ledger(store, registry, on_append=jobs.play_automatic_seats)
    return Runtime(
        settings=settings,
        redis=redis,
        blocking_redis=blocking_client(settings.redis_url),
        queue_redis=queue_redis,
        registry=registry,
        ledger=ledger,
        tables=Tables(ledger),
        jobs=jobs,
        signer=Signer.of(redis),
    )
