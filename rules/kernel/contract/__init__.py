"""What an author writes a game against; ``ruleset`` has the contract itself.

Here are moves and their fields, draws, effects, refusals, words and tables. Nothing here knows a
game, or how one is recorded and proved.
"""
