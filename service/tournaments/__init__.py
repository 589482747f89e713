"""Tournaments: bots against bots, every figure of which can be recomputed from the logs.

A tournament is an event stream in the format of games (docs/tournaments.md). ``plan`` is what a
host asks for, ``tournament`` what the events say, ``course`` what follows by itself, ``formats``
who meets whom; ``director`` appends. ``report`` and ``figures`` are pure functions of the stream,
``record`` is what others verify.
No game is played here: workers do that.
"""
