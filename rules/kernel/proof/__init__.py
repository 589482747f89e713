"""How anybody checks a record: docs/format.md, as code that doubts.

``verify`` judges a whole record. It trusts nothing that the record says, skips nothing in silence,
and does no I/O.
"""
