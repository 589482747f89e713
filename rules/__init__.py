"""The rules of every game: pure code, no I/O, no clock, no random source of its own.

``kernel`` is what games share, ``registry`` the list of installed ones; each other room is a game
and knows no other. Nothing here imports ``service`` or ``workers``.
"""
