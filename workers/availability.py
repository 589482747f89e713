"""Who can be paired in an endless tournament: players that are present and have room for a game."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from service.games.listing import GameList
from service.players.bot_accounts import BotAccount, BotAccounts
from service.players.keys import PlayerKeys
from service.players.players import Players
from service.redis.keys import player_key
from service.runtime import Runtime
from service.tournaments.course import AHEAD
from service.tournaments.formats.format import games_in_block
from service.tournaments.plan import Plan, PlayerEntry
from service.tournaments.tournament import Tournament

DAY_MS = 24 * 3600 * 1000
OWNERS_SHARE = 1 / 8
"""The part of all open blocks in which bots of one owner may sit."""


class Availability:
    """Finds the players of endless tournaments that can be paired."""

    def __init__(self, runtime: Runtime) -> None:
        redis, now_ms = runtime.redis, runtime.ledger.store.clock.now_ms
        self._redis = redis
        self._now_ms = now_ms
        self._games_a_day = runtime.settings.ladder_games_per_day
        self._games = GameList(redis, runtime.ledger)
        self._bots = BotAccounts(redis, Players(redis), PlayerKeys(redis, now_ms), now_ms)

    def of(self, tournament: Tournament) -> list[int]:
        """Return the entries that can be paired for one block now, by their numbers.

        A player is present, has the version that is entered, and plays fewer games than its
        ``concurrency``, wherever it plays. Its owner has not used up the games of the day, nor
        holds OWNERS_SHARE of the blocks that may be open, with those named before it. Nobody is
        named while no more blocks can be opened: who is present now may be gone then.
        """
        plan, open_blocks = tournament.plan, tournament.open_blocks()
        if len(open_blocks) >= AHEAD:
            return []
        held = Counter(
            owner
            for block in open_blocks
            for owner in {plan.owner_of(entry) for entry in block.lineup}
            if owner is not None
        )
        playing = Counter(entry for block in open_blocks for entry in block.lineup)
        waiting = {
            number: entry
            for number in tournament.entries_left()
            if isinstance(entry := plan.entries[number], PlayerEntry)
        }
        accounts = self._bots.of_ids(entry.player for entry in waiting.values())
        present = self._bots.present(accounts)
        found: list[int] = []
        named: Counter[str] = Counter()
        for number, entry in waiting.items():
            blocks = named[entry.owner] + 1
            if (
                entry.player in present
                and (account := accounts[entry.player]).version == entry.version
                and self._has_room(account, playing[number])
                and held[entry.owner] + blocks <= AHEAD * OWNERS_SHARE
                and self._games_left(entry.owner) >= blocks * games_in_block(plan)
            ):
                found.append(number)
                named[entry.owner] = blocks
        return found

    def charge(self, plan: Plan, entries: Collection[int]) -> None:
        """Count the games of a block for the owner of each player that was paired."""
        for owner, blocks in Counter(map(plan.owner_of, entries)).items():
            if owner is not None:
                key, pipe = self._games_key(owner), self._redis.pipeline()
                pipe.incrby(key, blocks * games_in_block(plan))
                pipe.pexpire(key, DAY_MS)
                pipe.execute()

    def _has_room(self, account: BotAccount, blocks: int) -> bool:
        """Whether a player that sits in open ``blocks`` of the tournament may begin another one."""
        most = account.concurrency
        return blocks < most and self._games.unfinished(account.id, most, "") < most

    def _games_left(self, owner: str) -> int:
        """Return how many games the bots of an owner may still begin on this day."""
        used: Any = self._redis.get(self._games_key(owner))
        return self._games_a_day - int(used or 0)

    def _games_key(self, owner: str) -> str:
        return player_key(owner, f"ladder_games:{self._now_ms() // DAY_MS}")
