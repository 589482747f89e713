"""Modules that do not decide play; the digest of the rules omits them (docs/games.md)."""

from rules.plus_ultra.aids.board import draw
from rules.plus_ultra.aids.heuristic import heuristic
from rules.plus_ultra.aids.heuristic_weights import WEIGHTS
from rules.plus_ultra.aids.invariants import violations

__all__ = ["WEIGHTS", "draw", "heuristic", "violations"]
