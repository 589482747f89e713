"""Macao, by Stefan Feld (2009), for 2 to 4 merchants.

In each round they draft a card and choose two of six dice. The windrose brings the cubes of these
dice in later rounds, and cubes pay for nearly everything (RULES.md). Read in this order: ``data``,
``cards`` and ``tables`` (an edition's tables), ``state``, ``phases``, ``play`` (the sequence of
play), ``chance``, ``moves``.
"""

from rules.macao.ruleset import Macao

RULESET = Macao()
