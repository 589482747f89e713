"""Reads `deploy/monitoring`: the alerts and the dashboard's queries; and lists all metrics."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import yaml
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import CounterMetricFamily

from service import metrics
from service.upkeep import gauges
from tests.running import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
CONFIG, RULES = FOLDER / "prometheus.yml", FOLDER / "alerts.yml"
DASHBOARD = FOLDER / "grafana" / "dashboard.json"
_HISTOGRAM = ("_bucket", "_count", "_sum")


def alerts() -> list[dict[str, Any]]:
    """Return the alert rules, in their order."""
    found: list[dict[str, Any]] = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Yield the title of each panel of the dashboard with each of its queries."""
    for panel in orjson.loads(DASHBOARD.read_bytes())["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]


def series() -> set[str]:
    """Return the names of all possible series."""
    found = set()
    for one in vars(metrics).values():
        if isinstance(one, MetricWrapperBase):
            ends = {"counter": ("_total",), "histogram": _HISTOGRAM}.get(one._type or "", ("",))
            found |= {one._name + end for end in ends}
    for family in gauges.FAMILIES:
        found.add(family.name + "_total" * (family.type is CounterMetricFamily))
    return found


def named(expression: str) -> set[str]:
    """Return the names of Lonja's series in a query."""
    return set(re.findall(r"\blonja_\w+", expression))


def shortened(path: Path, *more: tuple[str, str]) -> str:
    """Return the rules with seconds instead of minutes, and with the replacements ``more``."""
    text = re.sub(r"for: \w+", "for: 3s", path.read_text())
    text = re.sub(r"\[\d+m\]", "[20s]", text)
    for old, new in more:
        assert old in text, old
        text = text.replace(old, new)
    return text
