"""The common part of all games: their contract, and how a game is played, recorded and proved.

``contract`` is the interface of games, ``toolbox`` has parts that many games use, ``record`` turns
play into events, ``proof`` checks them; read them in this order. ``canonical`` (the bytes of JSON,
and their hashes) and ``digests`` (of code) are the base of all four.
"""
