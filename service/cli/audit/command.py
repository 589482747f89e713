"""The options of ``lonja audit``, and what it prints."""

import hashlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from math import inf
from pathlib import Path

import click
import orjson
from platformdirs import user_data_path

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms
from service.auditing import state as memory
from service.auditing.book import Book
from service.cli import console, parameters, witnessed
from service.cli.audit import page as pages
from service.cli.audit import telling
from service.cli.audit.asking import PATIENCE_SECONDS, Service
from service.cli.audit.run import Run, WrongLogError
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.cli.logs import is_url, opened_log, read_log_keys, service_of
from service.cli.verify import read_key
from service.tlog.checkpoints import OpenedCheckpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.notes import MOST_BYTES
from service.tlog.reading import read_checkpoint
from service.tlog.rotations import followed

_OLDER = (
    "what is new in the log, because it is older here than what you saw before. Perhaps a proxy"
    " keeps old files: run the audit again."
)


@click.command("audit", short_help="Audit the public log of a service, and all games in it.")
@click.argument("log")
@click.option(
    "--log-key",
    "log_keys",
    multiple=True,
    required=True,
    metavar="KEY",
    callback=read_log_keys,
    help="A key of `lonja log key`, from a source that you trust. Give both.",
)
@witnessed.options
@click.option(
    "--public-key",
    metavar="KEY",
    callback=read_key,
    help="The service's key, from a source that you trust: every record must be signed by it.",
)
@click.option(
    "--service",
    metavar="URL",
    help="The service whose log it is, if LOG is a folder or a mirror; else nobody is asked.",
)
@click.option(
    "--state",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    show_default="a folder of yours for each log",
    help="The folder of what you saw before, and of evidence.",
)
@click.option(
    "--seen",
    multiple=True,
    type=parameters.input_file(),
    metavar="FILE",
    help="A checkpoint that somebody else got from the log: both must have seen one log.",
)
@click.option("--no-records", is_flag=True, help="Verify no records of games.")
@click.option(
    "--rate",
    type=click.FloatRange(0.1),
    default=10.0,
    show_default=True,
    metavar="N",
    help="The maximum number of requests a second for games and records.",
)
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=150.0,
    show_default=True,
    metavar="S",
    help="The time that the log gets to confess a loss before it counts as something else, and that"
    " witnesses get to co-sign.",
)
@click.option("--webhook", metavar="URL", help="Post the page there if there is anything new.")
@click.option(
    "--metrics",
    type=parameters.OUTPUT_FILE,
    metavar="FILE",
    help="Write figures for the textfile collector of Prometheus's node exporter.",
)
@parameters.json_option
def command(
    log: str,
    log_keys: tuple[VerifierKey, ...],
    witness_keys: tuple[VerifierKey, ...],
    quorum: int | None,
    policy: Path | None,
    public_key: str | None,
    service: str | None,
    folder: Path | None,
    seen: tuple[Path, ...],
    rate: float,
    wait: float,
    webhook: str | None,
    metrics: Path | None,
    *,
    no_records: bool,
    as_json: bool,
) -> None:
    """Find out whether a service keeps one history, as a stranger: LOG is a URL or a folder.

    It follows the public log from where the last audit ended, and asks the service what became of
    every game and tournament in it. Whatever is over is downloaded and verified, once. It remembers
    what it saw, so the service cannot go back on it. A stopped audit goes on where it was; run it
    once a day, and it is a monitor.

    The exit code is 0 if all is well, 1 if the service did what no honest service does, 2 if the
    log cannot be read, and 3 if not everything could be looked at. It is 130 after an interruption.
    What the log itself says is lost does not change it.
    """
    trusted = witnessed.wanted(witness_keys, quorum, policy)
    log_keys = witnessed.log_keys(log_keys, trusted)
    _need_one_log(log_keys)
    opener = _opener(_followed(log, log_keys))
    others = [(str(file), _seen(file, opener)) for file in seen]
    url = service or (service_of(log) if is_url(log) else None)
    place = folder or _default_folder(log_keys)
    now = int(time.time())
    with ExitStack() as stack:
        state = _entered(stack, place)
        read = stack.enter_context(opened_log(log, inf, PATIENCE_SECONDS))
        asked = None if url is None else stack.enter_context(_service(url, rate))
        book = Book(state, now)
        before = state.known("verdict")
        run = Run(state, book, read, lambda: opener(read_checkpoint(read)), trusted)
        unseen = _audited(run, others, asked, public_key, wait, with_records=not no_records)
        told = pages.RunSummary(
            run.followed, [*unseen, *_stale(run, now, log)], now, asked is not None, trusted
        )
        page = pages.told(state, book, told)
        state.know(verdict=page["verdict"])
    _print(page, as_json=as_json)
    if metrics is not None:
        telling.write_metrics(metrics, page)
    if webhook is not None and telling.is_news(page, before):
        telling.post(webhook, page, pages.summary(page))
    sys.exit(pages.EXIT_CODES[page["verdict"]])


Opener = Callable[[bytes], OpenedCheckpoint]
"""Opens a checkpoint, by the keys of its log. Raises TlogError."""


def _need_one_log(keys: Sequence[VerifierKey]) -> None:
    if len({key.name for key in keys if key.algorithm is Algorithm.ED25519}) != 1:
        raise click.UsageError("Name the keys of one log (--log-key), as `lonja log key` does.")


def _opener(keys: Sequence[VerifierKey]) -> Opener:
    logs = [key for key in keys if key.algorithm is Algorithm.ED25519]
    times = [key for key in keys if key.algorithm is Algorithm.COSIGNATURE_V1]
    return lambda raw: open_checkpoint(raw, logs, times)


def _default_folder(keys: Sequence[VerifierKey]) -> Path:
    """Return the folder of what this user saw of a log, which its key names."""
    key = next(key for key in keys if key.algorithm is Algorithm.ED25519)
    name = hashlib.sha256(str(key).encode()).hexdigest()[:16]
    return user_data_path("lonja", appauthor=False) / "audits" / name


def _seen(file: Path, opener: Opener) -> OpenedCheckpoint:
    try:
        with as_path(file) as path, path.open("rb") as opened:
            return opener(opened.read(MOST_BYTES + 1))
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    except TlogError as error:
        raise Failure(f"{file} is no checkpoint of this log: {error}.") from None


def _followed(log: str, keys: Sequence[VerifierKey]) -> Sequence[VerifierKey]:
    """Return the keys of a log, and those that its rotations bind to them.

    Raise Failure at once if there is no such log; later, more patience is in place.
    """
    with opened_log(log) as read:
        try:
            found = followed(keys, read)
            _opener(found)(read_checkpoint(read))
        except TlogError as error:
            raise Failure(f"The log cannot be read: {error}.") from None
        return found


def _entered(stack: ExitStack, folder: Path) -> memory.State:
    try:
        return stack.enter_context(memory.opened(folder))
    except memory.StateError as error:
        raise Failure(f"{error} Name another folder (--state).") from None


@contextmanager
def _service(url: str, rate: float) -> Iterator[Service]:
    try:
        service = Service(url, rate)
    except ValueError as error:
        raise Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    with closing(service):
        yield service


def _audited(
    run: Run,
    others: Sequence[tuple[str, OpenedCheckpoint]],
    service: Service | None,
    public_key: str | None,
    wait: float,
    *,
    with_records: bool,
) -> list[str]:
    """Return what could not be looked at. Raises Failure: it is no log of these keys."""
    with console.progress(auto_refresh=False) as progress:
        try:
            if not (run.follow(progress) and run.await_quorum(wait, progress)):
                return _unfollowed(run)
            newer = run.compare(others)
            if service is not None:
                run.ask(service, public_key, wait, progress, with_records=with_records)
        except TlogError as error:
            raise Failure(f"The log cannot be read: {error}.") from None
        except WrongLogError as error:
            raise Failure(f"The folder (--state) is of another log, {error}.") from None
    unseen = [
        f"{name} is newer than the log that is served here, so somebody saw more of it."
        for name in newer
    ]
    if run.silent:
        unseen.append(f"the service does not answer: {run.silent}.")
    return unseen


def _unfollowed(run: Run) -> list[str]:
    if run.followed is not None and run.followed.is_older:
        return [_OLDER]
    return ["the games in the log, because it cannot be followed."]


def _stale(run: Run, now: int, log: str) -> list[str]:
    """Return what is missing if the log of a service stands still."""
    at = run.followed and run.followed.at
    if not is_url(log) or at is None or now - at < pages.STALE_SECONDS:
        return []
    return [f"what happened since {from_ms(1000 * at)}: the log stands still since then."]


def _print(page: JsonObject, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(page))
        return
    for line in pages.lines(page):
        console.say(line)
