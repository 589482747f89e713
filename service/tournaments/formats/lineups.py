"""Round robin and gauntlet: all line-ups of a kind, repeated until the games are used up."""

import itertools
import math
from collections.abc import Sequence

from rules.kernel.contract.fields import Integer
from rules.kernel.contract.ruleset import Option
from service.tournaments.formats.format import MAX_LINEUPS, Format, Round, blocks_for
from service.tournaments.luck import Luck
from service.tournaments.plan import MAX_GAMES, BadPlanError, Plan
from service.tournaments.tournament import Tournament

GAMES = Option("games", 100, Integer(1, MAX_GAMES), "How many games; the last block is whole.")


class RoundRobin(Format):
    """Every line-up of the entries in turn, in a drawn order."""

    type = "round_robin"
    doc = "Every line-up of the entries meets in turn, in a drawn order."
    options = (GAMES,)
    foresees = True
    takes_more = True

    def check(self, plan: Plan) -> None:
        super().check(plan)
        count = self.count(len(plan.entries), plan.seats)
        if count > MAX_LINEUPS:
            raise BadPlanError(
                "entries",
                f"{len(plan.entries)} entries make {count} line-ups of {plan.seats}, more than"
                f" {MAX_LINEUPS}: take fewer, or another format",
                len(plan.entries),
            )

    def count(self, entries: int, seats: int) -> int:
        """Return the number of line-ups."""
        return math.comb(entries, seats)

    def lineups(self, entries: Sequence[int], seats: int) -> list[tuple[int, ...]]:
        """Return every line-up."""
        return list(itertools.combinations(entries, seats))

    def total_blocks(self, tournament: Tournament) -> int:
        plan = tournament.plan
        return blocks_for(plan, plan.format["games"] + tournament.games_more)

    def next_round(self, tournament: Tournament, luck: Luck) -> Round | None:
        plan = tournament.plan
        left = self.total_blocks(tournament) - len(tournament.blocks)
        if left <= 0:
            return None
        every = self.lineups(tournament.starters(), plan.seats)
        drawn = luck.shuffled("lineups", tournament.rounds + 1, every)
        return Round(tuple(drawn[:left]))


class Gauntlet(RoundRobin):
    """The first entry against every line-up of the others."""

    type = "gauntlet"
    doc = "The first entry meets every line-up of the others."
    first_plays_always = True

    def can_go_on(self, tournament: Tournament) -> bool:
        return super().can_go_on(tournament) and 0 not in tournament.disqualified

    def count(self, entries: int, seats: int) -> int:
        return math.comb(entries - 1, seats - 1)

    def lineups(self, entries: Sequence[int], seats: int) -> list[tuple[int, ...]]:
        first, *others = entries
        return [(first, *rest) for rest in itertools.combinations(others, seats - 1)]
