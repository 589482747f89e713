"""Builds the public log, in which strangers see that the service keeps one history of each game.

``builder`` takes advances of streams from the house's follower, and once a minute adds leaves for
them (``heads``; ``service.records.leaves`` defines their bytes). ``folder`` has the files that
everybody may read. ``marker`` is the newest signed tree as the store knows it: two processes, even
with two folders, cannot sign two successors of one tree. ``index`` has what the store notes of
each id. ``recovery`` compares the store with the log (``presence``) after either went back, and
confesses what was lost.
"""
