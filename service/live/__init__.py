"""Live streams of games, tournaments and players.

``hub`` wakes waiting streams. ``streams`` follows a game or a tournament, and ``inbox`` follows a
player. ``frames`` makes the messages, ``patches`` computes the changes of states, and ``places``
limits the number of streams. This package knows no HTTP.
"""
