"""The rules of every game: pure code, without I/O, clock, or random source of its own.

``kernel`` is the common part, ``registry`` the list of installed games; each other room is a game
and knows no other. Nothing here imports ``service`` or ``workers``.
"""
