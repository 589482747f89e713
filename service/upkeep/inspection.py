"""Inspects the stream of a game or tournament, event by event."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject, encode, mac
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.record.events import (
    NO_STATE,
    UNREADABLE,
    Event,
    event_hash,
    genesis,
    proofs_of,
)
from rules.kernel.record.game import (
    NOT_APPLICABLE,
    Game,
    UnsoundEventError,
    sound_before_end,
    without_damage,
)
from rules.kernel.record.secrets import Secrets, state_key
from service.ledger.damage import UNKNOWN, Damage
from service.tournaments.tournament import Tournament

WRONG_INDEX = "wrong_index"
WRONG_TYPE = "wrong_type"
OTHER_HISTORY = "other_history"
_OBLIGATIONS = (
    "wrong_due", "wrong_deadline", "wrong_clock_low", "orphan_due", "orphan_deadlines"
)  # fmt: skip
_REPAIRABLE = (*_OBLIGATIONS, WRONG_INDEX, UNKNOWN)


class Finding(NamedTuple):
    """A fault: derived data that contradict the streams, or a damaged stream."""

    game_id: str
    problem: str
    detail: str
    seq: int | None = None
    """The number of the faulty event, if the fault is in one."""
    shard: int | None = None
    """The shard whose list names something that does not exist, if that is the fault."""

    @property
    def repairable(self) -> bool:
        """Whether ``repair`` can fix the fault, because the data are derived from a stream."""
        return self.problem in _REPAIRABLE

    def to_json(self) -> JsonObject:
        """Return the finding as a JSON object."""
        return {**self._asdict(), "repairable": self.repairable}


class InspectedGame(NamedTuple):
    """A game folded up to its first fault, and the findings.

    If there is ``damage``, it is the reason to suspend the game.
    """

    game: Game
    findings: list[Finding]
    damage: Damage | None


def inspect_game(
    game_id: str, registry: Registry, secrets: Secrets, events: Sequence[Event]
) -> InspectedGame:
    """Refold one game.

    In a game that was ended as damaged, the events between the last sound one and the end are
    ignored.
    """
    game = Game(game_id, registry)
    chain = _Chain(game_id, secrets)
    findings: list[Finding] = []
    for event in without_damage(events):
        if sound_before_end(event) is not None:
            chain.skip_to(event, events)
        prev_hash = chain.head
        found = chain.check(event)
        findings += found
        if found and found[-1].problem != "cut_batch":
            break
        try:
            game.take(event)
        except UnsoundEventError as unsound:
            findings.append(Finding(game_id, unsound.problem, str(unsound), event.seq))
            break
        except UnknownRulesetError as error:
            return InspectedGame(game, [*findings, Finding(game_id, "no_rules", str(error))], None)
        state = NO_STATE
        if game.state is not None and not chain.damaged:
            state = game.ruleset.to_json(game.state)
        if mac(state_key(secrets.salt, event.seq, prev_hash), encode(state)) != event.state_proof:
            detail = f"event {event.seq} proves another state"
            findings.append(Finding(game_id, "wrong_state", detail, event.seq))
            break
    else:
        findings += chain.end()
    first = findings[0] if findings else None
    if first is None or first.seq is None or chain.damaged:
        return InspectedGame(game, findings, None)
    return InspectedGame(game, findings, Damage.at(first.problem, first.seq, game_id, events))


def inspect_tournament(
    tournament_id: str, secrets: Secrets, events: Sequence[Event]
) -> tuple[Tournament, list[Finding]]:
    """Refold one tournament; return it up to the first fault, and the findings."""
    tournament = Tournament(tournament_id)
    chain = _Chain(tournament_id, secrets)
    findings: list[Finding] = []
    for event in events:
        found = chain.check(event)
        findings += found
        if found and found[-1].problem != "cut_batch":
            return tournament, findings
        try:
            tournament.apply(event)
        except Exception as error:  # noqa: BLE001 - whatever the event makes the fold do
            detail = f"event {event.seq} cannot be applied: {type(error).__name__}: {error}"
            findings.append(Finding(tournament_id, NOT_APPLICABLE, detail[:500], event.seq))
            return tournament, findings
    return tournament, [*findings, *chain.end()]


class _Chain:
    """Follows a stream, event by event."""

    def __init__(self, stream_id: str, secrets: Secrets) -> None:
        self.head = genesis(stream_id)
        self.damaged = False
        """Whether events were skipped because they are part of the damage (``skip_to``)."""
        self._id = stream_id
        self._salt = secrets.salt
        self._seq = 0
        self._last = 0

    def skip_to(self, end: Event, events: Sequence[Event]) -> None:
        """Continue with the event ``end`` that ended a damaged game.

        ``end`` is chained to the last one of the ``events`` that come before it.
        """
        before = [event for event in events if event.seq < end.seq]
        self._seq = self._last = end.seq - 1
        if before:
            self.head = before[-1].hash
        self.damaged = True

    def check(self, event: Event) -> list[Finding]:
        """Return the faults of the next event; after a fault, check only that batches are whole."""
        seq = event.seq
        if seq != self._seq + 1:
            return [Finding(self._id, "gap", f"event {seq} follows {self._seq}", seq)]
        found = []
        if seq > self._last:
            self._last = event.last
        elif event.last != self._last:
            detail = f"event {seq} is not of the batch to {self._last}"
            found.append(Finding(self._id, "cut_batch", detail, seq))
        if not self._is_next(event):
            unlike = "cannot be read" if event.kind == UNREADABLE else "does not hash to its hash"
            detail = f"event {seq} {unlike}"
            found.append(Finding(self._id, "broken_chain", detail, seq))
        self._seq, self.head = seq, event.hash
        return found

    def _is_next(self, event: Event) -> bool:
        try:
            parts = proofs_of(event.seq, event.body, self._salt, self.head).commitments
            return event.hash == event_hash(
                self.head, event.seq, event.kind, event.by, event.at, event.last, parts,
                event.state_proof,
            )  # fmt: skip
        except (TypeError, ValueError):  # the event decodes, but does not encode again
            return False

    def end(self) -> Iterator[Finding]:
        """Yield a finding if the stream ends within a batch."""
        if self._seq != self._last:
            detail = f"the batch to {self._last} ends at {self._seq}"
            yield Finding(self._id, "cut_batch", detail, self._seq)
