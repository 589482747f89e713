"""The full-screen program of the terminal, on Textual: nothing else of the service imports it.

``choosing`` is how a move is picked, ``tables`` what a screen needs of a game, wherever that is;
``app`` and the screens show it.
"""
