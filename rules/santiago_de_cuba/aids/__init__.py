"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.santiago_de_cuba.aids.board import draw
from rules.santiago_de_cuba.aids.heuristic import heuristic
from rules.santiago_de_cuba.aids.heuristic_weights import WEIGHTS
from rules.santiago_de_cuba.aids.invariants import violations
from rules.santiago_de_cuba.scoring import final_vp as score_now

__all__ = ["WEIGHTS", "draw", "heuristic", "score_now", "violations"]
