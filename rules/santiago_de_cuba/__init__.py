"""Santiago de Cuba, by Michael Rieneck (2011), for 2 to 4 brokers.

They share one car, visit the citizens of a street and the buildings of the town, and load the goods
that seven ships demand (RULES.md). Read in this order: ``data``, ``state``, ``play`` (the sequence
of play), ``chance``, ``moves``, ``buildings``, ``uses``.
"""

from rules.santiago_de_cuba.ruleset import SantiagoDeCuba

RULESET = SantiagoDeCuba()
