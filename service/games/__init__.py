"""Games as people play them: commands, lists, quotas.

It knows no HTTP. What is appended, and how, is for the ledger.
"""
