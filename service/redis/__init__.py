"""The Redis server: the bundled one, clients, keys, health.

It knows no games: the contents of keys are the ledger's.
"""
