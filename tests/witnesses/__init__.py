"""Witnesses and logs of other programs, against this project's: the campaign ``witnesses``.

The other program is aics-witness (Apache-2.0), in an environment of its own that the campaign makes
of ``requirements.lock``; it needs Python 3.12.
"""
