"""Hosts' requests and answers, shared by the API and the command line."""

from collections.abc import Mapping

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.catalogue.bots import BotOffer
from service.tournaments import report, waiting
from service.tournaments.estimate import estimate
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.luck import Luck
from service.tournaments.plan import (
    NOBODY,
    Plan,
    PlayerOffer,
    TournamentRequest,
    check_block,
    check_players,
    make,
)
from service.tournaments.tournament import Block, Tournament


def plan_of(
    asked: TournamentRequest,
    registry: Registry,
    bots: Mapping[str, BotOffer],
    *,
    by_wall: bool = False,
    players: Mapping[str, PlayerOffer] = NOBODY,
    host: str | None = None,
) -> Plan:
    """Return the plan for a request.

    ``by_wall`` is for a store that older releases may use: the default limit of a move is then in
    wall time. ``players`` are the bot accounts that the request names, by id; those of the ``host``
    may be entered. Raises BadPlanError.
    """
    plan = make(asked, registry, bots, OPTIONS, by_wall=by_wall, players=players, host=host)
    check_players(plan)
    check_block(plan)
    format_of(plan).check(plan.filled())
    return plan


def preview(plan: Plan, registry: Registry, workers: int) -> JsonObject:
    """Return the plan with its defaults filled in, its maximum number of games, and their costs.

    ``workers`` is the number of processes that play tournaments.
    """
    tournament, plays = Tournament(""), format_of(plan)
    tournament.plan = full = plan.filled()
    anybody = Luck("", bytes(32), [None] * len(full.entries), plan.luck)
    first = plays.next_round(tournament, anybody)
    lineup = first.lineups[0] if first else ()
    per_block = len(Block(1, 1, lineup).seatings(plan.rotations))
    blocks = plays.total_blocks(tournament)
    return {
        "plan": plan.to_json(),
        "games": blocks * per_block,
        "games_per_block": per_block,
        "blocks": blocks,
        "estimate": estimate(full, blocks * per_block, registry, workers),
    }


def summary(tournament: Tournament, redis: Redis) -> JsonObject:
    """Return a tournament's status in this store, and the reason why it waits.

    The reason cannot be recomputed from the record.
    """
    told = {"waits_for": waiting.reason(redis, tournament), "imported": None}
    return {**report.summary(tournament), **told}
