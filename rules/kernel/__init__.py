"""The common part of all games: their contract, and how a game is played, recorded and proved.

``contract`` is the interface of games, ``toolbox`` has parts that many games use, ``record`` turns
play into events, and ``proof`` checks events; read them in this order. All of them use
``canonical`` (the bytes of JSON, and hashes over them) and ``digests`` (hashes over code).
"""
