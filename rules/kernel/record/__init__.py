"""Recording play as events, and folding events: docs/format.md, as code that writes.

Here are the aggregate (``game``), one request's batch of events (``batch``), sealed parts, clocks
and snapshots. It plays any ruleset by the contract, and does no I/O.
"""
