"""Every ruleset as an environment for learners (PettingZoo): docs/learning.md.

``game("ragusa", seats=3)`` has what a PettingZoo module has: ``env`` and ``parallel_env``. Nothing
here needs a service: games are played in the learner's process, by the rules themselves.
"""

from learning.game import Game, game

__all__ = ["Game", "game"]
