"""Leaving: a player's seats, tables, seeks, keys, bots and name are removed.

Ids stay in played games. Records are proofs for all players, so no event is removed. They never
contain names.
"""

from collections.abc import Sequence
from contextlib import suppress

from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import CLOSED, LOBBY, RUNNING, Game
from service.games.admission import Admission
from service.games.listing import GameList
from service.games.seeks import Seeks
from service.ledger import notices
from service.ledger.damage import GameDamagedError
from service.ledger.idempotency import IdempotencyNotes, judged_anew
from service.ledger.ledger import GameNotFoundError
from service.ledger.store import Retry
from service.people.hosted import hosted
from service.players import departed
from service.players.bot_accounts import BotAccounts
from service.players.keys import PlayerKey, PlayerKeys
from service.players.players import NAME_ERASED, Player, Players
from service.problems import Problem
from service.runtime import Runtime
from service.tournaments.standing import TournamentStanding

REASON = "the host has left"
"""The reason of cancelled tournaments, which names nobody."""
_NAMED = 100
"""Maximum number of games and tournaments that a refusal names."""


class Departures:
    """Lets players leave for good."""

    def __init__(
        self,
        runtime: Runtime,
        players: Players,
        keys: PlayerKeys,
        bots: BotAccounts,
        games: GameList,
        admission: Admission,
        seeks: Seeks,
    ) -> None:
        self._runtime = runtime
        self._players = players
        self._keys = keys
        self._bots = bots
        self._games = games
        self._admission = admission
        self._seeks = seeks
        self._once = IdempotencyNotes(runtime.redis)

    def leave(
        self, player: Player, asking: PlayerKey, *, resign: bool, retry: Retry | None
    ) -> None:
        """Free the player's seats and tables; then erase the name and all keys, in one step.

        The player's bots leave, too. If ``resign`` is true, the player and the bots resign the
        running games, and the player's tournaments are cancelled. After a failure, repeat the call
        with the same ``retry``: the steps that were finished stay done. The player keeps the seats
        of suspended or damaged games.

        Raises:
            Problem: ``still_playing``: games of the player or of the bots, or tournaments, are
                under way. If ``resign`` is true, this is raised only for a game that awaits entropy
                (its status is ``closed``) and that somebody else hosts.
            ConflictError, TooFewReplicasError: a game could not be changed now.
        """
        own = self._bots.owned_by(player.id)
        leaving = [player.id, *(bot.id for bot in own)]
        self._need_free(leaving, resign=resign)
        for player_id in leaving:
            self._stop_playing(player_id)
        for standing in hosted(self._runtime, player.id):
            if not standing.over:
                with suppress(RefusedError):  # raises if the tournament has just ended
                    self._runtime.director.cancel(standing.id, REASON, {"player": player.id})

        def erase() -> None:
            given = [self._keys.known(player.id), self._runtime.webhooks.known(player.id)]
            given.append(self._bots.known(player.id))
            own = self._bots.owned_by(player.id)
            for bot in own:
                given += self._bots.facts(bot.id)
            all_ = [player.id, *(bot.id for bot in own)]
            given += map(self._seeks.known, all_)
            commands = [
                *(command for bot in own for command in self._bots.erase(bot)),
                *(command for who in all_ for command in self._seeks.erase(who)),
                *self._players.renaming(player, NAME_ERASED, self._keys, asking),
                *self._keys.revoke_all(asking),
                *self._runtime.webhooks.remove_all(player.id),
                *map(departed.note, all_),
            ]
            self._once.do(retry, player.id, commands, given)

        judged_anew(erase)
        for player_id in leaving:
            self._forget(player_id)

    def delete_bot(
        self, asking: PlayerKey, bot_id: str, *, resign: bool, retry: Retry | None
    ) -> None:
        """Free the seats of a bot; then delete its account, in one step.

        Raises as ``leave``, and Problem: ``no_such_bot``.
        """
        self._once.expect_new(retry)
        self._bots.own(asking.player, bot_id)
        self._need_free([bot_id], resign=resign)
        self._stop_playing(bot_id)

        def erase() -> None:
            given = [self._keys.is_good(asking), *self._bots.facts(bot_id)]
            given.append(self._seeks.known(bot_id))
            account = self._bots.own(asking.player, bot_id)
            commands = [
                *self._bots.erase(account),
                *self._seeks.erase(bot_id),
                departed.note(bot_id),
            ]
            self._once.do(retry, bot_id, commands, given)

        judged_anew(erase)
        self._forget(bot_id)

    def _forget(self, player_id: str) -> None:
        """Delete what is left of a player whose keys are gone."""
        self._runtime.jobs.comes_from(player_id, None)
        # Games may have begun, and seeks been made, meanwhile with another key.
        self._stop_playing(player_id)
        self._once.do(None, player_id, self._seeks.erase(player_id))
        notices.forget(self._runtime.redis, player_id)

    def _need_free(self, player_ids: Sequence[str], *, resign: bool) -> None:
        bound: list[Game] = []
        held: list[TournamentStanding] = []
        for player_id in player_ids:
            unfinished = [g for g in self._unfinished(player_id) if seats_held(g, player_id)]
            if resign:
                bound += [
                    g for g in unfinished if g.status == CLOSED and not self._hosts(g, player_id)
                ]
            else:
                bound += [g for g in unfinished if g.status in (CLOSED, RUNNING)]
                held += [each for each in hosted(self._runtime, player_id) if not each.over]
        if bound or held:
            raise Problem(
                "still_playing",
                f"{len(bound)} of your games and {len(held)} of your tournaments are under way",
                games=[game.id for game in bound[:_NAMED]],
                tournaments=[standing.id for standing in held[:_NAMED]],
            )

    def _stop_playing(self, player_id: str) -> None:
        for game in self._unfinished(player_id):
            with suppress(RefusedError):  # raises if the game has just been suspended, or resumed
                self._leave_game(game, player_id)

    def _leave_game(self, game: Game, player_id: str) -> None:
        tables = self._runtime.tables
        if self._hosts(game, player_id) and game.status in (LOBBY, CLOSED):
            tables.abort(game.id, player_id)
            return
        for seat in seats_held(game, player_id):
            if game.status == LOBBY:
                tables.stand(game.id, seat, player_id)
            elif game.status == RUNNING:
                tables.resign(game.id, seat, player_id)

    def _hosts(self, game: Game, player_id: str) -> bool:
        return self._runtime.tables.guests.host(game) == player_id

    def _unfinished(self, player_id: str) -> list[Game]:
        """Return the player's games that are not over and can be changed."""
        listed = [
            game["id"]
            for status in (LOBBY, CLOSED, RUNNING)
            for game in self._games.every(player=player_id, status=status)
        ]
        found = []
        for game_id in dict.fromkeys([*listed, *self._admission.tables_of(player_id)]):
            with suppress(GameNotFoundError, GameDamagedError, UnknownRulesetError):
                table = self._runtime.ledger.table(game_id)
                game = table.game
                if not game.over and not game.suspended_at and table.damage is None:
                    found.append(game)
        return found


def seats_held(game: Game, player_id: str) -> list[Seat]:
    """Return the seats that a player holds and has not resigned."""
    holder = {"player": player_id}
    return [s for s, held in by_seat(game.seats) if held.holder == holder and not held.resigned]
