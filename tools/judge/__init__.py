"""A neutral judge of ``search``: OpenSpiel's ISMCTS bot, which plays against it, with equal time.

``python -m tools.judge`` plays the games, in an environment that it creates. docs/bots.md has the
results.
"""
