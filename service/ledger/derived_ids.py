"""Ids of games and tournaments derived from requests: a repeated request has the same id.

An unlisted table is open to anybody who has its id. So ids also depend on the installation's
secret: nobody can compute an id from the player and the key of the request.
"""

from rules.kernel.canonical import FORMAT, encode, mac
from service import ids
from service.ledger.store import Store
from service.redis.format import FORMAT_KEY, NEWEST
from service.redis.keys import game_key
from service.redis.secret import SECRET, secret_of


class DerivedIds:
    """The derived ids of one store.

    Existing objects keep the ids that releases up to 0.2.0 derived. While such a release may use
    the store, new ids are derived as that release derives them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis = store.redis

    def game(self, player_id: str, idempotency_key: str) -> str:
        """Return the id of the game that this caller creates with this key."""
        return self._of(ids.game_id_for(player_id, idempotency_key), player_id, idempotency_key)

    def tournament(self, player_id: str, idempotency_key: str) -> str:
        """Return the id of the tournament that this caller creates with this key."""
        old = ids.tournament_id_for(player_id, idempotency_key)
        return self._of(old, player_id, idempotency_key)

    def rematch(self, game_id: str, number: int) -> str:
        """Return the id of a game's next rematch; ``number`` earlier rematches were cancelled."""
        return self._of(ids.rematch_id(game_id, number), "rematch", game_id, number)

    def _of(self, old: str, *known: str | int) -> str:
        pipe = self._redis.pipeline(transaction=False)
        pipe.get(FORMAT_KEY)
        pipe.get(SECRET)
        pipe.exists(game_key(old, "events"), game_key(old, "tombstone"))
        level, secret, taken = pipe.execute()
        if taken or level != NEWEST.encode() or self._store.is_archived(old):
            return old
        secret = secret or secret_of(self._redis)
        return ids.from_hash(old[0], mac(secret, encode([FORMAT, old[0], *known])))
