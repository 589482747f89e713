"""Verification of records, as docs/format.md describes it.

``verify`` checks a whole record. It trusts no statement of the record, reports everything that it
skips, and does no I/O.
"""
