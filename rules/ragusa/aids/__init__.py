"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.ragusa.aids.board import draw
from rules.ragusa.aids.heuristic import heuristic, look
from rules.ragusa.aids.heuristic_weights import WEIGHTS
from rules.ragusa.aids.invariants import violations

__all__ = ["WEIGHTS", "draw", "heuristic", "look", "violations"]
