"""Verification of records, as docs/format.md describes it.

``verify`` checks a whole record. It relies on nothing that the record only claims, reports
everything that it skips, and does no I/O.
"""
