"""Verification of records: docs/format.md, as code that trusts nothing.

``verify`` checks a whole record. It believes none of its statements, skips nothing silently, and
does no I/O.
"""
