"""The Redis server: the bundled one, clients, keys, health.

This package knows no games; the package ``ledger`` defines the contents of keys.
"""
