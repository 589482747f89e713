"""A tournament's games that have begun and will not be played to the end.

Such a game was in progress when the tournament was cancelled, or when one of its entries went out;
or it belongs to a try at a block that was abandoned.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from rules.kernel.record.events import Event
from rules.kernel.record.game import DAMAGED
from service.ledger.store import Store
from service.tournaments.plan import PlayerEntry
from service.tournaments.tournament import Block, Tournament

_AFTER_PLAY = ("ended", "aborted", "chance_revealed")
"""The kinds of a game's newest event when its play is over."""


def games(store: Store, tournament: Tournament) -> Iterator[tuple[Block, int, str]]:
    """Yield the games of a tournament that is over that have not ended.

    For each game, yield the block with the number of the try, the number of the rotation, and the
    id of the game. If the tournament is not over, yield nothing.
    """
    tries = [each for block in blocks(tournament) for each in block.tries()]
    yield from _games_of(store, tournament, tries)


def games_of_players(store: Store, tournament: Tournament) -> Counter[str]:
    """Return for each player the number of games of open blocks that it plays now."""
    plan, playing = tournament.plan, Counter[str]()
    games = [
        (block, name)
        for block in tournament.open_blocks()
        if plan.has_players(block.lineup)
        for name in tournament.game_ids(block)
    ]
    newest = store.newest_events(name for _block, name in games)
    for (block, _name), event in zip(games, newest, strict=True):
        if event is not None and event.kind not in _AFTER_PLAY:
            entries = [plan.entries[entry] for entry in {*block.lineup}]
            playing.update(entry.player for entry in entries if isinstance(entry, PlayerEntry))
    return playing


def games_of_abandoned(
    store: Store, tournament: Tournament, block: Block
) -> Iterator[tuple[Block, int, str]]:
    """Yield the games that have not ended, of all tries at ``block`` that were abandoned.

    For each game, yield the block with the number of the try, the number of the rotation, and the
    id of the game.
    """
    yield from _games_of(store, tournament, block.tries()[:-1])


def _games_of(
    store: Store, tournament: Tournament, tries: Iterable[Block]
) -> Iterator[tuple[Block, int, str]]:
    places = [
        (block, rotation, name)
        for block in tries
        for rotation, name in enumerate(tournament.game_ids(block))
    ]
    newest = store.newest_events(name for _block, _rotation, name in places)
    for place, event in zip(places, newest, strict=True):
        if event is not None and not _is_last(event):
            yield place


def blocks(tournament: Tournament) -> list[Block]:
    """Return the blocks of a tournament that is over, that were paired and did not end."""
    if not tournament.over or len(tournament.results) == len(tournament.blocks):
        return []
    return [block for block in tournament.blocks.values() if block.number not in tournament.results]


def _is_last(event: Event) -> bool:
    """Whether ``event`` is the last event of its game.

    The last event reveals the chance seed, or ends a damaged game.
    """
    if event.kind == "aborted":
        return bool(event.body["aborted"].value["reason"] == DAMAGED)
    return event.kind == "chance_revealed"
