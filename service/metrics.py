"""Metrics of each process, for Prometheus.

With PROMETHEUS_MULTIPROC_DIR set, all processes of that folder answer together. Metrics read from
the store at a scrape are in ``service.upkeep.gauges``.
"""

import os
from collections.abc import Callable, Iterable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    generate_latest,
    multiprocess,
)
from prometheus_client.registry import REGISTRY, Collector

COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""The library's variable for the folder."""

_FAST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)
"""Bounds for what the store does, in seconds."""

_SLOW = (0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60)
"""Bounds for what somebody waits for, in seconds."""

# HTTP

REQUESTS = Counter("lonja_http_requests", "Requests answered.", ("operation", "method", "status"))
SECONDS = Histogram(
    "lonja_http_request_seconds",
    "Time to answer a request; for streams, to open it.",
    ("operation",),
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
REQUESTS_WAITING = Gauge(
    "lonja_http_requests_waiting",
    "Requests that wait until others of their process are answered.",
    multiprocess_mode="livesum",
)
CONNECTIONS_REFUSED = Counter(
    "lonja_connections_refused",
    "Connections that were closed at once, because their address had as many as were free.",
)
SLOW_READERS = Counter(
    "lonja_slow_readers",
    "Connections that were cut because their client did not read what it was sent.",
)
UNCOUNTED = Counter(
    "lonja_requests_uncounted",
    "Requests that no rate limit was applied to, because the Redis could not count them.",
)
STREAMS = Gauge("lonja_streams_open", "Open event streams.", multiprocess_mode="livesum")
STREAMS_DISPLACED = Counter(
    "lonja_streams_displaced",
    "Streams that ended because others needed their place: seats, or those who have fewer.",
)

# Appending and reading

APPENDS = Counter(
    "lonja_appends",
    "Batches that were to be appended, by outcome; behind is a conflict, which is tried again.",
    ("outcome",),
)
APPEND_SECONDS = Histogram(
    "lonja_append_seconds",
    "Time until the store answers an append, before any replica is waited for.",
    buckets=_FAST,
)
CONFIRM_SECONDS = Histogram(
    "lonja_confirm_seconds", "Time until enough replicas hold an append.", buckets=_FAST
)
UNCONFIRMED = Counter("lonja_unconfirmed", "Appends that too few replicas held in time.")
LOAD_SECONDS = Histogram(
    "lonja_load_seconds",
    "Time to read and fold a game or tournament that the process had not in memory.",
    ("kind",),
    buckets=_FAST,
)
STREAM_REWOUND = Counter(
    "lonja_stream_rewound",
    "Streams that were found to have lost events, or to hold others than before.",
)

# The store, as each process sees it

STORE_BYTES = Gauge(
    "lonja_store_memory_bytes", "Memory that the Redis uses.", multiprocess_mode="mostrecent"
)
STORE_MARK = Gauge(
    "lonja_store_memory_mark_bytes",
    "At how much memory of the Redis nothing new is created.",
    multiprocess_mode="mostrecent",
)
STORE_UNFIT = Gauge(
    "lonja_store_unfit",
    "1 while the Redis cannot be reached, takes no writes, or would lose events; 0 otherwise.",
    multiprocess_mode="mostrecent",
)

PRIMARY_CHANGES = Counter(
    "lonja_primary_changes",
    "How often the sentinels named another primary than before, for all connections.",
)

# Workers

BEAT = Gauge(
    "lonja_worker_beat_timestamp_seconds",
    "When a worker's loop last came round: the one that does jobs, or the sweeper beside it.",
    ("queue", "loop"),
    multiprocess_mode="mostrecent",
)
TURN_SECONDS = Histogram(
    "lonja_turn_seconds", "Time that a turn took.", ("queue",), buckets=_SLOW
)  # fmt: skip
TURN_CPU = Counter("lonja_turn_cpu_seconds", "Processor time that turns took.", ("queue",))
BOTS_WAITED = Histogram(
    "lonja_bot_wait_seconds",
    "How long a game had stood still for its bots when their turn came.",
    ("queue",),
    buckets=_SLOW,
)
BOT_SECONDS = Histogram(
    "lonja_bot_decision_seconds",
    "Time that a bot took to decide in a live game.",
    ("bot",),
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 10, 60),
)
BOT_FAILURES = Counter(
    "lonja_bot_failures", "Failures of bots in live games, by cause.", ("cause",)
)  # fmt: skip
BUDGETS_SPENT = Counter(
    "lonja_bot_budgets_spent",
    "How often the bots of an address's games had spent their processor time.",
)
SWEEP_SECONDS = Histogram("lonja_sweep_seconds", "Time that a sweep took.", buckets=_SLOW)
SWEEPS_FAILED = Counter("lonja_sweeps_failed", "Sweeps that ended with an error.")
OVERDUE = Counter(
    "lonja_overdue", "Games that a sweep asked for: they had rested, or their turn was lost."
)
TOURNAMENTS_DAMAGED = Counter(
    "lonja_tournaments_damaged",
    "How often a worker had to leave a tournament whose stream, or a game's, cannot be folded.",
)


# Derived data

FOLLOWED = Counter("lonja_followed", "Batches of which a consumer was told.", ("consumer",))
GAPS = Counter(
    "lonja_feeds_dropped",
    "Feeds that had dropped what a consumer was not told of yet; it was read from the streams.",
    ("consumer",),
)
NOTICES = Counter("lonja_notices", "Notices that were written to players' streams.")

# Webhooks

WEBHOOK_ATTEMPTS = Counter(
    "lonja_webhook_attempts",
    "Messages sent to webhooks: delivered, answered otherwise, or why there was no answer.",
    ("outcome",),
)
WEBHOOK_SECONDS = Histogram(
    "lonja_webhook_seconds", "Time that an attempt took.", buckets=(0.01, 0.1, 0.5, 1, 2, 5, 10)
)


class _ProcessCounts(Collector):
    """What the processes of a folder have counted.

    A file is empty that a process has just made, and for ever if it was killed just then; the
    library's own collector fails at it.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        with os.scandir(self._folder) as found:
            files = [file.path for file in found if file.name.endswith(".db") and _size(file)]
        merge: Callable[[list[str]], Iterable[Metric]] = multiprocess.MultiProcessCollector.merge
        return merge(files)


def _size(file: "os.DirEntry[str]") -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # its process has just ended
        return 0


def exposition(*more: Collector) -> bytes:
    """Return all metrics, and those of ``more``, in Prometheus's text format."""
    registry = CollectorRegistry()
    if COUNTS in os.environ:
        registry.register(_ProcessCounts(os.environ[COUNTS]))
    else:
        registry.register(REGISTRY)
    for collector in more:
        registry.register(collector)
    return generate_latest(registry)
