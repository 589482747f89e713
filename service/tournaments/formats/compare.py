"""Comparison: a sequential test of whether bot A is better than bot B."""

from copy import deepcopy
from typing import NamedTuple

from rules.kernel.contract.fields import Integer
from rules.kernel.contract.ruleset import Option
from service.tournaments.figures.points import points
from service.tournaments.figures.sequential import SequentialTest
from service.tournaments.formats.format import Format, Round, Verdict, blocks_for
from service.tournaments.formats.lineups import GAMES
from service.tournaments.luck import Luck
from service.tournaments.plan import OPPONENTS, BadPlanError, Plan
from service.tournaments.tournament import Tournament

BATCH = 32
"""Number of blocks that are paired at a time."""
PAR_PERCENT = 50
"""The percentage for a fair share; the default claim is that A gets more than its fair share."""


class Compare(Format):
    """A, the first entry, takes each seat in turn among copies of B."""

    type = "compare"
    doc = (
        "The first entry takes each seat in turn among copies of the second, until it is shown"
        " to get more points than is claimed, or less than that and the margin."
    )
    options = (
        GAMES,
        Option("alpha_percent", 5, Integer(1, 50), "How often B's equal may be called better."),
        Option("beta_percent", 5, Integer(1, 50), "How often one better by the margin may not."),
        Option("margin_percent", 5, Integer(1, 50), "What counts as better, in points a game."),
        Option(
            "claim_percent",
            PAR_PERCENT,
            Integer(1, 95),
            "More than what A is to get: 50 is a fair share, and who gets 48 is hardly worse.",
        ),
    )
    foresees = True
    takes_more = True
    first_plays_always = True

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
        found = tournament.kept["compare"] = _after_all_settled(tournament)
        if found.test.verdict is None:
            return None
        return Verdict(found.test.verdict, found.test.after_block)


class _TestState(NamedTuple):
    """The test after a block."""

    block: int
    test: SequentialTest


def run(tournament: Tournament) -> SequentialTest:
    """Return the test after all settled blocks, or after the block at which it stopped."""
    return _after_all_settled(tournament).test


def _after_all_settled(tournament: Tournament) -> _TestState:
    known: _TestState | None = tournament.kept.get("compare")
    block, test = _TestState(0, _begun(tournament.plan)) if known is None else deepcopy(known)
    while test.verdict is None and block < tournament.settled():
        block += 1
        worth = [
            points(outcome.result.ranks, tournament.plan.points)[outcome.seating.index(0)]
            for outcome in tournament.outcomes_of(block)
        ]
        # Each block gives one observation, because only blocks are independent, not the games in
        # them.
        if worth:
            test.observe(block, float(sum(worth) / len(worth)))
    return _TestState(block, test)


def claim_percent(plan: Plan) -> int:
    """Return the claim about A in percent; older plans, which lack the field, have the default."""
    told: int = plan.format.get("claim_percent", PAR_PERCENT)
    return told


def _begun(plan: Plan) -> SequentialTest:
    fair = 0.5 if plan.points == OPPONENTS else 1 / plan.seats
    return SequentialTest(
        claim=fair * (claim_percent(plan) / PAR_PERCENT),
        margin=plan.format["margin_percent"] / 100,
        alpha=plan.format["alpha_percent"] / 100,
        beta=plan.format["beta_percent"] / 100,
    )
