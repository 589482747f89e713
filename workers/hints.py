"""Makes hints: one turn of a worker for each."""

import structlog
from redis.exceptions import RedisError

from rules.kernel.contract.registry import UnknownRulesetError
from service.games.analyses import TRIES, AnalysisProgress
from service.games.hints import decision_of
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.vault import VaultError
from service.process.limits import TookTooLongError
from service.runtime import Runtime
from workers.analysis.hint import LIMIT, hint
from workers.bots import UnknownBotError
from workers.deciding import TimeLimit

log = structlog.get_logger(__name__)

ASK_AGAIN_MS = 10_000
"""Time without an answer after which a hint is queued again."""

GONE = "the decision is no longer open"

_KNOWN = (
    GameNotFoundError, GameDamagedError, UnknownRulesetError, UnknownBotError, VaultError,
    TookTooLongError,
)  # fmt: skip
"""Errors that give the reason why there is no hint."""


class HintWork:
    """Makes hints. A hint is deterministic, so two workers may make the same one."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._now = runtime.ledger.store.clock.now_ms
        self._kept = runtime.hints

    def make(self, name: str) -> None:
        """Make a hint that was requested; do nothing if it is there already."""
        asked = self._kept.find(name)
        if asked is None or not asked.is_open:
            return
        if not self._kept.begin(name, self._now() + ASK_AGAIN_MS):
            self._kept.fail(asked, f"{TRIES} workers ended at it")
            return
        try:
            with TimeLimit(LIMIT):
                self._make(asked)
        except RedisError:
            raise  # the hint is still pending, so the sweeper will find it
        except _KNOWN as error:
            log.warning("hint_failed", hint=name, why=str(error))
            self._kept.fail(asked, str(error))
        except Exception as error:
            log.exception("hint_failed", hint=name)
            self._kept.fail(asked, type(error).__name__)

    def _make(self, asked: AnalysisProgress) -> None:
        """Make a hint from the game as it was when the seat was asked."""
        ledger, (seat, decision) = self._runtime.ledger, decision_of(asked)
        game, _secrets, damage = ledger.table(asked.game_id)
        if damage is not None:
            raise GameDamagedError(asked.game_id, damage)
        then = ledger.earlier(game, decision) if decision <= game.version else None
        if then is None or then.asked.get(seat) != decision:  # the store has lost events
            self._kept.fail(asked, GONE)
        else:
            self._kept.finish(asked, hint(then, seat, asked.holder))
