"""Ragusa, by Fabio Lopiano (2019), for 1 to 5 builders of Dubrovnik.

A house stands on a corner of three hexes: the land gives resources, the city acts, and activates
the houses round the same hex (RULES.md). Read in this order: ``data``, ``grid``, ``state``,
``play`` (the sequence of play), ``chance``, ``moves``; ``automata`` plays the solo opponents.
"""

from rules.ragusa.ruleset import Ragusa

RULESET = Ragusa()
