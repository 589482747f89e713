"""Changes of a player's name, and the one possible change of kind: from a person to a program."""

from rules.kernel.record.game import CLOSED, LOBBY, RUNNING
from service.games.listing import SUSPENDED, GameList
from service.ledger.idempotency import Command, Fact, IdempotencyNotes, judged_anew
from service.ledger.kinds import BOT, PERSON, PLAYED, is_claimed, kind_key, kind_of
from service.ledger.store import Retry
from service.players.keys import PlayerKey, PlayerKeys
from service.players.players import Player, Players
from service.problems import Problem
from service.runtime import Runtime

_NAMED = 100
"""Maximum number of games that a refusal names."""


class Profiles:
    """Renames players, and turns people into programs."""

    def __init__(
        self, runtime: Runtime, players: Players, keys: PlayerKeys, games: GameList
    ) -> None:
        self._players = players
        self._keys = keys
        self._games = games
        self._ratings = runtime.player_ratings
        self._now_ms = runtime.ledger.store.clock.now_ms
        self._once = IdempotencyNotes(runtime.redis)

    def change(
        self,
        player: Player,
        asking: PlayerKey,
        *,
        name: str | None,
        kind: str | None,
        retry: Retry | None,
    ) -> Player:
        """Change a player's name, kind, or both, and return the player.

        A name or kind that is None stays unchanged. All changes are made, or none. Raises the
        errors of ``IdempotencyNotes.do``, and:

        Raises:
            Problem: ``bot_for_good``, ``rated_person``.
        """

        def act() -> Player:
            changed, given = player, []
            commands: list[Command] = []
            if name is not None:
                changed = changed._replace(name=name)
                commands += self._players.renaming(player, name, self._keys, asking)
            if kind is not None:
                mark = self._players.mark(player.id)
                given.append(Fact(("GET", kind_key(player.id)), mark))
                if self._becomes_bot(player.id, mark, kind):
                    commands += self._players.becoming_bot(player.id, self._keys.now_ms())
                changed = changed._replace(kind=kind)
            self._once.do(retry, player.id, commands, given)
            return changed

        self._once.expect_new(retry)
        return judged_anew(act)

    def _becomes_bot(self, player_id: str, mark: bytes, kind: str) -> bool:
        """Whether the change turns a person into a bot.

        Raises the errors of ``Profiles.change`` if the player may not change to ``kind``.
        """
        known = kind_of(mark)
        if known == BOT and kind == PERSON:
            raise Problem("bot_for_good", f"{player_id} is a program")
        if known == kind:
            return False
        self._need_unrated(player_id, mark)
        return True

    def _need_unrated(self, player_id: str, mark: bytes) -> None:
        """Raise Problem (``rated_person``) if a person must not become a program.

        This is so if the person has played a rated game, or sits at a rated table. ``mark`` changes
        when the player takes a seat at a rated table, and when the game of this table starts. If
        ``mark`` changes during the request, the request is judged anew.
        """
        if mark == PLAYED.encode() or self._ratings.of(player_id):
            raise Problem("rated_person", "you have played rated as a person")
        if is_claimed(mark, self._now_ms()):
            raise Problem("rated_person", "you are just sitting down at a rated table")
        sits_at = [
            game["id"]
            for status in (LOBBY, CLOSED, RUNNING, SUSPENDED)
            for game in self._games.every(player=player_id, status=status)
            if game["rated"]
        ]
        if sits_at:
            detail = "you sit at a rated table; `games` names those that are not over"
            raise Problem("rated_person", detail, games=sits_at[:_NAMED])
