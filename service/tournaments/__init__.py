"""Tournaments of bots; every figure can be recomputed from the event streams.

A tournament is an event stream in the format of games (docs/tournaments.md). ``plan`` is the host's
request, ``tournament`` the folded state, ``course`` the automatic events, ``formats`` the pairings.
``director`` appends the events to the stream. ``report`` and ``figures`` are pure functions of the
stream. ``record`` is the file for verifiers. The games are played by workers, not by this package.
"""
