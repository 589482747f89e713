"""Admission of new games, tournaments and analyses: quotas by player and address, and free memory.

Quotas are counted in an index. For each player and each address, the index has a set of games and
tournaments: those that the player or the address began, and that may be unfinished. The script that
adds an entry checks all quotas at once. When a game ends, its entry is not removed at once, because
otherwise moves would have to update the index. When a set is full, it is compared with the list of
games, and the finished games are removed from the set. So finished games never use up a quota.

The games in which a bot account sits are counted in the same way, up to its ``concurrency``.
"""

import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple

from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.game import ABORTED, CLOSED, ENDED, LOBBY, Game
from service.games.listing import SUSPENDED, GameList
from service.ledger.store import Store
from service.problems import Problem
from service.redis.health import Health
from service.redis.scripts import Script
from service.settings import Settings
from service.tournaments.course import LAST
from service.tournaments.director import Director
from service.tournaments.tournament import TournamentDamagedError, TournamentNotFoundError
from service.turns.queue import Jobs

PREFIX = "lonja:{quota}:"
"""One hash tag for all keys, so that one script can check a player and an address."""

TOURNAMENTS_PER_PLAYER = 20
"""Maximum number of unfinished tournaments of one player."""

GRACE_MS = 60_000
"""Time for which a new game or tournament may still be missing in the list or the store."""

LOOK_EVERY_S = 1.0
"""Minimum seconds before a process compares the same full set with the list again."""

FORGET_MS = 30 * 24 * 3600 * 1000
"""Time after which an untouched set is deleted, so that addresses are not kept for ever."""

_BOTS = "bots_games"
_LOOKS_KNOWN = 10_000
_SCRIPT = resources.files("service.games").joinpath("admission.lua").read_text()


class Claimant(NamedTuple):
    """The player and the address to which new games are charged.

    Their quotas are the usual quotas multiplied by ``times``.
    """

    player: str
    address: str
    times: int = 1


class _Quota(NamedTuple):
    """The limit of one player or address on unfinished games, open tables or tournaments.

    ``kind`` says what is limited: games, tables, tournaments, or the games that a bot plays at
    once. ``scope`` says whether ``who`` is a player or an address.
    """

    kind: str
    scope: str
    who: str
    most: int

    @property
    def key(self) -> str:
        return f"{PREFIX}{self.kind}:{self.who}"


class Admission:
    """Checks quotas for new games, tournaments and analyses."""

    def __init__(
        self,
        redis: Redis,
        store: Store,
        games: GameList,
        director: Director,
        health: Health,
        settings: Settings,
        jobs: Jobs,
    ) -> None:
        self._redis = redis
        self._store = store
        self._games = games
        self._director = director
        self._health = health
        self._settings = settings
        self._jobs = jobs
        self._script = Script(redis, _SCRIPT)
        self._next_look: OrderedDict[str, float] = OrderedDict()

    def need_room(self) -> None:
        """Raise Problem (``storage_nearly_full``) if nothing new may be created."""
        if self._health.nearly_full() is not None:
            raise Problem("storage_nearly_full")

    def table(
        self, who: Claimant, bot: str = "", most_of_bot: int | None = None
    ) -> Callable[[Game], None]:
        """Return the function that admits a new game; its argument is the game to be stored.

        ``bot`` is a bot account that sits there from the beginning, and ``most_of_bot`` the number
        of games that it plays at once. It raises Problem: ``storage_nearly_full``,
        ``too_many_games``, ``bot_busy``.
        """
        bots = () if most_of_bot is None else (_Quota(_BOTS, "player", bot, most_of_bot),)

        def admit(game: Game) -> None:
            quotas = [*bots, *self._game_quotas(who)]
            if game.status in (LOBBY, CLOSED):
                quotas = [*self._table_quotas(who), *quotas]
            self.need_room()
            self._take(quotas, game.id, who)
            self._share_turns(who)

        return admit

    def seat(self, who: Claimant) -> Callable[[Game], None]:
        """Return the function that admits a player to a seat; it raises ``too_many_games``."""

        def admit(game: Game) -> None:
            self._take(self._game_quotas(who), game.id, who)

        return admit

    def neighbours(self, who: Claimant) -> Callable[[str], set[str]]:
        """Return the function that names the others who came to a game from the same address.

        Its argument is the game's id. The others are those whom the quota of the address has
        counted for this game: it is the only place where their addresses are known.
        """
        (key,) = [quota.key for quota in self._game_quotas(who) if quota.scope == "address"]

        def found(game_id: str) -> set[str]:
            members: Any = self._redis.zrange(key, 0, -1)
            entries = [_Entry.read(member.decode(), is_old=False) for member in members]
            there = {entry.player for entry in entries if entry.stream_id == game_id}
            return there - {who.player}

        return found

    def bots_seat(self, who: Claimant, most: int) -> Callable[[Game], None]:
        """Return the function that admits a bot account to a seat, if it plays fewer than ``most``.

        It raises Problem: ``bot_busy``, ``too_many_games``.
        """

        def admit(game: Game) -> None:
            quotas = [_Quota(_BOTS, "player", who.player, most), *self._game_quotas(who)]
            self._take(quotas, game.id, who)

        return admit

    def charge(self, who: Claimant, game_id: str, most_of_bot: int | None = None) -> None:
        """Count a game that is about to begin for one of its players.

        ``most_of_bot`` is the number of games that a bot account plays at once, None for others.
        Raises Problem: ``bot_busy``, ``too_many_games``.
        """
        bots = () if most_of_bot is None else (_Quota(_BOTS, "player", who.player, most_of_bot),)
        self._take([*bots, *self._game_quotas(who)], game_id, who)
        self._share_turns(who)

    def give_back(self, who: Claimant, game_id: str) -> None:
        """Undo ``charge``: the game does not begin."""
        for quota in (_Quota(_BOTS, "player", who.player, 0), *self._game_quotas(who)):
            self._redis.zrem(quota.key, str(_Entry(game_id, who.player)))

    def has_no_seat(self, player_id: str, game_id: str) -> None:
        """Note that a bot account holds no seat of a game to which it was admitted."""
        key = _Quota(_BOTS, "player", player_id, 0).key
        self._redis.zrem(key, str(_Entry(game_id, player_id)))

    def tournament(self, who: Claimant) -> Callable[[str], None]:
        """Return the function that admits a new tournament by its id.

        It raises Problem: ``storage_nearly_full``, ``too_many_tournaments``.
        """
        most = self._settings.tournaments_per_address * who.times
        quotas = [
            _Quota("tournaments", "player", who.player, TOURNAMENTS_PER_PLAYER),
            _Quota("tournaments", "address", who.address, most),
        ]

        def admit(tournament_id: str) -> None:
            self.need_room()
            self._take(quotas, tournament_id, who)
            self._share_turns(who)

        return admit

    def next_part(self, host: str) -> Callable[[str], None]:
        """Return the function that admits the next part of an endless tournament by its id.

        It counts for its host, and no quota stops it, because it takes the place of the part
        before. It raises Problem: ``storage_nearly_full``.
        """
        quota = _Quota("tournaments", "player", host, sys.maxsize)

        def admit(tournament_id: str) -> None:
            self.need_room()
            self._note([quota], str(_Entry(tournament_id, host)))

        return admit

    def most_waiting(self, who: Claimant) -> int:
        """Return the number of open tables, and that of seeks, that one address may have."""
        return self._settings.tables_per_address * who.times

    def analysis(self, who: Claimant) -> None:
        """Admit an analysis or a hint; its turns come from the claimant's share of the workers.

        Raises Problem: ``storage_nearly_full``.
        """
        self.need_room()
        self._share_turns(who)

    def tables_of(self, player_id: str) -> list[str]:
        """Return the ids of a player's open tables.

        Some of these games may have started meanwhile.
        """
        key = _Quota("tables", "player", player_id, 0).key
        found: Any = self._redis.zrange(key, 0, -1)
        return [_Entry.read(member.decode(), is_old=False).stream_id for member in found]

    def _share_turns(self, who: Claimant) -> None:
        """Make all players behind one address share one portion of the workers' turns.

        A claimant with higher limits has a portion of his own.
        """
        self._jobs.comes_from(who.player, who.address if who.times == 1 else None)

    def _table_quotas(self, who: Claimant) -> list[_Quota]:
        found = self._settings
        return [
            _Quota("tables", "player", who.player, found.tables_per_player * who.times),
            _Quota("tables", "address", who.address, self.most_waiting(who)),
        ]

    def _game_quotas(self, who: Claimant) -> list[_Quota]:
        found = self._settings
        return [
            _Quota("games", "player", who.player, found.games_per_player * who.times),
            _Quota("games", "address", who.address, found.games_per_address * who.times),
        ]

    def _take(self, quotas: list[_Quota], stream_id: str, who: Claimant) -> None:
        member = str(_Entry(stream_id, who.player))
        while (used_up := self._note(quotas, member)) is not None:
            if not self._may_look(used_up) or not self._forget_what_is_over(used_up):
                raise _refusal(used_up)

    def _may_look(self, quota: _Quota) -> bool:
        """Whether the set of a quota may be compared with the list of games now.

        A comparison at each refusal would be too costly, so there is a pause after each comparison.
        A bot plays few games at once, and may have ended one of them just now.
        """
        if quota.kind == _BOTS:
            return True
        now = time.monotonic()
        if self._next_look.get(quota.key, now) > now:
            return False
        self._next_look[quota.key] = now + LOOK_EVERY_S
        if len(self._next_look) > _LOOKS_KNOWN:
            self._next_look.popitem(last=False)
        return True

    def _note(self, quotas: list[_Quota], member: str) -> _Quota | None:
        """Add ``member`` to the sets of all quotas, and return None.

        If a quota is used up, add nothing, and return that quota.
        """
        full: Any = self._script(
            [quota.key for quota in quotas],
            [member, self._store.clock.now_ms(), FORGET_MS, *(quota.most for quota in quotas)],
        )
        return quotas[int(full) - 1] if full else None

    def _forget_what_is_over(self, quota: _Quota) -> int:
        """Remove those entries of a set that no longer count, and return their number."""
        found: Any = self._redis.zrange(quota.key, 0, -1, withscores=True)
        settled = self._store.clock.now_ms() - GRACE_MS
        entries = [_Entry.read(member.decode(), is_old=at < settled) for member, at in found]
        if quota.kind == "tournaments":
            over = [entry for entry in entries if self._tournament_is_over(entry)]
        else:
            listed = self._games.look_up({entry.stream_id for entry in entries})
            over = [
                entry
                for entry in entries
                if not _counts(entry, listed.get(entry.stream_id), quota.kind)
            ]
        return int(self._redis.zrem(quota.key, *map(str, over))) if over else 0

    def _tournament_is_over(self, entry: "_Entry") -> bool:
        try:
            return self._director.newest_event(entry.stream_id).kind in LAST
        except TournamentNotFoundError:
            return entry.is_old
        except TournamentDamagedError:
            return True  # a damaged tournament plays nothing


class _Entry(NamedTuple):
    """A game or tournament that a player began.

    If ``is_old`` is false, the store may not have the game or tournament yet.
    """

    stream_id: str
    player: str
    is_old: bool = False

    @classmethod
    def read(cls, text: str, *, is_old: bool) -> "_Entry":
        stream_id, player = text.split(" ")
        return cls(stream_id, player, is_old)

    def __str__(self) -> str:
        return f"{self.stream_id} {self.player}"


def _counts(entry: _Entry, summary: JsonObject | None, kind: str) -> bool:
    """Whether a game still counts for the player of ``entry``."""
    if summary is None:
        return not entry.is_old
    status = summary["status"]
    if kind == _BOTS and status == SUSPENDED:
        return False  # only an operator can end it
    if status in (ENDED, ABORTED) or (kind == "tables" and status not in (LOBBY, CLOSED)):
        return False
    is_theirs = summary["created_by"] == entry.player or status == SUSPENDED
    sits = any(seat.get("player") == entry.player for seat in summary["seats"])
    return is_theirs or sits or not entry.is_old


def _refusal(quota: _Quota) -> Problem:
    if quota.kind == _BOTS:
        return Problem("bot_busy", f"{quota.who} takes {quota.most} games at once")
    code = "too_many_tournaments" if quota.kind == "tournaments" else "too_many_games"
    what = {
        "tables": "tables that wait for others",
        "games": "unfinished games",
        "tournaments": "tournaments that are not over",
    }[quota.kind]
    return Problem(
        code,
        f"{quota.most} {what} of one {quota.scope} are allowed",
        scope=quota.scope,
        limit=quota.most,
    )
