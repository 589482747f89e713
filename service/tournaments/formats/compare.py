"""Is A better than B? One seat differs, and the test stops as soon as it knows."""

from rules.kernel.fields import Integer
from rules.kernel.ruleset import Option
from service.tournaments.formats.format import Format, Round, Verdict, blocks_for
from service.tournaments.formats.lineups import GAMES
from service.tournaments.luck import Luck
from service.tournaments.plan import OPPONENTS, BadPlanError, Plan
from service.tournaments.points import points
from service.tournaments.sequential import SequentialTest
from service.tournaments.tournament import Tournament

BATCH = 32
"""How many blocks are paired at a time."""


class Compare(Format):
    """A, the first entry, takes each seat in turn among copies of B."""

    type = "compare"
    doc = (
        "The first entry takes each seat in turn among copies of the second, until it is shown"
        " to be better, or not better by the margin."
    )
    options = (
        GAMES,
        Option("alpha_percent", 5, Integer(1, 50), "How often B's equal may be called better."),
        Option("beta_percent", 5, Integer(1, 50), "How often one better by the margin may not."),
        Option("margin_percent", 5, Integer(1, 50), "What counts as better, in points a game."),
    )
    foresees = True
    takes_more = True

    def check(self, plan: Plan) -> None:
        if len(plan.entries) != 2:
            raise BadPlanError("entries", "it takes two entries to compare", len(plan.entries))

    def can_go_on(self, tournament: Tournament) -> bool:
        return not tournament.disqualified

    def total_blocks(self, tournament: Tournament) -> int:
        plan = tournament.plan
        return blocks_for(plan, plan.format["games"] + tournament.games_more)

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        left = self.total_blocks(tournament) - len(tournament.blocks)
        lineup = (0, *[1] * (tournament.plan.seats - 1))
        return Round((lineup,) * min(BATCH, left)) if left > 0 else None

    def decided(self, tournament: Tournament) -> Verdict | None:
        test = run(tournament)
        if test.verdict is None:
            return None
        return Verdict(test.verdict, test.after_block)


def run(tournament: Tournament) -> SequentialTest:
    """Return the test after all blocks that are settled, or where it stopped."""
    plan = tournament.plan
    fair = 0.5 if plan.points == OPPONENTS else 1 / plan.seats
    test = SequentialTest(
        fair=fair,
        margin=plan.format["margin_percent"] / 100,
        alpha=plan.format["alpha_percent"] / 100,
        beta=plan.format["beta_percent"] / 100,
    )
    settled = tournament.settled()
    for block, mean in block_means(tournament, settled):
        test.observe(block, mean)
        if test.verdict is not None:
            break
    return test


def block_means(tournament: Tournament, until: int) -> list[tuple[int, float]]:
    """Return A's points a game in each block: the blocks are independent, their games are not."""
    sums: dict[int, list[float]] = {}
    for outcome in tournament.outcomes(until):
        worth = points(outcome.result.ranks, tournament.plan.points)
        sums.setdefault(outcome.block, []).append(float(worth[outcome.seating.index(0)]))
    return [(block, sum(found) / len(found)) for block, found in sums.items()]
