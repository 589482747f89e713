"""What every ruleset must do, checked over every installed one, ``sealed`` and ``pig``.

``tables`` says what is played and how; each ``test_…`` module states one part of the contract.
A game added to the registry is checked with no new test; it needs its golden replays, which
``python -m tests.contract.record`` writes.
"""
