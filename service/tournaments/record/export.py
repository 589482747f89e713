"""Writes the record of a stored tournament; if it was imported, the original record.

The record of a running tournament ends at the version of its report. That of a finished tournament
has the final report with bands, which take long to compute; earlier reports have no bands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import from_copy
from service.ledger.export import EndedGame, signature
from service.ledger.ledger import Ledger, RewoundError
from service.records.game_file import Record, RecordError
from service.records.receipts import Signer
from service.records.tournament_file import EXPORT
from service.tournaments import rounds
from service.tournaments.director import Director
from service.tournaments.figures import table_bands
from service.tournaments.report import figures, report
from service.tournaments.report_store import Reports
from service.tournaments.standing import TournamentStanding, TournamentStandings
from service.tournaments.tournament import GameResult, Tournament

_EVENTS_AT_ONCE = 10
"""Number of events that are read at a time; an event may contain many games."""

_BLOCKS_AT_ONCE = 10
"""Number of blocks whose results are read at a time."""

BlockResults = Iterator[tuple[str, GameResult]]
"""The id and the result of each game of the finished blocks, by block, then by rotation."""


class TournamentRecordSource(Protocol):
    """The parts of the service that are needed to write a tournament's record."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def director(self) -> Director: ...
    @property
    def standings(self) -> TournamentStandings: ...
    @property
    def reports(self) -> Reports: ...
    @property
    def signer(self) -> Signer: ...


class ReportUnfinishedError(RuntimeError):
    """The record cannot be written yet, because the report in its header is not ready."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"the report of {tournament_id} is being made")


@dataclass(frozen=True, slots=True)
class Export:
    """The record of a tournament as of its ``published`` report.

    ``played`` yields the tournament's games; ``count`` is the number of these games.
    """

    stored: TournamentRecordSource
    published: JsonObject
    count: int
    played: Callable[[], BlockResults]

    @property
    def standing(self) -> TournamentStanding:
        """The standing of the tournament as of the report."""
        return TournamentStanding(self.published, self.published, None, None)

    def signature(self) -> tuple[JsonObject, str]:
        """Return the signed head, and the key in hex."""
        return signature(self.stored.ledger.store, self.stored.signer, self.standing)

    def lines(self) -> Iterator[JsonObject]:
        """Yield the header, the events, then the lines of each game's record.

        Raises:
            GameNotFoundError: a game is not in the store.
            GameDamagedError: a game's stream is damaged.
            TournamentDamagedError: an event of the tournament cannot be read.
            RewoundError: the stored history differs from the report's.
        """
        stored, then = self.stored, self.standing
        receipt, public_key = self.signature()
        yield {
            "export": EXPORT,
            "tournament_id": then.id,
            "version": then.version,
            "status": then.now["status"],
            "games": self.count,
            "receipt": receipt,
            "public_key": public_key,
            "report": self.published,
        }
        head = None
        for copy in stored.director.copies(then.id, 0, then.version, at_once=_EVENTS_AT_ONCE):
            yield copy
            head = copy["hash"]
        left = self.count
        for game_id, result in self.played():
            yield from EndedGame(
                stored, game_id, result.version, bytes.fromhex(result.head)
            ).lines()
            left -= 1
        if head != then.now["head"] or left:
            raise RewoundError(then.id)


def lines(stored: TournamentRecordSource, tournament: Tournament) -> Iterator[JsonObject]:
    """Yield the lines of a folded tournament's record.

    If the report is missing, it is made first, and that may take long. Raises the errors of
    ``Export.lines``.
    """
    if tournament.over:
        published = stored.reports.final(tournament) or report(tournament)
    else:
        published = figures(tournament, table_bands.none(tournament.plan), 0)
    count = sum(map(len, tournament.results.values()))
    return Export(stored, published, count, lambda: _played(tournament)).lines()


def of_kept(stored: TournamentRecordSource, standing: TournamentStanding) -> Export:
    """Return the record of a tournament from the data that the store keeps beside its stream.

    The stream is not folded.

    Raises:
        ReportUnfinishedError: its report is not stored yet.
    """
    published = _kept_report(stored, standing)
    then = TournamentStanding(published, published, None, None)
    blocks = published["blocks"]["played"]
    size = rounds.games_in_block(stored.standings, then) or 0
    return Export(stored, published, blocks * size, lambda: _kept_games(stored.standings, then))


def _kept_report(stored: TournamentRecordSource, standing: TournamentStanding) -> JsonObject:
    """Return the newest stored report of a tournament.

    If no block has been played, a report without figures is made instead.

    Raises:
        ReportUnfinishedError: no report is stored, or the tournament is over and the report is not
            the final one. Or the stream was rewound, and lacks the newest event of the report.
    """
    found = stored.reports.kept(standing.id)
    if found is None and not standing.over and not standing.now["blocks"]["played"]:
        tournament = standing.without_blocks()
        empty = figures(tournament, table_bands.none(tournament.plan), 0)
        return {**empty, **standing.made, **standing.now}
    is_last = found is not None and (found["samples"] or not standing.over)
    if found is None or not is_last or not standing.is_kept:
        raise ReportUnfinishedError(standing.id)
    events = stored.ledger.store.events_at(standing.id, [found["version"]])
    if [event.hash.hex() for event in events] != [found["head"]]:
        raise ReportUnfinishedError(standing.id)
    return found


def game_ids(tournament: Tournament) -> Iterator[str]:
    """Yield the ids of the games of the finished blocks, by block, then by rotation."""
    return (name for name, _result in _played(tournament))


def recorded_game_ids(found: Record) -> list[str]:
    """Return the ids of the games that belong to a tournament's record, in their order.

    ``found`` is the record without its games. Raises RecordError.
    """
    tournament = Tournament(found.header["tournament_id"])
    try:
        for copy in found.copies:
            tournament.take(from_copy(copy))
        return [*game_ids(tournament)]
    except Exception as error:  # noqa: BLE001 - a file may hold any JSON
        raise RecordError(f"its events lead nowhere: {type(error).__name__} {error}") from None


def _played(tournament: Tournament) -> BlockResults:
    for number in sorted(tournament.results):
        names = tournament.game_ids(tournament.blocks[number])
        yield from zip(names, tournament.results[number], strict=True)


def _kept_games(standings: TournamentStandings, then: TournamentStanding) -> BlockResults:
    first = 1
    while True:
        found = standings.with_blocks(then, first, first + _BLOCKS_AT_ONCE - 1)
        if not found.blocks:
            return
        yield from _played(found)
        first += _BLOCKS_AT_ONCE
