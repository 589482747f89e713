"""Modules on which play does not depend; the digest of the rules omits them (docs/games.md)."""

from rules.ragusa.aids.board import draw
from rules.ragusa.aids.heuristic import heuristic, look
from rules.ragusa.aids.heuristic_weights import WEIGHTS
from rules.ragusa.aids.invariants import violations
from rules.ragusa.aids.score import score_now

__all__ = ["WEIGHTS", "draw", "heuristic", "look", "score_now", "violations"]
