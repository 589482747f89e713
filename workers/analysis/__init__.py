"""Analysis of a finished game by a bot: costly moves, and luck.

``course`` goes through a game, ``decisions`` judges a move by the knowledge of its seat,
``futures`` estimates the outcome of a position, ``measured`` has means with their errors. All
values are integers and depend only on the record, the bot and these files, so a repeated analysis
gives the same values.
"""
