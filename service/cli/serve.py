"""``lonja serve``: everything on this machine."""

import dataclasses
import os
import shutil
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path

import click
from redis import Redis
from redis.exceptions import RedisError

from service import exhibition, logs
from service.cli import common
from service.cli.worker import WORKER_MODULE
from service.launcher import Child, GaveUp, Launcher
from service.redis_binary import RedisServerError
from service.redis_client import UnsuitableServerError, check_server, make_client
from service.redis_server import RedisServer
from service.settings import Settings

GUNICORN_CONFIG = "python:service.gunicorn_config"

_READY = """
Lonja runs at {url}

  API reference  {url}/docs
  A game between bots, to watch:
    {watch}

Take a seat at a game of your own:
  curl -X POST {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ana"}}'
  curl -X POST {url}/v1/games -H 'Content-Type: application/json' \\
       -H 'Authorization: Bearer <the key that the first command answers>' \\
       -d '{{"ruleset": "{ruleset}", "options": {{}},
            "seats": [{{"holder": "me"}}, {{"holder": "bot", "bot": "greedy"}}]}}'

{where}. Ctrl-C ends everything."""


@click.command("serve", short_help="Run everything on this machine.")
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=8000,
    envvar="PORT",
    show_default=True,
    help="The port to listen on.",
)
@click.option("--exhibition/--no-exhibition", default=True, help="Keep a game between bots going.")
def command(port: int, *, exhibition: bool) -> None:
    """Run the API, the workers and, unless REDIS_URL names one, a private Redis.

    Ctrl-C or SIGTERM ends everything cleanly. Whatever was acknowledged is on disk, and goes on
    when you start again.
    """
    found = common.load_settings()
    logs.configure(found)
    registry = common.registry_of(found)
    _need_free_port(found.host, port)
    server = None
    if found.redis_url is None:
        server = RedisServer(found.data_dir, found.appendfsync, found.redis_server)
        _start(server)
        found = dataclasses.replace(
            found, redis_url=server.url, queue_redis_url=found.queue_redis_url or server.url
        )
    try:
        redis = _checked_client(found)
        first = next(iter(registry)).info.id
        announce = Announcement(found, port, redis, server, first, exhibition=exhibition)

        def each_round() -> None:
            if server is not None and not server.running:
                _start(server)
            announce.when_ready()

        children = _children(found, exhibition=exhibition)
        Launcher(children, _environment(found, port), each_round).run()
    except GaveUp as error:
        raise common.Failure(str(error)) from None
    finally:
        if server is not None:
            server.stop()
    click.echo("Lonja has ended; the games are kept.")


def _children(found: Settings, *, exhibition: bool) -> list[Child]:
    python = [sys.executable, "-m"]
    web = [*python, "gunicorn", "--config", GUNICORN_CONFIG]
    worker = [*python, WORKER_MODULE]
    return [
        Child("web", web),
        *(
            Child(f"worker {n + 1}", [*worker, *(["--exhibit"] if exhibition and not n else [])])
            for n in range(found.bot_workers)
        ),
        *tournament_workers(found),
    ]


def tournament_workers(found: Settings) -> list[Child]:
    """Return the processes that play tournaments."""
    command = [sys.executable, "-m", WORKER_MODULE, "--tournaments"]
    return [Child(f"tournaments {n + 1}", command) for n in range(found.tournament_workers)]


def _environment(found: Settings, port: int) -> dict[str, str]:
    environment = {
        "PROMETHEUS_MULTIPROC_DIR": str(_empty_folder(found.data_dir / f"metrics-{port}")),
        **os.environ,
        "REDIS_URL": found.redis_url or "",
        "PORT": str(port),
    }
    if found.queue_redis_url:
        environment["LONJA_QUEUE_REDIS_URL"] = found.queue_redis_url
    return environment


def _empty_folder(folder: Path) -> Path:
    """Make a folder for what must not outlive the processes, and throw out what a kill left."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise common.Failure(
            f"{folder} cannot be made ({error.strerror}): set LONJA_DATA_DIR to a folder that this"
            " user may write to."
        ) from None
    return folder


def _need_free_port(host: str, port: int) -> None:
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise common.Failure(
            f"Lonja cannot listen on {host}:{port} ({error.strerror}): choose another port with"
            f" `make serve PORT={port % 65_535 + 1}` or `lonja serve --port`."
        ) from None


def _start(server: RedisServer) -> None:
    try:
        server.start()
    except RedisServerError as error:
        raise common.Failure(str(error)) from None


def _checked_client(found: Settings) -> Redis:
    redis = make_client(found.redis_url or "")
    try:
        for warning in check_server(redis, found.appendfsync).warnings:
            click.echo(f"Warning: {warning}", err=True)
    except UnsuitableServerError as error:
        raise common.Failure(str(error)) from None
    except RedisError as error:
        raise common.Failure(f"The Redis at REDIS_URL does not answer: {error}") from None
    return redis


class Announcement:
    """Says, once the service answers, where it is and how to take a seat."""

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
        host = "127.0.0.1" if found.host in ("0.0.0.0", "::") else found.host  # noqa: S104 - to show
        self._url = f"http://{host}:{port}"
        self._redis = redis
        self._where = (
            "An outside Redis keeps the games"
            if server is None
            else f"{found.data_dir} keeps the games"
        )
        self._ruleset = ruleset
        self._expects_game = exhibition and found.bot_workers > 0
        self._said = False

    def when_ready(self) -> None:
        """Say it the first time that the service answers."""
        if self._said or not _answers(f"{self._url}/readyz"):
            return
        try:
            game = exhibition.current(self._redis)
        except RedisError:
            return
        if game is None and self._expects_game:
            return
        watch = "none is running" if game is None else f"{self._url}/v1/games/{game}"
        text = _READY.format(url=self._url, watch=watch, ruleset=self._ruleset, where=self._where)
        click.echo(text)
        sys.stdout.flush()
        self._said = True


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1):  # noqa: S310 - our own
            return True
    except OSError:
        return False
