"""What many games have, for those that want it.

Piles, hidden hands, counts, rankings, added tables, drawings, and how a state stands in JSON. The
contract needs none of it, and nothing here knows how a game is recorded.
"""
