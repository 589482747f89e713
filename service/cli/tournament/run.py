"""``lonja tournament run`` and ``watch``: hold a tournament, and watch it to its end."""

import dataclasses
import os
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
import orjson
from redis.exceptions import RedisError
from rq import Worker
from rq.serializers import JSONSerializer

from rules.kernel.canonical import JsonObject
from service.cli import common, completing, console, parameters
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.cli.remote import service_at
from service.cli.serve import tournament_workers
from service.cli.tournament import outputs, words
from service.cli.tournament.hosts import Host, LocalHost, RemoteHost
from service.cli.tournament.progress import Progress, announce
from service.process import logs
from service.process.launcher import POLL_SECONDS, GaveUpError, Launcher
from service.redis.binary import RedisServerError
from service.redis.client import UnsuitableServerError
from service.redis.keeper import Keeper
from service.redis.lock import running_url
from service.redis.server import RedisServer
from service.runtime import Runtime, open_for_play
from service.settings import Settings, SettingsError
from service.tournaments.formats import FORMATS
from service.tournaments.plan import LUCKS
from service.turns.queue import TOURNAMENTS

workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="The number of processes that play if no service runs here; by default one for each core.",
)


@click.command("run", short_help="Hold a tournament and see it to its end.")
@click.argument("file", required=False, type=parameters.input_file(exists=True))
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="The game to play.",
)
@parameters.seats_option("without it, as few as the ruleset allows, but two at least")
@click.option(
    "--entrants",
    metavar="BOTS",
    help="Bots, separated by commas: greedy,greedy:nodes=500,random.",
)
@click.option(
    "--format",
    "format_",
    type=parameters.NearestChoice(FORMATS),
    help="The format; without it, that of FILE, or round_robin.",
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the format; may be given several times.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of games, rounded up to whole blocks.",
)
@click.option(
    "--luck",
    type=parameters.NearestChoice(LUCKS),
    help="Whether a block's games share their luck; without it, they do if no bot can remember it.",
)
@parameters.clock_options
@parameters.rules_option
@click.option("--name", metavar="NAME", help="The name of the tournament.")
@parameters.seed_option
@parameters.url_option
@parameters.key_option
@workers_option
@click.option("--estimate", is_flag=True, help="Say what the tournament would cost, and hold none.")
@outputs.output_option
@parameters.json_option
def run(
    file: Path | None,
    ruleset: str | None,
    seats: int | None,
    entrants: str | None,
    format_: str | None,
    sets: tuple[str, ...],
    games: int | None,
    luck: str | None,
    decision: int | None,
    budget: int | None,
    increment: int | None,
    options: tuple[str, ...],
    name: str | None,
    seed: str | None,
    url: str | None,
    key: str | None,
    workers: int | None,
    outputs_: tuple[Path, ...],
    *,
    estimate: bool,
    as_json: bool,
) -> None:
    """Hold the tournament that FILE (TOML) or the options describe; options overrule the file.

    If FILE is `-`, it is read from the standard input. If you repeat the command with the same
    --seed, it continues the same tournament. Where workers play all bots, --decision, --budget and
    --increment are processor time. If a service is running, the tournament goes on when
    you stop watching; `lonja tournament watch` returns to it. The exit code is 0 if the tournament
    was played to its end, 1 if it was not, and 130 if you stopped watching before.
    """
    outputs.need_one_output(outputs_, as_json=as_json)
    asked = _from_file(file)
    seed = seed or asked.pop("seed", None)
    given = {
        "ruleset": ruleset,
        "seats": seats,
        "entries": None if entrants is None else [entry_of(text) for text in entrants.split(",")],
        "name": name,
        "luck": luck,
        "options": pairs(options) or None,
    }
    asked.update({field: value for field, value in given.items() if value is not None})
    clock = parameters.clock_of(decision, budget, increment)
    chosen = {**asked.get("format", {}), **pairs(sets)}
    if format_ is not None:
        chosen["type"] = format_
    if games is not None:
        chosen["games"] = games
    if chosen:
        asked["format"] = {"type": "round_robin", **chosen}
    if "ruleset" not in asked or "entries" not in asked:
        raise Failure("Name a game and its entrants: --ruleset and --entrants, or a FILE.")
    if clock:
        _set_clock(asked, clock)
    with host_of(url, key, workers) as (host, children):
        foreseen = host.preview(asked)
        costs = foreseen["estimate"] = words.with_workers(foreseen["estimate"], len(children))
        if estimate:
            click.echo(orjson.dumps(foreseen) if as_json else words.estimate(foreseen))
            return
        created = host.create(asked, None if seed is None else str(seed))
        with _left(created, children, url):
            announce(created, costs)
            _finish(host, created["id"], children, outputs_, url, as_json=as_json)


def _set_clock(asked: JsonObject, clock: JsonObject) -> None:
    """Set the clock of players; without players, the processor time of bots."""
    if "places" in asked or any("player" in entry for entry in asked["entries"]):
        asked["clock"] = {**asked.get("clock", {}), **clock}
        return
    if "decision_seconds" in clock:
        clock["processor_seconds"] = clock.pop("decision_seconds")
    asked["failures"] = {**asked.get("failures", {}), **clock}


@click.command("watch", short_help="Watch a tournament to its end.")
@click.argument("tournament")
@parameters.url_option
@parameters.key_option
@workers_option
@outputs.output_option
@parameters.json_option
def watch(
    tournament: str,
    url: str | None,
    key: str | None,
    workers: int | None,
    outputs_: tuple[Path, ...],
    *,
    as_json: bool,
) -> None:
    """Watch TOURNAMENT to its end; if no service plays it, play it here.

    The exit code is that of `lonja tournament run`.
    """
    outputs.need_one_output(outputs_, as_json=as_json)
    with (
        host_of(url, key, workers) as (host, children),
        _left({"id": tournament, "status": "running"}, children, url),
    ):
        _finish(host, tournament, children, outputs_, url, as_json=as_json)


@contextmanager
def _left(seen: JsonObject, children: "Children", url: str | None) -> Iterator[None]:
    """Return a context manager for steps that the user may interrupt.

    After an interruption, it prints how to return to the tournament, and ends the program.
    ``seen`` has the tournament's id and status.
    """
    try:
        yield
    except KeyboardInterrupt:
        console.say(words.left(seen, url, goes_on=children.others_play()), err=True)
        sys.exit(common.INTERRUPTED)


def _finish(
    host: Host,
    tournament_id: str,
    children: "Children",
    outputs_: tuple[Path, ...],
    url: str | None,
    *,
    as_json: bool,
) -> None:
    """Watch a tournament to its end or to an interruption; then print its state."""
    with Progress(host, tournament_id) as progress:
        seen = children.run_until(progress.look, progress.clear)
        progress.clear()
        found = _found(host, tournament_id, progress, url, seen=seen)
        tell(host, found, outputs_, url, as_json=as_json)
        if not seen:
            console.say(words.left(found, url, goes_on=children.others_play()), err=True)
            sys.exit(common.INTERRUPTED)
    if found["status"] != "ended":
        sys.exit(1)


def _found(
    host: Host, tournament_id: str, progress: Progress, url: str | None, *, seen: bool
) -> JsonObject:
    """Return the report.

    ``seen`` is false if the user stopped watching before the tournament's end. If ``url`` then
    names a service, the result is the newest report that ``progress`` has. In all other cases, this
    function first waits for the bands of the ratings.
    """
    if not seen and url is not None and progress.found is not None:
        return progress.found
    try:
        return host.report(tournament_id, wait=True)
    except KeyboardInterrupt:
        console.say(words.unreported(tournament_id, url), err=True)
        sys.exit(common.INTERRUPTED)


def tell(
    host: Host, found: JsonObject, outputs_: tuple[Path, ...], url: str | None, *, as_json: bool
) -> None:
    """Print a report, and write the files that the user named."""
    for path in outputs_:
        outputs.write(
            path, found, partial(host.record, found["id"]), partial(host.games, found["id"])
        )
    if as_json:
        click.echo(orjson.dumps(found))
        return
    err = any(map(common.is_stdout, outputs_))
    console.show(words.table(found), err=err)
    console.say(words.seats(found), err=err)
    console.say(words.luck(found), err=err)
    if found["verdict"]:
        verdict = found["verdict"]
        told = f"{verdict['verdict'].replace('_', ' ').capitalize()}: {verdict['why']}."
        console.say(told, err=err)
    console.say(f"{found['id']}: {found['games']['played']} games, {found['status']}.", err=err)
    for line in (*words.ladder(found), *words.abandoned(found, url)):
        console.say(line, err=err)


# The requested tournament


def _from_file(file: Path | None) -> JsonObject:
    if file is None:
        return {}
    try:
        with as_path(file) as path:
            return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{file} is no TOML file: {error}.") from None


def entry_of(text: str) -> JsonObject:
    """Read ``bot``, ``bot:setting=value`` or ``name=bot:setting=value``."""
    bot, _, settings = text.strip().partition(":")
    name, equals, named = bot.partition("=")
    found: JsonObject = {"bot": named if equals else bot}
    if equals:
        found["name"] = name
    if settings:
        found["settings"] = pairs(settings.split(":"))
    return found


def pairs(given: Iterable[str]) -> JsonObject:
    """Read texts of the form ``name=value``; a value is JSON or a plain word. Raises Failure."""
    chosen: JsonObject = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals:
            raise Failure(f"A setting is written name=value, not {pair!r}.")
        try:
            chosen[name] = orjson.loads(text)
        except orjson.JSONDecodeError:
            chosen[name] = text
    return chosen


# The processes that play the tournament


class Children:
    """The child processes of this command, if any."""

    def __init__(
        self,
        launch: "Launch | None",
        count: int,
        others_play: Callable[[], bool],
    ) -> None:
        """Prepare ``count`` children; ``launch`` is None if there is nothing to run."""
        self._launch = launch
        self._count = count
        self.others_play = others_play
        """Whether somebody else plays tournaments there."""

    def __len__(self) -> int:
        return self._count

    def run_until(self, done: Callable[[], bool], clear: Callable[[], None]) -> bool:
        """Keep the children running until ``done`` is true.

        Return False if the user interrupts the command. ``clear`` is called before any message.
        """
        if self._launch is None:
            return _wait_until(done)
        seen = False

        def look() -> None:
            nonlocal seen
            if done():
                seen = True
                launcher.stop()

        def tell() -> None:
            clear()
            if self._count:
                console.say(words.ENDING, err=True)

        launcher = self._launch(look, tell)
        usual = signal.getsignal(signal.SIGINT)
        try:
            launcher.run()
        except GaveUpError as error:
            raise Failure(str(error)) from None
        # The cleanup after an interruption is quick, so a second Ctrl-C is ignored.
        signal.signal(signal.SIGINT, usual if seen else signal.SIG_IGN)
        return seen


Launch = Callable[[Callable[[], None], Callable[[], None]], Launcher]
"""Returns a launcher of children, from functions to call in each round and before the end."""


def _wait_until(done: Callable[[], bool]) -> bool:
    """Poll until ``done``; return False after an interruption."""
    try:
        while not done():
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        return False
    return True


@contextmanager
def host_of(
    url: str | None, key: str | None, workers: int | None
) -> Iterator[tuple[Host, Children]]:
    """Yield the tournament's host, and the child processes of this command.

    If other processes play the tournament, there are no child processes.
    """
    if url is not None:
        with service_at(url, key) as service:
            yield RemoteHost(service), Children(None, 0, lambda: True)
        return
    found = common.load_settings()
    if found.redis_url is None and (running := running_url(found.data_dir)) is not None:
        found = dataclasses.replace(found, redis_url=running, queue_redis_url=running)
    with local_host(found, workers, os.environ) as host_and_children:
        yield host_and_children


@contextmanager
def local_host(
    found: Settings, workers: int | None, environment: Mapping[str, str]
) -> Iterator[tuple[Host, Children]]:
    """Yield this machine as the host, and the child processes of this command.

    If the settings name no Redis, the command starts one. ``environment`` is that of the children.
    """
    logs.configure(dataclasses.replace(found, log_level="error"))
    server = None
    if found.redis_url is None:
        server = RedisServer(found.data_dir, found.appendfsync, found.redis_server)
        try:
            server.start()
        except RedisServerError as error:
            raise Failure(str(error)) from None
        found = dataclasses.replace(
            found, redis_url=server.url, queue_redis_url=found.queue_redis_url or server.url
        )
    try:
        runtime = open_for_play(found)
        yield LocalHost(runtime), _children(found, runtime, server, workers, environment)
    except (SettingsError, UnsuitableServerError) as error:
        raise Failure(str(error)) from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    finally:
        if server is not None:
            server.stop()


def _children(
    found: Settings,
    runtime: Runtime,
    server: RedisServer | None,
    workers: int | None,
    environment: Mapping[str, str],
) -> Children:
    """Return ``workers`` child processes that play tournaments.

    By default there is one for each processor, or none if a running service has workers for
    tournaments.
    """
    if workers is None:
        served = server is None and _others_play(runtime)
        workers = 0 if served else len(os.sched_getaffinity(0))
    missing = dataclasses.replace(found, tournament_workers=workers)
    # A person waits at the terminal, so a process that dies again and again is reported at once.
    children = [dataclasses.replace(one, vital=True) for one in tournament_workers(missing)]
    of_children = {
        "LONJA_LOG_LEVEL": "error",
        **environment,
        "REDIS_URL": found.redis_url or "",
        "LONJA_QUEUE_REDIS_URL": found.queue_redis_url or "",
    }

    keeper = None if server is None else Keeper(server)

    def launch(each_round: Callable[[], None], ending: Callable[[], None]) -> Launcher:
        def each() -> None:
            if keeper is None or keeper.look_after():
                each_round()

        return Launcher(children, of_children, each, ending=ending)

    if not children and keeper is None:
        return Children(None, 0, partial(_others_play, runtime))
    return Children(launch, workers, partial(_others_play, runtime))


def _others_play(runtime: Runtime) -> bool:
    found = Worker.all(connection=runtime.queue_redis, serializer=JSONSerializer)
    return any(TOURNAMENTS in worker.queue_names() for worker in found)
