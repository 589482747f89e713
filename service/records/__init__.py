"""Records as files: written, read, judged; and the receipts that point into them.

What a record proves is for ``rules.kernel.proof``. Only the key that signs receipts comes from a
store.
"""
