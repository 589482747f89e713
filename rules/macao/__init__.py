"""Macao, by Stefan Feld (2009), for 2 to 4 merchants.

They draft cards, choose two of six dice, and the windrose brings the cubes that pay for everything
(RULES.md). Read in this order: ``data``, ``cards`` and ``tables`` (what an edition holds),
``state``, ``phases``, ``play`` (the sequence of play), ``chance``, ``moves``.
"""

from rules.macao.ruleset import Macao

RULESET = Macao()
