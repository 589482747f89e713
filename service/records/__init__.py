"""Record files: writing, reading and verifying them, and the receipts that refer to them.

``rules.kernel.proof`` has the checks that prove that a record is unaltered. Of the values used
here, only the signing key comes from a store.
"""
