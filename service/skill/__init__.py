"""Ratings of people, derived from rated games in the order in which they ended.

``weng_lin`` has the formula, ``rated_games`` selects the games that count, ``ratings`` computes the
ratings and stores them. Bots have ratings of their own, which follow from tournaments
(``service.tournaments``).
"""
