"""Plus Ultra, by Manuel D. Cruz Díaz and Antonio J. Dionisio Vázquez, for 2 to 4 players.

Nobles at the court of Charles V draft characters, bid soldiers in secret, and act with their
drafted characters (RULES.md). Read in this order: ``data``, ``state``, ``play`` (the sequence of
play), ``chance``, ``moves``.
"""

from rules.plus_ultra.ruleset import PlusUltra

RULESET = PlusUltra()
