"""Checks that a part of an endless tournament follows from the record of the part before it."""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.verdicts import Check, guarded
from rules.kernel.proof.verify import verify_stream
from service.records.tournament_file import TournamentRecord
from service.tournaments import parts
from service.tournaments.record.course_checks import Course
from service.tournaments.tournament import KINDS, Tournament


def check_before(tournament: Tournament, before: TournamentRecord) -> Check:
    """Return whether a part begins with what the part before led to.

    The stream of the part before is checked, too, but not its games.
    """
    check = Check("before")
    led = _led(before.header["tournament_id"], before.copies)
    if not check.expect(led is not None, "the record of the part before is not sound, or not full"):
        return check
    assert led is not None  # noqa: S101 - expected above
    plan, part = parts.next_plan(led)
    wanted = {
        "id": parts.next_id(led),
        "plan": plan.to_json(),
        "host": led.created_by,
        "beginning": part.to_json(),
    }
    found = {
        "id": tournament.id,
        "plan": _begun(tournament),
        "host": tournament.created_by,
        "beginning": None if tournament.part is None else tournament.part.to_json(),
    }
    for name, value in wanted.items():
        same = encode(value) == encode(found[name])
        check.expect(same, f"its {name} does not follow from the part before")
    return check


def _begun(tournament: Tournament) -> JsonObject | None:
    """Return the plan as it was at the start."""
    if not tournament.version:
        return None
    entries = tournament.plan.entries[: tournament.started_with]
    return tournament.plan.replaced(entries).to_json()


def _led(tournament_id: str, copies: Sequence[JsonObject]) -> Tournament | None:
    """Return the part before; None if its stream fails, or if no part follows it."""
    newer = UnknownParts(tournament_id)
    course = Course(tournament_id, newer)
    checks = [
        *verify_stream(tournament_id, copies, KINDS, newer),
        guarded("course", lambda: course.check(copies)),
    ]
    sound = all(check.ok for check in checks) and not newer.since
    return course.tournament if sound and parts.next_id(course.tournament) else None
