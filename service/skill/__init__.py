"""How strong people are: ratings that follow from rated games, in the order in which these ended.

``weng_lin`` has the formula, ``rated_games`` says which games count, ``ratings`` folds and keeps.
Bots have ratings of their own, which follow from tournaments (``service.tournaments``).
"""
