"""Who plays: identities, their keys, and what all processes forget at once when these change.

``players`` are the identities, ``keys`` and ``credentials`` let them in, ``bans`` keep some out. A
process remembers them for a minute (``cache``); ``invalidation`` has it forget what was changed.
"""
