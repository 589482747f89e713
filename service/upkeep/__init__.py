"""What operators do with a store: check and repair it, end damaged games, find what is missing.

``inspection`` judges one stream, ``maintenance`` all of them, ``acknowledged`` looks for what
receipts sign. Only what can be derived is repaired: no event is ever changed or removed.
"""
