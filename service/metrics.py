"""The metrics for Prometheus. With PROMETHEUS_MULTIPROC_DIR set, all processes answer together."""

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client.registry import REGISTRY

REQUESTS = Counter("lonja_http_requests", "Requests answered.", ("operation", "method", "status"))
SECONDS = Histogram(
    "lonja_http_request_seconds",
    "Time to answer a request; for streams, to open it.",
    ("operation",),
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
STREAM_REWOUND = Counter(
    "lonja_stream_rewound_total",
    "Streams that were found to have lost events, or to hold others than before.",
)
STREAMS = Gauge("lonja_streams_open", "Open event streams.", multiprocess_mode="livesum")
STREAMS_DISPLACED = Counter(
    "lonja_streams_displaced_total",
    "Streams that ended because others needed their place: seats, or those who have fewer.",
)
CONNECTIONS_REFUSED = Counter(
    "lonja_connections_refused_total",
    "Connections that were closed at once, because their address had as many as were free.",
)
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
UNCOUNTED = Counter(
    "lonja_requests_uncounted",
    "Requests that no rate limit was applied to, because the Redis could not count them.",
)
BUDGETS_SPENT = Counter(
    "lonja_bot_budgets_spent_total",
    "How often the bots of an address's games had spent their processor time.",
)


def exposition() -> bytes:
    """Return all metrics in Prometheus's text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
