"""The event store: the only code that touches the streams of games.

``append.lua`` appends all events, ``store`` talks to Redis, ``repository`` caches folded aggregates
and appends to them, ``ledger`` folds games, ``snapshots`` shortens cold starts, ``damage`` finds
the sound part of a stream. Derived data are stored beside the streams: ``lists``, ``feeds``, and
the times at which the service has to act in a game (``Obligations``). This package checks no
permissions.
"""
