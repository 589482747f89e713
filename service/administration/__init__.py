"""What admins do: their keys, their acts on games and players, and the journal of these.

An admin is no player: a name and a key that opens ``/v1/admin`` alone. On the host the same acts
need no key.
"""
