"""The event store: the only code that touches the streams of games.

``keys`` names what is in Redis, ``append.lua`` is the one way in, ``store`` speaks to Redis,
``ledger`` keeps games folded, ``snapshots`` shortens cold starts, ``maintenance`` checks and
repairs what can be derived.
"""
