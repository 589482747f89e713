"""What many games have, for those that want it: piles, counts, rankings, added tables, drawings.

The contract needs none of it, and nothing here knows how a game is recorded.
"""
