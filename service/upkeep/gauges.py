"""A survey's figures for Prometheus: gauges that are read at the scrape.

Every process reports for the whole installation, so several scraped processes report equal values:
use ``max`` over them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from service.upkeep.survey import Queue, Replica, StoreFigures, Survey, Surveyor

P = TypeVar("P")


class Family(NamedTuple):
    """A metric: ``read`` returns its value, or its values by ``label``; None if unknown."""

    name: str
    help: str
    read: Callable[[Survey], float | Mapping[str, float] | None]
    label: str | None = None
    type: Any = GaugeMetricFamily

    def of(self, survey: Survey) -> Metric:
        """Return the metric in Prometheus's form, with its current values."""
        made: Any = self.type(self.name, self.help, labels=[self.label] if self.label else [])
        told = self.read(survey)
        if isinstance(told, Mapping):
            for value, number in told.items():
                made.add_metric([value], number)
        elif told is not None:
            made.add_metric([], told)
        found: Metric = made
        return found


class _Part(Generic[P]):
    """Makes the families for a part of the survey; without the part, their values are unknown."""

    def __init__(self, of: Callable[[Survey], P | None]) -> None:
        self._of = of

    def __call__(
        self,
        name: str,
        help_: str,
        read: Callable[[P], float | Mapping[str, float] | None],
        label: str | None = None,
        kind: Any = GaugeMetricFamily,
    ) -> Family:
        def read_part(survey: Survey) -> float | Mapping[str, float] | None:
            part = self._of(survey)
            return None if part is None else read(part)

        return Family(name, help_, read_part, label, kind)


_store = _Part(lambda survey: survey.store)
_disk = _Part(lambda survey: survey.disk)
_owed = _Part(lambda survey: survey.owed)
_games = _Part(lambda survey: survey.games)
_public_log = _Part(lambda survey: survey.public_log)


def _queue(name: str, help_: str, read: Callable[[Queue], float | None]) -> Family:
    def by_queue(survey: Survey) -> Mapping[str, float]:
        told = ((queue.name, read(queue)) for queue in survey.queues or ())
        return {name: number for name, number in told if number is not None}

    return Family(name, help_, by_queue, "queue")


FAMILIES = (
    Family(
        "lonja_survey_seconds",
        "Duration of a survey, which reads all of these figures.",
        lambda s: s.seconds,
    ),
    Family(
        "lonja_store_up",
        "1 if the Redis that holds the events answers a survey, else 0.",
        lambda s: s.store is not None,
    ),
    _store(
        "lonja_store_ping_seconds",
        "Duration of a PING to the store's server.",
        lambda s: s.ping_seconds,
    ),
    _store(
        "lonja_store_uptime_seconds",
        "Time since the start of the store's server.",
        lambda s: s.uptime_seconds,
    ),
    _store("lonja_store_clients", "Open connections of the store's server.", lambda s: s.clients),
    _store(
        "lonja_store_commands",
        "Commands that the store's server has run.",
        lambda s: s.commands,
        kind=CounterMetricFamily,
    ),
    _store(
        "lonja_store_fork_seconds",
        "Pause of the store's server for its last fork, for example to rewrite its log.",
        lambda s: s.fork_seconds,
    ),
    _store("lonja_store_aof_bytes", "Size of the append-only file.", lambda s: s.aof_bytes),
    _store(
        "lonja_store_aof_delayed",
        "Writes to the append-only file that had to wait for the disk (everysec).",
        lambda s: s.aof_delays,
        kind=CounterMetricFamily,
    ),
    _store(
        "lonja_store_aof_written",
        "1 if the last write to the append-only file succeeded, else 0.",
        lambda s: s.aof_written,
    ),
    _store("lonja_store_replicas", "Replicas that are in step.", lambda s: len(_online(s))),
    _store(
        "lonja_store_replicas_wanted",
        "Replicas that must hold an event before it is acknowledged.",
        lambda s: s.replicas_wanted,
    ),
    _store(
        "lonja_store_replica_lag_bytes",
        "Bytes by which the slowest replica in step is behind.",
        lambda s: max((one.lag_bytes for one in _online(s)), default=0),
    ),
    _store(
        "lonja_store_replica_silent_seconds",
        "Time since the most silent replica in step was heard of.",
        lambda s: max((one.lag_seconds or 0 for one in _online(s)), default=0),
    ),
    _disk(
        "lonja_data_free_bytes",
        "Free space on the disk of the data folder, if the embedded Redis runs.",
        lambda d: d.free,
    ),
    _disk("lonja_data_size_bytes", "Size of the disk of the data folder.", lambda d: d.size),
    _store(
        "lonja_backup_age_seconds",
        "Age of the newest backup, or without one of the store.",
        lambda s: s.backup_age,
    ),
    _owed("lonja_due", "Games and tournaments that wait for workers.", lambda o: o.due),
    _owed(
        "lonja_due_age_seconds",
        "Time for which the oldest due game or tournament was found by no sweep.",
        lambda o: o.due_age,
    ),
    _owed("lonja_deadlines", "Games with a running clock.", lambda o: o.deadlines),
    _owed(
        "lonja_deadline_age_seconds",
        "Time since the oldest deadline passed.",
        lambda o: o.deadline_age,
    ),
    _owed(
        "lonja_webhooks_waiting",
        "Webhooks with unsent messages, and players whose notices no sender has seen yet.",
        lambda o: o.webhooks,
    ),
    _owed(
        "lonja_webhooks_age_seconds",
        "Time for which the oldest unsent message has waited.",
        lambda o: o.webhook_age,
    ),
    _owed(
        "lonja_sender_silent_seconds",
        "Time since a sender of webhooks was last heard of.",
        lambda o: o.sender_silent,
    ),
    _owed(
        "lonja_following_age_seconds",
        "Age of the oldest batch that a consumer has not processed yet.",
        lambda o: o.following,
        "consumer",
    ),
    _games(
        "lonja_games",
        "Games in the lists of the store, by status.",
        lambda g: g.by_status,
        "status",
    ),
    _games("lonja_tournaments", "Tournaments in the lists.", lambda g: g.tournaments),
    _games(
        "lonja_games_damaged",
        "Games that are suspended because their stream is damaged.",
        lambda g: g.damaged,
    ),
    _games(
        "lonja_games_archived",
        "Games that have left the store, and are read in packs.",
        lambda g: g.archived,
    ),
    _games(
        "lonja_games_taken_aside",
        "Streams that were taken aside, because a pack had the end of a game that went on.",
        lambda g: g.taken_aside,
        kind=CounterMetricFamily,
    ),
    _games(
        "lonja_archive_run_age_seconds",
        "Time since the beginning of the last run of `lonja archive move` that ended, if any did.",
        lambda g: g.archive_age,
    ),
    _games(
        "lonja_archive_refused",
        "Games and tournaments that stayed in that run, because something is wrong with them.",
        lambda g: g.refused,
    ),
    _games(
        "lonja_archive_scrub_age_seconds",
        "Time since the beginning of the last run of `lonja archive scrub` that ended, if any did.",
        lambda g: g.scrub_age,
    ),
    _games(
        "lonja_archive_lost",
        "Packs and files beside them that were not whole after that, in each place.",
        lambda g: g.lost,
    ),
    _games(
        "lonja_archive_healed",
        "Packs and files beside them that were lost, and were healed from a copy.",
        lambda g: g.healed,
        kind=CounterMetricFamily,
    ),
    _public_log(
        "lonja_public_log_age_seconds",
        "Age of the newest checkpoint of the public log, which is made once an hour or more often.",
        lambda p: p.age,
    ),
    _public_log(
        "lonja_public_log_behind_seconds",
        "Age of the oldest batch that the public log may lack.",
        lambda p: p.behind,
    ),
    _public_log(
        "lonja_public_log_unwitnessed_seconds",
        "Time for which the newest checkpoint of the public log lacks its witnesses' quorum.",
        lambda p: p.unwitnessed,
    ),
    _public_log(
        "lonja_public_log_witnesses_refusing",
        "Witnesses that have seen another history of the public log, or have lost their state.",
        lambda p: sum(one.refuses for one in p.witnesses),
    ),
    Family(
        "lonja_admin_acts",
        "Acts of admins in the journal, by act, on the host or over HTTP.",
        lambda s: {} if s.acts is None else s.acts,
        "act",
        CounterMetricFamily,
    ),
    Family(
        "lonja_child_restarts",
        "Restarts of each child of lonja serve, and of its Redis.",
        lambda s: {one.child: one.times for one in s.restarts or ()},
        "child",
        CounterMetricFamily,
    ),
    Family(
        "lonja_queue_up",
        "1 if the Redis of the queues answers a survey, else 0.",
        lambda s: s.queues is not None,
    ),
    _queue(
        "lonja_turns_waiting", "Games or tournaments that wait for a turn.", lambda q: q.waiting
    ),
    _queue("lonja_queue_jobs", "Jobs that call workers to a queue.", lambda q: q.jobs),
    _queue(
        "lonja_queue_age_seconds",
        "Time for which a queue's oldest job has waited for a worker.",
        lambda q: q.age,
    ),
    _queue(
        "lonja_workers", "Workers of a queue that were heard of recently.", lambda q: len(q.alive)
    ),
    _queue(
        "lonja_worker_silent_seconds",
        "Time since the most silent worker that RQ knows was heard of.",
        lambda q: max((one.beat_age for one in q.workers), default=None),
    ),
)


def _online(store: StoreFigures) -> list[Replica]:
    return [one for one in store.replicas if one.state == "online"]


class Gauges(Collector):
    """Reports a surveyor's figures."""

    def __init__(self, surveyor: Surveyor) -> None:
        self._surveyor = surveyor

    def collect(self) -> Iterator[Metric]:
        """Yield all gauges."""
        survey = self._surveyor.latest()
        for family in FAMILIES:
            yield family.of(survey)
