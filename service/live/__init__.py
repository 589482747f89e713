"""Live streams of games, tournaments and players.

``hub`` wakes waiting streams, ``streams`` follow a game or a tournament and ``inbox`` a player;
``frames`` are their messages, ``patches`` the changes of states, ``places`` the limits on streams.
This package knows no HTTP.
"""
