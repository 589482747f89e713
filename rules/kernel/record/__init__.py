"""Recording play as events, and folding events: the writing part of docs/format.md.

It contains the aggregate (``game``), one request's batch of events (``batch``), sealed parts,
clocks and snapshots. It plays any ruleset through the contract, and does no I/O.
"""
