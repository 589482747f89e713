"""Bots' turns: what is due, whose turn it is, and the queue by which workers hear of it.

``queue`` wakes workers, ``schedule`` tells them which turn is next, so that addresses take turns,
and ``watch`` finds what was due and nobody has done. It does not know how a bot plays.
"""
