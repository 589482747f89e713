"""How play becomes events and is folded again: docs/format.md, as code that writes.

Here are the aggregate (``game``), one request's batch of events (``batch``), what is sealed, the
clocks and the snapshots. It plays any ruleset by the contract, and does no I/O.
"""
