"""Who can be paired in an endless tournament: players that are present and have room for a game."""

from collections import Counter
from collections.abc import Sequence
from importlib import resources
from typing import Any

from service.games.listing import GameList
from service.players.bot_accounts import BotAccount, BotAccounts
from service.players.keys import PlayerKeys
from service.players.players import Players
from service.redis.keys import player_key
from service.redis.scripts import Script
from service.runtime import Runtime
from service.tournaments.course import AHEAD
from service.tournaments.estimate import EVENT_BYTES
from service.tournaments.plan import PlayerEntry
from service.tournaments.tournament import Block, GameResult, Tournament

DAY_MS = 24 * 3600 * 1000
MB = 1_000_000
OWNERS_SHARE = 1 / 8
"""The part of all open blocks in which bots of one owner may sit."""

_CHARGE = resources.files("service.tournaments").joinpath("charge_block.lua").read_text()


class Availability:
    """Finds the players of endless tournaments that can be paired."""

    def __init__(self, runtime: Runtime) -> None:
        redis, now_ms = runtime.redis, runtime.ledger.store.clock.now_ms
        self._redis = redis
        self._charge = Script(redis, _CHARGE)
        self._now_ms = now_ms
        self._budget = runtime.settings.ladder_budget
        self._stored_bytes = MB * runtime.settings.ladder_mb_per_day
        self._games = GameList(redis, runtime.ledger)
        self._bots = BotAccounts(redis, Players(redis), PlayerKeys(redis, now_ms), now_ms)

    def of(self, tournament: Tournament) -> list[int]:
        """Return the entries that can be paired for one block now, by their numbers.

        A player is present, has the version that is entered, and plays fewer games than its
        ``concurrency``, wherever it plays. Its owner has not used up its budget, nor holds
        OWNERS_SHARE of the blocks that may be open, with those named before it. Nobody is
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
                and self._may_spend(entry.owner)
            ):
                found.append(number)
                named[entry.owner] = blocks
        return found

    def charge(self, tournament: Tournament, block: Block, games: Sequence[GameResult]) -> None:
        """Divide what a block has cost among the owners of its players, once.

        That is the processor time of the service's bots, and what the store keeps of the games. It
        is charged before the block is recorded, so that no worker can end between the two; another
        worker that records the block then charges nothing.
        """
        plan = tournament.plan
        owners = {owner for entry in block.lineup if (owner := plan.owner_of(entry)) is not None}
        spent_us = sum(sum(game.cpu_us) for game in games)
        stored = EVENT_BYTES * sum(game.version for game in games)
        mark = f"ladder_charged:{tournament.id}:{block.number}"
        for owner in owners:
            self._charge(
                [player_key(owner, mark), *self._keys(owner)],
                [
                    spent_us // len(owners), stored // len(owners),
                    1000 * self._budget.window_seconds, DAY_MS,
                ],
            )  # fmt: skip

    def _has_room(self, account: BotAccount, blocks: int) -> bool:
        """Whether a player that sits in open ``blocks`` of the tournament may begin another one."""
        most = account.concurrency
        return blocks < most and self._games.unfinished(account.id, most, "") < most

    def _may_spend(self, owner: str) -> bool:
        """Whether the bots of an owner may still begin games in this window."""
        told: Any = self._redis.mget(self._keys(owner))
        spent_us, stored = (int(one or 0) for one in told)
        return spent_us < 1_000_000 * self._budget.seconds and stored < self._stored_bytes

    def _keys(self, owner: str) -> tuple[str, str]:
        """Return the keys that count the processor time (us) and the bytes of an owner's games."""
        now_ms, window_ms = self._now_ms(), 1000 * self._budget.window_seconds
        return (
            player_key(owner, f"ladder_cpu_us:{now_ms // window_ms}"),
            player_key(owner, f"ladder_bytes:{now_ms // DAY_MS}"),
        )
