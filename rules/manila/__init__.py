"""Manila, by Franz-Benno Delonge (2005), for 3 to 5 players.

They auction the office of harbour master, bet on the arrival of three punts, and speculate with
shares of four wares (RULES.md). Read in this order: ``data``, ``state``, ``play`` (the sequence of
play), ``chance``, ``moves``.
"""

from rules.manila.ruleset import Manila

RULESET = Manila()
