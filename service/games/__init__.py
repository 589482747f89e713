"""Playing games: commands, lists, quotas.

This package knows no HTTP. The package ``ledger`` appends the events.
"""
