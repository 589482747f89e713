"""How much a long tournament costs at its end, compared with its beginning; no game is played."""

import time
from collections.abc import Iterator

from rules.kernel.proof.newer import UnknownParts
from service.tournaments.record.course_checks import Course
from tests.service.tournaments.held import ID, Held, by_number, plan, result
from tools.bench.measure import Row, alternate, at_least

GAMES, FEW = 24_000, 1_000
SEATS = 3
ROUNDS = 5


def measure() -> Iterator[Row]:
    """Yield a row for the ends of blocks, and a row for verifying the tournament's course."""
    late, early = _Course(GAMES), _Course(GAMES)
    late.rate(GAMES - ROUNDS * FEW)
    lates, earlies, ratio = alternate(lambda: late.rate(FEW), lambda: early.rate(FEW), ROUNDS)
    yield at_least(
        "games for each second of processor time in a tournament of 24,000 games with a failure in"
        " its first block, the last 5,000 games against the first 5,000", ratio, 0.8,
        early_games_a_second=earlies, late_games_a_second=lates,
    )  # fmt: skip
    short = _Course(FEW)
    short.rate(FEW)
    longs, shorts, ratio = alternate(late.verified, short.verified, ROUNDS)
    yield at_least(
        "games verified a second of this tournament, against a tournament of 1,000 games",
        ratio, 0.8,
        short_games_a_second=shorts, long_games_a_second=longs,
    )  # fmt: skip


class _Course:
    """A tournament with a failure in its first block."""

    def __init__(self, games: int) -> None:
        self._held = Held(plan(SEATS, "round_robin", games=games))
        self.tournament = self._held.tournament

    def rate(self, games: int) -> float:
        """End blocks with ``games`` games together; return games a second."""
        began = time.process_time()
        for _ in range(-(-games // SEATS)):
            if self.tournament.over:
                break
            block = self.tournament.open_blocks()[0]
            found = [result(by_number(block, seating)) for seating in block.seatings("cyclic")]
            if block.number == 1:
                found[0] = found[0]._replace(failures=[[0, 1, "boom"]])
            self._held.end(block, found)
        return games / (time.process_time() - began)

    def verified(self) -> float:
        """Verify the course of the tournament; return how many games a second that is."""
        copies = self._held.copies()
        began = time.process_time()
        Course(ID, UnknownParts(ID)).check(copies)  # one of the steps of ``verify_tournament``
        return SEATS * len(self.tournament.results) / (time.process_time() - began)
