"""Imports finished tournaments of other installations from their records.

The games come first, one by one (``service.ledger.imports``), and stay hidden meanwhile. The
tournament is written to a temporary key, page by page, and moved to its place in one step, with all
its derived data, so that it is stored completely or not at all. It has no obligations and needs no
workers, because its record has the report.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import chain, islice
from secrets import token_hex
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.record.events import Event, dump, from_copy
from rules.kernel.record.secrets import Secrets
from service.ids import shard_of
from service.ledger import lists
from service.ledger.imports import HERE, IN_PLACE, OTHER
from service.ledger.origin import IMPORTED, Origin
from service.ledger.store import KEPT as STANDING
from service.ledger.store import REPORT, Store
from service.redis.keys import game_key, shard_key
from service.redis.scripts import Script
from service.tournaments import report_store, standing
from service.tournaments.tournament import Tournament

PAGE = 100
"""Events written to the temporary key at once."""

LAID_SECONDS = 3_600
"""Lifetime of an abandoned temporary key."""

LOOKED_AT = 500
"""Games looked up at once."""

_SCRIPTS = resources.files("service.tournaments")
_RESERVE = IN_PLACE + _SCRIPTS.joinpath("reserve.lua").read_text()
_LAY = _SCRIPTS.joinpath("lay_beside.lua").read_text()
_MOVE = lists.SCRIPT + IN_PLACE + _SCRIPTS.joinpath("move_in.lua").read_text()
_LOST = "lost"


class LostMeanwhileError(RuntimeError):
    """A failover lost part of the stored tournament; a second import succeeds."""


class TournamentImports:
    """Stores imported tournaments."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reserve = Script(store.redis, _RESERVE)
        self._lay = Script(store.redis, _LAY)
        self._move = Script(store.redis, _MOVE)

    def reserve(self, tournament: Tournament) -> str:
        """Reserve a tournament's id, so that nobody can create another one with it.

        Return DONE if the id is reserved now. Return HERE if the same tournament is in the store
        already. Return OTHER if another tournament, or another history of this one, is stored under
        its id.
        """
        name = tournament.id
        if self._store.is_archived(name):
            known = self._store.newest_event(name)
            return HERE if known is not None and known.hash == tournament.head else OTHER
        keys = [game_key(name, key) for key in ("events", "secrets", "tombstone")]
        found: str = self._reserve(keys, [tournament.head]).decode()
        return found

    def unlike(self, tournament: Tournament) -> Iterator[tuple[str, bool]]:
        """Yield the id of each game that is missing in the store or stored differently.

        The second member of each pair is False if the game is missing. It is True if the stored
        game is not the game that the tournament names.
        """
        games = _games(tournament)
        while page := list(islice(games, LOOKED_AT)):
            found = self._store.newest_events(name for name, _head in page)
            for (name, head), event in zip(page, found, strict=True):
                if event is None or event.hash.hex() != head:
                    yield name, event is not None

    def put(
        self,
        tournament: Tournament,
        copies: Iterable[JsonObject],
        secrets: Secrets,
        origin: Origin,
        published: JsonObject,
    ) -> str:
        """Store a verified tournament whose games are all stored.

        ``copies`` are its events, ``published`` is its report. Return DONE if the tournament is
        stored now. Return HERE if the same tournament was in the store already. Return OTHER if
        another tournament, or another history of this one, is stored under its id.

        Raises:
            TooFewReplicasError: the tournament is stored, but on fewer replicas than configured.
            LostMeanwhileError: the tournament is not stored.
        """
        for game_id, _is_here in self.unlike(tournament):
            raise LostMeanwhileError(f"its game {game_id} was lost before all of it was stored")
        name, beside = tournament.id, f"importing:{token_hex(8)}"
        events, kept = game_key(name, beside), game_key(name, f"{beside}:kept")
        for page in _pages(map(from_copy, copies)):
            self._lay([events, kept], _laid(tournament, page))
        keys = [
            events, kept,
            *(game_key(name, n) for n in ("events", STANDING, "secrets", "tombstone", IMPORTED)),
            game_key(name, REPORT),
            *(shard_key(shard_of(name), n) for n in (lists.LISTS, lists.LISTED)),
        ]  # fmt: skip
        listing = lists.tournament_listing(
            name, tournament.created_at, tournament.created_by, origin
        )
        found: str = self._move(
            keys,
            [
                name, tournament.head, tournament.version, *self._store.wrapped(name, secrets),
                origin.dump(), listing.dump(), *chain(*report_store.fields(published).items()),
            ],
        ).decode()  # fmt: skip
        if found == _LOST:
            raise LostMeanwhileError("its events were lost before all of it was stored")
        if found != OTHER:
            self._store.confirm(name, tournament.version, tournament.head)
        return found


def _games(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield the id of each played game, and the hash of its newest event."""
    for number in sorted(tournament.results):
        results = tournament.results[number]
        names = tournament.game_ids(tournament.blocks[number])
        yield from zip(names, (result.head for result in results), strict=True)


def _pages(events: Iterator[Event]) -> Iterator[list[Event]]:
    while page := list(islice(events, PAGE)):
        yield page


def _laid(tournament: Tournament, page: Sequence[Event]) -> list[Any]:
    """Return the script's arguments: the standing as names and values, then a page of events."""
    stands = list(chain(*standing.fields(tournament, page).items()))
    words: list[Any] = [LAID_SECONDS, len(stands), *stands]
    for event in page:
        words += [event.seq, *dump(event)]
    return words
