"""The parts of an endless tournament: how one follows from the one before."""

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode
from service import ids
from service.tournaments.figures import tally
from service.tournaments.formats.endless import experience
from service.tournaments.plan import Plan
from service.tournaments.tournament import Part, Tournament


def first(plan: Plan) -> Part | None:
    """Return what the first part of a tournament begins with; None if it has no parts."""
    return Part(1, None, [0] * len(plan.entries), []) if plan.is_endless else None


def id_after(tournament_id: str, head: str) -> str:
    """Return the id of the part after one with a head. Everybody can compute it."""
    return ids.from_hash("t", digest(encode([FORMAT, "part", tournament_id, head])))


def next_id(tournament: Tournament) -> str | None:
    """Return the id of the next part; None if none follows, or not yet."""
    return id_after(tournament.id, tournament.head.hex()) if tournament.is_full else None


def next_plan(tournament: Tournament) -> tuple[Plan, Part]:
    """Return the plan of the part after a full one, and what it begins with.

    Players that are out are not in it. Bots of the service are in each part.
    """
    plan, stay = tournament.plan, tournament.staying()
    place = {entry: number for number, entry in enumerate(stay)}
    entries = tuple(plan.entries[entry]._replace(entropy_commitment=None) for entry in stay)
    games = experience(tournament).games
    pairs = [
        [place[one], place[other], round(2 * ahead), round(2 * behind)]
        for one, other, ahead, behind in tally.of(tournament).comparisons
        if one in place and other in place
    ]
    before: JsonObject = {
        "tournament_id": tournament.id,
        "version": tournament.version,
        "head": tournament.head.hex(),
    }
    number = 1 if tournament.part is None else tournament.part.number
    part = Part(number + 1, before, [games[entry] for entry in stay], pairs)
    return plan.replaced(entries), part


def is_sound(part: Part | None, plan: Plan, tournament_id: str) -> bool:
    """Whether a part can be that of a plan, and of a tournament with this id."""
    if part is None or not plan.is_endless:
        return part is None and not plan.is_endless
    if (part.before is None) != (part.number == 1):
        return False
    if part.before is None:
        return part == first(plan)
    named = id_after(part.before["tournament_id"], part.before["head"])
    entries = len(plan.entries)
    met = [(first, second) for first, second, _ahead, _behind in part.pairs]
    return (
        tournament_id == named
        and len(part.games) == entries
        and met == sorted({*met})
        and all(first < second < entries for first, second in met)
    )
