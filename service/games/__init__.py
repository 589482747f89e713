"""Playing games: commands, lists, quotas.

It knows no HTTP. Events and appending are the ledger's.
"""
