"""The archive: finished games and tournaments in immutable files, which anybody can verify.

``short`` and ``pack`` are the form of the files (docs/format.md, "Packs"), ``files`` is where they
are kept, and ``archive`` writes them.
"""
