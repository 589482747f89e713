"""Callers' commands at a table. Each checks the caller's rights, and may be retried."""

import random
import secrets as os_secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from rules.kernel.canonical import Canonical, JsonObject
from rules.kernel.contract.preview import Preview, guess, preview
from rules.kernel.contract.refusals import WhyNot, why_not
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import (
    BEACON_WITHHELD,
    CANCELLED,
    CLOCK,
    ENTROPY_BYTES,
    LENIENT,
    REVEAL,
    SEAT_FAULT,
    SERVICE_FAULT,
    WITHHELD,
    Batch,
    RefusedError,
    entropy_terms,
)
from rules.kernel.record.beacons import BEACON, START
from rules.kernel.record.clocks import entropy_deadline, is_late, seat_deadline
from rules.kernel.record.game import CLOSED, LOBBY, Game
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import SECRET_BYTES, Secrets
from service import ids
from service.games.guests import Guests, Rights
from service.games.hints import need_hints
from service.games.seating import SeatedHolder, drawn, is_last, make_room, seated_as, with_newcomer
from service.games.signing import need_fit_key, need_signed_key, need_signed_move
from service.ledger.damage import GameDamagedError
from service.ledger.derived_ids import DerivedIds
from service.ledger.kinds import need_person
from service.ledger.ledger import AppendedBatch, Ledger, obligations
from service.ledger.repository import ATTEMPTS, ConflictError
from service.ledger.settling import fields_of
from service.ledger.store import RepeatedRequest, Retry
from service.ledger.terms import (
    DEFAULT_TERMS,
    RANDOM,
    Challenge,
    TableTerms,
    challenges_end,
    lobby_deadline,
    replaced,
)
from service.redis.format import NEWEST, level_of, need_newest


class StaleVersionError(RefusedError):
    """The caller chose at a version that is older than the seat's decision; nothing was done."""

    def __init__(self, game: Game, seat: Seat, expected_version: int) -> None:
        super().__init__(
            "stale_version",
            f"version {expected_version} does not answer an open decision of seat {seat}"
            f" at version {game.version}",
            seat=seat,
            expected_version=expected_version,
            version=game.version,
        )


class TableCommands:
    """Commands on games. Each is safe to retry with its idempotency key."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.guests = Guests(ledger.store.redis, ledger)
        self._ids = DerivedIds(ledger.store)

    def create(
        self,
        player_id: str,
        ruleset: str,
        options: Mapping[str, object],
        holders: list[JsonObject | None],
        *,
        clock_limits: JsonObject | None = None,
        entropy: JsonObject | None = None,
        commitments: Sequence[str | None] = (),
        keys: Sequence[str | None] = (),
        idempotency_key: str | None = None,
        fingerprint: bytes = b"",
        admit: Callable[[Game], None] = lambda _game: None,
        take_back: bool = False,
        hints: bool = False,
        signatures: bool = False,
        terms: TableTerms = DEFAULT_TERMS,
        new_id: str | None = None,
    ) -> AppendedBatch | RepeatedRequest:
        """Open a table and seat its named players and bots; it starts when all seats are held.

        ``entropy``, ``take_back``, ``hints`` and ``signatures`` are arguments of ``Batch.create``;
        ``commitments`` and ``keys`` to sign with are for the first seats.
        ``admit`` gets the game before it is stored, and raises to refuse it. ``new_id`` is the
        game's id; ConflictError if another game has it.

        Raises:
            UnknownRulesetError, BadOptions: from the rules.
            RefusedError: ``idempotency_key_reused``; ``upgrade_unfinished``: an older release does
                not know the table's ``terms``, its mode of entropy, ``take_back``, ``hints``,
                ``signatures`` or its clock;
                ``rated_table``: a program opens a table for people; ``signing_key_missing``,
                ``signing_key_weak``, ``no_signatures``.
        """
        entropy = entropy or entropy_terms(REVEAL)
        newer = clock_limits is not None and clock_limits.keys() != {"decision_seconds"}
        newer = newer or take_back or hints or signatures or entropy["mode"] != REVEAL
        if terms != DEFAULT_TERMS or newer:
            need_newest(self.ledger.store.redis)
        by: JsonObject = {"player": player_id}
        known = [*commitments, *[None] * (len(holders) - len(commitments))]
        signing = [*keys, *[None] * (len(holders) - len(keys))]
        for key in signing:
            need_fit_key(key)
        wanted = [
            SeatedHolder(holder, committed, key=key)
            for holder, committed, key in zip(holders, known, signing, strict=True)
        ]

        def act(batch: Batch) -> None:
            batch.create(
                ruleset, len(holders), options, by, clock=clock_limits, entropy=entropy,
                take_back=take_back, hints=hints, signatures=signatures,
            )  # fmt: skip
            is_drawn = terms.seating == RANDOM
            for seat, (holder, committed, _, key) in by_seat(_seated(terms, batch, wanted)):
                if holder is not None:
                    batch.sit(seat, holder, by, committed, drawn=is_drawn, key=key)
            admit(batch.game)

        secrets = Secrets(
            os_secrets.token_bytes(SECRET_BYTES), os_secrets.token_bytes(SECRET_BYTES)
        )
        if idempotency_key is None:
            retry, game_id = Retry.own(), new_id or ids.new_game_id()
        else:
            retry = Retry.of(player_id, idempotency_key, fingerprint)
            game_id = self._ids.game(player_id, idempotency_key)
        return self.ledger.create(game_id, secrets, act, retry, terms)

    def sit(
        self,
        game_id: str,
        seat: Seat,
        holder: JsonObject,
        player_id: str,
        entropy_commitment: str | None = None,
        retry: Retry | None = None,
        admit: Callable[[Game], None] = lambda _game: None,
        neighbours: Callable[[str], Collection[str]] = lambda _game_id: (),
        key: str | None = None,
    ) -> AppendedBatch | RepeatedRequest:
        """Take an open seat, or put a bot on it if the caller hosts the table.

        ``key`` (hex) is that with which the caller signs, if players sign at this table.

        ``admit`` gets the game with the caller on the seat, and raises to refuse it. Then, at a
        rated table, ``neighbours`` returns the other players who came to it from the caller's
        address. If the table draws its seats, the caller's seat is decided when the last seat is
        taken.

        Raises:
            RefusedError: ``seat_taken``, ``unknown_seat``, ``not_in_lobby``, ``not_your_table``,
                ``seat_reserved``, ``removed_by_host``; ``invitation_refused``: the invitation is
                for another seat; ``rated_table``: the table is for people, each on one seat;
                ``signing_key_missing``, ``signing_key_weak``, ``no_signatures``.
        """
        need_fit_key(key)
        table = self.ledger.table(game_id).game
        terms = self.ledger.terms(table)
        rights = self.guests.rights(table, player_id)
        declined = self.guests.declined(table, terms)
        others: Collection[str] = ()

        def act(batch: Batch, seat: Seat = seat) -> None:
            nonlocal others
            by: JsonObject = {"player": player_id}
            if terms.rated:
                _need_another_person(batch.game, seat, holder)
                need_person(self.ledger.store.redis, player_id)
            if "bot" in holder:
                if not rights.is_host:
                    raise RefusedError("not_your_table", "only the host of the table seats bots")
                by = batch.game.created_by
            elif not rights.is_host:
                _need_free_for(player_id, seat, batch.game, terms, rights)
                if seat not in declined:
                    _need_unchallenged(player_id, seat, batch, terms)
            is_drawn = terms.seating == RANDOM
            batch.sit(seat, holder, by, entropy_commitment, drawn=is_drawn, key=key)
            if "player" in holder:
                admit(batch.game)
                if terms.rated:
                    others = neighbours(game_id)

        def beside() -> dict[str, bytes]:
            return fields_of(player_id, others)

        if terms.seating == RANDOM:
            return self._sit_drawn(game_id, seat, holder, act, beside, retry)
        return self.ledger.change(game_id, act, retry=retry, beside=beside)

    def _sit_drawn(
        self,
        game_id: str,
        seat: Seat,
        holder: JsonObject,
        act: Callable[[Batch, Seat], None],
        beside: Callable[[], Mapping[str, bytes]],
        retry: Retry | None,
    ) -> AppendedBatch | RepeatedRequest:
        """Take a seat of a table with drawn seats; the last player's request draws them."""
        secrets = self.ledger.secrets(game_id)
        place = seat

        def rearrange(game: Game) -> list[Callable[[Batch], None]]:
            nonlocal place
            place = seat
            if not is_last(game, seat):
                raise _NothingToDoError
            # This raises if the newcomer may not sit down; then no seats are drawn.
            act(Batch(game, secrets, self.ledger.store.clock.now()), seat)
            order = with_newcomer(game, seat, holder, secrets.chance_seed)
            place = Seat(order.index(holder))
            acts = make_room(game, holder, order)
            if not acts:
                raise _NothingToDoError
            return acts

        def sit(batch: Batch) -> None:
            game = batch.game
            if is_last(game, place):
                order = with_newcomer(game, place, holder, secrets.chance_seed)
                now = [held.holder for held in game.seats]
                if [other for n, other in by_seat(order) if n != place] != [
                    other for n, other in by_seat(now) if n != place
                ]:
                    raise _OthersSatDownError
            act(batch, place)

        for _ in range(ATTEMPTS):
            with suppress(_NothingToDoError):
                self.ledger.change_in_turn(game_id, rearrange)
            try:
                return self.ledger.change(game_id, sit, retry=retry, beside=beside)
            except _OthersSatDownError:
                seats = self.ledger.table(game_id).game.seats
                seat = next((n for n, held in by_seat(seats) if held.holder is None), seat)
        raise ConflictError(game_id)

    def stand(
        self, game_id: str, seat: Seat, player_id: str, retry: Retry | None = None
    ) -> AppendedBatch | RepeatedRequest:
        """Leave a seat before the start; the host may free any seat.

        A player removed by the host needs a new invitation to sit down again.
        """
        rights = self.guests.rights(self.ledger.table(game_id).game, player_id)
        sent_away: str | None = None

        def act(batch: Batch) -> None:
            nonlocal sent_away
            game, sent_away = batch.game, None
            if is_open(game, seat):
                raise RefusedError("seat_open", f"seat {seat} is open already", seat=seat)
            by: JsonObject = {"player": player_id}
            if rights.is_host and 0 <= seat < len(game.seats) and game.seats[seat].holder != by:
                sent_away = (game.seats[seat].holder or {}).get("player")
                by = game.created_by
            else:
                need_holder(game, seat, player_id)
            batch.stand(seat, by)

        def beside() -> dict[str, bytes]:
            return {} if sent_away is None else self.guests.removed(sent_away)

        return self.ledger.change(game_id, act, retry=retry, beside=beside)

    def decline(
        self, game_id: str, seat: Seat, player_id: str, reason: str, retry: Retry | None = None
    ) -> None:
        """Decline a challenge. If the table was opened so, a bot takes the seat at once.

        Raises the errors of ``Guests.decline``, and ConflictError.
        """
        challenge = self.guests.decline(game_id, seat, player_id, reason, retry)

        def act(batch: Batch) -> None:
            if batch.game.status != LOBBY or not is_open(batch.game, seat):
                raise _NothingToDoError
            _replace(batch, challenge)

        if challenge.instead is not None:
            with suppress(_NothingToDoError):
                self.ledger.change(game_id, act)

    def reveal_entropy(
        self, game_id: str, seat: Seat, entropy: bytes, player_id: str, retry: Retry | None = None
    ) -> AppendedBatch | RepeatedRequest:
        """Reveal the entropy that the caller's seat committed to."""
        if len(entropy) != ENTROPY_BYTES:
            raise RefusedError("entropy_mismatch", f"entropy is {ENTROPY_BYTES} bytes", seat=seat)

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            batch.reveal_entropy(seat, entropy, {"player": player_id})

        return self.ledger.change(game_id, act, retry=retry)

    def abort(
        self, game_id: str, player_id: str, retry: Retry | None = None
    ) -> AppendedBatch | RepeatedRequest:
        """Abort a game before it starts, or a game of bots alone; only the host may do so."""

        def act(batch: Batch) -> None:
            self.guests.need_host(batch.game, player_id, "may cancel it")
            played = batch.game.state is not None and not batch.game.over
            if played and has_person(batch.game):
                raise RefusedError(
                    "not_in_lobby", "people play, and it has started: resign instead"
                )
            batch.abort(CANCELLED, batch.game.created_by)

        return self.ledger.change(game_id, act, retry=retry)

    def move(
        self,
        game_id: str,
        seat: Seat,
        choice: JsonObject | int,
        expected_version: int,
        player_id: str,
        *,
        expected_head: str | None = None,
        thoughts: Canonical | None = None,
        signature: JsonObject | None = None,
        retry: Retry | None = None,
    ) -> AppendedBatch | RepeatedRequest:
        """Answer the open decision of the caller's seat.

        ``choice`` is a move, or an index into the legal moves at ``expected_version``. ``thoughts``
        are recorded with the move, and hidden from everybody until the game is over. ``signature``
        has the id of the decision, and what the key of the seat signed (``move_to_sign``).

        Raises:
            NoSuchMoveError: there is no legal move with this index.
            StaleVersionError: ``expected_version`` does not answer an open decision of the seat.
            RefusedError: ``not_your_seat``, ``not_your_turn``, ``game_over``, ``not_running``,
                ``unknown_seat``, ``unknown_head``, ``too_late``, ``idempotency_key_reused``;
                ``no_signatures``, ``signature_missing``, ``head_missing``, ``decision_not_open``,
                ``signature_wrong``, ``stale_head``.
            IllegalMove: the rules refuse it.

        """

        def act(batch: Batch) -> None:
            game = batch.game
            self._need_answer(game, seat, expected_version, player_id, expected_head)
            if signature is not None and expected_head is not None:
                self._need_fresh(game, seat, expected_head, expected_version)
            batch.need_playing(seat)
            move = self._chosen(game, seat, choice, expected_version)
            said = game.ruleset.spelled_out(game.state, seat, move)
            by = {"seat": seat}
            batch.move(
                seat, said, by, expected_head=expected_head, thoughts=thoughts,
                signature=signature,
            )  # fmt: skip
            if signature is not None:
                need_signed_move(batch, seat)

        return self.ledger.change(game_id, act, retry=retry, at_least=expected_version)

    def preview(
        self,
        game_id: str,
        seat: Seat,
        choice: JsonObject | int,
        expected_version: int,
        player_id: str,
        *,
        expected_head: str | None = None,
    ) -> tuple[Game, Preview]:
        """Return the preview of a move from the caller's seat, and the current game.

        Nothing is appended. Raises the errors of ``move``, and GameDamagedError.
        """
        game, secrets, damage = self.ledger.table(game_id)
        if damage is not None:
            raise GameDamagedError(game_id, damage)
        self._need_answer(game, seat, expected_version, player_id, expected_head)
        Batch(game, secrets, self.ledger.store.clock.now()).need_playing(seat)
        return game, _previewed(game, seat, self._chosen(game, seat, choice, expected_version))

    def why_not(
        self, game_id: str, seat: Seat, element: str, player_id: str
    ) -> tuple[Game, WhyNot]:
        """Return the current game, and why the player's seat cannot choose an element of the board.

        Nothing is appended. Raises the errors of ``move``, and GameDamagedError.
        """
        game = self._asked(game_id, seat, player_id)
        any_two = random.Random(0), random.Random(1)  # noqa: S311 - any two guesses will do
        guesses = [guess(game.ruleset, game.state, seat, rng) for rng in any_two]
        return game, why_not(game.ruleset, guesses, seat, element)

    def need_hint(self, game_id: str, seat: Seat, player_id: str) -> Game:
        """Return the current game if the player may have a hint for the seat's open decision.

        Raises RefusedError (``no_hints``), and the errors of ``why_not``.
        """
        game = self._asked(game_id, seat, player_id)
        need_hints(game, self.ledger.terms(game), player_id)
        return game

    def hint(
        self,
        game_id: str,
        seat: Seat,
        player_id: str,
        ask: Callable[[Game], None],
        retry: Retry | None = None,
    ) -> AppendedBatch | RepeatedRequest | Game:
        """Let a seat ask for a hint for its open decision, so that all at the table see it.

        ``ask`` gets the game, and requests the hint before anybody sees that; it raises to refuse
        it. Return the game alone if everybody has seen it before: then nothing is appended.

        Raises the errors of ``need_hint`` and of ``ask``, and GameDamagedError.
        """

        def act(batch: Batch) -> None:
            game = batch.game
            self._need_answer(game, seat, game.version, player_id, None)
            batch.need_playing(seat)
            need_hints(game, self.ledger.terms(game), player_id)
            ask(game)
            if (seat, game.asked[seat]) in game.hinted:
                raise _NothingToDoError
            batch.hint(seat, game.asked[seat], {"seat": seat})

        try:
            return self.ledger.change(game_id, act, retry=retry)
        except _NothingToDoError:
            return self.ledger.table(game_id).game

    def _asked(self, game_id: str, seat: Seat, player_id: str) -> Game:
        """Return the current game if the player's seat has an open decision."""
        game, secrets, damage = self.ledger.table(game_id)
        if damage is not None:
            raise GameDamagedError(game_id, damage)
        self._need_answer(game, seat, game.version, player_id, None)
        Batch(game, secrets, self.ledger.store.clock.now()).need_playing(seat)
        return game

    def hindsight(
        self,
        game: Game,
        at: int,
        seat: Seat,
        choice: JsonObject | int,
        expected_version: int,
        *,
        expected_head: str | None = None,
    ) -> tuple[Game, Preview]:
        """Return the game at an earlier version, and the preview of a move at that version.

        The preview uses only what the seat knew at that version. The API checks that the caller may
        see what this seat sees.

        Raises:
            StaleVersionError: at ``expected_version`` the seat had no open decision.
            RefusedError: ``not_your_turn``, ``seat_resigned``, ``unknown_head``.
            IllegalMove: the rules refuse it.
        """
        then = self.ledger.earlier(game, at)
        if then.state is None or then.over:
            raise RefusedError(
                "not_your_turn", f"seat {seat} was not asked at version {at}", seat=seat
            )
        self._need_current(then, seat, expected_version)
        if expected_head is not None:
            self._need_known(game, expected_head, expected_version)
        return then, _previewed(then, seat, self._chosen(then, seat, choice, expected_version))

    def _chosen(
        self, game: Game, seat: Seat, choice: JsonObject | int, expected_version: int
    ) -> JsonObject:
        """Return the move of a choice. Raises NoSuchMoveError."""
        if not isinstance(choice, int):
            return choice
        then = game
        if expected_version != game.version:
            # Moves of others may have changed what is legal since.
            then = self.ledger.earlier(game, expected_version)
        legal = then.ruleset.legal_moves(then.state, seat)
        if choice >= len(legal):
            raise NoSuchMoveError(choice, len(legal))
        return legal[choice].to_json()

    def _need_answer(
        self,
        game: Game,
        seat: Seat,
        expected_version: int,
        player_id: str,
        expected_head: str | None,
    ) -> None:
        """Check that the player holds the seat, and that the seat has an open decision.

        Raises:
            RefusedError: the player does not hold the seat, the seat has resigned or has no open
                decision, or the game has no event with the hash ``expected_head``.
            StaleVersionError: the seat's decision is newer than ``expected_version``.
        """
        need_holder(game, seat, player_id)
        self._need_current(game, seat, expected_version)
        if expected_head is not None:
            self._need_known(game, expected_head, expected_version)

    def _need_current(self, game: Game, seat: Seat, expected_version: int) -> None:
        """Raise StaleVersionError if the seat's decision is newer than ``expected_version``."""
        if game.seats[seat].resigned:
            raise RefusedError("seat_resigned", f"seat {seat} has resigned", seat=seat)
        if game.state is None or game.over:
            return
        if not game.is_current(seat, expected_version) and (
            seat in game.asked or expected_version != game.version
        ):
            raise StaleVersionError(game, seat, expected_version)
        if seat not in game.asked:
            raise RefusedError("not_your_turn", f"seat {seat} is not asked", seat=seat)

    def _need_known(self, game: Game, head: str, version: int) -> None:
        """Raise RefusedError (``unknown_head``) unless an event of the game has this hash."""
        if self._seq_of(game, head, version) is None:
            raise RefusedError(
                "unknown_head",
                f"no event of this game has the hash {head}: its history is another one",
                expected_head=head,
                version=game.version,
            )

    def _need_fresh(self, game: Game, seat: Seat, head: str, version: int) -> None:
        """Raise RefusedError (``stale_head``) if the decision was opened again after ``head``.

        Otherwise what a seat signed for a move that was taken back would sign that move again.
        """
        last = game.last_by_seat.get(seat, 0)
        opened_again = game.asked.get(seat, 0) < last
        if opened_again and (self._seq_of(game, head, version) or 0) < last:
            raise RefusedError(
                "stale_head",
                f"the decision of seat {seat} was opened again after the event {head}",
                expected_head=head,
                head=game.head.hex(),
                version=game.version,
            )

    def _seq_of(self, game: Game, head: str, version: int) -> int | None:
        """Return the number of the event with this hash, probably ``version``; None if none has."""
        if head == game.head.hex():
            return game.version
        return self.ledger.store.seq_of(game.id, bytes.fromhex(head), version, game.version)

    def resign(
        self, game_id: str, seat: Seat, player_id: str, retry: Retry | None = None
    ) -> AppendedBatch | RepeatedRequest:
        """Resign the caller's seat; from now on the rules' default moves are played for it."""

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            batch.resign(seat, {"seat": seat})

        return self.ledger.change(game_id, act, retry=retry)

    def take_back(
        self, game_id: str, seat: Seat, to: int, player_id: str, retry: Retry | None = None
    ) -> AppendedBatch | RepeatedRequest:
        """Take back all moves of the caller's seat after the event ``to``.

        Raises the refusals of ``Batch.take_back``, and RefusedError ``not_your_seat``.
        """

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            batch.take_back(seat, to, {"seat": seat})

        return self.ledger.change(game_id, act, retry=retry)

    def change_key(
        self,
        game_id: str,
        seat: Seat,
        key: str,
        sig: str | None,
        expected_head: str | None,
        player_id: str,
        retry: Retry | None = None,
    ) -> AppendedBatch | RepeatedRequest:
        """Bind another key (hex) to the caller's seat.

        ``sig`` (hex) is the signature of the key before (``key_to_sign``), and ``expected_head``
        the newest head, which it covers; None if the key before is lost.

        Raises:
            RefusedError: the refusals of ``Batch.change_key``, of ``need_signed_key``, and
                ``not_your_seat``, ``signing_key_weak``.
        """
        need_fit_key(key)

        def act(batch: Batch) -> None:
            need_holder(batch.game, seat, player_id)
            before = batch.game.seats[seat].key
            batch.change_key(seat, key, sig, {"player": player_id})
            if sig is not None:
                need_signed_key(batch, seat, before, sig, expected_head)

        return self.ledger.change(game_id, act, retry=retry)

    def expire(self, game_id: str) -> AppendedBatch | RepeatedRequest | None:
        """Append the events that a passed deadline requires.

        Return None if it requires none, or if others have appended them, or if the service is away:
        then clocks stand still.
        """

        def act(batch: Batch) -> None:
            game = batch.game
            terms = self.ledger.terms(game)
            ends = entropy_deadline(game) or obligations(game, terms).deadline
            if not is_late(batch.at, ends) or (game.asked and self.ledger.outages.is_away()):
                raise _NothingToDoError
            if game.status == LOBBY and is_late(batch.at, lobby_deadline(game, terms)):
                batch.abort(CANCELLED, CLOCK)
            elif game.status == LOBBY:
                for one in replaced(game, terms):
                    _replace(batch, one)
            elif game.status == CLOSED:
                _end_waiting(batch)
            else:
                batch.time_out(
                    next(seat for seat in sorted(game.asked) if seat_deadline(game, seat) == ends)
                )

        try:
            return self.ledger.change(game_id, act)
        except _NothingToDoError:
            return None

    def draw_beacon(self, game_id: str, signature: str) -> AppendedBatch | RepeatedRequest | None:
        """Start a game with the signature of its round (hex), which the caller has checked.

        Return None if others have started or ended it, or if it has to wait.
        """

        def act(batch: Batch) -> None:
            try:
                batch.draw_beacon(signature)
            except RefusedError as error:
                raise _NothingToDoError from error

        try:
            return self.ledger.change(game_id, act)
        except _NothingToDoError:
            return None

    def time_out(self, game_id: str, *, resigns: bool) -> Game | None:
        """Answer by the rules for a seat of a tournament's game whose time is up.

        If ``resigns`` is true, the seat also resigns. If the service was away for most of the
        seat's time, the game is aborted instead. Return the game after that; return None if no time
        is up, or if others have answered.
        """
        for fault in (SERVICE_FAULT, SEAT_FAULT):
            with suppress(_NothingToDoError):
                return self._time_out(game_id, fault, resigns=resigns)
        return None

    def _time_out(self, game_id: str, fault: str, *, resigns: bool) -> Game:
        """Append a time-out, if it is due and this is its fault; else raise _NothingToDoError."""
        told = fault if level_of(self.ledger.store.redis) == NEWEST else None

        def acts(game: Game) -> Iterator[Callable[[Batch], None]]:
            after: list[Game] = []
            ends = {seat: seat_deadline(game, seat) for seat in sorted(game.asked)}
            late = [(end, seat) for seat, end in ends.items() if end is not None]
            if not late or self.ledger.outages.is_away():
                raise _NothingToDoError
            end, seat = min(late)
            if fault == SERVICE_FAULT and not self._was_away(game, end, seat):
                raise _NothingToDoError

            def time_out(batch: Batch) -> None:
                if not is_late(batch.at, seat_deadline(batch.game, seat)):
                    raise _NothingToDoError
                batch.time_out(seat, told)
                after.append(batch.game)

            yield time_out
            if resigns and not after[-1].over:
                yield lambda batch: batch.resign(seat, {"seat": seat})

        return self.ledger.change_in_turn(game_id, acts, stand_still=fault == SEAT_FAULT)

    def _was_away(self, game: Game, deadline: int, seat: Seat) -> bool:
        """Whether the service was away for at least half of the time until a seat's deadline."""
        asked = to_ms(game.asked_at[seat])
        away = sum(outage.within(asked, deadline) for outage in self.ledger.outages_in(game))
        return 0 < deadline - asked <= 2 * away

    def cancel_unstarted(
        self, game_id: str, before_ms: int
    ) -> AppendedBatch | RepeatedRequest | None:
        """Cancel a table opened before a time (ms since 1970).

        Return None if it has left the lobby, or if an operator has suspended it.
        """

        def act(batch: Batch) -> None:
            game = batch.game
            waits = game.status == LOBBY and not game.suspended_at
            if not waits or to_ms(game.created_at) >= before_ms:
                raise _NothingToDoError
            batch.abort(CANCELLED, CLOCK)

        try:
            return self.ledger.change(game_id, act)
        except _NothingToDoError:
            return None

    def answer_for(self, game: Game, seat: Seat, act: Callable[[Batch], None]) -> bool:
        """Append the move that ``act`` records for an automatic seat of ``game``.

        Return False, and append nothing, if the game has newer events.
        """

        def guarded(batch: Batch) -> None:
            if batch.base_hash != game.head or seat not in batch.game.asked:
                raise _NothingToDoError
            act(batch)

        try:
            self.ledger.change(game.id, guarded)
        except _NothingToDoError:
            return False
        return True


class NoSuchMoveError(LookupError):
    """A seat's list of legal moves has no move with this index."""

    def __init__(self, index: int, moves: int) -> None:
        super().__init__(f"{index} is no index: there are {moves} legal moves")
        self.index = index


class _NothingToDoError(Exception):
    """Another process has done it first."""


class _OthersSatDownError(Exception):
    """The players have changed since the seats were drawn."""


def _seated(
    terms: TableTerms, batch: Batch, wanted: Sequence[SeatedHolder]
) -> Sequence[SeatedHolder]:
    """Return who is seated when a table opens.

    If all seats are held and the seating is random, the holders are in drawn order.
    """
    known = [sitting.holder for sitting in wanted if sitting.holder is not None]
    if terms.seating == RANDOM and len(known) == len(wanted):
        return seated_as(drawn(batch.secrets.chance_seed, batch.game.scope, known), wanted)
    return wanted


def _need_free_for(
    player_id: str, seat: Seat, game: Game, terms: TableTerms, rights: Rights
) -> None:
    """Raise RefusedError (see ``TableCommands.sit``) if the player may not take the seat."""
    if rights.is_removed:
        raise RefusedError("removed_by_host", "the host of the table has sent you away")
    kept = dict(terms.reserved)
    # Each player with a reserved seat has a right to one of the open seats.
    if terms.seating == RANDOM:
        seated = (held.holder for held in game.seats)
        missing = Counter(kept.values())
        missing -= Counter(holder["player"] for holder in seated if holder and "player" in holder)
        del missing[player_id]
        free = sum(held.holder is None for held in game.seats)
        if is_open(game, seat) and free <= missing.total():
            raise RefusedError("seat_reserved", "all open seats are kept for others", seat=seat)
        return
    if kept.get(seat, player_id) != player_id:
        raise RefusedError("seat_reserved", f"seat {seat} is kept for {kept[seat]}", seat=seat)
    if rights.invited_to not in (None, seat):
        raise RefusedError(
            "invitation_refused", f"you are invited to seat {rights.invited_to}", seat=seat
        )


def _need_unchallenged(player_id: str, seat: Seat, batch: Batch, terms: TableTerms) -> None:
    """Raise RefusedError (``seat_reserved``) if the seat is still kept for a challenged bot."""
    if is_late(batch.at, challenges_end(batch.game, terms)):
        return
    for one in terms.challenges:
        if one.seat == seat and one.player != player_id:
            raise RefusedError("seat_reserved", f"seat {seat} is kept for {one.player}", seat=seat)


def _need_another_person(game: Game, seat: Seat, holder: JsonObject) -> None:
    """Raise RefusedError (``rated_table``) for a bot, or a holder of another seat of the table."""
    if "bot" in holder:
        raise RefusedError("rated_table", "no bot sits down at a rated table", seat=seat)
    for other, held in by_seat(game.seats):
        if held.holder == holder and other != seat:
            raise RefusedError("rated_table", f"you hold seat {other} already", seat=other)


def _replace(batch: Batch, challenge: Challenge) -> None:
    """Seat the bot that takes the seat of a challenge, as the opener of the table wanted it."""
    assert challenge.instead is not None  # noqa: S101 - the callers have looked
    batch.sit(Seat(challenge.seat), challenge.instead, batch.game.created_by, None)


def _previewed(game: Game, seat: Seat, move: JsonObject) -> Preview:
    rng = random.Random(0)  # noqa: S311 - any guess will do
    guessed = guess(game.ruleset, game.state, seat, rng)
    return preview(game.ruleset, guessed, seat, game.ruleset.spelled_out(guessed, seat, move))


def need_holder(game: Game, seat: Seat, player_id: str) -> None:
    """Raise RefusedError (``unknown_seat``, ``not_your_seat``) unless the player holds the seat."""
    if not 0 <= seat < len(game.seats):
        raise RefusedError("unknown_seat", f"there is no seat {seat}", seat=seat)
    if game.seats[seat].holder != {"player": player_id}:
        raise RefusedError("not_your_seat", f"seat {seat} is not yours", seat=seat)


def is_open(game: Game, seat: Seat) -> bool:
    """Whether the game has this seat and nobody holds it."""
    return 0 <= seat < len(game.seats) and game.seats[seat].holder is None


def has_person(game: Game) -> bool:
    """Whether a person holds a seat, even a resigned one."""
    return any(holding.holder is not None and "player" in holding.holder for holding in game.seats)


def _end_waiting(batch: Batch) -> None:
    """Do what the game's terms of entropy say if entropy or the beacon is late."""
    terms = batch.game.created["entropy"]
    if terms["mode"] == LENIENT or terms.get("late") == START:
        batch.start_without()
    elif terms["mode"] == BEACON:
        batch.abort(BEACON_WITHHELD, CLOCK)
    else:
        batch.abort(WITHHELD, CLOCK, batch.owing_entropy())
