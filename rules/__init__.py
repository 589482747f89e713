"""The rules of every game: pure code, without I/O, clock, or random source of its own.

``kernel`` is the common part, and ``registry`` lists the installed games. Each other package is one
game and imports no other game. Nothing here imports ``service`` or ``workers``.
"""
