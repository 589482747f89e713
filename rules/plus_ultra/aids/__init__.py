"""Words, the drawing, the heuristic and the invariants: they help, and nothing here decides play.

What stands here may get better in any version of the rules, and no game takes notice: the digest
of the rules leaves it out. Only ``ruleset.py`` imports from here.
"""

from rules.plus_ultra.aids.board import draw_board
from rules.plus_ultra.aids.heuristic import heuristic
from rules.plus_ultra.aids.invariants import violations

__all__ = ["draw_board", "heuristic", "violations"]
