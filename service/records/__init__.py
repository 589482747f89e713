"""Record files: writing, reading and verifying them, and the receipts that refer to them.

The checks that prove that a record is unaltered are in ``rules.kernel.proof``. This package reads
only one value from a store: the key that signs receipts.
"""
