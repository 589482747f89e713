"""Writes what is stored of a tournament as a record: one that was imported as it came."""

from collections.abc import Iterator
from typing import Protocol

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import copy_for
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import Ledger
from service.ledger.origin import Origin
from service.records import game_file
from service.records.receipts import Headed, Signer
from service.records.tournament_file import EXPORT
from service.tournaments.director import Director
from service.tournaments.report import report
from service.tournaments.report_store import Reports
from service.tournaments.tournament import Tournament


class Stored(Protocol):
    """What is needed of a process's parts to write a record."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def director(self) -> Director: ...
    @property
    def reports(self) -> Reports: ...
    @property
    def signer(self) -> Signer: ...


def header(
    tournament: Tournament, receipt: JsonObject, public_key: str, published: JsonObject
) -> JsonObject:
    """Return the first line of a record; ``published`` is the report."""
    return {
        "export": EXPORT,
        "tournament_id": tournament.id,
        "version": tournament.version,
        "status": tournament.status,
        "games": sum(len(games) for games in tournament.results.values()),
        "receipt": receipt,
        "public_key": public_key,
        "report": published,
    }


def game_ids(tournament: Tournament) -> Iterator[str]:
    """Yield the games of the blocks that were played, in the order of block and rotation."""
    for number in sorted(tournament.results):
        yield from tournament.game_ids(tournament.blocks[number])


def lines(stored: Stored, tournament: Tournament) -> Iterator[JsonObject]:
    """Yield the record of a tournament, line by line.

    Raises:
        GameDamagedError: a game's stream cannot be believed.

    """
    published = stored.reports.final(tournament) or report(tournament)
    yield header(tournament, *_signature(stored, tournament), published)
    yield from stored.director.copies(tournament.id, 0, tournament.version)
    for name in game_ids(tournament):
        yield from _game(stored, name)


def _game(stored: Stored, game_id: str) -> Iterator[JsonObject]:
    ledger = stored.ledger
    table = ledger.table(game_id)
    game = table.game
    if table.damage is not None:  # nobody signs its head
        raise GameDamagedError(game_id, table.damage)
    yield game_file.header(
        game_id, game.created, game.version, game.status, None, *_signature(stored, game)
    )  # fmt: skip
    for event, prev_hash in ledger.history(game, 0, game.version):
        yield copy_for(None, event, prev_hash, table.secrets.salt, game.access, game.version)


def _signature(stored: Stored, stream: Headed) -> tuple[JsonObject, str]:
    """Return the signed head of a game or tournament, and the key: this one's, or as imported."""
    origin = Origin.of(stored.ledger.store.redis, stream.id)
    if origin is not None:
        return origin.receipt, origin.public_key
    return stored.signer.head(stream), stored.signer.public_key.hex()
