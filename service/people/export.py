"""All data that are stored about one player, as one JSON document, made piece by piece.

Statements of others are not in it: an admin's reason may name a person who complained.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import CLOSED, LOBBY, STATUSES
from service.administration.journal import Journal
from service.games.admission import Admission
from service.games.listing import SUSPENDED, GameList
from service.games.seeks import Seeks, public
from service.ledger import notices
from service.people.hosted import hosted
from service.players.bans import Bans
from service.players.bot_accounts import BotAccounts
from service.players.keys import KeyUse, PlayerKey, PlayerKeys
from service.players.players import Player
from service.players.refusals import Refusals
from service.runtime import Runtime

_ROWS = 500
"""Number of rated games that are read at once."""


class PersonalData:
    """Exports players' stored data."""

    def __init__(
        self,
        runtime: Runtime,
        keys: PlayerKeys,
        refusals: Refusals,
        bots: BotAccounts,
        games: GameList,
        admission: Admission,
        bans: Bans,
        seeks: Seeks,
    ) -> None:
        self._runtime = runtime
        self._keys = keys
        self._refusals = refusals
        self._bots = bots
        self._games = games
        self._admission = admission
        self._bans = bans
        self._seeks = seeks
        self._journal = Journal(runtime.redis)

    def of(self, player: Player, asking: PlayerKey) -> Iterator[bytes]:
        """Yield the document in pieces, none of which is longer than a game's summary.

        ``asking`` is the key that the player has sent with the request.
        """
        keys = self._keys.all(asking)
        own = self._bots.owned_by(player.id)
        head = {
            "player": player.to_json(),
            "exported_at": self._runtime.ledger.store.clock.now(),
            "banned_since": self._bans.since(player.id),
            "keys": self._refusals.listed(keys),
            "bots": [self._bot(bot) for bot in self._bots.told(own)],
            "tables": self._waiting(player.id),
            "seeks": self._sought(player.id),
            "webhooks": [listed.to_json() for listed in self._runtime.webhooks.all(player.id)],
            "push_subscriptions": [
                one.to_json() for one in self._runtime.browsers.subscriptions.all(player.id)
            ],
        }
        yield orjson.dumps(head)[:-1]
        lists: dict[str, Callable[[str], Iterable[Any]]] = {
            "games": self._played,
            "games_of_bots": lambda _id: (row for bot in own for row in self._played(bot.id)),
            "ratings": self._ratings,
            "rated_games": self._rated_games,
            "tournaments": self._held,
            "acts": self._acts,
            "notices": self._told,
            "refused_requests": lambda _id: self._refused(keys),
        }
        for name, things in lists.items():
            yield b',"%s":[' % name.encode()
            comma = b""
            for thing in things(player.id):
                yield comma + orjson.dumps(thing)
                comma = b","
            yield b"]"
        yield b"}\n"

    def _bot(self, bot: JsonObject) -> JsonObject:
        """Return all that is stored about a bot of the player, except its games."""
        keys = self._bots.keys_of(bot["id"])
        return {
            **bot,
            "versions": [version._asdict() for version in self._bots.versions(bot["id"])],
            "keys": self._refusals.listed(keys),
            "refused_requests": [*self._refused(keys)],
            "notices": [*self._told(bot["id"])],
            "seeks": self._sought(bot["id"]),
        }

    def _sought(self, player_id: str) -> list[JsonObject]:
        """Return the player's seeks that wait, with the address that each came from."""
        return [{**public(seek), "address": seek.address} for seek in self._seeks.of(player_id)]

    def _waiting(self, player_id: str) -> list[str]:
        """Return the ids of the tables that the player has opened and that have not begun."""
        listed = self._games.look_up(set(self._admission.tables_of(player_id)))
        return [game["id"] for game in listed.values() if game["status"] in (LOBBY, CLOSED)]

    def _played(self, player_id: str) -> Iterator[JsonObject]:
        """Yield the rows of the games in which the player sits, or sat at the start."""
        for status in (*STATUSES, SUSPENDED):  # each game is listed under one status
            yield from self._games.every(player=player_id, status=status)

    def _ratings(self, player_id: str) -> Iterator[JsonObject]:
        for ruleset, skill in self._runtime.player_ratings.of(player_id).items():
            yield {"ruleset": ruleset, **skill.to_json()}

    def _rated_games(self, player_id: str) -> Iterator[JsonObject]:
        """Yield each rated game, with the player's rating after it."""
        ratings = self._runtime.player_ratings
        for ruleset, skill in ratings.of(player_id).items():
            for after in range(0, skill.games, _ROWS):
                for row in ratings.history(ruleset, player_id, after, _ROWS):
                    yield {"ruleset": ruleset, **row}

    def _held(self, player_id: str) -> Iterator[JsonObject]:
        return (standing.summary() for standing in hosted(self._runtime, player_id))

    def _told(self, player_id: str) -> Iterator[JsonObject]:
        """Yield the player's notices that are kept."""
        for told in notices.kept(self._runtime.redis, player_id):
            yield {"id": told.id, "kind": told.kind, **orjson.loads(told.body)}

    def _refused(self, keys: Iterable[KeyUse]) -> Iterator[JsonObject]:
        for listed in keys:
            for refused in self._refusals.of(listed.key.id):
                yield {"key_id": listed.key.id, **refused}

    def _acts(self, player_id: str) -> Iterator[JsonObject]:
        for act in self._journal.about(player_id):
            yield {"id": act.id, "at": act.at, "act": act.act}
