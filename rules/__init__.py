"""The rules of every game: pure code, without I/O, without a clock and without a random source.

``kernel`` is the part that all games share, and ``registry`` lists the games. Each other package is
one game and imports no other game. No module of ``rules`` imports ``service`` or ``workers``.
"""
