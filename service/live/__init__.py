"""What goes on, as it happens: the streams of games, tournaments and players.

``hub`` wakes whoever waits, ``streams`` follow a game or a tournament and ``inbox`` a player;
``frames`` are what they send, ``patches`` what of a state has changed, ``places`` who may have one.
It knows no HTTP.
"""
