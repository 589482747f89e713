"""The event store: the only code that touches the streams of games.

``append.lua`` is the one way in, ``store`` speaks to Redis, ``repository`` keeps aggregates folded
and appends to them, ``ledger`` says how games are folded, ``snapshots`` shortens cold starts,
``damage`` says which part of a stream is sound. What follows from events stands beside them:
``lists``, ``feeds`` and obligations. It does not know who may do what.
"""
