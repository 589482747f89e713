"""What all games share: their contract, and how a game is played, kept and proved.

``contract`` is what an author writes against, ``toolbox`` what many games have, ``record`` how play
becomes events, ``proof`` how anybody checks them; read them in this order. ``canonical`` (the bytes
of JSON, and hashes of them) and ``digests`` (which code it was) are the ground of all four.
"""
