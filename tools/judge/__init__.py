"""A neutral judge of ``search``: it plays our rules against OpenSpiel's ISMCTS bot, at equal time.

``python -m tools.judge`` plays, in an environment of its own, which it creates. docs/bots.md has
the results.
"""
