"""Administration: admins' keys, their acts on games and players, and the journal of these acts.

An admin is not a player: an admin has a name and a key that opens only ``/v1/admin``. On the host
the command line does the same acts without a key.
"""
