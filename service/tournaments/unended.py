"""A tournament's games that have begun and will not be played to the end.

Such a game was in progress when the tournament was cancelled, or when one of its entries went out;
or it belongs to a try at a block that was abandoned.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.kernel.record.events import Event
from rules.kernel.record.game import DAMAGED, sound_before_end
from service.ledger.store import Store
from service.tournaments.tournament import Abandonment, Block, Tournament

_AFTER_PLAY = ("ended", "aborted", "chance_revealed")
"""The kinds of a game's newest event when its play is over."""


def games(store: Store, tournament: Tournament) -> Iterator[tuple[Block, int, str]]:
    """Yield the games of a tournament that is over that have not ended.

    For each game, yield the block with the number of the try, the number of the rotation, and the
    id of the game. If the tournament is not over, yield nothing.
    """
    tries = [each for block in blocks(tournament) for each in block.tries()]
    yield from _games_of(store, tournament, tries)


def games_without_result(tournament: Tournament) -> Iterator[str]:
    """Yield the ids of a tournament's games that are in no result of it, whether begun or not.

    They are the games of the tries that were abandoned, and of the blocks that have not ended. The
    tournament's record has all others.
    """
    for block in tournament.blocks.values():
        is_played = block.number in tournament.results
        for each in block.tries()[:-1] if is_played else block.tries():
            yield from tournament.game_ids(each)


def void_blocks(tournament: Tournament) -> list[Block]:
    """Return the blocks with players that do not count.

    Their games are ended before the tournament is over, so that their players are asked no more.
    """
    return [
        block
        for block in tournament.blocks.values()
        if block.number not in tournament.results
        and tournament.plan.has_players(block.lineup)
        and tournament.is_void(block)
    ]


def games_in(
    store: Store, tournament: Tournament, blocks: Iterable[Block]
) -> Iterator[tuple[Block, int, str]]:
    """Yield the games that have not ended, of the present tries at some blocks.

    For each game, yield what ``games`` yields.
    """
    yield from _games_of(store, tournament, blocks)


class PlayersGames(NamedTuple):
    """The games in progress with players, in the open blocks of a tournament.

    ``playing`` has the number of such games by player. ``waiting`` has the open blocks that have no
    game in progress, and whose next game has not begun.
    """

    playing: Counter[str]
    waiting: list[Block]


def games_of_players(store: Store, tournament: Tournament) -> PlayersGames:
    """Return the games in progress with players, in the open blocks of a tournament."""
    plan, found = tournament.plan, PlayersGames(Counter(), [])
    blocks = [block for block in tournament.open_blocks() if plan.has_players(block.lineup)]
    games = [tournament.game_ids(block) for block in blocks]
    newest = iter(store.newest_events(name for names in games for name in names))
    for block, names in zip(blocks, games, strict=True):
        kinds = [None if (event := next(newest)) is None else event.kind for _name in names]
        if any(kind is not None and kind not in _AFTER_PLAY for kind in kinds):
            found.playing.update(plan.players_in(block.lineup))
        elif None in kinds:
            found.waiting.append(block)
    return found


def loss_of(store: Store, tournament: Tournament, block: Block) -> Abandonment | None:
    """Return why the present try at a block cannot end; None if it can.

    It cannot if an operator has ended one of its games as damaged.
    """
    newest = store.newest_events(tournament.game_ids(block))
    reached = [None if event is None else (event.seq, event.hash.hex()) for event in newest]
    for rotation, event in enumerate(newest):
        if event is not None and sound_before_end(event) is not None:
            return Abandonment(rotation, None, None, DAMAGED, reached)
    return None


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
    return event.kind == "chance_revealed" or sound_before_end(event) is not None
