"""Record files: writing, reading and verifying them, and the receipts that refer to them.

The proof itself is in ``rules.kernel.proof``. Only the signing key comes from a store.
"""
