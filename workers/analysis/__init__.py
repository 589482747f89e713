"""What a finished game looks like to a bot: which moves cost most, and who was lucky.

``course`` goes through a game, ``decisions`` judges a move from what its mover knew, ``futures``
says what a position comes to, ``measured`` has means with their errors. Everything is an integer
and follows from the record, the bot and these files: whoever analyses a game again gets the same.
"""
