"""The parts of one process of the service: of a web process, a worker, or a command."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from redis import Redis

from rules.kernel.contract.registry import Registry
from rules.kernel.record.game import Game
from service.archive.index import INDEX, PackIndex
from service.archive.past import PackReader
from service.archive.past_lists import PackLists
from service.archive.places import files_at
from service.beacons.chains import ChainError
from service.beacons.sources import OfferedChain, read_sources
from service.catalogue import bots
from service.catalogue.bots import BotOffer
from service.catalogue.rulesets import open_registry
from service.games.analyses import Analyses
from service.games.commands import TableCommands
from service.games.hints import Hints
from service.ledger.ledger import Ledger, is_live
from service.ledger.past import PastStore
from service.ledger.places import PACKS
from service.ledger.store import Store, switch_warning
from service.ledger.vault import Vault
from service.records.receipts import Signer
from service.redis.client import blocking_client, check_server, make_client, refuse_cluster
from service.redis.format import check_format
from service.redis.health import Health
from service.redis.keys import BACKED_UP
from service.settings import Settings, SettingsError
from service.skill.host_rows import HostRows
from service.skill.ratings import PlayerRatings
from service.tournaments.director import Director
from service.tournaments.global_ratings import GlobalRatings
from service.tournaments.report_store import Reports
from service.tournaments.standing import TournamentStandings
from service.turns.queue import Jobs
from service.webhooks.browsers import Browsers
from service.webhooks.notifications import Notifications
from service.webhooks.records import Webhooks
from service.webhooks.subscriptions import PushSubscriptions

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of a process, wired together by ``open_runtime``."""

    settings: Settings
    redis: Redis
    blocking_redis: Redis
    queue_redis: Redis
    health: Health
    registry: Registry
    ledger: Ledger
    tables: TableCommands
    bots: Mapping[str, BotOffer]
    director: Director
    standings: TournamentStandings
    reports: Reports
    ratings: GlobalRatings
    player_ratings: PlayerRatings
    host_rows: HostRows | None
    """The rows of rated games on this host; None without an archive."""
    jobs: Jobs
    signer: Signer
    webhooks: Webhooks
    browsers: Browsers
    analyses: Analyses
    hints: Hints
    beacons: Mapping[str, OfferedChain]
    """The chains of beacons that tables may choose, by their hashes."""


def open_runtime(settings: Settings, *, announce: bool = True, restoring: bool = False) -> Runtime:
    """Connect to the Redis that ``settings`` name and wire the parts.

    With ``announce``, the ledger queues a job after an append if a bot has to move next. A worker
    needs no such job, because it plays on by itself. A partly restored store can only be opened
    with ``restoring``.

    Raises:
        SettingsError: no Redis is named, an extension cannot be installed, or LONJA_BEACONS names
            no beacons.
        UnsuitableServerError: the Redis holds games of another format, or is a cluster.
        redis.exceptions.ConnectionError: there is no server.
    """
    if settings.redis_url is None or settings.queue_redis_url is None:
        raise SettingsError("REDIS_URL is missing: set it to the URL of a Redis.")
    redis = make_client(settings.redis_url)
    refuse_cluster(redis)
    if not restoring:
        check_format(redis)
    queue_redis = make_client(settings.queue_redis_url)
    registry = open_registry(settings)
    offers = bots.installed(settings)
    jobs = Jobs(queue_redis, offers, settings.bot_budget)
    vault = Vault(settings.secrets_key)
    store = _store(redis, vault, settings)
    signer = Signer.of(redis)
    director = Director(store, jobs.play_tournament)
    standings = TournamentStandings(store)

    def look_again(redis: Redis) -> None:
        signer.look_again(redis)
        store.note_replicas()
        # A new store counts as backed up, because it holds nothing.
        redis.set(BACKED_UP, store.clock.now_ms(), nx=True)

    def play_on(game: Game) -> None:
        if is_live(game):
            jobs.play_automatic_seats(game)
        else:
            director.play_on(game.created_by["tournament"])

    on_append = play_on if announce else _say_nothing
    ledger = Ledger(store, registry, on_append=on_append)
    has_archive = settings.archive is not None
    host_rows = HostRows(redis, store.past_lists, settings.data_dir) if has_archive else None
    return Runtime(
        settings=settings,
        redis=redis,
        blocking_redis=blocking_client(settings.redis_url),
        queue_redis=queue_redis,
        health=Health(redis, settings.appendfsync, settings.redis_memory_mark, look_again),
        registry=registry,
        ledger=ledger,
        tables=TableCommands(ledger),
        bots=offers,
        director=director,
        standings=standings,
        reports=Reports(store),
        ratings=GlobalRatings(redis, director, standings, registry, offers, settings.rating_hosts),
        player_ratings=PlayerRatings(redis, store.past_lists, host_rows),
        host_rows=host_rows,
        jobs=jobs,
        signer=signer,
        webhooks=Webhooks(redis, vault, store.clock.now_ms),
        browsers=Browsers(
            redis,
            PushSubscriptions(redis, vault, store.clock.now_ms),
            Notifications(ledger),
            settings.push_contact,
        ),
        analyses=Analyses(redis, store.clock.now_ms),
        hints=Hints(redis, store.clock.now_ms),
        beacons=_beacons(settings),
    )


def _store(redis: Redis, vault: Vault, settings: Settings) -> Store:
    if settings.archive is None:
        if redis.exists(PACKS):
            raise SettingsError(
                "Games of this Redis have left it: set LONJA_ARCHIVE to the folder of their packs."
            )
        return Store(redis, vault, replicas=settings.replicas_to_wait)
    files = files_at(settings.archive, settings.archive_keys)
    return PastStore(
        redis,
        vault,
        replicas=settings.replicas_to_wait,
        past=PackReader(redis, files),
        past_lists=PackLists(redis, files, PackIndex(settings.data_dir / INDEX)),
    )


def open_for_play(settings: Settings, *, announce: bool = True) -> Runtime:
    """Do the same as ``open_runtime``, for a process in which people and bots play.

    Raises:
        UnsuitableServerError: the Redis would lose or refuse events.
    """
    runtime = open_runtime(settings, announce=announce)
    for warning in check_server(runtime.redis, settings.appendfsync).warnings:
        log.warning("server_unchecked", reason=warning)
    may_lose = switch_warning(runtime.redis, settings.replicas_to_wait)
    if may_lose is not None:
        log.warning("switch_may_lose", reason=may_lose)
    return runtime


def _beacons(settings: Settings) -> Mapping[str, OfferedChain]:
    path = settings.beacons
    try:
        return {} if path is None else read_sources(path)
    except ChainError as error:
        raise SettingsError(f"LONJA_BEACONS: {path} cannot be used: {error}.") from None


def _say_nothing(_game: Game) -> None:
    """Do nothing: the process that appended the events plays the bots' next moves by itself."""
