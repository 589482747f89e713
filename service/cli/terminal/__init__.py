"""The full-screen terminal program, on Textual; nothing else of the service imports it.

``choosing`` picks a move, ``tables`` is the interface to a game, local or remote; ``app`` and the
screens show it.
"""
