"""The games that a cancelled tournament leaves behind: begun, and not brought to an end yet."""

from collections.abc import Iterator

from rules.kernel.record.events import Event
from rules.kernel.record.game import DAMAGED
from service.ledger.store import Store
from service.tournaments.tournament import CANCELLED, Block, Tournament


def games(store: Store, tournament: Tournament) -> Iterator[tuple[Block, int, str]]:
    """Yield the block, the rotation and the id of each such game of a cancelled tournament."""
    places = [
        (block, rotation, name)
        for block in blocks(tournament)
        for rotation, name in enumerate(tournament.game_ids(block))
    ]
    newest = store.newest_events(name for _block, _rotation, name in places)
    for place, event in zip(places, newest, strict=True):
        if event is not None and not _is_last(event):
            yield place


def blocks(tournament: Tournament) -> list[Block]:
    """Return the blocks of a cancelled tournament that were paired and did not end."""
    if tournament.status != CANCELLED:
        return []
    numbers = range((tournament.stopped_after or 0) + 1, len(tournament.blocks) + 1)
    return [tournament.blocks[n] for n in numbers if n not in tournament.results]


def _is_last(event: Event) -> bool:
    """Whether nothing follows: the luck is open, or an operator ended a damaged game."""
    if event.kind == "aborted":
        return bool(event.body["aborted"].value["reason"] == DAMAGED)
    return event.kind == "chance_revealed"
