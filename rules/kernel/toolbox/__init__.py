"""Optional parts that many games use.

They are piles, hidden hands, counts, rankings, added tables, drawings, and codecs of states. The
contract does not need them, and nothing here knows how a game is recorded.
"""
