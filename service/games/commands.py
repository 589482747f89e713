"""What a caller may do at a table: the rights and the retries round the kernel's batches."""

import random
import secrets as os_secrets
from collections.abc import Callable, Mapping

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.preview import Preview, guess, preview
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import CANCELLED, ENTROPY_BYTES, WITHHELD, Batch, Refused
from rules.kernel.record.clocks import is_late, next_deadline, seat_deadline
from rules.kernel.record.game import CLOSED, LOBBY, Game
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import SECRET_BYTES, Secrets
from service import ids
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import Appended, Ledger
from service.ledger.store import Replayed, Retry


class Stale(Refused):
    """The caller's form is older than the seat's decision; nothing was done."""

    def __init__(self, game: Game, seat: Seat, expected_version: int) -> None:
        super().__init__(
            "stale_version",
            f"version {expected_version} does not answer an open decision of seat {seat}"
            f" at version {game.version}",
            seat=seat,
            expected_version=expected_version,
            version=game.version,
        )


class Tables:
    """Commands on games; every one is safe to retry with its idempotency key."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def create(
        self,
        player_id: str,
        ruleset: str,
        options: Mapping[str, object],
        holders: list[JsonObject | None],
        *,
        clock_limits: JsonObject | None = None,
        entropy_commitments: Mapping[int, str] | None = None,
        idempotency_key: str | None = None,
        fingerprint: bytes = b"",
        admit: Callable[[Game], None] = lambda _game: None,
    ) -> Appended | Replayed:
        """Open a table and seat those who are named; it starts when all seats are held.

        ``admit`` is shown the game before it is stored, and raises what is against it.

        Raises:
            UnknownRulesetError, BadOptions: from the rules.
            Refused: ``idempotency_key_reused``.

        """
        by: JsonObject = {"player": player_id}

        def act(batch: Batch) -> None:
            batch.create(ruleset, len(holders), options, by, clock=clock_limits)
            for seat, holder in by_seat(holders):
                if holder is not None:
                    batch.sit(seat, holder, by, (entropy_commitments or {}).get(seat))
            admit(batch.game)

        secrets = Secrets(
            os_secrets.token_bytes(SECRET_BYTES), os_secrets.token_bytes(SECRET_BYTES)
        )
        if idempotency_key is None:
            retry, game_id = None, ids.new_game_id()
        else:
            retry = Retry.of(player_id, idempotency_key, fingerprint)
            game_id = ids.game_id_for(player_id, idempotency_key)
        return self.ledger.create(game_id, secrets, act, retry)

    def sit(
        self,
        game_id: str,
        seat: Seat,
        holder: JsonObject,
        player_id: str,
        entropy_commitment: str | None = None,
        retry: Retry | None = None,
        admit: Callable[[Game], None] = lambda _game: None,
    ) -> Appended | Replayed:
        """Take an open seat, or put a bot on it if the caller opened the table.

        ``admit`` is shown the game with the caller on the seat, and raises what is against it.
        """

        def act(batch: Batch) -> None:
            if "bot" in holder and batch.game.created_by != {"player": player_id}:
                raise Refused("not_your_table", "only who opened the table seats bots")
            batch.sit(seat, holder, {"player": player_id}, entropy_commitment)
            if "player" in holder:
                admit(batch.game)

        return self.ledger.change(game_id, act, retry=retry)

    def stand(
        self, game_id: str, seat: Seat, player_id: str, retry: Retry | None = None
    ) -> Appended | Replayed:
        """Leave a seat before the start; who opened the table may free a bot's seat."""

        def act(batch: Batch) -> None:
            game = batch.game
            opener = game.created_by == {"player": player_id}
            if is_open(game, seat):
                raise Refused("seat_open", f"seat {seat} is open already", seat=seat)
            if not (opener and is_bot(game, seat)):
                need_holder(game, seat, player_id)
            batch.stand(seat, {"player": player_id})

        return self.ledger.change(game_id, act, retry=retry)

    def reveal_entropy(
        self, game_id: str, seat: Seat, entropy: bytes, player_id: str, retry: Retry | None = None
    ) -> Appended | Replayed:
        """Open the entropy that the caller's seat committed to."""
        if len(entropy) != ENTROPY_BYTES:
            raise Refused("entropy_mismatch", f"entropy is {ENTROPY_BYTES} bytes", seat=seat)

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            batch.reveal_entropy(seat, entropy, {"player": player_id})

        return self.ledger.change(game_id, act, retry=retry)

    def abort(
        self, game_id: str, player_id: str, retry: Retry | None = None
    ) -> Appended | Replayed:
        """Cancel a game before it starts, or one that only bots play; who opened the table may."""

        def act(batch: Batch) -> None:
            if batch.game.created_by != {"player": player_id}:
                raise Refused("not_your_table", "only who opened the table may cancel it")
            played = batch.game.state is not None and not batch.game.over
            if played and has_person(batch.game):
                raise Refused("not_in_lobby", "people play, and it has started: resign instead")
            batch.abort(CANCELLED, {"player": player_id})

        return self.ledger.change(game_id, act, retry=retry)

    def move(
        self,
        game_id: str,
        seat: Seat,
        move: JsonObject,
        expected_version: int,
        player_id: str,
        *,
        expected_head: str | None = None,
        retry: Retry | None = None,
    ) -> Appended | Replayed:
        """Answer the open decision of the caller's seat.

        Raises:
            Stale: ``expected_version`` does not answer an open decision of the seat.
            Refused: ``not_your_seat``, ``not_your_turn``, ``game_over``, ``not_running``,
                ``unknown_seat``, ``unknown_head``, ``too_late``, ``idempotency_key_reused``.
            IllegalMove: the rules refuse it.

        """

        def act(batch: Batch) -> None:
            self._need_answer(batch.game, seat, expected_version, player_id, expected_head)
            batch.move(seat, move, {"seat": seat}, expected_head=expected_head)

        return self.ledger.change(game_id, act, retry=retry, at_least=expected_version)

    def preview(
        self,
        game_id: str,
        seat: Seat,
        move: JsonObject,
        expected_version: int,
        player_id: str,
        *,
        expected_head: str | None = None,
    ) -> tuple[Game, Preview]:
        """Return what a move would do as far as the caller's seat can know, and the game now.

        Nothing is appended. Raises as ``move``, and GameDamagedError.
        """
        game, secrets, damage = self.ledger.table(game_id)
        if damage is not None:
            raise GameDamagedError(game_id, damage)
        self._need_answer(game, seat, expected_version, player_id, expected_head)
        Batch(game, secrets, self.ledger.store.clock.now()).need_playing(seat)
        rng = random.Random(0)  # noqa: S311 - any guess will do
        position = guess(game.ruleset, game.state, seat, rng)
        return game, preview(game.ruleset, position, seat, move)

    def _need_answer(
        self,
        game: Game,
        seat: Seat,
        expected_version: int,
        player_id: str,
        expected_head: str | None,
    ) -> None:
        """Raise Refused unless the player answers an open decision of his seat."""
        need_holder(game, seat, player_id)
        if game.seats[seat].resigned:
            raise Refused("seat_resigned", f"seat {seat} has resigned", seat=seat)
        if game.state is not None and not game.over:
            if not game.is_current(seat, expected_version) and (
                seat in game.asked or expected_version != game.version
            ):
                raise Stale(game, seat, expected_version)
            if seat not in game.asked:
                raise Refused("not_your_turn", f"seat {seat} is not asked", seat=seat)
        if expected_head is not None:
            self._need_known(game, expected_head, expected_version)

    def _need_known(self, game: Game, head: str, version: int) -> None:
        """Raise Refused (``unknown_head``) unless an event of the game has this hash."""
        if head == game.head.hex():
            return
        if not self.ledger.store.has_hash(game.id, bytes.fromhex(head), version, game.version):
            raise Refused(
                "unknown_head",
                f"no event of this game has the hash {head}: its history is another one",
                expected_head=head,
                version=game.version,
            )

    def resign(
        self, game_id: str, seat: Seat, player_id: str, retry: Retry | None = None
    ) -> Appended | Replayed:
        """Give up the caller's seat; it is answered for by default from now on."""

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            batch.resign(seat, {"seat": seat})

        return self.ledger.change(game_id, act, retry=retry)

    def expire(self, game_id: str) -> Appended | Replayed | None:
        """Do what a passed deadline asks for; None if there is none (any more)."""

        def act(batch: Batch) -> None:
            game = batch.game
            ends = next_deadline(game)
            if not is_late(batch.at, ends):
                raise _NothingToDo
            if game.status == CLOSED:
                batch.abort(WITHHELD, {"service": "clock"}, batch.owing_entropy())
                return
            batch.time_out(
                next(seat for seat in sorted(game.asked) if seat_deadline(game, seat) == ends)
            )

        try:
            return self.ledger.change(game_id, act)
        except _NothingToDo:
            return None

    def cancel_unstarted(self, game_id: str, before_ms: int) -> Appended | Replayed | None:
        """Cancel a table opened before a time (ms since 1970).

        None if it has left the lobby, or if an operator has suspended it.
        """

        def act(batch: Batch) -> None:
            game = batch.game
            waits = game.status == LOBBY and not game.suspended_at
            if not waits or to_ms(game.created_at) >= before_ms:
                raise _NothingToDo
            batch.abort(CANCELLED, {"service": "clock"})

        try:
            return self.ledger.change(game_id, act)
        except _NothingToDo:
            return None

    def answer_for(self, game: Game, seat: Seat, act: Callable[[Batch], None]) -> bool:
        """Append what ``act`` records for an automatic seat, if nothing came after ``game``."""

        def guarded(batch: Batch) -> None:
            if batch.base_hash != game.head or seat not in batch.game.asked:
                raise _NothingToDo
            act(batch)

        try:
            self.ledger.change(game.id, guarded)
        except _NothingToDo:
            return False
        return True


class _NothingToDo(Exception):
    """Somebody else did it first."""


def need_holder(game: Game, seat: Seat, player_id: str) -> None:
    """Raise Refused (``unknown_seat``, ``not_your_seat``) unless the player holds the seat."""
    if not 0 <= seat < len(game.seats):
        raise Refused("unknown_seat", f"there is no seat {seat}", seat=seat)
    if game.seats[seat].holder != {"player": player_id}:
        raise Refused("not_your_seat", f"seat {seat} is not yours", seat=seat)


def is_open(game: Game, seat: Seat) -> bool:
    """Whether the game has this seat and nobody holds it."""
    return 0 <= seat < len(game.seats) and game.seats[seat].holder is None


def is_bot(game: Game, seat: Seat) -> bool:
    """Whether a bot holds the seat."""
    if not 0 <= seat < len(game.seats):
        return False
    holder = game.seats[seat].holder
    return holder is not None and "bot" in holder


def has_person(game: Game) -> bool:
    """Whether a person holds a seat, even one who has resigned."""
    return any(holding.holder is not None and "player" in holding.holder for holding in game.seats)
