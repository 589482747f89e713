"""Operators' tools for a store: check and repair it, end damaged games, find missing events.

``inspection`` judges one stream, ``maintenance`` all of them, ``acknowledged`` looks for events of
receipts. Only derived data are repaired: no event is ever changed or removed.
"""
