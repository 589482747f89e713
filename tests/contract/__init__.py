"""The requirements on every ruleset, checked for the installed rulesets, ``sealed`` and ``pig``.

``tables`` lists the rulesets and their tables; each ``test_…`` module has one part of the contract.
A game added to the registry is checked with no new test; it needs its golden replays, which
``python -m tests.contract.record`` writes.
"""
