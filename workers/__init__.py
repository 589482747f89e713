"""What worker processes do: they play bots' turns and tournaments, watch clocks, make analyses.

``jobs`` has the function that queues name. ``turns`` plays live games. ``matches`` plays
tournaments; a ``match`` is one game of a tournament. ``deciding`` asks a bot within its time limit,
``sweeper`` finds lost work, and ``recompute`` checks bots' decisions. Workers change games only
through ``service``, and no other package imports them.
"""
