"""The part that all games share: their contract, and how a game is played, recorded and verified.

``contract`` is the interface of games, ``toolbox`` has classes that many games use, ``record``
records play as events, and ``proof`` checks events; read them in this order. ``numbering`` is for
programs that learn: it turns a seat's view and its possible moves into numbers. All of them use
``canonical`` (the bytes of JSON, and hashes over them) and ``digests`` (hashes over code).
"""
