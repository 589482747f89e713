"""The moves, in the order in which they are listed.

``base`` has what they share, ``turn`` what belongs to no character and no common space.
"""

from typing import Any

from rules.kernel.contract import Move
from rules.plus_ultra.moves import characters, common_spaces, turn

MOVE_TYPES: tuple[type[Move[Any]], ...] = (
    *turn.START,
    *characters.MOVE_TYPES,
    turn.ForfeitCharacter,
    *common_spaces.MOVE_TYPES,
    *turn.ANSWERS,
    turn.UseEstate,
    turn.EndActivation,
)
