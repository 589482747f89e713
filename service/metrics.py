"""What Prometheus is told. With PROMETHEUS_MULTIPROC_DIR set, all processes answer together."""

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
STREAMS = Gauge("lonja_streams_open", "Open event streams.", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Return all metrics in Prometheus's text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
