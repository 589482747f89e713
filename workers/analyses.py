"""Makes analyses of finished games, a few rows at a time between other work."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

import structlog
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.events import Event
from rules.kernel.record.game import UnsoundEventError
from service.games.analyses import TRIES, Analyses, AnalysisProgress
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, RewoundError
from service.ledger.vault import VaultError
from service.process.limits import Limit, TookTooLongError
from service.runtime import Runtime
from workers.analysis import course
from workers.bots import UnknownBotError
from workers.deciding import TimeLimit
from workers.slices import Slice

log = structlog.get_logger(__name__)

SLICE_SECONDS = 0.2
"""Processor time after which an analysis pauses for other work, as soon as its current row is
finished."""

ROW_LIMIT = Limit(120.0)
"""Time limit of a row; if a row takes longer, the analysis fails. The slowest rows take a few
seconds.
"""

ASK_AGAIN_MS = 30_000
"""Time without progress after which an analysis is queued again."""

MOST_LEFT = 16
"""Number of unfinished analyses whose games are kept in memory, so that they continue quickly."""

PAGE = 500

_KNOWN = (
    GameNotFoundError,
    GameDamagedError,
    UnsoundEventError,
    UnknownRulesetError,
    UnknownBotError,
    VaultError,
)
"""Errors that give the reason why a game cannot be analysed here."""


class AnalysisWork:
    """Makes rows of analyses. Rows are deterministic, so two workers may make the same analysis."""

    def __init__(self, runtime: Runtime) -> None:
        self.stopping = False
        """When it is set, a slice ends after the present row."""
        self._runtime = runtime
        self._now = runtime.ledger.store.clock.now_ms
        self._kept: Analyses = runtime.analyses
        self._left: OrderedDict[str, _OpenAnalysis] = OrderedDict()

    def make(self, name: str) -> bool:
        """Continue an analysis for a while; return whether there is more to do."""
        asked = self._kept.find(name)
        if asked is None or not asked.is_open:
            return False
        try:
            with TimeLimit(ROW_LIMIT):
                return self._go_on(asked)
        except RedisError:
            raise  # the analysis is still pending, so the sweeper will find it
        except TookTooLongError as error:
            why = str(error)
        except RewoundError:
            return True
        except _KNOWN as error:
            why = str(error)
        except Exception as error:
            log.exception("analysis_failed", analysis=name)
            why = type(error).__name__
        log.warning("analysis_failed", analysis=name, why=why)
        self._kept.fail(asked, why)
        self._left.pop(name, None)
        return False

    def _go_on(self, asked: AnalysisProgress) -> bool:
        slice_ = Slice(SLICE_SECONDS)
        left = self._left.pop(asked.name, None)
        if left is None or left.done != asked.rows or left.asked_at != asked.asked_at:
            left = _OpenAnalysis(self._runtime, asked)
        while left.done < asked.steps:
            if not self._kept.begin(asked.name, self._heard()):
                self._kept.fail(asked, f"{TRIES} workers ended at its row {left.done + 1}")
                return False
            self._kept.add(asked.name, left.done, next(left.rows), self._heard())
            left.done += 1
            if left.done < asked.steps and (self.stopping or slice_.is_over()):
                self._leave(left)
                return True
        rows = self._kept.rows(asked.name)
        if not all("over" in row for row in rows):
            self._kept.fail(asked, "processes of two releases made it: it can be asked for again")
            return False
        found = course.conclude(left.events, self._runtime.registry, asked.holder, rows)
        self._kept.finish(asked, found)
        return False

    def _heard(self) -> int:
        return self._now() + ASK_AGAIN_MS

    def _leave(self, left: "_OpenAnalysis") -> None:
        self._left[left.name] = left
        if len(self._left) > MOST_LEFT:
            self._left.popitem(last=False)


class _OpenAnalysis:
    """An analysis that is under way in this process."""

    def __init__(self, runtime: Runtime, asked: AnalysisProgress) -> None:
        self.name = asked.name
        self.asked_at = asked.asked_at
        self.done = asked.rows
        self.events = _events(runtime, asked.game_id)
        self.rows: Iterator[JsonObject] = course.rows(
            asked.game_id, self.events, runtime.registry, asked.holder, asked.rows
        )


def _events(runtime: Runtime, game_id: str) -> Sequence[Event]:
    game, _secrets, damage = runtime.ledger.table(game_id)
    if damage is not None:
        raise GameDamagedError(game_id, damage)
    events: list[Event] = []
    while len(events) < game.version:
        page = runtime.ledger.history(game, len(events), min(PAGE, game.version - len(events)))
        events += [event for event, _prev_hash in page]
    return events
