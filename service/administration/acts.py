"""Acts of admins, shared by the API and the command line.

An act is written to the journal before it is done, so that every act has a reason on record. An act
that touches only players is recorded and done in one step. An act on a game is also an event of the
game's stream.
"""

from collections.abc import Callable
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import ENDED_BY_OPERATOR
from service.administration.journal import Act, Journal, Who
from service.games.listing import GameList
from service.ids import is_tournament
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import Command
from service.ledger.store import Retry
from service.players import bans
from service.players.bot_accounts import BotAccounts
from service.players.keys import PlayerKeys
from service.players.players import NAME_ERASED, Player, Players
from service.redis.format import NEWEST, need_newest, raise_level
from service.runtime import Runtime
from service.upkeep import maintenance


class UnknownPlayerError(LookupError):
    """No player has this id."""


class ActTerms(NamedTuple):
    """The admin who requests an act, and the reason. ``retry`` makes the request safe to repeat."""

    who: Who
    reason: str
    retry: Retry | None = None


class Administration:
    """The acts of admins. Each returns its journal entry, and whether it repeats a request."""

    def __init__(self, runtime: Runtime, players: Players) -> None:
        self.journal = Journal(runtime.redis)
        self._runtime = runtime
        self._players = players
        now_ms = runtime.ledger.store.clock.now_ms
        self._keys = PlayerKeys(runtime.redis, now_ms)
        self._bots = BotAccounts(runtime.redis, players, self._keys, now_ms)

    # Games

    def end(self, game_id: str, request: ActTerms) -> tuple[Act, bool]:
        """End a game without a result; a damaged game can be ended, too.

        Raises:
            GameNotFoundError, UnknownRulesetError, VaultError: the game cannot be read.
            ConflictError: other writers kept winning the race to append.
            RefusedError: ``game_over``, ``tournament_game``, ``idempotency_key_reused``.
        """
        ledger, by = self._runtime.ledger, _by(request)
        damaged = self._is_damaged(game_id)
        noted = self._note("end_game", game_id, request)
        if damaged:
            maintenance.end_damaged(ledger.store, ledger.registry, game_id, by)
        else:
            self._change(game_id, lambda batch: batch.abort(ENDED_BY_OPERATOR, by), request)
        return noted

    def suspend(self, game_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Suspend a game.

        Raises as ``end``, and:
            GameDamagedError: its stream is damaged.
            RefusedError: ``game_suspended``, ``upgrade_unfinished``.
        """
        need_newest(self._runtime.redis)
        self._runtime.ledger.table(game_id)
        noted = self._note("suspend_game", game_id, request)
        self._change(game_id, lambda batch: batch.suspend(_by(request)), request)
        return noted

    def resume(self, game_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Resume a suspended game; raises as ``suspend``, and RefusedError (``not_suspended``)."""
        self._runtime.ledger.table(game_id)
        noted = self._note("resume_game", game_id, request)
        self._change(game_id, lambda batch: batch.resume(_by(request)), request)
        return noted

    def requeue(self, stream_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Restore the pending work of a game or tournament from its stream; wake the workers.

        Raises:
            GameNotFoundError, TournamentNotFoundError, GameDamagedError, TournamentDamagedError,
            UnknownRulesetError, VaultError: the stream cannot be read.
        """
        runtime = self._runtime
        if is_tournament(stream_id):
            tournament = runtime.director.find(stream_id)
            noted = self._note("requeue_tournament", stream_id, request)
            maintenance.owe_again(runtime.ledger.store, runtime.registry, stream_id)
            runtime.director.ask_workers(tournament)
            return noted
        table = runtime.ledger.table(stream_id)
        if table.damage is not None:
            raise GameDamagedError(stream_id, table.damage)
        noted = self._note("requeue_game", stream_id, request)
        maintenance.owe_again(runtime.ledger.store, runtime.registry, stream_id)
        runtime.jobs.play_automatic_seats(table.game)
        return noted

    def _is_damaged(self, game_id: str) -> bool:
        try:
            return self._runtime.ledger.table(game_id).damage is not None
        except GameDamagedError:
            return True

    def _change(self, game_id: str, act: Callable[[Batch], None], request: ActTerms) -> None:
        self._runtime.ledger.change(game_id, act, retry=request.retry or Retry.own())

    # Acts on players. All raise UnknownPlayerError, and RefusedError (``idempotency_key_reused``).

    def ban(self, player_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Ban a player: within seconds every process refuses the player's keys and tickets."""
        self._need_player(player_id)
        command = bans.ban(player_id, self._now())
        return self._note("ban_player", player_id, request, command)

    def unban(self, player_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Lift a ban."""
        self._need_player(player_id)
        return self._note("unban_player", player_id, request, bans.unban(player_id))

    def erase_name(self, player_id: str, request: ActTerms) -> tuple[Act, bool]:
        """Erase a player's name, and a bot's author and page; records hold only the id."""
        player = self._need_player(player_id)
        erasing = self._players.renaming(player, NAME_ERASED, self._keys)
        texts = self._bots.erase_texts(player_id)
        return self._note("erase_name", player_id, request, *erasing, *texts)

    def _need_player(self, player_id: str) -> Player:
        player = self._players.by_id(player_id)
        if player is None:
            raise UnknownPlayerError(player_id)
        return player

    # The installation

    def finish_upgrade(self, request: ActTerms) -> tuple[Act, bool]:
        """Raise the store's format to this release's; older releases can no longer use the store.

        Entries that the older format lacked are added to the lists of games, and bots are rated by
        this release's method.
        """
        noted = self._note("finish_upgrade", NEWEST, request)
        raise_level(self._runtime.redis)
        GameList(self._runtime.redis, self._runtime.ledger).add_indexes()
        self._runtime.ratings.catch_up()
        return noted

    def note(self, act: str, subject: str, request: ActTerms) -> Act:
        """Write to the journal an act that was done elsewhere, for instance on an admin's keys."""
        return self._note(act, subject, request)[0]

    def _note(
        self, act: str, subject: str, request: ActTerms, *commands: Command
    ) -> tuple[Act, bool]:
        who, reason, retry = request
        return self.journal.note(
            self._now(), who, act, subject, reason, commands=commands, retry=retry
        )

    def _now(self) -> str:
        return self._runtime.ledger.store.clock.now()


def _by(request: ActTerms) -> JsonObject:
    return {"admin": request.who.name}
