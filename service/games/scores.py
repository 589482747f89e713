"""The scores in the course of a finished game: what each side would have had at an earlier end."""

from collections.abc import Iterator
from typing import NamedTuple

from rules.kernel.contract.scores import scores_now
from rules.kernel.record.game import Game, counting
from service.ledger.ledger import Ledger
from service.process.fair_queue import paced


class ScoresAfter(NamedTuple):
    """The scores after the event ``seq``, in the order of ``sides_of``."""

    seq: int
    scores: list[int]


def sides_of(game: Game) -> list[str]:
    """Return the sides in the order of the result; only the seats if there is no result."""
    if game.result is None:
        return [f"seat:{seat}" for seat in range(len(game.seats))]
    return [standing["side"] for standing in game.result["standings"]]


def course_of(ledger: Ledger, game: Game, after: int, limit: int) -> Iterator[ScoresAfter]:
    """Yield the scores after each of up to ``limit`` events after ``after`` that changed them.

    The first event yields its scores even if it changed none. Events that were taken back are left
    out. The scores count what was hidden, so the game must be over.
    """
    history = ledger.history(game, 0, game.version)
    counted = {event.seq for event in counting(event for event, _prev_hash in history)}
    sides, last = len(sides_of(game)), None
    for moment in paced(ledger.moments(game, after, limit)):
        then = moment.game
        if moment.event.seq not in counted or then.state is None:
            continue
        scores = scores_now(then.ruleset, then.state, sides)
        if scores is None:
            return
        if scores != last:
            yield ScoresAfter(moment.event.seq, scores)
        last = scores
