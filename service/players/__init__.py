"""Players: identities, their keys, and the invalidation of caches when these change.

``players`` are the identities, ``keys`` and ``credentials`` authenticate them, ``bans`` exclude
some. A process caches them for a minute (``cache``); ``invalidation`` removes changed ones from the
caches.
"""
