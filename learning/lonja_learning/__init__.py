"""Every ruleset as an environment for learners (PettingZoo): docs/learning.md.

``game("ragusa", seats=3)`` returns an object with the functions of a PettingZoo module: ``env`` and
``parallel_env``. No service is needed: the rules play games in the learner's process.
"""

from lonja_learning.game import Game, game

__all__ = ["Game", "game"]
