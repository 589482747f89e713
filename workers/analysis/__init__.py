"""Analysis of a finished game by a bot: costly moves, and luck.

``course`` goes through a game, ``decisions`` judges a move by what its seat knew, ``futures``
estimates the outcome of a position, and ``measured`` computes means with their errors. All values
are integers that depend only on the record, the bot and these modules, so a repeated analysis has
the same values.
"""
