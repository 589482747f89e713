"""The moves; a phase lists its types of move in the order of these modules."""

from rules.kernel.contract import moves_of
from rules.plus_ultra.moves import characters, common_spaces, turn

MOVE_TYPES = moves_of(characters, common_spaces, turn)
