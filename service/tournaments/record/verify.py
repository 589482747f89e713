"""Checks the record of a tournament: every game, the pairings, the table and the ratings.

The check uses only the file and the rules. docs/format.md says what can be proven about a game; a
tournament's record also proves that its games are those that had to be played, and that its figures
follow from them.
"""

from collections.abc import Callable, Iterator, Sequence

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.verdicts import TOURNAMENT, Check, Report, guarded
from rules.kernel.proof.verify import verify_stream
from service.records import checks
from service.records.decisions import DecisionsCheck
from service.records.game_file import Record
from service.records.tournament_file import FIELDS, TournamentRecord
from service.tournaments.figures.bands import SAMPLES
from service.tournaments.record.course_checks import Course
from service.tournaments.record.game_checks import GamesReader
from service.tournaments.record.part_checks import check_before
from service.tournaments.report import FIGURES, report
from service.tournaments.tournament import KINDS, STATUSES, Tournament

_FORGEABLE = (
    "A record alone is consistent at best: whoever wrote it could have forged all of it."
    " A receipt, or a key that you trust, proves more (--receipt, --public-key)."
)

_TAKEN_AS_TOLD = (
    "It is a later part of an endless tournament, and begins with the results of the parts before,"
    " which are taken as told: the record of the part before proves them (--before)."
)


def verify_tournament(
    recorded: TournamentRecord,
    registry: Registry,
    *,
    receipt: JsonObject | None = None,
    public_key: str | None = None,
    check_bots: Callable[[Record], DecisionsCheck] | None = None,
    before: TournamentRecord | None = None,
    progress: Callable[[Iterator[Record], int], Iterator[Record]] = lambda games, _count: games,
) -> Report:
    """Check a record. ``check_bots`` replays the decisions of a game's bots (None: skip that).

    ``receipt`` is a receipt of the tournament or of one of its games, from the caller.
    ``public_key`` (hex) is a trusted key, which must have made every signature. ``before`` is the
    record of the part before, of an endless tournament.

    Raises:
        NotARecordError, RecordError: the file is not a record of a tournament.
    """
    header, copies, games, flaws = recorded
    name = header["tournament_id"]
    key = header["public_key"] if public_key is None else public_key
    newer = UnknownParts(name)
    stream = verify_stream(name, copies, KINDS, newer)
    course = Course(name, newer)
    followed = guarded("course", lambda: course.check(copies))
    tournament = course.tournament
    kept = _KeptReceipt(receipt, key, newer)
    kept.look_at(Record({**header, "game_id": name}, copies))
    played = GamesReader(course, registry, key, check_bots, newer)
    played.judge(kept.looked_at(progress(games, header["games"])))
    lines = Check("lines", 1 + len(copies), list(flaws))
    made = [lines, guarded("header", lambda: _header(header, copies, tournament, key, newer))]
    if receipt is not None:
        made.append(kept.check())
    made += [*stream, followed, played.check]
    if check_bots is not None:
        made.append(played.bots)
    made.append(guarded("report", lambda: _report(tournament, header, newer)))
    if before is not None:
        made.append(guarded("before", lambda: check_before(tournament, before)))
    notes = [_FORGEABLE] if receipt is None and public_key is None else []
    notes += checks.unwitnessed(header)
    notes.append(_signer(header, public_key))
    if before is None and tournament.part is not None and tournament.part.before is not None:
        notes.append(_TAKEN_AS_TOLD)
    if newer.since:
        return Report(name, len(copies), "", made, notes, kind=TOURNAMENT, newer=newer)
    if followed.ok:  # a stream that fails its checks may refer to entries that do not exist
        notes += [*_origin(tournament), *_codes(tournament, played.rules_digests)]
    notes += played.bots.notes
    if played.too_slow:
        notes.append(
            f"{played.too_slow} times a bot took too long, says the operator's clock alone."
        )
    notes.append("Processor times are measurements, which nobody can recompute.")
    status = tournament.status if tournament.version else ""
    return Report(name, len(copies), status, made, notes, kind=TOURNAMENT, newer=newer)


class _KeptReceipt:
    """The caller's receipt, which is checked against the stream that it belongs to."""

    def __init__(self, receipt: JsonObject | None, public_key: str, newer: UnknownParts) -> None:
        self._receipt = receipt
        self._key = public_key
        self._newer = newer
        self._check: Check | None = None

    def look_at(self, stream: Record) -> None:
        """Check the receipt against ``stream``, if the receipt belongs to it."""
        receipt = self._receipt
        if receipt is None or receipt.get("game_id") != stream.game_id:
            return

        def compare() -> Check:
            check = Check("receipt")
            checks.check_receipt(check, stream, receipt, self._key, self._newer)
            return check

        self._check = guarded("receipt", compare)

    def looked_at(self, games: Iterator[Record]) -> Iterator[Record]:
        """Yield the games, after checking the receipt against each."""
        for game in games:
            self.look_at(game)
            yield game

    def check(self) -> Check:
        """Return the findings; a receipt that belongs to no stream of the record is a failure."""
        if self._check is not None:
            return self._check
        name = None if self._receipt is None else self._receipt.get("game_id")
        return Check("receipt", 1, [f"the receipt is for {name!r}, of which nothing is here"])


def _header(
    header: JsonObject,
    copies: Sequence[JsonObject],
    tournament: Tournament,
    public_key: str,
    newer: UnknownParts,
) -> Check:
    check = Check("header", skipped=newer.why())
    checks.check_header_fields(check, header, FIELDS, newer)
    unknown = checks.is_unknown_status(header["status"], STATUSES, newer)
    if not newer.since:
        check.expect(
            unknown or header["status"] == tournament.status,
            f"the header says {header['status']!r}, the events {tournament.status!r}",
        )
        played = sum(len(games) for games in tournament.results.values())
        check.expect(
            header["games"] == played,
            f"the header tells of {header['games']} games, the events of {played}",
        )
    receipt = header["receipt"]
    record = Record({**header, "game_id": header["tournament_id"]}, copies)
    checks.check_receipt(check, record, receipt, public_key, newer)
    check.expect(header["public_key"] == public_key, "it is signed with another key")
    check.expect(
        receipt.get("seq") == header["version"] == len(copies)
        and receipt.get("request") is receipt.get("idempotency_key") is None,
        "the header's receipt is not for the last event",
    )
    return check


def _report(tournament: Tournament, header: JsonObject, newer: UnknownParts) -> Check:
    """Check every published figure, to its last digit."""
    check = Check("report", skipped=newer.why())
    if newer.since:
        return check
    if not tournament.version:
        check.skipped = "the stream cannot be followed"
        return check
    published = header["report"]
    figures = published.get("figures")
    if type(figures) is int and figures > FIGURES:
        newer.note(None, "$.report.figures", str(figures))
        check.skipped = f"they are made as figures {figures} are, which this program does not know"
        return check
    if not check.expect(figures == FIGURES, f"there are no figures of kind {figures!r}"):
        return check
    has_bands = tournament.over or published.get("samples") != 0
    wanted = report(tournament, samples=SAMPLES if has_bands else 0)
    checks.check_fields(check, published, wanted, newer, "$.report")
    for name in sorted(wanted):
        check.expect(
            _written(wanted.get(name)) == _written(published.get(name)),
            f"{name} is {published.get(name)}, and comes out as {wanted.get(name)}"[:500],
        )
    return check


def _written(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _signer(header: JsonObject, public_key: str | None) -> str:
    key_id = header["receipt"].get("key_id")
    if public_key is None:
        return f"It says that it is signed with the key {key_id}; nobody here vouches for that key."
    return f"Checked with the key that you trust; it says that it is signed with {key_id}."


def _origin(tournament: Tournament) -> list[str]:
    """Return notes that name who could have chosen the luck."""
    if not tournament.version:
        return []
    if tournament.scope != tournament.id:
        return ["The host gave the seed, and so knew the luck of every game beforehand."]
    if not tournament.entropy:
        return ["Nobody gave entropy: the operator could have chosen the seed."]
    names = ", ".join(tournament.plan.entries[entry].name for entry in sorted(tournament.entropy))
    host = tournament.created_by.get("player")
    told = f"Entropy came from {names}, by the host {host}: the operator could have chosen the seed"
    return [f"{told} only together with that player."]


def _codes(tournament: Tournament, rules_digests: set[str]) -> list[str]:
    """Return notes that name the code that played."""
    notes = []
    if rules_digests:
        told = ", ".join(sorted(rules_digests))
        plan = tournament.plan
        notes.append(f"{plan.ruleset} {plan.rules_version} was played by the code {told}.")
    bots: dict[str, list[str]] = {}
    for bot in tournament.declared_bots():
        known = bots.setdefault(f"{bot['bot']}@{bot['version']}", [])
        if bot["digest"] not in known:
            known.append(bot["digest"])
    notes += [f"{name} played by the code {', '.join(known)}." for name, known in bots.items()]
    return notes
