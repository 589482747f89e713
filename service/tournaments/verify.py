"""Checks the record of a tournament: every game, the pairings, the table and the ratings.

With nothing but the file and the rules. What can be proven of a game stands in docs/format.md;
a tournament adds that its games are the ones that had to be played, and its figures theirs.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.chance import commitment
from rules.kernel.events import Event, from_copy
from rules.kernel.secrets import entropy_commitment
from rules.kernel.verify import Check, Report, verify, verify_stream
from rules.registry import Registry
from service import record_checks
from service.record import Record
from service.tournaments.course import Step, luck_of, next_step
from service.tournaments.formats import FORMATS, format_of
from service.tournaments.plan import BadPlanError
from service.tournaments.record import TournamentRecord
from service.tournaments.report import report
from service.tournaments.tournament import (
    KINDS,
    Tournament,
    block_scope,
    game_id,
)

ASKED_FOR = (
    "created", "entropy_revealed", "block_ended", "paused", "resumed", "extended", "cancelled",
)  # fmt: skip
"""The kinds that people or workers cause; all others must follow from what was before."""

_MOST_FAILURES = 100


def verify_tournament(
    recorded: TournamentRecord,
    registry: Registry,
    *,
    also: Callable[[Record], Check] | None = None,
    progress: Callable[[Iterator[Record], int], Iterator[Record]] = lambda games, _count: games,
) -> Report:
    """Check a record. ``also`` checks something more of each game.

    Raises:
        NotARecordError, RecordError: it is no record of a tournament.

    """
    header, copies, games = recorded
    name = header["tournament_id"]
    checks = [_guarded("receipt", lambda: _receipt(header, copies))]
    checks += verify_stream(name, copies, KINDS)
    tournament = Tournament(name)
    course = _guarded("course", lambda: _course(tournament, copies))
    checks.append(course)
    played = Check("games")
    bots = Check("bots")
    _games(tournament, progress(games, header["games"]), registry, played, bots, also)
    checks.append(played)
    if also is not None:
        checks.append(bots)
    checks.append(_guarded("report", lambda: _report(tournament, header)))
    notes = []
    if tournament.version and tournament.scope != name:
        notes.append("The host gave the seed, and so knew the luck of every game beforehand.")
    elif tournament.version and not tournament.entropy:
        notes.append("Nobody gave entropy: the operator could have chosen the seed.")
    notes.append("Processor times are measurements, which nobody can recompute.")
    return Report(name, len(copies), tournament.status, checks, notes)


def _receipt(header: JsonObject, copies: Sequence[JsonObject]) -> Check:
    check = Check("receipt")
    record = Record({**header, "game_id": header["tournament_id"]}, list(copies))
    record_checks.check_receipt(check, record, header["receipt"], header["public_key"])
    check.expect(
        header["receipt"].get("seq") == header["version"] == len(copies),
        "the receipt is not for the last event",
    )
    return check


def _course(tournament: Tournament, copies: Sequence[JsonObject]) -> Check:
    """Fold the events; each one was asked for, or follows from those before it."""
    check = Check("course")
    events = [from_copy(copy) for copy in copies]
    seed = _seed(events)
    if seed is None:
        check.skipped = "the tournament is not over: its seed is not open"
        for event in events:
            tournament.apply(event)
        return check
    index = 0
    while index < len(events):
        batch = events[index : max(events[index].last, index + 1)]
        follows = batch
        if batch[0].kind in ASKED_FOR:
            _asked(check, tournament, batch[0], seed)
            tournament.apply(batch[0])
            follows = batch[1:]
        for event in follows:
            wanted = next_step(tournament, seed)
            check.expect(
                wanted is not None and wanted == _step(event),
                f"event {event.seq}: {wanted.kind if wanted else 'nothing'} follows, not this"
                f" {event.kind}",
            )
            tournament.apply(event)
        wanted = next_step(tournament, seed)
        check.expect(
            wanted is None, f"event {tournament.version}: {wanted and wanted.kind} follows"
        )
        index += len(batch)
    check.expect(tournament.over, "the seed is open, and the tournament goes on")
    return check


def _seed(events: Sequence[Event]) -> bytes | None:
    last = events[-1]
    if last.kind not in ("ended", "cancelled"):
        return None
    return bytes.fromhex(last.body[last.kind].value["seed"])


def _step(event: Event) -> Step:
    value: Any = event.body[event.kind].value if event.kind in event.body else {}
    return Step(event.kind, value)


def _asked(check: Check, tournament: Tournament, event: Event, seed: bytes) -> None:
    where = f"event {event.seq}"
    value = _step(event).value
    first = tournament.version == 0
    check.expect((event.kind == "created") == first, f"{where}: {event.kind} is out of place")
    if first:
        chance = value["chance"]
        check.expect(
            commitment(chance["scope"], seed).hex() == chance["commitment"],
            "the seed is not the one that was committed before the first draw",
        )
        kind = value["plan"]["format"]["type"]
        if check.expect(kind in FORMATS, f"there is no format {kind!r}"):
            made = Tournament(tournament.id)
            made.apply(event)
            try:
                format_of(made.plan).check(made.plan)
            except BadPlanError as error:
                check.expect(False, f"{where}: {error}")  # noqa: FBT003 - the failing fact
        return
    check.expect(not tournament.over, f"{where}: {event.kind} after the end")
    if event.kind == "entropy_revealed":
        entry, entropy = value["entry"], bytes.fromhex(value["entropy"])
        committed = tournament.plan.entries[entry].entropy_commitment
        check.expect(
            committed
            in (
                entropy_commitment(tournament.id, entry, entropy).hex(),
                entropy_commitment(None, entry, entropy).hex(),
            ),
            f"{where}: entry {entry} opened other entropy than it committed to",
        )
    if event.kind == "block_ended":
        block = tournament.blocks.get(value["block"])
        if check.expect(
            block is not None and block.number not in tournament.results,
            f"{where}: block {value['block']} is not one to be played",
        ):
            assert block is not None  # noqa: S101 - just checked
            wanted = len(block.seatings(tournament.plan.rotations))
            check.expect(
                len(value["games"]) == wanted, f"{where}: block {block.number} has {wanted} games"
            )


def _games(
    tournament: Tournament,
    games: Iterator[Record],
    registry: Registry,
    check: Check,
    bots: Check,
    also: Callable[[Record], Check] | None,
) -> None:
    """Check every game that the tournament names, in their order; no other may be there."""
    for number in sorted(tournament.results):
        for rotation in range(len(tournament.results[number])):
            game = next(games, None)
            wanted = game_id(tournament.id, number, rotation)
            if not check.expect(
                game is not None and game.game_id == wanted,
                f"block {number}, rotation {rotation}: the record lacks game {wanted}",
            ):
                return
            assert game is not None  # noqa: S101 - just checked
            found = verify(game.game_id, game.copies, registry)
            for part in found.checks:
                check.checked += part.checked
                check.failures += [f"{wanted}: {failure}" for failure in part.failures]
                if part.skipped:
                    check.skipped, check.not_here = part.skipped, part.not_here
            if found.ok and not check.skipped:
                _game(tournament, number, rotation, game, check)
            if also is not None:
                more = also(game)
                bots.checked += more.checked
                bots.failures += [f"{wanted}: {failure}" for failure in more.failures]
                bots.skipped, bots.not_here = more.skipped, more.not_here or bots.not_here
            if len(check.failures) > _MOST_FAILURES:
                return
    check.expect(next(games, None) is None, "there are games that the tournament does not name")


def _game(tournament: Tournament, number: int, rotation: int, game: Record, check: Check) -> None:
    """Check that a game, which is sound in itself, is the one that had to be played."""
    plan, block = tournament.plan, tournament.blocks[number]
    result = tournament.results[number][rotation]
    copies, where = game.copies, f"block {number}, rotation {rotation}"
    pinned = copies[0]["body"]["game"]
    wanted = {
        "ruleset": plan.ruleset, "rules_version": plan.rules_version,
        "rules_digest": plan.rules_digest, "options": plan.options, "seats": plan.seats,
    }  # fmt: skip
    for name, value in wanted.items():
        check.expect(pinned[name] == value, f"{where}: the game's {name} is not the plan's")
    scope = block_scope(tournament, number)
    check.expect(pinned["chance"]["scope"] == scope, f"{where}: the game has other luck")
    check.expect(copies[0]["by"] == {"tournament": tournament.id}, f"{where}: by somebody else")
    seating = block.seatings(plan.rotations)[rotation]
    holders = [c["body"]["seat"]["holder"] for c in copies if c["kind"] == "seated"]
    check.expect(
        holders == [plan.entries[entry].holder() for entry in seating],
        f"{where}: others sat there than were paired",
    )
    if tournament.seed is not None:
        secrets = luck_of(tournament, tournament.seed).secrets(number, rotation)
        opened = [c["body"]["salt"]["salt_secret"] for c in copies if "salt" in c["body"]]
        seeds = [c["body"]["chance"]["chance_seed"] for c in copies if "chance" in c["body"]]
        check.expect(opened == [secrets.salt.hex()], f"{where}: the salt is not the tournament's")
        check.expect(
            seeds == [secrets.chance_seed.hex()], f"{where}: the luck is not the tournament's"
        )
    (ended,) = [c["body"]["result"] for c in copies if c["kind"] == "ended"]
    standings = {standing["side"]: standing for standing in ended["standings"]}
    ranks = [standings[f"seat:{seat}"]["rank"] for seat in range(plan.seats)]
    check.expect(
        result.ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
        and result.scores == [standings[f"seat:{seat}"]["score"] for seat in range(plan.seats)],
        f"{where}: the tournament says that it ended otherwise",
    )
    check.expect(
        (result.version, result.head) == (len(copies), copies[-1]["hash"]),
        f"{where}: the tournament names another head",
    )
    failed = [
        [c["body"]["failure"]["seat"], c["body"]["failure"]["decision"], c["body"]["error"]]
        for c in copies
        if c["kind"] == "bot_failed"
    ]
    check.expect(result.failures == failed, f"{where}: other bots failed than it says")


def _report(tournament: Tournament, header: JsonObject) -> Check:
    """Check every published figure, to its last digit."""
    check = Check("report")
    published = header["report"]
    if not 0 <= published["samples"] <= 10_000:
        check.expect(False, f"{published['samples']} samples cannot be")  # noqa: FBT003 - the failing fact
        return check
    wanted = report(tournament, samples=published["samples"])
    for name in sorted({*wanted, *published}):
        check.expect(
            wanted.get(name) == published.get(name),
            f"{name} is {published.get(name)}, and comes out as {wanted.get(name)}"[:500],
        )
    return check


def _guarded(name: str, do: Callable[[], Check]) -> Check:
    try:
        return do()
    except Exception as error:  # noqa: BLE001 - whatever a strange record provokes is its own failure
        return Check(name, 1, [f"the record is not readable: {type(error).__name__} {error}"])
