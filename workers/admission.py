"""The admission of games and tournaments that workers begin."""

from service.games.admission import Admission
from service.games.listing import GameList
from service.runtime import Runtime


def admission_of(runtime: Runtime) -> Admission:
    """Return the admission of a runtime's store."""
    redis, ledger = runtime.redis, runtime.ledger
    games = GameList(redis, ledger)
    return Admission(
        redis, ledger.store, games, runtime.director, runtime.health, runtime.settings, runtime.jobs
    )
