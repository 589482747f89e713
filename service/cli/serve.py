"""``lonja serve``: runs the whole service on this machine."""

import dataclasses
import errno
import hashlib
import os
import shutil
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import click
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.addresses import in_url
from service.catalogue.bots import HEAVY
from service.cli import common, parameters
from service.cli.log import LOG
from service.cli.sender import SENDER
from service.cli.web import WEB
from service.cli.worker import WORKER
from service.games import exhibition
from service.ledger.store import switch_warning
from service.process import logs
from service.process.launcher import Child, GaveUpError, Launcher
from service.redis.binary import RedisServerError
from service.redis.client import UnsuitableServerError, check_server, make_client
from service.redis.format import check_format
from service.redis.keeper import STORE, Keeper
from service.redis.server import RedisServer
from service.settings import Settings
from service.turns.queue import TOURNAMENTS
from service.upkeep.restarts import RestartWriter

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it is made anew, for this user alone
# This is longer than a service takes to end after SIGTERM, or after its launcher was killed.
PORT_WAIT_S = 10.0
POLL_S = 0.1
REMOVAL_S = 5.0
WAITING_CONNECTIONS = 2048
"""Connections that the kernel queues for a web process, unless it is configured to queue fewer."""

_READY = """
Lonja runs at {url}. Open in a browser:

{pages}

Take a seat at a game of your own:
  curl -X POST {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ana"}}'
  curl -X POST {url}/v1/games -H 'Content-Type: application/json' \\
       -H 'Authorization: Bearer <the key that the first command answers>' \\
       -d '{{"ruleset": "{ruleset}", "options": {{}},
            "seats": [{{"holder": "me"}}, {{"holder": "bot", "bot": "greedy"}}]}}'

{where}. Ctrl-C ends everything."""


@click.command("serve", short_help="Run everything on this machine.")
@parameters.port_option
@click.option(
    "--exhibition/--no-exhibition",
    default=True,
    show_default=True,
    help="Keep a game between bots going.",
)
def command(port: int, *, exhibition: bool) -> None:
    """Run the API and the workers, and also a private Redis if REDIS_URL is not set.

    Ctrl-C or SIGTERM ends everything cleanly. Acknowledged moves are on disk, and games go on after
    the next start.
    """
    found = common.load_settings()
    logs.configure(found)
    registry = common.registry_of(found)
    common.need_engines(found)
    listener = _listen(found, port)
    server, log_folder = None, found.log_folder
    if found.redis_url is None:
        server = RedisServer(found.data_dir, found.appendfsync, found.redis_server)
        _start(server)
        found = dataclasses.replace(
            found, redis_url=server.url, queue_redis_url=found.queue_redis_url or server.url
        )
    try:
        redis = _checked_client(found, server)
        first = next(iter(registry)).info.id
        Announcement(found, port, redis, server, first, exhibition=exhibition).start()
        children = _children(found, listener, log_folder, exhibition=exhibition)
        names = [child.name for child in children]
        restarts = RestartWriter(redis, names if server is None else [*names, STORE])
        restarts.start()
        keeper = None if server is None else Keeper(server, restarts.note)

        def each_round() -> None:
            if keeper is not None:
                keeper.look_after()

        with metrics_folder(found.data_dir, port) as metrics:
            Launcher(
                children,
                _environment(found, metrics, log_folder),
                each_round,
                drain_seconds=found.drain_seconds,
                ended=restarts.note,
            ).run()
    except GaveUpError as error:
        raise common.Failure(str(error)) from None
    finally:
        if server is not None:
            server.stop()
    click.echo("Lonja has ended; the games are kept.")


def _children(
    found: Settings, listener: socket.socket, log_folder: Path | None, *, exhibition: bool
) -> list[Child]:
    web = (*WEB, "--bind", f"fd://{listener.fileno()}")
    return [
        Child("web", web, vital=True, listener=listener),
        *(
            Child(f"worker {n + 1}", [*WORKER, *(["--exhibit"] if exhibition and not n else [])])
            for n in range(found.bot_workers)
        ),
        *heavy_workers(found),
        *tournament_workers(found),
        Child("sender", SENDER),
        *([] if log_folder is None else [Child("log", LOG)]),
    ]


def heavy_workers(found: Settings) -> list[Child]:
    """Return the worker processes of the queue ``heavy``, whose bots think for long."""
    return _workers_of(HEAVY, found.heavy_workers)


def tournament_workers(found: Settings) -> list[Child]:
    """Return the worker processes that play tournaments."""
    return _workers_of(TOURNAMENTS, found.tournament_workers)


def _workers_of(queue: str, count: int) -> list[Child]:
    return [Child(f"{queue} {n + 1}", [*WORKER, "--queue", queue]) for n in range(count)]


def _environment(found: Settings, metrics: Path, log_folder: Path | None) -> dict[str, str]:
    environment = {
        "PROMETHEUS_MULTIPROC_DIR": str(metrics),
        **os.environ,
        "REDIS_URL": found.redis_url or "",
        "LONJA_METRICS_PORT": "",  # no port: the web processes' /metrics include these workers
        "LONJA_PUBLIC_LOG": "no" if log_folder is None else str(log_folder),
    }
    if found.queue_redis_url:
        environment["LONJA_QUEUE_REDIS_URL"] = found.queue_redis_url
    return environment


@contextmanager
def metrics_folder(data_dir: Path, port: int) -> Iterator[Path]:
    """Yield an empty folder for the metrics' counters, and remove the folder at the end.

    The folder is in memory if possible. The processes map its files; on a full disk, writing to
    them would kill a process.
    """
    place = hashlib.sha256(str(data_dir).encode()).hexdigest()[:16]
    folder = data_dir / f"metrics-{port}"
    if os.access(SHARED_MEMORY, os.W_OK | os.X_OK):
        folder = SHARED_MEMORY / f"lonja-{os.getuid()}-{place}-{port}"
    shutil.rmtree(folder, ignore_errors=True)  # a killed service leaves its folder behind
    try:
        folder.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise common.Failure(
            f"{folder}, for the counts of the metrics, cannot be made ({error.strerror}): set"
            " PROMETHEUS_MULTIPROC_DIR to an empty folder."
        ) from None
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder, even if a process that is about to end still writes into it."""
    deadline = time.monotonic() + REMOVAL_S
    shutil.rmtree(folder, ignore_errors=True)
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(POLL_S)
        shutil.rmtree(folder, ignore_errors=True)


def _listen(found: Settings, port: int) -> socket.socket:
    """Return a socket that listens on the port; wait for an earlier service to free it."""
    seconds = PORT_WAIT_S + found.drain_seconds
    deadline = time.monotonic() + seconds
    waiting = False
    while True:
        try:
            return _listener(found.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise common.Failure(
                    f"Lonja cannot listen on {found.host}:{port} ({error.strerror}): choose another"
                    f" port with `make serve PORT={port % 65_535 + 1}` or `lonja serve --port`."
                ) from None
        if not waiting:
            waiting = True
            click.echo(
                f"{found.host}:{port} is in use; waiting up to {seconds:g} s for it.", err=True
            )
        time.sleep(POLL_S)


def _listener(host: str, port: int) -> socket.socket:
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(WAITING_CONNECTIONS)
    except OSError:
        listener.close()
        raise
    return listener


def _start(server: RedisServer) -> None:
    try:
        server.start()
    except RedisServerError as error:
        raise common.Failure(str(error)) from None


def _checked_client(found: Settings, server: RedisServer | None) -> Redis:
    redis = make_client(found.redis_url or "")
    try:
        for warning in check_server(redis, found.appendfsync).warnings:
            click.echo(f"Warning: {warning}", err=True)
        may_lose = switch_warning(redis, found.replicas_to_wait)
        if may_lose is not None:
            click.echo(f"Warning: {may_lose}", err=True)
        check_format(redis)
    except UnsuitableServerError as error:
        raise common.Failure(str(error)) from None
    except RedisError as error:
        if server is not None and not server.running:
            raise common.Failure(server.why_it_ended()) from None
        what = "takes no writes" if isinstance(error, ResponseError) else "does not answer"
        raise common.Failure(f"The Redis at REDIS_URL {what}: {error}") from None
    return redis


class Announcement(threading.Thread):
    """Prints the service's address, and how to take a seat, once the service answers.

    It runs in a thread of its own, because a service that is starting answers late.
    """

    def __init__(
        self,
        found: Settings,
        port: int,
        redis: Redis,
        server: RedisServer | None,
        ruleset: str,
        *,
        exhibition: bool,
    ) -> None:
        super().__init__(name="announcement", daemon=True)
        host = "127.0.0.1" if found.host in ("0.0.0.0", "::") else found.host  # noqa: S104 - to show
        self._url = f"http://{in_url(host)}:{port}"
        self._redis = redis
        self._where = (
            "An outside Redis keeps the games"
            if server is None
            else f"{found.data_dir} keeps the games"
        )
        self._ruleset = ruleset
        self._expects_game = exhibition and found.bot_workers > 0

    def run(self) -> None:
        """Print the address as soon as the service answers."""
        while True:
            if _answers(f"{self._url}/readyz"):
                with suppress(RedisError):
                    game = exhibition.current(self._redis)
                    if game is not None or not self._expects_game:
                        return self._say(game)
            time.sleep(POLL_S)

    def _say(self, game: str | None) -> None:
        pages = {f"{self._url}/": "the page: play here"}
        if game is not None:
            pages[f"{self._url}/games/{game}"] = "a game between bots, to watch"
        pages[f"{self._url}/docs"] = "guides, and the reference of the API"
        width = max(map(len, pages))
        listed = "\n".join(f"  {page:{width}}  {what}" for page, what in pages.items())
        text = _READY.format(url=self._url, pages=listed, ruleset=self._ruleset, where=self._where)
        with suppress(OSError):  # the standard output may be a file on a full disk
            click.echo(text)
            sys.stdout.flush()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1):  # noqa: S310 - our own
            return True
    except (OSError, HTTPException):
        return False
