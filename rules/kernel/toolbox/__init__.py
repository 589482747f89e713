"""What many games have, for those that want it: piles, hidden hands, counts, rankings,
added tables, drawings, states in JSON.

The contract needs none of it, and nothing here knows how a game is recorded.
"""
