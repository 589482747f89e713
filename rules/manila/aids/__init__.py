"""What does not decide play; the digest of the rules does not cover it (docs/games.md)."""

from rules.manila.aids.board import draw
from rules.manila.aids.heuristic import heuristic
from rules.manila.aids.heuristic_weights import WEIGHTS
from rules.manila.aids.invariants import violations

__all__ = ["WEIGHTS", "draw", "heuristic", "violations"]
