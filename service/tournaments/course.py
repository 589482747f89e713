"""The automatic events of a tournament: pairings, disqualifications, the end.

These are pure functions of the stream and the seed. They depend on the blocks in their order, never
on the order in which workers finish them, so interruptions do not change the result.
"""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import BLOCK_ABANDONED
from rules.kernel.record.instants import to_ms
from service.ledger.store import Obligations
from service.tournaments.formats import format_of
from service.tournaments.formats.format import Format, Verdict
from service.tournaments.luck import Luck
from service.tournaments.tournament import (
    OPEN,
    RUNNING,
    Disqualification,
    Tournament,
)

AHEAD = 64
"""Number of blocks that are paired ahead, if the format allows it: work for as many workers."""

WATCH_MS = 8_000
"""Time without progress after which a sweep checks a tournament."""

LAST = ("ended", "cancelled")
"""The kinds of a stream's last event, which reveals all secrets."""

COMPLETED, TOO_FEW_ENTRIES = "completed", "too_few_entries"


class Step(NamedTuple):
    """The next automatic event: its kind, and the value of its one part."""

    kind: str
    value: JsonObject


def luck_of(tournament: Tournament, seed: bytes) -> Luck:
    """Return the luck of a tournament, known once all entropy is revealed."""
    count = tournament.started_with or len(tournament.plan.entries)
    entries = range(count)  # who is entered later gives no entropy
    entropy = [tournament.entropy.get(entry) for entry in entries]
    return Luck(tournament.scope, seed, entropy, tournament.plan.luck)


def next_step(tournament: Tournament, seed: bytes) -> Step | None:
    """Return the next step; None while the tournament waits for blocks or people, or is over."""
    if tournament.status == OPEN:
        waits = tournament.takes_entries() and not tournament.plan.is_endless
        return None if waits or tournament.owing_entropy() else Step("started", {})
    if tournament.status != RUNNING:
        return None
    if tournament.pausing is not None:
        return Step("paused", {"reason": BLOCK_ABANDONED, "block": tournament.pausing})
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
    if waiting == 0 and not tournament.plan.is_endless:
        return stop("ended", COMPLETED, len(tournament.blocks), seed)
    return None


def tournament_obligations(tournament: Tournament) -> Obligations:
    """Return the time from which a sweep should check an idle tournament.

    A tournament that is over is checked until the games are ended that had begun and will not be
    played, if there may be any, and a full part of an endless one until the next part exists.
    """
    checked = tournament.status == RUNNING or tournament.may_have_unended or tournament.is_full
    return Obligations(to_ms(tournament.at) + WATCH_MS if checked else None, None)


def stop(kind: str, reason: str, after_block: int, seed: bytes) -> Step:
    """Return the last event, which reveals the seed."""
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


class _Failures(NamedTuple):
    """The failures of each entry up to ``block``, and the entries to disqualify after that block.

    Later blocks are examined only after these entries are disqualified, because a disqualification
    can mean that later blocks do not count.
    """

    block: int
    counts: tuple[int, ...]
    due: tuple[Disqualification, ...] = ()


def _newly_out(tournament: Tournament) -> Disqualification | None:
    """Return the next disqualification, in the order of blocks; None if there is none."""
    if not tournament.plan.failures.disqualify_after:
        return None
    known: _Failures | None = tournament.kept.get("failures")
    found = known or _Failures(0, ())
    due = _waiting(tournament, found)
    while not due and found.block < tournament.settled():
        found = _after_next_block(tournament, found)
        due = _waiting(tournament, found)
    tournament.kept["failures"] = found
    return due[0] if due else None


def _waiting(tournament: Tournament, found: _Failures) -> list[Disqualification]:
    return [out for out in found.due if out.entry not in tournament.disqualified]


def _after_next_block(tournament: Tournament, found: _Failures) -> _Failures:
    block, due = found.block + 1, []
    new = len(tournament.plan.entries) - len(found.counts)  # an endless tournament gets more
    counts = [*found.counts, *[0] * new]
    limit = tournament.plan.failures.disqualify_after
    for outcome in tournament.outcomes_of(block):
        failed = [outcome.seating[seat] for seat, _decision, _reason in outcome.result.failures]
        for entry in sorted(set(failed)):
            before = counts[entry]
            counts[entry] += failed.count(entry)
            if before < limit <= counts[entry]:
                due.append(Disqualification(entry, block, f"failed {counts[entry]} times"))
    return _Failures(block, tuple(counts), tuple(due))
