"""``lonja status``: the state of the installation."""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import click
import orjson
from redis.exceptions import RedisError
from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table as Grid
from rich.text import Text

from service.cli import common, console, parameters
from service.cli.console import Column, TextTable
from service.process import logs
from service.process.launcher import cause_of
from service.process.terminal import printable
from service.redis.client import UnsuitableServerError, make_client, refuse_cluster
from service.redis.health import Health
from service.settings import Settings
from service.upkeep.restarts import ChildRestarts
from service.upkeep.survey import (
    ANSWER_SECONDS,
    GameCounts,
    PublicLogFigures,
    Queue,
    StoreFigures,
    Survey,
    Surveyor,
    WitnessAge,
)
from service.upkeep.troubles import Trouble, troubles

BAR_WIDTH = 24


@click.command("status", short_help="Show whether the installation works.")
@parameters.json_option
@click.option("--url", metavar="URL", help="Check also whether the web node at this URL is ready.")
def command(*, as_json: bool, url: str | None) -> None:
    """Show the state of store, queues, workers and games; the exit code is 1 if anything is wrong.

    It reads the Redis of the service on this machine, or that of REDIS_URL, so it works while no
    web process runs. Each fault has the name of its alert; docs/operations.md has the remedies.
    """
    found = common.local_settings()
    logs.configure(found)
    surveyor = Surveyor(found)
    survey, warning = surveyor.survey(), surveyor.switch_warning()
    told_why = (_and_why(one, found, survey) for one in troubles(survey))
    wrong = [*_unfit(found, survey), *told_why, *_not_ready(url)]
    if as_json:
        told = {
            "healthy": not wrong,
            "troubles": [one._asdict() for one in wrong],
            "warnings": [] if warning is None else [warning],
            **_to_json(survey),
        }
        click.echo(orjson.dumps(told))
    else:
        console.show(_page(survey, wrong, warning))
    if wrong:
        sys.exit(1)


def _unfit(found: Settings, survey: Survey) -> Iterator[Trouble]:
    """Yield a trouble if the store is unfit to hold events.

    The store is checked in the same way as by web processes.
    """
    if survey.store is None:
        return
    client = make_client(found.redis_url or "", ANSWER_SECONDS)
    complaint = Health(
        client, found.appendfsync, found.redis_memory_mark, lambda _redis: None
    ).complaint()
    if complaint is not None:
        yield Trouble("LonjaStoreUnfit", complaint)


def _and_why(trouble: Trouble, found: Settings, survey: Survey) -> Trouble:
    """Return the trouble. If the server is part of a cluster, the trouble's detail says so."""
    silent = {
        "LonjaStoreUnfit": found.redis_url if survey.store is None else None,
        "LonjaQueueDown": found.queue_redis_url,
    }
    if (url := silent.get(trouble.alert)) is None:
        return trouble
    try:
        with make_client(url, ANSWER_SECONDS) as client:
            refuse_cluster(client)
    except UnsuitableServerError as error:
        return trouble._replace(detail=str(error))
    except RedisError:
        pass
    return trouble


def _not_ready(url: str | None) -> Iterator[Trouble]:
    if url is None:
        return
    if not url.startswith(("http://", "https://")):
        raise common.Failure(f"A web node is named by an http:// or https:// URL, not {url!r}.")
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/readyz", timeout=5):  # noqa: S310 - as checked
            return
    except urllib.error.HTTPError as error:
        with error:
            yield Trouble("LonjaStoreUnfit", f"{url} is not ready: {_detail(error.read())}")
    except OSError as error:
        yield Trouble("LonjaWebDown", f"{url} does not answer: {error}")


def _detail(body: bytes) -> str:
    try:
        told = orjson.loads(body)
        return str(told.get("detail") or told["title"])
    except (orjson.JSONDecodeError, AttributeError, KeyError):
        return "it does not say why"


def _to_json(told: Any) -> Any:
    """Return named tuples as JSON objects, nested ones included."""
    if isinstance(told, tuple) and hasattr(told, "_asdict"):
        return {name: _to_json(value) for name, value in told._asdict().items()}
    if isinstance(told, list):
        return [_to_json(one) for one in told]
    return told


# For people


def _page(survey: Survey, wrong: list[Trouble], warning: str | None) -> Group:
    parts: list[Any] = []
    if survey.store is not None:
        parts += [_store(survey.store, survey), ""]
    if survey.queues is not None:
        parts += [_queues(survey.queues), ""]
        workers = [(queue.name, one) for queue in survey.queues for one in queue.workers]
        if workers:
            parts += [_workers(workers), ""]
    if restarted := [one for one in survey.restarts or () if one.times]:
        parts += [_restarts(restarted), ""]
    if survey.games is not None:
        counts = ", ".join(f"{count} {status}" for status, count in survey.games.by_status.items())
        parts += [f"Games: {counts}. Tournaments: {survey.games.tournaments}."]
        if survey.games.archived:
            read = f"Archive: {survey.games.archived} games are read in packs."
            parts.append(" ".join([read, *_last_run(survey.games)]))
    if survey.public_log is not None:
        parts.append(_public_log(survey.public_log))
        parts.extend(map(_witness, survey.public_log.witnesses))
    if survey.owed is not None:
        owed = survey.owed
        parts.append(
            f"Owed: {owed.due} wait for workers, the oldest for {owed.due_age:.0f} s;"
            f" the time of {owed.deadlines} runs."
        )
    if warning is not None:
        parts.append(Text(f"Warning: {warning}", overflow="fold"))
    parts += [
        Text(printable(f"{one.alert}: {one.detail}", kept="\n"), overflow="fold") for one in wrong
    ] or ["All is well."]
    return Group(*parts)


def _store(store: StoreFigures, survey: Survey) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    hours = store.uptime_seconds / 3600
    grid.add_row("Store", f"{store.version}, {store.role}, up for {hours:.1f} h")
    grid.add_row("PING", f"{1000 * store.ping_seconds:.1f} ms, {store.clients} connections")
    grid.add_row("Memory", _bar(store.memory, store.memory_mark, "of its mark"))
    if survey.disk is not None:
        used = survey.disk.size - survey.disk.free
        grid.add_row("Disk", _bar(used, survey.disk.size, "of the data folder's disk"))
    written = "" if store.aof_written else ", which cannot be written"
    grid.add_row("Log", f"{console.size(store.aof_bytes)}{written}")
    for one in store.replicas:
        grid.add_row("Replica", f"{one.address}, {one.state}, {console.size(one.lag_bytes)} behind")
    return grid


def _bar(part: int, whole: int, of_what: str) -> Grid:
    grid = Grid.grid(padding=(0, 1, 0, 0))
    share = f"{100 * part / max(whole, 1):.0f} %"
    told = f"{console.size(part)} of {console.size(whole)}, {share} {of_what}"
    grid.add_row(ProgressBar(whole, min(part, whole), width=BAR_WIDTH), told)
    return grid


def _queues(queues: list[Queue]) -> TextTable:
    columns = (
        Column("queue", text=True),
        Column("waiting"),
        Column("jobs"),
        Column("oldest"),
        Column("workers"),
    )
    return TextTable(
        columns,
        [
            (one.name, str(one.waiting), str(one.jobs), f"{one.age:.0f} s", str(len(one.alive)))
            for one in queues
        ],
    )


def _last_run(games: GameCounts) -> Iterator[str]:
    if games.archive_age is not None:
        refused = f", and {games.refused} could not leave" if games.refused else ""
        yield f"The last run began {_ago(games.archive_age)}{refused}."
    if games.scrub_age is not None:
        lost = f"{games.lost} files are not whole" if games.lost else "all were whole"
        yield f"Packs were last scrubbed {_ago(games.scrub_age)}: {lost}."


def _public_log(found: PublicLogFigures) -> str:
    signed = "no checkpoint yet" if found.age is None else f"signed {_ago(found.age)}"
    behind = f", {found.behind:.0f} s behind" if found.behind else ""
    return f"Public log: {found.leaves} leaves, {signed}{behind}."


def _witness(found: WitnessAge) -> str:
    seen = "nothing yet" if found.age is None else f"{found.size} leaves {_ago(found.age)}"
    return f"Witness {found.name}: co-signed {seen}{found.why and f'; now {found.why}'}."


def _restarts(restarts: list[ChildRestarts]) -> TextTable:
    columns = (
        Column("started again", text=True),
        Column("times"),
        Column("in a row"),
        Column("host", text=True),
        Column("last end", text=True),
    )
    return TextTable(
        columns,
        [
            (
                one.child,
                str(one.times),
                str(one.in_a_row),
                one.host,
                f"{_ago(one.age)}, {cause_of(one.code)}",
            )
            for one in restarts
        ],
    )


def _ago(seconds: float) -> str:
    """Return an age in words, in the largest unit that fits."""
    for unit, length in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"


def _workers(workers: list[Any]) -> TextTable:
    columns = (
        Column("worker of", text=True),
        Column("host", text=True),
        Column("process"),
        Column("state"),
        Column("last heard of"),
    )
    return TextTable(
        columns,
        [
            (queue, one.host, str(one.pid), one.state, f"{one.beat_age:.0f} s ago")
            for queue, one in workers
        ],
    )
