"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.macao.aids.board import draw
from rules.macao.aids.heuristic import heuristic, look
from rules.macao.aids.heuristic_weights import WEIGHTS
from rules.macao.aids.invariants import violations
from rules.macao.scoring import total as score_now

__all__ = ["WEIGHTS", "draw", "heuristic", "look", "score_now", "violations"]
