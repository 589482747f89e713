"""Transparency logs: what it takes to build one, to prove something from it, and to check it.

Everything here follows published standards, knows nothing of games, and does no input or output:
``merkle`` has the trees of RFC 9162, ``tiles`` their files (c2sp.org/tlog-tiles), ``keys``,
``private_keys`` and ``notes`` what is signed (c2sp.org/signed-note, c2sp.org/tlog-cosignature),
``checkpoints`` the signed heads of logs (c2sp.org/tlog-checkpoint), ``submissions`` what logs and
witnesses say to each other (c2sp.org/tlog-witness), and ``policies`` which witnesses are enough
(c2sp.org/tlog-policy). It imports nothing of ours, so that whoever checks a log needs no other part
of the service.
"""
