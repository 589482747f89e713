"""Metrics of each process, for Prometheus.

With PROMETHEUS_MULTIPROC_DIR set, a scrape gets the sums over all processes with that folder.
Metrics read from the store at a scrape are in ``service.upkeep.gauges``.
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
"""The environment variable with the folder of prometheus_client's counts."""

_FAST = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)
"""Bounds of histograms for the store's operations, in seconds."""

_SLOW = (0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60)
"""Bounds of histograms for times that somebody waits, in seconds."""

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
    "Connections that were cut because the client did not read its answer.",
)
UNCOUNTED = Counter(
    "lonja_requests_uncounted",
    "Requests without a rate limit, because the Redis could not count them.",
)
STREAMS = Gauge("lonja_streams_open", "Open event streams.", multiprocess_mode="livesum")
STREAMS_DISPLACED = Counter(
    "lonja_streams_displaced",
    "Streams that lost their slot: to a player's stream, or to a caller with fewer streams.",
)

# Appending and reading

APPENDS = Counter(
    "lonja_appends",
    "Attempts to append a batch, by outcome; behind is a conflict, after which it is tried again.",
    ("outcome",),
)
APPEND_SECONDS = Histogram(
    "lonja_append_seconds",
    "Time until the store answers an append, without waiting for replicas.",
    buckets=_FAST,
)
CONFIRM_SECONDS = Histogram(
    "lonja_confirm_seconds", "Time until enough replicas hold an append.", buckets=_FAST
)
UNCONFIRMED = Counter("lonja_unconfirmed", "Appends that too few replicas held in time.")
LOAD_SECONDS = Histogram(
    "lonja_load_seconds",
    "Time to read and fold a game or tournament that was not in memory.",
    ("kind",),
    buckets=_FAST,
)
STREAM_REWOUND = Counter(
    "lonja_stream_rewound",
    "Streams that have lost events, or have others than before.",
)

# The store, as each process sees it

STORE_BYTES = Gauge(
    "lonja_store_memory_bytes", "Memory that the Redis uses.", multiprocess_mode="mostrecent"
)
STORE_MARK = Gauge(
    "lonja_store_memory_mark_bytes",
    "Memory of the Redis above which nothing new is created.",
    multiprocess_mode="mostrecent",
)
STORE_UNFIT = Gauge(
    "lonja_store_unfit",
    "1 while the Redis cannot be reached, takes no writes, or would lose events; 0 otherwise.",
    multiprocess_mode="mostrecent",
)

PRIMARY_CHANGES = Counter(
    "lonja_primary_changes",
    "Changes of the primary that sentinels reported.",
)

# Workers

BEAT = Gauge(
    "lonja_worker_beat_timestamp_seconds",
    "When a loop of a worker last went round: the loop of jobs, or that of the sweeper.",
    ("queue", "loop"),
    multiprocess_mode="mostrecent",
)
TURN_SECONDS = Histogram(
    "lonja_turn_seconds", "Duration of a turn.", ("queue",), buckets=_SLOW
)  # fmt: skip
TURN_CPU = Counter("lonja_turn_cpu_seconds", "Processor time of turns.", ("queue",))
BOTS_WAITED = Histogram(
    "lonja_bot_wait_seconds",
    "Time for which a game waited for its bots' turn.",
    ("queue",),
    buckets=_SLOW,
)
BOT_SECONDS = Histogram(
    "lonja_bot_decision_seconds",
    "Time of a bot's decision in a live game.",
    ("bot",),
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 10, 60),
)
BOT_FAILURES = Counter(
    "lonja_bot_failures", "Failures of bots in live games, by cause.", ("cause",)
)  # fmt: skip
BUDGETS_SPENT = Counter(
    "lonja_bot_budgets_spent",
    "How often the bots of an address's games spent their budget of processor time.",
)
SWEEP_SECONDS = Histogram("lonja_sweep_seconds", "Duration of a sweep.", buckets=_SLOW)
SWEEPS_FAILED = Counter("lonja_sweeps_failed", "Sweeps that ended with an error.")
OVERDUE = Counter(
    "lonja_overdue",
    "Games that a sweep requeued, because they were overdue or their turn was lost.",
)
TOURNAMENTS_DAMAGED = Counter(
    "lonja_tournaments_damaged",
    "How often a worker left a tournament because its stream, or a game's, cannot be folded.",
)


# Derived data

FOLLOWED = Counter("lonja_followed", "Batches that a consumer has processed.", ("consumer",))
GAPS = Counter(
    "lonja_feeds_dropped",
    "Feeds that dropped unprocessed entries of a consumer, which were read from the streams.",
    ("consumer",),
)
NOTICES = Counter("lonja_notices", "Notices written to players' streams.")

# Webhooks

WEBHOOK_ATTEMPTS = Counter(
    "lonja_webhook_attempts",
    "Attempts to send a message to a webhook or a push service, by outcome.",
    ("outcome",),
)
WEBHOOK_SECONDS = Histogram(
    "lonja_webhook_seconds",
    "Duration of an attempt to send a message.",
    buckets=(0.01, 0.1, 0.5, 1, 2, 5, 10),
)


class _ProcessCounts(Collector):
    """The counts of all processes of a folder.

    A file is empty just after a process has made it, and stays empty if the process is killed then.
    The library's own collector fails at such a file.
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
    except FileNotFoundError:  # the process has just ended, and its file was removed
        return 0


def exposition(*more: Collector) -> bytes:
    """Return all metrics in Prometheus's text format.

    The metrics of the additional collectors in ``more`` are among them.
    """
    registry = CollectorRegistry()
    if COUNTS in os.environ:
        registry.register(_ProcessCounts(os.environ[COUNTS]))
    else:
        registry.register(REGISTRY)
    for collector in more:
        registry.register(collector)
    return generate_latest(registry)
