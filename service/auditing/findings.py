"""What an audit finds."""

from typing import NamedTuple

from rules.kernel.canonical import JsonObject

FORKED, WENT_BACK, DAMAGED = "forked", "went_back", "damaged"
STRANGE, TWO_HISTORIES = "strange_leaf", "two_histories"
DROPPED, CUT, OTHER, LEFT_OUT, FALSE = "dropped", "cut", "other_history", "left_out", "false_record"
DATED_BACK = "dated_back"
MEANINGS = {
    FORKED: "The service has signed two logs that contradict each other.",
    WENT_BACK: "The service has signed an older state of the log after a newer one.",
    DAMAGED: "Files of the log do not lead to what is signed.",
    STRANGE: "The log has an entry that means nothing, or tells of a time that was still to come.",
    TWO_HISTORIES: "The log itself has two histories of a game or tournament.",
    DROPPED: "A game or tournament is in the log, and the service knows nothing of it.",
    CUT: "The service has fewer events of a game or tournament than its log.",
    OTHER: "The service shows another history of a game or tournament than its log.",
    LEFT_OUT: "The service shows events that its log should have had long ago.",
    DATED_BACK: "The service shows events of a time at which its log, as it was seen, lacked them.",
    FALSE: "The record of a game or tournament is not what it claims to be.",
}
"""What is found, from the worst on, in words for everybody."""


class AuditFinding(NamedTuple):
    """Something that an honest service does not do; ``why`` is a sentence.

    ``id`` is that of the game or tournament, None if it is the log itself. ``evidence`` convinces
    others who have the log's keys (docs/format.md); without it, others have to look themselves.
    """

    code: str
    id: str | None
    why: str
    evidence: JsonObject | None = None


class AuditError(Exception):
    """The audit cannot go on; ``finding`` says what is wrong."""

    def __init__(self, finding: AuditFinding) -> None:
        super().__init__(finding.why)
        self.finding = finding
