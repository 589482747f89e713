"""Ratings of people, derived from rated games in the order in which they ended.

``weng_lin`` has the formula, ``rated_games`` selects the games that count, ``ratings`` folds and
stores. Bots have ratings of their own, which follow from tournaments (``service.tournaments``).
"""
