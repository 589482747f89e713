"""A neutral judge of ``search``: the ISMCTS bot of OpenSpiel, on our rules, at equal time.

``python -m tools.judge`` plays, in an environment of its own that it makes; docs/bots.md has
what came of it.
"""
