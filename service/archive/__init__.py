"""The archive: finished games and tournaments in immutable files, which anybody can verify.

``short`` and ``pack`` are the form of packs (docs/format.md, "Packs"), and ``beside`` is that of
the files beside them, with what is in no record. ``files`` and ``bucket`` are where both are kept,
and ``archive`` writes packs.
"""
