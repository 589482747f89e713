"""Tells others how an audit ended: a webhook, and Prometheus."""

from collections import Counter
from pathlib import Path

import click
import orjson
from lonja_client import LonjaError
from lonja_client.transport import Request, Transport
from prometheus_client import CollectorRegistry, Gauge, generate_latest, write_to_textfile

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import to_ms
from service.auditing.findings import MEANINGS
from service.cli.audit.page import EXIT_CODES
from service.cli.common import Failure, is_stdout

_TIMEOUT_SECONDS = 20.0


def is_news(page: JsonObject, before: str | None) -> bool:
    """Whether a run found anything new, or ended otherwise than the one before."""
    found = [*page["findings"], *page["losses"]]
    return page["verdict"] != before or any(one["is_new"] for one in found)


def post(url: str, page: JsonObject, summary: str) -> None:
    """Post a page to a webhook, with ``text`` for programs that show it. Raises Failure."""
    try:
        transport = Transport(url, None, "en", _TIMEOUT_SECONDS)
    except ValueError as error:
        raise Failure(f"{url} is no address of a webhook: {error}.") from None
    body = orjson.dumps({"text": summary, "audit": page})
    try:
        answer = transport.ask(Request("POST", "", body=body))
    except LonjaError as error:
        raise Failure(f"{url} was not told: {error}.") from None
    finally:
        transport.close()
    if answer.status >= 300:
        raise Failure(f"{url} was not told: it answers {answer.status}.")


def write_metrics(file: Path, page: JsonObject) -> None:
    """Write a page for the textfile collector of Prometheus's node exporter.

    Raises OSError: it cannot be written.
    """
    registry = CollectorRegistry()
    log = page["log"]

    def gauge(name: str, text: str, value: float, **labels: str) -> None:
        named = {"log": str(log["origin"]), **labels}
        made = gauges.get(name)
        if made is None:
            made = gauges[name] = Gauge(f"lonja_audit_{name}", text, [*named], registry=registry)
        made.labels(**named).set(value)

    gauges: dict[str, Gauge] = {}
    gauge("time_seconds", "Time of the last audit.", to_ms(page["audited_at"]) / 1000)
    gauge("exit_code", "Its exit code: 0 if all is well.", EXIT_CODES[page["verdict"]])
    gauge("log_leaves", "Entries of the log that were read.", log["read"])
    if log["at"] is not None:
        gauge("log_time_seconds", "Time of the log's checkpoint.", to_ms(log["at"]) / 1000)
    if page["witnesses"] is not None:
        gauge("quorum", "1 if the checkpoint has the quorum.", page["witnesses"]["enough"])
    counts = Counter(one["code"] for one in page["findings"])
    for code in MEANINGS:
        gauge("findings", "What is wrong.", counts[code], code=code)
    gauge("losses", "Losses by the operator's own word.", len(page["losses"]))
    for verdict, many in (page["records"] or {}).items():
        gauge("records", "Records of games and tournaments that are over.", many, verdict=verdict)
    if is_stdout(file):
        click.echo(generate_latest(registry), nl=False)
    else:
        write_to_textfile(str(file), registry)
