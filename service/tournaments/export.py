"""Writes what is stored of a tournament as a record."""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.events import Access, copy_for, genesis
from service import record
from service.runtime import Runtime
from service.tournaments.director import TournamentNotFoundError
from service.tournaments.record import EXPORT
from service.tournaments.report import report
from service.tournaments.tournament import Tournament

_PAGE = 500
_EVERYTHING = Access()


def header(tournament: Tournament, receipt: JsonObject, public_key: str) -> JsonObject:
    """Return the first line of a record."""
    return {
        "export": EXPORT,
        "tournament_id": tournament.id,
        "version": tournament.version,
        "status": tournament.status,
        "games": sum(len(games) for games in tournament.results.values()),
        "receipt": receipt,
        "public_key": public_key,
        "report": report(tournament),
    }


def copies(runtime: Runtime, tournament_id: str, after: int, until: int) -> Iterator[JsonObject]:
    """Yield the events after ``after`` up to ``until``, as everybody sees them."""
    director = runtime.director
    salt = director.salt(tournament_id)
    prev_hash = genesis(tournament_id)
    if after:
        prev_hash = director.events(tournament_id, after - 1, 1)[0].hash
    while after < until:
        for event in director.events(tournament_id, after, min(_PAGE, until - after)):
            yield copy_for(None, event, prev_hash, salt, _EVERYTHING, event.seq)
            prev_hash, after = event.hash, event.seq


def lines(runtime: Runtime, tournament: Tournament) -> Iterator[JsonObject]:
    """Yield the record of a tournament, line by line."""
    signer = runtime.signer
    yield header(tournament, signer.head(tournament), signer.public_key.hex())
    yield from copies(runtime, tournament.id, 0, tournament.version)
    for number in sorted(tournament.results):
        for name in tournament.game_ids(tournament.blocks[number]):
            yield from _game(runtime, name)


def _game(runtime: Runtime, game_id: str) -> Iterator[JsonObject]:
    ledger, signer = runtime.ledger, runtime.signer
    game = ledger.game_at(game_id, None)
    secrets = ledger.store.secrets(game_id)
    if secrets is None:
        raise TournamentNotFoundError(game_id)
    yield record.header(
        game_id, game.created, game.version, game.status, None, signer.head(game),
        signer.public_key.hex(),
    )  # fmt: skip
    for event, prev_hash in ledger.events(game_id, 0, game.version):
        yield copy_for(None, event, prev_hash, secrets.salt, game.access, game.version)
