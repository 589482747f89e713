"""What a caller may ask to have added to each event: effects, the game after it, legal moves.

Each addition equals what the API answers when the same viewer asks for the log, for the state at
that version, or for the legal moves at that version.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.events import copy_for
from service.games.present import effects_json, groups_json, legal_moves_json, state_json
from service.ledger.ledger import FoldedGame, Moment
from service.live.patches import patch

EFFECTS, WORDS, STATE, PATCH = "effects", "words", "state", "patch"
LEGAL_MOVES, GROUPS = "legal_moves", "groups"
LARGE = frozenset((STATE, PATCH, LEGAL_MOVES, GROUPS))
"""Additions that make an event many times as expensive."""


class StreamView(NamedTuple):
    """The viewer of a stream (None: a spectator), and the additions to each event.

    Events without additions do not depend on the language; for them ``language`` is empty, so that
    streams in all languages share them.
    """

    viewer: Seat | None
    include: tuple[str, ...] = ()
    language: str = ""

    @property
    def large(self) -> bool:
        """Whether events have expensive additions."""
        return not LARGE.isdisjoint(self.include)


def told(moment: Moment, table: FoldedGame, look: StreamView) -> JsonObject:
    """Return the copy of an event for its viewer, with its additions."""
    event, prev_hash = moment[:2]
    game = table.game
    copy = copy_for(look.viewer, event, prev_hash, table.secrets.salt, game.access, game.version)
    return {**copy, **{name: _MAKE[name](moment, table, look) for name in look.include}}


def _words(moment: Moment, table: FoldedGame, look: StreamView) -> list[str]:
    return [effect["text"] for effect in _effects(moment, table, look) if effect["text"]]


def _effects(moment: Moment, table: FoldedGame, look: StreamView) -> list[JsonObject]:
    effects = [(moment.event.seq, effect) for effect in moment.effects]
    return effects_json(effects, table.game, look.viewer, look.language)


def _state(moment: Moment, table: FoldedGame, look: StreamView) -> JsonObject:
    return state_json(moment.game, look.viewer, look.language, table.damage)


def _patch(moment: Moment, table: FoldedGame, look: StreamView) -> list[JsonObject]:
    """Return the patch that turns the state before an event into the state after it.

    The state before the first event is null.
    """
    before = moment.before
    old = state_json(before, look.viewer, look.language, table.damage) if before.version else None
    return patch(old, _state(moment, table, look))


def _legal_moves(moment: Moment, _table: FoldedGame, look: StreamView) -> JsonObject | None:
    """Return the viewer's legal moves after the event; None for a spectator."""
    if look.viewer is None:
        return None
    return legal_moves_json(moment.game, look.viewer, look.language)


def _groups(moment: Moment, _table: FoldedGame, look: StreamView) -> list[JsonObject] | None:
    """Return the legal moves that the viewer has after the event; None for a spectator.

    The moves are in groups.
    """
    if look.viewer is None:
        return None
    return groups_json(moment.game, look.viewer, look.language)


_MAKE: Mapping[str, Callable[[Moment, FoldedGame, StreamView], object]] = {
    EFFECTS: _effects,
    WORDS: _words,
    STATE: _state,
    PATCH: _patch,
    LEGAL_MOVES: _legal_moves,
    GROUPS: _groups,
}
INCLUDED = tuple(_MAKE)
"""All additions to events, in their order."""
