"""Jobs that run outside the web processes: bot turns, clocks, tournaments and projections.

``jobs`` are the entry points that queues name; ``turns`` and ``matches`` play (a ``match`` is one
game), ``deciding`` asks a bot within its time limit, ``sweeper`` finds lost work, ``recompute``
checks bots' decisions. They change games only through ``service``, and nothing imports them.
"""
