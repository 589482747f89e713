"""Games as people play them: commands, lists, live streams, quotas.

It knows no HTTP. What is appended, and how, is for the ledger.
"""
