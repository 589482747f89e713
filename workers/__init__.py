"""Jobs that run outside the web processes: bot turns, clocks, tournaments and projections.

``jobs`` are the doors that queues name; ``turns`` and ``matches`` play (a ``match`` is one game),
``deciding`` asks a bot and says how long it may take, ``sweeper`` finds what nobody called a worker
for, ``recompute`` checks what bots did. They change games by ``service`` alone, as anybody else,
and nothing imports them.
"""
