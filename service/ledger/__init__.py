"""The event store: the only code that touches the streams of games.

``keys`` names what is in Redis, ``append.lua`` is the one way in, ``store`` speaks to Redis,
``repository`` keeps aggregates folded and appends to them, ``ledger`` says how games are folded,
``snapshots`` shortens cold starts. ``damage`` says which part of a stream is sound, ``inspection``
what is wrong with one, ``maintenance`` checks all of them, repairs what can be derived and ends
what cannot be believed, ``acknowledged`` looks for what receipts sign.
"""
