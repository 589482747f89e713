"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.plus_ultra.aids.board import draw
from rules.plus_ultra.aids.heuristic import heuristic
from rules.plus_ultra.aids.heuristic_weights import WEIGHTS
from rules.plus_ultra.aids.invariants import violations
from rules.plus_ultra.scoring import categories as score_now

__all__ = ["WEIGHTS", "draw", "heuristic", "score_now", "violations"]
