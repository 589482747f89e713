"""Macao, by Stefan Feld (2009), for 2 to 4 merchants.

They draft cards, choose two of six dice, and the windrose delivers the cubes that pay for
everything (RULES.md). Read in this order: ``data``, ``cards`` and ``tables`` (an edition's tables),
``state``, ``phases``, ``play`` (the sequence of play), ``chance``, ``moves``.
"""

from rules.macao.ruleset import Macao

RULESET = Macao()
