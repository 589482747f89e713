"""Ragusa, by Fabio Lopiano (2019), for 1 to 5 builders of Dubrovnik.

A house stands on a corner of three hexes. Land hexes give resources; a city hex activates all
houses round it (RULES.md). Read in this order: ``data``, ``grid``, ``state``, ``play`` (the
sequence of play), ``chance``, ``moves``; ``automata`` plays the solo opponents.
"""

from rules.ragusa.ruleset import Ragusa

RULESET = Ragusa()
