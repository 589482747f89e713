"""The Redis server: the bundled one, clients, its keys, its fitness.

It knows no game: what lies under the keys is for the ledger.
"""
