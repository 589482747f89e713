"""Optional parts that many games use.

Piles, hidden hands, counts, rankings, added tables, drawings, and codecs of states. The contract
needs none of it, and nothing here knows how a game is recorded.
"""
