"""The event store: the only code that touches the streams of games.

``append.lua`` appends all events, ``store`` talks to Redis, ``repository`` caches folded aggregates
and appends to them, ``ledger`` folds games, ``snapshots`` shortens cold starts, ``damage`` finds
the sound part of a stream. Derived data are beside them: ``lists``, ``feeds`` and obligations. This
package knows no permissions.
"""
