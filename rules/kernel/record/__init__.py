"""Recording play as events, and folding events into games, as docs/format.md defines it.

It contains the folded game (``game``), the events of one request (``batch``), sealed parts, clocks
and snapshots. It plays any ruleset through the contract, and does no I/O.
"""
