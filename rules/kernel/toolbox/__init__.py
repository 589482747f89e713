"""Modules that a game may use or not.

They are about piles, hidden hands, counts, rankings, tables that an installation adds, drawings,
and codecs of states. The contract does not need them, and they do not depend on how a game is
recorded.
"""
