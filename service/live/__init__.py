"""Live streams of games, tournaments and players.

``hub`` wakes waiting streams, ``streams`` follow a game or a tournament and ``inbox`` a player;
``frames`` makes their messages, ``patches`` the changes of states, and ``places`` limits the number
of streams. This package knows no HTTP.
"""
