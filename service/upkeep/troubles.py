"""Finds the faults of an installation in a survey.

Each fault has the same name as the alert for it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from service.catalogue.bots import HEAVY, LIVE
from service.process.launcher import cause_of
from service.turns.queue import TOURNAMENTS
from service.upkeep.restarts import ChildRestarts
from service.upkeep.survey import (
    Backlog,
    Disk,
    GameCounts,
    PublicLogFigures,
    Queue,
    StoreFigures,
    Survey,
)

LATE_SECONDS = 60
"""Delay above which a due turn, or a job on the live queue, is late."""

RESTARTS_IN_A_ROW, LATELY_SECONDS = 3, 600.0
"""If a child ended this often in a row, and last within these seconds, it does not work."""

FREE_SHARE = 0.1
"""Minimum free share of the disk with the data folder."""


BACKUP_DAYS = 2
"""Maximum age of the newest backup in days; backups should be daily."""

ARCHIVE_DAYS = 3
"""Maximum age of the last run in which games left the store in days; runs are daily."""

LOG_BEHIND_SECONDS, LOG_SILENT_SECONDS = 300, 7_200
"""Maximum delay of the public log, and age of its checkpoint; an idle log has one an hour."""

TURNS_WAIT = {
    LIVE: ("LonjaTurnsWait", LATE_SECONDS),
    HEAVY: ("LonjaHeavyTurnsWait", 600),
    TOURNAMENTS: ("LonjaTournamentTurnsWait", 1800),
}
"""Maximum wait of a job by queue; it is longer for tournaments, which call many workers at once."""


class Trouble(NamedTuple):
    """A fault, with the name of its alert and a detail for the operator."""

    alert: str
    detail: str


def troubles(survey: Survey) -> Iterator[Trouble]:
    """Yield the faults."""
    if survey.store is None:
        yield Trouble("LonjaStoreUnfit", "the Redis that holds the events does not answer")
    else:
        yield from _of_the_store(survey.store)
    if survey.disk is not None:
        yield from _of_the_disk(survey.disk)
    if survey.owed is not None:
        yield from _of_what_is_owed(survey.owed)
    if survey.games is not None:
        yield from _of_games(survey.games)
    if survey.public_log is not None:
        yield from _of_the_public_log(survey.public_log)
    for one in survey.restarts or ():
        yield from _of_a_child(one)
    if survey.queues is None:
        yield Trouble("LonjaQueueDown", "the Redis of the queues does not answer")
    for queue in survey.queues or ():
        yield from _of_a_queue(queue)


def _of_the_store(store: StoreFigures) -> Iterator[Trouble]:
    if 0 < store.memory_mark <= store.memory:
        detail = f"it uses {store.memory} bytes of memory, and its mark is {store.memory_mark}"
        yield Trouble("LonjaMemoryMark", detail)
    online = sum(one.state == "online" for one in store.replicas)
    if online < store.replicas_wanted:
        detail = f"{online} replicas are in step, and {store.replicas_wanted} must hold an event"
        yield Trouble("LonjaTooFewReplicas", detail)
    days = (store.backup_age or 0.0) / 86_400
    if days > BACKUP_DAYS:
        yield Trouble("LonjaBackupOld", f"there is no backup that is newer than {days:.1f} days")


def _of_the_disk(disk: Disk) -> Iterator[Trouble]:
    if disk.free < FREE_SHARE * disk.size:
        yield Trouble("LonjaDiskNearlyFull", f"{disk.free} bytes of {disk.size} are free")


def _of_what_is_owed(owed: Backlog) -> Iterator[Trouble]:
    if owed.due_age > LATE_SECONDS:
        detail = f"no sweep has looked after the oldest of {owed.due} for {owed.due_age:.0f} s"
        yield Trouble("LonjaDueTooOld", detail)
    if owed.webhooks and owed.sender_silent > LATE_SECONDS:
        detail = f"no sender of webhooks was heard of for {owed.sender_silent:.0f} s"
        yield Trouble("LonjaSenderSilent", detail)
    for consumer, age in owed.following.items():
        if age > LATE_SECONDS:
            detail = f"{consumer} have not followed for {age:.0f} s what happens in the games"
            yield Trouble("LonjaFollowerBehind", detail)


def _of_games(games: GameCounts) -> Iterator[Trouble]:
    if games.damaged:
        yield Trouble("LonjaGamesDamaged", f"games with a damaged stream: {games.damaged}")
    days = (games.archive_age or 0.0) / 86_400
    if days > ARCHIVE_DAYS:
        yield Trouble("LonjaArchiveBehind", f"no games have left the store for {days:.1f} days")
    if games.refused:
        detail = f"games and tournaments that cannot be put into packs: {games.refused}"
        yield Trouble("LonjaArchiveRefused", detail)
    days = (games.scrub_age or 0.0) / 86_400
    if days > ARCHIVE_DAYS:
        yield Trouble("LonjaArchiveUnscrubbed", f"no packs were read again for {days:.1f} days")
    if games.lost:
        detail = f"packs and files beside them that are not whole: {games.lost}"
        yield Trouble("LonjaArchiveLost", detail)


def _of_the_public_log(found: PublicLogFigures) -> Iterator[Trouble]:
    if found.behind > LOG_BEHIND_SECONDS:
        detail = f"the public log lacks what happened in the last {found.behind:.0f} s"
        yield Trouble("LonjaPublicLogBehind", detail)
    if found.age is not None and found.age > LOG_SILENT_SECONDS:
        detail = f"the newest checkpoint of the public log is {found.age:.0f} s old"
        yield Trouble("LonjaPublicLogSilent", detail)
    if found.unwitnessed > LOG_BEHIND_SECONDS:
        detail = f"too few witnesses have co-signed the public log for {found.unwitnessed:.0f} s"
        yield Trouble("LonjaPublicLogUnwitnessed", detail)
    for one in found.witnesses:
        if one.refuses:
            yield Trouble("LonjaPublicLogRefused", f"the witness {one.name}: {one.why}")


def _of_a_child(one: ChildRestarts) -> Iterator[Trouble]:
    if one.in_a_row >= RESTARTS_IN_A_ROW and one.age < LATELY_SECONDS:
        detail = (
            f"{one.child} on {one.host} has ended {one.in_a_row} times in a row, lately with"
            f" {cause_of(one.code)}, {one.age:.0f} s ago"
        )
        yield Trouble("LonjaChildRestarts", detail)


def _of_a_queue(queue: Queue) -> Iterator[Trouble]:
    if not queue.alive and (queue.name == LIVE or queue.waiting):
        yield Trouble("LonjaNoWorker", f"the queue {queue.name} has no worker that is alive")
    alert, most = TURNS_WAIT[queue.name]
    if queue.age > most:
        detail = f"a job on the queue {queue.name} has waited {queue.age:.0f} s for a worker"
        yield Trouble(alert, detail)
