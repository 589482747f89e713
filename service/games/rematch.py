"""Rematches: a new table on the same terms, at which everybody sits one seat further.

The new game's id follows from the old one's, so concurrent requests lead to one rematch.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat, all_seats, by_seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import ABORTED, ENDED, HINTS, LOBBY, TAKE_BACK, Game
from rules.kernel.record.signatures import SIGNATURES
from service.catalogue.bots import BotOffer
from service.games.commands import TableCommands, is_open
from service.ledger.derived_ids import DerivedIds
from service.ledger.idempotency import IdempotencyNotes
from service.ledger.ledger import GameNotFoundError, is_live
from service.ledger.repository import ATTEMPTS, ConflictError
from service.ledger.store import Retry
from service.ledger.terms import RANDOM, UNRATED, TableTerms
from service.redis.format import need_newest

MOST_CANCELLED = 100
"""Number of cancelled rematches of a game after which no other rematch is opened."""


class BroughtCommitment(NamedTuple):
    """A player's commitment (hex), and the id of the rematch that it was made for.

    ``game_id`` is None if there was no open rematch yet.
    """

    commitment: str
    game_id: str | None


class Contribution(NamedTuple):
    """What a player brings to a rematch: a commitment, and a key (hex) to sign with."""

    commitment: BroughtCommitment | None = None
    key: str | None = None


_NOTHING = Contribution()


class Admissions(NamedTuple):
    """What admits the player who asks for a rematch.

    ``opens`` is called with the game if the player opens it, and ``sits`` if the player sits down
    at it; both refuse by an exception. ``neighbours`` is an argument of ``TableCommands.sit``.
    """

    opens: Callable[[Game], None]
    sits: Callable[[Game], None]
    neighbours: Callable[[str], Collection[str]]


class Rematches:
    """Opens rematches and seats people at them."""

    def __init__(self, tables: TableCommands, bots: Mapping[str, BotOffer]) -> None:
        self._tables = tables
        self._ledger = tables.ledger
        self._bots = bots
        self._ids = DerivedIds(tables.ledger.store)
        self._once = IdempotencyNotes(tables.ledger.store.redis)

    def join(
        self,
        game_id: str,
        player_id: str,
        admissions: Admissions,
        brought: Contribution = _NOTHING,
        retry: Retry | None = None,
    ) -> Game:
        """Return the rematch of a game, with one of its players on the new seat.

        The first request opens the rematch. The commitment that is ``brought`` is for the first of
        the player's seats, the key for all of them. Repeating the request changes nothing.

        Raises the errors of ``IdempotencyNotes.do`` and ``TableCommands.sit``, and:

        Raises:
            GameNotFoundError: there is no such game.
            RefusedError: ``tournament_game``, ``not_ended``, ``not_your_table``,
                ``upgrade_unfinished``, ``other_rematch``: the commitment is for another game.
            UnknownRulesetError, BadOptions: the rules no longer offer such a game.
        """
        self._once.expect_new(retry)
        brings = brought.commitment
        old = self._ledger.table(game_id).game
        if not is_live(old):
            raise RefusedError("tournament_game", "a tournament has played this game")
        if old.status != ENDED:
            raise RefusedError("not_ended", f"the game is {old.status}, and has no result")
        if player_id not in _players(old):
            raise RefusedError("not_your_table", "you held no seat in this game")
        need_newest(self._ledger.store.redis)
        for number in range(MOST_CANCELLED):
            new_id = self._ids.rematch(game_id, number)
            new = self._found(new_id)
            if new is None:
                if brings is not None and brings.game_id is not None:
                    raise _other(brings, None)
                self._open(old, new_id, player_id, admissions, brought)
                new = self._ledger.table(new_id).game
            if new.status != ABORTED or new.state is not None:
                self._tables.guests.note_rematch(game_id, new_id)
                game = self._seated(new_id, player_id, admissions, brought)
                self._once.do(retry, new_id, ())
                return game
        raise RefusedError(
            "too_many_games", f"{MOST_CANCELLED} rematches of this game were cancelled"
        )

    def _found(self, game_id: str) -> Game | None:
        try:
            return self._ledger.table(game_id).game
        except GameNotFoundError:
            return None

    def _open(
        self,
        old: Game,
        new_id: str,
        player_id: str,
        admissions: Admissions,
        brought: Contribution,
    ) -> None:
        holders = [self._holder(holding.holder or {}, old.ruleset) for holding in old.seats]
        turned = [holders[-1], *holders[:-1]]
        reserved = tuple(
            (int(seat), holder["player"])
            for seat, holder in by_seat(turned)
            if holder is not None and "player" in holder
        )
        known = self._ledger.terms(old)
        terms = known._replace(
            rematch_of=old.id, reserved=reserved, challenges=(), challenge_seconds=None,
            rated=known.rated or known.rating_rule == UNRATED, rating_rule=None,
        )  # fmt: skip
        others = {player for _seat, player in reserved} - {player_id}
        seated = [
            None if holder is None or holder.get("player") in others else holder
            for holder in turned
        ]
        commitments: list[str | None] = [None] * len(seated)
        if (brings := brought.commitment) is not None:
            commitments[seated.index({"player": player_id})] = brings.commitment
        try:
            self._tables.create(
                player_id,
                old.created["ruleset"],
                old.created["options"],
                seated,
                clock_limits=old.created["clock"],
                entropy=old.created["entropy"],
                commitments=commitments,
                keys=[
                    brought.key if holder == {"player": player_id} else None for holder in seated
                ],
                admit=admissions.opens,
                take_back=TAKE_BACK in old.created,
                hints=HINTS in old.created,
                signatures=SIGNATURES in old.created,
                terms=terms,
                new_id=new_id,
            )
        except ConflictError:
            if self._found(new_id) is None:
                raise
            # another player's request was faster

    def _holder(self, holder: JsonObject, ruleset: Ruleset[Any]) -> JsonObject | None:
        """Return the holder of a seat in the rematch.

        A bot gets the version that is on offer now. The result is None if that bot is no longer on
        offer for the ruleset.
        """
        if "bot" not in holder:
            return holder
        bot = self._bots.get(holder["bot"])
        return bot.holder(ruleset) if bot is not None and bot.plays(ruleset.info.id) else None

    def _seated(
        self,
        new_id: str,
        player_id: str,
        admissions: Admissions,
        brought: Contribution,
    ) -> Game:
        """Put a player on as many seats as are reserved for him, if they are still open."""
        for _ in range(ATTEMPTS):
            game = self._ledger.table(new_id).game
            terms: TableTerms = self._ledger.terms(game)
            own = [Seat(number) for number, player in terms.reserved if player == player_id]
            may_take = [*all_seats(len(game.seats))] if terms.seating == RANDOM else own
            seat = next((seat for seat in may_take if is_open(game, seat)), None)
            if seat is None or game.status != LOBBY or _held(game, player_id) >= len(own):
                return game
            committed, brings = None, brought.commitment
            if brings is not None and not _held(game, player_id):
                if brings.game_id != new_id:
                    raise _other(brings, new_id)
                committed = brings.commitment
            try:
                self._sit(game, seat, player_id, len(own), admissions, committed, brought.key)
            except RefusedError:
                if self._ledger.table(new_id).game.version == game.version:
                    raise
                # others sat down at the same time, or another request of this player was faster
        raise ConflictError(new_id)

    def _sit(
        self,
        game: Game,
        seat: Seat,
        player_id: str,
        most: int,
        admissions: Admissions,
        committed: str | None,
        key: str | None,
    ) -> None:
        """Put a player on a seat, unless he would then hold more than ``most`` seats."""

        def admit(after: Game) -> None:
            if _held(after, player_id) > most:
                raise RefusedError("seat_taken", "you have your seat", seat=seat)
            admissions.sits(after)

        self._tables.sit(
            game.id, seat, {"player": player_id}, player_id, committed,
            admit=admit, neighbours=admissions.neighbours, key=key,
        )  # fmt: skip


def _other(brings: BroughtCommitment, rematch: str | None) -> RefusedError:
    """Return the refusal of a commitment that was made for another game than this rematch."""
    what = "none is open" if rematch is None else f"the rematch is {rematch}"
    for_which = "the one to be opened" if brings.game_id is None else brings.game_id
    return RefusedError(
        "other_rematch", f"the commitment is for {for_which}, and {what}", rematch=rematch
    )


def _held(game: Game, player_id: str) -> int:
    """Return the number of a player's seats."""
    return sum(holding.holder == {"player": player_id} for holding in game.seats)


def _players(game: Game) -> set[str]:
    """Return the players who held a seat."""
    holders = [holding.holder for holding in game.seats]
    return {holder["player"] for holder in holders if holder is not None and "player" in holder}
