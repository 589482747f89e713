"""Every ruleset as an environment for learners (PettingZoo): docs/learning.md.

``game("ragusa", seats=3)`` returns an object with the functions of a PettingZoo module: ``env`` and
``parallel_env``. No service is needed: the rules play games in the learner's process.
``bot(policy).run()`` lets a trained policy play at tables and in tournaments.
"""

from lonja_learning.bot import PolicyBot, bot
from lonja_learning.game import Game, game
from lonja_learning.opponents import BadOpponentError
from lonja_learning.policies import ForbiddenActionError, Policy

__all__ = [
    "BadOpponentError",
    "ForbiddenActionError",
    "Game",
    "Policy",
    "PolicyBot",
    "bot",
    "game",
]
