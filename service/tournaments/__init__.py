"""Tournaments of bots; every figure can be recomputed from the event streams.

A tournament is an event stream in the format of games (docs/tournaments.md). ``plan`` is the host's
request, ``tournament`` the folded state, ``course`` the automatic events, ``formats`` the pairings;
``director`` appends. ``report`` and ``figures`` are pure functions of the stream, ``record`` is the
file for verifiers. Workers play the games, not this package.
"""
