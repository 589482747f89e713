"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.manila.aids.board import draw
from rules.manila.aids.heuristic import heuristic
from rules.manila.aids.heuristic_weights import WEIGHTS
from rules.manila.aids.invariants import violations
from rules.manila.scoring import fortune as score_now

__all__ = ["WEIGHTS", "draw", "heuristic", "score_now", "violations"]
