"""What follows by itself in a tournament: pairings, disqualifications, the end.

Pure functions of the stream and the seed. Everything follows from the blocks in their order,
never from the order in which workers finished them, so a tournament that was disturbed comes to
the same end.
"""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from service import clock
from service.ledger.store import Obligations
from service.tournaments.formats import format_of
from service.tournaments.formats.format import Format, Verdict
from service.tournaments.luck import Luck
from service.tournaments.points import tally
from service.tournaments.tournament import OPEN, RUNNING, Disqualification, Tournament

AHEAD = 64
"""So many blocks are paired ahead, if the format allows it: enough for as many workers."""

WATCH_MS = 8_000
"""A tournament of which nothing was heard for so long is looked at by a sweep."""

COMPLETED, TOO_FEW_ENTRIES = "completed", "too_few_entries"


class Step(NamedTuple):
    """An event that is to follow: its kind, and the value of its one part."""

    kind: str
    value: JsonObject


def luck_of(tournament: Tournament, seed: bytes) -> Luck:
    """Return what a tournament draws, once all entropy is open."""
    entries = range(len(tournament.plan.entries))
    return Luck(tournament.scope, seed, [tournament.entropy.get(entry) for entry in entries])


def next_step(tournament: Tournament, seed: bytes) -> Step | None:
    """Return what follows now, None if blocks, people or nobody must act first."""
    if tournament.status == OPEN:
        return None if tournament.owing_entropy() else Step("started", {})
    if tournament.status != RUNNING:
        return None
    if out := _newly_out(tournament):
        return Step("disqualified", out._asdict())
    plays = format_of(tournament.plan)
    verdict = plays.decided(tournament)
    if verdict is None and not plays.can_go_on(tournament):
        last = max(out.block for out in tournament.disqualified.values())
        verdict = Verdict(TOO_FEW_ENTRIES, last)
    if verdict is not None:
        return stop("ended", verdict.reason, verdict.after_block, seed)
    waiting = len(tournament.open_blocks())
    if waiting == 0 or (plays.foresees and waiting < AHEAD):
        paired = _pair(tournament, plays, luck_of(tournament, seed))
        if paired is not None:
            return Step("paired", paired)
    if waiting == 0:
        return stop("ended", COMPLETED, len(tournament.blocks), seed)
    return None


def tournament_obligations(tournament: Tournament) -> Obligations:
    """Return from when a sweep should look after a tournament of which nothing was heard."""
    due = clock.to_ms(tournament.at) + WATCH_MS if tournament.status == RUNNING else None
    return Obligations(due, None)


def stop(kind: str, reason: str, after_block: int, seed: bytes) -> Step:
    """Return the last event, which opens the seed."""
    return Step(kind, {"reason": reason, "after_block": after_block, "seed": seed.hex()})


def _pair(tournament: Tournament, plays: Format, luck: Luck) -> JsonObject | None:
    found = plays.next_round(tournament, luck)
    if found is None:
        return None
    first = len(tournament.blocks) + 1
    return {
        "round": tournament.rounds + 1,
        "first_block": first,
        "lineups": [
            luck.shuffled("seats", first + index, lineup)
            for index, lineup in enumerate(found.lineups)
        ],
        "byes": list(found.byes),
    }


def _newly_out(tournament: Tournament) -> Disqualification | None:
    """Return the first entry, in the order of blocks, whose failures are too many."""
    plan = tournament.plan
    limit = plan.failures.disqualify_after
    if not limit or not any(
        game.failures for games in tournament.results.values() for game in games
    ):
        return None
    failures = [0] * len(plan.entries)
    for outcome in tournament.outcomes(tournament.settled()):
        (*found,) = tally([outcome], len(plan.entries), plan.points)
        for entry, score in enumerate(found):
            failures[entry] += score.failures
            if score.failures and failures[entry] >= limit and entry not in tournament.disqualified:
                reason = f"failed {failures[entry]} times"
                return Disqualification(entry, outcome.block, reason)
    return None
