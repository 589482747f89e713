"""A witness of transparency logs: it co-signs only what keeps all that it co-signed before.

It speaks c2sp.org/tlog-witness, needs no store, and knows nothing of games. ``folder`` has the
files of a witness, ``state`` what it has co-signed, ``witness`` decides, ``http`` answers, and
``state_check`` finds out at the start whether the state is an old one. ``process`` runs all of it.
"""
