"""A neutral judge of ``search``: the ISMCTS bot of OpenSpiel, on our rules, at equal time.

``python -m tools.judge`` plays, in its own environment, which it creates; docs/bots.md has the
results.
"""
